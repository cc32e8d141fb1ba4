"""A backup holds the whole site and can be restored on either database: all of it, or nothing."""

import hashlib
import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connections
from django.test import Client

from accounts import api_tokens
from accounts.models import Delivery, User, Webhook
from deploy.backup import migration_state, rows
from deploy.backup.dump import MANIFEST, backup
from deploy.backup.restore import restore
from games import engine_match, fairness
from games.models import Match, Move
from leagues.feeds import service as feeds
from leagues.models import Division, Odds, Plan, Upload
from leagues.seasons import setup
from tests.databases import standing_on
from tests.factories import add_guests, create_club, create_user, draft_season, finished_match, started_match
from tests.leagues.placement.conftest import night

PASSWORD = "lantern-thursday-9"

pytestmark = pytest.mark.usefixtures("transactional_db")


def a_finished_match(monkeypatch: pytest.MonkeyPatch) -> Match:
    monkeypatch.setattr("games.play.dispatch.enqueue_bot_turn", lambda match_id: None)
    engine_match.clear_cache()
    alice, bob = (create_user(name, password=PASSWORD) for name in ("alice", "bob"))
    EmailAddress.objects.create(user=alice, email=alice.email, verified=True, primary=True)
    return finished_match(started_match(alice, bob))


def the_rest_of_a_site(alice: User) -> str:
    """Rows of leagues, calendars and programs, unusual types included. Returns a token that must still work."""
    club = create_club(alice, create_user("olga"), create_user("charlie"))
    league = setup.create_league(actor=alice, club=club, name="League", game="splendor-marvel")
    season = draft_season(league, alice, "round-robin")
    add_guests(season, alice, 4)
    division = Division.objects.get(season=season)
    Odds.objects.create(division=division, why_not="soon")
    Plan.objects.create(season=season, asked_by=alice, scope={"rounds": [1]})
    table = {"club": club, "season": season, "division": division, "by": alice}
    Upload.objects.create(kind="players", content=bytes(range(256)), digest="d" * 64, **table)
    night(club, 7)
    feeds.renew(person=alice)
    hook = Webhook.objects.create(club=club, made_by=alice, name="Hook", url="https://example.org", events=["e"])
    Delivery.objects.create(hook=hook, event="e", body="{}")
    return api_tokens.issue(person=alice, name="Program", scopes=["read"], lasting=timedelta(days=30)).secret


def everything() -> dict[str, list[Any]]:
    return {model._meta.label: [json.loads(line) for line in rows.pack(model)] for model in rows.tables(apps)}


def counts(file: Path) -> dict[str, int]:
    with ZipFile(file) as archive:
        manifest = json.loads(archive.read(MANIFEST))
    return {name: table["rows"] for name, table in manifest["tables"].items()}


@pytest.fixture(params=["sqlite", "postgresql"])
def elsewhere(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], Any]]:
    """Another database: a new file, or a migrated PostgreSQL."""
    if request.param == "postgresql":
        settings = request.getfixturevalue("postgres_database")
    else:
        settings = connections["default"].settings_dict | {"NAME": str(tmp_path / "new.sqlite3")}
    yield lambda: standing_on(settings)
    with standing_on(settings):
        call_command("flush", verbosity=0, interactive=False)


def test_a_site_moves_whole_and_goes_on(elsewhere, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    match = a_finished_match(monkeypatch)
    secret = the_rest_of_a_site(User.objects.get(handle="alice"))
    digest, before = fairness.verify(match=match).digest, everything()
    made = backup(tmp_path / "site.zip")
    assert made.rows == sum(map(len, before.values()))
    with elsewhere():
        restore(tmp_path / "site.zip")
        engine_match.clear_cache()
        assert everything() == before
        token = api_tokens.authenticate_secret(secret)
        assert token
        assert token.user.handle == "alice"
        assert bytes(Upload.objects.get().content) == bytes(range(256))
        verdict = fairness.verify(match=Match.objects.get(key=match.key))
        assert (verdict.is_fair, verdict.digest) == (True, digest)
        answer = Client().post("/accounts/login/", {"login": "alice", "password": PASSWORD})
        assert (answer.status_code, answer["Location"]) == (302, "/")
        backup(tmp_path / "again.zip")
        # The log-in leaves the address it came from, and nothing else.
        assert counts(tmp_path / "again.zip") == counts(tmp_path / "site.zip") | {"accounts.LoginAddress": 1}
        again = started_match(User.objects.get(handle="alice"), User.objects.get(handle="bob"))
        assert again.pk > match.pk
    assert everything() == before


def test_a_backup_is_private_and_never_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "site.zip"
    backup(file)
    assert file.stat().st_mode & 0o777 == 0o600
    assert [entry.name for entry in tmp_path.iterdir()] == ["site.zip"]
    kept = file.read_bytes()
    with pytest.raises(CommandError, match="already exists"):
        backup(file)
    assert file.read_bytes() == kept


def test_sessions_stay_behind(tmp_path: Path) -> None:
    alice = create_user("alice", password=PASSWORD)
    EmailAddress.objects.create(user=alice, email=alice.email, verified=True, primary=True)
    client = Client()
    client.post("/accounts/login/", {"login": "alice", "password": PASSWORD})
    key = client.session.session_key
    assert key
    assert UserSession.objects.get().session_key == key
    backup(tmp_path / "site.zip")
    with ZipFile(tmp_path / "site.zip") as archive:
        assert not {"sessions.Session.jsonl", "usersessions.UserSession.jsonl"} & set(archive.namelist())
        assert not any(key.encode() in archive.read(name) for name in archive.namelist())


def test_a_backup_that_holds_what_is_left_out_now_is_restored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alice = create_user("alice")
    UserSession.objects.create(user=alice, session_key="k" * 32, ip="127.0.0.1", user_agent="x")
    with monkeypatch.context() as earlier:
        earlier.setattr(rows, "LEFT_OUT", {"sessions.Session"})
        backup(tmp_path / "site.zip")
    assert counts(tmp_path / "site.zip")["usersessions.UserSession"] == 1
    restore(tmp_path / "site.zip", replace=True)
    assert list(User.objects.values_list("handle", flat=True)) == ["alice"]
    assert not UserSession.objects.exists()


def test_a_used_database_is_refused_unless_it_may_be_lost(tmp_path: Path) -> None:
    create_user("alice")
    backup(tmp_path / "site.zip")
    create_user("bob")
    before = everything()
    with pytest.raises(CommandError, match=r"in use .*--replace; nothing was changed"):
        restore(tmp_path / "site.zip")
    assert everything() == before
    restore(tmp_path / "site.zip", replace=True)
    assert list(User.objects.values_list("handle", flat=True)) == ["alice"]


def changed(file: Path, change: Callable[[dict[str, Any], dict[str, bytes]], None]) -> Path:
    """A copy of a backup with other contents and matching checksums."""
    with ZipFile(file) as archive:
        manifest = json.loads(archive.read(MANIFEST))
        contents = {name: archive.read(f"{name}.jsonl") for name in manifest["tables"]}
    change(manifest, contents)
    copy = file.with_name("changed.zip")
    with ZipFile(copy, "w") as archive:
        for name, lines in contents.items():
            archive.writestr(f"{name}.jsonl", lines)
            manifest["tables"][name]["sha256"] = hashlib.sha256(lines).hexdigest()
        archive.writestr(MANIFEST, json.dumps(manifest))
    return copy


def test_what_fails_half_way_leaves_everything_as_it_was(tmp_path: Path) -> None:
    create_user("alice")
    backup(tmp_path / "site.zip")

    def orphan(manifest: dict[str, Any], contents: dict[str, bytes]) -> None:
        contents["accounts.User"] = b""
        manifest["tables"]["accounts.User"]["rows"] = 0
        contents["account.EmailAddress"] = b'[1,77,"nobody@example.org",true,true]\n'
        manifest["tables"]["account.EmailAddress"] |= {
            "rows": 1,
            "columns": ["id", "user_id", "email", "verified", "primary"],
        }

    bad = changed(tmp_path / "site.zip", orphan)
    before = everything()
    with pytest.raises(CommandError, match=r"does not fit: .*; nothing was changed"):
        restore(bad, replace=True)
    assert everything() == before


def test_a_newer_backup_is_refused(tmp_path: Path) -> None:
    backup(tmp_path / "site.zip")
    newer = changed(tmp_path / "site.zip", lambda manifest, _: manifest["migrations"].append(["games", "9999_later"]))
    with pytest.raises(CommandError, match=r"newer Gauntlet \(games\.9999_later\)"):
        restore(newer, replace=True)
    newer = changed(tmp_path / "site.zip", lambda manifest, _: manifest.update(format=2))
    with pytest.raises(CommandError, match=r"newer Gauntlet \(format 2\)"):
        restore(newer, replace=True)


def test_a_backup_of_before_the_first_release_is_refused(tmp_path: Path) -> None:
    backup(tmp_path / "site.zip")
    old = changed(
        tmp_path / "site.zip", lambda manifest, _: manifest["migrations"].append(["leagues", "0002_calendar"])
    )
    with pytest.raises(CommandError, match=r"before release 0\.1\.0 \(leagues\.0002_calendar\).*nothing was changed"):
        restore(old, replace=True)


def test_an_older_backup_is_brought_up_to_date(tmp_path: Path) -> None:
    create_user("alice")
    backup(tmp_path / "site.zip")

    last = ("account", "0009_emailaddress_unique_primary_email")
    older = changed(tmp_path / "site.zip", lambda manifest, _: manifest["migrations"].remove(list(last)))
    with pytest.raises(CommandError, match="into a new database"):
        restore(older, replace=True)
    with standing_on(connections["default"].settings_dict | {"NAME": str(tmp_path / "newer.sqlite3")}):
        restore(older)
        assert list(User.objects.values_list("handle", flat=True)) == ["alice"]
        assert last in migration_state.applied()


@pytest.mark.parametrize("damage", ["cut", "flipped", "text", "missing"])
def test_a_damaged_file_is_refused(tmp_path: Path, damage: str) -> None:
    create_user("alice")
    file = tmp_path / "site.zip"
    backup(file)
    content = bytearray(file.read_bytes())
    if damage == "flipped":
        with ZipFile(file) as archive:
            at = archive.getinfo("accounts.User.jsonl").header_offset
        content[at + 70] ^= 0xFF
    file.write_bytes({"cut": bytes(content[:-300]), "text": b"not a zip"}.get(damage, bytes(content)))
    if damage == "missing":
        file.unlink()
    before = everything()
    with pytest.raises(CommandError, match=r"not a backup of Gauntlet|cannot read") as refusal:
        restore(file, replace=True)
    assert "\n" not in str(refusal.value)
    assert everything() == before
    assert Move.objects.count() == 0

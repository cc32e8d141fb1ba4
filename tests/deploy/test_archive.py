"""A backup holds the whole house, and stands up again on either database: all of it, or nothing."""

import hashlib
import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connections
from django.test import Client

from accounts import tokens
from accounts.models import Delivery, User, Webhook
from deploy.archive import rows, schema
from deploy.archive.backup import MANIFEST, backup
from deploy.archive.restore import restore
from deploy.models import Pulse
from games import fairness, referee
from games.models import Match, Move
from leagues import competitions
from leagues.models import Division, Odds, Plan, Upload
from leagues.scheduling import feeds
from tests.databases import standing_on
from tests.games.conftest import begun, person, played_out
from tests.leagues.conftest import drafted, guests, made_club
from tests.leagues.placing.conftest import night

PASSWORD = "lantern-thursday-9"

pytestmark = pytest.mark.usefixtures("transactional_db")


def a_finished_match(monkeypatch: pytest.MonkeyPatch) -> Match:
    monkeypatch.setattr("games.queue.send", lambda match_id: None)
    referee.forget()
    alice, bob = (person(name, password=PASSWORD) for name in ("alice", "bob"))
    EmailAddress.objects.create(user=alice, email=alice.email, verified=True, primary=True)
    return played_out(begun(alice, bob))


def the_rest_of_a_house(alice: User) -> str:
    """What leagues, calendars and programs keep, odd types included; the token that must still open its door."""
    club = made_club(alice, person("olga"), person("charlie"))
    league = competitions.found_league(actor=alice, club=club, name="League", game="splendor-marvel")
    season = drafted(league, alice, "round-robin")
    guests(season, alice, 4)
    division = Division.objects.get(season=season)
    Odds.objects.create(division=division, why_not="soon")
    Plan.objects.create(season=season, asked_by=alice, scope={"rounds": [1]})
    table = {"club": club, "season": season, "division": division, "by": alice}
    Upload.objects.create(kind="players", content=bytes(range(256)), digest="d" * 64, **table)
    night(club, 7)
    feeds.renew(person=alice)
    hook = Webhook.objects.create(club=club, made_by=alice, name="Hook", url="https://example.org", events=["e"])
    Delivery.objects.create(hook=hook, event="e", body="{}")
    return tokens.issue(person=alice, name="Program", scopes=["read"], lasting=timedelta(days=30)).secret


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


def test_a_house_moves_whole_and_goes_on(elsewhere, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    match = a_finished_match(monkeypatch)
    secret = the_rest_of_a_house(User.objects.get(handle="alice"))
    digest, before = fairness.verify(match=match).digest, everything()
    made = backup(tmp_path / "house.zip")
    assert made.rows == sum(map(len, before.values()))
    with elsewhere():
        restore(tmp_path / "house.zip")
        referee.forget()
        assert everything() == before
        found = tokens.bearer(secret)
        assert found
        assert found.user.handle == "alice"
        assert bytes(Upload.objects.get().content) == bytes(range(256))
        verdict = fairness.verify(match=Match.objects.get(key=match.key))
        assert (verdict.is_fair, verdict.digest) == (True, digest)
        answer = Client().post("/accounts/login/", {"login": "alice", "password": PASSWORD})
        assert (answer.status_code, answer["Location"]) == (302, "/")
        backup(tmp_path / "again.zip")
        assert counts(tmp_path / "again.zip") == counts(tmp_path / "house.zip")
        again = begun(User.objects.get(handle="alice"), User.objects.get(handle="bob"))
        assert again.pk > match.pk
    assert everything() == before


def test_a_backup_is_private_and_never_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "house.zip"
    backup(file)
    assert file.stat().st_mode & 0o777 == 0o600
    assert [entry.name for entry in tmp_path.iterdir()] == ["house.zip"]
    kept = file.read_bytes()
    with pytest.raises(CommandError, match="is there already"):
        backup(file)
    assert file.read_bytes() == kept


def test_sessions_stay_behind(tmp_path: Path) -> None:
    Client().force_login(person("alice"))
    backup(tmp_path / "house.zip")
    with ZipFile(tmp_path / "house.zip") as archive:
        assert "sessions.Session.jsonl" not in archive.namelist()


def test_a_used_database_is_refused_unless_it_may_be_lost(tmp_path: Path) -> None:
    person("alice")
    backup(tmp_path / "house.zip")
    person("bob")
    before = everything()
    with pytest.raises(CommandError, match=r"in use .*--replace; nothing was changed"):
        restore(tmp_path / "house.zip")
    assert everything() == before
    restore(tmp_path / "house.zip", replace=True)
    assert list(User.objects.values_list("handle", flat=True)) == ["alice"]


def changed(file: Path, change: Callable[[dict[str, Any], dict[str, bytes]], None]) -> Path:
    """A copy of a backup with other contents and sums that fit them."""
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
    person("alice")
    backup(tmp_path / "house.zip")

    def orphan(manifest: dict[str, Any], contents: dict[str, bytes]) -> None:
        contents["accounts.User"] = b""
        manifest["tables"]["accounts.User"]["rows"] = 0
        contents["account.EmailAddress"] = b'[1,77,"nobody@example.org",true,true]\n'
        manifest["tables"]["account.EmailAddress"] |= {
            "rows": 1,
            "columns": ["id", "user_id", "email", "verified", "primary"],
        }

    bad = changed(tmp_path / "house.zip", orphan)
    before = everything()
    with pytest.raises(CommandError, match=r"does not fit: .*; nothing was changed"):
        restore(bad, replace=True)
    assert everything() == before


def test_a_newer_backup_is_refused(tmp_path: Path) -> None:
    backup(tmp_path / "house.zip")
    newer = changed(tmp_path / "house.zip", lambda manifest, _: manifest["migrations"].append(["games", "9999_later"]))
    with pytest.raises(CommandError, match=r"newer Gauntlet \(games\.9999_later\)"):
        restore(newer, replace=True)
    newer = changed(tmp_path / "house.zip", lambda manifest, _: manifest.update(format=2))
    with pytest.raises(CommandError, match=r"newer Gauntlet \(format 2\)"):
        restore(newer, replace=True)


def test_an_older_backup_is_brought_up_to_date(tmp_path: Path) -> None:
    person("alice")
    backup(tmp_path / "house.zip")

    def before_pulses(manifest: dict[str, Any], contents: dict[str, bytes]) -> None:
        manifest["migrations"].remove(["deploy", "0002_pulse"])
        del contents["deploy.Pulse"], manifest["tables"]["deploy.Pulse"]

    older = changed(tmp_path / "house.zip", before_pulses)
    with pytest.raises(CommandError, match="into a new database"):
        restore(older, replace=True)
    with standing_on(connections["default"].settings_dict | {"NAME": str(tmp_path / "newer.sqlite3")}):
        restore(older)
        assert list(User.objects.values_list("handle", flat=True)) == ["alice"]
        assert not Pulse.objects.exists()
        assert ("deploy", "0002_pulse") in schema.applied()


@pytest.mark.parametrize("damage", ["cut", "flipped", "text", "missing"])
def test_a_damaged_file_is_refused(tmp_path: Path, damage: str) -> None:
    person("alice")
    file = tmp_path / "house.zip"
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
    with pytest.raises(CommandError, match=r"no backup of ours|cannot read") as refusal:
        restore(file, replace=True)
    assert "\n" not in str(refusal.value)
    assert everything() == before
    assert Move.objects.count() == 0

"""A file that is not a league archive is refused with a clear message, and changes nothing."""

import hashlib
import io
import json
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from django.core.management import CommandError, call_command

from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from accounts.models import AuditEntry, User
from leagues.import_export import uploads
from leagues.import_export.archive import people, reader, scan, writer
from leagues.models import League, Pairing, RatedResult, StandingsSnapshot
from tests.factories import stage_of
from tests.leagues.import_export.conftest import imported


def forged(content: bytes, **changes) -> bytes:
    """The archive with one file changed by hand, and matching checksums."""
    with ZipFile(io.BytesIO(content)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(files.pop("manifest.json"))
    for name, change in changes.items():
        rows = [json.loads(line) for line in files[f"{name}.jsonl"].splitlines()]
        rows = change(rows) or rows
        files[f"{name}.jsonl"] = b"".join(json.dumps(row).encode() + b"\n" for row in rows)
        entry = {"rows": len(rows), "sha256": hashlib.sha256(files[f"{name}.jsonl"]).hexdigest()}
        manifest["files"][f"{name}.jsonl"] = entry
    manifest["digest"] = writer.digest(manifest["league"], manifest["files"])
    return zipped({**files, "manifest.json": json.dumps(manifest).encode()})


def zipped(files: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return file.getvalue()


def manifest_with(content: bytes, **changes) -> bytes:
    with ZipFile(io.BytesIO(content)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    files["manifest.json"] = json.dumps(json.loads(files["manifest.json"]) | changes).encode()
    return zipped(files)


def test_files_that_are_no_archive(content):
    for wrong in (b"", b"name,seed\nAda,1\n", b"PK\x03\x04 broken", content[: len(content) // 2], zipped({"x": b"y"})):
        with pytest.raises(Refused, match="not an archive of a league"):
            reader.open_archive(wrong)
    for damaged in (
        manifest_with(content, digest="0" * 64),
        manifest_with(content, files={}),
        manifest_with(content, league=[]),
        manifest_with(content, format="something-else"),
        manifest_with(content, version="x"),
        zipped({"manifest.json": b"[" * 100_000}),
    ):
        with pytest.raises(Refused, match="not an archive of a league"):
            reader.open_archive(damaged)


def test_files_that_are_something_else(content, monkeypatch):
    with pytest.raises(Refused, match="newer version of Gauntlet"):
        reader.open_archive(manifest_with(content, version=2))
    with pytest.raises(Refused, match="backup of a whole site"):
        reader.open_archive(zipped({"manifest.json": json.dumps({"format": 1, "tables": {}}).encode()}))
    other = {"name": "Chess", "game": "chess"}
    with ZipFile(io.BytesIO(content)) as archive:
        files = json.loads(archive.read("manifest.json"))["files"]
    with pytest.raises(Refused, match="not played here"):
        reader.open_archive(manifest_with(content, league=other, digest=writer.digest(other, files)))
    monkeypatch.setattr(scan, "LARGEST", 100)
    with pytest.raises(Refused, match="at most 20 MB"):
        reader.open_archive(content)


def test_a_zip_bomb_is_not_opened(monkeypatch):
    monkeypatch.setattr(scan, "UNPACKED", 1_000_000)
    bomb = zipped({"manifest.json": b"0" * 1_100_000})
    assert len(bomb) < 5000
    with pytest.raises(Refused, match="too large when unpacked"):
        reader.open_archive(bomb)


def _first(**values):
    return lambda rows: rows[0].update(values)


FORGERIES = [
    {"season": _first(status="elsewhere")},
    {"season": _first(tie_breaks=["luck"])},
    {"season": _first(options={"cheat": True})},
    {"season": _first(surprise=1)},
    {"season": _first(number=-1)},
    {"season": _first(starts_at="soon")},
    {"season": _first(points="many")},
    {"season": _first(tie_break_edition="2099-01")},
    {"stage": _first(format="chaos")},
    {"stage": _first(settings={"x": 1})},
    {"stage": _first(division=7)},
    {"stage": _first(division=[1])},
    {"entrant": _first(user=99)},
    {"entrant": lambda rows: rows[0].update(user=rows[1]["user"])},
    {"pairing": _first(reason={"code": "nonsense", "params": {}})},
    {"pairing": _first(reason={})},
    {"pairing": _first(reason="x")},
    {"pairing": _first(number="1; drop table")},
    {"pairingseat": lambda rows: rows[0].update(entrant=rows[1]["entrant"])},
    {"result": _first(places=[{"rank": "first"}])},
    {"result": _first(places="x")},
    {"result": _first(grade=["x"])},
    {"result": lambda rows: rows[:1] * 2},
    {"standingssnapshot": _first(rows=[{"entrant": 1}])},
    {"standingssnapshot": _first(rows={"a": 1})},
    {"rated": _first(seats=[[1, 1, False, ""]])},
    {"rated": _first(seats=[[1, 10**30, False, ""], [2, 1, False, ""]])},
    {"rated": _first(finished_at="2199-01-01T00:00:00+00:00")},
    {"rated": _first(pairing=77)},
    {"log": _first(action="club.founded")},
    {"log": _first(at="2199-01-01T00:00:00+00:00")},
    {"log": _first(params=5)},
    {"log": _first(params={"entrant": {"user": 9999}})},
    {"log": _first(params={"entrant": {"user": ["1"]}})},
    {"log": _first(params={"what": json.loads('{"what":' * 100 + "1" + "}" * 100)})},
    {"people": _first(kind="owner")},
    {"people": _first(name="x" * 100)},
    {"people": lambda rows: [*rows, {"kind": "house", "handle": "master:9999999", "name": ""}]},
]


def test_forged_rows_change_nothing(content, club):
    everybody = [each.number for each in people.people_in(reader.open_archive(content), club)]

    def everything() -> list[int]:
        return [model.objects.count() for model in (League, User, AuditEntry, RatedResult, Pairing)]

    before = everything()
    for at, changes in enumerate(FORGERIES):
        with pytest.raises(Refused):
            imported(forged(content, **changes), club, everybody)
        assert everything() == before, at


def test_dying_in_the_middle_leaves_nothing_behind(content, elsewhere, monkeypatch):
    zoe = User.objects.get(handle="zoe")
    upload = uploads.store_archive(actor=zoe, club=elsewhere, content=content)
    before = (League.objects.count(), User.objects.count(), StandingsSnapshot.objects.count())

    def dies(league):
        raise RuntimeError("the plug was pulled")

    monkeypatch.setattr("leagues.import_export.archive.validation.check", dies)
    monkeypatch.setattr(uploads, "ROWS_AT_ONCE", 0)
    uploads.confirm_archive(actor=zoe, upload=upload, same=[])
    with pytest.raises(RuntimeError):
        uploads.run(upload_id=upload.pk)
    assert (League.objects.count(), User.objects.count(), StandingsSnapshot.objects.count()) == before
    upload.refresh_from_db()
    assert upload.status == "failed"
    assert "our side" in upload.outcome["failed"]


def test_the_same_file_twice_is_the_same_league(content, elsewhere, bob):
    zoe = User.objects.get(handle="zoe")
    with pytest.raises(NotAllowed):
        uploads.store_archive(actor=bob, club=elsewhere, content=content)
    first, second = (uploads.store_archive(actor=zoe, club=elsewhere, content=content) for _time in range(2))
    one = uploads.confirm_archive(actor=zoe, upload=first, same=[])
    other = uploads.confirm_archive(actor=zoe, upload=second, same=[])
    assert one.league == other.league
    assert elsewhere.leagues.count() == 1


def test_the_command(content, league, elsewhere, alice, tmp_path, capsys):
    file = tmp_path / "league.zip"
    call_command("league", "export", league.slug, str(file))
    with pytest.raises(CommandError, match="File exists"):
        call_command("league", "export", league.slug, str(file))
    call_command("league", "import", str(file), "--club", elsewhere.slug, "--as", "zoe")
    assert elsewhere.leagues.get().name == league.name
    assert "/leagues/" in capsys.readouterr().out
    broken = tmp_path / "broken.zip"
    broken.write_bytes(b"nothing")
    for wrong in (
        ["import", str(broken), "--club", elsewhere.slug, "--as", "zoe"],
        ["import", str(tmp_path / "none.zip"), "--club", elsewhere.slug, "--as", "zoe"],
        ["import", str(file), "--club", "nowhere", "--as", "zoe"],
        ["import", str(file), "--club", elsewhere.slug, "--as", "bob"],
        ["export", "nothing", str(tmp_path / "x.zip")],
    ):
        with pytest.raises(CommandError):
            call_command("league", *wrong)
    assert League.objects.count() == 2
    assert stage_of(league.seasons.get())

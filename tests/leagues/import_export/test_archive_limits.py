"""Archives that would cost too much are refused in words, outside the web process; uploads have a quota."""

import io
import json
import resource
import time
from datetime import timedelta
from zipfile import ZipFile

import pytest
from django.utils import timezone

from accounts.infra.errors import Refused
from leagues.import_export import uploads
from leagues.import_export.archive import reader, scan
from leagues.models import Upload
from tests.factories import logged_in
from tests.leagues.import_export.test_archive_refused import forged, zipped


def rows_of(content: bytes, name: str) -> int:
    with ZipFile(io.BytesIO(content)) as archive:
        return json.loads(archive.read("manifest.json"))["files"][name]["rows"]


def with_rows(content: bytes, line: bytes, count: int = 1) -> bytes:
    """The archive with other lines in its log, and matching checksums."""
    import hashlib

    from leagues.import_export.archive import writer

    with ZipFile(io.BytesIO(content)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(files.pop("manifest.json"))
    files["log.jsonl"] = line * count
    entry = {"rows": files["log.jsonl"].count(b"\n"), "sha256": hashlib.sha256(files["log.jsonl"]).hexdigest()}
    manifest["files"]["log.jsonl"] = entry
    manifest["digest"] = writer.digest(manifest["league"], manifest["files"])
    return zipped({**files, "manifest.json": json.dumps(manifest).encode()})


class TestBombs:
    def test_a_small_file_of_a_hundred_million_objects(self, content):
        """The bomb that was found: 190 MB of empty lists cost gigabytes when they were parsed at once."""
        line = b'{"a": [' + b"[]," * 90_000 + b"[]]}\n"
        bomb = with_rows(content, line, 60)
        assert len(bomb) < 512 * 1024
        before, began = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.monotonic()
        with pytest.raises(Refused, match=r"log\.jsonl, line 1"):
            reader.open_archive(bomb)
        assert time.monotonic() - began < 30
        # Kilobytes: this process has not unpacked it.
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000

    @pytest.mark.parametrize(
        ("line", "words"),
        [
            (b'{"a": ' + b"[" * 40 + b"]" * 40 + b"}\n", "line 1"),
            (b'{"a": "' + b"x" * 2_000_000 + b'"}\n', "too much time or memory"),
            (b'{"a": ' + b"9" * 5000 + b"}\n", "too much time or memory"),
            (b'{"a": ' + b"9" * 50 + b"}\n", "line 1"),
            (b'{"a": 1e999}\n', "line 1"),
            (b'{"a": "\\u0000"}\n', "line 1"),
            (b"[1]\n", "line 1"),
            (b'{"a": NaN}\n', "not an archive of a league"),
            (b"\xff\xfe\n", "not an archive of a league"),
        ],
    )
    def test_rows_that_are_not_read(self, content, line, words):
        with pytest.raises(Refused, match=words):
            reader.open_archive(with_rows(content, line))

    def test_more_rows_than_we_read(self, content, monkeypatch):
        budget = scan.Budget(time.monotonic() + 60, rows=10)
        with (
            ZipFile(io.BytesIO(with_rows(content, b"{}\n", 11))) as archive,
            pytest.raises(scan.Refusal, match="rows"),
        ):
            scan.scan_file(archive, "log.jsonl", budget)

    def test_time_is_limited_too(self, content):
        with (
            ZipFile(io.BytesIO(with_rows(content, b'{"a": [1, 2, 3]}\n', 20_000))) as archive,
            pytest.raises(scan.Refusal, match="slow"),
        ):
            scan.scan_file(archive, "log.jsonl", scan.Budget(time.monotonic() - 1))

    def test_a_version_that_is_no_number(self, content):
        with ZipFile(io.BytesIO(content)) as archive:
            files = {name: archive.read(name) for name in archive.namelist()}
        for version in (b"1e999", b"9" * 5000, b'"1"', b"true"):
            changed = files["manifest.json"].replace(b'"version": 1', b'"version": ' + version)
            assert changed != files["manifest.json"]
            with pytest.raises(Refused, match="not an archive of a league"):
                reader.open_archive(zipped({**files, "manifest.json": changed}))

    def test_a_list_of_a_million_files(self):
        files = zipped({f"{number}.jsonl": b"" for number in range(200)})
        with pytest.raises(Refused, match="not an archive of a league"):
            reader.open_archive(files)


class TestUploads:
    def test_a_large_file_is_read_by_a_worker_and_the_page_shows_how_far(self, content, club, alice, monkeypatch):
        sent: list[int] = []
        monkeypatch.setattr(uploads, "BYTES_AT_ONCE", 10)
        monkeypatch.setattr(uploads, "_send_check", sent.append)
        monkeypatch.setattr(uploads, "after_commit", lambda act, *arguments: act(*arguments))
        upload = uploads.store_archive(actor=alice, club=club, content=content)
        assert sent == [upload.pk]
        page = logged_in(alice).get(upload.get_absolute_url()).content.decode()
        assert "<progress" in page
        with pytest.raises(Refused, match="still being read"):
            uploads.confirm_archive(actor=alice, upload=upload, same=[])
        uploads.check_archive(upload_id=upload.pk)
        upload.refresh_from_db()
        assert upload.outcome == {"checked": True}
        assert "Import the league" in logged_in(alice).get(upload.get_absolute_url()).content.decode()
        assert uploads.confirm_archive(actor=alice, upload=upload, same=[]).league is not None

    def test_one_that_is_refused_then_says_why(self, content, club, alice, monkeypatch):
        monkeypatch.setattr(uploads, "BYTES_AT_ONCE", 10)
        bomb = with_rows(content, b'{"a": ' + b"[" * 40 + b"]" * 40 + b"}\n")
        upload = uploads.store_archive(actor=alice, club=club, content=bomb)
        uploads.check_archive(upload_id=upload.pk)
        upload.refresh_from_db()
        assert upload.status == Upload.Status.FAILED
        assert bytes(upload.content) == b""
        page = logged_in(alice).get(upload.get_absolute_url()).content.decode()
        assert "log.jsonl, line 1" in page
        with pytest.raises(Refused, match="still being read"):
            uploads.confirm_archive(actor=alice, upload=upload, same=[])

    def test_a_lost_check_is_sent_again(self, content, club, alice, monkeypatch):
        sent: list[int] = []
        monkeypatch.setattr(uploads, "BYTES_AT_ONCE", 10)
        upload = uploads.store_archive(actor=alice, club=club, content=content)
        monkeypatch.setattr(uploads, "_send_check", sent.append)
        uploads.sweep()
        assert sent == []
        Upload.objects.update(made_at=timezone.now() - timedelta(minutes=5))
        uploads.sweep()
        assert sent == [upload.pk]

    def test_the_oldest_files_of_a_club_make_room(self, content, club, elsewhere, alice, monkeypatch):
        monkeypatch.setattr(uploads, "CLUB_BYTES", 3 * len(content))
        other = uploads.store_archive(actor=elsewhere.memberships.get().user, club=elsewhere, content=content)
        kept = [uploads.store_archive(actor=alice, club=club, content=content).pk for _ in range(5)]
        assert list(Upload.objects.filter(club=club).order_by("pk").values_list("pk", flat=True)) == kept[-3:]
        assert Upload.objects.filter(pk=other.pk).exists()

    def test_few_files_wait_at_a_time(self, content, club, alice, monkeypatch):
        monkeypatch.setattr(uploads, "CLUB_FILES", 2)
        for _ in range(4):
            uploads.store_archive(actor=alice, club=club, content=content)
        assert Upload.objects.filter(club=club).count() == 2

    def test_what_nobody_imports_is_deleted_by_the_sweep(self, content, club, alice):
        upload = uploads.store_archive(actor=alice, club=club, content=content)
        Upload.objects.filter(pk=upload.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
        uploads.sweep()
        assert not Upload.objects.exists()


def test_an_honest_archive_is_read_as_before(content):
    archive = reader.open_archive(content)
    assert archive.rows == sum(rows_of(content, name) for name in archive.manifest["files"])
    assert forged(content)

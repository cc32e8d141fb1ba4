"""Opens an archive and checks it. A file that is damaged or no league archive is refused."""

import json
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from django.utils.translation import gettext

import engine
from accounts.infra import shutdown
from accounts.infra.errors import Refused
from accounts.infra.input import Unreadable, parse_json
from leagues.import_export.archive import scan
from leagues.import_export.archive.tables import PARTS
from leagues.import_export.archive.writer import FORMAT, LOG, MANIFEST, PEOPLE, RATED, VERSION, digest

LARGEST = scan.LARGEST
ROOT = Path(__file__).resolve().parents[3]
# For the start of the process that reads, on a busy machine.
GRACE = 20.0
# Stored standings hold lots of 64 bits.
LOT_DIGITS = 20
FILES = frozenset({*(part.file for part in PARTS), "night.jsonl", RATED, LOG, PEOPLE})
# Files that older archives lack.
NEWER = frozenset({"cardfile.jsonl", "pairinggame.jsonl"})


@dataclass(frozen=True)
class Archive:
    """A checked archive: every file is there, with the length and checksum of the manifest."""

    zip: ZipFile
    manifest: dict[str, Any]

    @property
    def rows(self) -> int:
        return sum(int(file["rows"]) for file in self.manifest["files"].values())

    def lines(self, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
        """The rows of one file with their numbers; none of a file that an older archive lacks."""
        if name not in self.manifest["files"]:
            return
        with self.zip.open(name) as file:
            for number, line in enumerate(file, 1):
                try:
                    row = parse_json(line, most_digits=LOT_DIGITS)
                except Unreadable:
                    row = None
                if not isinstance(row, dict):
                    raise file_error(name, number)
                yield number, row


def file_error(name: str, number: int, what: str = "") -> Refused:
    message = gettext("The file does not fit together: %(file)s, line %(line)s%(what)s. Nothing was imported.")
    return Refused(message % {"file": name, "line": number, "what": f" ({what})" if what else ""})


def open_archive(content: bytes, *, is_scanned: bool = False, progress: Callable[[int], None] | None = None) -> Archive:
    """Check an archive and open it. Its rows are read once in a process of its own, unless these bytes were before."""
    try:
        archive = scan.check_envelope(content)
        manifest = _manifest(archive)
        if not is_scanned:
            _scan(content, manifest["files"], progress or (lambda _rows: None))
    except scan.Refusal as refusal:
        raise Refused(_words(refusal)) from None
    except KeyError:
        raise Refused(_words(scan.Refusal("damaged"))) from None
    return Archive(archive, manifest)


def _words(refusal: scan.Refusal) -> str:
    match refusal.code:
        case "large":
            return gettext("An archive has at most 20 MB.")
        case "unpacked":
            return gettext("This archive is too large when unpacked: it was not opened.")
        case "rows":
            return gettext("This archive has more rows than we read (%(most)s). Export fewer seasons at a time.") % (
                refusal.numbers
            )
        case "row":
            return file_error(refusal.numbers["file"], refusal.numbers["line"]).message
        case "slow" | "memory" | "token":
            return gettext("Reading this archive would take too much time or memory: it was not read to the end.")
        case _:
            return gettext("This is not an archive of a league, or it is damaged.")


def _scan(content: bytes, files: dict[str, Any], progress: Callable[[int], None]) -> None:
    """Let a process of its own read every row; it says how far it is."""
    told = json.dumps({name: {"rows": file["rows"], "sha256": file["sha256"]} for name, file in files.items()}).encode()
    with subprocess.Popen(
        [sys.executable, "-m", scan.__name__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        alarm = threading.Timer(scan.SECONDS + GRACE, program.kill)
        alarm.start()
        try:
            with shutdown.stop_with(program.kill):
                with suppress(BrokenPipeError):
                    program.stdin.write(struct.pack("<I", len(told)) + told + content)
                    program.stdin.close()
                verdict: dict[str, Any] = {"refused": "memory", "numbers": {}}
                for line in program.stdout:
                    verdict = json.loads(line)
                    if "read" in verdict:
                        progress(verdict["read"])
        finally:
            alarm.cancel()
            program.kill()
    if "rows" not in verdict:
        raise scan.Refusal(verdict.get("refused", "memory"), **verdict.get("numbers", {}))


def _manifest(archive: ZipFile) -> dict[str, Any]:
    try:
        manifest = parse_json(scan.read_some(archive, MANIFEST, scan.MANIFEST_BYTES))
        if isinstance(manifest, dict) and "tables" in manifest:
            raise Refused(gettext("This is a backup of a whole site, not a league: it is restored on the server."))
        if manifest["format"] != FORMAT:
            raise KeyError
        if type(manifest["version"]) is not int:
            raise KeyError
        if manifest["version"] > VERSION:
            raise Refused(gettext("This archive was made by a newer version of Gauntlet: update this site first."))
        league, files = manifest["league"], manifest["files"]
        if manifest["digest"] != digest(league, files) or not FILES - NEWER <= set(files) <= FILES:
            raise KeyError
        if not all(type(file["rows"]) is int and isinstance(file["sha256"], str) for file in files.values()):
            raise KeyError
        if league["game"] not in engine.GAMES:
            raise Refused(gettext("This archive is of a game that is not played here."))
    except (ValueError, TypeError, AttributeError):
        raise KeyError from None
    return dict(manifest)

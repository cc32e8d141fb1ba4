"""An archive as it comes in: opened with care, and refused in one sentence if it is not whole or not one of ours."""

import hashlib
import io
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from zipfile import BadZipFile, ZipFile

from django.utils.translation import gettext

import engine
from accounts.errors import Refused
from leagues.exchange.archive.pack import FORMAT, LOG, MANIFEST, PEOPLE, RATED, VERSION, digest
from leagues.exchange.archive.parts import PARTS

LARGEST = 20 * 1024 * 1024
# A file of 20 MB can claim to hold a thousand times as much: nothing is unpacked before its claims are read.
UNPACKED = 200 * 1024 * 1024
PIECE = 1024 * 1024
FILES = (*(part.file for part in PARTS), "night.jsonl", RATED, LOG, PEOPLE)


@dataclass(frozen=True)
class Archive:
    """One that was checked: every file is there, as long and with the sums that the manifest says."""

    zip: ZipFile
    manifest: dict[str, Any]

    @property
    def rows(self) -> int:
        return sum(int(file["rows"]) for file in self.manifest["files"].values())

    def lines(self, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
        """The rows of one file with their numbers."""
        with self.zip.open(name) as file:
            for number, line in enumerate(file, 1):
                try:
                    row = json.loads(line)
                except (ValueError, RecursionError):
                    row = None
                if not isinstance(row, dict):
                    raise unfit(name, number)
                yield number, row


def unfit(name: str, number: int, what: str = "") -> Refused:
    words = gettext("The file does not fit together: %(file)s, line %(line)s%(what)s. Nothing was imported.")
    return Refused(words % {"file": name, "line": number, "what": f" ({what})" if what else ""})


def opened(content: bytes) -> Archive:
    if len(content) > LARGEST:
        raise Refused(gettext("An archive has at most 20 MB."))
    try:
        archive = ZipFile(io.BytesIO(content))
        manifest = _manifest(archive)
        _check_sums(archive, manifest["files"])
    except (BadZipFile, EOFError, zlib.error, NotImplementedError, RuntimeError, OSError, KeyError):
        raise Refused(gettext("This is no archive of a league, or a damaged one.")) from None
    return Archive(archive, manifest)


def _manifest(archive: ZipFile) -> dict[str, Any]:
    if sum(entry.file_size for entry in archive.infolist()) > UNPACKED:
        raise Refused(gettext("This archive unpacks to more than any league: it is not opened."))
    try:
        manifest = json.loads(archive.read(MANIFEST))
        if isinstance(manifest, dict) and "tables" in manifest:
            raise Refused(gettext("This is a backup of a whole house, not a league: it is restored on the server."))
        if manifest["format"] != FORMAT:
            raise KeyError
        if int(manifest["version"]) > VERSION:
            raise Refused(gettext("This archive was made by a newer Gauntlet: bring this one up to date first."))
        league, files = manifest["league"], manifest["files"]
        if manifest["digest"] != digest(league, files) or set(files) != set(FILES):
            raise KeyError
        if not all(isinstance(file["rows"], int) for file in files.values()):
            raise KeyError
        if league["game"] not in engine.GAMES:
            raise Refused(gettext("This archive is of a game that is not played here."))
    except (ValueError, TypeError, RecursionError, AttributeError):
        raise KeyError from None
    return dict(manifest)


def _check_sums(archive: ZipFile, files: dict[str, Any]) -> None:
    left = UNPACKED
    for name, file in files.items():
        told, count = hashlib.sha256(), 0
        with archive.open(name) as lines:
            while piece := lines.read(PIECE):
                told.update(piece)
                count += piece.count(b"\n")
                left -= len(piece)
                if left < 0:
                    raise BadZipFile
        if told.hexdigest() != file["sha256"] or count != file["rows"]:
            raise BadZipFile

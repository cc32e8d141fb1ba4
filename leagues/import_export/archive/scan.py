"""Reads a whole archive once, as a stream, in a process of its own with little memory and time.

`python -m leagues.import_export.archive.scan` takes the archive on its standard input. It writes a line of JSON for
every step and a last one with the verdict. It needs no Django and no database: whatever a hostile file does to this
process, the site goes on.
"""

import hashlib
import io
import json
import math
import re
import struct
import sys
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import IO, Any
from zipfile import BadZipFile, ZipFile

import ijson

LARGEST = 20 * 1024 * 1024
UNPACKED = 200 * 1024 * 1024
MANIFEST_BYTES = 256 * 1024
MOST_FILES = 64
MOST_ROWS = 500_000
MOST_VALUES = 10_000_000
MOST_VALUES_A_ROW = 100_000
DEPTH = 24
TOKEN = 1024 * 1024
"""The longest text or number."""
ROW = 4 * 1024 * 1024
SECONDS = 60.0
MEMORY = 512 * 1024 * 1024
LARGEST_NUMBER = 2**64
PIECE = 64 * 1024
EVERY = 20_000
"""So often, in values, the clock is looked at and progress is said."""

MOST_DIGITS = 400
DIGITS = re.compile(rb"[0-9]{%d}" % MOST_DIGITS)
END_RECORD = b"PK\x05\x06"


class Refusal(Exception):
    """The archive is not read any further; the code says why, with numbers for the message."""

    def __init__(self, code: str, **numbers: Any) -> None:
        super().__init__(code)
        self.code, self.numbers = code, numbers


def check_envelope(content: bytes) -> ZipFile:
    """Open the zip without unpacking anything: few files, and together not too large."""
    if len(content) > LARGEST:
        raise Refusal("large")
    # How many files it claims to have is in its last bytes: a list of a million would cost memory to read.
    at = content.rfind(END_RECORD, max(0, len(content) - 65_600))
    if at < 0 or len(content) < at + 12 or struct.unpack_from("<H", content, at + 10)[0] > MOST_FILES:
        raise Refusal("damaged")
    try:
        archive = ZipFile(io.BytesIO(content))
    except (BadZipFile, OSError, ValueError, NotImplementedError):
        raise Refusal("damaged") from None
    if len(archive.infolist()) > MOST_FILES:
        raise Refusal("damaged")
    if sum(entry.file_size for entry in archive.infolist()) > UNPACKED:
        raise Refusal("unpacked")
    return archive


def read_some(archive: ZipFile, name: str, most: int) -> bytes:
    """A small file of the archive."""
    try:
        with archive.open(name) as file:
            read = file.read(most + 1)
    except (BadZipFile, EOFError, zlib.error, NotImplementedError, RuntimeError, OSError, KeyError):
        raise Refusal("damaged") from None
    if len(read) > most:
        raise Refusal("damaged")
    return read


@dataclass
class Budget:
    """What is left of bytes, rows, values and time."""

    until: float
    bytes: int = UNPACKED
    rows: int = MOST_ROWS
    values: int = MOST_VALUES
    say: Callable[[int], None] = field(default=lambda _rows: None)

    def look(self) -> None:
        if time.monotonic() > self.until:
            raise Refusal("slow")
        self.say(MOST_ROWS - self.rows)


class Counted:
    """The unpacked bytes of one file, counted on their way to the parser."""

    def __init__(self, file: IO[bytes], budget: Budget) -> None:
        self.file, self.budget, self.tail = file, budget, b""
        self.checksum, self.newlines, self.since_value, self.since_row = hashlib.sha256(), 0, 0, 0

    def read(self, size: int = -1) -> bytes:
        if size == 0:  # the parser asks whether it gets bytes or text
            return b""
        piece = self.file.read(PIECE)
        self.budget.bytes -= len(piece)
        self.since_value += len(piece)
        if self.budget.bytes < 0:
            raise Refusal("unpacked")
        self.since_row += len(piece)
        if self.since_value > TOKEN or self.since_row > ROW:
            raise Refusal("token")
        # Before the parser sees it: Python refuses to read a number of more than 4300 digits, and the parser fails.
        if DIGITS.search(self.tail + piece):
            raise Refusal("token")
        self.tail = piece[-MOST_DIGITS:]
        self.checksum.update(piece)
        self.newlines += piece.count(b"\n")
        return piece


def scan_file(archive: ZipFile, name: str, budget: Budget) -> tuple[int, str]:
    """The number of rows and the checksum of one file, if every row is within bounds."""
    with archive.open(name) as unpacked:
        source = Counted(unpacked, budget)
        depth = values = 0
        row = 1
        if archive.getinfo(name).file_size == 0:
            return 0, source.checksum.hexdigest()
        for event, value in ijson.basic_parse(source, multiple_values=True, buf_size=PIECE):
            source.since_value = 0
            budget.values -= 1
            values += 1
            if depth == 0 and event != "start_map":
                raise Refusal("row", file=name, line=row)
            if event in ("start_map", "start_array"):
                depth += 1
            elif event in ("end_map", "end_array"):
                depth -= 1
                if depth == 0:
                    budget.rows, values, source.since_row = budget.rows - 1, 0, 0
                    row += 1
            elif (event in ("string", "map_key") and "\0" in value) or (
                event == "number" and (abs(value) > LARGEST_NUMBER or not math.isfinite(float(value)))
            ):
                raise Refusal("row", file=name, line=row)
            if depth > DEPTH or values > MOST_VALUES_A_ROW:
                raise Refusal("row", file=name, line=row)
            if budget.rows < 0 or budget.values < 0:
                raise Refusal("rows", most=MOST_ROWS)
            if budget.values % EVERY == 0:
                budget.look()
        while source.read():
            pass
        return source.newlines, source.checksum.hexdigest()


def scan(content: bytes, files: dict[str, Any], say: Callable[[int], None]) -> int:
    """Read every file that the manifest names; returns the number of rows."""
    archive = check_envelope(content)
    budget = Budget(time.monotonic() + SECONDS, say=say)
    for name, told in files.items():
        try:
            rows, checksum = scan_file(archive, name, budget)
        except (BadZipFile, EOFError, zlib.error, NotImplementedError, RuntimeError, OSError, KeyError):
            raise Refusal("damaged") from None
        except (ijson.JSONError, UnicodeDecodeError, ValueError, OverflowError):
            raise Refusal("damaged") from None
        if (rows, checksum) != (told["rows"], told["sha256"]):
            raise Refusal("damaged")
        budget.look()
    return MOST_ROWS - budget.rows


def limit_memory() -> None:
    try:
        import resource
    except ImportError:  # not on Windows: the other budgets hold there
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    seconds = int(SECONDS) + 10
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


def main() -> None:
    limit_memory()

    def say(**words: Any) -> None:
        sys.stdout.write(json.dumps(words) + "\n")
        sys.stdout.flush()

    try:
        length = struct.unpack("<I", sys.stdin.buffer.read(4))[0]
        files = json.loads(sys.stdin.buffer.read(length))
        content = sys.stdin.buffer.read(LARGEST + 1)
        say(rows=scan(content, files, lambda rows: say(read=rows)))
    except Refusal as refusal:
        say(refused=refusal.code, numbers=refusal.numbers)
    except MemoryError:
        say(refused="memory", numbers={})


if __name__ == "__main__":
    main()

"""Reads a spreadsheet as text, from any program: lines with their numbers, or a clear refusal."""

import codecs
import csv
import io
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import get_language, gettext, ngettext

from accounts.infra.errors import Refused
from leagues.import_export.columns import CODES, NAMES, fold

LARGEST = 1024 * 1024
MAX_ROWS = 5000
DELIMITERS = ",;\t|"
SHOWN = 60

# Signs that start a formula in a spreadsheet. Our exports put an apostrophe before them.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
# Signs that change the direction of text: a name could look like another one.
TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@dataclass(frozen=True)
class Problem:
    """A problem at one place of the file; `column` and `text` are as the file has them."""

    line: int
    column: str
    text: str
    reason: str


@dataclass(frozen=True)
class Line:
    """One row below the header, by column. `number` is the line at which it begins."""

    number: int
    cells: dict[str, str]

    def __getitem__(self, column: str) -> str:
        return self.cells.get(column, "")


@dataclass(frozen=True)
class Sheet:
    """The rows of a file. `titles` has the file's own column names; `problems` are those of reading alone."""

    lines: tuple[Line, ...]
    titles: dict[str, str]
    problems: tuple[Problem, ...]
    warnings: tuple[Problem, ...]

    def problem(self, line: Line, column: str, reason: str) -> Problem:
        return Problem(line.number, self.titles.get(column, column), printable(line[column]), reason)


def printable(text: str) -> str:
    """Shortened, and without characters that would change or break the line it is shown in."""
    cleaned = "".join(" " if unicodedata.category(letter) == "Cc" or letter in TURNING else letter for letter in text)
    return cleaned if len(cleaned) <= SHOWN else f"{cleaned[: SHOWN - 1]}…"


def read(content: bytes, wanted: Sequence[str], *, max_rows: int = MAX_ROWS) -> Sheet:
    """Read the rows of a file that has a header with some of the wanted columns."""
    if len(content) > LARGEST:
        raise Refused(gettext("The file is larger than 1 MB: split it."))
    if content.startswith(b"PK\x03\x04"):
        raise Refused(gettext("This is a workbook or an archive, not a text file: save it as CSV first."))
    rows = _rows(decode(content))
    try:
        line, header = next(rows)
    except StopIteration:
        raise Refused(gettext("The file is empty.")) from None
    titles, warnings = _header(line, header, wanted)
    columns = {at: code for code, (at, _title) in titles.items()}
    lines: list[Line] = []
    problems: list[Problem] = []
    for number, cells in rows:
        if len(lines) + len(problems) >= max_rows:
            limit = ngettext("at most %(count)s row", "at most %(count)s rows", max_rows) % {"count": max_rows}
            raise Refused(gettext("The file is too long: %(limit)s.") % {"limit": limit})
        fault = _fault(number, cells, header)
        if fault:
            problems.append(fault)
        else:
            lines.append(Line(number, {columns[at]: _cell(cell) for at, cell in enumerate(cells) if at in columns}))
    if not lines and not problems:
        raise Refused(gettext("The file has a header and no rows."))
    names = {code: title for code, (_at, title) in titles.items()}
    return Sheet(tuple(lines), names, tuple(problems), tuple(warnings))


def decode(content: bytes) -> str:
    """Decode UTF-8 with or without its mark, UTF-16, or an old code page of Windows."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    elif b"\0" in content[:200]:
        encoding = "utf-16-be" if content[:1] == b"\0" else "utf-16-le"
    else:
        encoding = "utf-8-sig"
    # Polish and Italian letters are in different old code pages.
    old = "cp1250" if get_language() == "pl" else "cp1252"
    for each in (encoding, old):
        try:
            return content.decode(each)
        except UnicodeDecodeError:
            continue
    raise Refused(gettext("The letters of this file cannot be read: save it as CSV in UTF-8."))


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """Every row that is not empty, with the line at which it begins."""
    first = text.lstrip("\r\n").split("\n", 1)[0]
    first_line = first.strip()
    # Excel writes the separator into a first line of its own.
    delimiter = first_line[4] if len(first_line) == 5 and first_line.lower().startswith("sep=") else _delimiter(first)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    begins = 1
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error:
            message = gettext("Line %(line)s cannot be read: a quotation mark is open, or stands where none can.")
            raise Refused(message % {"line": begins}) from None
        at, begins = begins, reader.line_num + 1
        if any(cell.strip() for cell in cells) and not ",".join(cells).lower().startswith("sep="):
            yield at, cells


def _delimiter(header: str) -> str:
    """The separator that splits the header into most cells, ignoring text in quotation marks."""
    bare = "".join(header.split('"')[::2])
    return max(DELIMITERS, key=bare.count)


def _header(
    line: int, header: Sequence[str], wanted: Sequence[str]
) -> tuple[dict[str, tuple[int, str]], list[Problem]]:
    columns: dict[str, tuple[int, str]] = {}
    warnings: list[Problem] = []
    for at, title in enumerate(header):
        code = CODES.get(fold(title))
        if code is None or code not in wanted:
            if title.strip():
                warnings.append(Problem(line, printable(title), "", gettext("This column is not used.")))
        elif code in columns:
            message = gettext("The columns “%(one)s” and “%(other)s” mean the same: keep one of them.")
            raise Refused(message % {"one": printable(columns[code][1]), "other": printable(title)})
        else:
            columns[code] = (at, printable(title))
    if not columns:
        names = ", ".join(NAMES[code][0] for code in wanted)
        message = gettext("The first line has no known column. It should have some of: %(columns)s.")
        raise Refused(message % {"columns": names})
    return columns, warnings


def _fault(number: int, cells: Sequence[str], header: Sequence[str]) -> Problem | None:
    if any(cell.strip() for cell in cells[len(header) :]):
        message = gettext("The line has %(count)s cells, the header %(columns)s.")
        return Problem(number, "", printable(cells[-1]), message % {"count": len(cells), "columns": len(header)})
    for title, cell in zip(header, cells):
        if any((unicodedata.category(c) == "Cc" and c not in "\t\r\n") or c in TURNING for c in cell):
            return Problem(
                number, printable(title), printable(cell), gettext("This cell contains a control character.")
            )
    return None


def _cell(text: str) -> str:
    """Without spaces around it, and without the apostrophe that keeps a spreadsheet from computing it."""
    cleaned = " ".join(text.split())
    return cleaned[1:] if cleaned.startswith("'") and cleaned[1:].startswith(FORMULA) else cleaned

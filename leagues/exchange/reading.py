"""A spreadsheet as text, whatever program wrote it: lines with their numbers, or one clear refusal."""

import codecs
import csv
import io
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import get_language, gettext, ngettext

from accounts.errors import Refused
from leagues.exchange.columns import CODES, NAMES, fold

LARGEST = 1024 * 1024
MOST_ROWS = 5000
DELIMITERS = ",;\t|"
SHOWN = 60

# What a spreadsheet takes for the beginning of a formula, and our own exports lead by an apostrophe.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
# They turn the text around them: a name could pass for another one.
TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@dataclass(frozen=True)
class Problem:
    """What is wrong in one place of the file, in words; `column` and `text` are as the file has them."""

    line: int
    column: str
    text: str
    reason: str


@dataclass(frozen=True)
class Line:
    """One row under the header, by column. `number` is where it begins in the file."""

    number: int
    cells: dict[str, str]

    def __getitem__(self, column: str) -> str:
        return self.cells.get(column, "")


@dataclass(frozen=True)
class Sheet:
    """What was read. `titles` tells what the file calls each column; `problems` are those of reading alone."""

    lines: tuple[Line, ...]
    titles: dict[str, str]
    problems: tuple[Problem, ...]
    warnings: tuple[Problem, ...]

    def problem(self, line: Line, column: str, reason: str) -> Problem:
        return Problem(line.number, self.titles.get(column, column), shown(line[column]), reason)


def shown(text: str) -> str:
    """Short, and without what would turn or break the line it is shown in."""
    tidy = "".join(" " if unicodedata.category(letter) == "Cc" or letter in TURNING else letter for letter in text)
    return tidy if len(tidy) <= SHOWN else f"{tidy[: SHOWN - 1]}…"


def read(content: bytes, wanted: Sequence[str], *, most: int = MOST_ROWS) -> Sheet:
    """The rows of a file that has a header with (some of) the columns that are wanted."""
    if len(content) > LARGEST:
        raise Refused(gettext("The file is larger than 1 MB: split it."))
    if content.startswith(b"PK\x03\x04"):
        raise Refused(gettext("This is a workbook or an archive, not a text file: save it as CSV first."))
    rows = _rows(decoded(content))
    try:
        line, header = next(rows)
    except StopIteration:
        raise Refused(gettext("The file is empty.")) from None
    titles, warnings = _header(line, header, wanted)
    columns = {at: code for code, (at, _title) in titles.items()}
    lines: list[Line] = []
    problems: list[Problem] = []
    for number, cells in rows:
        if len(lines) + len(problems) >= most:
            limit = ngettext("at most %(count)s row", "at most %(count)s rows", most) % {"count": most}
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


def decoded(content: bytes) -> str:
    """UTF-8 with or without its mark, UTF-16, or what spreadsheets of this part of the world wrote before."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    elif b"\0" in content[:200]:
        encoding = "utf-16-be" if content[:1] == b"\0" else "utf-16-le"
    else:
        encoding = "utf-8-sig"
    # Polish letters are in another of the old code pages than Italian ones.
    old = "cp1250" if get_language() == "pl" else "cp1252"
    for each in (encoding, old):
        try:
            return content.decode(each)
        except UnicodeDecodeError:
            continue
    raise Refused(gettext("The letters of this file cannot be read: save it as CSV in UTF-8."))


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """Every row that is not empty, with the line it begins at."""
    first = text.lstrip("\r\n").split("\n", 1)[0]
    said = first.strip()
    # Excel leaves a note for itself.
    delimiter = said[4] if len(said) == 5 and said.lower().startswith("sep=") else _delimiter(first)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    begins = 1
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error:
            words = gettext("Line %(line)s cannot be read: a quotation mark is open, or stands where none can.")
            raise Refused(words % {"line": begins}) from None
        at, begins = begins, reader.line_num + 1
        if any(cell.strip() for cell in cells) and not ",".join(cells).lower().startswith("sep="):
            yield at, cells


def _delimiter(header: str) -> str:
    """The one that parts most of the header; what stands in quotation marks does not count."""
    bare = "".join(header.split('"')[::2])
    return max(DELIMITERS, key=bare.count)


def _header(
    line: int, header: Sequence[str], wanted: Sequence[str]
) -> tuple[dict[str, tuple[int, str]], list[Problem]]:
    found: dict[str, tuple[int, str]] = {}
    warnings: list[Problem] = []
    for at, title in enumerate(header):
        code = CODES.get(fold(title))
        if code is None or code not in wanted:
            if title.strip():
                warnings.append(Problem(line, shown(title), "", gettext("This column is not used.")))
        elif code in found:
            words = gettext("The columns “%(one)s” and “%(other)s” mean the same: keep one of them.")
            raise Refused(words % {"one": shown(found[code][1]), "other": shown(title)})
        else:
            found[code] = (at, shown(title))
    if not found:
        known = ", ".join(NAMES[code][0] for code in wanted)
        words = gettext("The first line names no column that is known. It should have some of: %(columns)s.")
        raise Refused(words % {"columns": known})
    return found, warnings


def _fault(number: int, cells: Sequence[str], header: Sequence[str]) -> Problem | None:
    if any(cell.strip() for cell in cells[len(header) :]):
        words = gettext("The line has %(count)s cells, the header %(columns)s.")
        return Problem(number, "", shown(cells[-1]), words % {"count": len(cells), "columns": len(header)})
    for title, cell in zip(header, cells):
        if any((unicodedata.category(c) == "Cc" and c not in "\t\r\n") or c in TURNING for c in cell):
            return Problem(number, shown(title), shown(cell), gettext("There is a control character in it."))
    return None


def _cell(text: str) -> str:
    """Without the space around it, and without the apostrophe that keeps a spreadsheet from computing it."""
    tidy = " ".join(text.split())
    return tidy[1:] if tidy.startswith("'") and tidy[1:].startswith(FORMULA) else tidy

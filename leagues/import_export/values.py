"""Past results that were read from a spreadsheet and are not written yet."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from leagues.import_export.name_matching import normalize_name
from leagues.import_export.spreadsheet import Line, Problem


def fingerprint_of(what: Any, problems: Sequence[Problem]) -> str:
    """A fingerprint of what the organiser saw, in any language. Importing anything else is refused."""
    content = [what, [[each.line, each.column, each.text] for each in problems]]
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class NamedPerson:
    """A person named in a line: an entrant, a member, a known guest, or a new guest."""

    kind: str
    name: str
    user: int | None = None
    entrant: int | None = None
    line: int = 0

    @property
    def key(self) -> str:
        return f"user {self.user}" if self.user else f"name {normalize_name(self.name)}"


@dataclass(frozen=True)
class SeatRow:
    line: int
    who: str
    role: str
    absent: bool
    place: dict[str, Any]


@dataclass(frozen=True)
class TableRow:
    """One table with its seats in order. `at` is when it was played."""

    division: int
    round: int
    table: int
    at: str
    seats: tuple[SeatRow, ...]
    grade: tuple[int, ...] = ()

    @property
    def finished_at(self) -> datetime:
        return datetime.fromisoformat(self.at)


@dataclass(frozen=True)
class ByeRow:
    division: int
    round: int
    who: str
    kind: str
    line: int


@dataclass(frozen=True)
class Plan:
    """All that the file would do. `faults` prevent the import even of the good rows."""

    people: dict[int, dict[str, NamedPerson]]
    tables: tuple[TableRow, ...]
    rests: tuple[ByeRow, ...]
    problems: tuple[Problem, ...]
    warnings: tuple[Problem, ...]
    faults: tuple[str, ...]
    # Correct lines at tables with other lines that are not.
    left_out: int

    @property
    def seal(self) -> str:
        people = {str(division): [asdict(who) for who in known.values()] for division, known in self.people.items()}
        tables = [asdict(each) for each in self.tables] + [asdict(each) for each in self.rests]
        return fingerprint_of([people, tables, len(self.faults)], self.problems)

    @property
    def is_empty(self) -> bool:
        return not self.tables or bool(self.faults)

    @property
    def rounds(self) -> int:
        return len({(table.division, table.round) for table in self.tables})

    @property
    def guests(self) -> list[NamedPerson]:
        return [who for known in self.people.values() for who in known.values() if who.kind == "guest"]

    @property
    def others(self) -> list[NamedPerson]:
        return [who for known in self.people.values() for who in known.values() if who.kind in ("member", "known")]


@dataclass(frozen=True)
class Cell:
    """The values of one correct line."""

    line: Line
    division: int
    round: int
    table: int
    at: datetime | None
    who: NamedPerson
    kind: str
    seat: int | None
    place: int | None
    score: int | None
    role: str

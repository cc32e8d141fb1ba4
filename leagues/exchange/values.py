"""Past results on their way in: what a spreadsheet said, before anything of it is written."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from leagues.exchange.people import same
from leagues.exchange.reading import Line, Problem


def sealed(what: Any, problems: Sequence[Problem]) -> str:
    """What the organiser has seen, in short, in whatever language: importing something else than that is refused."""
    told = [what, [[each.line, each.column, each.text] for each in problems]]
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Who:
    """Somebody a line names: entered already, a member, a guest known here, or a guest to be written down."""

    kind: str
    name: str
    user: int | None = None
    entrant: int | None = None
    line: int = 0

    @property
    def key(self) -> str:
        return f"user {self.user}" if self.user else f"name {same(self.name)}"


@dataclass(frozen=True)
class Sitting:
    line: int
    who: str
    role: str
    absent: bool
    place: dict[str, Any]


@dataclass(frozen=True)
class Played:
    """One table, its seats in order. `at` is when it was played."""

    division: int
    round: int
    table: int
    at: str
    seats: tuple[Sitting, ...]
    grade: tuple[int, ...] = ()

    @property
    def finished_at(self) -> datetime:
        return datetime.fromisoformat(self.at)


@dataclass(frozen=True)
class Rest:
    division: int
    round: int
    who: str
    kind: str
    line: int


@dataclass(frozen=True)
class Plan:
    """All that the file would do. `faults` keep even the good rows from being imported."""

    people: dict[int, dict[str, Who]]
    tables: tuple[Played, ...]
    rests: tuple[Rest, ...]
    problems: tuple[Problem, ...]
    warnings: tuple[Problem, ...]
    faults: tuple[str, ...]
    # Lines that are right themselves, at tables that are not.
    left_out: int

    @property
    def seal(self) -> str:
        people = {str(division): [asdict(who) for who in known.values()] for division, known in self.people.items()}
        tables = [asdict(each) for each in self.tables] + [asdict(each) for each in self.rests]
        return sealed([people, tables, len(self.faults)], self.problems)

    @property
    def is_empty(self) -> bool:
        return not self.tables or bool(self.faults)

    @property
    def rounds(self) -> int:
        return len({(table.division, table.round) for table in self.tables})

    @property
    def guests(self) -> list[Who]:
        return [who for known in self.people.values() for who in known.values() if who.kind == "guest"]

    @property
    def others(self) -> list[Who]:
        return [who for known in self.people.values() for who in known.values() if who.kind in ("member", "known")]


@dataclass(frozen=True)
class Cell:
    """One line, read: what is right in it."""

    line: Line
    division: int
    round: int
    table: int
    at: datetime | None
    who: Who
    kind: str
    seat: int | None
    place: int | None
    score: int | None
    role: str

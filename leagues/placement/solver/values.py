"""A placement problem and its solution as plain values: moments are whole minutes, everything else is a number.

`to_json` and the `*_from_json` functions store them, so that a plan can be read and solved again.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Slot:
    """A part of a night. `boards` are the numbers of the usable ones, whether or not a fixed table has them."""

    id: int
    night: int
    starts: int
    ends: int
    boards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """The people at it. A person's tables of one `line` are best played in the order of their rounds.

    `earliest` and `latest` are the window of its round: it begins at `earliest` or later and ends by `latest`.
    """

    id: int
    people: tuple[int, ...]
    line: int = 0
    round: int = 0
    earliest: int | None = None
    latest: int | None = None


@dataclass(frozen=True, slots=True)
class Placed:
    table: int
    slot: int
    board: int


@dataclass(frozen=True, slots=True)
class Absence:
    """A person who cannot play in a slot: they said so, or (`busy`) they play elsewhere then."""

    person: int
    slot: int
    busy: bool = False


@dataclass(frozen=True, slots=True)
class Problem:
    """`fixed` tables stay where they are; `now` is where the others are before solving."""

    slots: tuple[Slot, ...]
    tables: tuple[Table, ...]
    absences: tuple[Absence, ...] = ()
    fixed: tuple[Placed, ...] = ()
    # Fixed tables that an organiser could unlock.
    unlockable: tuple[int, ...] = ()
    now: tuple[Placed, ...] = ()
    # How many tables a person plays on one night at most; None: as many as there are slots.
    a_night: int | None = None
    # Late slots that people have already had, as (person, count).
    late: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Reason:
    """A code of `reason_templates` and its parameters: ids of people, nights, slots and tables."""

    code: str
    params: tuple[tuple[str, int], ...] = ()

    def __getitem__(self, name: str) -> int:
        return dict(self.params)[name]


def reason(code: str, **params: int) -> Reason:
    return Reason(code, tuple(params.items()))


@dataclass(frozen=True, slots=True)
class Unplaced:
    """A table without a slot: why, and the smallest single change found to help."""

    table: int
    why: Reason
    change: Reason | None = None


@dataclass(frozen=True, slots=True)
class Measure:
    """The goals a plan is judged by, in this order."""

    placed: int
    out_of_order: int
    waiting: int
    """Minutes that people wait between two tables of a night, in total."""
    lateness: int
    """For each person 1 for the first late slot, 2 for the second and so on: lowest when spread evenly."""
    moved: int


GOALS = ("placed", "out_of_order", "waiting", "lateness", "moved")


@dataclass(frozen=True, slots=True)
class Solution:
    """`proven` names the goals that cannot be better, given the earlier ones."""

    placed: tuple[Placed, ...]
    unplaced: tuple[Unplaced, ...]
    measure: Measure
    proven: tuple[str, ...]
    # The fewest and the most late slots of any person.
    late: tuple[int, int] = (0, 0)
    # What ended the search: "" it was complete, "work" its work limit, "clock" the time limit.
    stopped: str = ""

    @property
    def is_optimal(self) -> bool:
        return self.proven == GOALS


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a search is: its current goal, the share of its work spent, the best plan so far."""

    goal: str
    share: float
    measure: Measure


def to_json(value: Problem | Solution | Progress) -> dict[str, Any]:
    return asdict(value)


def problem_from_json(data: Mapping[str, Any]) -> Problem:
    return Problem(
        slots=tuple(Slot(**each | {"boards": tuple(each["boards"])}) for each in data["slots"]),
        tables=tuple(Table(**each | {"people": tuple(each["people"])}) for each in data["tables"]),
        absences=tuple(Absence(**each) for each in data["absences"]),
        fixed=tuple(Placed(**each) for each in data["fixed"]),
        unlockable=tuple(data["unlockable"]),
        now=tuple(Placed(**each) for each in data["now"]),
        a_night=data["a_night"],
        late=tuple((person, count) for person, count in data["late"]),
    )


def solution_from_json(data: Mapping[str, Any]) -> Solution:
    return Solution(
        placed=tuple(Placed(**each) for each in data["placed"]),
        unplaced=tuple(
            Unplaced(
                each["table"], _reason_from_json(each["why"]), each["change"] and _reason_from_json(each["change"])
            )
            for each in data["unplaced"]
        ),
        measure=Measure(**data["measure"]),
        proven=tuple(data["proven"]),
        late=(data["late"][0], data["late"][1]),
        stopped=data["stopped"],
    )


def _reason_from_json(data: Mapping[str, Any]) -> Reason:
    return Reason(data["code"], tuple((name, value) for name, value in data["params"]))

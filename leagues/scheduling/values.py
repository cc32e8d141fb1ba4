"""What is to be placed, and how it was placed. Plain values: moments are whole minutes, everything is a number.

All of it goes to JSON and back with `told` and `heard`, so that a plan can be kept, read and worked out again.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Slot:
    """A part of a night. `boards` are the numbers of those that are to be had, taken or not by a fixed table."""

    id: int
    night: int
    starts: int
    ends: int
    boards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Who plays at it. Somebody's tables of one `line` are best played in the order of their rounds.

    `earliest` and `latest` are the window of its round: it begins not before the one and ends not after the other.
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
    """Somebody who is not to be had in a slot: they said so, or (`busy`) they play elsewhere then."""

    person: int
    slot: int
    busy: bool = False


@dataclass(frozen=True, slots=True)
class Problem:
    """`fixed` tables stay where they are, whatever else holds; `now` is where others stand before it is worked out."""

    slots: tuple[Slot, ...]
    tables: tuple[Table, ...]
    absences: tuple[Absence, ...] = ()
    fixed: tuple[Placed, ...] = ()
    # Those of the fixed tables that somebody could let loose.
    unlockable: tuple[int, ...] = ()
    now: tuple[Placed, ...] = ()
    # How many tables somebody plays on one night at most; None: as many as its slots.
    a_night: int | None = None
    # Late slots that people have had already, as (person, how many).
    late: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Reason:
    """A code of `leagues.scheduling.wording` and what its sentence needs: numbers of people, nights, slots, tables."""

    code: str
    params: tuple[tuple[str, int], ...] = ()

    def __getitem__(self, name: str) -> int:
        return dict(self.params)[name]


def reason(code: str, **params: int) -> Reason:
    return Reason(code, tuple(params.items()))


@dataclass(frozen=True, slots=True)
class Unplaced:
    """A table without a slot: why, and the smallest single change that was found to help."""

    table: int
    why: Reason
    change: Reason | None = None


@dataclass(frozen=True, slots=True)
class Measure:
    """What a plan is judged by, in this order."""

    placed: int
    out_of_order: int
    waiting: int
    """Minutes that people sit about between two tables of a night, all together."""
    lateness: int
    """For each person 1 for the first late slot, 2 for the second and so on: least when they are spread evenly."""
    moved: int


GOALS = ("placed", "out_of_order", "waiting", "lateness", "moved")


@dataclass(frozen=True, slots=True)
class Solution:
    """`proven` names the goals than which nothing better exists, given those before them."""

    placed: tuple[Placed, ...]
    unplaced: tuple[Unplaced, ...]
    measure: Measure
    proven: tuple[str, ...]
    # The fewest and the most late slots that anybody has.
    late: tuple[int, int] = (0, 0)
    # What ended the search: "" it was done, "work" its share of work, "clock" the time on the wall.
    stopped: str = ""

    @property
    def is_optimal(self) -> bool:
        return self.proven == GOALS


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a search is: the goal it works on, the share of its work that is spent, the best found so far."""

    goal: str
    share: float
    measure: Measure


def told(value: Problem | Solution | Progress) -> dict[str, Any]:
    return asdict(value)


def problem_heard(data: Mapping[str, Any]) -> Problem:
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


def solution_heard(data: Mapping[str, Any]) -> Solution:
    return Solution(
        placed=tuple(Placed(**each) for each in data["placed"]),
        unplaced=tuple(
            Unplaced(each["table"], _reason_heard(each["why"]), each["change"] and _reason_heard(each["change"]))
            for each in data["unplaced"]
        ),
        measure=Measure(**data["measure"]),
        proven=tuple(data["proven"]),
        late=(data["late"][0], data["late"][1]),
        stopped=data["stopped"],
    )


def _reason_heard(data: Mapping[str, Any]) -> Reason:
    return Reason(data["code"], tuple((name, value) for name, value in data["params"]))

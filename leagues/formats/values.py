"""The values that every format takes and returns. They are frozen, and check themselves when created."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from leagues.formats.errors import FormatError
from leagues.formats.reasons import Reason, reason

POINT = 120
"""One point, in the units all scores are kept in: 1/120 is exact for tables of 2 to 6 however the places are tied."""


class Kind(StrEnum):
    """What kind of round an entrant had. The unplayed kinds differ in tie-breaks and are never merged."""

    PLAYED = "played"
    PAB = "allocated bye"
    FPB = "full-point bye"
    HPB = "half-point bye"
    ZPB = "zero-point bye"
    FW = "forfeit win"
    FL = "forfeit loss"
    NP = "not yet entered"
    WD = "withdrawn"


REQUESTABLE = frozenset({Kind.FPB, Kind.HPB, Kind.ZPB})


class TableState(StrEnum):
    SCHEDULED = "scheduled"
    PLAYING = "playing"
    REPORTED = "reported"
    CONFIRMED = "confirmed"
    DISPUTED = "disputed"
    VOID = "void"


class Ranking(StrEnum):
    """How a stage is ranked: by points and tie-breaks, by marks on equal deals, by progress in a bracket or in heats,
    by the place on a ladder, by an arena's points, or by the format's own function."""

    STANDINGS = "standings"
    MARKS = "marks"
    BRACKET = "bracket"
    HEATS = "heats"
    LADDER = "ladder"
    ARENA = "arena"
    OWN = "own"


class Step(StrEnum):
    """Joining, leaving and returning; each takes effect from the start of a round."""

    ENTER = "enter"
    LEAVE = "leave"
    RETURN = "return"


# A code for each, because whole sentences can be translated, but words inserted into a sentence cannot.
STEP_ERRORS = {
    Step.ENTER: "error.steps.enter",
    Step.LEAVE: "error.steps.leave",
    Step.RETURN: "error.steps.return",
}


@dataclass(frozen=True, slots=True)
class Entrant:
    """A person, bot or team. Seed 1 is the strongest; `steps` and `requests` are (round, ...) in order of round.

    No steps means entered from round 1.
    """

    id: int
    seed: int
    rating: int | None = None
    steps: tuple[tuple[int, Step], ...] = ()
    requests: tuple[tuple[int, Kind], ...] = ()

    def __post_init__(self) -> None:
        here, last = False, 0
        for turn, (at, step) in enumerate(self.steps):
            expected = Step.ENTER if turn == 0 else Step.LEAVE if here else Step.RETURN
            if step is not expected or at < last:
                raise FormatError(STEP_ERRORS[step], entrant=self.id, round=at)
            here, last = step is not Step.LEAVE, at
        if any(kind not in REQUESTABLE for _, kind in self.requests):
            raise FormatError("error.request", entrant=self.id)

    def absence(self, number: int) -> Kind | None:
        """Why this entrant is not in the draw of round `number`; None if they are."""
        if not self.steps and not self.requests:
            return None
        state: Kind | None = Kind.NP if self.steps else None
        for at, step in self.steps:
            if at > number:
                break
            state = Kind.WD if step is Step.LEAVE else None
        return state if state is not None else dict(self.requests).get(number)


@dataclass(frozen=True, slots=True)
class Seat:
    entrant: int
    number: int
    role: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """How one seat ended: ranks start at 1 and ties share; `score` is the game's own, if it has one."""

    rank: int
    score: int | None = None
    kind: Kind = Kind.PLAYED


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a round. `places` follow `seats`, and stay empty until somebody reports."""

    number: int
    seats: tuple[Seat, ...]
    reason: Reason | None = None
    state: TableState = TableState.SCHEDULED
    places: tuple[Place, ...] = ()
    deal: str = ""

    def __post_init__(self) -> None:
        if len({seat.entrant for seat in self.seats}) != len(self.seats):
            raise FormatError("error.twice-at-table", table=self.number)
        if len({seat.number for seat in self.seats}) != len(self.seats):
            raise FormatError("error.seat-twice", table=self.number)
        if self.places and len(self.places) != len(self.seats):
            raise FormatError("error.places", table=self.number, places=len(self.places), seats=len(self.seats))
        if self.state is TableState.CONFIRMED and not self.places:
            raise FormatError("error.confirmed-empty", table=self.number)
        for place in self.places:
            if place.rank < 1:
                raise FormatError("error.place", table=self.number, rank=place.rank)
            if place.kind not in (Kind.PLAYED, Kind.FW, Kind.FL):
                raise FormatError("error.place-kind", table=self.number)

    @property
    def entrants(self) -> tuple[int, ...]:
        return tuple(seat.entrant for seat in self.seats)

    @property
    def counts(self) -> bool:
        return self.state is TableState.CONFIRMED


@dataclass(frozen=True, slots=True)
class Bye:
    entrant: int
    kind: Kind
    reason: Reason | None = None

    def __post_init__(self) -> None:
        if self.kind is Kind.PLAYED:
            raise FormatError("error.bye", entrant=self.entrant)


@dataclass(frozen=True, slots=True)
class Round:
    number: int
    tables: tuple[Table, ...] = ()
    byes: tuple[Bye, ...] = ()

    def __post_init__(self) -> None:
        seen: set[int] = set()
        for who in self.entrants():
            if who in seen:
                raise FormatError("error.twice-in-round", entrant=who, round=self.number)
            seen.add(who)
        if len({table.number for table in self.tables}) != len(self.tables):
            raise FormatError("error.table-twice", round=self.number)

    def entrants(self) -> Iterator[int]:
        for table in self.tables:
            for seat in table.seats:
                yield seat.entrant
        for bye in self.byes:
            yield bye.entrant


@dataclass(frozen=True, slots=True)
class SeparatedPair:
    """Two who should not share a table before round `until`; with None, in no round."""

    pair: frozenset[int]
    until: int | None = None


@dataclass(frozen=True, slots=True)
class History:
    """An event so far. `planned` is the declared number of rounds; `forbidden` pairs never share a table.

    `apart` are pairs that share one only if no other draw is found.
    """

    seed: str
    entrants: tuple[Entrant, ...]
    rounds: tuple[Round, ...] = ()
    forbidden: frozenset[frozenset[int]] = field(default_factory=frozenset)
    planned: int | None = None
    apart: tuple[SeparatedPair, ...] = ()

    def __post_init__(self) -> None:
        known = {entrant.id for entrant in self.entrants}
        if len(known) != len(self.entrants):
            raise FormatError("error.entrant-twice")
        if len({entrant.seed for entrant in self.entrants}) != len(self.entrants):
            raise FormatError("error.seed-twice")
        numbers = [each.number for each in self.rounds]
        if numbers != list(range(1, len(numbers) + 1)):
            raise FormatError("error.round-order")
        for each in self.rounds:
            stranger = next((who for who in each.entrants() if who not in known), None)
            if stranger is not None:
                raise FormatError("error.stranger", entrant=stranger, round=each.number)

    @property
    def next_round(self) -> int:
        return len(self.rounds) + 1

    def separated_now(self) -> frozenset[frozenset[int]]:
        """The pairs to keep apart in the next round."""
        return frozenset(each.pair for each in self.apart if each.until is None or self.next_round < each.until)

    def present(self) -> tuple[Entrant, ...]:
        """Who is in the draw of the next round, strongest seed first."""
        here = [entrant for entrant in self.entrants if entrant.absence(self.next_round) is None]
        return tuple(sorted(here, key=lambda entrant: entrant.seed))

    def absences(self) -> tuple[Bye, ...]:
        """The byes of those who are not in the draw: requested, withdrawn, not yet entered."""
        rows = []
        for entrant in self.entrants:
            kind = entrant.absence(self.next_round)
            if kind is not None:
                rows.append(Bye(entrant.id, kind, reason(f"bye.{kind.name}", entrant=entrant.id)))
        return tuple(rows)

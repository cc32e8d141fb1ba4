"""What two-seat Swiss remembers of an entrant: which seat is due, and who was drawn up or down lately."""

from dataclasses import dataclass
from enum import IntEnum

from leagues.formats.field import Field
from leagues.formats.values import Kind


class Due(IntEnum):
    """How strongly a seat is due."""

    NONE = 0
    MILD = 1
    STRONG = 2
    ABSOLUTE = 3


@dataclass(frozen=True, slots=True)
class Seating:
    """`wants` is +1 for the first seat, -1 for the second; `gap` is firsts minus seconds so far."""

    wants: int
    due: Due
    gap: int
    last: int


def seating(field: Field, who: int) -> Seating:
    """A gap beyond one is absolute, a gap of one strong; level counts alternate."""
    firsts, seconds = field.company.seats[who].get(1, 0), field.company.seats[who].get(2, 0)
    gap = firsts - seconds
    last = field.company.last_seat.get(who, 0)
    if gap:
        return Seating(-1 if gap > 0 else 1, Due.ABSOLUTE if abs(gap) > 1 else Due.STRONG, gap, last)
    if last:
        return Seating(-1 if last == 1 else 1, Due.MILD, 0, last)
    return Seating(0, Due.NONE, 0, 0)


def clash(one: Seating, other: Seating) -> Due:
    """The preference that goes unmet when these two meet: the weaker of two for the same seat."""
    return min(one.due, other.due) if one.wants == other.wants else Due.NONE


def first_seat(one: Seating, other: Seating, *, even_table: bool) -> bool:
    """Whether `one`, who stands higher, takes the first seat."""
    if one.wants != other.wants:
        return one.wants > other.wants
    if one.wants == 0:
        return not even_table
    stronger = (one.due, abs(one.gap)) >= (other.due, abs(other.gap))
    return (one.wants > 0) == stronger


@dataclass(frozen=True, slots=True)
class Floats:
    """How lately an entrant was drawn down or up: 2 for the last round, 1 for the one before, 0 for neither."""

    down: int = 0
    up: int = 0


NO_FLOATS = Floats()


def floats(field: Field) -> dict[int, Floats]:
    """Everybody's floats of the last two rounds. A bye counts as drawn down: points without an equal opponent."""
    latest = len(field.history.rounds)
    before = {
        number: {who: sum(game.points for game in games if game.round < number) for who, games in field.games.items()}
        for number in range(max(1, latest - 1), latest + 1)
    }
    found: dict[int, Floats] = {}
    for who, games in field.games.items():
        down = up = 0
        for game in games[-2:]:
            age = latest - game.round
            if age > 1:
                continue
            if game.kind in (Kind.PAB, Kind.FW):
                down = max(down, 2 - age)
            elif game.kind is Kind.PLAYED and len(game.others) == 1:
                gap = before[game.round][who] - before[game.round][game.others[0]]
                down = max(down, 2 - age) if gap > 0 else down
                up = max(up, 2 - age) if gap < 0 else up
        if down or up:
            found[who] = Floats(down, up)
    return found

"""What two-seat Swiss knows about an entrant: which seat is due, and whether they were drawn up or down lately."""

from dataclasses import dataclass
from enum import IntEnum

from leagues.formats.score_table import ScoreTable
from leagues.formats.values import Kind


class Due(IntEnum):
    """How strongly a seat is due."""

    NONE = 0
    MILD = 1
    STRONG = 2
    ABSOLUTE = 3


@dataclass(frozen=True, slots=True)
class Seating:
    """`wants` is +1 for the first seat, -1 for the second; `gap` is firsts minus seconds so far.

    `streak` is how many games in a row they had the last seat.
    """

    wants: int
    due: Due
    gap: int
    streak: int

    @property
    def strength(self) -> tuple[Due, int, int]:
        """Decides between two who want the same seat: a gap and a streak together are stronger than either."""
        return self.due, (abs(self.gap) > 1) + (self.streak > 1), abs(self.gap)


def seating(field: ScoreTable, who: int) -> Seating:
    """Absolute with a gap above one or the same seat twice in a row; strong with a gap of one; else seats alternate."""
    firsts, seconds = field.company.seats[who].get(1, 0), field.company.seats[who].get(2, 0)
    gap = firsts - seconds
    last = field.company.last_seat.get(who, 0)
    streak = field.company.seat_streak.get(who, 0)
    other = -1 if last == 1 else 1
    if abs(gap) > 1:
        return Seating(-1 if gap > 0 else 1, Due.ABSOLUTE, gap, streak)
    if streak > 1:
        return Seating(other, Due.ABSOLUTE, gap, streak)
    if gap:
        return Seating(-1 if gap > 0 else 1, Due.STRONG, gap, streak)
    return Seating(other, Due.MILD, 0, streak) if last else Seating(0, Due.NONE, 0, 0)


def clash(one: Seating, other: Seating) -> Due:
    """The preference that is not met if these two play: the weaker of two for the same seat."""
    return min(one.due, other.due) if one.wants == other.wants else Due.NONE


def first_seat(one: Seating, other: Seating, *, even_table: bool) -> bool:
    """Whether `one`, who stands higher, takes the first seat."""
    if one.wants != other.wants:
        return one.wants > other.wants
    if one.wants == 0:
        return not even_table
    return (one.wants > 0) == (one.strength >= other.strength)


@dataclass(frozen=True, slots=True)
class Floats:
    """How lately an entrant was drawn down or up: 2 for the last round, 1 for the one before, 0 for neither."""

    down: int = 0
    up: int = 0


NO_FLOATS = Floats()


def floats(field: ScoreTable) -> dict[int, Floats]:
    """Everybody's floats of the last two rounds. A bye counts as drawn down: points without an equal opponent."""
    latest = len(field.history.rounds)
    # By age of the round: everybody's score before it began.
    before = [
        {
            who: field.scheme.total([game.points for game in games if game.round < latest - age])
            for who, games in field.games.items()
        }
        for age in (0, 1)
    ]
    floats_of: dict[int, Floats] = {}
    for who, games in field.games.items():
        down = up = 0
        for game in games[-2:]:
            age = latest - game.round
            if age > 1:
                continue
            if game.kind in (Kind.PAB, Kind.FW):
                down = max(down, 2 - age)
            elif game.kind is Kind.PLAYED and len(game.others) == 1:
                gap = before[age][who] - before[age][game.others[0]]
                down = max(down, 2 - age) if gap > 0 else down
                up = max(up, 2 - age) if gap < 0 else up
        if down or up:
            floats_of[who] = Floats(down, up)
    return floats_of

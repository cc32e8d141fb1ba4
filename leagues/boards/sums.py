"""A rating change opened to its full sum, ready for a page: who was compared, and what came of it."""

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import engine
from games import options, rated, terms
from leagues.boards.words import plus_minus
from leagues.models import RatingChange, Refold
from leagues.ratings import deviation, read
from leagues.ratings.explain import Explanation, Meeting, Sum
from leagues.ratings.kinds import FIRST_VARIANCE, SCALE, SOLO, Kind

DECIMALS = 3
"""A rating has no more of them; a chance is rounded to as many."""


@dataclass(frozen=True)
class Met:
    """One line of the sum: an opponent, or the scenario (whose line has no change of its own)."""

    change: RatingChange | None
    meeting: Meeting

    @property
    def number(self) -> float:
        return self.meeting.theirs / SCALE

    @property
    def deviation(self) -> float:
        return deviation.deviation(self.meeting.unsure)

    @property
    def plus_minus(self) -> int:
        return plus_minus(self.deviation)

    @property
    def expected(self) -> float:
        return round(self.meeting.expected, DECIMALS)

    @property
    def percent(self) -> int:
        return round(100 * self.meeting.expected)

    @property
    def counts(self) -> float:
        return round(self.meeting.counts, DECIMALS)

    @property
    def points(self) -> float:
        return self.meeting.points / SCALE

    @property
    def why(self) -> str:
        """Why the line counts less than others: the opponent's number is less sure than the player's own."""
        if self.meeting.part >= 1:
            return ""
        return _("new here") if self.meeting.unsure >= FIRST_VARIANCE else _("less sure")


@dataclass(frozen=True)
class Part:
    """One of the numbers that moved: the one that was compared, or that of the other role."""

    label: str
    sum: Sum
    share: int
    expected: float
    actual: float

    @property
    def before(self) -> float:
        return self.sum.before / SCALE

    @property
    def after(self) -> float:
        return self.sum.after / SCALE

    @property
    def moved(self) -> float:
        return self.sum.moved / SCALE


@dataclass(frozen=True)
class Seat:
    """One seat of a table with roles, and the number it brought."""

    change: RatingChange
    role: str

    @property
    def number(self) -> float:
        return (self.change.before + self.change.role_before) / SCALE

    @property
    def plus_minus(self) -> int:
        """Of the number that was compared, on that day."""
        return plus_minus(deviation.deviation(read.seated(self.change).unsure))


@dataclass(frozen=True)
class Opened:
    """All that the page says about one change."""

    change: RatingChange
    table: list[RatingChange]
    # None where an earlier method made the change: its sums are not made again.
    explained: Explanation | None
    parts: list[Part]
    met: list[Met]

    @property
    def _told(self) -> Explanation:
        assert self.explained is not None
        return self.explained

    @property
    def kind(self) -> str:
        return self._told.kind.value

    @property
    def plus_minus_left(self) -> int:
        """After the game before."""
        return plus_minus(self.change.deviation_left)

    @property
    def plus_minus_before(self) -> int:
        return plus_minus(self.change.deviation_before)

    @property
    def plus_minus_after(self) -> int:
        return plus_minus(self.change.deviation_after)

    @property
    def is_idle(self) -> bool:
        """Whether days without a game have made the number less sure."""
        return self.plus_minus_before != self.plus_minus_left

    @property
    def mine(self) -> float:
        return self._told.mine / SCALE

    @property
    def theirs(self) -> float:
        return self._told.theirs / SCALE

    @property
    def offset(self) -> float:
        return self.change.offset / SCALE

    @property
    def for_me(self) -> float:
        """The offset as it counted for this side: it is written for the one who plays alone."""
        return self.offset if self._told.me.is_solo else -self.offset

    @property
    def percent(self) -> int:
        return round(100 * self._told.expected)

    @property
    def team_size(self) -> int:
        """How many share a change."""
        return len(self._told.mates) + 1

    @property
    def seats(self) -> list[Seat]:
        words = terms.of_game(self.change.pool.game)
        return [Seat(seat, words.get(seat.role, seat.role)) for seat in self.table]

    @property
    def role(self) -> str:
        return terms.of_game(self.change.pool.game).get(self.change.role, self.change.role)

    @property
    def scenario(self) -> str:
        return scenario_words(self.change.pool.game, self.change.result.scenario)

    @property
    def is_superseded(self) -> bool:
        return self.change.superseded_by_id is not None


def opened(change: RatingChange) -> Opened:
    table = read.table_of(change)
    if not change.is_of_this_method:
        return Opened(change, table, None, [], [])
    explained = read.explanation(change, table)
    return Opened(change, table, explained, _parts(change, explained), _met(change, table, explained))


def _parts(change: RatingChange, explained: Explanation) -> list[Part]:
    sides = explained.kind is not Kind.FREE_FOR_ALL
    lines = len(explained.meetings) if sides else 1
    told = (
        len(explained.mates) + 1 if sides else 1,
        sum(line.expected for line in explained.meetings) / lines,
        sum(line.actual for line in explained.meetings) / lines,
    )
    if explained.other is None:
        return [Part(_("Rating"), explained.rating, *told)]
    words = terms.of_game(change.pool.game)
    other = next(role for role in engine.game(change.pool.game).roles(2) if role != change.role)
    label = _("As %(role)s")
    return [
        Part(label % {"role": words.get(change.role, change.role)}, explained.rating, *told),
        Part(label % {"role": words.get(other, other)}, explained.other, *told),
    ]


def _met(change: RatingChange, table: list[RatingChange], explained: Explanation) -> list[Met]:
    """The lines with whoever they are about, in the order of the seats: a house bot may sit in several."""
    if explained.kind is Kind.COOPERATIVE:
        return [Met(None, meeting) for meeting in explained.meetings]
    others = [seat for seat in table if seat.seat != change.seat]
    if explained.kind is Kind.ONE_VS_MANY:
        others = [seat for seat in others if (seat.role == SOLO) != (change.role == SOLO)]
    return [Met(seat, meeting) for seat, meeting in zip(others, explained.meetings, strict=True)]


def method_changed_at(pool_id: int) -> datetime | None:
    """When the method changed that a pool's ratings are computed by; None where it never did."""
    changed = Refold.objects.filter(pool=pool_id, method__isnull=False)
    return changed.order_by("-at").values_list("at", flat=True).first()


def scenario_words(game: str, scenario: str) -> str:
    """A scenario by the name it has where a table is opened, without what the name says about it."""
    words = options.KNOWN.get(game, {}).get(rated.SCENARIOS.get(game, ""))
    return str(words.choices.get(scenario, scenario)).partition(":")[0] if words else scenario


def size_words(players: int) -> str:
    return ngettext("%(players)s player", "%(players)s players", players) % {"players": players}

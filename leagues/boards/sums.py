"""A rating change opened to its full sum, ready for a page: who was compared, and what came of it."""

from dataclasses import dataclass
from math import exp

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import options, rated, terms
from leagues.models import RatingChange
from leagues.ratings import read
from leagues.ratings.explain import Explanation, Meeting, Sum
from leagues.ratings.kinds import SCALE, Kind

K_OF = {Kind.FREE_FOR_ALL: 32, Kind.ONE_VS_MANY: 16, Kind.COOPERATIVE: 32}
DECIMALS = 3
"""A rating has no more of them; a chance is rounded to as many."""


@dataclass(frozen=True)
class Met:
    """One opponent of a free-for-all table."""

    change: RatingChange
    meeting: Meeting

    @property
    def number(self) -> float:
        return self.meeting.theirs / SCALE

    @property
    def expected(self) -> float:
        return round(self.meeting.expected, DECIMALS)

    @property
    def difference(self) -> float:
        """Between the two numbers that stand beside it."""
        return self.meeting.actual - self.expected


@dataclass(frozen=True)
class Part:
    """One of the numbers that moved: the rating, or what the role adds to it."""

    label: str
    sum: Sum
    k_base: int
    games: int

    @property
    def before(self) -> float:
        return self.sum.before / SCALE

    @property
    def after(self) -> float:
        return self.sum.after / SCALE

    @property
    def moved(self) -> float:
        return self.sum.moved / SCALE

    @property
    def newcomer(self) -> float:
        """How many times the base a newcomer's K still is."""
        return 1 + 3 * exp(-self.games / 10)


@dataclass(frozen=True)
class Seat:
    """One seat of a table with roles, and the number it brought."""

    change: RatingChange
    role: str

    @property
    def number(self) -> float:
        return (self.change.before + self.change.role_before) / SCALE


@dataclass(frozen=True)
class Opened:
    """All that the page says about one change."""

    change: RatingChange
    table: list[RatingChange]
    explained: Explanation
    parts: list[Part]
    met: list[Met]

    @property
    def kind(self) -> str:
        return self.explained.kind.value

    @property
    def mine(self) -> float:
        return self.explained.mine / SCALE

    @property
    def theirs(self) -> float:
        return self.explained.theirs / SCALE

    @property
    def offset(self) -> float:
        return self.explained.offset / SCALE

    @property
    def for_me(self) -> float:
        """The offset as it counted for this side: it is written for the one who plays alone."""
        return self.offset if self.explained.me.is_solo else -self.offset

    @property
    def percent(self) -> int:
        return round(100 * self.explained.rating.expected)

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
    explained = read.explanation(change, table)
    base = K_OF[explained.kind]
    parts = [Part(_("Rating"), explained.rating, base, explained.me.games)]
    if explained.role:
        parts.append(Part(_("What the role adds"), explained.role, base, explained.me.role_games))
    others = [seat for seat in table if seat.seat != change.seat]
    met = [Met(seat, meeting) for seat, meeting in zip(others, explained.meetings)]
    return Opened(change, table, explained, parts, met)


def scenario_words(game: str, scenario: str) -> str:
    """A scenario by the name it has where a table is opened, without what the name says about it."""
    words = options.KNOWN.get(game, {}).get(rated.SCENARIOS.get(game, ""))
    return str(words.choices.get(scenario, scenario)).partition(":")[0] if words else scenario


def size_words(players: int) -> str:
    return ngettext("%(players)s player", "%(players)s players", players) % {"players": players}

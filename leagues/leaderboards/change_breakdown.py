"""A rating change with its full calculation, for a page: who was compared, and the result."""

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import engine
from games.catalogue import ratability, terms
from games.catalogue.spec import spec
from leagues.elo import deviation
from leagues.elo.explain import Explanation, Meeting, Sum
from leagues.elo.result_types import FIRST_VARIANCE, SCALE, RatingKind
from leagues.leaderboards.number_format import plus_minus
from leagues.models import RatingChange, Refold
from leagues.ratings import queries

DECIMALS = 3
"""Decimals of a rating; a chance is rounded to as many."""


@dataclass(frozen=True)
class Comparison:
    """One line of the calculation: an opponent, or the scenario (which has no change of its own)."""

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
        """Why the line counts less than others: the opponent's rating is less sure than the player's."""
        if self.meeting.part >= 1:
            return ""
        return _("new here") if self.meeting.unsure >= FIRST_VARIANCE else _("less sure")


@dataclass(frozen=True)
class Part:
    """One of the numbers that changed: the one that was compared, or that of the other role."""

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
    """One seat of a table with roles, and its rating."""

    change: RatingChange
    role: str

    @property
    def number(self) -> float:
        return (self.change.before + self.change.role_before) / SCALE

    @property
    def plus_minus(self) -> int:
        """± of the compared number, on that day."""
        return plus_minus(deviation.deviation(queries.seated(self.change, "").unsure))


@dataclass(frozen=True)
class Term:
    """One term of a change: what an opponent, the scenario or a role added to the rating, in points."""

    label: str
    points: float


@dataclass(frozen=True)
class ChangeBreakdown:
    """Everything that the page says about one change."""

    change: RatingChange
    table: list[RatingChange]
    # None if an earlier method made the change: its calculation cannot be repeated.
    explained: Explanation | None
    parts: list[Part]
    met: list[Comparison]

    @property
    def _explanation(self) -> Explanation:
        assert self.explained is not None
        return self.explained

    @property
    def kind(self) -> str:
        return self._explanation.kind.value

    @property
    def plus_minus_left(self) -> int:
        """± after the previous game."""
        return plus_minus(self.change.deviation_left)

    @property
    def plus_minus_before(self) -> int:
        return plus_minus(self.change.deviation_before)

    @property
    def plus_minus_after(self) -> int:
        return plus_minus(self.change.deviation_after)

    @property
    def is_idle(self) -> bool:
        """Whether days without a game made the rating less sure."""
        return self.plus_minus_before != self.plus_minus_left

    @property
    def mine(self) -> float:
        return self._explanation.mine / SCALE

    @property
    def theirs(self) -> float:
        return self._explanation.theirs / SCALE

    @property
    def offset(self) -> float:
        return self.change.offset / SCALE

    @property
    def for_me(self) -> float:
        """The offset from this side's view. It is stored for the player who plays alone."""
        return self.offset if self._explanation.me.is_solo else -self.offset

    @property
    def percent(self) -> int:
        return round(100 * self._explanation.expected)

    @property
    def team_size(self) -> int:
        """How many share a change."""
        return len(self._explanation.mates) + 1

    @property
    def team_note(self) -> str:
        """How a team that plays against one shares a change."""
        return str(spec(self.change.pool.game).rating_note("team") % {"team": self.team_size})

    @property
    def seats(self) -> list[Seat]:
        labels = terms.of_game(self.change.pool.game)
        return [Seat(seat, labels.get(seat.role, seat.role)) for seat in self.table]

    @property
    def role(self) -> str:
        return terms.of_game(self.change.pool.game).get(self.change.role, self.change.role)

    @property
    def scenario(self) -> str:
        return scenario_label(self.change.pool.game, self.change.result.scenario)

    @property
    def terms(self) -> list[Term]:
        """What the rating's change is the sum of. With roles it is the mean of two numbers: half the change of each."""
        if self.explained is None:
            return []
        if self.explained.other is None:
            return [Term(met.change.user.name if met.change else self.scenario, met.points) for met in self.met]
        return [Term(f"½ × {part.label}", part.moved / 2) for part in self.parts]

    @property
    def is_superseded(self) -> bool:
        return self.change.superseded_by_id is not None


def change_breakdown(change: RatingChange, table: list[RatingChange] | None = None) -> ChangeBreakdown:
    """The calculation of a change; `table`, if it is known already, holds all changes of the same result."""
    table = table or queries.table_of(change)
    if not change.is_of_this_method:
        return ChangeBreakdown(change, table, None, [], [])
    explained = queries.explanation(change, table)
    return ChangeBreakdown(change, table, explained, _parts(change, explained), _comparisons(change, table, explained))


def _parts(change: RatingChange, explained: Explanation) -> list[Part]:
    sides = explained.kind is not RatingKind.FREE_FOR_ALL
    lines = len(explained.meetings) if sides else 1
    totals = (
        len(explained.mates) + 1 if sides else 1,
        sum(line.expected for line in explained.meetings) / lines,
        sum(line.actual for line in explained.meetings) / lines,
    )
    if explained.other is None:
        return [Part(_("Rating"), explained.rating, *totals)]
    labels = terms.of_game(change.pool.game)
    other = next(role for role in engine.game(change.pool.game).roles(2) if role != change.role)
    label = _("As %(role)s")
    return [
        Part(label % {"role": labels.get(change.role, change.role)}, explained.rating, *totals),
        Part(label % {"role": labels.get(other, other)}, explained.other, *totals),
    ]


def _comparisons(change: RatingChange, table: list[RatingChange], explained: Explanation) -> list[Comparison]:
    """The lines with their opponents, in the order of the seats. A site bot may have several seats."""
    if explained.kind is RatingKind.COOPERATIVE:
        return [Comparison(None, meeting) for meeting in explained.meetings]
    opponents = [seat for seat in table if seat.seat != change.seat]
    if explained.kind is RatingKind.ONE_VS_MANY:
        solo = change.pool.solo_role
        opponents = [seat for seat in opponents if (seat.role == solo) != (change.role == solo)]
    return [Comparison(seat, meeting) for seat, meeting in zip(opponents, explained.meetings, strict=True)]


def method_changed_at(pool_id: int) -> datetime | None:
    """When the rating method of a pool changed; None if it never did."""
    changed = Refold.objects.filter(pool=pool_id, method__isnull=False)
    return changed.order_by("-at").values_list("at", flat=True).first()


def scenario_label(game: str, scenario: str) -> str:
    """A scenario by the name it has when a table is opened, without the explanation after the colon."""
    option = spec(game).options.get(engine.game(game).scenario_option)
    name, _sign, cards = scenario.partition(ratability.OWN_CARDS)
    label = str(option.choices.get(name, name)).partition(":")[0] if option else name
    return _("%(scenario)s, own cards %(code)s") % {"scenario": label, "code": cards} if cards else label


def size_label(players: int) -> str:
    return ngettext("%(players)s player", "%(players)s players", players) % {"players": players}

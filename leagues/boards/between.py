"""Two players and what has been between them: tables against each other, and side by side."""

from dataclasses import dataclass

import engine
from accounts.models import User
from leagues.boards import curves, meetings
from leagues.boards.curves import Chart
from leagues.boards.players import Told
from leagues.models import Rating
from leagues.ratings.fold import expected
from leagues.ratings.kinds import SCALE, Kind, kind_of, points

SHOWN = 50


@dataclass(frozen=True)
class Pair:
    """One table that both sat at."""

    left: Told
    right: Told
    beside: bool


@dataclass(frozen=True)
class Between:
    """All about two players in one game, from the left one's side."""

    game: str
    left: Rating | None
    right: Rating | None
    won: int
    tied: int
    lost: int
    together: int
    together_won: int
    chart: Chart | None

    @property
    def title(self) -> str:
        return engine.game(self.game).title

    @property
    def against(self) -> int:
        return self.won + self.tied + self.lost

    @property
    def is_cooperative(self) -> bool:
        return kind_of(self.game) is Kind.COOPERATIVE

    @property
    def expected(self) -> int | None:
        """The chance that the left one comes out ahead next time, in percent."""
        if self.left is None or self.right is None or self.is_cooperative:
            return None
        unsure = self.left.variance_on() + self.right.variance_on()
        return round(100 * expected(self.left.rating - self.right.rating, unsure))

    @property
    def bar_left(self) -> float:
        """Where the left one's part of a bar of a hundred ends."""
        return round(100 * self.won / self.against, 2)

    @property
    def bar_ties(self) -> float:
        return round(100 * (self.won + self.tied) / self.against, 2)

    @property
    def left_points(self) -> int | None:
        return points(self.left.rating) if self.left else None

    @property
    def right_points(self) -> int | None:
        return points(self.right.rating) if self.right else None


def pairs(left: User, right: User, reader: object) -> list[Pair]:
    """Every table that both sat at, the latest first."""
    common = meetings.others(left).filter(user=right).order_by("-at", "-pk").values_list("result_id", flat=True)
    shared = list(dict.fromkeys(common))
    tables = meetings.tables_of(shared)
    open_to_reader = meetings.open_to(reader, tables.values())
    found = []
    for result_id in shared:
        table = tables[result_id]
        mine = next(seat for seat in table if seat.user_id == left.pk)
        theirs = next(seat for seat in table if seat.user_id == right.pk)
        may_open = mine.result.match_id in open_to_reader
        beside = meetings.is_beside(mine.pool.game, mine.role == theirs.role)
        found.append(Pair(Told(mine, table, may_open), Told(theirs, table, may_open), beside))
    return found


def by_game(left: User, right: User, found: list[Pair]) -> list[Between]:
    ratings = Rating.objects.filter(user__in=[left, right]).select_related("pool")
    known = {(rating.pool.game, rating.user_id): rating for rating in ratings}
    told = []
    for game in engine.GAMES:
        mine, theirs = known.get((game, left.pk)), known.get((game, right.pk))
        if mine is None and theirs is None:
            continue
        own = [pair for pair in found if pair.left.change.pool.game == game]
        told.append(_between(game, mine, theirs, own))
    return told


def _between(game: str, left: Rating | None, right: Rating | None, found: list[Pair]) -> Between:
    against = [(pair.left.change.rank, pair.right.change.rank) for pair in found if not pair.beside]
    together = [pair for pair in found if pair.beside]
    return Between(
        game=game,
        left=left,
        right=right,
        won=sum(mine < theirs for mine, theirs in against),
        tied=sum(mine == theirs for mine, theirs in against),
        lost=sum(mine > theirs for mine, theirs in against),
        together=len(together),
        together_won=sum(pair.left.change.won for pair in together),
        chart=_chart(found),
    )


def _chart(found: list[Pair]) -> Chart | None:
    """Both ratings from one common table to the next."""
    if len(found) < 2:
        return None
    changes = [(pair.left.change, pair.right.change) for pair in reversed(found)]
    lines = [[change.after / SCALE for change in side] for side in zip(*changes)]
    return curves.chart(*lines, size=curves.NARROW)

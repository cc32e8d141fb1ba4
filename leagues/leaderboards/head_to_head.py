"""The record between two players: games against each other, and on the same side."""

from dataclasses import dataclass

import engine
from accounts.models import User
from games.titles import game_title
from leagues.elo.result_types import SCALE, points
from leagues.elo.update import expected
from leagues.leaderboards import chart_svg, encounters
from leagues.leaderboards.chart_svg import Chart
from leagues.leaderboards.player_records import GameSummary
from leagues.models import Rating

SHOWN = 50


@dataclass(frozen=True)
class Pair:
    """One table that both sat at."""

    left: GameSummary
    right: GameSummary
    beside: bool


@dataclass(frozen=True)
class HeadToHead:
    """The record between two players in one game, from the left player's view."""

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
        return game_title(self.game)

    @property
    def against(self) -> int:
        return self.won + self.tied + self.lost

    @property
    def is_cooperative(self) -> bool:
        return engine.game(self.game).cooperative

    @property
    def expected(self) -> int | None:
        """The chance that the left player comes out ahead next time, in percent."""
        if self.left is None or self.right is None or self.is_cooperative:
            return None
        unsure = self.left.variance_on() + self.right.variance_on()
        return round(100 * expected(self.left.rating - self.right.rating, unsure))

    @property
    def bar_left(self) -> float:
        """Where the left player's part of a bar of a hundred ends."""
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
    common = (
        encounters.changes_of_others(left)
        .filter(user=right)
        .exclude(result__source__in=encounters.hidden_sources(reader))
        .order_by("-at", "-pk")
        .values_list("result_id", flat=True)
    )
    shared = list(dict.fromkeys(common))
    tables = encounters.tables_of(shared)
    open_to_reader = encounters.linkable_matches(reader, tables.values())
    pairs = []
    for result_id in shared:
        table = tables[result_id]
        left_seat = next(seat for seat in table if seat.user_id == left.pk)
        right_seat = next(seat for seat in table if seat.user_id == right.pk)
        may_open = left_seat.result.match_id in open_to_reader
        beside = encounters.is_beside(left_seat.pool.game, left_seat.role == right_seat.role)
        pairs.append(Pair(GameSummary(left_seat, table, may_open), GameSummary(right_seat, table, may_open), beside))
    return pairs


def by_game(left: User, right: User, pairs: list[Pair]) -> list[HeadToHead]:
    ratings = Rating.objects.filter(user__in=[left, right]).select_related("pool")
    known = {(rating.pool.game, rating.user_id): rating for rating in ratings}
    games = []
    for game in engine.GAMES:
        left_rating, right_rating = known.get((game, left.pk)), known.get((game, right.pk))
        if left_rating is None and right_rating is None:
            continue
        own = [pair for pair in pairs if pair.left.change.pool.game == game]
        games.append(_head_to_head(game, left_rating, right_rating, own))
    return games


def _head_to_head(game: str, left: Rating | None, right: Rating | None, pairs: list[Pair]) -> HeadToHead:
    against = [(pair.left.change.rank, pair.right.change.rank) for pair in pairs if not pair.beside]
    together = [pair for pair in pairs if pair.beside]
    return HeadToHead(
        game=game,
        left=left,
        right=right,
        won=sum(left_rank < right_rank for left_rank, right_rank in against),
        tied=sum(left_rank == right_rank for left_rank, right_rank in against),
        lost=sum(left_rank > right_rank for left_rank, right_rank in against),
        together=len(together),
        together_won=sum(pair.left.change.won for pair in together),
        chart=_chart(pairs),
    )


def _chart(pairs: list[Pair]) -> Chart | None:
    """Both ratings from one common table to the next."""
    if len(pairs) < 2:
        return None
    changes = [(pair.left.change, pair.right.change) for pair in reversed(pairs)]
    lines = [[change.after / SCALE for change in side] for side in zip(*changes)]
    return chart_svg.chart(*lines, size=chart_svg.NARROW)

"""What ratings have learned besides players: what a seat or a team size is worth, how hard a scenario is."""

from dataclasses import dataclass

from leagues.elo.result_types import RatingKind
from leagues.leaderboards.board_query import Board
from leagues.leaderboards.change_breakdown import scenario_label, size_label
from leagues.models import RatingOffset
from leagues.ratings import queries


@dataclass(frozen=True)
class Published:
    """A learned offset and its number of games: one value, or one for each seat of a table."""

    label: str
    detail: str
    points: list[int]
    games: int

    @property
    def gap(self) -> str:
        """A slice of the seats that only larger tables have."""
        return f"{len(self.points)}:"


def published(board: Board) -> list[Published]:
    """Scenarios with the hardest first, tables by their size."""
    if board.pool is None:
        return []
    offsets = [offset for offset in queries.offsets(board.pool) if offset.games]
    if board.kind is RatingKind.COOPERATIVE:
        return [_scenario(board, offset) for offset in sorted(offsets, key=lambda offset: -offset.value)]
    tables: dict[int, list[RatingOffset]] = {}
    for offset in sorted(offsets, key=lambda offset: (offset.players, offset.name)):
        tables.setdefault(offset.players, []).append(offset)
    return [Published(str(size), "", [seat.points for seat in seats], seats[0].games) for size, seats in tables.items()]


def _scenario(board: Board, offset: RatingOffset) -> Published:
    label = scenario_label(board.game, offset.name)
    return Published(label, size_label(offset.players), [offset.points], offset.games)

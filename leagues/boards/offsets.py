"""What the house has learned beside the players: how much a seat or a team's size is worth, how hard a scenario is."""

from dataclasses import dataclass

from leagues.boards.board import Board
from leagues.boards.sums import scenario_words, size_words
from leagues.models import RatingOffset
from leagues.ratings import read
from leagues.ratings.kinds import Kind


@dataclass(frozen=True)
class Published:
    """What was learned from so many games: one number, or one for each seat of a table."""

    label: str
    detail: str
    points: list[int]
    games: int

    @property
    def gap(self) -> str:
        """The seats of larger tables, as a slice."""
        return f"{len(self.points)}:"


def published(board: Board) -> list[Published]:
    """Scenarios with the hardest first: this is a ranking too. Tables by their size."""
    if board.pool is None:
        return []
    found = [offset for offset in read.offsets(board.pool) if offset.games]
    if board.kind is Kind.COOPERATIVE:
        return [_scenario(board, offset) for offset in sorted(found, key=lambda offset: -offset.value)]
    tables: dict[int, list[RatingOffset]] = {}
    for offset in sorted(found, key=lambda offset: (offset.players, offset.name)):
        tables.setdefault(offset.players, []).append(offset)
    return [Published(str(size), "", [seat.points for seat in seats], seats[0].games) for size, seats in tables.items()]


def _scenario(board: Board, offset: RatingOffset) -> Published:
    label = scenario_words(board.game, offset.name)
    return Published(label, size_words(offset.players), [offset.points], offset.games)

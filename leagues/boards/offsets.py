"""What the house has learned beside the players: how much a seat or a team's size is worth, how hard a scenario is."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from leagues.boards.board import Board
from leagues.boards.sums import scenario_words, size_words
from leagues.models import RatingOffset
from leagues.ratings import read
from leagues.ratings.kinds import Kind


@dataclass(frozen=True)
class Published:
    """One learned number, in words."""

    label: str
    detail: str
    points: int
    games: int


def published(board: Board) -> list[Published]:
    if board.pool is None:
        return []
    found = read.offsets(board.pool)
    if board.kind is Kind.COOPERATIVE:
        # The hardest first: this is a ranking too.
        found = sorted(found, key=lambda offset: (-offset.value, offset.name, offset.players))
    else:
        found = sorted(found, key=lambda offset: (offset.players, offset.name))
    return [_words(board, offset) for offset in found if offset.games]


def _words(board: Board, offset: RatingOffset) -> Published:
    size = size_words(offset.players)
    match board.kind:
        case Kind.COOPERATIVE:
            label, detail = scenario_words(board.game, offset.name), size
        case Kind.FREE_FOR_ALL:
            label, detail = _("Seat %(seat)s") % {"seat": int(offset.name) + 1}, size
        case _:
            label, detail = size, ""
    return Published(label, detail, offset.points, offset.games)

"""Converts our histories for py4swiss and reads its pairings: the peer for two-seat Swiss."""

from py4swiss.engines import DutchEngine
from py4swiss.trf import ParsedTrf
from py4swiss.trf.codes import PlayerCode
from py4swiss.trf.results import ColorToken, ResultToken, RoundResult
from py4swiss.trf.sections import PlayerSection, XSection

from leagues.formats.score_table import Game, ScoreTable
from leagues.formats.values import POINT, History, Kind

BYES = {
    Kind.PAB: ResultToken.PAIRING_ALLOCATED_BYE,
    Kind.FPB: ResultToken.FULL_POINT_BYE,
    Kind.HPB: ResultToken.HALF_POINT_BYE,
    Kind.ZPB: ResultToken.ZERO_POINT_BYE,
    Kind.NP: ResultToken.ZERO_POINT_BYE,
    Kind.WD: ResultToken.ZERO_POINT_BYE,
}


def to_trf(history: History) -> ParsedTrf:
    """The history as py4swiss reads it. Entrants are numbered 1, 2, ... by seed."""
    field = ScoreTable(history)
    sections = []
    for entrant in sorted(history.entrants, key=lambda entrant: entrant.seed):
        sections.append(
            PlayerSection(
                code=PlayerCode.PLAYER,
                starting_number=entrant.seed,
                name=str(entrant.id),
                points_times_ten=field.score[entrant.id] * 10 // POINT,
                rank=entrant.seed,
                results=[_result(game, field) for game in field.games[entrant.id]],
            )
        )
    return ParsedTrf(player_sections=sections, x_section=XSection(number_of_rounds=len(history.rounds) + 2))


def _result(game: Game, field: ScoreTable) -> RoundResult:
    if game.table is None:
        return RoundResult(id=0, color=ColorToken.BYE_OR_NOT_PAIRED, result=BYES[game.kind])
    other = next(seat for index, seat in enumerate(game.table.seats) if index != game.seat)
    own = game.table.seats[game.seat]
    token = {
        Kind.FW: ResultToken.FORFEIT_WIN,
        Kind.FL: ResultToken.FORFEIT_LOSS,
        Kind.PLAYED: {0: ResultToken.LOSS, POINT // 2: ResultToken.DRAW, POINT: ResultToken.WIN}[game.points],
    }[game.kind]
    color = ColorToken.WHITE if own.number == 1 else ColorToken.BLACK
    return RoundResult(id=field.entrants[other.entrant].seed, color=color, result=token)


def draw(event: ParsedTrf) -> list[tuple[int, int]]:
    """The draw of py4swiss: pairs of starting numbers, 0 for a bye."""
    return [(pairing.white, pairing.black) for pairing in DutchEngine.generate_pairings(event)]


def pairings(history: History) -> tuple[list[tuple[int, int]], int | None]:
    """The pairs that py4swiss draws for the next round, and who has the bye (None if nobody)."""
    by_seed = {entrant.seed: entrant.id for entrant in history.entrants}
    pairs: list[tuple[int, int]] = []
    bye = None
    for first, second in draw(to_trf(history)):
        if second == 0:
            bye = by_seed[first]
        else:
            pairs.append((by_seed[first], by_seed[second]))
    return pairs, bye

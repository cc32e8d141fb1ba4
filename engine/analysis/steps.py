"""The decisions of a recorded match that stood: what was taken back is neither judged nor luck."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from engine import transcript
from engine.errors import EngineError
from engine.kernel import ANEW, BACK, UNDO, Match
from engine.state import GameState


class NotAnalysed(EngineError):
    """This record cannot be analysed; `code` names the reason, the message says it."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class Step:
    """One answer that stood. `ply` is the place in the record that it led to, as replays count."""

    ply: int
    turn: int
    seat: int
    move: str
    action: int
    aside: bool
    forced: bool
    before: GameState


def finished_match(document: dict[str, Any], *, ended: bool) -> Match:
    """The recorded match, checked move by move. `ended`: it ended by resignation or on time, and may stop anywhere."""
    match = transcript.replay(document)
    if match.outcome is None and not ended:
        raise NotAnalysed("cut", "the record stops before the end of the match: it was cut, or the match still runs")
    if match.turns == opening(match).turns and match.outcome is None:
        raise NotAnalysed("first-turn", "the match ended in its first turn: there is nothing to judge")
    return match


def opening(match: Match) -> Match:
    """The match where its players began: at the deal, or where it was played on from a position of another."""
    begun = max((ply for ply, entry in enumerate(match.entries, start=1) if entry.move == ANEW), default=0)
    live = match.game.start(match.players, match.seed, match.options)
    for entry in match.entries[:begun]:
        live.repeat(entry.seat, entry.move)
    return live


def standing_moves(match: Match) -> list[tuple[int, int, str]]:
    """Ply, seat and move of every answer of its players that stood."""
    undone, begun = set(match.undone()), opening(match).ply
    return [
        (ply, entry.seat, entry.move)
        for ply, entry in enumerate(match.entries, start=1)
        if ply > begun and ply not in undone and entry.move != UNDO and not entry.move.startswith(BACK)
    ]


def steps(match: Match) -> Iterator[tuple[Match, Step]]:
    """Each answer that stood, with the match just before it; the match plays on when the next one is asked for."""
    live = opening(match)
    number, turn = 0, live.game.turn(live.state)
    for ply, seat, move in standing_moves(match):
        if live.game.turn(live.state) != turn:
            number, turn = number + 1, live.game.turn(live.state)
        aside = seat != live.to_act
        forced = not aside and len(live.legal(seat)) == 1
        before = live.state.clone()
        yield live, Step(ply, number, seat, move, live.parse(move, seat), aside, forced, before)
        live.play(move, seat)

"""A hint for a player of a running match: what the Expert bot would play from that seat, by what the seat can know."""

from typing import Any

from engine import transcript
from engine.analysis.steps import NotAnalysed
from engine.bots import Situation, bot, budget

LEVEL = "expert"


def hint(document: dict[str, Any], *, seat: int, seed: str) -> str:
    """A move for the seat that is to act; `NotAnalysed` and `TranscriptError` say why there is none.

    The bot gets a `Situation`, which holds nothing that the seat cannot know. `seed` is not that of the match.
    """
    match = transcript.replay(document)
    if match.to_act != seat:
        raise NotAnalysed("turn", "this seat is not to act")
    seen = Situation(match, seat)
    action = bot(match.game.name, LEVEL).choose(seen, budget(match.game.name, LEVEL), seed)
    return match.notation(int(action), seat)

"""Going back to one's own last decision, across the moves of bots: for casual matches of one person against bots."""

from collections.abc import Sequence

import engine
from games.models import Match, Seat


def may_return(match: Match, seat: int, seats: Sequence[Seat]) -> bool:
    """Never in a rated match."""
    return match.is_playing and not match.rated and is_against_bots(match, seat, seats)


def is_against_bots(match: Match, seat: int, seats: Sequence[Seat]) -> bool:
    """Whether only bots of the site sit with this seat. A table of a league, which has no host, and a deal that other
    tables share are none of that kind: others are measured by them."""
    if match.host_id is None or match.sealed or not (match.takes_words or match.is_tutorial):
        return False
    return all(other.index == seat or other.is_bot for other in seats)


def decision_to_return_to(match: Match, played: engine.Match, seat: int, seats: Sequence[Seat]) -> int | None:
    """The entry of the record to go back to; None where that is not allowed."""
    return played.last_decision(seat) if may_return(match, seat, seats) else None

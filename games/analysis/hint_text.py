"""A hint as page and API tell it."""

from typing import Any

from django.utils.translation import gettext

from games.analysis.move_words import MoveWords
from games.models import Hint, Match


def serialize(match: Match, hint: Hint | None) -> dict[str, Any]:
    """`state` is empty where nothing was asked for at this decision; `words` is the move in the reader's language."""
    if hint is None:
        return {"state": "", "ply": match.ply, "move": "", "words": ""}
    words = gettext("There is no hint this time. Ask again.") if hint.state == Hint.State.FAILED else ""
    if hint.move:
        words = MoveWords(match, [seat.name for seat in match.seats.all()]).of(hint.move)
    return {"state": hint.state, "ply": hint.ply, "move": hint.move, "words": words}

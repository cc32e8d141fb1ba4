"""Words of the games that are no sentences: tokens, verbs of the notation, why a match ended.

Those of one game stand in its own module of this folder.
"""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

from games.catalogue.spec import spec

COMMON: Mapping[str, str | Promise] = {
    "undo": pgettext_lazy("move", "Take back"),
    "stop": pgettext_lazy("move", "Stop here"),
    "pass": pgettext_lazy("move", "Pass"),
    "player": pgettext_lazy("role", "Player"),
    # A sign between them spares a language the plural of every colour.
    "counted": pgettext_lazy("so many of one kind: 3 red", "{count} {what}"),
}

ENDINGS: Mapping[str, str | Promise] = {
    "called-off": pgettext_lazy("ending", "A player left before everyone had had two turns: it is not rated."),
    "resigned": pgettext_lazy("ending", "A player resigned."),
    "timeout": pgettext_lazy("ending", "A player ran out of time."),
}


def ending(game: str, reason: str) -> str:
    """Why a match ended, as a sentence."""
    known = of_game(game)
    return known.get(f"{reason}-ending") or known.get(reason, reason)


def of_game(game: str) -> dict[str, str]:
    """Every term of a game, in the language that is active."""
    return {term: str(words) for term, words in {**COMMON, **ENDINGS, **spec(game).terms}.items()}

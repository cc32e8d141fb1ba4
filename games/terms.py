"""Words of the games that are no sentences: tokens, verbs of the notation, why a match ended."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

COMMON: Mapping[str, str | Promise] = {
    "undo": pgettext_lazy("move", "Take back"),
    "pass": pgettext_lazy("move", "Pass"),
    "player": pgettext_lazy("role", "Player"),
}

BY_GAME: Mapping[str, Mapping[str, str | Promise]] = {
    "splendor-marvel": {
        "yellow": pgettext_lazy("token", "yellow"),
        "blue": pgettext_lazy("token", "blue"),
        "purple": pgettext_lazy("token", "purple"),
        "red": pgettext_lazy("token", "red"),
        "orange": pgettext_lazy("token", "orange"),
        "green": pgettext_lazy("token", "green"),
        "grey": pgettext_lazy("token", "grey"),
        "take": pgettext_lazy("move", "Take"),
        "recruit": pgettext_lazy("move", "Recruit"),
        "reserve": pgettext_lazy("move", "Reserve"),
        "deck": pgettext_lazy("move", "from deck"),
        "stop": pgettext_lazy("move", "Stop here"),
        "pay": pgettext_lazy("move", "Pay"),
        "for": pgettext_lazy("move", "for"),
        "return": pgettext_lazy("move", "Return"),
        "location": pgettext_lazy("move", "Location"),
        "gauntlet": pgettext_lazy("ending", "The Infinity Gauntlet was assembled."),
        "stalemate": pgettext_lazy("ending", "Nothing could change any more: all share the match."),
    },
}

ENDINGS: Mapping[str, str | Promise] = {
    "resigned": pgettext_lazy("ending", "A player resigned."),
    "timeout": pgettext_lazy("ending", "A player ran out of time."),
}


def of_game(game: str) -> dict[str, str]:
    """Every term of a game, in the language that is active."""
    return {term: str(words) for term, words in {**COMMON, **ENDINGS, **BY_GAME.get(game, {})}.items()}

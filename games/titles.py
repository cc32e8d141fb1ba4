"""What a game is called, in the reader's language."""

from django.utils.translation import pgettext

import engine

CONTEXT = "game"


def game_title(game: str) -> str:
    """The printed title in the active language. The log and notices store the English one: see `localize_params`."""
    return pgettext(CONTEXT, engine.game(game).title)


def short_title(game: str) -> str:
    """The title for the bar of a table, where a long one would be cut."""
    rules = engine.game(game)
    return pgettext(CONTEXT, rules.short_title or rules.title)

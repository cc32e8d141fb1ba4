"""What a game is called, in the reader's language."""

from django.utils.translation import pgettext

import engine

CONTEXT = "game"


def game_title(game: str) -> str:
    """The printed title in the active language. The log and notices store the English one: see `localize_params`."""
    return pgettext(CONTEXT, engine.game(game).title)

"""A move in words, in the reader's language."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import get_language, gettext

from accounts.infra.input import whole_number
from engine.analysis.report import LEFT
from games.catalogue import texts
from games.models import Match, Puzzle

NAMES_A_SEAT = ("power", "peek", "send", "target", "fight")
"""Verbs of Infinity Gauntlet's notation that a seat follows."""


class MoveWords:
    """Notations of one match or puzzle as the buttons of its table say them; seats by name."""

    def __init__(self, match: Match | Puzzle, names: Sequence[str]) -> None:
        language = get_language() or "en"
        # A puzzle is never about a club's own cards.
        card_file = match.card_file if isinstance(match, Match) else None
        if card_file is None:
            text, _version = texts.encoded(match.game, language)
        else:
            text, _version = texts.encoded_own(match.game, language, card_file.source)
        self.words: dict[str, Any] = json.loads(text)
        self.names = names

    def of(self, notation: str) -> str:
        if not notation:
            return ""
        if notation == LEFT:
            return gettext("play no token")
        terms, names = self.words["terms"], self.words["names"]
        verb, _, rest = notation.partition(" ")
        seat = whole_number(rest, maximum=len(self.names) - 1) if verb in NAMES_A_SEAT else None
        if seat is not None:
            text = f"{terms.get(verb, verb)} {self.names[seat]}"
        elif f"{verb} {{card}}" in terms and rest in names:
            text = terms[f"{verb} {{card}}"].replace("{card}", names[rest])
        else:
            whole = terms.get(notation) or names.get(notation)
            text = whole or " ".join(
                terms.get(word) or names.get(word) or word for word in _dice_together(terms, notation)
            )
        return text[:1].upper() + text[1:]


def _dice_together(terms: Mapping[str, str], notation: str) -> Iterator[str]:
    """The words of a notation, the colour and the face of a die as one: languages say them in one phrase."""
    words = notation.split()
    while words:
        long = " ".join(words[:2]) in terms and len(words) > 1
        yield " ".join(words[: 1 + long])
        del words[: 1 + long]

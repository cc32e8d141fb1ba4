"""A move in words, in the reader's language."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from django.utils.translation import get_language, gettext

from accounts.infra.input import whole_number
from engine.analysis.report import LEFT
from games.catalogue import texts
from games.models import Match, Puzzle


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
        text = self._word(notation) or " ".join(self._phrases(notation.split()))
        return text[:1].upper() + text[1:]

    def _phrases(self, words: list[str]) -> Iterator[str]:
        """The words of a notation, two of them as one wherever the game has a phrase for both."""
        while words:
            both = self._phrase(*words[:2]) if len(words) > 1 else ""
            yield both or self._word(words[0]) or words[0]
            del words[: 2 if both else 1]

    def _phrase(self, first: str, second: str) -> str:
        """Languages decline: what is done with a thing may need another form than its name, as in "on {card}"."""
        terms = self.words["terms"]
        seat = whole_number(second, maximum=len(self.names) - 1)
        things = {
            "player": None if seat is None else self.names[seat],
            "stone": terms.get(f"stone-{second}"),
            "card": self.words["names"].get(second),
            "token": terms.get(second),
        }
        for kind, thing in things.items():
            if thing and f"{first} {{{kind}}}" in terms:
                return str(terms[f"{first} {{{kind}}}"].replace(f"{{{kind}}}", thing))
        return str(terms.get(f"{first} {second}", ""))

    def _word(self, word: str) -> str:
        return str(self.words["terms"].get(word) or self.words["names"].get(word) or "")

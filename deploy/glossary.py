"""Checks the catalogues and the card texts against the tables of docs/glossary.md.

Where the English text has a term, the translation has to have one of the words beside it, in any form: only stems are
compared. Rows of one term add up; of terms that overlap the longest counts ("log in" is not the "log").
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deploy.translations import LANGUAGES, LOCALE, PLACEHOLDER, ROOT, read_catalogue

GLOSSARY = ROOT / "docs" / "glossary.md"

EXCEPTIONS: Mapping[str, str] = {
    "%(winner)s takes place %(place)s": "takes a place, and does not happen",
    "As a table": "a table of numbers",
    "From %(low)s to %(high)s points, nobody meets again. The scores could": "seats that come round are no round",
    "Grey in place of {colour}": "instead of, not a place",
    "Last sign of life": "no life of the game",
    "Moon Knight": "a name",
    "Numbers are shown with three decimals": "rounding is no round",
    "Rows by table": "a table of the database",
    "This club takes new members by invitation only": "says how to come in, without a noun",
    "This site takes no new members": "says that nobody can sign up",
    "You are the only member": "says that nobody else is there",
    "You own these clubs. A club with other members": "the others, without a noun",
    "each uncollected stone tied for fewest counters": "the fewest counters, without a noun",
}
"""Messages that are right without the glossary's word, by their beginning, each with the reason."""

# Words of a term that its other forms may lack.
SMALL_WORDS = frozenset({
    "a", "al", "alla", "all", "di", "del", "della", "dell", "dello", "per", "con", "in", "il", "la", "le", "un", "una",
    "l", "si", "do", "na", "od", "po", "przy", "te", "to", "w", "z", "ze", "sie",
})  # fmt: skip
ENDINGS = {
    "it": re.compile(r"(?<=\w{3})(?:[aei]r[ei]|[aeio]+)$"),
    "pl": re.compile(r"(?<=\w{3})(?:[oy]wac|ac|ec|ic|yc|ow|ek|[aeiouy]+)$"),
}
MARKUP = re.compile(rf"{PLACEHOLDER.pattern}|<[^>]*>")


@dataclass(frozen=True)
class Term:
    """What an English term may be in each language: one of several sets of stems."""

    english: str
    accepted: Mapping[str, list[frozenset[str]]] = field(default_factory=lambda: {each: [] for each in LANGUAGES})

    def is_in(self, translation: str, language: str) -> bool:
        text = _fold(MARKUP.sub(" ", translation))
        return any(all(stem in text for stem in stems) for stems in self.accepted[language])


@dataclass(frozen=True)
class Pair:
    """A text and its translation."""

    english: str
    language: str
    translation: str


class Glossary:
    """The terms of all tables of a document."""

    def __init__(self, document: str) -> None:
        self.terms: dict[str, Term] = {}
        for line in document.splitlines():
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if (
                line.startswith("|")
                and len(cells) == len(LANGUAGES) + 3
                and not cells[0].startswith(("---", "Concept"))
            ):
                self._add_row(cells[1].split(", "), cells[2:-1])
        # The longest first: it counts where terms overlap.
        self._names = sorted(self.terms, key=len, reverse=True)
        self._pattern = re.compile(
            rf"(?<![\w-])(?:{'|'.join(f'({_inflected(name)})' for name in self._names)})(?![\w-])", re.IGNORECASE
        )

    def _add_row(self, english: list[str], columns: list[str]) -> None:
        for language, column in zip(LANGUAGES, columns, strict=True):
            words = column.split(", ")
            # As many words as terms are pairs; otherwise each of the words will do for each term.
            ways = [[word] for word in words] if len(words) == len(english) else [words] * len(english)
            for name, accepted in zip(english, ways, strict=True):
                # In italics: an everyday word as well, which cannot be checked.
                if not name.startswith("*"):
                    term = self.terms.setdefault(name.casefold(), Term(name))
                    term.accepted[language].extend(stems for way in accepted for stems in _stems(way, language))

    def terms_in(self, english: str) -> list[Term]:
        found = self._pattern.finditer(MARKUP.sub(" ", english))
        return [
            self.terms[name]
            for name in dict.fromkeys(self._names[match.lastindex - 1] for match in found if match.lastindex)
        ]

    def problems(self, pair: Pair) -> Iterator[str]:
        if pair.english.startswith(tuple(EXCEPTIONS)):
            return
        for term in self.terms_in(pair.english):
            if not term.is_in(pair.translation, pair.language):
                where = f"{pair.translation!r} ({pair.english!r})"
                yield f"{pair.language}: no word of the glossary for “{term.english}” in {where}"


def check(document: Path = GLOSSARY, locale: Path = LOCALE) -> list[str]:
    """Every translation that lacks the glossary's word for a term of its English text, one line each."""
    glossary = Glossary(document.read_text(encoding="utf-8"))
    pairs = [*_catalogue_pairs(locale), *(_card_pairs() if locale == LOCALE else ())]
    return [problem for pair in pairs for problem in glossary.problems(pair)]


def _catalogue_pairs(locale: Path) -> Iterator[Pair]:
    for language in LANGUAGES:
        for message in read_catalogue(language, locale):
            english = message.id[-1] if isinstance(message.id, tuple | list) else message.id
            strings: Any = message.string if isinstance(message.string, tuple | list) else [message.string]
            if english and all(strings):
                yield Pair(english, language, " ".join(strings))


def _card_pairs() -> Iterator[Pair]:
    """The texts of cards that have their languages in the game's own data."""
    from engine.games import GAMES, is_own
    from games.catalogue import texts

    for game in filter(is_own, GAMES):
        document = texts.built_in(game)
        for card in texts.cards(document).values():
            for words in (texts.card_name(card), texts.card_text(document, card)):
                if not isinstance(words, str):
                    yield from (Pair(words["en"], language, words[language]) for language in LANGUAGES)


def _inflected(term: str) -> str:
    """A pattern for the forms of an English term."""
    if term.endswith("y"):
        return rf"{re.escape(term[:-1])}(?:y|ies)"
    return rf"{re.escape(term)}(?:s|es|d|ed|ing)?"


def _stems(way: str, language: str) -> Iterator[frozenset[str]]:
    """The stems of each of the ways to say it: "valida (valido) per l’Elo" are two, one without the brackets."""
    for one in (re.sub(r"\(.*?\)", "", way), *re.findall(r"\((.*?)\)", way)):
        words = set(re.findall(r"\w+", _fold(one))) - SMALL_WORDS
        if words:
            yield frozenset(ENDINGS[language].sub("", word) for word in words)


def _fold(text: str) -> str:
    """Lower case without accents, because forms of a word differ in them (stół, stole)."""
    plain = unicodedata.normalize("NFKD", text.replace("ł", "l").replace("Ł", "L"))
    return "".join(letter for letter in plain if not unicodedata.combining(letter)).casefold()

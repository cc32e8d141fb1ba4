"""A language made from English on the fly: long, accented and in brackets. What is not translated stands out."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser

from django.utils.translation import trans_real

from games.catalogue import texts

# It takes the place of this language, so that settings, addresses and cookies need not know of it.
LANGUAGE = "it"
ACCENTS = str.maketrans("acdeghijklnorstuwyzACDEGHIJKLNORSTUWYZ", "áçďéĝĥíĵķĺñóŕšťúŵýžÁÇĎÉĜĤÍĴĶĹÑÓŔŠŤÚŴÝŽ")
KEPT = re.compile(r"(%\(\w+\)[#0\- +]*\d*(?:\.\d+)?[a-zA-Z]|%[%sdifr]|\{\w*\}|<[^>]*>|&\w+;)")
OPEN, CLOSE = "⟦", "⟧"
READ_ALOUD = ("aria-label", "title", "placeholder", "alt")
# What these hold is code, or the name of a language in that language.
SKIPPED = {"script", "style", "code", "pre", "svg", "template"}
EMPTY = {"input", "img", "br", "hr", "meta", "link", "source", "wbr"}


def lengthen(message: str) -> str:
    """Longer by a quarter and the brackets, with the same placeholders and tags: “a club” becomes ⟦áá çĺúúb⟧."""
    parts = KEPT.split(message)
    parts[::2] = [re.sub("([aeiou])([aeiou]?)", r"\1\1\2", part).translate(ACCENTS) for part in parts[::2]]
    return f"{OPEN}{''.join(parts)}{CLOSE}"


class PseudoTranslation(trans_real.DjangoTranslation):
    def gettext(self, message: str) -> str:
        return lengthen(message.rpartition(trans_real.CONTEXT_SEPARATOR)[2]) if message else ""

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


@contextmanager
def spoken() -> Iterator[str]:
    """Pages in `LANGUAGE` are in the pseudo-language, in this process."""
    before = trans_real.translation(LANGUAGE)
    # Where Django keeps what it has loaded.
    loaded: dict[str, trans_real.DjangoTranslation] = vars(trans_real)["_translations"]
    texts.encoded.cache_clear()
    loaded[LANGUAGE] = PseudoTranslation(LANGUAGE)
    try:
        yield LANGUAGE
    finally:
        loaded[LANGUAGE] = before
        texts.encoded.cache_clear()


def untranslated(page: str, known: set[str]) -> list[str]:
    """The words of a page, and of what is read aloud of it, that are in no message and are not `known`."""
    reader = _Reader()
    reader.feed(page)
    bare = [_outside_messages(text) for text in ["".join(reader.text), *reader.attributes]]
    return [word for text in bare for word in re.findall(r"[^\W\d_]{3,}", text) if word.casefold() not in known]


def _outside_messages(text: str) -> str:
    """A message may hold others, and its text may be in several elements."""
    depth, outside = 0, []
    for letter in text:
        depth += (letter == OPEN) - (letter == CLOSE)
        if depth == 0 and letter != CLOSE:
            outside.append(letter)
    return "".join(outside)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.text: list[str] = []
        self.attributes: list[str] = []
        self._skipped: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = dict(attrs)
        if self._skipped or tag in SKIPPED or has.get("lang", LANGUAGE) != LANGUAGE:
            if tag not in EMPTY:
                self._skipped.append(tag)
            return
        self.attributes += [has[name] or "" for name in READ_ALOUD if name in has]
        self.text.append(" ")

    def handle_endtag(self, tag: str) -> None:
        if self._skipped and tag == self._skipped[-1]:
            self._skipped.pop()

    def handle_data(self, data: str) -> None:
        if not self._skipped:
            self.text.append(data)

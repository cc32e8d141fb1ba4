"""Italian articles in front of numbers and dates, which depend on how these are spoken.

The catalogue has the plain form, "dal %(day)s". When the sentence is formatted it becomes "dal 4 ottobre", "dall’8
ottobre" or, in front of a weekday, "da ven 8 ott".
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from django.utils.translation.trans_real import DjangoTranslation

# Before a vowel (otto, undici), before z (zero), and with no article at all.
FORMS = {
    "il": ("l’", "lo ", ""),
    "al": ("all’", "allo ", "a "),
    "dal": ("dall’", "dallo ", "da "),
    "del": ("dell’", "dello ", "di "),
    "nel": ("nell’", "nello ", "in "),
    "sul": ("sull’", "sullo ", "su "),
    "i": ("gli ", "gli ", ""),
    "ai": ("agli ", "agli ", "a "),
    "dai": ("dagli ", "dagli ", "da "),
    "dei": ("degli ", "degli ", "di "),
    "nei": ("negli ", "negli ", "in "),
    "sui": ("sugli ", "sugli ", "su "),
}
ARTICLE = re.compile(rf"\b(?P<article>{'|'.join(FORMS)}) (?=%\((?P<name>\w+)\)s(?P<percent>%%)?)", re.IGNORECASE)
VOWEL = re.compile(r"8|11(?:[.\s]?\d{3})?(?!\d)")
# "L’1%", but "il 1 ottobre" and "il 1º posto", which are read "primo".
ONE = re.compile(r"1(?!\d)")
ZERO = re.compile(r"0(?!\d)")
WEEKDAY = re.compile(r"(?:lun|mar|mer|gio|ven|sab|dom)\w* \d")


class Sentence(str):
    """A message that has an article in front of a placeholder."""

    __slots__ = ()

    def __str__(self) -> str:
        return self  # a copy would be a plain string, and lazy messages are copied before they are formatted

    def __mod__(self, params: Any) -> str:
        return str.__mod__(ARTICLE.sub(lambda found: _fit(found, params), self), params)


def _fit(found: re.Match[str], params: Mapping[str, Any]) -> str:
    before_vowel, before_zero, without = FORMS[found["article"].lower()]
    value = str(params[found["name"]])
    if VOWEL.match(value) or (found["percent"] and ONE.match(value)):
        fitting = before_vowel
    elif ZERO.match(value):
        fitting = before_zero
    elif WEEKDAY.match(value):
        fitting = without
    else:
        return found[0]
    return fitting.capitalize() if found["article"][0].isupper() else fitting


@cache
def sentence(message: str) -> str:
    return Sentence(message) if ARTICLE.search(message) else message


def install() -> None:
    """Let Django hand out the messages of the Italian catalogue as sentences; it has no setting for this."""
    singular, plural = DjangoTranslation.gettext, DjangoTranslation.ngettext

    def gettext(self: DjangoTranslation, message: str) -> str:
        found = singular(self, message)
        return sentence(found) if self.language() == "it" else found

    def ngettext(self: DjangoTranslation, msgid1: str, msgid2: str, n: int) -> str:
        found = plural(self, msgid1, msgid2, n)
        return sentence(found) if self.language() == "it" else found

    DjangoTranslation.gettext = gettext  # type: ignore[assignment, method-assign]
    DjangoTranslation.ngettext = ngettext  # type: ignore[method-assign]

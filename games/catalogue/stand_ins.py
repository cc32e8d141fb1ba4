"""Which values of a card file are stand-ins of ours: nobody found what the box says, so we had to choose something.

A card file says it in the field `status` of an entry: a word for the whole entry, or one for each of its values.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext, pgettext_lazy

from games.catalogue.spec import Words

STAND_IN = "reconstructed"
WHOLE = "all"

VALUES: Mapping[str, Words] = {
    "ability": pgettext_lazy("card data", "what it does"),
    "effect": pgettext_lazy("card data", "what it does"),
    "colour": pgettext_lazy("card data", "which colour has this power"),
    "count": pgettext_lazy("card data", "how many the box holds"),
    "damage": pgettext_lazy("card data", "spaces for damage"),
    "dice": pgettext_lazy("card data", "its dice"),
    "faces": pgettext_lazy("card data", "its faces"),
    "kind": pgettext_lazy("card data", "which kinds there are"),
    "symbols": pgettext_lazy("card data", "the symbols it wants"),
    "type": pgettext_lazy("card data", "its type"),
}
PARTS: Mapping[str, Words] = {
    "assets": pgettext_lazy("card data", "Heroes and villains"),
    "bases": pgettext_lazy("card data", "Bases"),
    "bonus_tokens": pgettext_lazy("card data", "Bonus tokens"),
    "cards": pgettext_lazy("card data", "Characters"),
    "hero_deck": pgettext_lazy("card data", "Cards of the heroes"),
    "life": pgettext_lazy("card data", "Life at the start"),
    "locations": pgettext_lazy("card data", "Locations"),
    "power_dice red": pgettext_lazy("card data", "Red dice"),
    "power_dice blue": pgettext_lazy("card data", "Blue dice"),
    "power_dice green": pgettext_lazy("card data", "Green dice"),
    "power_dice purple": pgettext_lazy("card data", "Purple dice"),
    "stones": pgettext_lazy("card data", "Stones"),
    "thanos_deck": pgettext_lazy("card data", "Cards of Thanos"),
}


def in_words(document: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The stand-ins of a file in the active language, by the id of the entry; what has no id goes by its part."""
    return {key: {"fields": fields, "text": sentence(fields)} for key, fields in find(document)}


def find(document: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    for part, entries in document.items():
        for entry in entries if isinstance(entries, list) else [entries]:
            if isinstance(entry, dict) and (fields := _fields(entry.get("status"))):
                yield str(entry.get("id") or " ".join(filter(None, [part, str(entry.get("colour", ""))]))), fields


def _fields(status: Any) -> list[str]:
    if status == STAND_IN:
        return [WHOLE]
    if not isinstance(status, dict):
        return []
    return [field for field, word in status.items() if word == STAND_IN]


def sentence(fields: list[str]) -> str:
    known = [str(VALUES.get(field, field)) for field in fields if field != WHOLE]
    if not known:
        return gettext("Our stand-in: no source was found for what the box says.")
    what = ", ".join(dict.fromkeys(known))
    return gettext("Our stand-in, no source was found: %(what)s.") % {"what": what}


def part_title(part: str) -> str:
    return str(PARTS.get(part, part))

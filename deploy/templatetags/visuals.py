"""Images made on the server (icons, avatars, club crests), and dates in the reader's language."""

import hashlib
from datetime import datetime
from functools import lru_cache

from babel.dates import format_date, format_time
from django import template
from django.templatetags.static import static
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language

register = template.Library()

# Deep enough for white letters on each of them (4.5:1), one pair a stone.
PALETTE = (
    ("#8a6100", "#6e4d00"),
    ("#2860cf", "#1c479e"),
    ("#7a41c9", "#5b2c9d"),
    ("#bd2740", "#93182e"),
    ("#b04f06", "#873b02"),
    ("#127345", "#0b5532"),
)
FACETS = ("M0 40 40 0V40z", "M0 0 40 40H0z", "M0 22 40 8V40H0z", "M20 0H40V40H8z", "M0 40V12L40 30V40z")


# Left out of the letters of a crest: The Lantern Table is LT.
ARTICLES = {"the", "a", "an", "il", "lo", "la", "i", "gli", "le"}
# The site uses British English; Babel's plain "en" is American.
LOCALES = {"en": "en_GB"}


@register.filter
def day(when: datetime) -> str:
    """A date as its readers write it: 2 October 2025, 2 ottobre 2025, 2 października 2025."""
    return format_date(timezone.localtime(when), format="long", locale=_locale())


@register.filter
def moment(when: datetime) -> str:
    local = timezone.localtime(when)
    date = format_date(local, format="medium", locale=_locale())
    return f"{date}, {format_time(local, format='short', locale=_locale())}"


def _locale() -> str:
    language = get_language() or "en"
    return LOCALES.get(language, language)


@register.simple_tag
def icon(name: str) -> SafeString:
    return format_html(
        '<svg class="icon" aria-hidden="true" focusable="false"><use href="{}#{}"/></svg>',
        static("icons.svg"),
        name,
    )


@register.simple_tag
def avatar(person: object, size: str = "m") -> SafeString:
    """A person's picture: initials on facets. The handle decides them, so that it never changes."""
    handle = str(getattr(person, "handle", "") or person)
    return _gem("avatar", seed=handle, words=str(getattr(person, "display_name", "") or handle), size=size)


@register.simple_tag
def crest(club: object, size: str = "m") -> SafeString:
    slug = str(getattr(club, "slug", "") or club)
    first, _, rest = str(getattr(club, "name", "") or slug).partition(" ")
    words = rest if first.casefold() in ARTICLES and rest else f"{first} {rest}"
    return _gem("crest", seed=slug, words=words, size=size)


def initials(words: str) -> str:
    parts = [part for part in words.replace("-", " ").replace("_", " ").split() if part[0].isalnum()]
    letters = [parts[0][0], parts[-1][0]] if len(parts) > 1 else [letter for part in parts for letter in part[:2]]
    return "".join(letters).upper() or "?"


@lru_cache(maxsize=4096)
def _gem(shape: str, *, seed: str, words: str, size: str) -> SafeString:
    digest = hashlib.sha256(seed.encode()).digest()
    base, facet = PALETTE[digest[0] % len(PALETTE)]
    return format_html(
        '<svg class="{} {}-{}" viewBox="0 0 40 40" aria-hidden="true" focusable="false">'
        '<path fill="{}" d="M0 0H40V40H0z"/><path fill="{}" d="{}"/><text x="20" y="25.4">{}</text></svg>',
        shape,
        shape,
        size,
        base,
        facet,
        FACETS[digest[1] % len(FACETS)],
        initials(words),
    )

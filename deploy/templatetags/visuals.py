"""Images made on the server (icons, avatars, club crests), and dates in the reader's language."""

import hashlib
from datetime import datetime
from functools import lru_cache

from babel.dates import format_date, format_time, format_timedelta
from django import template
from django.contrib.humanize.templatetags.humanize import naturaltime
from django.templatetags.static import static
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from accounts.models import ClubColour
from games.models.record import level_picture

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
# The colours that a club can choose, in the order of PALETTE.
COLOURS = [code for code in ClubColour.values if code]
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


@register.filter
def relative(when: datetime) -> str:
    """2 minutes ago, or in 7 days: Django's own words for what is to come are not what an Italian says."""
    to_come = when - timezone.now()
    if to_come.total_seconds() <= 0:
        return str(naturaltime(when))
    return format_timedelta(to_come, threshold=1.5, add_direction=True, locale=_locale())


@register.filter
def with_sign(number: int) -> str:
    """+3, −3 with a real minus, or 0."""
    return f"{number:+d}".replace("-", "−") if number else "0"


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
    """A person's portrait, or initials on facets. The handle decides those, so that they never change."""
    if address := getattr(person, "picture", ""):
        return _image("avatar", address, size)
    handle = str(getattr(person, "handle", "") or person)
    # The account under which a level of the site's bots is rated.
    if handle.startswith("~") and (address := level_picture(handle[1:].partition("-")[0])):
        return _image("avatar", address, size)
    words = str(getattr(person, "display_name", "") or handle)
    return _gem("avatar", seed=handle, words=words, size=size, palette=_drawn_palette(handle))


@register.simple_tag
def crest(club: object, size: str = "m") -> SafeString:
    """A club's emblem, or its letters on facets of its colour."""
    if address := getattr(club, "picture", ""):
        return _image("crest", address, size)
    slug = str(getattr(club, "slug", "") or club)
    first, _, rest = str(getattr(club, "name", "") or slug).partition(" ")
    words = rest if first.casefold() in ARTICLES and rest else f"{first} {rest}"
    return _gem("crest", seed=slug, words=words, size=size, palette=_palette_of(slug, club))


@register.filter
def club_colour(club: object) -> str:
    """The token of a club's colour: the one it has chosen, or the one of its drawn crest."""
    slug = str(getattr(club, "slug", "") or club)
    return COLOURS[_palette_of(slug, club)]


def _palette_of(slug: str, club: object) -> int:
    chosen = str(getattr(club, "colour", ""))
    return COLOURS.index(chosen) if chosen in COLOURS else _drawn_palette(slug)


def _drawn_palette(seed: str) -> int:
    return hashlib.sha256(seed.encode()).digest()[0] % len(PALETTE)


def _image(shape: str, address: str, size: str) -> SafeString:
    """Beside a name, so that it says nothing more to those who do not see it."""
    return format_html(
        '<img class="{} {}-{}" src="{}" alt="" width="40" height="40" loading="lazy" decoding="async">',
        shape,
        shape,
        size,
        address,
    )


def initials(words: str) -> str:
    parts = [part for part in words.replace("-", " ").replace("_", " ").split() if part[0].isalnum()]
    letters = [parts[0][0], parts[-1][0]] if len(parts) > 1 else [letter for part in parts for letter in part[:2]]
    return "".join(letters).upper() or "?"


@lru_cache(maxsize=4096)
def _gem(shape: str, *, seed: str, words: str, size: str, palette: int) -> SafeString:
    digest = hashlib.sha256(seed.encode()).digest()
    base, facet = PALETTE[palette]
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

"""Names in a row and moments, as each language says them."""

from collections.abc import Iterable
from datetime import datetime

from babel.dates import format_skeleton, format_time, format_timedelta
from babel.lists import format_list
from django.utils import timezone
from django.utils.translation import get_language

# The house writes British English: no comma before the last.
LOCALES = {"en": "en_GB"}


def listed(names: Iterable[str]) -> str:
    """Ada, Bruno and Celia."""
    return format_list(list(names), locale=_locale())


def when(moment: datetime) -> str:
    """Fri 4 Dec, 19:00, on the reader's clock."""
    local = timezone.localtime(moment)
    date = format_skeleton("MMMEd", local, locale=_locale())
    return f"{date}, {format_time(local, format='short', locale=_locale())}"


def left(moment: datetime) -> str:
    """In 3 days, or 3 days ago."""
    return format_timedelta(moment - timezone.now(), threshold=1.5, add_direction=True, locale=_locale())


def _locale() -> str:
    language = get_language() or "en"
    return LOCALES.get(language, language)

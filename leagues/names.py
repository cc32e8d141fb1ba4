"""Names in a row and moments, as each language says them."""

from collections.abc import Iterable
from datetime import datetime

from babel.dates import format_skeleton, format_time
from babel.lists import format_list
from django.utils import timezone
from django.utils.translation import get_language

# The house writes British English: no comma before the last.
LOCALES = {"en": "en_GB"}


def listed(names: Iterable[str]) -> str:
    """Ada, Bruno and Celia."""
    return format_list(list(names), locale=locale())


def when(moment: datetime) -> str:
    """Fri 4 Dec, 19:00, on the reader's clock."""
    local = timezone.localtime(moment)
    date = format_skeleton("MMMEd", local, locale=locale())
    return f"{date}, {format_time(local, format='short', locale=locale())}"


def locale() -> str:
    language = get_language() or "en"
    return LOCALES.get(language, language)

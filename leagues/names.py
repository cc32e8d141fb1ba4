"""Names in a row, as each language says it."""

from collections.abc import Iterable

from babel.lists import format_list
from django.utils.translation import get_language

# The house writes British English: no comma before the last.
LOCALES = {"en": "en_GB"}


def listed(names: Iterable[str]) -> str:
    """Ada, Bruno and Celia."""
    language = get_language() or "en"
    return format_list(list(names), locale=LOCALES.get(language, language))

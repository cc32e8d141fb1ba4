"""Filters for the texts of the API documentation."""

import re

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

register = template.Library()


@register.filter
def ticks(words: str) -> SafeString:
    """Text in `backticks` becomes code."""
    return mark_safe(re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(words)))  # noqa: S308


@register.filter
def at(example: str, host: str) -> str:
    return example.replace("HOST", host)

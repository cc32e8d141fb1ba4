"""What parts of an address look like; whoever uses one in a path imports this module."""

from django.urls import register_converter
from django.urls.converters import StringConverter


class TableKey(StringConverter):
    """The key of a table of a competition: longer than any number of a season, so the two never meet."""

    regex = "[A-Za-z0-9_-]{8,16}"


class Token(StringConverter):
    """The secret part of a person's calendar address."""

    regex = "[A-Za-z0-9_.-]{1,100}"


register_converter(TableKey, "tablekey")
register_converter(Token, "feedtoken")

"""URL path converters. A module that uses one in a path imports this one."""

from django.urls import register_converter
from django.urls.converters import StringConverter


class Handle(StringConverter):
    """A handle, or the anonymous one of a deleted account."""

    regex = "[A-Za-z0-9_~-]{1,30}"


register_converter(Handle, "handle")

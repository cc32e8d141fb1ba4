"""Serializers that belong to no app."""

from functools import cache
from typing import Any

from rest_framework import serializers


class ProblemSerializer(serializers.Serializer[Any]):
    """Why a request was refused (RFC 9457)."""

    type = serializers.CharField(help_text="Where this kind of problem is explained.")
    title = serializers.CharField(help_text="What kind of problem it is.")
    status = serializers.IntegerField()
    detail = serializers.CharField(help_text="What happened here, in the language asked for.")
    code = serializers.CharField(help_text="The kind of problem in one stable word, for programs.")
    errors = serializers.DictField(  # type: ignore[assignment]
        child=serializers.ListField(child=serializers.CharField()),
        required=False,
        help_text="What is wrong, by field; `seats.0.rank` is a field inside others, the empty name is the whole.",
    )
    retry_after = serializers.IntegerField(required=False, help_text="Seconds to wait.")
    ply = serializers.IntegerField(required=False, help_text="Where the match stands now.")

    class Meta:
        ref_name = "Problem"


class Empty(serializers.Serializer[Any]):
    """Nothing to say or to add."""


@cache
def page_of(serializer: type[serializers.Serializer[Any]]) -> type[serializers.Serializer[Any]]:
    """One page of a list of these."""
    fields = {
        "next": serializers.URLField(allow_null=True, help_text="The address of the next page."),
        "previous": serializers.URLField(allow_null=True, help_text="The address of the page before."),
        "results": serializer(many=True),
        "__doc__": "One page of a list.",
    }
    return type(f"{serializer.__name__}Page", (serializers.Serializer,), fields)

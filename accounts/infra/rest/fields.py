"""Strict input fields: no conversion between types, and unknown fields are errors."""

from typing import Any, NoReturn

from django.db import models
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers


class Text(serializers.CharField):
    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class Whole(serializers.IntegerField):
    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, bool) or not isinstance(data, int | float):
            self.fail("invalid")
        return super().to_internal_value(data)


class Flag(serializers.BooleanField):
    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


@extend_schema_field({"type": "string", "pattern": r"^([01]\d|2[0-3]):[0-5]\d$"})
class ClockTime(serializers.TimeField):
    """An hour on the club's own clock, such as 19:30."""

    def __init__(self, **how: Any) -> None:
        super().__init__(format="%H:%M", input_formats=["%H:%M"], **how)


def refuse(field: str, why: str) -> NoReturn:
    """Refuse a value that does not fit the other values."""
    raise serializers.ValidationError({field: [why]}, "contradiction")


# What an operation takes. A field that it does not know is an error. (A comment, because the schema would show a
# docstring as the description of every subclass.)
class InputSerializer(serializers.Serializer[Any]):
    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict) and (unknown := sorted(set(map(str, data)) - set(self.fields))):
            raise serializers.ValidationError({name: [_("There is no such field.")] for name in unknown}, "unknown")
        return super().to_internal_value(data)


class ModelInput(InputSerializer, serializers.ModelSerializer[Any]):
    serializer_field_mapping = {
        **serializers.ModelSerializer.serializer_field_mapping,
        models.CharField: Text,
        models.TextField: Text,
        models.BooleanField: Flag,
        models.PositiveSmallIntegerField: Whole,
        models.PositiveIntegerField: Whole,
    }

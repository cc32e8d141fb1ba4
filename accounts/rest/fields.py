"""What comes in, taken at its word: a number is a number, a text a text, and nothing unknown is passed over."""

from typing import Any, NoReturn

from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.models import Club, User


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


class ClubField(serializers.SlugField):
    """An open club by its slug."""

    default_error_messages = {"does_not_exist": _l("There is no such club.")}

    def __init__(self, **how: Any) -> None:
        super().__init__(max_length=60, **how)

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str):
            self.fail("invalid")
        club = Club.objects.open().filter(slug=data).first()
        if club is None:
            self.fail("does_not_exist")
        return club

    def run_validators(self, value: Any) -> None:
        """They are for the slug, and it has been found."""


def refuse(field: str, why: str) -> NoReturn:
    """A value that is possible, but not with the others."""
    raise serializers.ValidationError({field: [why]}, "contradiction")


# What an operation takes; a field that it does not know is a mistake of the sender's. (A comment, because a
# docstring would be told about every shape below it.)
class Terms(serializers.Serializer):
    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict) and (unknown := sorted(set(map(str, data)) - set(self.fields))):
            raise serializers.ValidationError({name: [_("There is no such field.")] for name in unknown}, "unknown")
        return super().to_internal_value(data)


class ModelTerms(Terms, serializers.ModelSerializer):
    serializer_field_mapping = {
        **serializers.ModelSerializer.serializer_field_mapping,
        models.CharField: Text,
        models.TextField: Text,
        models.BooleanField: Flag,
        models.PositiveSmallIntegerField: Whole,
        models.PositiveIntegerField: Whole,
    }


class PersonShape(serializers.Serializer):
    """Somebody, as others see them. Whoever has deleted their account has no handle any more."""

    handle = serializers.SerializerMethodField()
    name = serializers.CharField()
    is_bot = serializers.BooleanField()
    is_guest = serializers.BooleanField()

    def get_handle(self, person: User) -> str:
        return "" if person.deleted_at else person.handle

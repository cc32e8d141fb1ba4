"""API fields for clubs and people."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from accounts.models import Club, User


class ClubField(serializers.SlugField):
    """An open club by its slug."""

    default_error_messages = {"does_not_exist": _("There is no such club.")}

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
        """Skip them: they check the slug, and the value is already a club."""


class PersonSerializer(serializers.Serializer[Any]):
    """Somebody, as others see them. Whoever has deleted their account has no handle any more."""

    handle = serializers.SerializerMethodField()
    name = serializers.CharField()
    is_bot = serializers.BooleanField()
    is_guest = serializers.BooleanField()
    picture = serializers.CharField(help_text="The address of their portrait; empty for a drawn one.")

    def get_handle(self, person: User) -> str:
        return "" if person.deleted_at else person.handle

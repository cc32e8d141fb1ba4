from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework.request import Request

from accounts import access, api_tokens, people
from accounts.access import Actor, Permission
from accounts.api import serializers
from accounts.api.base import Api, PersonRequest
from accounts.infra.rest import Data, Problem, operation
from accounts.models import ApiToken, Club, Scope, User
from accounts.notifications.service import unread_count


class Me(Api):
    tag = "me"

    @operation("read_me", gives=serializers.MeSerializer, private=True)
    def get(self, request: PersonRequest) -> User:
        """The person whose token this is, with their settings and clubs."""
        return _whole(request.user)

    @operation("change_settings", takes=serializers.SettingsInput, gives=serializers.MeSerializer, scope=Scope.PLAY)
    def patch(self, request: PersonRequest, data: Data) -> User:
        """Change some of one's settings."""
        return _whole(people.change_settings(person=request.user, **data))


class Token(Api):
    tag = "me"

    @operation("read_token", gives=serializers.TokenSerializer, private=True)
    def get(self, request: PersonRequest) -> ApiToken:
        """The token that this request was made with."""
        return _token(request)

    @operation("revoke_token")
    def delete(self, request: PersonRequest) -> None:
        """Revoke the token that this request was made with."""
        api_tokens.revoke(person=request.user, token=_token(request))


class Person(Api):
    tag = "people"

    @operation("read_person", gives=serializers.ProfileSerializer)
    def get(self, request: Request, handle: str) -> Any:
        """Somebody’s profile."""
        person = get_object_or_404(User, handle__iexact=handle, is_active=True)
        access.require(request.user, Permission.SEE_PROFILE, person)
        return _with_clubs(person, request.user)


def _whole(person: User) -> User:
    person.unread = unread_count(person)  # type: ignore[attr-defined]
    return _with_clubs(person, person)


def _with_clubs(person: User, reader: Actor) -> User:
    seen = person.memberships.filter(club__in=Club.objects.seen_by(reader)).select_related("club")
    person.clubs = seen.order_by("joined_at", "pk")  # type: ignore[attr-defined]
    return person


def _token(request: PersonRequest) -> ApiToken:
    if not isinstance(request.auth, ApiToken):
        raise Problem("refused", "This request was made without a token.")
    return request.auth

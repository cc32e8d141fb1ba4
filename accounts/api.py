"""People, clubs and notices for programs: the same verbs as the pages."""

from django.urls import path
from rest_framework import serializers

from accounts import tokens
from accounts.models import ApiToken, Scope
from accounts.rest import Api, PersonRequest, Problem, operation


class TokenShape(serializers.ModelSerializer):
    """The token that asks."""

    scopes = serializers.ListField(child=serializers.ChoiceField(Scope.choices))

    class Meta:
        model = ApiToken
        fields = ["name", "prefix", "scopes", "made_at", "expires_at", "last_used_at"]


class OwnToken(Api):
    tag = "me"

    @operation("read_token", gives=TokenShape, private=True)
    def get(self, request: PersonRequest) -> ApiToken:
        """The token that this request was made with."""
        return _token(request)

    @operation("revoke_token", scope=Scope.READ)
    def delete(self, request: PersonRequest) -> None:
        """Revoke the token that this request was made with."""
        tokens.revoke(person=request.user, token=_token(request))


def _token(request: PersonRequest) -> ApiToken:
    if not isinstance(request.auth, ApiToken):
        raise Problem("refused", "This request was made without a token.")
    return request.auth


urlpatterns = [
    path("me/token/", OwnToken.as_view()),
]

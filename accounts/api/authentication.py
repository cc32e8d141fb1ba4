"""Authentication: programs by token, the site's own pages by session."""

from django.utils.translation import gettext_lazy as _
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from accounts import api_tokens
from accounts.models import ApiToken, User

SCHEME = "bearer"


class Bearer(BaseAuthentication):
    """`Authorization: Bearer gauntlet_…`"""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        scheme, _space, secret = request.META.get("HTTP_AUTHORIZATION", "").strip().partition(" ")
        if scheme.lower() != SCHEME:
            return None
        token = api_tokens.authenticate_secret(secret.strip()) if secret.isascii() else None
        if token is None:
            raise AuthenticationFailed(_("This token is unknown, has expired or was revoked."))
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="api"'


class Session(SessionAuthentication):
    """A page of the site, which must send its CSRF token with every change."""

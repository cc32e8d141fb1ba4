"""A person's own language, hours and theme on every page: the profile, then the cookie, then the browser."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation

THEME_COOKIE = "theme"


def preferences(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Stands behind LocaleMiddleware, which has already asked the cookie and the browser."""

    def middleware(request: HttpRequest) -> HttpResponse:
        user = request.user
        zone = user.zone if user.is_authenticated else timezone.get_default_timezone()
        if user.is_authenticated:
            translation.activate(user.language)
            request.LANGUAGE_CODE = user.language
        with timezone.override(zone):
            response = get_response(request)
        _remember(request, response)
        return response

    return middleware


def _remember(request: HttpRequest, response: HttpResponse) -> None:
    """So that the house still speaks a person's language, and keeps their light, after they log out."""
    # Asked again, because the view may have logged somebody in or changed the setting.
    user = request.user
    # A program with a token has a person too, but keeps no cookies.
    if not user.is_authenticated or getattr(request, "auth", None):
        return
    for name, value in ((settings.LANGUAGE_COOKIE_NAME, user.language), (THEME_COOKIE, user.theme)):
        if request.COOKIES.get(name) != value:
            response.set_cookie(
                name,
                value,
                max_age=365 * 24 * 3600,
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
                samesite="Lax",
            )

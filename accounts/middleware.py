"""A person's own language, hours and theme on every page: the profile, then the cookie, then the browser."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation

THEME_COOKIE = "theme"


def preferences(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Stands behind LocaleMiddleware, which has already asked the cookie and the browser."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if not request.user.is_authenticated:
            return get_response(request)
        translation.activate(request.user.language)
        request.LANGUAGE_CODE = translation.get_language()
        with timezone.override(request.user.zone):
            response = get_response(request)
        return remember(request, response)

    return middleware


def remember(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """So that the house still speaks a person's language, and keeps their light, after they log out."""
    user = request.user
    if not user.is_authenticated:
        return response
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
    return response

"""A person's own language and hours on every page: the profile, then the cookie, then the browser."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation


def preferences(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Stands behind LocaleMiddleware, which has already asked the cookie and the browser."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if not request.user.is_authenticated:
            return get_response(request)
        translation.activate(request.user.language)
        request.LANGUAGE_CODE = translation.get_language()
        with timezone.override(request.user.zone):
            response = get_response(request)
        return remember_language(request, response)

    return middleware


def remember_language(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """So that the house still speaks a person's language after they log out."""
    user = request.user
    if user.is_authenticated and request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME) != user.language:
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            user.language,
            max_age=365 * 24 * 3600,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    return response

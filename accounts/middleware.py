"""A person's own language and hours on every page: the profile, then the cookie, then the browser."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation


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
        _remember_language(request, response)
        return response

    return middleware


def _remember_language(request: HttpRequest, response: HttpResponse) -> None:
    """So that the house still speaks a person's language after they log out."""
    # Asked again, because the view may have logged somebody in or changed the setting.
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

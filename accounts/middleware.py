"""Language, time zone and theme of every page, and what a form may hold."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone, translation

from accounts.infra.input import is_storable

THEME_COOKIE = "theme"


def preferences(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """From the profile, then the cookie, then the browser: LocaleMiddleware has already looked at these two."""

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


def storable_input(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Refuse forms and queries with characters that no database stores. The API does so where it reads JSON."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if not request.path.startswith("/api/") and not _is_storable(request):
            return render(request, "400.html", {"unstorable": True}, status=400)
        return get_response(request)

    return middleware


def _is_storable(request: HttpRequest) -> bool:
    given = [request.GET]
    if request.method == "POST":
        given.append(request.POST)
        if any(not is_storable(file.name or "") for _, files in request.FILES.lists() for file in files):
            return False
    return all(is_storable(text) for each in given for name, texts in each.lists() for text in (name, *texts))


def _remember(request: HttpRequest, response: HttpResponse) -> None:
    """Keep the user's language and theme in cookies, so that they stay after logging out."""
    # Read again: the view may have logged a user in or changed the setting.
    user = request.user
    # A program with a token has a user too, but no cookies.
    # Who plays without an account has no settings: their cookies are all there is.
    if not user.is_authenticated or user.is_trial or getattr(request, "auth", None):
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

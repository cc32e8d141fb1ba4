"""How a person likes the site: language and theme, kept in a cookie and, for members, in the profile."""

from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils import translation
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views import i18n
from django.views.decorators.http import require_POST
from django_htmx.http import trigger_client_event

THEME_COOKIE = "theme"
THEMES = {"auto": gettext_lazy("Automatic"), "light": gettext_lazy("Light"), "dark": gettext_lazy("Dark")}
A_YEAR = 60 * 60 * 24 * 365


def theme_of(request: HttpRequest) -> str:
    chosen = getattr(request.user, "theme", "") or request.COOKIES.get(THEME_COOKIE, "")
    return chosen if chosen in THEMES else "auto"


def look(request: HttpRequest) -> dict[str, object]:
    """Template context: the theme in force and the ones to choose from."""
    return {"theme": theme_of(request), "themes": THEMES}


@require_POST
def set_theme(request: HttpRequest) -> HttpResponse:
    theme = request.POST.get("theme", "")
    if theme not in THEMES:
        raise BadRequest(_("There is no such theme."))
    htmx = request.headers.get("HX-Request") == "true"
    response = HttpResponse(status=204) if htmx else redirect(_back(request))
    if htmx:
        trigger_client_event(response, "theme", {"theme": theme})
    response.set_cookie(
        THEME_COOKIE,
        theme,
        max_age=A_YEAR,
        samesite="Lax",
        httponly=True,
        secure=settings.SESSION_COOKIE_SECURE,
    )
    return response


@require_POST
def set_language(request: HttpRequest) -> HttpResponseBase:
    if not translation.check_for_language(request.POST.get("language")):
        raise BadRequest(_("There is no such language."))
    return i18n.set_language(request)


def _back(request: HttpRequest) -> str:
    target = request.POST.get("next") or request.headers.get("Referer", "")
    safe = url_has_allowed_host_and_scheme(
        target, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return target if safe else "/"


class ProfileLanguage:
    """A member reads the site in the language of the profile; LocaleMiddleware did cookie and browser."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        language = getattr(request.user, "language", "")
        if language and language != translation.get_language():
            translation.activate(language)
            request.LANGUAGE_CODE = language
        return self.get_response(request)

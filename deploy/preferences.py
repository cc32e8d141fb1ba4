"""Language and theme, set on any page: stored in a cookie and, for members, in the profile."""

from typing import Any

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views import i18n
from django.views.decorators.http import require_POST
from django_htmx.http import trigger_client_event

from accounts import people
from accounts.middleware import THEME_COOKIE
from accounts.models import Language, Theme, User
from accounts.views.common import trial_of

A_YEAR = 60 * 60 * 24 * 365


def look(request: HttpRequest) -> dict[str, Any]:
    """Template context: the current theme, so that a page never flashes in another one; whether e-mails are sent."""
    return {"theme": theme_of(request), "sends_mail": settings.SENDS_MAIL, "trial": trial_of(request)}


def theme_of(request: HttpRequest) -> str:
    # A request that was refused early, because of its host name, has no user yet.
    person = getattr(request, "user", None)
    return person.theme if isinstance(person, User) and person.is_active else theme_of_cookie(request)


def theme_of_cookie(request: HttpRequest) -> str:
    chosen = request.COOKIES.get(THEME_COOKIE, "")
    return chosen if chosen in Theme.values else Theme.AUTO


@require_POST
def set_theme(request: HttpRequest) -> HttpResponse:
    theme = request.POST.get("theme", "")
    if theme not in Theme.values:
        raise BadRequest(_("There is no such theme."))
    if isinstance(request.user, User):
        request.user = people.change_settings(person=request.user, theme=theme)
    response: HttpResponse
    if request.headers.get("HX-Request") == "true":
        response = trigger_client_event(HttpResponse(status=204), "theme", {"theme": theme})
    else:
        response = redirect(_back(request))
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
    language = request.POST.get("language", "")
    if language not in Language.values:
        raise BadRequest(_("There is no such language."))
    if isinstance(request.user, User):
        request.user = people.change_settings(person=request.user, language=language)
    return i18n.set_language(request)


def _back(request: HttpRequest) -> str:
    target = request.POST.get("next") or request.headers.get("Referer", "")
    safe = url_has_allowed_host_and_scheme(
        target, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return target if safe else "/"

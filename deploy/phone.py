"""The app on the phone: what a browser needs to install the site, and the page it shows without a connection.

The service worker itself is `static/js/service-worker.js`. It stores only the pages that are named here, and only for
the log-in they were made for: `reader_mark` says in a header of every page for whom it was made.
"""

import json
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

import engine
from accounts.infra.datetimes import format_datetime
from accounts.models import Theme, User
from accounts.views.common import open_to_trials
from deploy.preferences import theme_of
from leagues.feeds.service import next_dates

READER = "X-Reader"
MAX_DATES = 10


def reader_mark(request: HttpRequest) -> str:
    """For whom a page was made: another log-in, language or theme has another mark. It says nothing to anybody else."""
    key = request.session.session_key
    return f"{_mark(key) if key else 'visitor'}-{get_language()}-{theme_of(request)}"


def alerts_mark(request: HttpRequest) -> str:
    """Which member, at which log-in: a browser that had alerts before switches them on again for the same member."""
    person = getattr(request, "user", None)
    if not isinstance(person, User) or not person.is_active or not request.session.session_key:
        return ""
    return f"{_mark(f'person {person.pk}')}.{_mark(request.session.session_key)}"


def marks(request: HttpRequest) -> dict[str, Any]:
    """Template context: what a page's script needs to know about alerts on this device."""
    return {"alerts_mark": alerts_mark(request)}


def _mark(whose: str) -> str:
    return salted_hmac("deploy.phone", whose, algorithm="sha256").hexdigest()[:16]


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """The web app manifest, in the reader's language."""
    icons = [
        {"src": static(f"app/{name}-{pixels}.png"), "sizes": f"{pixels}x{pixels}", "type": "image/png", "purpose": use}
        for name, use in (("icon", "any"), ("maskable", "maskable"))
        for pixels in (192, 512)
    ]
    shortcuts = [
        {"name": name, "url": reverse(route)}
        for name, route in (
            (pgettext("navigation", "Play"), "games:lobby"),
            (_("Leagues"), "leagues:index"),
            (_("Notices"), "accounts:notices"),
        )
    ]
    document: dict[str, Any] = {
        "id": "/",
        "name": "Gauntlet",
        "short_name": "Gauntlet",
        "description": _("The home of a board-game club: members, leagues and game nights in one place."),
        "lang": get_language(),
        "dir": "ltr",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "theme_color": "#131119" if theme_of(request) == Theme.DARK else "#f6f4ef",
        "background_color": "#131119" if theme_of(request) == Theme.DARK else "#f6f4ef",
        "categories": ["games", "social"],
        "icons": icons,
        "shortcuts": shortcuts,
    }
    return JsonResponse(document, content_type="application/manifest+json", json_dumps_params={"ensure_ascii": False})


@require_safe
@never_cache
def service_worker(request: HttpRequest) -> HttpResponse:
    """The service worker, at the root because that is its scope, and the pages that it may store."""
    script = static("js/service-worker.js")
    site = {
        "offline": reverse("offline"),
        "rules": [reverse("rules:index"), *(reverse("rules:game", args=[name]) for name in sorted(engine.GAMES))],
        "logOut": reverse("account_logout"),
        "changes": [reverse(name) for name in ("account_login", "account_logout", "set_language", "set_theme")],
        "files": [settings.STATIC_URL, "/play/words/"],
        "icon": static("app/icon-192.png"),
        "badge": static("app/badge-96.png"),
        "notices": reverse("accounts:notices"),
        # Another release has other files: this script is another one then, and the browser takes it.
        "version": getattr(staticfiles_storage, "manifest_hash", ""),
    }
    body = f"self.SITE = {json.dumps(site)};\nimportScripts({json.dumps(script)});\n"
    return HttpResponse(body, content_type="text/javascript; charset=utf-8")


@require_safe
@open_to_trials
def offline(request: HttpRequest) -> HttpResponse:
    """What the service worker shows without a connection: the reader's next dates, and the way to the rules."""
    person = request.user
    context = {
        "dates": next_dates(person, MAX_DATES) if isinstance(person, User) and person.is_active else None,
        "fetched_at": format_datetime(timezone.now()),
        "games": sorted(engine.GAMES),
    }
    return render(request, "offline.html", context)

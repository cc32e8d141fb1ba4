"""The screen for the club's projector or television, and the page from which an organiser runs it."""

from typing import Any

import segno
from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import translation
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.infra.input import whole_number
from accounts.models import Language, Theme
from accounts.views.common import PersonRequest, flash_outcome
from leagues.core import access
from leagues.core.access import Permission
from leagues.models import Season
from leagues.seasons import screen as screens
from leagues.seasons.screen_now import ScreenStandings, screen_now
from leagues.views.common import run_season, season_or_404, show

# How much fits on one page of the screen.
TABLES, LINES = 8, 15


@require_safe
@never_cache
def page(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """For everybody who may see the season."""
    season = season_or_404(request, slug, number)
    sees_nights = access.may(request.user, Permission.COME, season.league.club)
    return _screen(request, season, topic=f"season.{season.pk}", sees_nights=sees_nights)


@require_safe
@never_cache
def by_link(request: HttpRequest, key: str) -> HttpResponse:
    """For whoever has the secret link: the television of a private club has no account."""
    season = screens.season_by_key(key)
    if season is None:
        raise Http404
    response = _screen(request, season, topic=f"screen.{key}", sees_nights=True)
    # The address is the secret: no other site and no search engine learns it.
    response["Referrer-Policy"] = "no-referrer"
    response["X-Robots-Tag"] = "noindex"
    return response


def _screen(request: HttpRequest, season: Season, *, topic: str, sees_nights: bool) -> HttpResponse:
    language = request.GET.get("lang", "") or translation.get_language() or Language.ENGLISH
    theme = request.GET.get("theme", Theme.AUTO)
    if language not in Language.values or theme not in Theme.values:
        raise BadRequest("a language or theme that is none")
    with translation.override(language):
        now = screen_now(season, sees_nights=sees_nights)
        address = request.build_absolute_uri(season.get_absolute_url())
        context: dict[str, Any] = {
            "season": season,
            "league": season.league,
            "club": season.league.club,
            "now": now,
            "pages": _in_pages(now.tables, TABLES),
            "standings": [page for each in now.standings for page in _standings_pages(each)],
            "topic": topic,
            "theme": theme,
            "follow": address.partition("://")[2].rstrip("/"),
            "code": _code(address),
        }
        return render(request, "leagues/screen/screen.html", context)


def _in_pages(rows: list[Any], most: int) -> list[list[Any]]:
    """As few pages as possible, all about as long."""
    count = max(1, -(-len(rows) // most))
    size = max(1, -(-len(rows) // count))
    return [rows[at : at + size] for at in range(0, len(rows), size)] or [[]]


def _standings_pages(each: ScreenStandings) -> list[dict[str, Any]]:
    pages = _in_pages(list(each.table.lines), LINES)
    return [{"part": each, "lines": lines} for lines in pages if lines]


def _code(address: str) -> SafeString:
    drawn = segno.make_qr(address, error="m").svg_inline(border=2, dark="#1f1b2a", light="#ffffff", omitsize=True)
    # Made by the library from the site's own address.
    return mark_safe(drawn)  # noqa: S308


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def control(request: PersonRequest, slug: str, number: int) -> HttpResponse:
    """The organiser's page: the address of the screen, its secret link, and the clock."""
    season = run_season(request, slug, number)
    if request.method == "POST":
        _do(request, season, request.POST.get("do", ""))
        return redirect("leagues:screen-control", slug=slug, number=number)
    row = screens.screen_of(season)
    path = reverse("leagues:screen", args=[slug, number])
    secret = reverse("leagues:screen-by-link", args=[row.key]) if row.key else ""
    return show(
        request,
        season,
        "screen/control.html",
        "rounds",
        screen=row,
        is_private=access.is_private(season),
        path=path,
        address=request.build_absolute_uri(path),
        secret=request.build_absolute_uri(secret) if secret else "",
    )


def _do(request: PersonRequest, season: Season, what: str) -> None:
    if what == "clock":
        with flash_outcome(request, _("The clock runs.")):
            screens.start_clock(
                actor=request.user,
                season=season,
                clock=request.POST.get("clock", ""),
                minutes=whole_number(request.POST.get("minutes", "")) or 0,
            )
    elif what == "stop":
        with flash_outcome(request, _("The clock is gone from the screen.")):
            screens.stop_clock(actor=request.user, season=season)
    elif what == "link":
        with flash_outcome(request, _("There is a new secret link.")):
            screens.make_link(actor=request.user, season=season)
    elif what == "unlink":
        with flash_outcome(request, _("The secret link no longer works.")):
            screens.remove_link(actor=request.user, season=season)
    else:
        raise Http404

"""Calendar feeds, and the page with a person's own feed address."""

import hashlib

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone, translation
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.http import http_date
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.access import Permission as InClubs
from accounts.access import require as require_in_clubs
from accounts.models import Club
from accounts.views.common import PersonRequest
from leagues.core import access
from leagues.core.access import Permission
from leagues.feeds import service as feeds
from leagues.models import League

# Calendar programs ask every hour or so; in between a proxy may answer for what is public.
FRESH = 300
REMEMBERED = 14 * 24 * 3600


@login_required
@require_safe
@never_cache
def page(request: PersonRequest) -> HttpResponse:
    address = feeds.address_of(request.user)
    return render(
        request, "leagues/calendar/feed.html", {"address": address, "webcal": address and feeds.webcal_address(address)}
    )


@login_required
@require_POST
def renew(request: PersonRequest) -> HttpResponse:
    feeds.renew(person=request.user)
    messages.success(request, _("This is your calendar’s address now. Older ones no longer work."))
    return redirect("calendar:page")


@require_safe
def own(request: HttpRequest, token: str) -> HttpResponse:
    """A person's own feed. Anybody with the address may read it, because calendar programs cannot log in."""
    person = feeds.reader_of(token)
    if person is None:
        raise Http404
    answer = _answer(request, f"person-{person.pk}", feeds.person_feed(person), person.language)
    patch_cache_control(answer, private=True, max_age=0, must_revalidate=True)
    answer["X-Robots-Tag"] = "noindex"
    return answer


@require_safe
def of_league(request: HttpRequest, slug: str) -> HttpResponse:
    league = get_object_or_404(League.objects.select_related("club"), slug=slug)
    access.require(request.user, Permission.SEE, league)
    language = _language(request)
    with translation.override(language):
        answer = _answer(request, f"league-{league.pk}-{language}", feeds.league_feed(league), language)
    return _for_members(answer) if access.is_private(league) else _public(answer)


@require_safe
def of_club(request: HttpRequest, slug: str) -> HttpResponse:
    club = get_object_or_404(Club, slug=slug)
    require_in_clubs(request.user, InClubs.SEE_CLUB, club)
    language = _language(request)
    with translation.override(language):
        answer = _answer(request, f"club-{club.pk}-{language}", feeds.club_feed(club), language)
    return _for_members(answer) if club.is_private else _public(answer)


def _language(request: HttpRequest) -> str:
    """The language of the address, because calendar programs send none."""
    asked = request.GET.get("language", "")
    return asked if asked in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE


def _public(answer: HttpResponse) -> HttpResponse:
    patch_cache_control(answer, public=True, max_age=FRESH)
    return answer


def _for_members(answer: HttpResponse) -> HttpResponse:
    patch_cache_control(answer, private=True, max_age=0, must_revalidate=True)
    answer["X-Robots-Tag"] = "noindex"
    return answer


def _answer(request: HttpRequest, name: str, body: bytes, language: str) -> HttpResponse:
    answer = HttpResponse(body, content_type="text/calendar; charset=utf-8")
    answer["Content-Disposition"] = 'inline; filename="gauntlet.ics"'
    answer["Content-Language"] = language
    etag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    changed = _changed_at(name, etag)
    answer["ETag"], answer["Last-Modified"] = etag, http_date(changed)
    return get_conditional_response(request, etag, changed, answer) or answer


def _changed_at(name: str, etag: str) -> int:
    """When the feed last changed. If the cache has lost that, it is now: the feed is then sent once too often."""
    known = cache.get(f"feed.{name}")
    if known is None or known[0] != etag:
        known = (etag, int(timezone.now().timestamp()))
        cache.set(f"feed.{name}", known, REMEMBERED)
    return int(known[1])

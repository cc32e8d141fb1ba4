"""Announcements to all players of a season, news of a club, one of them, and the feed of a club's news."""

import hashlib
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import access as club_access
from accounts.infra.errors import Refused
from accounts.models import Club, User
from accounts.views.common import PersonRequest, flash_outcome, form_data, paginate
from leagues.core import access
from leagues.core.access import Permission
from leagues.feeds import news
from leagues.forms.announcement import AnnouncementForm, EditForm, NewsForm
from leagues.models import Announcement, Season
from leagues.seasons import announcements
from leagues.views.common import season_or_404, show

ANNOUNCEMENTS_A_PAGE = 20
# Feed readers ask every hour or so; in between a proxy may answer.
FRESH = 300


@require_http_methods(["GET", "HEAD", "POST"])
def of_season(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """All announcements of a season; organisers write another."""
    season = season_or_404(request, slug, number)
    if request.method == "POST" and not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    done, context = _write(request, season)
    if done:
        return redirect("leagues:announcements", slug=slug, number=number)
    status = 422 if request.method == "POST" else 200
    return show(request, season, "announcements/of_season.html", "season", status=status, **context)


@require_http_methods(["GET", "HEAD", "POST"])
def of_club(request: HttpRequest, club: str) -> HttpResponse:
    """All news of a club; organisers write more."""
    row = get_object_or_404(Club, slug=club)
    club_access.require(request.user, club_access.Permission.SEE_CLUB, row)
    if request.method == "POST" and not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    done, context = _write(request, row)
    if done:
        return redirect("leagues:club-announcements", club=club)
    shown = dict(**context, club=row, can=club_access.allowed(request.user, row))
    status = 422 if request.method == "POST" else 200
    return render(request, "leagues/announcements/of_club.html", shown, status=status)


def _write(request: HttpRequest, about: Season | Club) -> tuple[bool, dict[str, Any]]:
    """Whether an announcement was written, and otherwise what the page shows."""
    may_write = access.may(request.user, Permission.ORGANISE, about)
    if request.method == "POST":
        access.require(request.user, Permission.ORGANISE, about)
    form = (AnnouncementForm if isinstance(about, Season) else NewsForm)(form_data(request))
    if isinstance(request.user, User) and form.is_valid():
        goal: Any = {"season": about} if isinstance(about, Season) else {"club": about}
        try:
            row = announcements.announce(actor=request.user, **form.cleaned_data, **goal)
        except Refused as refused:
            form.add_error(None, refused.message)
        else:
            said = _("Your announcement is on its way.") if row.is_told else _("Your news is on the club’s page.")
            messages.success(request, said)
            return True, {}
    reached = len(announcements.audience(about)) if may_write else 0
    return False, {
        "form": form,
        "may_write": may_write,
        "reaches": ngettext("It reaches %(count)s person.", "It reaches %(count)s people.", reached)
        % {"count": reached},
        "page": paginate(announcements.latest(about), request, ANNOUNCEMENTS_A_PAGE),
    }


@require_safe
def page(request: HttpRequest, pk: int) -> HttpResponse:
    row = _readable(request, pk)
    context = {"announcement": row, "club": row.club, "may_change": _may_change(request, row)}
    return render(request, "leagues/announcements/detail.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: PersonRequest, pk: int) -> HttpResponse:
    row = _readable(request, pk)
    access.require(request.user, Permission.ORGANISE, row.season or row.club)
    form = EditForm(form_data(request), initial={"title": row.title, "text": row.text})
    if form.is_valid():
        try:
            announcements.edit(actor=request.user, announcement=row, **form.cleaned_data)
        except Refused as refused:
            form.add_error(None, refused.message)
        else:
            messages.success(request, _("The announcement is changed."))
            return redirect(row)
    context = {"form": form, "announcement": row, "club": row.club}
    return render(request, "leagues/announcements/edit.html", context, status=422 if form.is_bound else 200)


@require_safe
def feed(request: HttpRequest, club: str) -> HttpResponse:
    """The news of a public club as an Atom feed. Feed readers cannot log in, so a private club has none."""
    row = get_object_or_404(Club, slug=club, is_private=False)
    club_access.require(request.user, club_access.Permission.SEE_CLUB, row)
    body = news.atom_feed(row)
    etag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    answer = HttpResponse(body, content_type="application/atom+xml; charset=utf-8")
    answer["ETag"] = etag
    patch_cache_control(answer, public=True, max_age=FRESH)
    return get_conditional_response(request, etag, None, answer) or answer


@login_required
@require_POST
def delete(request: PersonRequest, pk: int) -> HttpResponse:
    row = _readable(request, pk)
    access.require(request.user, Permission.ORGANISE, row.season or row.club)
    with flash_outcome(request, _("The announcement is deleted.")):
        announcements.delete(actor=request.user, announcement=row)
    return redirect(row.season or row.club)


def _readable(request: HttpRequest, pk: int) -> Announcement:
    rows = Announcement.objects.select_related("by", "club", "season__league__club")
    row = rows.filter(pk=pk).first()
    if row is None or not announcements.may_read(request.user, row):
        raise Http404
    return row


def _may_change(request: HttpRequest, row: Announcement) -> bool:
    return access.may(request.user, Permission.ORGANISE, row.season or row.club)

"""Announcements: to all players of a season, to all members of a club, and one of them."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import access as club_access
from accounts.infra.errors import Refused
from accounts.models import Club, User
from accounts.views.common import PersonRequest, flash_outcome, form_data, paginate
from leagues.core import access
from leagues.core.access import Permission
from leagues.forms.announcement import AnnouncementForm
from leagues.models import Announcement, Season
from leagues.seasons import announcements
from leagues.views.common import season_or_404, show

ANNOUNCEMENTS_A_PAGE = 20


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
    """All announcements to the members of a club; organisers write another."""
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
    form = AnnouncementForm(form_data(request))
    if isinstance(request.user, User) and form.is_valid():
        goal: Any = {"season": about} if isinstance(about, Season) else {"club": about}
        try:
            announcements.announce(actor=request.user, text=form.cleaned_data["text"], **goal)
        except Refused as refused:
            form.add_error(None, refused.message)
        else:
            messages.success(request, _("Your announcement is on its way."))
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
    context = {"announcement": row, "club": row.club, "may_delete": _may_delete(request, row)}
    return render(request, "leagues/announcements/detail.html", context)


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


def _may_delete(request: HttpRequest, row: Announcement) -> bool:
    return access.may(request.user, Permission.ORGANISE, row.season or row.club)

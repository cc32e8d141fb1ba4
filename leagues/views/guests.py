"""A club's guests for organisers, and the page on which a person says whether they are one of them."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts import people
from accounts.infra.errors import Refused
from accounts.models import User
from accounts.views.common import PersonRequest, flash_outcome, posted_text
from leagues.core import access
from leagues.entries import guests
from leagues.forms.entry import find_member
from leagues.models import Entrant, GuestJoin, League, Pairing, Season, TeamMember
from leagues.views.nights import run_club, show_club

State = GuestJoin.State


@login_required
@require_safe
def page(request: PersonRequest, club: str) -> HttpResponse:
    """All guests of a club: rename them, ask a member whether they are one, undo that."""
    home = run_club(request, club)
    known = list(people.guests_of(home).order_by("-is_active", "display_name", "pk"))
    joins = GuestJoin.objects.filter(guest__in=known).select_related("person", "club")
    current = {join.guest_id: join for join in joins.filter(state__in=[State.ASKED, State.JOINED])}
    declined: dict[int, list[User]] = {}
    for join in joins.filter(state=State.DECLINED):
        declined.setdefault(join.guest_id, []).append(join.person)
    seasons = _season_names(known)
    rows = [
        {
            "guest": guest,
            "join": current.get(guest.pk),
            "declined": declined.get(guest.pk, []),
            "seasons": seasons.get(guest.pk, [])[:4],
        }
        for guest in known
        if guest.is_active or guest.pk in current
    ]
    members = User.objects.filter(memberships__club=home, is_active=True, is_bot=False).exclude(pk=request.user.pk)
    context = {"rows": rows, "members": members.order_by("display_name", "handle"), "tab": "guests"}
    return show_club(request, home, "entries/guests.html", **context)


def _season_names(players: list[User]) -> dict[int, list[str]]:
    """Where each of them has played, the oldest first."""
    alone = Entrant.objects.filter(user__in=players).values_list("user", "season")
    in_teams = TeamMember.objects.filter(user__in=players).values_list("user", "season")
    played = {*alone, *in_teams}
    seasons = Season.objects.filter(pk__in={season for _player, season in played}).select_related("league")
    names: dict[int, list[str]] = {}
    for season in seasons.order_by("pk"):
        for player in players:
            if (player.pk, season.pk) in played:
                names.setdefault(player.pk, []).append(season.full_name)
    return names


@login_required
@require_POST
def change(request: PersonRequest, club: str) -> HttpResponse:
    """Rename a guest, or ask a member whether they are this guest."""
    home = run_club(request, club)
    guest = get_object_or_404(people.guests_of(home), handle=posted_text(request, "guest"))
    match request.POST.get("do"):
        case "rename":
            with flash_outcome(request, _("The guest is renamed.")):
                guests.rename(actor=request.user, club=home, guest=guest, name=posted_text(request, "name"))
        case "propose":
            members = list(User.objects.filter(memberships__club=home, is_active=True, is_bot=False))
            try:
                person = find_member(members, posted_text(request, "person"))
                guests.propose(actor=request.user, club=home, guest=guest, person=person)
            except Refused as refused:
                messages.error(request, refused.message)
            else:
                messages.success(request, _("%(name)s is asked.") % {"name": person.name})
        case _:
            raise Http404
    return redirect(f"{reverse('leagues:guests', args=[home.slug])}#guest-{guest.pk}")


def _join_or_404(request: PersonRequest, club: str, pk: int) -> GuestJoin:
    rows = GuestJoin.objects.select_related("club", "guest", "person", "proposed_by")
    join = get_object_or_404(rows, club__slug=club, pk=pk)
    if not guests.may_see(request.user, join):
        raise Http404
    return join


@login_required
@require_safe
def join_page(request: PersonRequest, club: str, pk: int) -> HttpResponse:
    """The question to a person whether they are a guest; then, to those who sat with the guest, whether that is so."""
    join = _join_or_404(request, club, pk)
    # Who sat with the guest in one league may not know of another that is private.
    seasons = guests.seasons_moved(join).filter(league__in=League.objects.seen_by(request.user))
    asked = join.state == State.JOINED and request.user in guests.witnesses_of(join)
    context: dict[str, Any] = {
        "join": join,
        "is_me": join.person_id == request.user.pk,
        "seasons": seasons.exclude(status=Season.Status.DRAFT).order_by("pk"),
        "asked": asked,
        "said": join.witnesses.filter(person=request.user).first(),
        "tables": _together(join, request.user) if asked else [],
        "tab": "guests",
    }
    return show_club(request, join.club, "entries/guest_join.html", **context)


def _together(join: GuestJoin, reader: User) -> list[Pairing]:
    """The tables that the reader sat at with the guest."""
    tables = Pairing.objects.filter(pk__in=join.tables).select_related("round__stage__division__season__league")
    tables = tables.prefetch_related("seats__entrant__members")
    return [each for each in tables if any(access.plays_as(reader, seat.entrant) for seat in each.seats.all())]


@login_required
@require_POST
def step(request: PersonRequest, club: str, pk: int) -> HttpResponse:
    """Accept or decline, ask no longer, undo; or say who the guest was."""
    join, actor = _join_or_404(request, club, pk), request.user
    match request.POST.get("do"):
        case "accept":
            with flash_outcome(request, _("Done: what the guest played is yours.")):
                guests.answer(person=actor, join=join, joins=True)
        case "decline":
            with flash_outcome(request, _("Done: nothing has changed.")):
                guests.answer(person=actor, join=join, joins=False)
        case "withdraw":
            with flash_outcome(request, _("Nobody is asked any more.")):
                guests.withdraw_proposal(actor=actor, join=join)
        case "undo":
            with flash_outcome(request, _("Undone: the guest is a guest again.")):
                guests.undo(actor=actor, join=join)
        case "yes" | "no" as said:
            with flash_outcome(request, _("Thank you: your answer is kept.")):
                guests.vouch(person=actor, join=join, agrees=said == "yes")
        case _:
            raise Http404
    join.refresh_from_db()
    return redirect(join) if guests.may_see(actor, join) else redirect(join.club)

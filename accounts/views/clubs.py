from copy import copy
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import access, audit, clubs, text
from accounts.access import Permission
from accounts.forms import AskForm, ClubForm, HandOverForm, InviteForm
from accounts.models import Club, Invite, JoinRequest, Membership
from accounts.views.common import PersonRequest, form_of, page_of, posted, telling

CLUBS_A_PAGE = 24
MEMBERS_A_PAGE = 100
ENTRIES_A_PAGE = 50


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    query = request.GET.get("q", "").strip()
    found = Club.objects.open().annotate(size=Count("memberships")).order_by("-size", "name", "pk")
    for word in text.plain(query).split():
        found = found.filter(search__contains=word)
    mine: set[int] = set()
    if request.user.is_authenticated:
        mine = set(request.user.memberships.values_list("club_id", flat=True))
    page = page_of(found, request, CLUBS_A_PAGE)
    return render(request, "accounts/clubs.html", {"page": page, "query": query, "mine": mine})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: PersonRequest) -> HttpResponse:
    access.require(request.user, Permission.FOUND_CLUB)
    form = ClubForm(posted(request), initial={"time_zone": request.user.time_zone})
    if form.is_valid():
        club = clubs.found(founder=request.user, **form.cleaned_data)
        messages.success(request, _("Your club is open. Invite somebody!"))
        return redirect(club)
    return render(request, "accounts/club_form.html", {"form": form, "club": None}, status=_status(form))


@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    club = get_object_or_404(Club, slug=slug)
    asked = None
    if request.user.is_authenticated:
        asked = JoinRequest.objects.filter(club=club, user=request.user, status=JoinRequest.Status.PENDING).first()
    context = dict(**_members(request, club), asked=asked, ask_form=AskForm())
    return render(request, "accounts/club.html", context)


@require_safe
def members(request: HttpRequest, slug: str) -> HttpResponse:
    """The list alone, which open pages fetch again when somebody comes or goes."""
    club = get_object_or_404(Club, slug=slug)
    return render(request, "accounts/_members.html", _members(request, club))


def _members(request: HttpRequest, club: Club) -> dict[str, Any]:
    standing = access.standing_of(request.user, club)
    can = access.allowed_as(standing, club)
    if Permission.SEE_CLUB not in can:
        raise access.NotAllowed(Permission.SEE_CLUB)
    page = page_of(Membership.objects.filter(club=club).by_rank(), request, MEMBERS_A_PAGE)
    rows = []
    for membership in page:
        membership.club = club
        rows.append({"membership": membership, "can": access.allowed_as(standing, membership)})
    mine = None
    if request.user.is_authenticated:
        mine = Membership.objects.filter(club=club, user=request.user).first()
    waiting = 0
    if Permission.DECIDE_REQUESTS in can:
        waiting = club.join_requests.filter(status=JoinRequest.Status.PENDING).count()
    return {"club": club, "can": can, "page": page, "rows": rows, "mine": mine, "waiting": waiting}


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: PersonRequest, slug: str) -> HttpResponse:
    club = get_object_or_404(Club, slug=slug)
    access.require(request.user, Permission.EDIT_CLUB, club)
    # A copy, because a form writes even what is invalid into its instance.
    form = ClubForm(posted(request), instance=copy(club))
    if form.is_valid():
        clubs.edit(actor=request.user, club=club, **form.cleaned_data)
        messages.success(request, _("The club’s details are saved."))
        return redirect(club)
    context = {"form": form, "club": club, "can": access.allowed(request.user, club)}
    return render(request, "accounts/club_form.html", context, status=_status(form))


@login_required
@require_safe
def manage(request: PersonRequest, slug: str) -> HttpResponse:
    club = get_object_or_404(Club, slug=slug)
    return manage_page(request, club)


def manage_page(
    request: PersonRequest,
    club: Club,
    invite_form: InviteForm | None = None,
    hand_over_form: HandOverForm | None = None,
    **new_invite: Any,
) -> HttpResponse:
    """The organisers' page; a form that was refused comes back in it with what was typed."""
    access.require(request.user, Permission.DECIDE_REQUESTS, club)
    refused = [form for form in (invite_form, hand_over_form) if form and form.errors]
    context = dict(
        **_members(request, club),
        requests=club.join_requests.filter(status=JoinRequest.Status.PENDING).select_related("user"),
        invites=Invite.objects.usable().filter(club=club).select_related("made_by"),
        invite_form=invite_form or InviteForm(),
        hand_over_form=hand_over_form or HandOverForm(club=club),
        **new_invite,
    )
    return render(request, "accounts/club_manage.html", context, status=422 if refused else 200)


@login_required
@require_safe
def log(request: PersonRequest, slug: str) -> HttpResponse:
    club = get_object_or_404(Club, slug=slug)
    can = access.allowed(request.user, club)
    access.require(request.user, Permission.READ_LOG, club)
    page = page_of(club.audit_entries.select_related("actor", "person"), request, ENTRIES_A_PAGE)
    context = {"club": club, "can": can, "page": page, "lines": audit.in_words(page)}
    return render(request, "accounts/club_log.html", context)


@login_required
@require_POST
def leave(request: PersonRequest, slug: str) -> HttpResponse:
    club = get_object_or_404(Club, slug=slug)
    with telling(request, _("You have left %(club)s.") % {"club": club.name}):
        clubs.leave(person=request.user, club=club)
    return redirect(club)


@login_required
@require_POST
def close(request: PersonRequest, slug: str) -> HttpResponse:
    club = get_object_or_404(Club, slug=slug)
    with telling(request, _("%(club)s is closed.") % {"club": club.name}):
        clubs.close(actor=request.user, club=club)
    return redirect(club)


@login_required
@form_of("accounts:club-manage", "slug")
def hand_over(request: PersonRequest, slug: str) -> HttpResponse:
    club = get_object_or_404(Club, slug=slug)
    access.require(request.user, Permission.HAND_OVER, club)
    form = HandOverForm(request.POST, club=club)
    if not form.is_valid():
        return manage_page(request, club, hand_over_form=form)
    heir = form.cleaned_data["to"]
    with telling(request, _("%(person)s now owns the club.") % {"person": heir.name}):
        clubs.hand_over(actor=request.user, club=club, to=heir)
    return redirect(club)


@login_required
@require_POST
def remove(request: PersonRequest, slug: str, handle: str) -> HttpResponse:
    membership = _membership(slug, handle)
    with telling(request, _("%(person)s is no longer a member.") % {"person": membership.user.name}):
        clubs.remove(actor=request.user, membership=membership)
    return redirect(membership.club)


@login_required
@require_POST
def role(request: PersonRequest, slug: str, handle: str) -> HttpResponse:
    membership = _membership(slug, handle)
    with telling(request, _("%(person)s’s role is changed.") % {"person": membership.user.name}):
        clubs.change_role(actor=request.user, membership=membership, role=request.POST.get("role", ""))
    return redirect(membership.club)


def _membership(slug: str, handle: str) -> Membership:
    return get_object_or_404(
        Membership.objects.select_related("club", "user"), club__slug=slug, user__handle__iexact=handle
    )


def _status(form: ClubForm) -> int:
    return 422 if form.is_bound else 200

from copy import copy
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import access, audit, clubs, sign_in_links
from accounts.access import Permission
from accounts.forms import ClubForm, HandOverForm, InviteForm, JoinRequestForm, MemberWithoutEmailForm, PictureForm
from accounts.infra import text
from accounts.models import Club, Invite, JoinRequest, Membership, SignInLink
from accounts.views.common import PersonRequest, confirm_identity, flash_outcome, form_data, form_of, paginate

CLUBS_A_PAGE = 24
MEMBERS_A_PAGE = 100
ENTRIES_A_PAGE = 50


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    query = request.GET.get("q", "").strip()
    listed = (
        Club.objects.open().seen_by(request.user).annotate(size=Count("memberships")).order_by("-size", "name", "pk")
    )
    for word in text.plain(query).split():
        listed = listed.filter(search__contains=word)
    mine: set[int] = set()
    if request.user.is_authenticated:
        mine = set(request.user.memberships.values_list("club_id", flat=True))
    page = paginate(listed, request, CLUBS_A_PAGE)
    return render(request, "accounts/clubs/list.html", {"page": page, "query": query, "mine": mine})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: PersonRequest) -> HttpResponse:
    access.require(request.user, Permission.CREATE_CLUB)
    form = ClubForm(form_data(request), initial={"time_zone": request.user.time_zone})
    if form.is_valid():
        club = clubs.create_club(founder=request.user, **form.cleaned_data)
        messages.success(request, _("Your club is open. Invite somebody!"))
        return redirect(club)
    return render(request, "accounts/clubs/form.html", {"form": form, "club": None}, status=_status(form))


@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    club = get_object_or_404(Club, slug=slug)
    asked = None
    if request.user.is_authenticated:
        asked = JoinRequest.objects.filter(club=club, user=request.user, status=JoinRequest.Status.PENDING).first()
    context = dict(**_members(request, club), asked=asked, ask_form=JoinRequestForm())
    return render(request, "accounts/clubs/detail.html", context)


@require_safe
def members(request: HttpRequest, slug: str) -> HttpResponse:
    """The list alone, which open pages fetch again when members change."""
    club = get_object_or_404(Club, slug=slug)
    return render(request, "accounts/clubs/_members.html", _members(request, club))


def _members(request: HttpRequest, club: Club) -> dict[str, Any]:
    relation = access.relation_to(request.user, club)
    can = access.allowed_for_relation(relation, club)
    access.require(request.user, Permission.SEE_CLUB, club)
    page = paginate(Membership.objects.filter(club=club).by_rank(), request, MEMBERS_A_PAGE)
    rows = []
    for membership in page:
        membership.club = club
        rows.append({"membership": membership, "can": access.allowed_for_relation(relation, membership)})
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
    # A copy, because a form writes even invalid values into its instance.
    form = ClubForm(form_data(request), instance=copy(club))
    if form.is_valid():
        clubs.edit(actor=request.user, club=club, **form.cleaned_data)
        messages.success(request, _("The club’s details are saved."))
        return redirect(club)
    return details_page(request, club, form)


def details_page(
    request: PersonRequest, club: Club, form: ClubForm, picture_form: PictureForm | None = None
) -> HttpResponse:
    """The page of a club's details; an invalid form is shown again with its errors."""
    context = {
        "form": form,
        "picture_form": picture_form or PictureForm(),
        "club": club,
        "can": access.allowed(request.user, club),
    }
    refused = form.is_bound or picture_form is not None
    return render(request, "accounts/clubs/form.html", context, status=422 if refused else 200)


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
    member_form: MemberWithoutEmailForm | None = None,
    **new_invite: Any,
) -> HttpResponse:
    """The organisers' page; an invalid form is shown again with its errors."""
    access.require(request.user, Permission.DECIDE_REQUESTS, club)
    refused = [form for form in (invite_form, hand_over_form, member_form) if form and form.errors]
    context = dict(
        **_members(request, club),
        requests=club.join_requests.filter(status=JoinRequest.Status.PENDING).select_related("user"),
        invites=Invite.objects.usable().filter(club=club).select_related("made_by"),
        invite_form=invite_form or InviteForm(),
        hand_over_form=hand_over_form or HandOverForm(club=club),
        member_form=member_form or MemberWithoutEmailForm(),
        looked_after=_looked_after(club),
        **new_invite,
    )
    return render(request, "accounts/clubs/manage.html", context, status=422 if refused else 200)


def _looked_after(club: Club) -> list[dict[str, Any]]:
    """Members whose account the club made, each with the link that waits for them."""
    theirs = club.memberships.filter(user__looked_after_by=club).by_rank()
    waiting = {link.user_id: link for link in SignInLink.objects.usable().filter(club=club)}
    kept = [membership for membership in theirs if sign_in_links.is_looked_after(membership)]
    return [{"person": each.user, "link": waiting.get(each.user_id)} for each in kept]


@login_required
@require_safe
def log(request: PersonRequest, slug: str) -> HttpResponse:
    club = get_object_or_404(Club, slug=slug)
    can = access.allowed(request.user, club)
    access.require(request.user, Permission.READ_LOG, club)
    page = paginate(club.audit_entries.select_related("actor", "person"), request, ENTRIES_A_PAGE)
    context = {"club": club, "can": can, "page": page, "lines": audit.render_entries(page)}
    return render(request, "accounts/clubs/log.html", context)


@login_required
@require_POST
def leave(request: PersonRequest, slug: str) -> HttpResponse:
    club = get_object_or_404(Club, slug=slug)
    with flash_outcome(request, _("You have left %(club)s.") % {"club": club.name}):
        clubs.leave(person=request.user, club=club)
    return redirect(club)


@login_required
@require_POST
@confirm_identity
def close(request: PersonRequest, slug: str) -> HttpResponse:
    club = get_object_or_404(Club, slug=slug)
    with flash_outcome(request, _("%(club)s is closed.") % {"club": club.name}):
        clubs.close(actor=request.user, club=club)
    return redirect(club)


@login_required
@form_of("accounts:club-manage", "slug")
@confirm_identity
def hand_over(request: PersonRequest, slug: str) -> HttpResponse:
    club = get_object_or_404(Club, slug=slug)
    access.require(request.user, Permission.HAND_OVER, club)
    form = HandOverForm(request.POST, club=club)
    if not form.is_valid():
        return manage_page(request, club, hand_over_form=form)
    heir = form.cleaned_data["to"]
    with flash_outcome(request, _("%(person)s now owns the club.") % {"person": heir.name}):
        clubs.hand_over(actor=request.user, club=club, to=heir)
    return redirect(club)


@login_required
@require_POST
def remove(request: PersonRequest, slug: str, handle: str) -> HttpResponse:
    membership = _membership(slug, handle)
    with flash_outcome(request, _("%(person)s is no longer a member.") % {"person": membership.user.name}):
        clubs.remove(actor=request.user, membership=membership)
    return redirect(membership.club)


@login_required
@require_POST
def role(request: PersonRequest, slug: str, handle: str) -> HttpResponse:
    membership = _membership(slug, handle)
    with flash_outcome(request, _("%(person)s’s role is changed.") % {"person": membership.user.name}):
        clubs.change_role(actor=request.user, membership=membership, role=request.POST.get("role", ""))
    return redirect(membership.club)


def _membership(slug: str, handle: str) -> Membership:
    return get_object_or_404(
        Membership.objects.select_related("club", "user"), club__slug=slug, user__handle__iexact=handle
    )


def _status(form: ClubForm) -> int:
    return 422 if form.is_bound else 200

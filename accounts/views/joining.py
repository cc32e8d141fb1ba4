from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts import access, joining
from accounts.access import Permission
from accounts.forms import InviteForm, JoinRequestForm
from accounts.infra.errors import Refused
from accounts.models import Club, Invite, JoinRequest, Membership
from accounts.views.clubs import manage_page
from accounts.views.common import PersonRequest, flash_outcome, form_of


@login_required
@require_POST
def request_to_join(request: PersonRequest, slug: str) -> HttpResponse:
    club = get_object_or_404(Club, slug=slug)
    form = JoinRequestForm(request.POST)
    if not form.is_valid():
        access.require(request.user, Permission.ASK_TO_JOIN, club)
        messages.error(request, " ".join(map(str, form.errors["message"])))
        return redirect(club)
    with flash_outcome(request, _("Your request is with the organisers.")):
        joining.request_to_join(person=request.user, club=club, message=form.cleaned_data["message"])
    return redirect(club)


@login_required
@require_POST
def withdraw(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    asked = _request(slug, pk)
    with flash_outcome(request, _("Your request is withdrawn.")):
        joining.withdraw(person=request.user, request=asked)
    return redirect(asked.club)


@login_required
@require_POST
def approve(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    asked = _request(slug, pk)
    with flash_outcome(request, _("%(person)s is now a member.") % {"person": asked.user.name}):
        joining.approve(actor=request.user, request=asked)
    return redirect("accounts:club-manage", slug=slug)


@login_required
@require_POST
def decline(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    asked = _request(slug, pk)
    with flash_outcome(request, _("%(person)s’s request is declined.") % {"person": asked.user.name}):
        joining.decline(actor=request.user, request=asked)
    return redirect("accounts:club-manage", slug=slug)


@login_required
@form_of("accounts:club-manage", "slug")
@never_cache
def invite(request: PersonRequest, slug: str) -> HttpResponse:
    """Create a link and show it at once: the token is not stored and cannot be shown again."""
    club = get_object_or_404(Club, slug=slug)
    access.require(request.user, Permission.INVITE, club)
    form = InviteForm(request.POST)
    if not form.is_valid():
        return manage_page(request, club, invite_form=form)
    new = joining.invite(actor=request.user, club=club, max_uses=form.cleaned_data["max_uses"], lasting=form.lasting)
    link = request.build_absolute_uri(reverse("accounts:join", args=[new.token]))
    return manage_page(request, club, new_invite=new.invite, link=link)


@login_required
@require_POST
def revoke(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    made = get_object_or_404(Invite.objects.select_related("club"), pk=pk, club__slug=slug)
    with flash_outcome(request, _("The invite link no longer works.")):
        joining.revoke(actor=request.user, invite=made)
    return redirect("accounts:club-manage", slug=slug)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def accept(request: HttpRequest, token: str) -> HttpResponse:
    if request.method == "POST" and request.user.is_authenticated:
        try:
            club = joining.accept(person=request.user, token=token)
        except Refused as refused:
            messages.error(request, refused.message)
        else:
            messages.success(request, _("Welcome to %(club)s!") % {"club": club.name})
            return redirect(club)
    invite = joining.find(token)
    is_member = (
        invite is not None
        and request.user.is_authenticated
        and Membership.objects.filter(club=invite.club, user=request.user).exists()
    )
    if invite is not None and is_member:
        return redirect(invite.club)
    return render(request, "accounts/clubs/accept_invite.html", {"invite": invite}, status=200 if invite else 410)


def _request(slug: str, pk: int) -> JoinRequest:
    return get_object_or_404(JoinRequest.objects.select_related("club", "user"), pk=pk, club__slug=slug)

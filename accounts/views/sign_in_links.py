"""Accounts of members without an e-mail address, and the links that they sign in with."""

from allauth.account.internal.flows.login import perform_login, record_authentication
from allauth.account.models import Login
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts import access, sign_in_links
from accounts.access import Permission
from accounts.forms import MemberWithoutEmailForm
from accounts.infra.errors import Refused
from accounts.models import Club, Membership, SignInLink
from accounts.sign_in_links import NewLink
from accounts.views.clubs import manage_page
from accounts.views.common import PersonRequest, flash_outcome, form_of


@login_required
@form_of("accounts:club-manage", "slug")
@never_cache
def add_member(request: PersonRequest, slug: str) -> HttpResponse:
    club = get_object_or_404(Club, slug=slug)
    access.require(request.user, Permission.GIVE_SIGN_IN_LINKS, club)
    form = MemberWithoutEmailForm(request.POST)
    if form.is_valid():
        try:
            new = sign_in_links.add_member(actor=request.user, club=club, name=form.cleaned_data["name"])
        except Refused as refused:
            form.add_error("name", refused.message)
        else:
            return _show(request, new)
    return manage_page(request, club, member_form=form)


@login_required
@form_of("accounts:club-manage", "slug")
@never_cache
def make(request: PersonRequest, slug: str, handle: str) -> HttpResponse:
    membership = get_object_or_404(
        Membership.objects.select_related("club", "user"), club__slug=slug, user__handle__iexact=handle
    )
    try:
        new = sign_in_links.make(actor=request.user, membership=membership)
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("accounts:club-manage", slug=slug)
    return _show(request, new)


def _show(request: PersonRequest, new: NewLink) -> HttpResponse:
    """Show the new link at once: its token is not stored and cannot be shown again."""
    address = request.build_absolute_uri(reverse("accounts:sign-in", args=[new.token]))
    return manage_page(request, new.link.club, sign_in_link=address, sign_in_person=new.link.user)


@login_required
@require_POST
def revoke(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    link = get_object_or_404(SignInLink.objects.select_related("club", "user"), pk=pk, club__slug=slug)
    with flash_outcome(request, _("The sign-in link no longer works.")):
        sign_in_links.revoke(actor=request.user, link=link)
    return redirect("accounts:club-manage", slug=slug)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def use(request: HttpRequest, token: str) -> HttpResponse:
    """A page with a button: programs that look at links in messages must not use the link up."""
    link = sign_in_links.find(token)
    if link is not None and request.method == "POST" and not request.user.is_authenticated:
        try:
            person = sign_in_links.use(token=token)
        except Refused:
            link = None
        else:
            record_authentication(request, person, method="sign_in_link")
            # By the stages of every log-in, so that a second factor is asked for. There is no address to confirm.
            response: HttpResponse = perform_login(request, Login(user=person, email_verification="none"))
            return response
    return render(request, "accounts/sign_in.html", {"link": link}, status=200 if link else 410)

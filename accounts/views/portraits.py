"""Portraits and emblems: the pictures themselves, and the forms that upload and remove them."""

from copy import copy

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts import access, portraits
from accounts.access import Permission
from accounts.forms import ClubForm, PictureForm
from accounts.infra.errors import Refused
from accounts.models import Club, Emblem, Portrait, User
from accounts.views.clubs import details_page
from accounts.views.common import PersonRequest, flash_outcome, form_of
from accounts.views.people import settings_page

# Another picture has another address.
FOR_EVER = "max-age=31536000, immutable"


@require_safe
def portrait(request: HttpRequest, handle: str, digest: str) -> HttpResponse:
    person = get_object_or_404(User, handle__iexact=handle, is_active=True)
    access.require(request.user, Permission.SEE_PROFILE, person)
    return _picture(Portrait.objects.filter(user=person, digest=digest).first(), "public")


@require_safe
def emblem(request: HttpRequest, slug: str, digest: str) -> HttpResponse:
    """Of a private club only for those who see the club, and in no cache that others share."""
    club = get_object_or_404(Club, slug=slug)
    access.require(request.user, Permission.SEE_CLUB, club)
    return _picture(Emblem.objects.filter(club=club, digest=digest).first(), "private" if club.is_private else "public")


def _picture(row: Portrait | Emblem | None, cache: str) -> HttpResponse:
    if row is None:
        raise Http404
    headers = {
        "Cache-Control": f"{cache}, {FOR_EVER}",
        "X-Content-Type-Options": "nosniff",
        # Opened by itself it may do nothing, whatever a browser takes it for.
        "Content-Security-Policy": "default-src 'none'; sandbox",
    }
    return HttpResponse(bytes(row.content), content_type="image/webp", headers=headers)


@login_required
@form_of("accounts:settings")
def set_portrait(request: PersonRequest) -> HttpResponse:
    form = PictureForm(request.POST, request.FILES)
    if form.is_valid():
        try:
            portraits.set_portrait(person=request.user, content=form.content)
        except Refused as refused:
            form.add_error("picture", refused.message)
        else:
            messages.success(request, _("This is your portrait now."))
            return redirect("accounts:settings")
    return settings_page(request, picture_form=form)


@login_required
@require_POST
def remove_portrait(request: PersonRequest) -> HttpResponse:
    with flash_outcome(request, _("The portrait is removed.")):
        portraits.remove_portrait(person=request.user)
    return redirect("accounts:settings")


@login_required
@form_of("accounts:club-edit", "slug")
def set_emblem(request: PersonRequest, slug: str) -> HttpResponse:
    club = get_object_or_404(Club, slug=slug)
    access.require(request.user, Permission.EDIT_CLUB, club)
    form = PictureForm(request.POST, request.FILES)
    if form.is_valid():
        try:
            portraits.set_emblem(actor=request.user, club=club, content=form.content)
        except Refused as refused:
            form.add_error("picture", refused.message)
        else:
            messages.success(request, _("This is the club’s emblem now."))
            return redirect("accounts:club-edit", slug=slug)
    return details_page(request, club, ClubForm(instance=copy(club)), picture_form=form)


@login_required
@require_POST
def remove_emblem(request: PersonRequest, slug: str) -> HttpResponse:
    club = get_object_or_404(Club, slug=slug)
    with flash_outcome(request, _("The emblem is removed.")):
        portraits.remove_emblem(actor=request.user, club=club)
    return redirect(club)

from copy import copy

from allauth.usersessions.models import UserSession
from django.conf import settings as site
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import access, people
from accounts.access import Permission
from accounts.forms import DeleteAccountForm, PictureForm, SettingsForm
from accounts.infra.errors import Refused
from accounts.models import Club, Role, User
from accounts.views.common import PersonRequest, confirm_identity_without_password, form_data
from accounts.views.company import acquaintance


@require_safe
def profile(request: HttpRequest, handle: str) -> HttpResponse:
    person = get_object_or_404(User, handle__iexact=handle, is_active=True)
    access.require(request.user, Permission.SEE_PROFILE, person)
    if person.handle != handle:
        return redirect(person, permanent=True)
    memberships = (
        person.memberships.filter(club__in=Club.objects.seen_by(request.user))
        .select_related("club")
        .annotate(size=Count("club__memberships"))
        .order_by("joined_at", "pk")
    )
    known = acquaintance(request.user, person)
    return render(request, "accounts/person.html", {"person": person, "memberships": memberships, "known": known})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: PersonRequest) -> HttpResponse:
    # A copy, because a form writes even invalid values into its instance.
    form = SettingsForm(form_data(request), instance=copy(request.user))
    if form.is_valid():
        request.user = people.change_settings(person=request.user, **form.cleaned_data)
        with translation.override(request.user.language):
            messages.success(request, _("Your settings are saved."))
        return redirect("accounts:settings")
    return settings_page(request, form)


def settings_page(
    request: PersonRequest, form: SettingsForm | None = None, picture_form: PictureForm | None = None
) -> HttpResponse:
    """The page of one's settings; an invalid form is shown again with its errors."""
    context = {
        "form": form or SettingsForm(instance=copy(request.user)),
        "picture_form": picture_form or PictureForm(),
    }
    refused = any(each.is_bound for each in context.values())
    return render(request, "accounts/settings.html", context, status=422 if refused else 200)


@login_required
@require_POST
def end_session(request: PersonRequest, pk: int) -> HttpResponse:
    """Log out on one other device. The list, and ending all others at once, is django-allauth's."""
    session = get_object_or_404(UserSession, pk=pk, user=request.user)
    people.end_session(person=request.user, session=session)
    messages.success(request, _("You are logged out there."))
    return redirect("usersessions_list")


@sensitive_post_parameters("password")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@confirm_identity_without_password
def delete(request: PersonRequest) -> HttpResponse:
    person = request.user
    form = DeleteAccountForm(form_data(request), person=person)
    if form.is_valid():
        try:
            people.delete_account(person=person)
        except Refused as refused:
            form.add_error(None, refused.message)
        else:
            logout(request)
            messages.success(request, _("Your account is deleted. Thank you for playing!"))
            return redirect(site.LOGIN_REDIRECT_URL)
    owned = person.memberships.filter(role=Role.OWNER).select_related("club")
    context = {"form": form, "owned": [membership.club for membership in owned]}
    return render(request, "accounts/account_delete.html", context, status=422 if form.is_bound else 200)

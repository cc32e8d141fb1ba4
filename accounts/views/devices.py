"""Alerts on a device: switched on, tested and switched off on the page of notices."""

from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.infra import browsers
from accounts.infra.errors import Refused
from accounts.models import PushDevice
from accounts.notifications import devices
from accounts.views.common import PersonRequest, flash_outcome, posted_text


@login_required
@require_POST
def add(request: PersonRequest) -> HttpResponse:
    """What a browser got from its push service. `renew`: a script says again what the site knew, and reads no page."""
    # django-allauth writes the row when somebody logs in with a password; here it may be a link that let them in.
    UserSession.objects.create_from_request(request)
    try:
        devices.add_device(
            person=request.user,
            endpoint=posted_text(request, "endpoint"),
            p256dh=posted_text(request, "p256dh"),
            auth=posted_text(request, "auth"),
            name=browsers.name_of(request.headers.get("User-Agent", "")),
            session=UserSession.objects.get(session_key=request.session.session_key),
        )
    except Refused as refused:
        if "renew" in request.POST:
            return HttpResponse(refused.message, status=422, content_type="text/plain; charset=utf-8")
        messages.error(request, refused.message)
        return redirect("accounts:notice-choices")
    if "renew" in request.POST:
        return HttpResponse(status=204)
    messages.success(request, _("Alerts are on for this device."))
    return redirect("accounts:notice-choices")


@login_required
@require_POST
def remove(request: PersonRequest, pk: int) -> HttpResponse:
    device = get_object_or_404(PushDevice, pk=pk, user=request.user)
    with flash_outcome(request, _("That device gets no more alerts.")):
        devices.remove_device(person=request.user, device=device)
    return redirect("accounts:notice-choices")


@login_required
@require_POST
def test(request: PersonRequest, pk: int) -> HttpResponse:
    device = get_object_or_404(PushDevice, pk=pk, user=request.user)
    with flash_outcome(request, _("A test alert is on its way.")):
        devices.send_test(person=request.user, device=device)
    return redirect("accounts:notice-choices")

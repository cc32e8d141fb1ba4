from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import people
from accounts.models import Notice
from accounts.notifications import digest, email, preferences, push, registry
from accounts.notifications import service as notifications
from accounts.notifications.forms import ChoicesForm
from accounts.views.common import PersonRequest, form_data, paginate

NOTICES_A_PAGE = 30


@login_required
@require_safe
def index(request: PersonRequest) -> HttpResponse:
    page = paginate(request.user.notices.select_related("actor", "club"), request, NOTICES_A_PAGE)
    context = {"page": page, "rows": registry.render_all(page), "unread": notifications.unread_count(request.user)}
    return render(request, "accounts/notifications/list.html", context)


@login_required
@require_safe
@never_cache
def bell(request: PersonRequest) -> HttpResponse:
    """The bell alone, which open pages fetch again when a notice arrives."""
    return render(request, "accounts/notifications/_bell.html", {"unread": notifications.unread_count(request.user)})


@login_required
@require_POST
def follow(request: PersonRequest, pk: int) -> HttpResponse:
    """Mark a notice as read and redirect to its page, which is always on this site."""
    notice = get_object_or_404(Notice, pk=pk, user=request.user)
    notifications.read(person=request.user, notice=notice)
    return redirect(notice.path)


@login_required
@require_POST
def read_all(request: PersonRequest) -> HttpResponse:
    notifications.read_all(person=request.user)
    return redirect("accounts:notices")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def choose(request: PersonRequest) -> HttpResponse:
    """Notification preferences by kind, and when the digest comes."""
    form = ChoicesForm(form_data(request), person=request.user)
    if form.is_valid():
        with transaction.atomic():
            people.change_settings(person=request.user, notices_by_mail=form.cleaned_data["by_mail"])
            digest.set_schedule(person=request.user, **form.digest)
            preferences.set_preferences(person=request.user, changes=form.preferences)
        messages.success(request, _("Your choices are saved."))
        return redirect("accounts:notice-choices")
    devices = list(request.user.push_devices.select_related("session"))
    context = {
        "form": form,
        "devices": devices,
        "this_device": next((one for one in devices if one.session and one.session.is_current()), None),
        "push_key": push.public_key(),
    }
    return render(request, "accounts/notifications/preferences.html", context, status=422 if form.is_bound else 200)


# A mail program posts here without cookies or a CSRF token; the signed token is enough.
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def stop(request: HttpRequest, ticket: str) -> HttpResponse:
    """Stop one kind of e-mail. Only a POST does it: a link scanner that opens the page changes nothing."""
    parsed = preferences.parse_unsubscribe_token(ticket)
    if parsed is None:
        raise Http404
    person, kind = parsed
    if request.method == "POST":
        preferences.unsubscribe(person=person, kind=kind)
    with email.as_reader(person):
        title = "" if kind == preferences.DIGEST else registry.kind_title(kind)
        return render(
            request, "accounts/notifications/unsubscribe.html", {"title": title, "done": request.method == "POST"}
        )

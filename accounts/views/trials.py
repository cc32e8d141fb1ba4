"""Keeping the name under which one has played without an account."""

from allauth.account.internal.flows.login import perform_login, record_authentication
from allauth.account.models import Login
from allauth.core import ratelimit
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts import trials
from accounts.forms import KeepTrialForm
from accounts.infra.errors import Refused
from accounts.middleware import THEME_COOKIE
from accounts.views.common import form_data, trial_of


@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def keep(request: HttpRequest) -> HttpResponse:
    person = trial_of(request)
    if person is None:
        return redirect("home") if request.user.is_authenticated else redirect_to_login(reverse("home"))
    form = KeepTrialForm(form_data(request), person=person)
    posted = request.method == "POST"
    limited: HttpResponse | None = ratelimit.consume_or_429(request, action="signup") if posted else None
    if limited is not None:
        return limited
    if form.is_valid():
        theme = request.COOKIES.get(THEME_COOKIE, "")
        try:
            kept = trials.keep(person=person, theme=theme, **form.cleaned_data)
        except Refused as refused:
            form.add_error(None, refused.message)
        else:
            del request.session[trials.SESSION_KEY]
            messages.success(request, _("Welcome! Your name, your matches and your progress are yours to keep."))
            record_authentication(request, kept, method="password")
            # There is no address to confirm; they can add one in their settings.
            response: HttpResponse = perform_login(request, Login(user=kept, email_verification="none"))
            return response
    return render(request, "accounts/keep_trial.html", {"form": form}, status=422 if form.is_bound else 200)

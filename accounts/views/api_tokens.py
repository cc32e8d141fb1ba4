from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts import api_tokens
from accounts.forms import TokenForm
from accounts.infra.errors import Refused
from accounts.models import ApiToken
from accounts.views.common import PersonRequest, confirm_identity, flash_outcome, form_data


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@confirm_identity
@never_cache
def index(request: PersonRequest) -> HttpResponse:
    """The user's tokens. The secret of a new one is in the response to its form, and never shown again."""
    form = TokenForm(form_data(request))
    new = None
    if form.is_valid():
        try:
            new = api_tokens.issue(person=request.user, **form.terms)
        except Refused as refused:
            form.add_error(None, refused.message)
        else:
            form = TokenForm()
            messages.success(request, _("Your token is made."))
    tokens = ApiToken.objects.usable().filter(user=request.user)
    context = {"form": form, "new": new, "tokens": tokens}
    return render(request, "accounts/api_tokens.html", context, status=422 if form.is_bound else 200)


@login_required
@require_POST
def revoke(request: PersonRequest, pk: int) -> HttpResponse:
    token = get_object_or_404(ApiToken, pk=pk, user=request.user)
    with flash_outcome(request, _("The token no longer works.")):
        api_tokens.revoke(person=request.user, token=token)
    return redirect("accounts:tokens")

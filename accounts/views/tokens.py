from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts import tokens
from accounts.errors import Refused
from accounts.forms import TokenForm
from accounts.models import ApiToken
from accounts.views.common import PersonRequest, posted, telling


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def index(request: PersonRequest) -> HttpResponse:
    """The tokens of a person. A new one is shown in the answer to its form: there is no second chance."""
    form = TokenForm(posted(request))
    new = None
    if form.is_valid():
        try:
            new = tokens.issue(person=request.user, **form.terms)
        except Refused as refused:
            form.add_error(None, refused.message)
        else:
            form = TokenForm()
            messages.success(request, _("Your token is made."))
    held = ApiToken.objects.usable().filter(user=request.user)
    context = {"form": form, "new": new, "tokens": held}
    return render(request, "accounts/tokens.html", context, status=422 if form.is_bound else 200)


@login_required
@require_POST
def revoke(request: PersonRequest, pk: int) -> HttpResponse:
    token = get_object_or_404(ApiToken, pk=pk, user=request.user)
    with telling(request, _("The token no longer works.")):
        tokens.revoke(person=request.user, token=token)
    return redirect("accounts:tokens")

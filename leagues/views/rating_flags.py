"""Unusual patterns in ratings, for the site's staff."""

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.views.common import PersonRequest, flash_outcome, paginate
from leagues.models import RatingFlag
from leagues.ratings import flags

PAGE_SIZE = 30


@login_required
@require_safe
def page(request: PersonRequest) -> HttpResponse:
    if not request.user.is_staff:
        raise PermissionDenied
    context = {"page": paginate(flags.flags(), request, PAGE_SIZE), "tab": "ratings"}
    return render(request, "leaderboards/flags.html", context)


@login_required
@require_POST
def review(request: PersonRequest, pk: int) -> HttpResponse:
    if not request.user.is_staff:
        raise PermissionDenied
    flag = get_object_or_404(RatingFlag, pk=pk)
    with flash_outcome(request, _("Noted: it comes back only if it happens again.")):
        flags.review(actor=request.user, flag=flag)
    return redirect("ratings-staff:flags")

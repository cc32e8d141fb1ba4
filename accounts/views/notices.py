from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts import notices
from accounts.models import Notice
from accounts.views.common import PersonRequest, page_of

NOTICES_A_PAGE = 30


@login_required
@require_safe
def index(request: PersonRequest) -> HttpResponse:
    page = page_of(request.user.notices.select_related("actor", "club"), request, NOTICES_A_PAGE)
    rows = [{"notice": notice, "words": notices.words(notice)} for notice in page]
    context = {"page": page, "rows": rows, "unread": notices.unread(request.user)}
    return render(request, "accounts/notices.html", context)


@login_required
@require_safe
@never_cache
def bell(request: PersonRequest) -> HttpResponse:
    """The bell alone, which open pages fetch again when a notice arrives."""
    return render(request, "accounts/_notices.html", {"unread": notices.unread(request.user)})


@login_required
@require_POST
def follow(request: PersonRequest, pk: int) -> HttpResponse:
    """Mark a notice read and go where it points, which is always a page of ours."""
    notice = get_object_or_404(Notice, pk=pk, user=request.user)
    notices.read(person=request.user, notice=notice)
    return redirect(notice.path)


@login_required
@require_POST
def read_all(request: PersonRequest) -> HttpResponse:
    notices.read_all(person=request.user)
    return redirect("accounts:notices")

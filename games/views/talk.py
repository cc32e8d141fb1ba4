"""Talk over plain HTTP, and what is done about it."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.errors import Refused
from accounts.models import User
from accounts.views.common import PersonRequest, page_of, telling, written
from games import talk
from games.access import NotAllowed, Permission
from games.live import frames
from games.models import ChatLine, Report
from games.views.common import match_or_404

REPORTS_A_PAGE = 50


@login_required
@require_POST
def say(request: PersonRequest, key: str) -> HttpResponse:
    match = match_or_404(request, key)
    try:
        talk.say(
            person=request.user, match=match, text=request.POST.get("say", ""), remark=request.POST.get("remark", "")
        )
    except Refused as refused:
        return JsonResponse({"event": "refused", "code": "declined", "detail": refused.message}, status=409)
    return JsonResponse({})


@require_safe
@never_cache
def heard(request: HttpRequest, key: str) -> HttpResponse:
    """All that this reader may read of the talk, as it stands."""
    match = match_or_404(request, key)
    return JsonResponse({"lines": [frames.line_told(line) for line in talk.heard_by(request.user, match)]})


@login_required
@require_POST
def report(request: PersonRequest, key: str) -> HttpResponse:
    match = match_or_404(request, key)
    wanted = request.POST.get("line", "")
    line = get_object_or_404(ChatLine, match=match, pk=int(wanted) if wanted.isdecimal() else 0)
    try:
        talk.report(person=request.user, line=line, reason=request.POST.get("reason", ""))
    except Refused as refused:
        return JsonResponse({"event": "refused", "code": "declined", "detail": refused.message}, status=409)
    return JsonResponse({"detail": _("Thank you: somebody will look at it.")})


@login_required
@require_POST
def mute(request: PersonRequest) -> HttpResponse:
    """Mute somebody everywhere, or with `off` listen to them again."""
    other = get_object_or_404(User, handle=written(request, "handle"))
    try:
        (talk.unmute if request.POST.get("off") else talk.mute)(person=request.user, other=other)
    except Refused as refused:
        return JsonResponse({"event": "refused", "code": "declined", "detail": refused.message}, status=409)
    return JsonResponse({"muted": talk.muted_by(request.user)})


@login_required
@require_safe
def reports(request: PersonRequest) -> HttpResponse:
    _require_staff(request.user)
    open_ones = Report.objects.filter(settled_at=None).select_related("line__user", "line__match", "reporter")
    return render(request, "games/reports.html", {"page": page_of(open_ones, request, REPORTS_A_PAGE)})


@login_required
@require_POST
def settle(request: PersonRequest, pk: int) -> HttpResponse:
    _require_staff(request.user)
    found = get_object_or_404(Report, pk=pk)
    with telling(request, _("The report is settled.")):
        talk.settle(person=request.user, report=found, remove=bool(request.POST.get("remove")))
    return redirect("games:reports")


def _require_staff(person: User) -> None:
    if not person.is_staff:
        raise NotAllowed(Permission.MODERATE)  # type: ignore[arg-type]

"""Chat over plain HTTP, mutes and reports."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts import messages as direct_messages
from accounts.infra.errors import Refused
from accounts.infra.input import row_number
from accounts.infra.permissions import NotAllowed
from accounts.models import User
from accounts.views.common import PersonRequest, flash_outcome, open_to_trials, paginate, posted_text
from games import chat
from games.access import Permission
from games.models import ChatLine, Report
from games.realtime import frames
from games.views.common import match_or_404

REPORTS_A_PAGE = 50


@login_required
@require_POST
def post_line(request: PersonRequest, key: str) -> HttpResponse:
    match = match_or_404(request, key)
    try:
        chat.post_line(
            person=request.user, match=match, text=request.POST.get("say", ""), remark=request.POST.get("remark", "")
        )
    except Refused as refused:
        return JsonResponse({"event": "refused", "code": "declined", "detail": refused.message}, status=409)
    return JsonResponse({})


@require_safe
@never_cache
@open_to_trials
def list_lines(request: HttpRequest, key: str) -> HttpResponse:
    """All that this reader may read of the talk, as it stands."""
    match = match_or_404(request, key)
    return JsonResponse({"lines": [frames.serialize_line(line) for line in chat.visible_lines(request.user, match)]})


@login_required
@require_POST
def report(request: PersonRequest, key: str) -> HttpResponse:
    match = match_or_404(request, key)
    wanted = request.POST.get("line", "")
    line = get_object_or_404(ChatLine, match=match, pk=row_number(wanted))
    try:
        chat.report(person=request.user, line=line, reason=request.POST.get("reason", ""))
    except Refused as refused:
        return JsonResponse({"event": "refused", "code": "declined", "detail": refused.message}, status=409)
    return JsonResponse({"detail": _("Thank you: somebody will look at it.")})


@login_required
@require_POST
def mute(request: PersonRequest) -> HttpResponse:
    """Mute a user at all tables, or with `off` unmute them."""
    other = get_object_or_404(User, handle=posted_text(request, "handle"))
    try:
        (chat.unmute if request.POST.get("off") else chat.mute)(person=request.user, other=other)
    except Refused as refused:
        return JsonResponse({"event": "refused", "code": "declined", "detail": refused.message}, status=409)
    return JsonResponse({"muted": chat.muted_by(request.user)})


@login_required
@require_safe
def reports(request: PersonRequest) -> HttpResponse:
    _require_staff(request.user)
    open_ones = Report.objects.filter(settled_at=None).select_related("line__user", "line__match", "reporter")
    context = {
        "page": paginate(open_ones, request, REPORTS_A_PAGE),
        "message_reports": direct_messages.open_reports()[:REPORTS_A_PAGE],
    }
    return render(request, "games/reports.html", context)


@login_required
@require_POST
def decide_report(request: PersonRequest, pk: int) -> HttpResponse:
    _require_staff(request.user)
    reported = get_object_or_404(Report, pk=pk)
    with flash_outcome(request, _("The report is settled.")):
        chat.decide_report(person=request.user, report=reported, remove=bool(request.POST.get("remove")))
    return redirect("games:reports")


def _require_staff(person: User) -> None:
    if not person.is_staff:
        raise NotAllowed(Permission.MODERATE)

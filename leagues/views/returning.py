from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.views.common import PersonRequest, telling
from leagues import returning
from leagues.models import PlaceOffer, ReturnQuestion
from leagues.views.common import season_or_404


@login_required
@require_POST
def answer(request: PersonRequest, slug: str, number: int, pk: int) -> HttpResponse:
    """I play again, not this time, or later."""
    season = season_or_404(request, slug, number)
    question = get_object_or_404(ReturnQuestion.objects.select_related("call__season"), call__season=season, pk=pk)
    with telling(request, _("Your answer is noted.")):
        returning.answer(actor=request.user, question=question, answer=request.POST.get("answer", ""))
    return redirect(returning.path(season))


@login_required
@require_POST
def offer(request: PersonRequest, slug: str, number: int, pk: int) -> HttpResponse:
    """Take the free place further up, or leave it to the next."""
    season = season_or_404(request, slug, number)
    rows = PlaceOffer.objects.select_related("question__call__season")
    found = get_object_or_404(rows, question__call__season=season, pk=pk)
    with telling(request, _("Your answer is noted.")):
        returning.answer_offer(actor=request.user, offer=found, takes=request.POST.get("takes") == "yes")
    return redirect(returning.path(season))

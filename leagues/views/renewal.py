from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.views.common import PersonRequest, flash_outcome
from leagues.models import PlaceOffer, ReturnQuestion
from leagues.seasons import renewal
from leagues.views.common import season_or_404


@login_required
@require_POST
def answer(request: PersonRequest, slug: str, number: int, pk: int) -> HttpResponse:
    """Answer whether one plays again."""
    season = season_or_404(request, slug, number)
    question = get_object_or_404(ReturnQuestion.objects.select_related("call__season"), call__season=season, pk=pk)
    with flash_outcome(request, _("Your answer is noted.")):
        renewal.answer(actor=request.user, question=question, answer=request.POST.get("answer", ""))
    return redirect(question.call)


@login_required
@require_POST
def offer(request: PersonRequest, slug: str, number: int, pk: int) -> HttpResponse:
    """Take an offered place, or leave it to the next."""
    season = season_or_404(request, slug, number)
    rows = PlaceOffer.objects.select_related("question__call__season")
    offered = get_object_or_404(rows, question__call__season=season, pk=pk)
    with flash_outcome(request, _("Your answer is noted.")):
        renewal.answer_offer(actor=request.user, offer=offered, takes=request.POST.get("takes") == "yes")
    return redirect(offered.question.call)

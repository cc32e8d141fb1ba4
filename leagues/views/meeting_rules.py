from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.views.common import PersonRequest, flash_outcome
from leagues.core.reason_text import unique_names
from leagues.forms.entry import MeetingRuleForm
from leagues.models import Entrant, MeetingRule
from leagues.seasons import meeting_rules
from leagues.views.common import run_season, show


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: PersonRequest, slug: str, number: int) -> HttpResponse:
    """Pairs to keep apart, and pairs that may meet only late. Only organisers see them."""
    season = run_season(request, slug, number)
    entrants = {each.pk: each for each in Entrant.objects.named().filter(season=season)}
    names = unique_names(entrants.values())
    form = MeetingRuleForm(request.POST if request.method == "POST" else None, names=names)
    if form.is_valid():
        one, other = entrants[form.cleaned_data["one"]], entrants[form.cleaned_data["other"]]
        with flash_outcome(request, _("The next draw obeys it where possible.")):
            meeting_rules.add_rule(
                actor=request.user, season=season, one=one, other=other, from_round=form.cleaned_data["from_round"]
            )
        return redirect("leagues:meeting-rules", slug=slug, number=number)
    rules = [
        {"rule": rule, "one": names[rule.one_id], "other": names[rule.other_id]}
        for rule in MeetingRule.objects.filter(season=season)
    ]
    return show(
        request,
        season,
        "seasons/meeting_rules.html",
        "settings",
        status=422 if form.is_bound else 200,
        form=form,
        rules=rules,
        without=meeting_rules.stages_without_rules(season),
    )


@login_required
@require_POST
def drop(request: PersonRequest, slug: str, number: int, pk: int) -> HttpResponse:
    season = run_season(request, slug, number)
    rule = get_object_or_404(MeetingRule.objects.select_related("season"), season=season, pk=pk)
    with flash_outcome(request, _("They may meet again.")):
        meeting_rules.drop_rule(actor=request.user, rule=rule)
    return redirect("leagues:meeting-rules", slug=slug, number=number)

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from accounts.infra.errors import Refused
from accounts.views.common import PersonRequest
from leagues.entries import registration
from leagues.models import Entrant, Season
from leagues.views.common import run_season, show


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: PersonRequest, slug: str, number: int) -> HttpResponse:
    """Check-in at the door, made for a phone: a large switch for each person, and one for all."""
    season = run_season(request, slug, number)
    if request.method == "POST":
        _check_in_all(request, season)
        # Whoever stands at the door stays there: somebody may still be missing after all.
        at_the_door = request.POST.get("back") == "door"
        return redirect("leagues:door", slug=slug, number=number) if at_the_door else redirect(season)
    entered = Entrant.objects.named().select_related("division").filter(season=season)
    rows = sorted(
        entered.filter(status__in=[Entrant.Status.REGISTERED, Entrant.Status.CHECKED_IN]),
        key=lambda entrant: entrant.name.casefold(),
    )
    here = sum(entrant.status == Entrant.Status.CHECKED_IN for entrant in rows)
    several = len({entrant.division_id for entrant in rows}) > 1
    return show(request, season, "entries/check_in.html", "entries", rows=rows, here=here, several=several)


def _check_in_all(request: PersonRequest, season: Season) -> None:
    try:
        count = registration.check_in_all(actor=request.user, season=season)
    except Refused as refused:
        messages.error(request, refused.message)
        return
    words = ngettext("%(count)s more has checked in: all are in.", "%(count)s more have checked in: all are in.", count)
    messages.success(request, words % {"count": count})

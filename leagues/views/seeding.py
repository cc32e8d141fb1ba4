from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.infra.input import whole_numbers
from accounts.views.common import PersonRequest, flash_outcome
from leagues.entries import seeding
from leagues.models import Entrant
from leagues.views.common import division_of, moved, run_season, show


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: PersonRequest, slug: str, number: int, pk: int) -> HttpResponse:
    """Seed a division: by rating, by lot, or by hand."""
    season = run_season(request, slug, number)
    division = division_of(season, pk)
    if request.method == "POST":
        match request.POST.get("by"):
            case "rating":
                with flash_outcome(request, _("Seeded by rating.")):
                    seeding.by_rating(actor=request.user, division=division)
            case "lot":
                with flash_outcome(request, _("Seeded by lot.")):
                    seeding.by_lot(actor=request.user, division=division)
            case _:
                order = whole_numbers(moved(request.POST.getlist("order"), request.POST))
                with flash_outcome(request, _("The order is saved.")):
                    seeding.by_hand(actor=request.user, division=division, order=order)
        return redirect("leagues:seeding", slug=slug, number=number, pk=pk)
    entrants = list(Entrant.objects.named().entered().filter(division=division))
    entrants.sort(key=lambda entrant: (entrant.seed is None, entrant.seed or 0, entrant.entered_at))
    return show(request, season, "entries/seeding.html", "entries", division=division, entrants=entrants)

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.views.common import PersonRequest, telling
from leagues import seeding
from leagues.models import Entrant
from leagues.views.common import division_of, moved, run_season, show


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: PersonRequest, slug: str, number: int, pk: int) -> HttpResponse:
    """The order of a division: by rating, by lot, or by hand with mouse, finger or keyboard."""
    season = run_season(request, slug, number)
    division = division_of(season, pk)
    if request.method == "POST":
        match request.POST.get("by"):
            case "rating":
                with telling(request, _("Seeded by rating.")):
                    seeding.by_rating(actor=request.user, division=division)
            case "lot":
                with telling(request, _("Seeded by lot.")):
                    seeding.by_lot(actor=request.user, division=division)
            case _:
                order = [int(each) for each in moved(request.POST.getlist("order"), request.POST) if each.isdecimal()]
                with telling(request, _("The order is saved.")):
                    seeding.by_hand(actor=request.user, division=division, order=order)
        return redirect("leagues:seeding", slug=slug, number=number, pk=pk)
    entrants = list(Entrant.objects.named().entered().filter(division=division))
    entrants.sort(key=lambda entrant: (entrant.seed is None, entrant.seed or 0, entrant.entered_at))
    return show(request, season, "seeding.html", "entries", division=division, entrants=entrants)

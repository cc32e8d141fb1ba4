from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.views.decorators.http import require_safe

from accounts.views.common import PersonRequest
from leagues.models import Entrant
from leagues.views.common import run_season, show


@login_required
@require_safe
def page(request: PersonRequest, slug: str, number: int) -> HttpResponse:
    """Who is here: for a phone at the door, one large switch a person."""
    season = run_season(request, slug, number)
    entered = Entrant.objects.named().select_related("division").filter(season=season)
    rows = sorted(
        entered.filter(status__in=[Entrant.Status.REGISTERED, Entrant.Status.CHECKED_IN]),
        key=lambda entrant: entrant.name.casefold(),
    )
    here = sum(entrant.status == Entrant.Status.CHECKED_IN for entrant in rows)
    several = len({entrant.division_id for entrant in rows}) > 1
    return show(request, season, "door.html", "entries", rows=rows, here=here, several=several)

"""Hints at a table against bots, for the page's script."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from accounts.infra.rest import throttling
from accounts.models import User
from accounts.views.common import open_to_trials
from games.access import Permission
from games.analysis import hints
from games.analysis.hint_text import serialize
from games.views.common import match_or_404


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@open_to_trials
def hint(request: HttpRequest, key: str) -> HttpResponse:
    """The hint for the present decision. POST asks for one; `unrated=yes` gives the rating of the match up for it."""
    match = match_or_404(request, key)
    if not isinstance(request.user, User):
        raise NotAllowed(Permission.PLAY)
    try:
        if request.method != "POST":
            return JsonResponse(serialize(match, hints.latest(person=request.user, match=match)))
        if throttling.too_often(request):
            raise Refused(gettext("Too many requests: wait a moment."))
        asked = hints.ask(person=request.user, match=match, unrated=request.POST.get("unrated") == "yes")
    except Refused as refused:
        return JsonResponse({"detail": refused.message}, status=409)
    return JsonResponse(serialize(match, asked))

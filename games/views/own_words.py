from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from games.catalogue import texts
from games.views.common import match_or_404
from games.views.texts import url_for_match

FOR_EVER = "private, max-age=31536000, immutable"


@require_safe
def of_match(request: HttpRequest, key: str, language: str, version: str) -> HttpResponse:
    """The texts of a table that has a club's own cards, for those who may see the table."""
    match = match_or_404(request, key)
    if language not in dict(settings.LANGUAGES):
        raise Http404
    if match.card_file is None:
        return redirect(url_for_match(match, language))
    text, current = texts.encoded_own(match.game, language, match.card_file.source)
    if version != current:
        return redirect(url_for_match(match, language))
    return HttpResponse(text, content_type="application/json", headers={"Cache-Control": FOR_EVER})

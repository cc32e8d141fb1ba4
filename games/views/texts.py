from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_safe

import engine
from games.catalogue import texts
from games.models import Match

FOR_EVER = "public, max-age=31536000, immutable"


def url_for(game: str, language: str) -> str:
    language = language if language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
    return reverse("games:words", args=[game, language, texts.encoded(game, language)[1]])


def url_for_match(match: Match, language: str) -> str:
    """Where a table finds its words: with a club's own cards they are those of the table alone."""
    if match.card_file is None:
        return url_for(match.game, language)
    language = language if language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
    version = texts.encoded_own(match.game, language, match.card_file.source)[1]
    return reverse("games:own-words", args=[match.key, language, version])


@require_safe
def of_game(request: HttpRequest, game: str, language: str, version: str) -> HttpResponse:
    """A game's texts. The URL changes with them, so that browsers may cache them for good."""
    if game not in engine.GAMES or language not in dict(settings.LANGUAGES):
        raise Http404
    text, current = texts.encoded(game, language)
    if version != current:
        return redirect(url_for(game, language))
    return HttpResponse(text, content_type="application/json", headers={"Cache-Control": FOR_EVER})

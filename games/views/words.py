from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_safe

import engine
from games import words

FOR_EVER = "public, max-age=31536000, immutable"


def url_for(game: str, language: str) -> str:
    language = language if language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
    return reverse("games:words", args=[game, language, words.encoded(game, language)[1]])


@require_safe
def of_game(request: HttpRequest, game: str, language: str, version: str) -> HttpResponse:
    """A game's words; the address changes with them, so that a browser keeps them for good."""
    if game not in engine.GAMES or language not in dict(settings.LANGUAGES):
        raise Http404
    text, current = words.encoded(game, language)
    if version != current:
        return redirect(url_for(game, language))
    return HttpResponse(text, content_type="application/json", headers={"Cache-Control": FOR_EVER})

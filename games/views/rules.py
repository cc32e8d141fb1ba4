"""The rules of the games: pages of their own, and the same beside a table."""

from typing import Any

from django.contrib.staticfiles import finders
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import select_template
from django.templatetags.static import static
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

import engine
from accounts.views.common import open_to_trials
from games.catalogue import option_labels, texts
from games.catalogue.rulebooks.page import rules_of
from games.catalogue.spec import spec
from games.tables import tutorials
from games.views import texts as words
from games.views.common import games, match_or_404


@require_safe
@open_to_trials
def index(request: HttpRequest) -> HttpResponse:
    """The games whose rules can be read."""
    listed = [
        {
            "game": game,
            "spec": spec(game.name),
            "size": f"{game.players[0]}–{game.players[-1]}",
            "picture": spec(game.name).picture if finders.find(spec(game.name).picture) else "",
        }
        for game in games()
    ]
    return render(request, "games/rules/index.html", {"games": listed})


@require_safe
@open_to_trials
def of_game(request: HttpRequest, game: str) -> HttpResponse:
    """The rules of one game, with the cards that come with the site; `?part` asks for what stands beside a puzzle."""
    if game not in engine.GAMES:
        raise Http404
    context = dict(
        **_context(game, texts.built_in(game), words.url_for(game, get_language() or "en")),
        tutorial=tutorials.offers(request.user, [game]).get(game, ""),
    )
    template = "games/rules/_contents.html" if "part" in request.GET else "games/rules/page.html"
    return render(request, template, context)


@require_safe
@open_to_trials
def of_table(request: HttpRequest, key: str) -> HttpResponse:
    """The rules of one table, with its cards and options; `?part` asks for what the table shows beside itself."""
    match = match_or_404(request, key)
    document = match.card_file.document if match.card_file else texts.built_in(match.game)
    context = dict(
        **_context(match.game, document, words.url_for_match(match, get_language() or "en")),
        match=match,
        chosen=option_labels.non_default_options(match.game, match.options),
    )
    template = "games/rules/_contents.html" if "part" in request.GET else "games/rules/page.html"
    return render(request, template, context)


def _context(game: str, document: texts.Document, words_url: str) -> dict[str, Any]:
    return {
        "game": engine.game(game),
        "spec": spec(game),
        "help": select_template([spec(game).rules_template, "games/rules/none.html"]),
        "rules": rules_of(game, document, get_language() or "en"),
        "words": words_url,
        "pieces": pieces_of(game),
    }


def pieces_of(game: str) -> str:
    """The script that draws a game's pieces; empty for a game without one."""
    own = f"games/{game}/rules-pieces.js"
    return static(own) if finders.find(own) else ""

from typing import Any

from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import select_template
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.http import require_safe

import engine
from accounts.models import User
from games import access, exhibition, fairness, options, ownbots, referee, results, terms
from games.access import Permission
from games.live import frames
from games.models import BotChallenge, Match, Seat
from games.models.record import LEVEL_NAMES
from games.views.common import bare_state, links, match_or_404, talk_state


@require_safe
def page(request: HttpRequest, key: str) -> HttpResponse:
    """One table: the waiting room, the match, or how it ended."""
    match = match_or_404(request, key)
    if match.pace:
        exhibition.look()
    if match.started_at is None or match.status == Match.Status.ABORTED:
        return render(request, "games/waiting.html", waiting_room(request, match))
    return render(request, "games/table.html", playing(request, match))


@require_safe
def places(request: HttpRequest, key: str) -> HttpResponse:
    """The places of a waiting room alone; a page that still waits when the match has begun is sent to it."""
    match = match_or_404(request, key)
    response = render(request, "games/_places.html", waiting_room(request, match))
    if not match.is_open:
        response["HX-Refresh"] = "true"
    return response


def waiting_room(request: HttpRequest, match: Match) -> dict[str, Any]:
    game = engine.game(match.game)
    words = terms.of_game(match.game)
    roles = sorted(set(game.roles(match.players)))
    seats = list(match.seats.all())
    can = access.allowed(request.user, match)
    host = request.user if isinstance(request.user, User) and Permission.HOST in can else None
    return {
        "match": match,
        "seats": seats,
        "can": can,
        "mine": access.seat_of(request.user, match),
        "is_full": all(seat.is_taken for seat in seats),
        "roles": [{"role": role, "words": words.get(role, role)} for role in roles] if len(roles) > 1 else [],
        "levels": LEVEL_NAMES.items(),
        "own_bots": ownbots.offered(person=host, match=match) if host else [],
        "asked": BotChallenge.objects.filter(match=match, status=BotChallenge.Status.OPEN).select_related("bot__user"),
        "options": options.told(match.game, match.options),
        "sharing": sharing(request, match, seats),
        "longest_word": fairness.LONGEST_WORD,
    }


def playing(request: HttpRequest, match: Match) -> dict[str, Any]:
    seats = list(match.seats.all())
    mine = access.seat_of(request.user, match)
    can = access.allowed(request.user, match)
    seat = mine.index if mine else None
    # Of a match by older rules there is no position to show.
    position = frames.match_state(match, referee.at(match), seat, 0, {}) if match.is_current else {"key": match.key}
    state = dict(
        **bare_state(match, seats),
        **position,
        links=links(match),
        talk=talk_state(request, match),
        seat=seat,
        may_play=Permission.PLAY in can,
    )
    return {
        "match": match,
        "seats": seats,
        "results": results.table_of(match, seats) if match.is_finished else [],
        "has_places": results.has_places(match),
        "resigning": results.resigning(match),
        "mine": mine,
        "can": can,
        "state": state,
        "ending": terms.ending(match.game, match.reason),
        "module": module_of(match.game),
        "help": select_template([f"games/rules/{match.game}.html", "games/rules/none.html"]),
        "sharing": sharing(request, match, seats),
        "rematch": Match.objects.filter(rematch_of=match).first() if match.is_finished else None,
        "options": options.told(match.game, match.options),
    }


def sharing(request: HttpRequest, match: Match, seats: list[Seat]) -> dict[str, Any]:
    """What a messenger shows of the link to this page."""
    return {
        "link": request.build_absolute_uri(match.get_absolute_url()),
        "card": request.build_absolute_uri(reverse("games:card", args=[match.key])),
        "share": results.share(match, seats),
    }


def module_of(game: str) -> str:
    """The game's own table element where there is one, else the plain one that shows any game."""
    own = f"games/{game}-table.js"
    return static(own if finders.find(own) else "games/plain-table.js")

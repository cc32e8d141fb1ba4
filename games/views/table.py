from typing import Any

from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import select_template
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

import engine
from accounts.models import User
from accounts.views.common import open_to_trials
from games import access, bot_levels, coach, engine_match, fairness
from games.access import Permission
from games.analysis import hints
from games.catalogue import option_labels, terms
from games.catalogue.spec import spec
from games.models import BotChallenge, Match, Seat
from games.models.record import LEVEL_NAMES
from games.play import fair_share
from games.presentation import glance as glances
from games.presentation import result_text
from games.realtime import frames
from games.tables import exhibition, setup, tempo
from games.user_bots import service as user_bots
from games.views.common import bare_state, links, match_or_404, talk_state


@require_safe
@open_to_trials
def page(request: HttpRequest, key: str) -> HttpResponse:
    """One table: the waiting room, the match, or how it ended."""
    match = match_or_404(request, key)
    if match.pace:
        exhibition.keep_alive()
    fair_share.look_at(match)
    if match.started_at is None or match.status == Match.Status.ABORTED:
        return render(request, "games/waiting_room.html", waiting_room(request, match))
    return render(request, "games/match.html", playing(request, match))


@require_safe
@open_to_trials
def glance(request: HttpRequest, key: str) -> HttpResponse:
    """A running match as tiles and scores, which a page that shows it fetches again after every move."""
    match = match_or_404(request, key)
    if match.pace:
        exhibition.keep_alive()
    return render(request, "games/_glance.html", glances.glance(match))


@require_safe
@open_to_trials
def places(request: HttpRequest, key: str) -> HttpResponse:
    """The seats of a waiting room alone; once the match has begun the page is told to reload."""
    match = match_or_404(request, key)
    response = render(request, "games/_seats.html", waiting_room(request, match))
    if not match.is_open:
        response["HX-Refresh"] = "true"
    return response


def waiting_room(request: HttpRequest, match: Match) -> dict[str, Any]:
    game = engine.game(match.game)
    names = terms.of_game(match.game)
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
        "roles": [{"role": role, "words": names.get(role, role)} for role in roles] if len(roles) > 1 else [],
        "levels": bot_levels.options(match.game, bot_levels.known(request.user)),
        "own_bots": user_bots.challengeable_bots(person=host, match=match) if host else [],
        "asked": BotChallenge.objects.filter(match=match, status=BotChallenge.Status.OPEN).select_related("bot__user"),
        "options": option_labels.non_default_options(match.game, match.options),
        "sharing": sharing(request, match, seats),
        "longest_word": fairness.MAX_WORD_LENGTH,
    }


def playing(request: HttpRequest, match: Match) -> dict[str, Any]:
    seats = list(match.seats.all())
    mine = access.seat_of(request.user, match)
    can = access.allowed(request.user, match)
    seat = mine.index if mine else None
    # A match by older rules cannot be loaded: it has no position.
    position = (
        frames.match_state(match, engine_match.load(match), seat, 0, {}, seats)
        if match.is_current
        else {"key": match.key}
    )
    state = dict(
        **bare_state(match, seats),
        **position,
        links=links(match),
        talk=talk_state(request, match),
        seat=seat,
        may_play=Permission.PLAY in can,
        coach=coach.serialize(match) if mine else None,
    )
    person = request.user if isinstance(request.user, User) else None
    return {
        "match": match,
        "seats": seats,
        "may_set_tempo": match.is_playing
        and Permission.PLAY in can
        and person is not None
        and tempo.may_set(person, match, seats),
        "tempos": Match.Tempo.choices,
        "may_ask_hints": person is not None and Permission.PLAY in can and hints.may_ask(person, match, seats),
        "minutes": result_text.minutes_played(match),
        "steps": rematch_steps(match, seats) if match.is_finished else [],
        "next_table": Match.objects.waiting_for(person).filter(is_tutorial=False).exclude(pk=match.pk).first()
        if person
        else None,
        "results": result_text.result_rows(match, seats) if match.is_finished else [],
        "has_places": result_text.has_places(match),
        "resigning": result_text.resigning(match),
        "mine": mine,
        "can": can,
        "state": state,
        "ending": terms.ending(match.game, match.reason),
        "module": module_of(match.game),
        "help": select_template([spec(match.game).rules_template, "games/rules/none.html"]),
        "sharing": sharing(request, match, seats),
        "rematch": Match.objects.filter(rematch_of=match).first() if match.is_finished else None,
        "options": option_labels.non_default_options(match.game, match.options),
    }


def rematch_steps(match: Match, seats: list[Seat]) -> list[dict[str, str]]:
    """The rematches against stronger and weaker bots, where a person has played alone with them."""
    words = {"harder": (1, gettext("A bit harder")), "easier": (-1, gettext("A bit easier"))}
    found = [(code, text, setup.rematch_levels(match, seats, step)) for code, (step, text) in words.items()]
    return [
        {
            "code": code,
            "words": text,
            "level": ", ".join(dict.fromkeys(str(LEVEL_NAMES[level]) for level in levels.values())),
        }
        for code, text, levels in found
        if levels
    ]


def sharing(request: HttpRequest, match: Match, seats: list[Seat]) -> dict[str, Any]:
    """The preview of a link to this page in a messenger."""
    return {
        "link": request.build_absolute_uri(match.get_absolute_url()),
        "card": request.build_absolute_uri(reverse("games:card", args=[match.key])),
        "share": result_text.share(match, seats),
    }


def module_of(game: str) -> str:
    """The game's own table element where there is one, else the plain one that shows any game."""
    own = spec(game).table_module
    return static(own if finders.find(own) else "games/core/plain-table.js")

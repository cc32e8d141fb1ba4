"""Beginning a tutorial: a casual table by link, with a fixed deal and bots that follow a script."""

from collections.abc import Iterable

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext

import engine
from accounts.access import Actor
from accounts.infra.errors import Refused
from accounts.models import User
from games import coach, engine_match
from games.catalogue.tutorials.contents import Tutorial, tutorial
from games.models import Match, Seat
from games.models.match import MatchQuerySet
from games.play import fair_share, finish
from games.realtime import broadcast
from games.tables import seating
from games.tables.setup import Setting, open_table
from games.tables.start import deal

BEGIN, GO_ON = "begin", "go-on"


@transaction.atomic
def begin_tutorial(*, person: User, game: str) -> Match:
    """The tutorial of a game, begun at once; one that is still with its coach goes on where it was.

    One that is past its coach is closed for the new one, so that nobody has more than one of a game.
    """
    script = tutorial(game) if game in engine.GAMES else None
    if script is None:
        raise Refused(gettext("There is no tutorial of this game."))
    for earlier in _running(person, game).select_for_update():
        if earlier.is_current and coach.is_guiding(earlier, engine_match.load(earlier)):
            return earlier
        _close(earlier)
    fair_share.check_running(person)
    return _begin(person, game, script)


def _begin(person: User, game: str, script: Tutorial) -> Match:
    setting = Setting(game, script.players, dict(script.options), Match.Visibility.LINK, draws_seats=False)
    match = open_table(host=person, setting=setting, secret=script.seed)
    match.is_tutorial = True
    match.save(update_fields=["is_tutorial"])
    seating.seat_person(match=match, person=person, index=script.seat)
    for _place in range(script.players - 1):
        seating.seat_bot(match=match, level=script.level)
    return deal(match=seating.lock_match(match), actor=person)


def _close(match: Match) -> None:
    seats = list(Seat.objects.filter(match=match).select_related("user").order_by("index"))
    finish.call_off(match=match, seats=seats, cause=Match.Cause.RESIGNED)
    broadcast.broadcast_table(match)


def _running(person: User, game: str = "") -> MatchQuerySet:
    running = Match.objects.filter(seats__user=person, is_tutorial=True, status=Match.Status.PLAYING)
    return running.filter(game=game) if game else running


def offers(reader: Actor, games: Iterable[str]) -> dict[str, str]:
    """The games whose tutorial is offered: to begin it for who has never played one to its end, or to go on with it."""
    scripts = {game: script for game in games if (script := tutorial(game))}
    if not isinstance(reader, User):
        return dict.fromkeys(scripts, BEGIN)
    ended = Q(is_tutorial=False, status=Match.Status.FINISHED, cause=Match.Cause.PLAYED)
    learnt = Q(pk__in=[])
    for game, script in scripts.items():
        learnt |= Q(game=game, is_tutorial=True, ply__gte=script.plies)
    known = set(Match.objects.filter(ended | learnt, seats__user=reader).values_list("game", flat=True))
    begun = set(_running(reader).values_list("game", flat=True))
    return {game: GO_ON if game in begun else BEGIN for game in scripts if game not in known}

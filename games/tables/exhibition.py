"""Exhibition matches: bots play slowly for spectators, and pause when nobody has watched for a while."""

from datetime import datetime, timedelta

from django.core.cache import cache
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

import engine
from accounts.infra.best_effort_cache import ignore_errors
from accounts.models import Club, User
from games.models import Match
from games.tables import seating, setup, start
from games.tables.setup import Setting

# Seconds between two moves.
PACE = 2
# How long a match goes on after the last view, and seconds between two updates of `watched_at`.
WATCHED_FOR = timedelta(minutes=3)
LOOK_INTERVAL = 20
LEVELS = ("regular", "rookie", "regular", "rookie", "regular", "rookie")


def being_watched(matches: "QuerySet[Match]", now: datetime) -> "QuerySet[Match]":
    return matches.filter(watched_at__gt=now - WATCHED_FOR)


def keep_alive() -> None:
    """A visitor is watching: the exhibition matches go on."""
    first = True
    with ignore_errors():
        first = cache.add("exhibition-look", 1, LOOK_INTERVAL)
    if first:
        Match.objects.filter(status=Match.Status.PLAYING, pace__gt=0).update(watched_at=timezone.now())


def is_watched() -> bool:
    """Whether anyone has watched lately, even if every match has ended since."""
    latest = Match.objects.filter(pace__gt=0).order_by("-watched_at").values_list("watched_at", flat=True).first()
    return latest is not None and latest > timezone.now() - WATCHED_FOR


def restart_exhibitions() -> int:
    """Start a match of every exhibition game that has none running, while anyone watches; returns how many."""
    if not is_watched():
        return 0
    exhibited = set(Match.objects.filter(pace__gt=0).values_list("game", flat=True).distinct())
    running = set(Match.objects.filter(pace__gt=0, status=Match.Status.PLAYING).values_list("game", flat=True))
    missing = sorted((exhibited - running) & set(engine.GAMES))
    for game in missing:
        start_exhibition(game=game, players=usual_players(game))
    return len(missing)


@transaction.atomic
def start_exhibition(*, game: str, players: int, pace: int = PACE, club: Club | None = None) -> Match:
    """A match of bots alone that anyone may watch; the site's bots with an account of their own sit first."""
    match = setup.open_table(host=None, setting=Setting(game, players, club=club, rated=True), pace=pace)
    site_bots = User.objects.filter(is_bot=True, is_active=True, own_bot=None).exclude(handle__startswith="~")
    known = list(site_bots.order_by("pk")[:players])
    for place in range(players):
        bot = known[place] if place < len(known) else None
        seating.seat_bot(match=match, level=LEVELS[place % len(LEVELS)], bot=bot)
    return start.deal(match=match, actor=None)


def pace_for_spectators(matches: "QuerySet[Match]") -> None:
    """Slow these matches of bots, which just begin, down for spectators."""
    now = timezone.now()
    matches.filter(status=Match.Status.PLAYING).update(pace=PACE, watched_at=now, bot_due=now + timedelta(seconds=PACE))


def usual_players(game: str) -> int:
    """Three players if the game allows it, else the nearest number."""
    players = engine.game(game).players
    return min(max(3, players[0]), players[-1])

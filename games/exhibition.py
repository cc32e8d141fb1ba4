"""Bots that play for whoever watches: paced for the eye, and still when nobody has looked for a while."""

from datetime import datetime, timedelta

from django.core.cache import cache
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

import engine
from accounts.models import Club, User
from games import tables
from games.hints import hint
from games.models import Match
from games.tables import Setting

# Seconds between two moves.
PACE = 2
# How long a match goes on after the last look at it, and how often a look is written down.
PATIENCE = timedelta(minutes=3)
NOTED_FOR = 20
LEVELS = ("regular", "rookie", "regular", "rookie", "regular", "rookie")


def being_watched(matches: "QuerySet[Match]", now: datetime) -> "QuerySet[Match]":
    return matches.filter(watched_at__gt=now - PATIENCE)


def look() -> None:
    """Somebody looks at the house: its exhibition goes on."""
    first = True
    with hint():
        first = cache.add("exhibition-look", 1, NOTED_FOR)
    if first:
        Match.objects.filter(status=Match.Status.PLAYING, pace__gt=0).update(watched_at=timezone.now())


def is_watched() -> bool:
    """Whether anybody has looked lately, even if every match has ended since."""
    latest = Match.objects.filter(pace__gt=0).order_by("-watched_at").values_list("watched_at", flat=True).first()
    return latest is not None and latest > timezone.now() - PATIENCE


def keep_going() -> int:
    """Where the house has an exhibition and somebody looks, each game has a match running; how many were begun."""
    if not is_watched():
        return 0
    shown = set(Match.objects.filter(pace__gt=0).values_list("game", flat=True).distinct())
    running = set(Match.objects.filter(pace__gt=0, status=Match.Status.PLAYING).values_list("game", flat=True))
    missing = sorted((shown - running) & set(engine.GAMES))
    for game in missing:
        begin(game=game, players=usual_players(game))
    return len(missing)


@transaction.atomic
def begin(*, game: str, players: int, pace: int = PACE, club: Club | None = None) -> Match:
    """A match of bots alone that anyone may watch; the house's bots with an account of their own sit first."""
    match = tables.open_table(host=None, setting=Setting(game, players, club=club, rated=True), pace=pace)
    house = User.objects.filter(is_bot=True, is_active=True, own_bot=None).exclude(handle__startswith="~")
    known = list(house.order_by("pk")[:players])
    for place in range(players):
        bot = known[place] if place < len(known) else None
        tables.seat_bot(match=match, level=LEVELS[place % len(LEVELS)], bot=bot)
    return tables.begin(match=match, actor=None)


def show(matches: "QuerySet[Match]") -> None:
    """These matches of bots, which just begin, are played for those who watch."""
    now = timezone.now()
    matches.filter(status=Match.Status.PLAYING).update(pace=PACE, watched_at=now, bot_due=now + timedelta(seconds=PACE))


def usual_players(game: str) -> int:
    """Three make good company where the game takes them."""
    players = engine.game(game).players
    return min(max(3, players[0]), players[-1])

"""The demo's tables: bots are already playing when the house first opens."""

from django.db import transaction

import engine
from accounts.models import Club
from games import exhibition
from games.models import Match

# Matches of each game that the worker plays to the end at once, so that there is something to replay.
FINISHED_SOON = 2


@transaction.atomic
def seed() -> None:
    """Set the tables once; called again it changes nothing."""
    if Match.objects.exists():
        return
    club = Club.objects.open().order_by("pk").first()
    for game in engine.GAMES:
        exhibition.begin(game=game, players=exhibition.usual_players(game))
        for number in range(FINISHED_SOON):
            players = engine.game(game).players
            exhibition.begin(game=game, players=players[number % len(players)], pace=0, club=club)

"""The demo's tables: matches of bots that run from the start."""

from django.db import transaction

import engine
from accounts.models import Club
from games.models import Match
from games.tables import exhibition

# Matches of each game that the worker plays to the end at once, for replays.
FINISHED_SOON = 2


@transaction.atomic
def seed() -> None:
    """Create the tables; does nothing if there are matches already."""
    if Match.objects.exists():
        return
    club = Club.objects.open().order_by("pk").first()
    for game in engine.GAMES:
        exhibition.start_exhibition(game=game, players=exhibition.usual_players(game))
        for number in range(FINISHED_SOON):
            players = engine.game(game).players
            exhibition.start_exhibition(game=game, players=players[number % len(players)], pace=0, club=club)

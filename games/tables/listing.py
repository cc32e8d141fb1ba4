"""Which tables a reader finds in the lobby, and how many wait for them."""

from typing import Any

from django.db.models import Case, When

from accounts.access import Actor
from accounts.models import User
from games.models import Match

SHOWN = 30
FINISHED_SHOWN = 10
# The game whose table says most at a glance.
SHOW_FIRST = "splendor-marvel"


def count_waiting_tables(reader: Actor) -> int:
    return Match.objects.waiting_for(reader).count() if isinstance(reader, User) else 0


def match_to_show(reader: Actor) -> Match | None:
    """One running match for the front page: an exhibition before others, and the one that has just moved."""
    running = Match.objects.listed_for(reader).filter(status=Match.Status.PLAYING, sealed=False).with_people()
    shown_first = Case(When(pace__gt=0, game=SHOW_FIRST, then=0), When(pace__gt=0, then=1), default=2)
    return running.order_by(shown_first, "-turn_since").first()


def lobby_tables(reader: Actor) -> dict[str, Any]:
    """The lists of the lobby, by the names its template uses."""
    listed = Match.objects.listed_for(reader).with_people()
    own = list(Match.objects.under_way_for(reader).with_people()[:SHOWN]) if isinstance(reader, User) else []
    mine = {match.pk for match in own}
    running = listed.filter(status="playing").order_by("-started_at")
    return {
        "own": own,
        "open": [match for match in listed.filter(status="open")[:SHOWN] if match.pk not in mine],
        "playing": [match for match in running[:SHOWN] if match.pk not in mine],
        "finished": listed.filter(status="finished").order_by("-finished_at")[:FINISHED_SHOWN],
    }

"""The demo club: its past games, its nights, and a league of every game under way.

Everything goes through the verbs that organisers and players use, so that it looks like a real club.
"""

from django.db import transaction
from django.utils import timezone

from accounts.models import Notice
from leagues.demo import (
    bot_league,
    calendar,
    club_night_season,
    online_round_robin,
    rating_history,
    swiss_evening,
    team_season,
)
from leagues.results import reporting
from leagues.windows import extensions, time_proposals


@transaction.atomic
def seed() -> None:
    """Set everything up once; a second call changes nothing."""
    for part in (
        rating_history,
        calendar,
        swiss_evening,
        club_night_season,
        online_round_robin,
        team_season,
        bot_league,
    ):
        part.seed()
    _mark_notices_read()


def _mark_notices_read() -> None:
    """Mark the notices about setting up as read; those that wait for an answer stay unread."""
    asked = (reporting.REPORTED_KIND, reporting.DISPUTED_KIND, time_proposals.PROPOSED_KIND, extensions.ASKED_KIND)
    notices = Notice.objects.filter(kind__startswith="leagues.", read_at=None).exclude(kind__in=asked)
    notices.update(read_at=timezone.now())

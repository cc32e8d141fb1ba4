"""The demo club at work: its past, its nights, and a league of every game under way.

Everything goes through the verbs that organisers and players use, so what a newcomer sees is what a club would have.
"""

from django.db import transaction
from django.utils import timezone

from accounts.models import Notice
from leagues import results
from leagues.demo import clockwork, evening, gauntlet, lamplight, nights, past, together
from leagues.scheduling import extensions, proposals


@transaction.atomic
def seed() -> None:
    """Set it all up once; called again it changes nothing."""
    for part in (past, nights, evening, gauntlet, lamplight, together, clockwork):
        part.seed()
    _no_news()


def _no_news() -> None:
    """What happened before the visitor came in is no news; what waits for an answer is."""
    asked = (results.TOLD_REPORTED, results.TOLD_DISPUTED, proposals.TOLD_PROPOSED, extensions.TOLD_ASKED)
    told = Notice.objects.filter(kind__startswith="leagues.", read_at=None).exclude(kind__in=asked)
    told.update(read_at=timezone.now())

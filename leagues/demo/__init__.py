"""The demo club at work: its past, its nights, and a league of every game under way.

Everything goes through the verbs that organisers and players use, so what a newcomer sees is what a club would have.
"""

from django.db import transaction

from leagues.demo import clockwork, evening, gauntlet, lamplight, nights, past, together


@transaction.atomic
def seed() -> None:
    """Set it all up once; called again it changes nothing."""
    for part in (past, nights, evening, gauntlet, lamplight, together, clockwork):
        part.seed()

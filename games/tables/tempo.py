"""The pace at which bots play at a table, chosen by those who sit there."""

from collections.abc import Iterable

from django.db import transaction
from django.utils.translation import gettext

from accounts.infra.errors import Refused
from accounts.models import User
from games import access
from games.access import Permission
from games.models import Match, Seat
from games.realtime import broadcast
from games.tables.seating import lock_match


def may_set(person: User, match: Match, seats: Iterable[Seat]) -> bool:
    """The host of the table may, and whoever plays there against bots alone."""
    return match.host_id == person.pk or [seat.user_id for seat in seats if not seat.is_bot] == [person.pk]


@transaction.atomic
def set_tempo(*, person: User, match: Match, tempo: str) -> None:
    """Set the pace for all who sit there."""
    match = lock_match(match)
    access.require(person, Permission.PLAY, match)
    if not may_set(person, match, Seat.objects.filter(match=match).select_related("user")):
        raise Refused(gettext("The host of the table sets the pace of the bots."))
    if tempo not in Match.Tempo.values:
        raise Refused(gettext("The pace of the bots is quick, normal or slow."))
    if tempo != match.tempo:
        match.tempo = tempo
        match.save(update_fields=["tempo"])
        broadcast.broadcast_table(match)

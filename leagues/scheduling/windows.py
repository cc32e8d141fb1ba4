"""What a window is: how long a round is open, who has a say at a table, and who is busy when. Reads only."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db.models import Q

from accounts.models import User
from leagues import tables
from leagues.models import Pairing, PairingSeat, Season
from leagues.scheduling import clock

# How long a table is taken to last where no slot of a night says so.
A_GAME = timedelta(hours=1)
# Where nothing closes the window.
FARTHEST = timedelta(days=180)


def closes_after(season: Season, opens_at: datetime) -> datetime | None:
    """The end of a round that opens then: the same hour on the club's clock, so many days later.

    None where the season has no windows, or plays on club nights alone.
    """
    if season.where == Season.Where.CLUB or not season.window_days:
        return None
    there = opens_at.astimezone(clock.zone_of(season.league.club))
    return (there + timedelta(days=season.window_days)).astimezone(opens_at.tzinfo)


def length(pairing: Pairing) -> timedelta | None:
    """How long the table's window is in all; None while nothing closes it."""
    opened, deadline = pairing.round.opens_at or pairing.round.published_at, pairing.deadline
    return deadline - opened if opened and deadline else None


def season_of(pairing: Pairing) -> Season:
    return pairing.round.stage.division.season


def has_window(pairing: Pairing) -> bool:
    """Whether its players make the time themselves: not at the tables of a club's own evenings."""
    return pairing.where == Pairing.Where.ONLINE or season_of(pairing).where != Season.Where.CLUB


def takes_times(pairing: Pairing) -> bool:
    """Whether a time can still be agreed: published, not begun, and not placed on a club night."""
    return (
        has_window(pairing)
        and pairing.round.is_published
        and not pairing.round.is_closed
        and pairing.state == Pairing.State.SCHEDULED
        and pairing.match_id is None
        and not hasattr(pairing, "placement")
    )


def people_at(pairing: Pairing) -> list[User]:
    """Those whose yes a time needs: bots always agree, and guests and closed accounts have no way to say anything."""
    seated = {user.pk: user for user, level in tables.people_at(pairing) if not level}
    return [user for user in seated.values() if user.can_be_told]


def busy(people: Iterable[User], starts_at: datetime, *, beside: Pairing) -> list[str]:
    """Who of these already plays then, at any table of any league."""
    ids = {person.pk for person in people}
    near = Q(pairing__starts_at__gt=starts_at - timedelta(days=1), pairing__starts_at__lt=starts_at + A_GAME)
    seats = (
        PairingSeat.objects.filter(near, absent=False, pairing__in=Pairing.objects.open())
        .filter(Q(entrant__user__in=ids) | Q(entrant__members__user__in=ids))
        .exclude(pairing=beside)
        .select_related("pairing__placement__slot", "entrant__user")
        .prefetch_related("entrant__members__user")
        .distinct()
    )
    found: dict[int, str] = {}
    for seat in seats:
        if _ends_at(seat.pairing) > starts_at:
            sitting = [seat.entrant.user] if seat.entrant.user else [each.user for each in seat.entrant.members.all()]
            found |= {person.pk: person.name for person in sitting if person.pk in ids}
    return list(found.values())


def _ends_at(pairing: Pairing) -> datetime:
    if hasattr(pairing, "placement"):
        return pairing.placement.slot.ends_at
    assert pairing.starts_at is not None
    return pairing.starts_at + A_GAME

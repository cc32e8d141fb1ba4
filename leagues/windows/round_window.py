"""The window of a round: how long it is open, who agrees on times, and who is busy when. Reads only."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db.models import Q

from accounts.models import User
from leagues.calendar import club_clock
from leagues.models import Pairing, PairingSeat, Season
from leagues.rounds import tables

# The assumed length of a table that is not in a slot.
A_GAME = timedelta(hours=1)
# How far ahead a time may be where nothing closes the window.
FARTHEST = timedelta(days=180)


def closes_after(season: Season, opens_at: datetime) -> datetime | None:
    """The end of a round that opens then: so many days later, at the same hour on the club's clock.

    None if the season has no windows, or plays only on club nights.
    """
    if season.where == Season.Where.CLUB or not season.window_days:
        return None
    there = opens_at.astimezone(club_clock.zone_of(season.league.club))
    return (there + timedelta(days=season.window_days)).astimezone(opens_at.tzinfo)


def length(pairing: Pairing) -> timedelta | None:
    """The total length of the table's window; None while nothing closes it."""
    opened, deadline = pairing.round.opens_at or pairing.round.published_at, pairing.deadline
    return deadline - opened if opened and deadline else None


def season_of(pairing: Pairing) -> Season:
    return pairing.round.stage.division.season


def has_window(pairing: Pairing) -> bool:
    """Whether its players arrange the time themselves: not at a club's own evenings."""
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
    """People who have to agree to a time. Bots always agree; guests and closed accounts cannot answer."""
    seated = {user.pk: user for user, level in tables.people_at(pairing) if not level}
    return [user for user in seated.values() if user.reads_notices]


def busy(people: Iterable[User], starts_at: datetime, *, beside: Pairing) -> list[str]:
    """Names of these people who already play then, at any table of any league."""
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
    names: dict[int, str] = {}
    for seat in seats:
        if _ends_at(seat.pairing) > starts_at:
            sitting = [seat.entrant.user] if seat.entrant.user else [each.user for each in seat.entrant.members.all()]
            names |= {person.pk: person.name for person in sitting if person.pk in ids}
    return list(names.values())


def _ends_at(pairing: Pairing) -> datetime:
    if hasattr(pairing, "placement"):
        return pairing.placement.slot.ends_at
    assert pairing.starts_at is not None
    return pairing.starts_at + A_GAME

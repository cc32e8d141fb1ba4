"""A club in Warsaw with a room of six tables, and people who play there."""

from datetime import date, time, timedelta
from typing import Any

import pytest

from accounts.infra.errors import Refused
from accounts.models import Club, Membership, Notice, User
from leagues.calendar import club_clock, nights
from leagues.models import ClubNight, Division, Pairing, Placement, Series, Venue
from leagues.rounds import draw
from tests.factories import create_user, draft_season, enter, next_round, stage_of

SEVEN = time(19)


@pytest.fixture
def club(club: Club) -> Club:
    Club.objects.filter(pk=club.pk).update(time_zone="Europe/Warsaw")
    club.refresh_from_db()
    return club


@pytest.fixture
def room(club: Club, olga: User) -> Venue:
    return nights.add_venue(actor=olga, club=club, name="The back room", tables=6, address="Long Street 3")


def soon(days: int = 10) -> date:
    """A coming Thursday, so that tests do not depend on today's weekday."""
    today = club_clock.today(Club(time_zone="Europe/Warsaw"))
    return today + timedelta(days=days + (3 - (today + timedelta(days=days)).weekday()) % 7)


def weekly(olga: User, room: Venue, weeks: int = 4, **fields) -> Series:
    how: dict[str, Any] = {
        "name": "Thursdays",
        "first": soon(),
        "last": soon() + timedelta(weeks=weeks - 1),
        "begins": SEVEN,
    }
    return nights.add_series(actor=olga, club=room.club, venue=room, **how | fields)


def one(olga: User, room: Venue, **fields) -> ClubNight:
    how: dict[str, Any] = {"day": soon(), "begins": SEVEN, "slots": 3, "minutes": 60}
    return nights.add_night(actor=olga, club=room.club, venue=room, **how | fields)


def of(series: Series) -> list[ClubNight]:
    return list(ClubNight.objects.filter(series=series).order_by("occurrence"))


def member(club: Club, handle: str) -> User:
    made = create_user(handle)
    Membership.objects.create(club=club, user=made)
    return made


@pytest.fixture
def tables(league, alice, bob, club) -> list[Pairing]:
    """Two published tables of a round, Bob at the first of them."""

    season = draft_season(league, alice, "round-robin", where="club")
    division = Division.objects.get(season=season)
    for each in (bob, *(member(club, handle) for handle in ("dora", "emil", "fay"))):
        enter(division, alice, each)
    draw.start(actor=alice, season=season)
    pairings = list(Pairing.objects.filter(round=next_round(alice, stage_of(season))))
    return sorted(pairings, key=lambda each: not each.seats.filter(entrant__user=bob).exists())


def put(pairing: Pairing, night: ClubNight, slot: int = 1, board: int = 1) -> Placement:
    """Place a table, as the placement verbs do."""
    at = night.slots.get(number=slot)
    Pairing.objects.filter(pk=pairing.pk).update(starts_at=at.starts_at)
    return Placement.objects.create(pairing=pairing, slot=at, board=board)


def refused(verb, field="", **how) -> str:
    with pytest.raises(club_clock.FieldRefused if field else Refused) as caught:
        verb(**how)
    if field:
        assert getattr(caught.value, "field", None) == field
    return caught.value.message


def local(night: ClubNight) -> str:
    return night.starts_at.astimezone(club_clock.zone_of(night.club)).strftime("%Y-%m-%d %H:%M")


def kinds(user) -> list[str]:
    return list(Notice.objects.filter(user=user).order_by("pk").values_list("kind", flat=True))

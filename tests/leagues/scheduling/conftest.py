"""A club in Warsaw with a room of six tables, and people who play there."""

from datetime import date, time, timedelta
from typing import Any

import pytest

from accounts.errors import Refused
from accounts.models import Club, Membership, Notice, User
from leagues import draw, enrol
from leagues.models import ClubNight, Division, Pairing, Placement, Series, Venue
from leagues.scheduling import clock, nights
from tests.leagues.conftest import drafted, next_round, person, stage_of

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
    """A day to come, in weeks that stay the same whatever day it is today: Thursdays."""
    today = clock.today(Club(time_zone="Europe/Warsaw"))
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
    made = person(handle)
    Membership.objects.create(club=club, user=made)
    return made


@pytest.fixture
def tables(league, alice, bob, club) -> list[Pairing]:
    """Two published tables of a round, Bob at the first of them."""

    season = drafted(league, alice, "round-robin", where="club")
    division = Division.objects.get(season=season)
    for each in (bob, *(member(club, handle) for handle in ("dora", "emil", "fay"))):
        enrol.add_person(actor=alice, division=division, person=each)
    draw.start(actor=alice, season=season)
    found = list(Pairing.objects.filter(round=next_round(alice, stage_of(season))))
    return sorted(found, key=lambda each: not each.seats.filter(entrant__user=bob).exists())


def put(pairing: Pairing, night: ClubNight, slot: int = 1, board: int = 1) -> Placement:
    """As placing does it."""
    at = night.slots.get(number=slot)
    Pairing.objects.filter(pk=pairing.pk).update(starts_at=at.starts_at)
    return Placement.objects.create(pairing=pairing, slot=at, board=board)


def refused(verb, field="", **how) -> str:
    with pytest.raises(clock.Misfit if field else Refused) as caught:
        verb(**how)
    if field:
        assert getattr(caught.value, "field", None) == field
    return caught.value.message


def local(night: ClubNight) -> str:
    return night.starts_at.astimezone(clock.zone_of(night.club)).strftime("%Y-%m-%d %H:%M")


def kinds(user) -> list[str]:
    return list(Notice.objects.filter(user=user).order_by("pk").values_list("kind", flat=True))

"""Several organisers and one venue: real threads on both kinds of database."""

from datetime import time
from functools import partial

import pytest

from leagues.calendar import availability, nights
from leagues.models import Availability, ClubNight
from tests.factories import create_club, create_user
from tests.games.play.test_races import done, race
from tests.leagues.calendar.conftest import SEVEN, of, one, soon, weekly

pytestmark = pytest.mark.usefixtures("any_database")


@pytest.fixture
def cast_and_room():
    """Two organisers, a member, and their room."""
    alice, olga, bob = create_user("alice"), create_user("olga"), create_user("bob")
    club = create_club(alice, olga, bob)
    return alice, olga, bob, nights.add_venue(actor=alice, club=club, name="The back room", tables=4)


def test_two_organisers_want_the_room_and_one_gets_it(cast_and_room):
    alice, olga, _bob, room = cast_and_room
    how = {"club": room.club, "venue": room, "day": soon()}
    wishes = [
        partial(nights.add_night, actor=alice, begins=SEVEN, **how),
        partial(nights.add_night, actor=olga, begins=time(20), **how),
        partial(
            nights.add_series,
            actor=alice,
            club=room.club,
            venue=room,
            name="S",
            first=soon(),
            last=soon(),
            begins=SEVEN,
        ),
    ]
    assert len(done(race(*wishes))) == 1
    assert ClubNight.objects.filter(day=soon(), cancelled_at=None).count() == 1


def test_a_series_changed_by_two_is_whole(cast_and_room):
    alice, olga, _bob, room = cast_and_room
    series = weekly(alice, room)
    race(
        *[
            partial(nights.change_series, actor=who, series=series, slots=slots)
            for who, slots in ((alice, 3), (olga, 4))
        ]
    )
    assert {night.slots.count() for night in of(series)} in ({3}, {4})


def test_one_person_tapping_often_has_one_answer(cast_and_room):
    alice, _olga, bob, room = cast_and_room
    night = one(alice, room)
    taps = [
        partial(availability.answer, actor=bob, night=night, answer=answer) for answer in ("yes", "no", "yes", "yes")
    ]
    assert len(done(race(*taps))) == 4
    assert Availability.objects.count() == 1

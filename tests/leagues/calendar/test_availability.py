"""Who can come: an answer outweighs a habit, no answer counts as yes, and people answer for themselves."""

from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts import audit, people
from accounts.infra import datetimes
from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from leagues.calendar import availability, nights
from leagues.calendar.availability import Can
from leagues.entries import registration
from leagues.models import Availability, Division, Habit, Slot
from tests.factories import draft_season
from tests.leagues.calendar.conftest import member, of, one, weekly

THURSDAY, FRIDAY = 3, 4


def answers_of(user, night) -> list[bool]:
    """Slot by slot."""
    slots = list(night.slots.order_by("number"))
    can_come = availability.availability_of([user.pk], slots)
    return [can_come[user.pk, slot.pk] for slot in slots]


def test_silence_counts_as_yes(bob, olga, room):
    assert answers_of(bob, one(olga, room)) == [True, True, True]


def test_an_answer_and_its_change(bob, olga, room):
    night = one(olga, room)
    availability.answer(actor=bob, night=night, answer="no")
    assert answers_of(bob, night) == [False, False, False]
    availability.answer(actor=bob, night=night, answer="yes")
    assert answers_of(bob, night) == [True, True, True]
    assert Availability.objects.count() == 1


@pytest.mark.parametrize(
    ("answer", "slots", "expected"),
    [
        ("yes", [1], [True, False, False]),
        ("yes", [2, 3], [False, True, True]),
        ("no", [3], [True, True, False]),
        ("yes", [1, 2, 3], [True, True, True]),
    ],
)
def test_a_part_of_the_night(bob, olga, room, answer, slots, expected):
    night = one(olga, room)
    availability.answer(actor=bob, night=night, answer=answer, slots=slots)
    assert answers_of(bob, night) == expected


def test_a_habit_counts_until_there_is_an_answer(bob, olga, club, room):
    series = weekly(olga, room)
    first, second, *_ = of(series)
    availability.set_habits(actor=bob, club=club, habits={THURSDAY: "no", FRIDAY: "yes"})
    assert not any(answers_of(bob, first))
    availability.answer(actor=bob, night=first, answer="yes")
    assert all(answers_of(bob, first))
    assert not any(answers_of(bob, second))
    availability.take_back(actor=bob, night=first)
    assert not any(answers_of(bob, first))
    availability.set_habits(actor=bob, club=club, habits={FRIDAY: "no"})
    assert all(answers_of(bob, first))
    assert list(Habit.objects.values_list("weekday", "answer")) == [(FRIDAY, "no")]


def test_a_habit_is_about_the_weekday_at_the_club(bob, olga, club, room):
    """Thursday evening in New York is Friday in UTC."""
    club.time_zone = "America/New_York"
    club.save()
    night = one(olga, room, day=date(2026, 7, 2))
    assert night.starts_at.weekday() == THURSDAY
    late = one(olga, room, day=date(2026, 7, 2), begins=night.starts_at.time().replace(hour=23))
    assert late.starts_at.weekday() == FRIDAY
    availability.set_habits(actor=bob, club=club, habits={FRIDAY: "no"})
    assert all(answers_of(bob, late))


def test_habits_of_another_club_do_not_count(bob, olga, charlie, room):
    from accounts import clubs

    theirs = clubs.create_club(founder=bob, name="The Other Table")
    availability.set_habits(actor=bob, club=theirs, habits=dict.fromkeys(range(7), "no"))
    assert all(answers_of(bob, one(olga, room)))


@pytest.mark.parametrize(("answer", "slots"), [("maybe", []), ("", []), ("yes", [4]), ("yes", [0])])
def test_nonsense_is_refused(bob, olga, room, answer, slots):
    with pytest.raises(Refused):
        availability.answer(actor=bob, night=one(olga, room), answer=answer, slots=slots)
    assert not Availability.objects.exists()


@pytest.mark.parametrize("habits", [{7: "yes"}, {-1: "no"}, {0: "maybe"}])
def test_nonsensical_habits_are_refused(bob, club, habits):
    with pytest.raises(Refused):
        availability.set_habits(actor=bob, club=club, habits=habits)


def test_cancelled_and_past_nights_ask_nobody(bob, olga, room):
    past = one(olga, room, day=date(2024, 5, 2))
    off = nights.cancel_night(actor=olga, night=one(olga, room))
    for night in (past, off):
        with pytest.raises(Refused):
            availability.answer(actor=bob, night=night, answer="yes")


class TestWhoSpeaks:
    def test_members_and_players_of_the_clubs_seasons(self, olga, bob, charlie, club, room, league, alice):
        night = one(olga, room)
        availability.answer(actor=bob, night=night, answer="yes")
        with pytest.raises(NotAllowed):
            availability.answer(actor=charlie, night=night, answer="yes")
        season = draft_season(league, alice, "round-robin", members_only=False)
        registration.register(person=charlie, season=season)
        availability.answer(actor=charlie, night=night, answer="yes")
        assert {attendee.user for attendee in availability.attendees_of(night)} == {alice, olga, bob, charlie}

    def test_nobody_for_somebody_else_not_even_an_organiser(self, olga, alice, bob, room):
        night = one(olga, room)
        for actor, whom in ((olga, bob), (alice, olga), (bob, olga)):
            with pytest.raises(NotAllowed):
                availability.answer(actor=actor, night=night, answer="no", person=whom)

    def test_an_organiser_speaks_for_guests_and_bots(self, olga, alice, bob, club, room, league):
        night = one(olga, room)
        season = draft_season(league, alice, "round-robin", where="both")
        division = Division.objects.get(season=season)
        guest = registration.add_guest(actor=alice, division=division, name="Ada").user
        bot = registration.add_bot(actor=alice, division=division, level="regular").user
        for each in (guest, bot):
            availability.answer(actor=olga, night=night, answer="no", person=each)
            assert not any(answers_of(each, night))
        with pytest.raises(NotAllowed):
            availability.answer(actor=bob, night=night, answer="yes", person=guest)
        availability.take_back(actor=olga, night=night, person=guest)
        availability.set_habits(actor=olga, club=club, habits={THURSDAY: "no"}, person=guest)
        assert not any(answers_of(guest, night))
        words = audit.render_entries(club.audit_entries.select_related("actor", "person").order_by("-pk"))[:3]
        assert [line.words for line in words] == [
            "olga noted on which weekdays Ada can come",
            f"olga noted that {bot.name} cannot come on {datetimes.format_day(night.day)}",
            f"olga noted that Ada cannot come on {datetimes.format_day(night.day)}",
        ]

    def test_a_guest_of_another_club_is_no_business_of_ours(self, olga, charlie, room):
        from accounts import clubs

        theirs = clubs.create_club(founder=charlie, name="The Other Table")
        guest = people.add_guest(club=theirs, name="Ada", actor=charlie)
        with pytest.raises(NotAllowed):
            availability.answer(actor=olga, night=one(olga, room), answer="yes", person=guest)


def test_a_bot_comes_unless_somebody_says_otherwise(olga, alice, room, league):
    night = one(olga, room)
    season = draft_season(league, alice, "round-robin", where="both")
    bot = registration.add_bot(actor=alice, division=Division.objects.get(season=season), level="regular").user
    attendee = next(each for each in availability.attendees_of(night) if each.user == bot)
    assert attendee.summary is Can.YES
    assert attendee.answer is None


def test_who_comes_slot_by_slot(alice, olga, bob, club, room):
    night = one(olga, room)
    availability.answer(actor=bob, night=night, answer="yes", slots=[2])
    availability.set_habits(actor=olga, club=club, habits={THURSDAY: "no"})
    attendees = {attendee.user: attendee for attendee in availability.attendees_of(night)}
    assert dict(attendees[bob].slots) == {1: Can.NO, 2: Can.YES, 3: Can.NO}
    assert (attendees[bob].summary, attendees[bob].only) == (Can.YES, [2])
    assert (attendees[olga].summary, attendees[olga].answer, attendees[olga].only) == (Can.NO, None, [])
    assert attendees[alice].summary is Can.UNKNOWN


def test_as_many_queries_for_many_as_for_few(olga, bob, club, room):
    series = weekly(olga, room)
    few, many = of(series)[:1], of(series)
    crowd = [member(club, f"member{number}").pk for number in range(12)]
    with CaptureQueriesContext(connection) as small:
        availability.availability_of([bob.pk], Slot.objects.filter(night__in=few))
    with CaptureQueriesContext(connection) as large:
        can_come = availability.availability_of([bob.pk, *crowd], Slot.objects.filter(night__in=many))
    # The slots themselves, and the four that `availability_of` promises.
    assert len(small) == len(large) == 5
    assert len(can_come) == 13 * 8
    assert all(can_come.values())
    with CaptureQueriesContext(connection) as listing:
        availability.attendees_of(many[0])
    assert len(listing) <= 8

"""Attendance drives the draw: who is here, from what, and what happens to those who are away."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from leagues.calendar import availability
from leagues.entries import attendance, bye_requests, registration
from leagues.entries.attendance import Why
from leagues.models import Bye, ClubNight, Pairing, PairingSeat, RequestedBye, Round, Slot, Undoable, Venue
from leagues.rounds import attending, draw
from leagues.seasons import undo
from tests.factories import (
    create_user,
    draft_season,
    enter,
    enter_team,
    finish_round,
    logged_in,
    next_round,
    running_stage,
    stage_of,
)

LEAVING_OUT = [
    ("splendor-marvel", "swiss", 7, {}),
    ("splendor-marvel", "table-swiss", 9, {}),
    ("splendor-marvel", "duplicate", 8, {"seats": 4}),
    ("infinity-gauntlet", "one-vs-many", 9, {}),
    ("thanos-rising", "rotating-teams", 8, {}),
]


def make_night(club, days=3, **fields):
    venue, _ = Venue.objects.get_or_create(club=club, name="The back room", tables=6)
    starts = timezone.now() + timedelta(days=days)
    times = {"starts_at": starts, "ends_at": starts + timedelta(hours=3)}
    night = ClubNight.objects.create(club=club, venue=venue, day=starts.date(), **times, **fields)
    for number in (1, 2):
        Slot.objects.create(night=night, number=number, tables=6, **times)
    return night


@pytest.fixture
def people(club):
    return [create_user(f"player-{number}", display_name=f"Player {number}") for number in range(1, 6)]


@pytest.fixture
def stage(league, alice, people):
    """Five members of the club in a Swiss at the club."""
    season = draft_season(league, alice, "swiss", planned=3)
    enter(season.divisions.get(), alice, *people)
    draw.start(actor=alice, season=season)
    return stage_of(season)


def row_of(stage, person, number=1):
    return next(row for row in attendance.attendance(stage, number).rows if row.entrant.user == person)


def seated(round_):
    return set(PairingSeat.objects.filter(round=round_).values_list("entrant__user__display_name", flat=True))


@pytest.mark.parametrize(("game", "format", "count", "settings"), LEAVING_OUT)
def test_every_format_that_draws_round_by_round_leaves_out_whoever_is_away(club, alice, game, format, count, settings):
    from leagues.seasons import setup

    held = setup.create_league(actor=alice, club=club, name=format, game=game)
    stage = running_stage(held, alice, format, count, planned=3, settings=settings)
    away = list(stage.division.entrants.order_by("pk")[:2])
    for entrant in away:
        attending.set_attendance(actor=alice, entrant=entrant, stage=stage, number=1, here=False)
    round_ = draw.draw_next_round(actor=alice, stage=stage)
    drawn = set(PairingSeat.objects.filter(round=round_).values_list("entrant", flat=True))
    assert drawn
    assert not drawn & {each.pk for each in away}
    byes = dict(Bye.objects.filter(round=round_).values_list("entrant", "kind"))
    assert {byes[each.pk] for each in away} == {"ZPB"}


def test_fixed_teams_too(club, alice):
    from leagues.seasons import setup

    held = setup.create_league(actor=alice, club=club, name="Teams", game="thanos-rising")
    season = draft_season(held, alice, "teams", planned=2)
    ada, bea, cid, dan = (create_user(name) for name in ("ada", "bea", "cid", "dan"))
    first = enter_team(season.divisions.get(), alice, "First", ada, bea)
    second = enter_team(season.divisions.get(), alice, "Second", cid, dan)
    draw.start(actor=alice, season=season)
    availability.answer(actor=bea, night=make_night(club), answer="no")
    stage = stage_of(season)
    listed = attendance.attendance(stage, 1)
    assert [(row.entrant, row.member) for row in listed.away] == [(first, "bea")]
    round_ = draw.draw_next_round(actor=alice, stage=stage)
    assert list(PairingSeat.objects.filter(round=round_).values_list("entrant", flat=True)) == [second.pk]


def test_the_answer_for_the_night_and_the_habit_fill_the_list(stage, club, people):
    night = make_night(club)
    coming, not_coming, habit_yes, habit_no, _silent = people
    availability.answer(actor=coming, night=night, answer="yes")
    availability.answer(actor=not_coming, night=night, answer="no")
    availability.set_habits(actor=habit_yes, club=club, habits={night.day.weekday(): "yes"})
    availability.set_habits(actor=habit_no, club=club, habits={night.day.weekday(): "no"})
    assert [(row_of(stage, each).is_here, row_of(stage, each).why) for each in people] == [
        (True, Why.NIGHT),
        (False, Why.NIGHT),
        (True, Why.HABIT),
        (False, Why.HABIT),
        (True, Why.UNKNOWN),
    ]
    assert attendance.attendance(stage, 1).night == night
    # Later rounds belong to no night yet.
    assert row_of(stage, not_coming, 2).is_here


def test_a_later_no_to_the_night_outweighs_being_here(stage, club, alice, people):
    night, other = make_night(club), make_night(club, days=9)
    for person in people[:2]:
        entrant = stage.starters.get(entrant__user=person).entrant
        attending.set_attendance(actor=person, entrant=entrant, stage=stage, number=1, here=True)
    attending.answer_night(actor=people[0], night=night, answer="no")
    attending.answer_night(actor=people[1], night=other, answer="no")  # of another night
    assert [row_of(stage, person).is_here for person in people[:2]] == [False, True]
    round_ = draw.draw_next_round(actor=alice, stage=stage)
    assert not PairingSeat.objects.filter(round=round_, entrant__user=people[0]).exists()


def test_a_part_of_the_night_is_enough(stage, club, people):
    availability.answer(actor=people[0], night=make_night(club), answer="no", slots=[1])
    assert row_of(stage, people[0]).is_here


def test_a_draw_never_seats_somebody_who_said_no_and_says_why(stage, club, alice, people):
    availability.answer(actor=people[0], night=make_night(club), answer="no")
    page = (
        logged_in(alice)
        .post(f"/leagues/thursday-league/1/stages/{stage.pk}/draw/", {"number": "1"}, follow=True)
        .content.decode()
    )
    round_ = Round.objects.get(stage=stage)
    assert seated(round_) == {"Player 2", "Player 3", "Player 4", "Player 5"}
    assert "Left out of the draw: Player 1 (cannot come on" in page
    assert page.count("Left out of the draw") == 1
    assert Bye.objects.get(round=round_).kind == "ZPB"
    # Neither page nor API shows before the publication that there is a draw.
    entrant = stage.division.entrants.get(user=people[0])
    assert "You miss round" not in logged_in(people[0]).get("/leagues/thursday-league/1/entries/").content.decode()
    assert logged_in(people[0]).get(f"/api/v1/entrants/{entrant.pk}/byes/").json()["results"] == []
    # To everybody else, the reason says nothing about the night.
    draw.publish(actor=alice, round=round_)
    seen = logged_in(create_user("passer-by")).get(f"/leagues/thursday-league/1/rounds/{round_.pk}/").content.decode()
    assert "Player 1 misses this round: a bye without points." in seen
    assert "cannot come" not in seen


def test_a_latecomer_is_in_with_one_tap_until_the_draw_is_published(stage, club, alice, people):
    late = people[0]
    availability.answer(actor=late, night=make_night(club), answer="no")
    entrant = stage.division.entrants.get(user=late)
    draw.draw_next_round(actor=alice, stage=stage)
    attending.set_attendance(actor=alice, entrant=entrant, stage=stage, number=1, here=True)
    round_ = Round.objects.get(stage=stage)
    assert seated(round_) | {Bye.objects.get(round=round_).entrant.name} == {f"Player {n}" for n in range(1, 6)}
    assert Bye.objects.get(round=round_).kind == "PAB"
    draw.publish(actor=alice, round=round_)
    with pytest.raises(Refused, match="published"):
        attending.set_attendance(actor=late, entrant=entrant, stage=stage, number=1, here=False)


def test_who_had_not_checked_in_is_brought_back_where_one_looks_for_them(league, alice, bob, olga):
    season = draft_season(league, alice, "swiss", planned=3, check_in=True)
    [late] = enter(season.divisions.get(), alice, bob)
    for number in range(4):
        guest = registration.add_guest(actor=alice, division=season.divisions.get(), name=f"Guest {number}")
        registration.check_in(actor=alice, entrant=guest)
    draw.start(actor=alice, season=season)
    stage = stage_of(season)
    page = f"/leagues/{league.slug}/1/stages/{stage.pk}/here/1/"
    assert "Bring back" not in logged_in(bob).get(page).content.decode()
    organiser = logged_in(olga)
    assert "Bring back" in organiser.get(page).content.decode()
    done = organiser.post(f"/leagues/{league.slug}/1/entries/{late.pk}/", {"do": "return", "back": "here"}, follow=True)
    assert done.redirect_chain[-1][0] == page
    assert "5 of 5" in done.content.decode()
    round_ = draw.draw_next_round(actor=alice, stage=stage)
    assert round_.seats.filter(entrant=late).exists() or round_.byes.filter(entrant=late, kind="PAB").exists()


def test_a_new_guest_after_the_draw_is_in_the_one_drawn_again(stage, alice):
    round_ = draw.draw_next_round(actor=alice, stage=stage)
    registration.add_guest(actor=alice, division=stage.division, name="Late Lou")
    listed = attendance.attendance(stage, 1)
    assert [row.entrant.name for row in listed.missing] == ["Late Lou"]
    again = draw.draw_again(actor=alice, round=round_)
    assert "Late Lou" in seated(again)
    assert not attendance.attendance(stage, 1).missing


def test_a_no_after_the_draw_keeps_it_from_being_published(stage, club, alice, people):
    night = make_night(club)
    round_ = draw.draw_next_round(actor=alice, stage=stage)
    who = people[0] if "Player 1" in seated(round_) else people[1]
    availability.answer(actor=who, night=night, answer="no")
    with pytest.raises(Refused, match=f"{who.name} cannot come"):
        draw.publish(actor=alice, round=round_)
    again = draw.draw_again(actor=alice, round=round_)
    assert who.name not in seated(again)
    assert draw.publish(actor=alice, round=again).is_published


def test_the_answer_taken_back_after_taking_the_draw_back_counts(stage, club, alice, people):
    """A bye that the draw wrote goes with the draw."""
    night = make_night(club)
    availability.answer(actor=people[0], night=night, answer="no")
    round_ = draw.draw_next_round(actor=alice, stage=stage)
    assert RequestedBye.objects.get().from_night
    draw.delete_round(actor=alice, round=round_)
    assert not RequestedBye.objects.exists()
    availability.answer(actor=people[0], night=night, answer="yes")
    assert row_of(stage, people[0]).is_here


def test_the_bye_follows_the_rule_of_the_season(league, alice, people):
    season = draft_season(league, alice, "swiss", planned=5, missed_round="HPB")
    entrants = enter(season.divisions.get(), alice, *people)
    draw.start(actor=alice, season=season)
    stage = stage_of(season)
    kinds = []
    for number in (1, 2, 3):
        attending.set_attendance(actor=people[0], entrant=entrants[0], stage=stage, number=number, here=False)
        round_ = next_round(alice, stage)
        kinds.append(Bye.objects.get(round=round_, entrant=entrants[0]).kind)
        finish_round(round_)
    assert kinds == ["HPB", "HPB", "ZPB"]


def test_points_that_a_night_gave_count_among_the_two(league, club, alice, people):
    season = draft_season(league, alice, "swiss", planned=5, missed_round="HPB")
    entrants = enter(season.divisions.get(), alice, *people)
    draw.start(actor=alice, season=season)
    stage = stage_of(season)
    availability.set_habits(actor=people[0], club=club, habits=dict.fromkeys(range(7), "no"))
    for days in (3, 4):
        make_night(club, days)
        finish_round(next_round(alice, stage))
    assert set(Bye.objects.filter(entrant=entrants[0]).values_list("kind", flat=True)) == {"HPB"}
    with pytest.raises(Refused, match="2 missed rounds at most"):
        bye_requests.request_bye(actor=people[0], entrant=entrants[0], stage=stage, number=3, kind="HPB")
    assert row_of(stage, people[0], 3).bye == "ZPB"


def test_i_can_come_after_all_outweighs_a_no_to_the_night(stage, club, alice, people):
    """The button on the entries page says that they play; so they are drawn."""
    night, late = make_night(club), people[0]
    availability.answer(actor=late, night=night, answer="no")
    entrant = stage.division.entrants.get(user=late)
    asked = bye_requests.request_bye(actor=late, entrant=entrant, stage=stage, number=1, kind="ZPB")
    path = f"{stage.division.season.get_absolute_url()}entries/"
    assert "I can come after all" in logged_in(late).get(path).content.decode()
    answered = logged_in(late).post(f"{path}{entrant.pk}/bye/", {"cancel": asked.pk}, follow=True)
    assert "You play that round after all." in answered.content.decode()
    drawn = draw.draw_next_round(actor=alice, stage=stage)
    assert PairingSeat.objects.filter(round=drawn, entrant=entrant).exists() or drawn.byes.filter(kind="PAB").exists()
    assert entrant.pk not in [row.entrant.pk for row in attendance.attendance(stage, 1).away]


def test_i_can_come_after_all_for_a_later_round_leaves_the_night_to_decide(stage, club, people):
    """Nothing is known of that evening yet: a no to its night, once there is one, still counts."""
    late = people[0]
    entrant = stage.division.entrants.get(user=late)
    asked = bye_requests.request_bye(actor=late, entrant=entrant, stage=stage, number=3, kind="ZPB")
    attending.come_after_all(actor=late, request=asked)
    assert not RequestedBye.objects.exists()
    assert not stage.attendances.exists()


def test_who_may_say_it(stage, alice, bob, people):
    entrant = stage.division.entrants.get(user=people[0])
    for other in (people[1], bob):
        with pytest.raises(NotAllowed):
            attending.set_attendance(actor=other, entrant=entrant, stage=stage, number=1, here=False)
    attending.set_attendance(actor=people[0], entrant=entrant, stage=stage, number=1, here=False)
    assert not row_of(stage, people[0]).is_here
    with pytest.raises(NotAllowed):
        attending.choose_night(actor=people[0], stage=stage, number=1, night=None)


def test_saying_it_again_changes_nothing_and_it_can_be_undone(stage, alice, people):
    entrant = stage.division.entrants.get(user=people[0])
    for _twice in range(2):
        attending.set_attendance(actor=alice, entrant=entrant, stage=stage, number=1, here=False)
    assert Undoable.objects.filter(kind="attendance").count() == 1
    draw.draw_next_round(actor=alice, stage=stage)
    undo.undo(actor=alice, undoable=Undoable.objects.get(kind="attendance"))
    assert row_of(stage, people[0]).why is Why.UNKNOWN
    round_ = Round.objects.get(stage=stage)
    assert len(seated(round_) | set(round_.byes.values_list("entrant__user__display_name", flat=True))) == 5
    assert not attendance.attendance(stage, 1).missing


def test_the_night_can_be_chosen_or_none(stage, club, alice, people):
    first, second = make_night(club, 3), make_night(club, 5)
    availability.answer(actor=people[0], night=first, answer="no")
    availability.answer(actor=people[1], night=second, answer="no")
    away = [row.entrant.user for row in attendance.attendance(stage, 1).away]
    assert away == [people[0]]
    attending.choose_night(actor=alice, stage=stage, number=1, night=second)
    assert [row.entrant.user for row in attendance.attendance(stage, 1).away] == [people[1]]
    attending.choose_night(actor=alice, stage=stage, number=1, night=None)
    assert not attendance.attendance(stage, 1).away
    ClubNight.objects.filter(pk=second.pk).update(cancelled_at=timezone.now())
    with pytest.raises(Refused, match="cancelled"):
        attending.choose_night(actor=alice, stage=stage, number=1, night=second)


def test_the_list_of_a_drawn_round_keeps_its_night(stage, club, alice, people):
    night = make_night(club)
    availability.answer(actor=people[0], night=night, answer="no")
    round_ = draw.draw_next_round(actor=alice, stage=stage)
    ClubNight.objects.filter(pk=night.pk).update(
        starts_at=timezone.now() - timedelta(hours=4), ends_at=timezone.now() - timedelta(hours=1)
    )
    make_night(club, 7)
    assert attendance.attendance(stage, 1).night == night
    assert draw.publish(actor=alice, round=round_).is_published


@pytest.mark.parametrize("format", ["round-robin", "single-elimination", "groups"])
def test_formats_that_need_everybody_say_so(league, alice, format):
    stage = running_stage(league, alice, format, 4)
    entrant = stage.division.entrants.first()
    with pytest.raises(Refused, match="every round is needed"):
        attending.set_attendance(actor=alice, entrant=entrant, stage=stage, number=1, here=False)
    page = logged_in(alice).get(f"/leagues/thursday-league/1/stages/{stage.pk}/here/1/").content.decode()
    assert "nobody is left out" in page
    assert "is away</" not in page


def test_in_such_a_format_the_night_keeps_nobody_from_being_drawn(league, club, alice, people):
    season = draft_season(league, alice, "round-robin")
    enter(season.divisions.get(), alice, *people[:4])
    draw.start(actor=alice, season=season)
    availability.answer(actor=people[0], night=make_night(club), answer="no")
    round_ = next_round(alice, stage_of(season))
    assert "Player 1" in seated(round_)


def test_a_format_without_rounds_says_so(league, alice):
    stage = running_stage(league, alice, "ladder", 4)
    page = logged_in(alice).get(f"/leagues/thursday-league/1/stages/{stage.pk}/here/1/").content.decode()
    assert "no rounds to miss" in page


def test_the_page(stage, club, alice, people):
    availability.answer(actor=people[0], night=make_night(club), answer="no")
    address = f"/leagues/thursday-league/1/stages/{stage.pk}/here/1/"
    entrant = stage.division.entrants.get(user=people[0])
    own = logged_in(people[0])
    assert own.get(f"/leagues/thursday-league/1/stages/{stage.pk}/here/").url == address
    seen = own.get(address).content.decode()
    # Their own taps and nobody else's.
    assert seen.count('class="here-taps"') == 1
    assert "4 of 5" in seen
    assert own.post(address, {"entrant": entrant.pk, "here": "yes"}).status_code == 302
    assert "5 of 5" in own.get(address).content.decode()
    other = stage.division.entrants.get(user=people[1])
    assert own.post(address, {"entrant": other.pk, "here": "no"}).status_code == 403
    assert "5 of 5" in logged_in(alice).get(address).content.decode()
    assert "The answer is yes or no." in own.post(address, {"entrant": entrant.pk}, follow=True).content.decode()
    assert own.get(f"/leagues/thursday-league/1/stages/{stage.pk}/here/4/").status_code == 404
    assert logged_in(create_user("passer-by")).get(address).status_code == 403


def test_when_all_rounds_are_published_the_link_leads_to_the_last(stage, alice):
    type(stage).objects.filter(pk=stage.pk).update(planned=1)
    next_round(alice, stage)
    answer = logged_in(alice).get(f"/leagues/thursday-league/1/stages/{stage.pk}/here/", follow=True)
    assert answer.status_code == 200
    assert answer.redirect_chain[-1][0].endswith("/here/1/")


def test_players_do_not_learn_from_it_that_a_round_is_drawn(stage, alice, people):
    address = f"/leagues/thursday-league/1/stages/{stage.pk}/here/1/"
    own = logged_in(people[0])

    def body():
        text = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", own.get(address).content.decode())
        return text[text.index('id="here-title"') : text.index("</section>", text.index('id="here-title"'))]

    before = body()
    draw.draw_next_round(actor=alice, stage=stage)
    assert body() == before


def test_withdrawn_people_are_not_on_the_list(stage, alice, people):
    from leagues.entries import withdrawal

    entrant = stage.division.entrants.get(user=people[0])
    withdrawal.withdraw(actor=alice, entrant=entrant)
    assert len(attendance.attendance(stage, 1).rows) == 4
    with pytest.raises(Refused, match="withdrawn"):
        attending.set_attendance(actor=alice, entrant=entrant, stage=stage, number=1, here=True)


def test_as_many_queries_for_many_as_for_few(league, club, alice, django_assert_num_queries):
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    counts = []
    for count in (4, 12):
        stage = running_stage(league, alice, "swiss", count, planned=3)
        make_night(club)
        with CaptureQueriesContext(connection) as queries:
            attendance.attendance(stage, 1)
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_too_few_after_the_draw_keeps_the_old_draw_and_says_so(league, alice):
    """Nothing is lost if the new draw is impossible; it is only not published."""
    stage = running_stage(league, alice, "swiss", 2, planned=2)
    round_ = draw.draw_next_round(actor=alice, stage=stage)
    entrant = stage.division.entrants.first()
    attending.set_attendance(actor=alice, entrant=entrant, stage=stage, number=1, here=False)
    assert Round.objects.get(stage=stage) == round_
    assert Pairing.objects.filter(round=round_).count() == 1
    assert [row.entrant for row in attendance.attendance(stage, 1).unwanted] == [entrant]
    with pytest.raises(Refused, match="too few"):
        draw.draw_again(actor=alice, round=round_)
    assert Round.objects.get(stage=stage) == round_
    with pytest.raises(Refused, match="cannot come"):
        draw.publish(actor=alice, round=round_)

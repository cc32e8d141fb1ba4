"""The organiser's hand: people of an unpublished draw change places, with warnings, log and undo."""

from functools import partial

import pytest

from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from accounts.models import AuditEntry
from leagues.entries import registration
from leagues.formats.hand import Concern
from leagues.models import Bye, MeetingRule, PairingSeat, Round, Undoable
from leagues.rounds import attending, draw, hand
from leagues.seasons import meeting_rules, undo
from tests.factories import (
    add_guests,
    create_user,
    draft_season,
    finish_round,
    logged_in,
    next_round,
    running_stage,
    stage_of,
)

ADDRESS = "/leagues/thursday-league/1/"


@pytest.fixture
def stage(league, alice):
    return running_stage(league, alice, "swiss", 7, planned=5)


@pytest.fixture
def round_(stage, alice):
    return draw.draw_next_round(actor=alice, stage=stage)


def places(round_):
    seats = PairingSeat.objects.filter(round=round_).order_by("pairing__number", "index")
    return list(seats.values_list("pairing__number", "index", "entrant"))


def at(round_, table, index):
    return (
        PairingSeat.objects.select_related("entrant__user")
        .get(round=round_, pairing__number=table, index=index)
        .entrant
    )


def test_two_at_different_tables_change_places(round_, alice):
    one, other = at(round_, 1, 0), at(round_, 3, 1)
    before = places(round_)
    hand.exchange(actor=alice, round=round_, one=one, other=other)
    assert (at(round_, 3, 1), at(round_, 1, 0)) == (one, other)
    unmoved = [row for row in before if row[2] not in (one.pk, other.pk)]
    assert [row for row in places(round_) if row[2] not in (one.pk, other.pk)] == unmoved
    round_.refresh_from_db()
    assert "by hand" in draw.explain_pairing(what=round_.pairings.get(number=1))
    assert "by hand" not in draw.explain_pairing(what=round_.pairings.get(number=2))
    assert AuditEntry.objects.filter(action="leagues.exchanged").count() == 1


def test_two_at_one_table_change_seats(round_, alice):
    one, other = at(round_, 2, 0), at(round_, 2, 1)
    hand.exchange(actor=alice, round=round_, one=one, other=other)
    assert at(round_, 2, 0) == other


def test_a_seat_and_the_bye(round_, alice):
    resting = Bye.objects.get(round=round_)
    seated = at(round_, 1, 0)
    hand.exchange(actor=alice, round=round_, one=seated, other=resting.entrant)
    assert at(round_, 1, 0) == resting.entrant
    now = Bye.objects.get(round=round_)
    assert (now.entrant, now.kind) == (seated, "PAB")
    assert "by hand" in draw.explain_pairing(what=now)


def test_back_again_is_the_machines_draw(round_, alice):
    reasons = list(round_.pairings.order_by("number").values_list("reason", flat=True))
    one, other = at(round_, 1, 0), at(round_, 3, 1)
    hand.exchange(actor=alice, round=round_, one=one, other=other)
    assert Round.objects.get(pk=round_.pk).machine
    hand.exchange(actor=alice, round=round_, one=one, other=other)
    assert Round.objects.get(pk=round_.pk).machine is None
    assert list(round_.pairings.order_by("number").values_list("reason", flat=True)) == reasons


def test_undo_in_order_and_not_across_a_later_change(round_, alice):
    before = places(round_)
    one, other, third = at(round_, 1, 0), at(round_, 2, 0), at(round_, 3, 0)
    hand.exchange(actor=alice, round=round_, one=one, other=other)
    hand.exchange(actor=alice, round=round_, one=one, other=third)
    second, first = Undoable.objects.filter(kind="exchange").order_by("-pk")
    with pytest.raises(Refused, match="changed meanwhile"):
        undo.undo(actor=alice, undoable=first)
    undo.undo(actor=alice, undoable=second)
    undo.undo(actor=alice, undoable=first)
    assert places(round_) == before
    assert Round.objects.get(pk=round_.pk).machine is None


def test_not_once_it_is_published(round_, alice):
    one, other = at(round_, 1, 0), at(round_, 2, 0)
    hand.exchange(actor=alice, round=round_, one=one, other=other)
    draw.publish(actor=alice, round=round_)
    with pytest.raises(Refused, match="published"):
        hand.exchange(actor=alice, round=round_, one=one, other=other)
    with pytest.raises(Refused, match="published"):
        undo.undo(actor=alice, undoable=Undoable.objects.get(kind="exchange"))
    # It is played as it was changed.
    finish_round(round_)
    assert draw.draw_next_round(actor=alice, stage=round_.stage).number == 2


def test_only_organisers_and_only_those_in_the_draw(round_, alice, bob, stage):
    one = at(round_, 1, 0)
    with pytest.raises(NotAllowed):
        hand.exchange(actor=bob, round=round_, one=one, other=at(round_, 2, 0))
    with pytest.raises(Refused, match="two different"):
        hand.exchange(actor=alice, round=round_, one=one, other=one)
    late = registration.add_guest(actor=alice, division=stage.division, name="Late")
    with pytest.raises(Refused, match="Late is not in this draw"):
        hand.exchange(actor=alice, round=round_, one=one, other=late)


@pytest.mark.parametrize("format", ["round-robin", "single-elimination"])
def test_plans_and_brackets_cannot_be_changed(league, alice, format):
    stage = running_stage(league, alice, format, 4)
    round_ = draw.draw_next_round(actor=alice, stage=stage)
    with pytest.raises(Refused, match="follow from the plan"):
        hand.exchange(actor=alice, round=round_, one=at(round_, 1, 0), other=at(round_, 2, 0))
    page = logged_in(alice).get(f"{ADDRESS}rounds/{round_.pk}/hand/")
    assert page.status_code == 302


@pytest.mark.parametrize(
    ("game", "format", "count"),
    [
        ("splendor-marvel", "table-swiss", 8),
        ("infinity-gauntlet", "one-vs-many", 8),
        ("splendor-marvel", "duplicate", 8),
    ],
)
def test_larger_tables(club, alice, game, format, count):
    from leagues.seasons import setup

    held = setup.create_league(actor=alice, club=club, name="Large", game=game)
    stage = running_stage(held, alice, format, count, planned=3)
    finish_round(next_round(alice, stage))
    round_ = draw.draw_next_round(actor=alice, stage=stage)
    roles = list(PairingSeat.objects.filter(round=round_).order_by("pairing", "index").values_list("role", flat=True))
    one, other = at(round_, 1, 0), at(round_, 2, 1)
    hand.exchange(actor=alice, round=round_, one=one, other=other)
    assert (at(round_, 2, 1), at(round_, 1, 0)) == (one, other)
    now = list(PairingSeat.objects.filter(round=round_).order_by("pairing", "index").values_list("role", flat=True))
    assert now == roles
    board = hand.board(Round.objects.select_related("stage").get(pk=round_.pk))
    assert board.after(one.pk, other.pk) == board.machine


def test_a_guest_and_a_bot_cannot_be_put_together(league, alice):
    season = draft_season(league, alice, "swiss", planned=2, where="both")
    add_guests(season, alice, 2)
    for _bot in range(2):
        registration.add_bot(actor=alice, division=season.divisions.get(), level="rookie")
    draw.start(actor=alice, season=season)
    round_ = draw.draw_next_round(actor=alice, stage=stage_of(season))
    before = places(round_)
    with pytest.raises(Refused, match="they cannot meet"):
        hand.exchange(actor=alice, round=round_, one=at(round_, 1, 0), other=at(round_, 2, 0))
    assert places(round_) == before


def test_warnings_and_costs_beside_the_machines(stage, alice):
    finish_round(next_round(alice, stage))
    round_ = draw.draw_next_round(actor=alice, stage=stage)
    earlier = {
        frozenset(pairing.seats.values_list("entrant", flat=True))
        for pairing in Round.objects.get(stage=stage, number=1).pairings.all()
    }
    assert hand.board(round_).now.cost.repeats == 0
    one = at(round_, 1, 0)
    met = next(pair for pair in earlier if one.pk in pair)
    other_id = next(iter(met - {one.pk}))
    partner = at(round_, 1, 1)
    hand.exchange(actor=alice, round=round_, one=partner, other=stage.division.entrants.get(pk=other_id))
    board = hand.board(Round.objects.select_related("stage").get(pk=round_.pk))
    assert [each.concern for each in board.now.warnings if each.table == 1].count(Concern.REPEAT) == 1
    assert board.now.cost > board.machine.cost
    page = logged_in(alice).get(f"{ADDRESS}rounds/{round_.pk}/hand/").content.decode()
    assert "meet again (meeting no. 2)" in page
    assert "Worse than the machine’s draw." in page


def test_a_change_of_attendance_keeps_what_was_changed_by_hand(stage, round_, alice):
    hand.exchange(actor=alice, round=round_, one=at(round_, 1, 0), other=at(round_, 2, 0))
    away = at(round_, 3, 0)
    attending.set_attendance(actor=alice, entrant=away, stage=stage, number=1, here=False)
    assert Round.objects.filter(pk=round_.pk).exists()
    with pytest.raises(Refused, match="cannot come"):
        draw.publish(actor=alice, round=round_)
    again = draw.draw_again(actor=alice, round=round_)
    assert again.machine is None
    assert not PairingSeat.objects.filter(round=again, entrant=away).exists()


def test_the_page_changes_places_with_two_taps_and_without_script(round_, alice):
    olga = logged_in(alice)
    address = f"{ADDRESS}rounds/{round_.pk}/hand/"
    one, other = at(round_, 1, 0), at(round_, 3, 1)
    first = olga.get(address).content.decode()
    assert f'href="{address}?first={one.pk}"' in first
    second = olga.get(f"{address}?first={one.pk}").content.decode()
    assert f'name="other" value="{other.pk}"' in second
    assert olga.post(address, {"one": one.pk, "other": other.pk}).url == address
    assert at(round_, 3, 1) == one
    olga.post(address, {"undo": "1"})
    assert at(round_, 1, 0) == one
    assert olga.get(f"{address}?first=99999").status_code == 404
    assert olga.post(address, {"one": one.pk}).status_code == 404


class TestMeetingRules:
    def test_a_draw_keeps_two_apart_and_says_where_it_cannot(self, league, alice):
        stage = running_stage(league, alice, "swiss", 4, planned=3)
        one, two, three, four = stage.division.entrants.order_by("seed")
        add = partial(meeting_rules.add_rule, actor=alice, season=stage.division.season)
        add(one=one, other=three)
        round_ = draw.draw_next_round(actor=alice, stage=stage)
        assert not round_.pairings.filter(seats__entrant=one).filter(seats__entrant=three).exists()
        for pair in ((one, two), (one, four)):
            add(one=pair[0], other=pair[1])
        client = logged_in(alice)
        page = client.post(f"{ADDRESS}rounds/{round_.pk}/redraw/", follow=True).content.decode()
        assert "A rule of the season could not be kept: " in page

    def test_late_pairs(self, league, alice):
        stage = running_stage(league, alice, "swiss", 4, planned=3)
        one, _two, three, _four = stage.division.entrants.order_by("seed")
        meeting_rules.add_rule(actor=alice, season=stage.division.season, one=one, other=three, from_round=3)
        for number in (1, 2, 3):
            round_ = next_round(alice, stage)
            meet = round_.pairings.filter(seats__entrant=one).filter(seats__entrant=three).exists()
            assert meet == (number == 3)
            finish_round(round_)

    def test_only_organisers_know_them(self, league, alice, bob):
        stage = running_stage(league, alice, "table-swiss", 8, planned=3)
        season = stage.division.season
        one, other = stage.division.entrants.order_by("seed")[:2]
        meeting_rules.add_rule(actor=alice, season=season, one=one, other=other)
        address = f"{ADDRESS}meetings/"
        assert logged_in(bob).get(address).status_code == 403
        assert "kept apart in all rounds" in logged_in(alice).get(address).content.decode()
        finish_round(next_round(alice, stage))
        round_ = next_round(alice, stage)
        seen = logged_in(create_user("passer-by")).get(f"{ADDRESS}rounds/{round_.pk}/").content.decode()
        assert "apart" not in seen

    def test_the_page_adds_and_removes_and_the_log_undoes(self, stage, alice, bob):
        client, address = logged_in(alice), f"{ADDRESS}meetings/"
        one, other = stage.division.entrants.order_by("pk")[:2]
        assert client.post(address, {"one": other.pk, "other": one.pk, "from_round": "3"}).status_code == 302
        rule = MeetingRule.objects.get()
        assert (rule.one, rule.other, rule.from_round) == (one, other, 3)
        for wrong in (
            {"one": one.pk, "other": one.pk},
            {"one": one.pk},
            {"one": one.pk, "other": other.pk, "from_round": 1},
        ):
            assert client.post(address, wrong).status_code == 422
        client.post(f"{address}{rule.pk}/drop/")
        assert not MeetingRule.objects.exists()
        for step in Undoable.objects.filter(kind="meeting-rule").order_by("-pk"):
            undo.undo(actor=alice, undoable=step)
            assert MeetingRule.objects.filter(from_round=3).exists() == ("had" in step.data and step.data["had"])
        with pytest.raises(NotAllowed):
            meeting_rules.add_rule(actor=bob, season=stage.division.season, one=one, other=other)

    def test_a_second_rule_for_a_pair_replaces_the_first(self, stage, alice):
        one, other = stage.division.entrants.order_by("pk")[:2]
        add = partial(meeting_rules.add_rule, actor=alice, season=stage.division.season)
        add(one=one, other=other, from_round=4)
        add(one=other, other=one)
        assert MeetingRule.objects.get().from_round is None

    def test_formats_that_cannot_obey_say_so(self, league, alice):
        running_stage(league, alice, "round-robin", 4)
        assert "the format decides who meets whom" in logged_in(alice).get(f"{ADDRESS}meetings/").content.decode()

"""Rounds: drawn once, in one transaction, with reasons; taken back while nobody has played."""

from functools import partial

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from leagues.entries import registration, withdrawal
from leagues.models import Bye, Entrant, Pairing, PairingSeat, Result, Round, Season, Stage
from leagues.results import recording
from leagues.rounds import closing as rounds_closing
from leagues.rounds import draw
from leagues.seasons import closing, final_standings, setup
from tests.factories import add_guests, confirm_result, finish_round, next_round, running_stage, set_up_preset, stage_of

SWISS_LIKE = [("swiss", 7), ("table-swiss", 9), ("duplicate", 8)]


@pytest.mark.parametrize(("format", "count"), SWISS_LIKE)
def test_a_whole_event(league, alice, format, count):
    stage = running_stage(league, alice, format, count, planned=3)
    for number in (1, 2, 3):
        round_ = next_round(alice, stage)
        assert round_.number == number
        seated = set(PairingSeat.objects.filter(round=round_).values_list("entrant", flat=True))
        resting = set(Bye.objects.filter(round=round_).values_list("entrant", flat=True))
        assert not seated & resting
        assert len(seated | resting) == count
        assert all(draw.explain_pairing(what=pairing) for pairing in round_.pairings.all())
        finish_round(round_)
    with pytest.raises(Refused, match="All 3 rounds"):
        draw.draw_next_round(actor=alice, stage=stage)
    assert rounds_closing.finish_stage(actor=alice, stage=stage) is None
    season = closing.close_season(actor=alice, season=stage.division.season)
    assert season.is_closed
    assert season.movements.count() == count


def test_the_same_round_asked_for_twice_is_drawn_once(league, alice, olga):
    stage = running_stage(league, alice, "swiss", 6, planned=3)
    first = draw.draw_next_round(actor=alice, stage=stage, number=1)
    again = draw.draw_next_round(actor=olga, stage=stage, number=1)
    assert first == again
    assert Round.objects.filter(stage=stage).count() == 1
    with pytest.raises(Refused, match="Round 2 comes first"):
        draw.draw_next_round(actor=olga, stage=stage, number=3)


def test_a_stranger_draws_nothing(league, alice, bob, charlie):
    stage = running_stage(league, alice, "swiss", 4, planned=2)
    for somebody in (bob, charlie):
        with pytest.raises(NotAllowed):
            draw.draw_next_round(actor=somebody, stage=stage)
    assert not Round.objects.exists()


def test_the_next_round_waits_for_open_tables(league, alice):
    stage = running_stage(league, alice, "swiss", 4, planned=3)
    round_ = next_round(alice, stage)
    first, second = round_.pairings.all()
    confirm_result(first)
    with pytest.raises(Refused, match="table 2 is open"):
        draw.draw_next_round(actor=alice, stage=stage)
    confirm_result(second)
    assert draw.draw_next_round(actor=alice, stage=stage).number == 2
    round_.refresh_from_db()
    assert round_.is_closed


def test_only_confirmed_results_count(league, alice):
    """Guard 5: a table that is only reported or disputed moves nobody."""
    from leagues.standings.ranking import ranking

    stage = running_stage(league, alice, "swiss", 4, planned=3)
    first, second = next_round(alice, stage).pairings.all()
    confirm_result(first)
    before = ranking(stage)
    for kind in (Result.Kind.REPORTED, Result.Kind.DISPUTED):
        held = recording.lock_pairing(second)
        recording.record_result(
            pairing=held,
            kind=kind,
            source=Result.Source.PLAYER,
            places=recording.validate_places(held, [{"rank": 1}, {"rank": 2}]),
            by=None,
        )
        assert ranking(stage) == before
    Pairing.objects.filter(pk=second.pk).delete()
    assert [(row.entrant, row.score) for row in ranking(stage)] == [(row.entrant, row.score) for row in before]


def test_an_impossible_draw_is_a_visible_state_and_no_loop(league, alice):
    """Guard 3."""
    stage = running_stage(league, alice, "swiss", 3, planned=3)
    for entrant in Entrant.objects.filter(division=stage.division)[:2]:
        withdrawal.withdraw(actor=alice, entrant=entrant)
    for _attempt in range(2):
        with pytest.raises(Refused, match="too few"):
            draw.draw_next_round(actor=alice, stage=stage)
        stage.refresh_from_db()
        assert stage.trouble["code"] == "error.too-few"
        assert not Round.objects.filter(stage=stage).exists()
    withdrawal.return_to_season(actor=alice, entrant=Entrant.objects.filter(division=stage.division).first())
    assert draw.draw_next_round(actor=alice, stage=stage).number == 1
    stage.refresh_from_db()
    assert stage.trouble is None


def test_a_round_nobody_has_played_can_be_taken_back(league, alice):
    stage = running_stage(league, alice, "swiss", 4, planned=3)
    round_ = next_round(alice, stage)
    drawn = [[seat.entrant_id for seat in pairing.seats.all()] for pairing in round_.pairings.all()]
    draw.delete_round(actor=alice, round=round_)
    assert not Pairing.objects.exists()
    again = next_round(alice, stage)
    assert [[seat.entrant_id for seat in pairing.seats.all()] for pairing in again.pairings.all()] == drawn
    confirm_result(again.pairings.first())
    with pytest.raises(Refused, match="played"):
        draw.delete_round(actor=alice, round=again)
    with pytest.raises(Refused, match="already"):
        draw.delete_round(actor=alice, round=round_)


def test_who_came_late_to_a_round_that_was_taken_back_is_in_from_the_new_one(league, alice):
    stage = running_stage(league, alice, "swiss", 4, planned=3)
    round_ = next_round(alice, stage)
    late = registration.add_guest(actor=alice, division=stage.division, name="Late")
    draw.delete_round(actor=alice, round=round_)
    withdrawal.withdraw(actor=alice, entrant=late)
    withdrawal.return_to_season(actor=alice, entrant=late)
    again = next_round(alice, stage)
    assert again.seats.filter(entrant=late).exists() or again.byes.filter(entrant=late, kind="PAB").exists()


def test_only_the_latest_round_can_be_taken_back(league, alice):
    stage = running_stage(league, alice, "round-robin", 4)
    first, *_rest = draw.draw_all_rounds(actor=alice, stage=stage)
    with pytest.raises(Refused, match="later round"):
        draw.delete_round(actor=alice, round=first)


def test_a_plan_is_drawn_at_once_and_once(league, alice):
    stage = running_stage(league, alice, "round-robin", 5, settings={"double": True})
    rounds = draw.draw_all_rounds(actor=alice, stage=stage)
    assert len(rounds) == 10
    assert draw.draw_all_rounds(actor=alice, stage=stage) == rounds
    meetings = [frozenset(seat.entrant_id for seat in pairing.seats.all()) for pairing in Pairing.objects.all()]
    assert len(meetings) == 20
    assert all(meetings.count(pair) == 2 for pair in meetings)


def test_rounds_are_published_in_order(league, alice):
    stage = running_stage(league, alice, "round-robin", 4)
    first, second, _third = draw.draw_all_rounds(actor=alice, stage=stage)
    with pytest.raises(Refused, match="earlier round"):
        draw.publish(actor=alice, round=second)
    assert draw.publish(actor=alice, round=first).is_published


def test_a_withdrawal_between_draw_and_start_decides_a_table_of_two(league, alice):
    stage = running_stage(league, alice, "swiss", 4, planned=2)
    pairing = next_round(alice, stage).pairings.first()
    left, stayed = pairing.seats.all()
    withdrawal.withdraw(actor=alice, entrant=left.entrant)
    pairing.refresh_from_db()
    result = pairing.results.get(in_force=True)
    assert pairing.state == Pairing.State.CONFIRMED
    assert [place["kind"] for place in result.places] == ["FL", "FW"]
    assert result.source == Result.Source.FORFEIT
    finish_round(pairing.round)
    second = next_round(alice, stage)
    assert second.byes.get(entrant=left.entrant).kind == "WD"
    assert PairingSeat.objects.filter(round=second, entrant=stayed.entrant).exists() or second.byes.filter(
        entrant=stayed.entrant
    )


def test_a_withdrawal_at_a_larger_table_lets_the_others_play(league, alice):
    stage = running_stage(league, alice, "table-swiss", 4, planned=2)
    pairing = next_round(alice, stage).pairings.get()
    gone = pairing.seats.first()
    withdrawal.withdraw(actor=alice, entrant=gone.entrant)
    pairing.refresh_from_db()
    assert pairing.state == Pairing.State.SCHEDULED
    result = confirm_result(pairing, ranks=[1, 1, 2, 3])
    assert [place["kind"] for place in result.places] == ["FL", "PLAYED", "PLAYED", "PLAYED"]
    assert [place["rank"] for place in result.places] == [4, 1, 2, 3]


def test_who_left_a_plan_loses_what_is_drawn_and_comes_back_to_what_is_open(league, alice):
    stage = running_stage(league, alice, "round-robin", 4)
    rounds = [draw.publish(actor=alice, round=each) for each in draw.draw_all_rounds(actor=alice, stage=stage)]
    finish_round(rounds[0])
    rounds_closing.close_round(actor=alice, round=rounds[0])
    somebody = Entrant.objects.filter(division=stage.division).first()
    withdrawal.withdraw(actor=alice, entrant=somebody)
    assert Result.objects.filter(source=Result.Source.FORFEIT, in_force=True).count() == 2
    withdrawal.return_to_season(actor=alice, entrant=somebody)
    assert not Result.objects.filter(source=Result.Source.FORFEIT, in_force=True).exists()
    assert Pairing.objects.open().filter(seats__entrant=somebody).count() == 2


def test_a_knock_out_to_its_end(league, alice):
    stage = running_stage(league, alice, "single-elimination", 6, settings={"third": True})
    first = next_round(alice, stage)
    assert sorted(first.pairings.values_list("slot", flat=True)) == ["W1-2", "W1-4"]
    assert first.byes.count() == 2
    finish_round(first)
    second = next_round(alice, stage)
    finish_round(second)
    last = next_round(alice, stage)
    assert sorted(last.pairings.values_list("slot", flat=True)) == ["T", "W3-1"]
    finish_round(last)
    with pytest.raises(Refused, match="decided"):
        draw.draw_next_round(actor=alice, stage=stage)
    rounds_closing.finish_stage(actor=alice, stage=stage)
    order = final_standings.final_order(stage.division)
    assert [row.place for row in order] == [1, 2, 3, 4, 5, 5]


def test_a_level_match_of_a_knock_out_is_played_again(league, alice):
    stage = running_stage(league, alice, "single-elimination", 2, settings={"third": False})
    pairing = next_round(alice, stage).pairings.get()
    confirm_result(pairing, ranks=[1, 1])
    again = next_round(alice, stage).pairings.get()
    assert again.slot == pairing.slot
    assert again.reason["code"] == "bracket.replay"
    seats = [[seat.entrant_id for seat in each.seats.all()] for each in (pairing, again)]
    assert seats[0] == seats[1][::-1]
    confirm_result(again)
    rounds_closing.finish_stage(actor=alice, stage=stage)


def test_a_double_knock_out_to_its_end(league, alice):
    stage = running_stage(league, alice, "double-elimination", 5)
    for _round in range(20):
        try:
            round_ = next_round(alice, stage)
        except Refused:
            break
        finish_round(round_)
    rounds_closing.finish_stage(actor=alice, stage=stage)
    assert [row.place for row in final_standings.final_order(stage.division)] == [1, 2, 3, 4, 5]


def test_heats_to_the_final(league, alice):
    stage = running_stage(league, alice, "heats", 11, settings={"seats": 4, "advance": 2})
    tables_of = []
    for _round in range(5):
        try:
            round_ = next_round(alice, stage)
        except Refused:
            break
        tables_of.append(round_.pairings.count())
        finish_round(round_)
    assert tables_of[0] == 3
    assert tables_of[-1] == 1
    rounds_closing.finish_stage(actor=alice, stage=stage)
    assert len(final_standings.final_order(stage.division)) == 11


def test_nobody_goes_on_from_a_heat_that_was_struck_out(league, alice):
    from leagues.results import reporting

    stage = running_stage(league, alice, "heats", 8, settings={"seats": 4, "advance": 2})
    round_ = next_round(alice, stage)
    first, second = round_.pairings.all()
    confirm_result(first)
    reporting.void(actor=alice, pairing=second, why="a spilt drink")
    with pytest.raises(Refused, match="table 2 is open"):
        draw.draw_next_round(actor=alice, stage=stage)
    confirm_result(second)
    assert draw.draw_next_round(actor=alice, stage=stage).number == 2


def test_groups_lead_to_a_knock_out(league, alice):
    season = setup.add_season(actor=alice, league=league)
    division = setup.add_division(actor=alice, season=season, name="All")
    setup.add_stage(actor=alice, division=division, format="groups", settings={"groups": 2, "advance": 2})
    setup.add_stage(actor=alice, division=division, format="single-elimination")
    add_guests(season, alice, 8)
    draw.start(actor=alice, season=season)
    groups = stage_of(season, 1)
    for round_ in draw.draw_all_rounds(actor=alice, stage=groups):
        finish_round(draw.publish(actor=alice, round=round_))
    with pytest.raises(Refused, match="not over"):
        closing.close_season(actor=alice, season=season)
    knock_out = rounds_closing.finish_stage(actor=alice, stage=groups)
    assert knock_out.starters.count() == 4
    assert all(draw.explain_pairing(what=starter) for starter in knock_out.starters.all())
    assert rounds_closing.finish_stage(actor=alice, stage=groups) == knock_out
    while True:
        try:
            finish_round(next_round(alice, knock_out))
        except Refused:
            break
    rounds_closing.finish_stage(actor=alice, stage=knock_out)
    order = final_standings.final_order(division)
    assert len(order) == 8
    closing.close_season(actor=alice, season=season)


def queries_of(act) -> int:
    with CaptureQueriesContext(connection) as seen:
        act()
    return len(seen)


def test_drawing_and_ranking_ask_as_often_for_many_as_for_few(league, alice):
    """Guard 16."""
    from leagues.standings.ranking import ranking

    asked = []
    for count in (4, 16):
        stage = running_stage(league, alice, "swiss", count, planned=3)
        finish_round(next_round(alice, stage))
        drawing = queries_of(partial(draw.draw_next_round, actor=alice, stage=stage))
        asked.append((drawing, queries_of(partial(ranking, stage))))
    assert asked[0] == asked[1]


def test_a_season_of_every_preset_can_be_set_up_and_drawn(club, alice):
    from leagues.seasons import presets

    for game in ("splendor-marvel", "infinity-gauntlet", "thanos-rising"):
        league = setup.create_league(actor=alice, club=club, name=game, game=game)
        for preset in presets.for_game(game):
            season = set_up_preset(league, alice, preset.code)
            assert season.status == Season.Status.REGISTRATION
            assert Stage.objects.filter(division__season=season).exists()

"""The end of a round and of a stage: closed by what is open, open again until something is drawn from it."""

import random

import pytest

from accounts.infra.errors import Refused
from leagues.models import Pairing, Result, Round, StandingsSnapshot
from leagues.results import recording
from leagues.rounds import closing, draw
from leagues.seasons import setup
from tests.factories import add_guests, confirm_result, finish_round, next_round, running_stage, stage_of


def test_a_round_is_over_when_no_table_is_open_however_results_arrive(league, alice):
    """Guard 2: shuffled and repeated results, and a check after each."""
    stage = running_stage(league, alice, "swiss", 8, planned=2)
    round_ = next_round(alice, stage)
    arrivals = [pairing for pairing in round_.pairings.all() for _copy in range(2)]
    random.Random(7).shuffle(arrivals)
    for pairing in arrivals:
        still_open = Pairing.objects.open().filter(round=round_).exists()
        assert still_open == (Result.objects.values("pairing").distinct().count() < 4)
        if still_open:
            with pytest.raises(Refused, match="not over"):
                closing.close_round(actor=alice, round=round_)
        confirm_result(pairing)
    closed = closing.close_round(actor=alice, round=round_)
    assert closed.is_closed
    assert closing.close_round(actor=alice, round=round_).closed_at == closed.closed_at
    assert StandingsSnapshot.objects.filter(stage=stage, number=1).count() == 1


def test_a_late_result_is_kept_and_flagged_and_moves_nothing(league, alice):
    """Guard 2: never dropped."""
    from leagues.standings.ranking import ranking

    stage = running_stage(league, alice, "swiss", 2, planned=1)
    round_ = next_round(alice, stage)
    pairing = round_.pairings.get()
    confirm_result(pairing)
    closing.close_round(actor=alice, round=round_)
    before = ranking(stage)
    held = recording.lock_pairing(pairing)
    late = recording.record_result(
        pairing=held,
        kind=Result.Kind.REPORTED,
        source=Result.Source.PLAYER,
        places=recording.validate_places(held, [{"rank": 2}, {"rank": 1}]),
        by=alice,
        late=True,
    )
    assert late.late
    assert late.version == 2
    assert ranking(stage) == before
    held.refresh_from_db()
    assert held.state == Pairing.State.CONFIRMED


def test_a_closed_round_opens_again_until_something_is_drawn_from_it(league, alice):
    stage = running_stage(league, alice, "swiss", 4, planned=3)
    round_ = next_round(alice, stage)
    finish_round(round_)
    closing.close_round(actor=alice, round=round_)
    assert not closing.reopen_round(actor=alice, round=round_).is_closed
    finish_round(round_)
    next_round(alice, stage)
    with pytest.raises(Refused, match="drawn from this round"):
        closing.reopen_round(actor=alice, round=round_)


def test_a_stage_with_rounds_left_is_not_over(league, alice):
    stage = running_stage(league, alice, "swiss", 4, planned=3)
    finish_round(next_round(alice, stage))
    with pytest.raises(Refused, match="1 of 3"):
        closing.finish_stage(actor=alice, stage=stage)
    fixed = running_stage(league, alice, "round-robin", 4)
    finish_round(next_round(alice, fixed))
    with pytest.raises(Refused, match="another round"):
        closing.finish_stage(actor=alice, stage=fixed)


def test_a_place_left_level_at_the_cut_is_a_visible_question(league, alice):
    season = setup.add_season(actor=alice, league=league)
    division = setup.add_division(actor=alice, season=season, name="All")
    setup.add_stage(actor=alice, division=division, format="swiss", planned=1)
    setup.add_stage(actor=alice, division=division, format="single-elimination", take=3)
    setup.change_tie_breaks(actor=alice, season=season, codes=["wins"])
    add_guests(season, alice, 8)
    draw.start(actor=alice, season=season)
    stage = stage_of(season)
    finish_round(next_round(alice, stage))
    with pytest.raises(Refused, match="shared"):
        closing.finish_stage(actor=alice, stage=stage)
    stage.refresh_from_db()
    assert stage.trouble["code"] == "error.play-off"
    setup.change_tie_breaks(actor=alice, season=season, codes=["wins", "lot"])
    after = closing.finish_stage(actor=alice, stage=stage)
    assert after.starters.count() == 3


def test_the_snapshot_stays_when_the_list_changes_later(league, alice):
    """Guard 12: standings of a closed round are not recomputed in passing."""
    stage = running_stage(league, alice, "swiss", 4, planned=2)
    round_ = next_round(alice, stage)
    finish_round(round_)
    closing.close_round(actor=alice, round=round_)
    kept = StandingsSnapshot.objects.get(stage=stage, number=1)
    season = setup.change_tie_breaks(actor=alice, season=stage.division.season, codes=["wins"])
    kept.refresh_from_db()
    assert kept.tie_breaks != season.tie_breaks
    entry = season.league.club.audit_entries.filter(action="leagues.tie-breaks").get()
    assert entry.params["round"] == 1
    assert "buchholz" in entry.params["old"]


def test_brackets_are_what_seeds_and_results_say(league, alice):
    """Guard 19: rows are a cache; correcting a result changes the bracket and keeps what was drawn."""
    from leagues.standings.ranking import bracket_of

    stage = running_stage(league, alice, "single-elimination", 4, settings={"third": False})
    first = next_round(alice, stage)
    finish_round(first)
    final = next_round(alice, stage).pairings.get()
    confirm_result(final)
    tree = bracket_of(stage)
    champion = tree.match("W2-1").winner
    semi = first.pairings.get(slot="W1-1")
    assert champion is not None
    confirm_result(semi, ranks=[2, 1])
    changed = bracket_of(stage)
    assert changed.orphans
    assert changed.match("W2-1").winner is None
    assert final.results.filter(in_force=True).exists()
    # The two who meet now have a table; it is called off when they no longer do.
    assert Round.objects.filter(stage=stage).count() == 3
    confirm_result(semi, ranks=[1, 2])
    assert Round.objects.filter(stage=stage).count() == 2
    assert bracket_of(stage) == tree

"""The judge of Splendor: Marvel: by what a seat could know, and to the same moment for every answer."""

import json

import pytest

import engine
from engine import analysis, transcript
from engine.analysis.judge import Table
from engine.analysis.judges import METHODS
from engine.analysis.splendor_future import turn_of
from engine.bots import Situation
from engine.rng import stream
from tests.engine.random_play import walk
from tests.engine.splendor_marvel.positions import Position, ident
from tests.engine.splendor_marvel.test_tiles_and_end import SIXTEEN

METHOD = METHODS["splendor-marvel"]


def judged(match, worlds, seat=None):
    seen = Situation(match, match.to_act if seat is None else seat)
    table = Table(METHOD.worlds_of(seen), METHOD.judged_future(), stream("alike", "judge"), seen.legal)
    table.run(worlds)
    return table, seen.legal


@pytest.mark.parametrize("players", [2, 3, 4])
def test_two_tables_that_a_seat_cannot_tell_apart_give_the_same_losses(players):
    """Other cards in the decks and in the hidden reserves of the others; every number the same to the byte."""
    match, compared, hidden = engine.game("splendor-marvel").start(players, "alike"), 0, 0
    for _ in walk(match, "alike"):
        if match.to_act is None or compared == 3:
            break
        if len(match.legal()) == 1 or match.ply % 7 != 3:
            continue
        seat = match.to_act
        elsewhere = match.imagine(seat, f"elsewhere {match.ply}")
        hidden += any(
            list(one.ints()) != list(other.ints())
            for one, other in zip(match.state.teams, elsewhere.state.teams, strict=True)
        )
        numbers = []
        for truth in (match, elsewhere):
            table, legal = judged(truth, 2)
            numbers.append([legal, [(table.mean(i), table.loss(i), table.error(i)) for i in range(len(legal))]])
        assert json.dumps(numbers[0]) == json.dumps(numbers[1])
        compared += 1
    assert compared == 3
    assert hidden, "nobody held a card that the seat could not see"


def test_every_answer_is_played_on_to_the_same_moment():
    """To the next turn of the seat that was asked, whether its answer ends the turn or not."""
    match, ended, moments = engine.game("splendor-marvel").start(3, "moment"), set(), 0
    for _ in walk(match, "moment"):
        if match.to_act is None or moments == 6:
            break
        if len(match.legal()) == 1 or match.ply % 5:
            continue
        moments += 1
        future, rng = METHOD.judged_future(), stream("moment", "judge")
        world = Situation(match, match.to_act).sampler.draw(rng)
        future.begin(world)
        for action in match.legal()[:3] + match.legal()[-3:]:
            state = world.clone()
            state.apply(action)
            ended.add(state.seat != world.seat)
            future.play(state, rng.clone())
            assert state.over or turn_of(state) == turn_of(world) + 3
            assert sum(future.chance(state, seat) for seat in range(3)) == pytest.approx(1)
    assert ended == {True, False}


def test_who_can_take_the_gauntlet_and_does_not_gives_it_away():
    """Planted by the rules: the rival takes the Gauntlet on the next turn, so any other answer loses."""
    *mine, last = SIXTEEN
    at = Position().recruits(0, *mine).market(last).tokens(0, red=3, blue=3, yellow=2, purple=1, orange=1)
    table, legal = judged(at.match, 4)
    notations = [at.match.notation(action) for action in legal]
    best = notations.index(f"recruit {ident(last)}")
    assert table.best() == best
    assert table.mean(best) > 0.9


def test_a_report_judges_every_seat():
    match = engine.game("splendor-marvel").start(2, "report")
    for _ in walk(match, "report"):
        if match.ply == 12:
            break
    report = analysis.analyse(transcript.transcript(match), budget=("tiny", analysis.Budget(2, 2, 1)), ended=True)
    assert report["judged"]
    assert {turn["seat"] for turn in report["turns"]} == {0, 1}
    assert all(seat["choices"] > 0 for seat in report["seats"])

"""The analysis of finished matches: by what a seat could know, without what was taken back, and the same every time."""

import json
import subprocess
import sys
from dataclasses import replace
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev

import pytest

import engine
from engine import analysis, transcript
from engine.analysis import report as report_module
from engine.analysis.judge import Table
from engine.analysis.judges import METHODS, SMALL, STANDARD, Gate
from engine.analysis.luck import Chances, chances_of
from engine.analysis.report import (
    ENOUGH_CHOICES,
    FINE,
    Choice,
    Curve,
    Turn,
    accuracy_of,
    given_away,
    kind_of,
    turning_points,
)
from engine.analysis.report import Point as CurvePoint
from engine.analysis.steps import Step, standing_moves, steps
from engine.bots import Situation
from engine.rng import stream
from tests.engine.random_play import TABLES, known_to, walk

TINY = ("tiny", analysis.Budget(worlds=6, most_worlds=6, playouts=4))
SHORT = {"heroes_life": 1, "thanos_life": 1}
tables = pytest.mark.parametrize(("name", "players"), TABLES)


def played(name="infinity-gauntlet", players=2, seed="analysis", options=SHORT):
    match = engine.game(name).start(players, seed, options)
    for _ in walk(match, seed):
        pass
    return match


# -- only the luck to come


@tables
def test_a_redraw_changes_nothing_that_any_seat_has_seen(name, players):
    match, changed = engine.game(name).start(players, "redraw"), 0
    for _ in walk(match, "redraw"):
        if match.ply % 7:
            continue
        twin = match.clone()
        twin.state.redraw(stream(f"redraw {match.ply}", "test"))
        for seat in [*range(players), None]:
            assert known_to(twin, seat, match.ply) == known_to(match, seat, match.ply)
        changed += twin.state.ints() != match.state.ints()
    assert changed


def test_a_redraw_leaves_hands_and_placed_cards_and_shuffles_the_rest_evenly():
    match, tops = engine.game("infinity-gauntlet").start(3, "hands"), {}
    state = match.state
    state.known[1] = 1 << (state.hero_deck >> 4 & 15)  # a hero has seen the second card of the deck
    rng = stream("even", "test")
    for _ in range(2600):
        twin = state.clone()
        twin.redraw(rng)
        assert list(twin.hands) == list(state.hands)
        assert twin.hero_deck >> 4 & 15 == state.hero_deck >> 4 & 15
        top = twin.hero_deck & 15
        tops[top] = tops.get(top, 0) + 1
    unseen = state.hero_left - 1
    expected = 2600 / unseen
    assert len(tops) == unseen
    assert sum((count - expected) ** 2 / expected for count in tops.values()) < 35  # 12 degrees of freedom: 1 in 2000


def test_what_a_player_reserved_unseen_is_no_luck_to_come():
    match = engine.game("splendor-marvel").start(2, "reserved")
    match.play("reserve deck 3")
    mine = match.view(0)["table"]
    for number in range(20):
        twin = match.clone()
        twin.state.redraw(stream(f"reserved {number}", "test"))
        assert twin.view(0)["table"] == mine


def test_luck_is_nothing_on_average_whoever_plays_and_however_few_playouts_there_are():
    found = []
    for number in range(80):
        match = played(seed=f"fair {number}")
        curve = Curve(match, METHODS["infinity-gauntlet"], 2, [0, 1], "1")
        for _, step in steps(match):
            curve.add(step)
        curve.finish()
        found.append(sum(point.luck[0] for point in curve.points))
    assert abs(fmean(found)) < 3.5 * stdev(found) / sqrt(len(found))
    assert stdev(found) > 0.2


def test_what_habits_answer_first_does_not_depend_on_the_luck_to_come():
    """Else playouts that begin with an answer would be no fair sample of what comes after it."""
    match, future, compared = (
        engine.game("infinity-gauntlet").start(3, "first"),
        METHODS["infinity-gauntlet"].future(),
        0,
    )
    for _ in walk(match, "first"):
        if match.to_act is None:
            break
        answers = set()
        for number in range(8):
            twin = match.state.clone()
            twin.redraw(stream(f"first {match.ply} {number}", "test"))
            answers.add(future.first_answer(twin, stream("lots", "test")))
        assert len(answers) == 1
        compared += 1
    assert compared > 10


def test_playouts_that_begin_with_an_answer_count_for_it_as_well():
    match, future = engine.game("infinity-gauntlet").start(2, "twice"), METHODS["infinity-gauntlet"].future()
    here, answer = {}, match.legal()[0]
    for counted in (answer, -1):
        answered = Chances([0])
        here[counted] = chances_of(match.state, future, stream("1", "test"), 40, [0], counted, answered)
        assert here[counted].count == 40
        assert answered.count <= 40
        assert answered.count == 0 or counted == answer
    assert METHODS["splendor-marvel"].future().first_answer(match.state, stream("1", "test")) == -1


# -- what a seat could know


@pytest.mark.parametrize(("name", "options"), [("infinity-gauntlet", {}), ("thanos-rising", {"preset": "recruit"})])
def test_two_tables_that_a_seat_cannot_tell_apart_give_the_same_losses(name, options):
    match, method, compared = engine.game(name).start(3, "alike", options), METHODS[name], 0
    for _ in walk(match, "alike"):
        seat = match.to_act
        if seat is None or compared == 12:
            break
        if len(match.legal()) == 1 or match.ply % 3:
            continue
        here, elsewhere = Situation(match, seat), Situation(match.imagine(seat, f"elsewhere {match.ply}"), seat)
        assert here.legal == elsewhere.legal
        numbers = []
        for seen in (here, elsewhere):
            table = Table(method.worlds_of(seen), method.judged_future(), stream("alike", "judge"), seen.legal)
            table.run(4)
            numbers.append([(table.mean(i), table.loss(i), table.error(i)) for i in range(len(seen.legal))])
        assert json.dumps(numbers[0]) == json.dumps(numbers[1])
        compared += 1
    assert compared == 12


def test_every_answer_is_tried_in_every_world():
    """A judge that drops answers, as a search does, would have no number for the move that was played."""
    match = engine.game("infinity-gauntlet").start(3, "equal worlds")
    seen = Situation(match, 0)
    method = METHODS["infinity-gauntlet"]
    table = Table(method.worlds_of(seen), method.judged_future(), stream("1", "judge"), seen.legal)
    table.run(9)
    assert table.worlds == 9
    assert all(0 <= table.mean(i) <= 1 for i in range(len(seen.legal)))
    best = table.best()
    assert table.largest_loss(best) == 0
    assert all(table.largest_loss(i) >= table.loss(i) - 1e-9 for i in range(len(seen.legal)))


# -- decisions


def test_an_answer_that_was_taken_back_is_not_a_decision():
    match = engine.game("splendor-marvel").start(2, "undo")
    first = next(match.notation(action) for action in match.legal() if match.notation(action).startswith("take"))
    match.play(first)
    match.undo(0)
    match.play("reserve deck 1")
    assert [move for _, _, move in standing_moves(match)] == ["reserve deck 1"]
    assert [ply for ply, _, _ in standing_moves(match)] == [3]


# -- the report


def test_a_report_depends_on_the_record_and_the_seed_alone():
    document = transcript.transcript(played())
    first = analysis.analyse(document, budget=TINY, seed="1")
    assert json.dumps(first) == json.dumps(analysis.analyse(json.loads(json.dumps(document)), budget=TINY, seed="1"))
    assert any(first["curve"] != analysis.analyse(document, budget=TINY, seed=seed)["curve"] for seed in "2345")
    assert (first["version"], first["seed"], first["budget"]) == (analysis.VERSION, "1", "tiny")


def test_the_sides_share_chances_and_luck_and_the_curve_ends_with_the_result():
    match = played(players=3)
    report = analysis.analyse(transcript.transcript(match), budget=TINY)
    assert [side["seats"] for side in report["sides"]] == [[0], [1, 2]]
    assert abs(sum(side["luck"] for side in report["sides"])) < 1e-3
    assert all(abs(sum(point["chances"]) - 1) < 1e-3 for point in report["curve"])
    assert report["curve"][-1]["chances"] == [float(0 in match.outcome.winners), float(1 in match.outcome.winners)]
    assert report["curve"][-1]["ply"] == match.ply


def test_whoever_can_snap_and_does_not_has_blundered():
    """Planted by the rules, not by the judge: a snap wins at once, and without it the heroes win this match."""
    match = engine.game("infinity-gauntlet").start(2, "snap 1", {"heroes_life": 6, "thanos_life": 2})
    rng, planted = stream("snap 1", "walk"), 0
    while match.to_act is not None:
        moves = [match.notation(action) for action in match.legal()]
        planted += "snap" in moves
        others = [move for move in moves if move != "snap"]
        match.play(others[rng.below(len(others))])
    assert planted
    assert 0 not in match.outcome.winners
    report = analysis.analyse(transcript.transcript(match), budget=("test", analysis.Budget(16, 16, 2)))
    blunders = [(turn["seat"], turn["worst"]["better"]) for turn in report["turns"] if turn["kind"] == "blunder"]
    assert (0, "snap") in blunders


def test_accuracy_is_100_for_the_best_answers_lower_for_the_worst_and_none_before_the_gate():
    match = engine.game("infinity-gauntlet").start(3, "accuracy")
    seen, method = Situation(match, 0), METHODS["infinity-gauntlet"]
    table = Table(method.worlds_of(seen), method.judged_future(), stream("1", "judge"), seen.legal)
    table.run(30)
    ranked = sorted(range(len(seen.legal)), key=table.mean)
    step = Step(1, 0, 0, "", 0, aside=False, forced=False, before=match.state)
    best, worst = ([Choice(step, table, place, [])] * ENOUGH_CHOICES for place in (ranked[-1], ranked[0]))
    assert given_away(best, ranks=True)["accuracy"] > given_away(worst, ranks=True)["accuracy"]
    assert given_away(best, ranks=True)["contested"] == ENOUGH_CHOICES
    assert given_away(best[1:], ranks=True)["accuracy"] is None
    assert given_away(best, ranks=False)["accuracy"] is None
    # Of two matches together it is the same as of all their choices.
    halves = [given_away(part, ranks=True) for part in (best[:5], best[5:])]
    lost, stake, contested = (sum(half[key] for half in halves) for key in ("contested_loss", "stake", "contested"))
    assert accuracy_of(lost, stake, contested) == given_away(best, ranks=True)["accuracy"]


def test_there_is_an_accuracy_only_at_the_budget_that_passed_the_gate(monkeypatch):
    """With few worlds, noise looks like a bad player: the gate was measured with many."""
    match = played(players=2, options={})
    document = transcript.transcript(match)
    monkeypatch.setattr(report_module, "ENOUGH_CHOICES", 1)
    passed, failed = Gate(2.0, 2.0, 95.0), Gate(2.0, 2.0, 94.9)
    for gate, name, has_accuracy in ((passed, STANDARD, True), (passed, SMALL, False), (failed, STANDARD, False)):
        monkeypatch.setitem(METHODS, "infinity-gauntlet", replace(METHODS["infinity-gauntlet"], gate=gate))
        report = analysis.analyse(document, budget=(name, TINY[1]))
        assert any(seat["contested"] for seat in report["seats"])
        assert any(seat["accuracy"] is not None for seat in report["seats"]) == has_accuracy


def test_the_gate_asks_for_both_steps_between_levels_and_for_steady_classes():
    assert Gate(2.0, 2.0, 95.0).is_passed
    assert not any(gate.is_passed for gate in (Gate(1.9, 2.0, 95.0), Gate(2.0, 1.9, 95.0), Gate(2.0, 2.0, 94.9)))
    method = METHODS["infinity-gauntlet"]
    assert replace(method, gate=Gate(2.0, 2.0, 95.0)).ranks_players
    assert not replace(method, gate=None).ranks_players


def test_a_turn_near_a_threshold_gets_more_worlds_and_a_clear_one_does_not():
    """By hand: the losses of two answers over 20 worlds, one clear, one between two classes."""
    match = engine.game("infinity-gauntlet").start(3, "further")
    seen, method = Situation(match, 0), METHODS["infinity-gauntlet"]
    budget = analysis.Budget(worlds=20, most_worlds=70, playouts=0)
    step = Step(1, 0, 0, "", 0, aside=False, forced=False, before=match.state)

    def turn_with(totals, squares):
        table = Table(method.worlds_of(seen), method.judged_future(), stream("1", "judge"), seen.legal[:2])
        table.run(20)
        for half in (0, 1):
            table.total[2 * half], table.total[2 * half + 1] = totals
            table.squared_gaps[4 * half + 1] = squares
        return Turn(0, 0, [Choice(step, table, 1, [])])

    clear, near = turn_with((10.0, 4.0), 3.7), turn_with((10.0, 9.0), 2.0)
    assert (clear.kind, clear.is_near_a_threshold, near.is_near_a_threshold) == ("blunder", False, True)
    for turn in (clear, near):
        turn.judge_further(budget)
    assert clear.choices[0].table.worlds == 20
    assert near.choices[0].table.worlds in (40, 70)


def test_classes_are_by_what_was_surely_given_away():
    assert [kind_of(loss) for loss in (0.049, 0.05, 0.1, 0.2)] == [FINE, "inaccuracy", "mistake", "blunder"]


def test_a_turning_point_says_whether_luck_or_a_choice_made_it():
    def point(ply, chance, luck):
        return CurvePoint(ply, [chance], [0.0], [luck], [0.0], luck != 0)

    points = [point(0, 0.5, 0), point(1, 0.8, 0.3), point(2, 0.75, 0), point(3, 0.2, 0), point(4, 0.25, 0.05)]
    found = [(each["ply"], each["by"], each["change"]) for each in turning_points(points)]
    assert found == [(1, "luck", 0.3), (3, "choice", -0.55)]


# -- what is refused


def test_records_that_cannot_be_trusted_are_refused_in_words():
    document = transcript.transcript(played())
    cut = {**document, "moves": document["moves"][:-1]}
    with pytest.raises(analysis.NotAnalysed, match="stops before the end"):
        analysis.analyse(cut, budget=TINY)
    with pytest.raises(engine.TranscriptError, match="rules"):
        analysis.analyse({**document, "rules_version": 99}, budget=TINY)
    with pytest.raises(engine.TranscriptError):
        analysis.analyse({**document, "seed": "another"}, budget=TINY)
    for place, edited in ((0, [0, "snap", None]), (1, [5, None, None]), (2, [None, None, "00000000"])):
        moves = [list(move) for move in document["moves"]]
        moves[place] = [old if new is None else new for old, new in zip(moves[place], edited, strict=True)]
        with pytest.raises(engine.TranscriptError) as refused:
            analysis.analyse({**document, "moves": moves}, budget=TINY)
        assert refused.value.field == "moves"
        assert refused.value.ply == place


def test_a_match_resigned_in_its_first_turn_is_refused_and_a_later_one_is_not():
    document = transcript.transcript(played(players=3, options={}))
    with pytest.raises(analysis.NotAnalysed) as refused:
        analysis.analyse({**document, "moves": []}, budget=TINY, ended=True)
    assert refused.value.code == "first-turn"
    resigned = {**document, "moves": document["moves"][:9]}
    report = analysis.analyse(resigned, budget=TINY, ended=True)
    assert len(report["curve"]) == 10


def test_a_preset_that_cannot_be_won_is_refused():
    match = engine.game("thanos-rising").start(2, "hopeless", {"preset": "infinity"})
    for _ in walk(match, "hopeless"):
        pass
    with pytest.raises(analysis.NotAnalysed, match="cannot be won"):
        analysis.analyse(transcript.transcript(match), budget=TINY)


def test_the_program_answers_with_a_report_or_a_reason():
    """As the site asks it: progress, then one of the two."""
    document = transcript.transcript(played())
    root = Path(engine.__file__).parent.parent

    def ask(request):
        command = [sys.executable, "-m", "engine.analysis"]
        done = subprocess.run(command, cwd=root, input=json.dumps(request), capture_output=True, text=True, check=True)
        return [json.loads(line) for line in done.stdout.splitlines()]

    lines = ask({"document": document, "ended": False})
    assert all(set(line) == {"done", "total"} for line in lines[:-1])
    assert lines[-1]["report"]["version"] == analysis.VERSION
    assert ask({"document": {**document, "rules_version": 9}, "ended": False})[-1]["refused"] == "rules"
    assert ask({"document": {**document, "moves": document["moves"][:-1]}, "ended": False})[-1]["refused"] == "cut"

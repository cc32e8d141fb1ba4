"""Puzzles: one clear answer by what the seat could know, confirmed, missed by the Regular bot, the same every time."""

import json
from fractions import Fraction
from itertools import combinations
from math import sqrt

import pytest

import engine
from engine import analysis, build, transcript
from engine.analysis import puzzles
from engine.analysis.judges import METHODS
from engine.analysis.puzzles import (
    LEAST_GAP,
    SURE,
    bot_match,
    equals_of_best,
    find_puzzles,
    holds,
    is_puzzle,
    leads,
    levels_of,
    played_out,
    puzzle_at,
    tried,
)
from engine.analysis.turn_puzzles import DEEPER
from engine.bots import Situation, bot, budget
from engine.bots.runner import bots_in_every_seat
from tests.engine.infinity_gauntlet.positions import play, position
from tests.engine.puzzles import BUDGET, PLY, known_record, record_up_to_the_puzzle
from tests.engine.random_play import known_to, walk

METHOD = METHODS["infinity-gauntlet"]


@pytest.fixture(scope="module")
def all_puzzles():
    return find_puzzles(known_record(), budget=BUDGET)


@pytest.fixture(scope="module")
def puzzle(all_puzzles):
    return next(puzzle for puzzle in all_puzzles if puzzle["ply"] == PLY)


# -- what is right


def test_the_right_answer_is_that_of_counting_all_deals():
    """Thanos holds two of four cards, and snaps if he lives: a guess wins as often as it is right, to be counted."""
    hidden = {"outrider": 1, "corvus-glaive": 2, "black-dwarf": 3}
    match = position(
        turn=2, heroes={2: ["nebula", "hulk"]}, deck=["thor", "gamora"], thanos=["outrider", "corvus-glaive"],
        thanos_deck=["outrider", "black-dwarf"], thanos_life=1,
    )  # fmt: skip
    play(match, "play nebula")
    numbers = [1, 1, 2, 3]
    hands = list(combinations(range(4), 2))
    exact = {
        f"guess {number}": Fraction(sum(number in (numbers[one], numbers[two]) for one, two in hands), len(hands))
        for number in range(1, 8)
    }
    assert exact["guess 1"] == Fraction(5, 6) == max(exact.values())
    seen = Situation(match, 2)
    moves = [match.notation(action) for action in seen.legal]
    assert set(moves) == set(exact)
    table = tried(seen, METHOD, 600, "counted")
    for place, move in enumerate(moves):
        share = float(exact[move])
        assert abs(table.mean(place) - share) <= 4.5 * sqrt(share * (1 - share) / 600), (move, hidden)
    assert [moves[place] for place in equals_of_best(table)] == ["guess 1"]
    assert is_puzzle(table, seen.legal, set())
    # The Regular bot counts as well as anybody, so this is no puzzle.
    assert not is_puzzle(table, seen.legal, {seen.legal[moves.index("guess 1")]})
    assert puzzle_at(match, 2, METHOD, BUDGET[1], "1") is None
    # A third of the worlds is the lead over the second: 15 of 100 are clear, but not with many errors taken off.
    right = equals_of_best(table)
    assert leads(table, right, 1.0)
    assert not leads(table, right, 20.0)
    assert not leads(table, {next(iter(right)) + 1}, 0.0)
    assert not leads(table, set(range(len(moves))), 0.0)


def test_a_second_judge_finds_the_same_answer(puzzle):
    """With worlds of its own, each played on by Regular bots through the match itself, without the judge's code."""
    match, seat = engine.replay(puzzle["document"]), puzzle["seat"]
    wins = dict.fromkeys((answer["move"] for answer in puzzle["answers"]), 0)
    regulars = [(bot(match.game.name, "regular"), budget(match.game.name, "regular"))] * match.players
    for number in range(80):
        world = match.imagine(seat, f"second judge {number}")
        for move in wins:
            twin = world.clone()
            twin.play(move, seat)
            bots_in_every_seat(regulars, f"second judge {number}").play_out(twin)
            wins[move] += seat in twin.outcome.winners
    right = {answer["move"] for answer in puzzle["answers"] if answer["right"]}
    assert max(wins, key=lambda move: wins[move]) in right


def test_answers_that_come_to_the_same_count_once_and_a_sure_win_is_no_puzzle():
    match = position(
        turn=2, heroes={2: ["nebula", "hulk"]}, deck=["thor", "gamora"], thanos=["outrider", "corvus-glaive"],
        thanos_deck=["outrider"], thanos_life=1,
    )  # fmt: skip
    play(match, "play nebula")
    seen = Situation(match, 2)
    table = tried(seen, METHOD, 60, "sure")
    # Of three cards two are Outriders: Thanos holds one for sure.
    assert table.mean(table.best()) == 1.0 > SURE
    assert not is_puzzle(table, seen.legal, set())
    # Numbers that he cannot hold miss in every world: one answer, whichever is named.
    missing = [place for place, action in enumerate(seen.legal) if match.notation(action) in ("guess 4", "guess 5")]
    assert all(table.squares(half, *missing) == 0 for half in (0, 1))


def test_a_puzzle_is_one_once_more_and_with_another_answer_it_is_none(puzzle):
    assert holds(puzzle, "once more")
    others = [{**answer, "right": not answer["right"]} for answer in puzzle["answers"]]
    assert not holds({**puzzle, "answers": others}, "once more")


# -- the second judge of Splendor: Marvel


@pytest.fixture(scope="module")
def last_choice():
    """The match before the last choice of its winner, whose answer ended it."""
    record = bot_match("splendor-marvel", 2, "last choice 6")
    for ply in range(len(record["moves"]) - 1, 0, -1):
        match = engine.replay({**record, "moves": record["moves"][:ply]})
        if len(match.legal()) > 1:
            return match, match.parse(record["moves"][ply][1])
    raise AssertionError


def test_worlds_are_played_to_their_end_and_only_the_result_counts(last_choice):
    match, ended = last_choice
    table = played_out(seen := Situation(match, match.to_act), 2, "to the end")
    chances = [float(table.mean(place)) for place in range(int(table.count))]
    # By the rules it has won at once. Whoever waits gives the other a turn.
    after = match.clone()
    after.play(ended)
    assert after.outcome.winners == (seen.seat,)
    assert chances[seen.legal.index(ended)] == 1
    assert min(chances) == 0
    assert set(chances) <= {0, 0.25, 0.5, 0.75, 1}


def test_two_tables_that_the_seat_cannot_tell_apart_are_played_out_alike(last_choice):
    here, _ended = last_choice
    elsewhere = here.imagine(here.to_act, "elsewhere")
    assert elsewhere.state.ints() != here.state.ints()
    tables = [played_out(Situation(match, here.to_act), 1, "alike") for match in (here, elsewhere)]
    chances = [[float(table.mean(place)) for place in range(int(table.count))] for table in tables]
    assert chances[0] == chances[1]


# -- what is found


def test_every_puzzle_is_what_it_says(all_puzzles):
    record = known_record()
    for puzzle in all_puzzles:
        chances = {answer["move"]: answer["chance"] for answer in puzzle["answers"]}
        right = {answer["move"] for answer in puzzle["answers"] if answer["right"]}
        best, second = max(chances.values()), max(chances[move] for move in chances if move not in right)
        assert {chances[move] for move in right} == {best}
        assert best - second >= LEAST_GAP - 1e-4
        assert best <= SURE
        assert puzzle["missed"]
        assert right.isdisjoint(puzzle["missed"])
        assert set(puzzle["missed"]) <= set(chances)
        assert puzzle["worlds"] == DEEPER * BUDGET[1].worlds
        # The position is there, and nothing that came later.
        match = engine.replay(puzzle["document"])
        assert puzzle["document"]["moves"] == record["moves"][: match.ply]
        assert (match.ply, match.to_act) == (puzzle["ply"], puzzle["seat"])
        assert [match.notation(action) for action in match.legal()] == list(chances)


def test_two_tables_that_the_seat_cannot_tell_apart_give_the_same_puzzle(puzzle):
    here, seat = engine.replay(puzzle["document"]), puzzle["seat"]
    told = json.dumps(puzzle_at(here, seat, METHOD, BUDGET[1], "1"))
    assert told != "null"
    elsewhere = here.imagine(seat, "elsewhere")
    assert elsewhere.state.ints() != here.state.ints()
    assert known_to(elsewhere, seat) == known_to(here, seat)
    assert json.dumps(puzzle_at(elsewhere, seat, METHOD, BUDGET[1], "1")) == told


def test_puzzles_depend_on_the_record_and_the_seed_alone(all_puzzles):
    again = find_puzzles(json.loads(json.dumps(record_up_to_the_puzzle())), budget=BUDGET, ended=True)
    assert json.dumps(again) == json.dumps([puzzle for puzzle in all_puzzles if puzzle["ply"] <= PLY])


def test_an_answer_that_was_taken_back_is_no_part_of_a_puzzle():
    match = engine.game("infinity-gauntlet").start(2, "taken back")
    for _ in walk(match, "taken back"):
        if match.to_act is not None and match.can_undo(match.to_act):
            break
    assert match.to_act is not None
    match.undo(match.to_act)
    while match.to_act is not None:
        match.play(match.legal()[0])
    # A budget of one world finds almost anything: what matters is the record that comes with it.
    one = ("one", analysis.Budget(1, 1, 1))
    for puzzle in find_puzzles(transcript.transcript(match), budget=one):
        assert "undo" not in {move for _, move, _ in puzzle["document"]["moves"]}
        assert engine.replay(puzzle["document"]).to_act == puzzle["seat"]


def test_matches_of_bots_are_played_to_their_end_and_differ():
    first, second = (bot_match("infinity-gauntlet", 2, f"bots {number}") for number in (1, 2))
    assert engine.replay(first).outcome is not None
    assert first == bot_match("infinity-gauntlet", 2, "bots 1")
    assert first["moves"] != second["moves"]


def test_what_the_first_look_doubts_is_looked_at_closer(monkeypatch):
    """A choice that lacks a little in 40 worlds and nothing in 400."""
    record = bot_match("infinity-gauntlet", 2, "puzzle 9")
    match = engine.replay({**record, "moves": record["moves"][:27]})
    puzzle = puzzle_at(match, match.to_act, METHOD, BUDGET[1], "1")
    assert puzzle["worlds"] == DEEPER * BUDGET[1].worlds
    assert holds({**puzzle, "document": transcript.transcript(match)}, "once more")
    monkeypatch.setattr(puzzles, "DOUBT", 0.0)
    assert puzzle_at(match, match.to_act, METHOD, BUDGET[1], "1") is None


def test_thanos_is_a_rookie_where_puzzles_are_sought():
    tables = [levels_of("infinity-gauntlet", 4, f"levels {number}") for number in range(20)]
    assert {levels[0] for levels in tables} == {"rookie"}
    assert {level for levels in tables for level in levels[1:]} == {"rookie", "regular"}
    assert set(levels_of("thanos-rising", 3, "levels")) == {"regular"}


# -- what is refused


def test_what_has_no_puzzles_says_so():
    if build.name() == "interpreted":
        match = engine.game("thanos-rising").start(2, "no puzzles", {"preset": "recruit"})
        for _ in walk(match, "no puzzles"):
            pass
        with pytest.raises(analysis.NotAnalysed, match="where the engine is not compiled"):
            find_puzzles(transcript.transcript(match))
    record = known_record()
    with pytest.raises(analysis.NotAnalysed, match="stops before the end"):
        find_puzzles({**record, "moves": record["moves"][:9]}, budget=BUDGET)
    with pytest.raises(engine.TranscriptError, match="rules"):
        find_puzzles({**record, "rules_version": 99}, budget=BUDGET)

"""A match that is played on from a position of another: what its player could not know is drawn anew."""

import pytest

import engine
from engine import analysis, transcript
from engine.analysis.hints import hint
from engine.analysis.steps import opening, standing_moves
from engine.errors import IllegalAction, TranscriptError
from engine.kernel import ANEW, ANEW_SEED
from engine.rng import stream
from tests.engine.random_play import TABLES, known_to, walk

TINY = ("tiny", analysis.Budget(worlds=6, most_worlds=6, playouts=4))
SHORT = {"heroes_life": 1, "thanos_life": 1}
tables = pytest.mark.parametrize(("name", "players"), TABLES)


def played_on(match, ply, seat, secret="another"):
    """The first plies of a match, and what the seat cannot know drawn anew."""
    again = match.game.start(match.players, f"{match.seed}{ANEW_SEED}{secret}", match.options)
    for entry in match.entries[:ply]:
        again.repeat(entry.seat, entry.move)
    again.draw_anew(seat)
    return again


@tables
def test_the_seat_sees_the_same_table_and_the_rest_is_drawn_anew(name, players):
    match, changed, seen = engine.game(name).start(players, "whole"), 0, 0
    for _ in walk(match, "whole"):
        if match.ply % 9 or match.outcome:
            continue
        seat = match.ply % players
        again = played_on(match, match.ply, seat)
        assert [entry.digest for entry in again.entries[:-1]] == [entry.digest for entry in match.entries]
        assert again.view(seat)["table"] == match.view(seat)["table"]
        assert again.view(seat)["legal"] == match.view(seat)["legal"]
        assert again.events(seat) == match.events(seat)
        changed += again.state.ints() != match.state.ints()
        seen += 1
    assert seen
    assert changed == seen


@tables
def test_it_depends_on_nothing_that_the_seat_cannot_know(name, players):
    """Two tables that look alike to the seat, with other cards elsewhere: the same draw gives the same table."""
    match = engine.game(name).start(players, "alike")
    for _ in walk(match, "alike"):
        if match.ply == 12 or match.outcome:
            break
    assert match.outcome is None
    first, second = match.clone(), match.clone()
    second.state.determinise(0, stream("other hidden cards", "test"))
    for twin in (first, second):
        twin.seed = f"{match.seed}{ANEW_SEED}another"
        twin.draw_anew(0)
    assert first.state.ints() == second.state.ints()
    for seat in range(players):
        assert known_to(first, seat, 0) == known_to(second, seat, 0)


@tables
def test_the_record_replays_and_nothing_before_it_can_be_taken_back(name, players):
    match = engine.game(name).start(players, "back")
    for _ in walk(match, "back"):
        if match.ply == 10:
            break
    seat = match.to_act
    again = played_on(match, 10, seat)
    assert again.last_decision(seat) is None
    assert not again.can_undo(seat)
    with pytest.raises(IllegalAction):
        again.undo(seat)
    with pytest.raises(IllegalAction):
        again.go_back(seat, next(ply for ply, entry in enumerate(again.entries) if entry.seat == seat))
    again.play(again.legal()[0])
    assert again.last_decision(seat) == 11
    if again.to_act is not None:
        again.go_back(seat, 11)
        again.play(again.legal()[0])
    replayed = transcript.replay(transcript.loads(transcript.dumps(again)))
    assert replayed.hash() == again.hash()


def test_it_can_be_played_on_from_again_with_a_line_of_the_seed_for_each():
    match = engine.game("infinity-gauntlet").start(3, "twice")
    match.play(match.legal()[0])
    once = played_on(match, 1, 0)
    once.play(once.legal()[0])
    twice = played_on(once, 3, 1, secret="a third")
    assert [entry.move for entry in twice.entries].count(ANEW) == 2
    assert [entry.digest for entry in twice.entries[:3]] == [entry.digest for entry in once.entries]
    with pytest.raises(IllegalAction):
        twice.draw_anew(0)  # no part is left


def test_bad_records_are_refused_in_words():
    match = engine.game("infinity-gauntlet").start(2, "plain")
    document = transcript.transcript(match)
    with pytest.raises(TranscriptError, match="no part for it"):
        transcript.replay({**document, "moves": [[0, ANEW, "00000000"]]})
    again = transcript.transcript(played_on(match, 0, 0))
    with pytest.raises(TranscriptError, match="leads to another state"):
        transcript.replay({**again, "seed": f"plain{ANEW_SEED}edited"})
    with pytest.raises(TranscriptError, match="seat 9 cannot play"):
        transcript.replay({**again, "moves": [[9, ANEW, "00000000"]]})


def test_another_seed_of_several_lines_deals_as_a_whole():
    one, two = (engine.game("infinity-gauntlet").start(4, seed) for seed in ("a line\none", "a line\ntwo"))
    assert one.hash() != two.hash()


def test_the_analysis_begins_where_its_players_began():
    match = engine.game("infinity-gauntlet").start(2, "analysed", {"heroes_life": 6, "thanos_life": 6})
    for _ in walk(match, "analysed"):
        if match.ply == 4:
            break
    assert match.outcome is None
    again = played_on(match, 4, 0)
    assert opening(again).ply == 5
    with pytest.raises(analysis.NotAnalysed) as refused:
        analysis.analyse(transcript.transcript(again), budget=TINY, ended=True)
    assert refused.value.code == "first-turn"
    for _ in walk(again, "to the end"):
        pass
    report = analysis.analyse(transcript.transcript(again), budget=TINY)
    assert [point["ply"] for point in report["curve"]] == [5, *(ply for ply, _, _ in standing_moves(again))]
    assert report["curve"][0]["luck"] == [0, 0]
    assert min(turn["ply"] for turn in report["turns"]) > 5


def test_a_turn_that_gave_something_away_names_every_answer_and_what_each_seat_could_know():
    match = engine.game("infinity-gauntlet").start(2, "answers", SHORT)
    for _ in walk(match, "answers"):
        pass
    report = analysis.analyse(transcript.transcript(match), budget=TINY)
    for turn in report["turns"]:
        answers = {answer["move"]: answer for answer in turn["worst"]["answers"]}
        assert bool(answers) == (turn["kind"] != "fine")
        if answers:
            assert answers[turn["worst"]["played"]]["chance"] == turn["worst"]["chance"]
            assert answers[turn["worst"]["played"]]["loss"] == turn["worst"]["loss"]
    assert any(seat["believed"] for seat in report["seats"])
    splendor = engine.game("splendor-marvel").start(2, "believed")
    for _ in walk(splendor, "believed"):
        if splendor.ply == 12:
            break
    report = analysis.analyse(transcript.transcript(splendor), budget=TINY, ended=True)
    assert all(0 <= chance <= 1 for seat in report["seats"] for _, chance in seat["believed"])
    assert any(seat["believed"] for seat in report["seats"])


def test_a_hint_knows_no_more_than_its_seat():
    match = engine.game("infinity-gauntlet").start(3, "hint")
    seat = match.to_act
    move = hint(transcript.transcript(match), seat=seat, seed="1")
    assert match.parse(move, seat) in match.legal(seat)
    with pytest.raises(analysis.NotAnalysed):
        hint(transcript.transcript(match), seat=(seat + 1) % 3, seed="1")

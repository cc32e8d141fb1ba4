"""What holds for every game at every player count, walked over random play."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.playout import buffer, playout
from engine.rng import stream
from engine.state import MAX_ACTIONS
from engine.transcript import dumps, loads
from tests.engine.random_play import MAX_MOVES, TABLES, conserved, known_to, walk

tables = pytest.mark.parametrize(("name", "players"), TABLES)
few = settings(max_examples=4, deadline=None)
seeds = st.text(min_size=1, max_size=8)


@tables
@few
@given(seed=seeds)
def test_legal_actions_are_ascending_and_their_notation_names_them(name, players, seed):
    match = engine.game(name).start(players, seed)
    for _ in walk(match, seed):
        for seat in range(players):
            actions = match.legal(seat)
            assert actions == sorted(set(actions))
            assert all(0 <= action < MAX_ACTIONS for action in actions)
            moves = [match.notation(action, seat) for action in actions]
            assert len(set(moves)) == len(moves)
            assert [match.parse(f"  {move.upper()} ", seat) for move in moves] == actions
        assert (match.to_act is None) == match.state.over == (match.outcome is not None)
        assert match.to_act is None or match.legal()


@tables
@few
@given(seed=seeds)
def test_nobody_may_pass_who_can_act(name, players, seed):
    """Where the rules know no pass, it is the only answer. Thanos may snap instead; in Thanos Rising `pass` declines
    the rest of an effect, which is the player's to decline, and is asked for nowhere else."""
    match = engine.game(name).start(players, seed)
    for _ in walk(match, seed):
        moves = [match.notation(action) for action in match.legal()]
        if "pass" in moves and name == "thanos-rising":
            assert match.view(None)["table"]["question"] in ("heal-hero", "remove-counter", "re-roll", "turn-die")
        elif "pass" in moves:
            assert set(moves) <= {"pass", "snap"}


@tables
@few
@given(seed=seeds)
def test_a_clone_never_aliases(name, players, seed):
    match = engine.game(name).start(players, seed)
    for _ in walk(match, seed):
        before = match.state.ints()
        assert match.state.clone().ints() == before
        for seat in range(players):
            for action in match.legal(seat):
                twin = match.state.clone()
                if seat == match.to_act:
                    twin.apply(action)
                else:
                    twin.apply_aside(seat, action)
                assert twin.log is None
        assert match.state.ints() == before


@tables
@few
@given(seed=seeds)
def test_what_must_be_conserved_is(name, players, seed):
    match, check = engine.game(name).start(players, seed), conserved(name)
    for _ in walk(match, seed):
        check(match.state)


@tables
@few
@given(seed=seeds)
def test_nobody_is_told_what_they_may_not_know(name, players, seed):
    """Redraw all that a seat cannot know: it must not notice, now or at the next move that it would see alike."""
    match, check = engine.game(name).start(players, seed), conserved(name)
    for _ in walk(match, seed):
        for seat in [*range(players), None]:
            twin = match.imagine(seat, f"{seed} {match.ply}")
            assert known_to(twin, seat, match.ply) == known_to(match, seat, match.ply)
            check(twin.state)


@tables
def test_what_the_public_is_told_of_a_move_is_no_more_than_it_sees_afterwards(name, players):
    """Play the same move in a world that a spectator cannot tell from the true one: where the tables then look alike,
    the tales must be alike as well."""
    match, twin, compared = engine.game(name).start(players, "tales"), None, 0
    for _ in walk(match, "tales"):
        entry = match.entries[-1] if twin else None
        if twin and entry.move in [twin.notation(action, entry.seat) for action in twin.legal(entry.seat)]:
            twin.play(entry.move, entry.seat)
            if twin.view(None) == match.view(None):
                assert twin.events(None, match.ply) == match.events(None, match.ply)
                compared += 1
        twin = match.imagine(None, f"tales {match.ply}")
    assert compared


@tables
@few
@given(seed=seeds)
def test_what_is_imagined_depends_on_nothing_hidden(name, players, seed):
    """Imagining starts from what the seat knows, never from the truth: two truths that look alike give the same."""
    match = engine.game(name).start(players, seed)
    for _ in walk(match, seed):
        for seat in range(players):
            elsewhere = match.imagine(seat, f"elsewhere {match.ply}")
            assert elsewhere.imagine(seat, "here").state.ints() == match.imagine(seat, "here").state.ints()


@tables
@few
@given(seed=seeds)
def test_replay_gives_the_same_hash_at_each_step(name, players, seed):
    match = engine.game(name).start(players, seed)
    for _ in walk(match, seed):
        pass
    again = engine.replay(loads(dumps(match)))
    assert again.entries == match.entries
    assert again.hash() == match.hash()
    assert again.outcome == match.outcome
    assert [again.events(seat) for seat in range(players)] == [match.events(seat) for seat in range(players)]


@tables
@few
@given(seed=seeds)
def test_illegal_actions_are_refused_and_change_nothing(name, players, seed):
    match = engine.game(name).start(players, seed)
    for _ in walk(match, seed):
        before, entries = match.hash(), list(match.entries)
        for seat in range(players):
            legal = match.legal(seat)
            for action in (
                -1,
                MAX_ACTIONS,
                next(a for a in range(MAX_ACTIONS + 1) if a not in legal),
                "nonsense",
                True,
            ):
                with pytest.raises(engine.IllegalAction):
                    match.play(action, seat)
        with pytest.raises(engine.IllegalAction):
            match.play(match.legal()[0] if match.legal() else 0, players)
        assert (match.hash(), match.entries) == (before, entries)


@tables
@few
@given(seed=seeds)
def test_an_answer_taken_back_leaves_no_trace_but_the_record(name, players, seed):
    match = engine.game(name).start(players, seed)
    hashes, taken_back = [match.hash()], 0
    for _ in walk(match, seed):
        if match.ply and match.hash() != hashes[-1]:
            seat, move = match.entries[-1].seat, match.entries[-1].move
            if match.can_undo(seat):
                match.undo(seat)
                taken_back += 1
                assert match.hash() == hashes[-1]
                match.play(move, seat)
            hashes.append(match.hash())
    assert engine.replay(json.loads(dumps(match))).hash() == match.hash()


@tables
def test_a_thousand_random_matches_end_well(name, players):
    game, check, acts = engine.game(name), conserved(name), buffer()
    share = 1000 // len(game.players) + 1
    for number in range(share):
        state = game.start(players, f"thousand {number}").state
        assert 0 < playout(state, stream(f"thousand {number}", "playout"), acts) < MAX_MOVES
        check(state)
        rewards = [state.reward(seat) for seat in range(players)]
        assert all(0 <= reward <= 1 for reward in rewards)
        outcome = game.outcome(state)
        assert sorted(outcome.ranks)[0] == 1 or not outcome.winners
        assert {seat for seat in range(players) if rewards[seat] > 0} >= set(outcome.winners)


@pytest.mark.slow
@pytest.mark.timeout(7200)
@tables
def test_a_hundred_thousand_random_matches_end_well(name, players):
    game, check, acts = engine.game(name), conserved(name), buffer()
    for number in range(100_000):
        state = game.start(players, f"many {number}").state
        assert 0 < playout(state, stream(f"many {number}", "playout"), acts) < MAX_MOVES
        check(state)

"""What holds for the bots of every game at every player count: what they know, and that they keep the rules."""

import resource
from collections import Counter
from itertools import count

import pytest

import engine
from engine.bots import LEAVE, LEVELS, Budget, Situation, bot
from engine.bots.runner import bots_in_every_seat
from engine.rng import stream
from tests.engine.random_play import TABLES, conserved

FEW = Budget(iterations=4)
THOUSAND = 91
"""Matches a table: there are eleven tables."""

tables = pytest.mark.parametrize(("name", "players"), TABLES)


def answer(match, seat, level):
    action = bot(match.game.name, level).choose(Situation(match, seat), FEW, "a seed")
    assert action in match.legal(seat) or (action == LEAVE and seat != match.to_act)
    return action


@tables
def test_a_choice_is_a_function_of_the_view(name, players):
    """Where two tables differ only in what a seat cannot know, it answers the same: in each role, at each level."""
    roles, rng, deals = engine.game(name).roles(players), stream(name, "views"), count()
    asked = Counter({(role, level): 0 for role in roles for level in LEVELS})
    match = engine.game(name).start(players, f"views {players}")
    while min(asked.values()) < 2:
        if match.to_act is None:
            match = engine.game(name).start(players, f"views {players} {next(deals)}")
        for seat in range(players):
            if len(match.legal(seat)) > 1 and rng.below(3) == 0:
                level = min(LEVELS, key=lambda level: asked[roles[seat], level])
                twin = match.imagine(seat, f"another truth {match.ply}")
                assert twin.view(seat) == match.view(seat)
                assert answer(twin, seat, level) == answer(match, seat, level)
                asked[roles[seat], level] += 1
        actions = match.legal()
        match.play(actions[rng.below(len(actions))])


def mixed(name, players, number, budget):
    """A whole match between bots of different levels; `play` refuses what is not legal."""
    presets = next((option.choices for option in engine.game(name).options if option.name == "preset"), ())
    options = {"preset": presets[number % len(presets)]} if presets else {}
    match = engine.game(name).start(players, f"mixed {number}", options)
    levels = [LEVELS[(seat * number + seat + number + players) % len(LEVELS)] for seat in range(players)]
    bots_in_every_seat([(bot(name, level), budget) for level in levels], f"{number}").play_out(match)
    assert match.outcome is not None
    conserved(name)(match.state)
    return [(entry.seat, entry.move) for entry in match.entries]


@tables
def test_bots_of_different_levels_play_whole_matches_and_the_same_ones_again(name, players):
    assert mixed(name, players, 1, FEW) == mixed(name, players, 1, FEW)


@pytest.mark.slow
@tables
def test_a_thousand_mixed_matches_without_an_illegal_action(name, players):
    for number in range(THOUSAND):
        mixed(name, players, number, Budget(iterations=8))


@pytest.mark.parametrize("name", engine.GAMES)
def test_no_memory_is_lost_with_the_moves(name):
    """Compiled, a buffer handed over from interpreted code never comes back: 2 kB a move."""
    match = engine.game(name).start(2, "memory")
    rookie = bot(name, "rookie")

    def moves(count):
        for number in range(count):
            rookie.choose(Situation(match, match.to_act), FEW, f"{number}")
        with open("/proc/self/statm") as sizes:
            return int(sizes.read().split()[1]) * resource.getpagesize()

    before = moves(200)
    assert moves(1500) - before < 1_500_000

"""Random matches for the tests: which there are, and what must be conserved in each."""

import json
from importlib import import_module

import engine
from engine.rng import stream

MAX_MOVES = 20_000
"""No random match of any game comes near this many decisions."""

TABLES = [(name, players) for name in engine.GAMES for players in engine.game(name).players]
"""Every game at every player count."""


def conserved(name):
    """The game's own `check(state)`: cards and tokens all there, nothing negative. Lives beside the game's tests."""
    return import_module(f"tests.engine.{name.replace('-', '_')}.invariants").check


def walk(match, seed):
    """Play random legal actions, now and then one of a seat that the match does not wait for; stop at each decision."""
    rng = stream(seed, "walk")
    for _ in range(MAX_MOVES):
        yield
        if match.to_act is None:
            return
        asides = [seat for seat in range(match.players) if seat != match.to_act and match.legal(seat)]
        seat = asides[rng.below(len(asides))] if asides and rng.below(4) == 0 else match.to_act
        actions = match.legal(seat)
        match.play(actions[rng.below(len(actions))], seat)
    raise AssertionError(f"{match.game.name} with {match.players} players, seed {match.seed}: no end in sight")


def known_to(match, seat, since=0):
    """All that this seat sees, as bytes: its view, and its events from ply `since` on."""
    return json.dumps([match.view(seat), match.events(seat, since)], sort_keys=True).encode()

"""Information-set Monte Carlo tree search, for any game: the strongest levels' way to think.

Each iteration imagines a world that the seat holds possible, walks the one shared tree through the moves legal in that
world, adds a leaf, plays on to the end by a policy and counts the reward of whoever chose each move. Moves that are not
legal in every world are weighed by how often they could have been chosen (Cowling, Powley and Whitehouse, 2012).

Compiled by mypyc; see `engine.build`.
"""

import time
from math import log, sqrt
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from engine.playout import buffer
from engine.rng import Rng
from engine.state import MOST_ACTIONS, GameState

HASTE: Final = 0.001
"""What a win is worth less for each decision that it takes: a match that is as good as won gets won."""


class Sampler:
    """Worlds that a seat holds possible. It keeps an imagined state, never the true one."""

    def __init__(self, imagined: GameState, seat: i64) -> None:
        self.imagined = imagined
        self.seat: i64 = seat

    def draw(self, rng: Rng) -> GameState:
        """One possible world, free to be played on."""
        state = self.imagined.clone()
        state.determinise(self.seat, rng)
        return state


class Policy:
    """A quick way to choose: what the search's playouts follow, and what a Regular bot plays by itself.

    It is given the state that a world imagines; whoever is to act there must be judged by what they may know.
    """

    def choose(self, state: GameState, rng: Rng, acts: vec[i64]) -> i64:
        """One of the legal actions of the seat to act; `acts` is room to list them in."""
        return acts[rng.below(state.legal(acts))]

    def choose_aside(self, state: GameState, seat: i64, rng: Rng, acts: vec[i64]) -> i64:
        """What a seat does that the match does not wait for but that may act; -1 to leave it."""
        return -1


def first_thought(policy: Policy, state: GameState, seat: i64, rng: Rng) -> i64:
    """What a policy has this seat do, in turn or aside."""
    if seat == state.seat:
        return policy.choose(state, rng, buffer())
    return policy.choose_aside(state, seat, rng, buffer())


class Node:
    """A move in the tree: who chose it, how often it could have been and was, and what it brought them."""

    def __init__(self, action: i64, seat: i64) -> None:
        self.action: i64 = action
        self.seat: i64 = seat
        self.visits: i64 = 0
        self.available: i64 = 0
        self.total: float = 0.0
        self.children: list[Node] = []


class Search:
    """One search for one decision."""

    def __init__(self, sampler: Sampler, policy: Policy, rng: Rng, explore: float = 0.7) -> None:
        self.sampler = sampler
        self.policy = policy
        self.rng = rng
        self.explore: float = explore
        self.root = Node(-1, -1)
        self.iterations: i64 = 0
        self.acts = buffer()
        self.path: list[Node] = []
        # legal_in[action] is the iteration and step in which the action was last legal: no set to build and clear.
        self.legal_in = vec[i64]([0] * MOST_ACTIONS)
        self.mark: i64 = 0

    def run(self, iterations: i64, seconds: float) -> None:
        """Iterate until either limit is reached; a limit of 0 is none."""
        until = time.perf_counter() + seconds
        while iterations == 0 or self.iterations < iterations:
            if seconds > 0 and time.perf_counter() >= until and self.iterations > 0:
                break
            self.iterate()

    def best(self) -> i64:
        """The most visited move; the lowest number where several are."""
        best, visits = i64(-1), i64(-1)
        for child in self.root.children:
            if child.visits > visits or (child.visits == visits and child.action < best):
                best, visits = child.action, child.visits
        return best

    def iterate(self) -> None:
        self.iterations += 1
        state = self.sampler.draw(self.rng)
        self.path = [self.root]
        node = self.root
        grown = False
        while not state.over and not grown:
            child = self.step(node, state)
            grown = child.visits == 0
            self.path.append(child)
            state.apply(child.action)
            node = child
        self.count(state, self.play_on(state) + len(self.path))

    def step(self, node: Node, state: GameState) -> Node:
        """The move to follow from a node in this world: one never tried, else the most promising."""
        count = state.legal(self.acts)
        self.mark += 1
        mark = self.mark
        for i in range(count):
            self.legal_in[self.acts[i]] = mark
        best: Node | None = None
        best_value = -1.0
        known = i64(0)
        for child in node.children:
            if self.legal_in[child.action] == mark:
                known += 1
                self.legal_in[child.action] = 0
                child.available += 1
                value = child.total / float(child.visits) + self.explore * sqrt(
                    log(float(child.available)) / float(child.visits)
                )
                if value > best_value:
                    best, best_value = child, value
        if known == count and best is not None:
            return best
        # Those still marked were never tried: one of them by lot.
        skip = self.rng.below(count - known)
        action = i64(-1)
        for i in range(count):
            if self.legal_in[self.acts[i]] == mark:
                if skip == 0:
                    action = self.acts[i]
                    break
                skip -= 1
        child = Node(action, state.seat)
        child.available = 1
        node.children.append(child)
        return child

    def play_on(self, state: GameState) -> i64:
        """To the end; how many decisions that took."""
        policy, rng, acts = self.policy, self.rng, self.acts
        moves: i64 = 0
        while not state.over:
            state.apply(policy.choose(state, rng, acts))
            moves += 1
        return moves

    def count(self, state: GameState, moves: i64) -> None:
        pace = 1.0 / (1.0 + HASTE * float(moves))
        rewards = vec[float]([0.0] * int(state.players))
        for seat in range(state.players):
            rewards[seat] = state.reward(seat) * pace
        for node in self.path:
            node.visits += 1
            if node.seat >= 0:
                node.total += rewards[node.seat]

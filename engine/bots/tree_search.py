"""Information-set Monte Carlo tree search, for any game: used by the strongest levels.

Each iteration draws a world that is possible for the seat, walks the shared tree through the moves that are legal in it
to a leaf, asks a policy what the leaf is worth (by playing to the end, or by a value of positions) and adds that to
every move on the path, for the seat that chose it. Moves that are not legal in every world are weighted by how often
they were available (Cowling, Powley and Whitehouse, 2012). A leaf that was reached often enough is expanded; its moves
start with some visits, valued as the policy rates them.

Compiled by mypyc; see `engine.build`.
"""

import time
from math import log, sqrt
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from engine.playout import buffer
from engine.rng import Rng
from engine.state import MAX_ACTIONS, GameState

OPENED: Final = 10
"""Visits after which a node is expanded."""

ON_ACCOUNT: Final = 4
"""Visits that a new move starts with."""

HASTE: Final = 0.001
"""How much less a win counts for each decision it takes, so that the bot wins soon when it can."""


class Sampler:
    """Draws worlds that are possible for a seat. It keeps an imagined state, never the real one."""

    def __init__(self, imagined: GameState, seat: i64) -> None:
        self.imagined = imagined
        self.seat: i64 = seat

    def draw(self, rng: Rng) -> GameState:
        """One possible world, free to be played on."""
        state = self.imagined.clone()
        state.determinise(self.seat, rng)
        return state


class Policy:
    """A quick way to choose: the search's playouts follow it, and a Regular bot plays by it alone.

    It gets the state of an imagined world and must use only what the seat to act may know there.
    """

    def choose(self, state: GameState, rng: Rng, acts: vec[i64]) -> i64:
        """One of the legal actions of the seat to act; `acts` is room to list them in."""
        return acts[rng.below(state.legal(acts))]

    def promise(self, state: GameState, acts: vec[i64], count: i64, promises: vec[float]) -> None:
        """The reward that each of these legal actions seems to lead to without a search, for the seat to act."""
        i: i64 = 0
        while i < count:
            promises[i] = 1.0 / float(state.players)
            i += 1

    def settle(self, state: GameState, rng: Rng, acts: vec[i64], rewards: vec[float]) -> i64:
        """Write what a position is worth to each seat; returns how many decisions were played. It uses the state up."""
        moves: i64 = 0
        while not state.over:
            state.apply(self.choose(state, rng, acts))
            moves += 1
        seat: i64 = 0
        while seat < state.players:
            rewards[seat] = state.reward(seat)
            seat += 1
        return moves

    def choose_aside(self, state: GameState, seat: i64, rng: Rng, acts: vec[i64]) -> i64:
        """The action of a seat that may act out of turn; -1 for none."""
        return -1


def first_thought(policy: Policy, state: GameState, seat: i64, rng: Rng) -> i64:
    """The action that a policy chooses for this seat, in turn or out of turn."""
    if seat == state.seat:
        return policy.choose(state, rng, buffer())
    return policy.choose_aside(state, seat, rng, buffer())


class Node:
    """A move in the tree: who chose it, how often it could have been and was, and what it brought them."""

    def __init__(self, action: i64, seat: i64, expected: float) -> None:
        self.action: i64 = action
        self.seat: i64 = seat
        self.visits: i64 = ON_ACCOUNT
        self.available: i64 = ON_ACCOUNT
        self.total: float = ON_ACCOUNT * expected
        self.children: list[Node] = []


class Search:
    """One search for one decision."""

    def __init__(self, sampler: Sampler, policy: Policy, rng: Rng, explore: float = 0.7) -> None:
        self.sampler = sampler
        self.policy = policy
        self.rng = rng
        self.explore: float = explore
        self.root = Node(-1, -1, 0.0)
        self.iterations: i64 = 0
        self.acts = buffer()
        self.path: list[Node] = []
        # legal_in[action] is the iteration and step in which the action was last legal: no set to build and clear.
        self.legal_in = vec[i64]([0] * MAX_ACTIONS)
        self.mark: i64 = 0
        self.promises = vec[float]([0.0] * MAX_ACTIONS)
        self.rewards = vec[float]([0.0] * int(sampler.imagined.players))

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
        while not state.over and (node is self.root or node.visits >= ON_ACCOUNT + OPENED):
            node = self.step(node, state)
            self.path.append(node)
            state.apply(node.action)
        self.count(self.policy.settle(state, self.rng, self.acts, self.rewards) + len(self.path))

    def step(self, node: Node, state: GameState) -> Node:
        """The most promising of the moves that are legal in this world."""
        count = state.legal(self.acts)
        self.mark += 1
        mark = self.mark
        for i in range(count):
            self.legal_in[self.acts[i]] = mark
        known = i64(0)
        for child in node.children:
            if self.legal_in[child.action] == mark:
                known += 1
                self.legal_in[child.action] = -mark
        if known < count:
            self.open(node, state, count)
        best, best_value = node.children[0], -1.0
        for child in node.children:
            if self.legal_in[child.action] == -mark:
                child.available += 1
                value = child.total / float(child.visits) + self.explore * sqrt(
                    log(float(child.available)) / float(child.visits)
                )
                if value > best_value:
                    best, best_value = child, value
        return best

    def open(self, node: Node, state: GameState, count: i64) -> None:
        """Add the legal moves that the node does not have yet."""
        self.policy.promise(state, self.acts, count, self.promises)
        for i in range(count):
            if self.legal_in[self.acts[i]] == self.mark:
                self.legal_in[self.acts[i]] = -self.mark
                node.children.append(Node(self.acts[i], state.seat, self.promises[i]))

    def count(self, moves: i64) -> None:
        pace = 1.0 / (1.0 + HASTE * float(moves))
        for node in self.path:
            node.visits += 1
            if node.seat >= 0:
                node.total += self.rewards[node.seat] * pace

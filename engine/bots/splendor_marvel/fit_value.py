"""Fits the value of positions of Splendor: Marvel to matches that it plays itself, and writes `weights.json`.

    python -m engine.bots.splendor_marvel.fit_value

The first matches are played by the habits of the Regular bot, those of a larger table by the value for the smaller one.
Each later generation plays by the value that was fitted to the matches before it. The same seed gives the same weights.
It wants the compiled engine, and needs numpy.

    python -m engine.bots.splendor_marvel.fit_value --check 200

fits nothing, and plays matches of a search with the value against one that plays its leaves to the end: seats swapped
on the same deals, as many iterations for both.
"""

import argparse
import json
import sys
import time
from typing import Any

import numpy as np

from engine.bots.protocol import Budget, Searcher
from engine.bots.runner import bots_in_every_seat
from engine.bots.splendor_marvel import EXPLORE
from engine.bots.splendor_marvel.fitted_value import HIDDEN, INPUTS, WEIGHTS, FittedValue
from engine.bots.splendor_marvel.policies import Eager, FittedPlay, ValuePlay
from engine.bots.splendor_marvel.self_play import noted_positions
from engine.bots.splendor_marvel.weights import FILE, FITTED
from engine.bots.tree_search import Policy
from engine.games import game
from engine.rng import stream

Array = np.ndarray[Any, np.dtype[np.float64]]

EPOCHS = 12
BATCH = 512
RATE = 0.004
DECAY = 1e-4
HELD_OUT = 10
"""One match of so many is not learnt from, only measured on."""


def main() -> None:
    asked = parsed(sys.argv[1:])
    if asked.check:
        check(asked)
        return
    fitted: list[list[float]] = []
    for players in (2, 3, 4):
        fitted.append(fit(players, asked, fitted[-1] if fitted else None))
    FILE.write_text(json.dumps(fitted, separators=(",", ":")).replace("],[", "],\n[") + "\n", encoding="utf-8")


def parsed(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Fit the value of positions of Splendor: Marvel.")
    parser.add_argument("--matches", type=int, default=6000, help="of each generation and number of players")
    parser.add_argument("--generations", type=int, default=4)
    parser.add_argument("--iterations", type=int, default=0, help="of the search in the last generation, and to check")
    parser.add_argument("--check", type=int, default=0, metavar="MATCHES", help="play so many, and fit nothing")
    parser.add_argument("--players", type=int, default=2, choices=(2, 3, 4), help="in the matches to check")
    parser.add_argument("--seed", default="1")
    return parser.parse_args(arguments)


def fit(players: int, asked: argparse.Namespace, first: list[float] | None = None) -> list[float]:
    """The weights for a number of players, generation after generation; `first` are those of a smaller table."""
    rng = np.random.default_rng(players)
    weights = start(rng) if first is None else np.array(first)
    before: list[list[list[float]]] = []
    for generation in range(asked.generations):
        value = FittedValue([weights.tolist()] * 3)
        policy: Policy = FittedPlay(value) if generation or first is not None else ValuePlay()
        iterations = asked.iterations if generation == asked.generations - 1 else 0
        began = time.monotonic()
        matches = [
            noted_positions(
                players, value, policy, iterations, EXPLORE, stream(f"{asked.seed} {generation} {n}", "fit")
            )
            for n in range(asked.matches)
        ]
        # The matches of the generation before still say something, and keep the value from running after itself.
        weights, loss, brier = learn(weights, matches, before, players, rng)
        before = matches
        seconds = time.monotonic() - began
        sys.stdout.write(
            f"{players} players, generation {generation}: {sum(map(len, matches))} positions, "
            f"held out log loss {loss:.4f}, Brier {brier:.4f}, {seconds:.0f} s\n"
        )
        sys.stdout.flush()
    return [round(float(weight), 4) for weight in weights]


def check(asked: argparse.Namespace) -> None:
    """One seat searches with the value, the others play leaves to the end; it has every seat of each deal once."""
    fitted, plain = Searcher(FittedPlay(FittedValue(FITTED)), EXPLORE), Searcher(Eager())
    budget = Budget(iterations=asked.iterations or 150)
    won, seconds, moves = 0.0, [0.0, 0.0], [0, 0]
    for number in range(asked.check):
        deal, seat = f"{asked.seed} {number // asked.players}", number % asked.players
        match = game("splendor-marvel").start(asked.players, deal, {})
        bots = [(fitted if each == seat else plain, budget) for each in range(asked.players)]
        table = bots_in_every_seat(bots, deal)
        table.play_out(match)
        assert match.outcome is not None
        won += (seat in match.outcome.winners) / len(match.outcome.winners)
        for each, seated in table.seats.items():
            seconds[each == seat] += seated.seconds
            moves[each == seat] += seated.moves
        if (number + 1) % 10 == 0 or number + 1 == asked.check:
            paces = ", ".join(f"{1000 * seconds[one] / moves[one]:.1f} ms" for one in (1, 0))
            sys.stdout.write(f"{number + 1} matches, {won:.1f} won with the value; a move took {paces} without\n")
            sys.stdout.flush()


def start(rng: np.random.Generator) -> Array:
    """Random weights, small enough to begin with."""
    weights = np.zeros(WEIGHTS)
    weights[: INPUTS * HIDDEN] = rng.normal(0, np.sqrt(1 / INPUTS), INPUTS * HIDDEN)
    weights[INPUTS * HIDDEN + HIDDEN : INPUTS * HIDDEN + 2 * HIDDEN] = rng.normal(0, np.sqrt(1 / HIDDEN), HIDDEN)
    return weights


def parts(weights: Array) -> tuple[Array, Array, Array, Array]:
    """Views: of the hidden layer, its thresholds, its outputs, and of the inputs directly."""
    end = INPUTS * HIDDEN
    return (
        weights[:end].reshape(INPUTS, HIDDEN),
        weights[end : end + HIDDEN],
        weights[end + HIDDEN : end + 2 * HIDDEN],
        weights[end + 2 * HIDDEN :],
    )


def as_arrays(matches: list[list[list[float]]], players: int) -> tuple[Array, Array]:
    """Inputs by position and seat, and rewards."""
    rows = np.array([row for match in matches for row in match])
    return rows[:, :-players].reshape(len(rows), players, INPUTS), rows[:, -players:]


def learn(
    weights: Array,
    matches: list[list[list[float]]],
    before: list[list[list[float]]],
    players: int,
    rng: np.random.Generator,
) -> tuple[Array, float, float]:
    """The weights after some passes over the positions (Adam), and how they do on matches held out."""
    held = matches[::HELD_OUT]
    kept = before + [match for number, match in enumerate(matches) if number % HELD_OUT]
    inputs, rewards = as_arrays(kept, players)
    weights = weights.copy()
    mean, square, steps = np.zeros(WEIGHTS), np.zeros(WEIGHTS), 0
    batches = max(1, len(inputs) // BATCH)
    for _ in range(EPOCHS):
        order = rng.permutation(len(inputs))
        for batch in np.array_split(order, batches):
            steps += 1
            rate = RATE * (1 - (steps - 1) / (EPOCHS * batches))
            slope = gradient(weights, inputs[batch], rewards[batch]) + DECAY * weights
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            weights -= rate * (mean / (1 - 0.9**steps)) / (np.sqrt(square / (1 - 0.999**steps)) + 1e-8)
    inputs, rewards = as_arrays(held, players)
    chances = chances_of(weights, inputs)[0]
    loss = -np.mean(np.sum(rewards * np.log(chances + 1e-12), axis=1))
    return weights, float(loss), float(np.mean((chances - rewards) ** 2))


def chances_of(weights: Array, inputs: Array) -> tuple[Array, Array]:
    """As `FittedValue` computes them; and the hidden layer."""
    layer, thresholds, outputs, direct = parts(weights)
    hidden = np.maximum(inputs @ layer + thresholds, 0)
    merits = hidden @ outputs + inputs @ direct
    odds = np.exp(merits - merits.max(axis=1, keepdims=True))
    return odds / odds.sum(axis=1, keepdims=True), hidden


def gradient(weights: Array, inputs: Array, rewards: Array) -> Array:
    """Of the mean cross-entropy of the chances and the rewards."""
    outputs = parts(weights)[2]
    chances, hidden = chances_of(weights, inputs)
    off = (chances - rewards) / len(inputs)
    inner = off[:, :, None] * outputs * (hidden > 0)
    flat, seats = inputs.reshape(-1, INPUTS), off.reshape(-1)
    return np.concatenate(
        [
            (flat.T @ inner.reshape(-1, HIDDEN)).reshape(-1),
            inner.sum(axis=(0, 1)),
            hidden.reshape(-1, HIDDEN).T @ seats,
            flat.T @ seats,
        ]
    )


if __name__ == "__main__":
    main()

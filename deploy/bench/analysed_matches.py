"""Plays matches between bots and analyses them: a program of its own, which runs in either build of the engine.

The question is a JSON object on standard input, the answer one JSON object a match on standard output.
"""

import json
import sys
import time
from collections.abc import Iterator
from math import sqrt
from typing import Any

import engine
from engine.analysis.judges import METHODS, Budget, Method, budget_here
from engine.analysis.report import FINE, KINDS, NEAR, analyse, judged, kind_of
from engine.analysis.steps import Step, steps
from engine.bots import Budget as Thinking
from engine.bots import bot
from engine.bots.runner import bots_in_every_seat
from engine.kernel import Match
from engine.transcript import transcript

MISTAKE = 0.10
BLUNDER = 0.20


def main() -> None:
    asked = json.load(sys.stdin)
    method = METHODS[asked["game"]]
    for number in range(asked["matches"]):
        levels = [asked["levels"][(seat + number) % len(asked["levels"])] for seat in range(asked["players"])]
        match = played(asked["game"], levels, f"bench {number}", asked["options"])
        document = transcript(match)
        began = time.process_time()
        report = analyse(document)
        answer = {"levels": levels, "cpu": time.process_time() - began, "report": report}
        assert match.outcome is not None
        answer["winners"] = list(match.outcome.winners)
        if asked["again"]:
            answer["again"] = analyse(document, seed="2")
        if number < asked["planted"]:
            answer["planted"] = list(planted_turns(match, method) if asked["turns"] else planted_moves(match, method))
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


def played(game: str, levels: list[str], seed: str, options: dict[str, Any]) -> Match:
    """A match between levels such as `regular` and `expert@500`, which is Expert with 500 iterations a move."""
    match = engine.game(game).start(len(levels), seed, options)
    seats = []
    for level in levels:
        name, _, iterations = level.partition("@")
        seats.append((bot(game, name), Thinking(iterations=int(iterations or 1))))
    bots_in_every_seat(seats, seed).play_out(match)
    return match


def planted_moves(match: Match, method: Method) -> Iterator[bool]:
    """The worst answer of every choice where it loses a blunder's worth by other worlds: is it found as a mistake?"""
    _, budget = budget_here(method)
    for live, step in steps(match):
        worst, lost = worst_answer(live, step, method, budget)
        if lost >= BLUNDER:
            loss, error = loss_of(live, step, method, budget, worst)
            yield loss - error >= MISTAKE


def planted_turns(match: Match, method: Method) -> Iterator[bool]:
    """Every fourth turn played with the worst answers only, where that loses a mistake's worth: is it seen at all?"""
    _, budget = budget_here(method)
    before = -1
    for live, first in steps(match):
        if first.turn == before or first.aside:
            continue
        before = first.turn
        if first.turn % 4:
            continue
        trial = live.clone()
        turn, lost, loss, variance = trial.game.turn(trial.state), 0.0, 0.0, 0.0
        while trial.to_act == first.seat and trial.game.turn(trial.state) == turn:
            [action, *others] = trial.legal()
            if others:
                step = Step(trial.ply, first.turn, first.seat, "", action, False, False, trial.state.clone())
                worst, given = worst_answer(trial, step, method, budget)
                lost += given
                more, error = loss_of(trial, step, method, budget, worst)
                loss, variance = loss + more, variance + error**2
                action = trial.legal()[worst]
            trial.play(action)
        if lost >= MISTAKE:
            yield kind_of(loss - sqrt(variance)) != FINE


def worst_answer(live: Match, step: Step, method: Method, budget: Budget) -> tuple[int, float]:
    """Its place and what it gives away, by many worlds of their own."""
    many = Budget(budget.most_worlds, budget.most_worlds, 0)
    choice = None if step.aside else judged(live, step, method, many, "planted")
    if choice is None:
        return 0, 0.0
    places = range(len(choice.notations))
    worst = min(places, key=choice.table.mean)
    return worst, float(choice.table.largest_loss(worst))


def loss_of(live: Match, step: Step, method: Method, budget: Budget, place: int) -> tuple[float, float]:
    """The loss of an answer and its error, with more worlds near a threshold, as in a report."""
    choice = judged(live, step, method, budget, "1")
    assert choice is not None
    table = choice.table
    if any(abs(table.loss(place) - table.error(place) - least) < NEAR * table.error(place) for least, _ in KINDS):
        table.run(budget.most_worlds)
    return float(table.loss(place)), float(table.error(place))


if __name__ == "__main__":
    main()

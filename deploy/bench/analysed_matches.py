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
from engine.analysis.judge import Table
from engine.analysis.judges import METHODS, Budget, Method, budget_here
from engine.analysis.luck import Chances, chances_of
from engine.analysis.report import FINE, Choice, Curve, Turn, analyse, judged, shared, sides_of
from engine.analysis.steps import Step, steps
from engine.bots import Budget as Thinking
from engine.bots import Situation, bot
from engine.bots.runner import bots_in_every_seat
from engine.kernel import Match
from engine.rng import stream
from engine.transcript import transcript

INACCURACY = 0.05
MISTAKE = 0.10
BLUNDER = 0.20
PLANTED = Budget(worlds=128, most_worlds=1600, playouts=0)
"""Worlds to look for answers to plant, and to make sure of them; other worlds than those of the judge."""

EVERY_TURN = 4
"""Of a match, so many turns apart are planted."""

CLUB_PLAYERS = 40
"""Club players who are asked what they would have answered, each in another world."""

TENTHS = 10
"""Points of a match whose chances are compared with the result."""


def main() -> None:
    asked = json.load(sys.stdin)
    method = METHODS[asked["game"]]
    for number in asked["numbers"]:
        levels = [asked["levels"][(seat + number) % len(asked["levels"])] for seat in range(asked["players"])]
        match = played(asked["game"], levels, f"{asked['seed']} {number}", asked["options"])
        assert match.outcome is not None
        answer = {"levels": levels, "winners": list(match.outcome.winners)}
        if asked["part"] == "judged":
            answer |= reported(match, again=number < asked["again"])
            answer["against_club"] = against_club(match, method)
            if number < asked["again"]:
                answer["choices"] = list(choices_twice(match, method))
        elif asked["part"] == "planted":
            answer["found"] = list(planted_turns(match, method) if asked["turns"] else planted_moves(match, method))
        else:
            answer |= fortune(match, method, asked["playouts"], asked["at_tenths"])
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


def reported(match: Match, *, again: bool) -> dict[str, Any]:
    """The report, its time, and a second one with another seed."""
    document = transcript(match)
    began = time.process_time()
    answer = {"report": analyse(document), "cpu": time.process_time() - began}
    return answer | {"again": analyse(document, seed="2")} if again else answer


def choices_twice(match: Match, method: Method) -> Iterator[list[str]]:
    """The class of each single choice, as if it were a turn of its own, in a run and in a second one."""
    _, budget = budget_here(method)
    for live, step in steps(match):
        choices = [judged(live, step, method, budget, seed) for seed in ("1", "2")]
        turns = [Turn(step.turn, step.seat, [choice]) for choice in choices if choice is not None]
        for turn in turns:
            turn.judge_further(budget)
        if turns:
            yield [turn.kind for turn in turns]


def against_club(match: Match, method: Method) -> list[dict[str, float]]:
    """What each choice gained over what a club player would have answered, and its error.

    Luck and curve are those of club players, so this is what is left of a result. A token that is not played is not
    recorded: playing one is compared with leaving it.
    """
    _, budget = budget_here(method)
    assert method.worlds_of is not None
    future, gained = shared(method.future), []
    for live, step in steps(match):
        choice = judged(live, step, method, budget, "1")
        if choice is None:
            continue
        table = choice.table
        if step.aside:
            others = [len(choice.notations) - 1]
        else:
            sampler, rng = method.worlds_of(Situation(live, step.seat)), stream(str(step.ply), "club")
            worlds = [sampler.draw(rng) for _ in range(CLUB_PLAYERS)]
            others = [live.legal().index(int(future.policy.choose(world, rng, future.acts))) for world in worlds]
        gain = sum(float(table.mean(choice.played) - table.mean(place)) for place in others) / len(others)
        error = sum(gap_error(table, choice.played, place) for place in others) / len(others)
        gained.append({"seat": step.seat, "gain": gain, "error": error})
    return gained


def gap_error(table: Table, one: int, two: int) -> float:
    """The standard error of the difference between two answers; none between an answer and itself."""
    return sqrt(float(table.variance(0, one, two) + table.variance(1, one, two))) / 2


# -- planted


def planted_moves(match: Match, method: Method) -> Iterator[bool]:
    """The worst answer of every choice where it loses a blunder's worth by other worlds: is it found as a mistake?"""
    _, budget = budget_here(method)
    for live, step in steps(match):
        worst, lost = worst_answer(live, step, method, BLUNDER)
        if lost >= BLUNDER:
            turn = Turn(step.turn, step.seat, [judged_as(live, step, method, budget, worst)])
            turn.judge_further(budget)
            yield turn.loss - turn.error >= MISTAKE


def planted_turns(match: Match, method: Method) -> Iterator[bool]:
    """Some turns played with the worst answers only, where that loses a mistake's worth: is it seen at all?"""
    _, budget = budget_here(method)
    before = -1
    for live, first in steps(match):
        if first.turn == before or first.aside:
            continue
        before = first.turn
        if first.turn % EVERY_TURN:
            continue
        trial, lost, turn = live.clone(), 0.0, Turn(first.turn, first.seat)
        same = trial.game.turn(trial.state)
        while trial.to_act == first.seat and trial.game.turn(trial.state) == same:
            [action, *others] = trial.legal()
            if others:
                step = Step(trial.ply, first.turn, first.seat, "", action, False, False, trial.state.clone())
                worst, given = worst_answer(trial, step, method, INACCURACY)
                lost += given
                turn.choices.append(judged_as(trial, step, method, budget, worst))
                action = trial.legal()[worst]
            trial.play(action)
        if lost >= MISTAKE:
            turn.judge_further(budget)
            yield turn.kind != FINE


def worst_answer(live: Match, step: Step, method: Method, enough: float) -> tuple[int, float]:
    """Its place and what it gives away, by worlds of their own; many of them where it may be `enough`."""
    choice = None if step.aside else judged(live, step, method, PLANTED, "planted")
    if choice is None:
        return 0, 0.0
    table, places = choice.table, range(len(choice.notations))
    if max(float(table.largest_loss(place)) for place in places) >= 0.8 * enough:
        table.run(PLANTED.most_worlds)
    worst = min(places, key=table.mean)
    return worst, float(table.largest_loss(worst))


def judged_as(live: Match, step: Step, method: Method, budget: Budget, place: int) -> Choice:
    """The choice as a report judges it, had this answer been played."""
    choice = judged(live, step, method, budget, "1")
    assert choice is not None
    choice.played = place
    return choice


# -- luck and the curve


def fortune(match: Match, method: Method, playouts: int, at_tenths: int) -> dict[str, Any]:
    """The luck of each side, and its chances at some points of the match by so many playouts of their own."""
    _, budget = budget_here(method)
    sides = sides_of(match)
    seats = [side[0] for side in sides]
    began = time.process_time()
    curve = Curve(match, method, playouts or budget.playouts, seats, "1")
    states = []
    for _, step in steps(match):
        states.append(step.before)
        curve.add(step)
    curve.finish()
    cpu = time.process_time() - began
    chances = [point.chances for point in curve.points]
    if at_tenths:
        rng, future = stream("tenths", "bench"), shared(method.future)
        measured = []
        for number in range(TENTHS):
            state = states[number * len(states) // TENTHS]
            here = chances_of(state, future, rng, at_tenths, seats, -1, Chances(seats))
            measured.append([here.mean(place) for place in range(len(seats))])
        chances = measured
    return {
        "sides": sides,
        "cpu": cpu,
        "luck": [sum(point.luck[place] for point in curve.points) for place in range(len(seats))],
        "chances": [chances[number * len(chances) // TENTHS] for number in range(TENTHS)],
    }


if __name__ == "__main__":
    main()

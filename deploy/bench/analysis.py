"""Whether the analysis of finished matches can be trusted, and what it costs: measured on matches between bots.

Mixed tables of Rookie, Regular and Expert show whether losses rank players of known strength (the gate for an
accuracy), and whether a second run with another seed gives the same classes. Tables of equals show whether luck is
fair, how much of the result it explains, and whether the curve comes true. Each row has its 95 % interval.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import sqrt
from pathlib import Path
from statistics import fmean, pvariance, stdev
from typing import Any

from deploy.bench import Row, builds

Z95 = 1.96
PROGRAM = Path(__file__).with_name("analysed_matches.py")
TENTHS = 10
"""Points of each curve that are compared with the result."""


@dataclass(frozen=True)
class Plan:
    """What is measured of one game, and what is to be reached."""

    game: str
    players: int
    cpu: float
    # At the tables of equals, and how much of the luck is taken off a result: fixed from other matches.
    equals: tuple[str, ...]
    equal_players: int
    share: float
    factor: float
    # None where a game has no judge.
    expert: str | None = None
    same_class: float = 0.0
    same_among_others: float | None = None
    planted: float = 0.0
    whole_turns: bool = False
    # Levels are compared by the loss of a turn where weak players take more answers to a turn than strong ones.
    by_turn: bool = False
    options: dict[str, Any] = field(default_factory=dict)


PLANS = (
    Plan("infinity-gauntlet", 4, 1, ("expert@500", "regular"), 2, 0.65, 2.0, "expert@1000", 96, 75, 98),
    Plan(
        "thanos-rising", 3, 2, ("regular",), 3, 0.75, 1.8, "expert@200", 99, None, 95, whole_turns=True,
        options={"preset": "recruit"},
    ),
    Plan("splendor-marvel", 2, 10, ("regular",), 2, 0.85, 1.7, "expert@200", 95, None, 95, by_turn=True),
)  # fmt: skip


@dataclass(frozen=True)
class Size:
    mixed: int = 60
    # Of these, so many with planted blunders.
    planted: int = 30
    equals: int = 100


QUICK = Size(mixed=1, planted=1, equals=1)


def rows(*, quick: bool = False) -> Iterator[Row]:
    size = QUICK if quick else Size()
    folder = builds.compiled_folder()
    for plan in PLANS[:1] if quick else PLANS:
        if plan.expert is not None:
            yield from judge_rows(plan, analysed(folder, plan, size, mixed=True))
        yield from luck_rows(plan, analysed(folder, plan, size, mixed=False))


def analysed(folder: Path, plan: Plan, size: Size, *, mixed: bool) -> list[dict[str, Any]]:
    """Matches of one game with their reports, by the compiled engine."""
    question = {
        "game": plan.game,
        "players": plan.players if mixed else plan.equal_players,
        "levels": ["rookie", "regular", plan.expert] if mixed else plan.equals,
        "matches": size.mixed if mixed else size.equals,
        "options": plan.options,
        "again": mixed,
        "planted": size.planted if mixed else 0,
        "turns": plan.whole_turns,
    }
    command = [sys.executable, "-P", "-c", PROGRAM.read_text()]
    env = os.environ | {"PYTHONPATH": str(folder)}
    asked = json.dumps(question)
    done = subprocess.run(command, input=asked, env=env, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()]


# -- what moves gave away


def judge_rows(plan: Plan, matches: list[dict[str, Any]]) -> Iterator[Row]:
    name = plan.game
    yield Row(
        f"{name}, {plan.players} seats: CPU a match", fmean(match["cpu"] for match in matches), "s", plan.cpu,
        f"{len(matches)} matches", lower_is_better=True,
    )  # fmt: skip
    kinds = [pair for match in matches for pair in kinds_of_turns(match)]
    yield share_row(f"{name}: same class in a second run", [one == two for one, two in kinds], plan.same_class)
    if plan.same_among_others is not None:
        others = [one == two for one, two in kinds if {one, two} != {"fine"}]
        yield share_row(f"{name}: the same, of those not fine", others, plan.same_among_others)
    what = "planted turns seen" if plan.whole_turns else "planted blunders found as mistakes"
    found = [found for match in matches for found in match.get("planted", [])]
    yield share_row(f"{name}: {what}", found, plan.planted)
    unit = "turn" if plan.by_turn else "choice"
    for weaker, stronger in (("rookie", "regular"), ("regular", str(plan.expert))):
        gaps = [
            mean_loss(match, weaker, by_turn=plan.by_turn) - mean_loss(match, stronger, by_turn=plan.by_turn)
            for match in matches
            if {weaker, stronger} <= set(match["levels"])
        ]
        error = error_of(gaps)
        yield Row(
            f"{name}: {weaker} loses more than {stronger}", fmean(gaps) / error if error else 0.0, "s.e.", 2,
            f"{100 * fmean(gaps):.2f} ± {100 * Z95 * error:.2f} points a {unit}, {len(gaps)} matches",
        )  # fmt: skip
    slope, error = balance(matches)
    yield Row(
        f"{name}: losses and luck explain the result, slope off 1 by", abs(slope - 1), "", 0.2,
        f"slope {slope:.2f} ± {Z95 * error:.2f}", lower_is_better=True,
    )  # fmt: skip


def kinds_of_turns(match: dict[str, Any]) -> list[tuple[str, str]]:
    """The class of each turn in both runs."""
    one, two = (
        {(turn["turn"], turn["seat"]): turn["kind"] for turn in match[which]["turns"]} for which in ("report", "again")
    )
    return [(kind, two[turn]) for turn, kind in one.items()]


def mean_loss(match: dict[str, Any], level: str, *, by_turn: bool) -> float:
    """What a level gave away in a match, for each choice or each turn."""
    seats = {seat for seat, played in enumerate(match["levels"]) if played == level}
    report = match["report"]
    losses = [turn["loss"] for turn in report["turns"] if turn["seat"] in seats]
    choices = sum(seat["choices"] for seat in report["seats"] if seat["seat"] in seats)
    count = len(losses) if by_turn else choices
    return float(sum(losses) / count) if count else 0.0


def balance(matches: list[dict[str, Any]]) -> tuple[float, float]:
    """The slope of the first side's result less its luck on what the others gave away more than it, and its error."""
    points = []
    for match in matches:
        report = match["report"]
        side = report["sides"][0]
        lost = [
            sum(turn["loss"] for turn in report["turns"] if (turn["seat"] in side["seats"]) == own)
            for own in (True, False)
        ]
        points.append((lost[1] - lost[0], result_of(match) - side["start"] - side["luck"]))
    squares = sum(x * x for x, _ in points)
    slope = sum(x * y for x, y in points) / squares if squares else 0.0
    error = sqrt(sum((x * (y - slope * x)) ** 2 for x, y in points)) / squares if squares else 0.0
    return slope, error


# -- luck and the curve


def luck_rows(plan: Plan, matches: list[dict[str, Any]]) -> Iterator[Row]:
    name = f"{plan.game}, {plan.equal_players} seats, {' v '.join(plan.equals)}"
    if plan.expert is None:
        cpu = fmean(match["cpu"] for match in matches)
        yield Row(f"{name}: CPU a match", cpu, "s", plan.cpu, f"{len(matches)} matches", lower_is_better=True)
    luck = [match["report"]["sides"][0]["luck"] for match in matches]
    error = error_of(luck)
    yield Row(
        f"{name}: mean luck, from 0", abs(fmean(luck)) / error if error else 0.0, "s.e.", 2,
        f"{100 * fmean(luck):.1f} ± {100 * Z95 * error:.1f} points, {len(luck)} matches", lower_is_better=True,
    )  # fmt: skip
    raw = pvariance([result_of(match) for match in matches])
    rest = pvariance([result_of(match) - plan.share * lucky for match, lucky in zip(matches, luck, strict=True)])
    yield Row(f"{name}: variance, raw ÷ without luck", raw / rest if rest else 0.0, "times", plan.factor)
    gap, points = mean_gap(matches)
    yield Row(f"{name}: curve off by, mean over tenths", gap, "points", 2.5, f"{points} points", lower_is_better=True)


def mean_gap(matches: Sequence[dict[str, Any]]) -> tuple[float, int]:
    """How far the curve is from what came true, by tenth of the chance, weighted by how often it is there."""
    tenths: dict[int, list[tuple[float, float]]] = {}
    for match in matches:
        curve = match["report"]["curve"]
        for number in range(TENTHS):
            chance = curve[number * len(curve) // TENTHS]["chances"][0]
            tenths.setdefault(min(9, int(10 * chance)), []).append((chance, result_of(match)))
    count = sum(map(len, tenths.values()))
    gaps = [abs(sum(chance - came for chance, came in points)) for points in tenths.values()]
    return 100 * sum(gaps) / count, count


def result_of(match: dict[str, Any]) -> float:
    """1 if the first side has won."""
    return float(match["report"]["sides"][0]["seats"][0] in match["winners"])


def error_of(values: Sequence[float]) -> float:
    """The standard error of the mean."""
    return stdev(values) / sqrt(len(values)) if len(values) > 1 else 0.0


def share_row(what: str, seen: Sequence[bool], target: float) -> Row:
    """A share in percent with its Wilson interval."""
    count = max(1, len(seen))
    share = sum(seen) / count
    middle, spread = share + Z95**2 / (2 * count), Z95 * sqrt(share * (1 - share) / count + (Z95 / (2 * count)) ** 2)
    low, high = ((middle + sign * spread) / (1 + Z95**2 / count) for sign in (-1, 1))
    return Row(what, 100 * share, "%", target, f"{100 * low:.1f} to {100 * high:.1f}, {len(seen)} seen")

"""Whether the analysis of finished matches can be trusted, and what it costs: measured on matches between bots.

Mixed tables of Rookie, Regular and Expert show whether losses rank players of known strength (the gate for an
accuracy), and whether a second run with another seed gives the same classes. Tables of two levels show whether luck is
fair, how much of the result it explains, and whether the curve comes true. At last, the puzzles that matches give. Each
row has its 95 % interval.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any

from deploy.bench import Row, builds, puzzle_yield
from deploy.bench.engine import simulated
from deploy.bench.intervals import Z95, Matches, cpu_row, error_of, on_all_cores, share_row, with_interval
from engine.analysis import METHODS

PROGRAM = Path(__file__).with_name("analysed_matches.py")

FEW_PLAYOUTS = 8
"""Luck is 0 on average with any number of playouts: few make many matches affordable."""


@dataclass(frozen=True)
class Size:
    """Matches of each kind; `again` of the mixed ones are analysed twice."""

    mixed: int = 60
    again: int = 20
    planted: int = 20
    paired: int = 80
    many: int = 200
    # Playouts for each point of the curve that is compared with the result.
    at_tenths: int = 60


@dataclass(frozen=True)
class Plan:
    """What is measured of one game, and what is to be reached."""

    game: str
    # At the mixed tables: how many seats, the strongest level, CPU seconds a match and shares in percent to reach.
    players: int
    expert: str
    cpu: float
    same_class: float
    planted: float
    # At the tables of two: how many seats, who plays, and how much of the luck is taken off a result. That share is
    # fixed from other matches than those measured here.
    paired: int
    levels: tuple[str, ...]
    share: float
    factor: float
    same_among_others: float | None = None
    whole_turns: bool = False
    # Levels are compared by the loss of a turn where weak players take more answers to a turn than strong ones.
    by_turn: bool = False
    size: Size = Size()
    options: dict[str, Any] = field(default_factory=dict)


PLANS = (
    Plan("infinity-gauntlet", 4, "expert@1000", 1, 96, 98, 2, ("expert@500", "regular"), 0.65, 2.0, 75),
    Plan(
        "thanos-rising", 3, "expert@200", 2, 99, 95, 3, ("regular",), 0.75, 1.8,
        whole_turns=True, options={"preset": "recruit"},
    ),
    # A match of Splendor takes ten times as long as one of the others.
    Plan(
        "splendor-marvel", 2, "expert@200", 10, 95, 95, 2, ("regular",), 0.85, 1.7,
        by_turn=True, size=Size(again=10, planted=8, paired=24, many=60),
    ),
)  # fmt: skip


QUICK = Size(mixed=1, again=1, planted=1, paired=1, many=1, at_tenths=1)


def rows(*, quick: bool = False) -> Iterator[Row]:
    folder = builds.compiled_folder()
    for plan in PLANS[:1] if quick else PLANS:
        size = QUICK if quick else plan.size
        pace = f"{simulated(folder, plan.game, plan.players, 50 if quick else 5_000)['games_per_second']:,.0f}"
        if METHODS[plan.game].worlds_of is not None:
            yield from judge_rows(plan, analysed(folder, plan, size, "judged"), pace)
            yield planted_row(plan, analysed(folder, plan, size, "planted"))
        yield from luck_rows(plan, analysed(folder, plan, size, "paired"), pace)
        yield from curve_rows(plan, analysed(folder, plan, size, "many"))
    yield from puzzle_yield.rows(folder, quick=quick)


def analysed(folder: Path, plan: Plan, size: Size, part: str) -> Matches:
    """Matches of one game with what is known of them, by the compiled engine on all cores."""
    mixed = part in ("judged", "planted")
    question = {
        "game": plan.game,
        "part": part,
        "seed": f"bench {part}",
        "players": plan.players if mixed else plan.paired,
        "levels": ["rookie", "regular", plan.expert] if mixed else plan.levels if part == "paired" else ["regular"],
        "options": plan.options,
        "again": size.again,
        "turns": plan.whole_turns,
        "playouts": FEW_PLAYOUTS if part == "many" else 0,
        "at_tenths": size.at_tenths if part == "many" else 0,
    }
    count = {"judged": size.mixed, "planted": size.planted, "paired": size.paired, "many": size.many}[part]
    return on_all_cores(PROGRAM, folder, question, count)


# -- what moves gave away


def judge_rows(plan: Plan, matches: Matches, pace: str) -> Iterator[Row]:
    name = plan.game
    yield cpu_row(f"{name}, {plan.players} seats", matches, plan.cpu, pace)
    kinds = [pair for match in matches if "again" in match for pair in kinds_of_turns(match)]
    choices = [pair for match in matches for pair in match.get("choices", [])]
    for of, pairs in (("choice", choices), ("turn", kinds)):
        alike = [one == two for one, two in pairs]
        yield share_row(f"{name}: same class of a {of} in a second run", alike, plan.same_class)
        others = [one == two for one, two in pairs if {one, two} != {"fine"}]
        yield share_row(f"{name}: the same, of {of}s not fine", others, plan.same_among_others)
    unit = "turn" if plan.by_turn else "choice"
    for weaker, stronger in (("rookie", "regular"), ("regular", plan.expert)):
        gaps = [
            mean_loss(match, weaker, by_turn=plan.by_turn) - mean_loss(match, stronger, by_turn=plan.by_turn)
            for match in matches
            if {weaker, stronger} <= set(match["levels"])
        ]
        mean, error = fmean(gaps) if gaps else 0.0, error_of(gaps)
        yield Row(
            f"{name}: {weaker} loses more than {stronger}", mean / error if error else 0.0, "s.e.", 2,
            f"{100 * mean:.2f} ± {100 * Z95 * error:.2f} points a {unit}, {len(gaps)} matches",
        )  # fmt: skip
    for what, gained in (("losses", by_losses), ("gains over club players", over_club_players)):
        low, slope, high = with_interval(partial(balance, gained=gained), matches)
        yield Row(
            f"{name}: {what} and luck explain the result, slope off 1 by", abs(slope - 1), "", 0.2,
            f"slope {slope:.2f}, {low:.2f} to {high:.2f}, {len(matches)} matches", lower_is_better=True,
        )  # fmt: skip


def planted_row(plan: Plan, matches: Matches) -> Row:
    what = "planted turns seen" if plan.whole_turns else "planted blunders found as mistakes"
    found = [found for match in matches for found in match["found"]]
    return share_row(f"{plan.game}: {what}", found, plan.planted)


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


Gained = Callable[[dict[str, Any]], list[tuple[int, float, float]]]
"""Of a match: who decided, what it gained, and the error of that."""


def by_losses(match: dict[str, Any]) -> list[tuple[int, float, float]]:
    return [(turn["seat"], -turn["loss"], turn["error"]) for turn in match["report"]["turns"]]


def over_club_players(match: dict[str, Any]) -> list[tuple[int, float, float]]:
    return [(choice["seat"], choice["gain"], choice["error"]) for choice in match["against_club"]]


def balance(matches: Sequence[dict[str, Any]], gained: Gained) -> float:
    """The slope of the first side's result less its luck on what it gained and the others did not.

    A slope about the means, not through 0: the curve is that of club players, who give away something too. The error of
    what was gained is taken off its variance, since noise in it would flatten the slope.
    """
    gains, came, noise = [], [], 0.0
    for match in matches:
        side = match["report"]["sides"][0]
        choices = gained(match)
        gains.append(sum(gain if seat in side["seats"] else -gain for seat, gain, _ in choices))
        came.append(float(side["seats"][0] in match["winners"]) - side["start"] - side["luck"])
        noise += sum(error**2 for *_, error in choices)
    x, y = fmean(gains), fmean(came)
    squares = sum((each - x) ** 2 for each in gains) - noise
    return sum((one - x) * (two - y) for one, two in zip(gains, came, strict=True)) / squares if squares > 0 else 0.0


# -- luck and the curve


def luck_rows(plan: Plan, matches: Matches, pace: str) -> Iterator[Row]:
    name = f"{plan.game}, {plan.paired} seats, {' v '.join(plan.levels)}"
    yield mean_luck_row(name, matches)
    low, factor, high = with_interval(lambda some: variance_factor(some, plan.share), matches)
    yield Row(
        f"{name}: variance, raw ÷ without luck", factor, "times", plan.factor,
        f"{low:.2f} to {high:.2f}, {plan.share:g} of the luck taken off, {len(matches)} matches",
    )  # fmt: skip
    yield cpu_row(f"{name}, luck and curve", matches, None, pace)


def curve_rows(plan: Plan, matches: Matches) -> Iterator[Row]:
    name = f"{plan.game}, {plan.paired} seats, regular"
    yield mean_luck_row(name, matches)
    low, gap, high = with_interval(mean_gap, matches)
    yield Row(
        f"{name}: curve off by, mean over tenths", gap, "points", 2.5,
        f"{low:.1f} to {high:.1f}, {len(matches)} matches", lower_is_better=True,
    )  # fmt: skip


def mean_luck_row(name: str, matches: Matches) -> Row:
    luck = [match["luck"][0] for match in matches]
    error = error_of(luck)
    return Row(
        f"{name}: mean luck, from 0", abs(fmean(luck)) / error if error else 0.0, "s.e.", 2,
        f"{100 * fmean(luck):.1f} ± {100 * Z95 * error:.1f} points, {len(luck)} matches", lower_is_better=True,
    )  # fmt: skip


def variance_factor(matches: Sequence[dict[str, Any]], share: float) -> float:
    """How much smaller a result's variance is without this share of the luck, among matches with the same seats."""
    tables: dict[str, list[tuple[float, float]]] = {}
    for match in matches:
        won = result_of(match)
        tables.setdefault(str(match["levels"]), []).append((won, won - share * match["luck"][0]))
    raw, rest = (
        sum((pair[column] - fmean(each[column] for each in pairs)) ** 2 for pairs in tables.values() for pair in pairs)
        for column in (0, 1)
    )
    return raw / rest if rest else 0.0


def mean_gap(matches: Sequence[dict[str, Any]]) -> float:
    """How far the curve is from what came true, by tenth of the chance, weighted by how often it is there."""
    tenths: dict[int, list[float]] = {}
    for match in matches:
        for chance, *_ in match["chances"]:
            tenths.setdefault(min(9, int(10 * chance)), []).append(chance - result_of(match))
    return 100 * sum(abs(sum(gaps)) for gaps in tenths.values()) / sum(map(len, tenths.values()))


def result_of(match: dict[str, Any]) -> float:
    """1 if the first side has won."""
    return float(match["sides"][0][0] in match["winners"])

"""The arena: for a fixed time, players who wait are paired; wins in a row count double.

Times are whole seconds passed in by the caller; there is no clock here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

from leagues.formats.lots import lot
from leagues.formats.matching import least_cost
from leagues.formats.reasons import Reason, reason

TOP_WEIGHT, BOTTOM_WEIGHT = 2000, 300
"""The cost of one place of difference at the top and at the bottom, in rating points."""
STREAK = 2


@dataclass(frozen=True)
class Rules:
    """Nobody meets the same opponent twice running, unless one of them has waited `patience` seconds."""

    patience: int = 30


@dataclass(frozen=True, slots=True)
class Waiting:
    """A player who waits: since when, their place in the arena, their rating, and their last opponent."""

    entrant: int
    since: int
    place: int
    rating: int
    last: int | None = None


@dataclass(frozen=True, slots=True)
class Pair:
    """A pair of players, the better placed first."""

    first: int
    second: int
    reason: Reason


@dataclass(frozen=True, slots=True)
class Pairs:
    pairs: tuple[Pair, ...]
    waiting: tuple[Reason, ...]


def pair(waiting: Sequence[Waiting], now: int, *, field_size: int, seed: str = "", rules: Rules = Rules()) -> Pairs:  # noqa: B008
    """As many pairs as possible, longest waiting first, then nearest in place and rating; the others get a reason."""
    nodes = sorted(waiting, key=lambda each: (each.place, each.rating, lot(seed, each.entrant)))
    # The one who has waited longest must not be the one left over, however well the others match.
    heavy = (TOP_WEIGHT * (field_size + 1) + 10_000) * (len(nodes) + 1)
    turn = {each.entrant: at for at, each in enumerate(sorted(nodes, key=lambda each: (-each.since, each.entrant)), 1)}
    edges = [
        (a, b, cost(one, other, field_size) - heavy * (turn[one.entrant] + turn[other.entrant]))
        for a, one in enumerate(nodes)
        for b, other in enumerate(nodes[a + 1 :], a + 1)
        if not just_met(one, other) or max(now - one.since, now - other.since) >= rules.patience
    ]
    matched = [(nodes[a], nodes[b]) for a, b in least_cost(len(nodes), edges)]
    paired = {each.entrant for pair_ in matched for each in pair_}
    left = [each for each in nodes if each.entrant not in paired]
    return Pairs(
        tuple(Pair(one.entrant, other.entrant, _why(one, other, now)) for one, other in matched),
        tuple(_waits(each, left, len(nodes), now, rules) for each in left),
    )


def just_met(one: Waiting, other: Waiting) -> bool:
    return other.entrant == one.last or one.entrant == other.last


def cost(one: Waiting, other: Waiting, field_size: int) -> int:
    """Difference in place, weighing more at the top, plus difference in rating."""
    better = min(one.place, other.place)
    weight = BOTTOM_WEIGHT + (TOP_WEIGHT - BOTTOM_WEIGHT) * (field_size - better) // max(1, field_size - 1)
    return abs(one.place - other.place) * weight + abs(one.rating - other.rating)


def _why(one: Waiting, other: Waiting, now: int) -> Reason:
    if just_met(one, other):
        longest = min(one, other, key=lambda each: each.since)
        return reason("arena.again", entrant=longest.entrant, waited=now - longest.since)
    return reason("arena.pair", first=one.place, second=other.place, gap=abs(one.rating - other.rating))


def _waits(each: Waiting, left: Sequence[Waiting], count: int, now: int, rules: Rules) -> Reason:
    if count == 1:
        return reason("arena.alone", entrant=each.entrant)
    if len(left) == 1:
        return reason("arena.odd", entrant=each.entrant)
    patient = rules.patience - (now - min(other.since for other in left))
    return reason("arena.rested", entrant=each.entrant, left=patient)


class Outcome(IntEnum):
    LOSS = 0
    DRAW = 1
    WIN = 2


@dataclass(frozen=True, slots=True)
class Scored:
    """What one game gave: 2 for a win, 1 for a draw, doubled while the streak lasts."""

    points: int
    doubled: bool


def scores(outcomes: Sequence[Outcome]) -> tuple[Scored, ...]:
    """After two wins in a row every game counts double, up to and including the one that is not won."""
    scored, streak = [], 0
    for outcome in outcomes:
        doubled = streak >= STREAK
        scored.append(Scored(int(outcome) * (2 if doubled else 1), doubled))
        streak = streak + 1 if outcome is Outcome.WIN else 0
    return tuple(scored)


def ranking(outcomes: Mapping[int, Sequence[Outcome]], seed: str = "") -> tuple[tuple[int, int], ...]:
    """(entrant, points), best first; level ones by fewer games, then by lot."""
    totals = {who: sum(each.points for each in scores(games)) for who, games in outcomes.items()}
    order = sorted(totals, key=lambda who: (-totals[who], len(outcomes[who]), lot(seed, "arena", who)))
    return tuple((who, totals[who]) for who in order)

"""Pairing and standings with many entrants, next to a peer or a target, in CPU milliseconds of this run."""

import gc
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import TypeVar

from deploy.bench import Row, optimum, py4swiss_peer
from leagues.formats import one_vs_many, swiss, table_swiss
from leagues.formats.score_table import ScoreTable
from leagues.formats.standings import standings
from leagues.formats.tiebreaks.registry import parse
from leagues.formats.values import Entrant, History, Place, Round, TableState

MIDWAY = 5
"""Rounds played before the one that is measured."""
PLAN = table_swiss.Plan(4, 3)
TWO_SEATS = ("head-to-head", "buchholz-cut-1", "buchholz", "sonneborn-berger")
FOUR_SEATS = ("firsts", "buchholz-cut-1", "mean-share", "margin")

SMALL = (6, 11, 18, 24, 37, 48, 60)
TIMED_ROUNDS = (2, 4, 7, 12)
"""Numbers of entrants at tables of three to six, and the rounds of each whose draw is timed."""
PROVED = (
    (9, 3, 4), (12, 3, 6), (12, 4, 5), (15, 3, 5), (15, 5, 2), (16, 4, 4), (16, 4, 5), (17, 4, 4), (18, 3, 3),
    (18, 3, 7), (20, 4, 4), (20, 4, 5), (21, 3, 5), (22, 4, 4), (22, 4, 5), (23, 4, 3), (24, 3, 5), (24, 3, 7),
    (24, 4, 4), (24, 4, 5),
)  # fmt: skip
"""Players, seats and round of events for which CP-SAT proves the best tables in seconds."""

T = TypeVar("T")


def rows(*, quick: bool = False) -> Iterator[Row]:
    """All rows. The peer takes minutes for 2 000 entrants. Quick rows only show that every part runs."""
    some, many, rounds = (20, 40, 4) if quick else (500, 2000, 9)
    yield two_seat_swiss(some, target=500)
    yield two_seat_swiss(many, target=2500)
    yield from table_swiss_rows(many, target=500)
    fields = SMALL[:2] if quick else SMALL
    yield small_field_row("table Swiss", table_swiss.draw, fields)
    yield small_field_row("one against many", partial(one_vs_many.draw, solo="one", team="many"), fields)
    yield from optimum_rows(PROVED[:2] if quick else PROVED)
    yield standings_row(many, rounds, swiss.draw, TWO_SEATS, "two seats", target=300)
    yield standings_row(many, rounds, draw_tables, FOUR_SEATS, "four seats", target=300)


def draw_tables(history: History) -> Round:
    return table_swiss.draw(history, PLAN)


def two_seat_swiss(count: int, *, target: float) -> Row:
    """One round in the middle of an event, drawn by us and by py4swiss from the same history."""
    history = event(count, MIDWAY, swiss.draw)
    spent, drawn = timed(lambda: swiss.draw(history))
    expect_no_repeat(history, drawn)
    trf = py4swiss_peer.to_trf(history)
    peer, _ = timed(lambda: py4swiss_peer.draw(trf), once=True)
    what = f"two-seat Swiss, {count} entrants, one round"
    return Row(what, spent, "CPU-ms", target, "py4swiss", peer, lower_is_better=True)


def table_swiss_rows(count: int, *, target: float) -> Iterator[Row]:
    """Time and repeats of one round; the peer only cuts the standings into tables."""
    history = event(count, MIDWAY, draw_tables)
    spent, drawn = timed(lambda: draw_tables(history))
    naive_spent, naive = timed(lambda: cut(history))
    name = f"table Swiss, four seats, {count} entrants"
    peer = "cutting the standings"
    yield Row(f"{name}, one round", spent, "CPU-ms", target, peer, naive_spent, lower_is_better=True)
    ours, theirs = repeats(history, [table.entrants for table in drawn.tables]), repeats(history, naive)
    yield Row(f"{name}, meetings repeated", ours, "pairs", 0, peer, theirs, lower_is_better=True)


def small_field_row(name: str, draw: Callable[..., Round], fields: Sequence[int]) -> Row:
    """The slowest draw of all small events, each timed once: a slow one would be slow every time."""
    slowest, where = 0.0, ""
    for count in fields:
        for seats in range(3, 7):
            plan = table_swiss.Plan(seats, seats - 1)
            for number in TIMED_ROUNDS:
                history = event(count, number - 1, partial(draw, plan=plan, quick=True))
                spent, _ = timed(partial(draw, history, plan), once=True)
                if spent > slowest:
                    slowest, where = spent, f"{count} at {seats} in round {number}"
    what = f"{name}, {fields[0]} to {fields[-1]} people at 3 to 6 seats, slowest draw of rounds 2 to 12 ({where})"
    return Row(what, slowest, "CPU-ms", 500, lower_is_better=True)


def optimum_rows(fields: Sequence[tuple[int, int, int]]) -> Iterator[Row]:
    """How far draws are from the best possible ones."""
    extra_repeats = 0
    ratios = []
    for count, seats, number in fields:
        plan = table_swiss.Plan(seats, seats - 1)
        history = event(count, number - 1, partial(table_swiss.draw, plan=plan, quick=True))
        groups = optimum.drawn_groups(table_swiss.draw(history, plan))
        known = optimum.Event(history, ScoreTable(history))
        best = optimum.min_cost(known, groups)
        if best is None:
            raise AssertionError(f"the best tables for {count} at {seats} in round {number} were not proved")
        repeats, gaps = known.cost(groups)
        extra_repeats += repeats - best[0]
        if repeats == best[0]:
            ratios.append(gaps / best[1] if best[1] else 1.0 + gaps)
    name = f"table Swiss, {len(fields)} fields of 9 to 24 compared with the proved optimum"
    yield Row(f"{name}: extra repeats", extra_repeats, "squared", 0, lower_is_better=True)
    yield Row(f"{name}: squared gaps, mean", sum(ratios) / len(ratios), "times", 1.1, lower_is_better=True)
    yield Row(f"{name}: squared gaps, worst", max(ratios), "times", 1.3, lower_is_better=True)


def standings_row(
    count: int, rounds: int, draw: Callable[[History], Round], codes: tuple[str, ...], seats: str, *, target: float
) -> Row:
    """From the history to the explained standings with four tie-breaks."""
    history = event(count, rounds, draw)
    parts = parse(codes)
    spent, _ = timed(lambda: standings(ScoreTable(history), parts))
    name = f"standings, {seats}, four tie-breaks, {count} entrants x {rounds} rounds"
    return Row(name, spent, "CPU-ms", target, lower_is_better=True)


def event(count: int, rounds: int, draw: Callable[[History], Round]) -> History:
    """An event so far with random results, the same every time."""
    rng = random.Random(count)
    history = History("bench", tuple(Entrant(number, number) for number in range(1, count + 1)), planned=rounds)
    for _ in range(rounds):
        history = replace(history, rounds=(*history.rounds, play(draw(history), rng)))
    return history


def play(drawn: Round, rng: random.Random) -> Round:
    tables = []
    for table in drawn.tables:
        scores = [rng.randrange(5, 25) for _ in table.seats]
        places = tuple(Place(1 + sum(other > score for other in scores), score) for score in scores)
        tables.append(replace(table, state=TableState.CONFIRMED, places=places))
    return replace(drawn, tables=tuple(tables))


def cut(history: History) -> list[tuple[int, ...]]:
    field = ScoreTable(history)
    order = field.order(field.entrants)
    return [tuple(order[at : at + PLAN.seats]) for at in range(0, len(order), PLAN.seats)]


def repeats(history: History, tables: list[tuple[int, ...]]) -> int:
    met = ScoreTable(history).company.met
    return sum(other in met[who] for table in tables for who, other in combinations(table, 2))


def expect_no_repeat(history: History, drawn: Round) -> None:
    if repeats(history, [table.entrants for table in drawn.tables]):
        raise AssertionError("the draw repeats a meeting; its time means nothing")


def timed(work: Callable[[], T], *, once: bool = False) -> tuple[float, T]:
    """The shortest CPU time of three runs in milliseconds, and the result of the work."""
    best = float("inf")
    for _ in range(1 if once else 3):
        gc.collect()
        start = time.process_time()
        result = work()
        best = min(best, time.process_time() - start)
    return 1000 * best, result

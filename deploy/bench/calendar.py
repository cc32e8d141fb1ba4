"""A whole season placed on its nights, compared with first fit on the same season in the same run.

64 players meet in ten rounds, on ten nights with twelve boards. Everybody is away on two nights out of ten, and every
fifth has to leave before the last slot. The solver counts its own steps, so its plan is the same on every machine;
what differs is the time it takes.
"""

import random
import time
from collections.abc import Iterator

from deploy.bench import Row
from leagues.placement.solver.greedy import first_fit
from leagues.placement.solver.problem import PlacementProblem
from leagues.placement.solver.solve import solve
from leagues.placement.solver.values import Absence, Problem, Slot, Table

PLAYERS, NIGHTS, SLOTS, BOARDS, ROUNDS = 64, 10, 3, 12, 10
WEEK, SLOT_INTERVAL, LENGTH = 7 * 24 * 60, 90, 80
SECONDS = 30.0
TIMEOUT = 600.0
"""Wall-clock seconds. Long, for a busy machine: what is measured is the CPU time of its one thread."""
PEER = "first fit"


def rows(*, quick: bool = False) -> Iterator[Row]:
    players, boards = (4, 2) if quick else (PLAYERS, BOARDS)
    for seats in (2, 4):
        yield from placed(seats, players, boards)


def placed(seats: int, players: int, boards: int) -> Iterator[Row]:
    problem = season(seats, slots=SLOTS, players=players, boards=boards)
    prepared = PlacementProblem(problem)
    start = time.process_time()
    plain = prepared.measure(first_fit(prepared))
    quick = time.process_time() - start
    start = time.process_time()
    solution = solve(problem, clock=TIMEOUT)
    spent = time.process_time() - start
    count = len(problem.tables)
    name = f"season of {players}, {NIGHTS} nights, {boards} boards, {count} tables of {seats}"
    yield Row(f"{name}: placed", spent, "CPU-s", SECONDS, PEER, quick, lower_is_better=True)
    left, plainly_left = count - solution.measure.placed, count - plain.placed
    yield Row(f"{name}: unplaced", left, "tables", plainly_left, PEER, plainly_left, lower_is_better=True)
    waited, plainly_waited = solution.measure.waiting / 60, plain.waiting / 60
    yield Row(f"{name}: waiting", waited, "hours", plainly_waited, PEER, plainly_waited, lower_is_better=True)
    wrong, plainly_wrong = solution.measure.out_of_order, plain.out_of_order
    yield Row(f"{name}: out of order", wrong, "rounds", None, PEER, plainly_wrong, lower_is_better=True)


def season(seats: int, *, slots: int, players: int = PLAYERS, nights: int = NIGHTS, boards: int = BOARDS) -> Problem:
    """A season; the same every time."""
    rng = random.Random(players)
    evening = [
        Slot(
            night * slots + at + 1,
            night + 1,
            night * WEEK + at * SLOT_INTERVAL,
            night * WEEK + at * SLOT_INTERVAL + LENGTH,
            tuple(range(1, boards + 1)),
        )
        for night in range(nights)
        for at in range(slots)
    ]
    absences = []
    for person in range(1, players + 1):
        away = rng.sample(range(1, nights + 1), nights // 5)
        leaves = rng.random() < 0.2
        last = {slots * night for night in range(1, nights + 1)} if leaves else set()
        absences += [Absence(person, slot.id) for slot in evening if slot.night in away or slot.id in last]
    return Problem(tuple(evening), tuple(meetings(seats, players, rng)), tuple(absences))


def meetings(seats: int, players: int, rng: random.Random) -> Iterator[Table]:
    """Tables of two by the circle method, larger ones at random."""
    people = list(range(1, players + 1))
    number = 0
    for round_ in range(1, ROUNDS + 1):
        if seats == 2:
            people[1:] = people[2:] + people[1:2]
            groups: list[tuple[int, ...]] = list(zip(people[: players // 2], reversed(people[players // 2 :])))
        else:
            rng.shuffle(people)
            groups = [tuple(people[at : at + seats]) for at in range(0, players, seats)]
        for group in groups:
            number += 1
            yield Table(number, tuple(sorted(group)), line=1, round=round_)

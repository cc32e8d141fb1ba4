"""Placing tables, on plain values: what every plan guarantees, and small cases compared with brute force."""

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import combinations, product

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from leagues.placement.solver import advice, reason_templates
from leagues.placement.solver.greedy import first_fit
from leagues.placement.solver.problem import PlacementProblem, overlap
from leagues.placement.solver.solve import rank, solve
from leagues.placement.solver.values import (
    GOALS,
    Absence,
    Placed,
    Problem,
    Slot,
    Solution,
    Table,
    problem_from_json,
    solution_from_json,
    to_json,
)

QUICK = settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
DAY = 24 * 60


@st.composite
def problems(draw, nights: int = 3, tables: int = 6, people: int = 6) -> Problem:
    """Nights of one to three slots, two venues at once now and then, some tables locked, some people away."""
    slots: list[Slot] = []
    for night in range(1, draw(st.integers(1, nights)) + 1):
        begins = draw(st.sampled_from([night * DAY, night * DAY, DAY]))
        for at in range(draw(st.integers(1, 3))):
            boards = tuple(range(1, draw(st.integers(1, 2)) + 1))
            slots.append(Slot(len(slots) + 1, night, begins + at * 60, begins + at * 60 + 50, boards))
    placed_tables = [
        Table(
            number,
            tuple(sorted(draw(st.sets(st.integers(1, people), min_size=2, max_size=3)))),
            line=1,
            round=draw(st.integers(1, 3)),
            latest=draw(st.sampled_from([None, None, None, 2 * DAY])),
        )
        for number in range(1, draw(st.integers(1, tables)) + 1)
    ]
    whole = Problem(tuple(slots), tuple(placed_tables))
    wished = draw(st.sets(st.tuples(st.integers(1, people), st.sampled_from(slots)), max_size=8))
    absences = tuple(Absence(who, slot.id, draw(st.booleans())) for who, slot in sorted(wished, key=str))
    fixed: list[Placed] = []
    start = PlacementProblem(replace(whole, absences=absences)).boards(
        first_fit(PlacementProblem(replace(whole, absences=absences)))
    )
    for each in start:
        if draw(st.integers(0, 4)) == 0:
            fixed.append(each)
    now = tuple(each for each in start if each not in fixed and draw(st.booleans()))
    whole = replace(whole, absences=absences, fixed=tuple(fixed), now=now, a_night=draw(st.sampled_from([None, 1, 2])))
    return replace(whole, unlockable=tuple(each.table for each in fixed))


def check_guarantees(problem: Problem, solution: Solution) -> None:
    """What every plan guarantees."""
    slots, tables = {slot.id: slot for slot in problem.slots}, {table.id: table for table in problem.tables}
    fixed = {each.table for each in problem.fixed}
    absent = {(each.person, each.slot) for each in problem.absences}
    where = [(each.slot, each.board) for each in solution.placed]
    assert len(set(where)) == len(where)
    assert all(board in slots[slot].boards for slot, board in where)
    assert set(problem.fixed) <= set(solution.placed)
    for each in solution.placed:
        if each.table not in fixed:
            slot, table = slots[each.slot], tables[each.table]
            assert not any((who, slot.id) in absent for who in table.people)
            assert table.latest is None or slot.ends <= table.latest
    for one, two in product(solution.placed, solution.placed):
        if one.table < two.table and overlap(slots[one.slot], slots[two.slot]):
            assert not set(tables[one.table].people) & set(tables[two.table].people)
    loose = [each for each in solution.placed if each.table not in fixed]
    for who, night in {(who, slots[each.slot].night) for each in loose for who in tables[each.table].people}:
        tonight = [each for each in solution.placed if slots[each.slot].night == night]
        count = sum(who in tables[each.table].people for each in tonight)
        assert problem.a_night is None or count <= problem.a_night
    numbers = [each.table for each in solution.placed] + [each.table for each in solution.unplaced]
    assert sorted(numbers) == sorted(tables)


@QUICK
@given(problems())
def test_every_plan_keeps_its_promises(problem):
    solution = solve(problem)
    check_guarantees(problem, solution)
    assert solution.is_optimal
    assert not solution.stopped
    prepared = PlacementProblem(problem)
    assert rank(solution.measure) <= rank(prepared.measure(first_fit(prepared)))
    assert solve(problem) == solution
    assert problem_from_json(to_json(problem)) == problem
    assert solution_from_json(to_json(solution)) == solution
    for each in solution.unplaced:
        for why in filter(None, (each.why, each.change)):
            assert reason_templates.TEMPLATES[why.code] % dict(why.params)


@settings(QUICK, max_examples=60)
@given(problems(nights=2, tables=4, people=4))
def test_no_plan_at_all_is_better(problem):
    prepared = PlacementProblem(problem)
    plans = product(*([None, *prepared.choices[table.id]] for table in prepared.loose))
    best = min(
        rank(prepared.measure(plan))
        for each in plans
        if possible(prepared, plan := {t.id: s for t, s in zip(prepared.loose, each) if s is not None})
    )
    assert rank(solve(problem).measure) == best


def possible(prepared: PlacementProblem, plan: dict[int, int]) -> bool:
    used = list(plan.values())
    if any(used.count(slot) > prepared.room[slot] for slot in used):
        return False
    taken: set[tuple[int, int]] = set()
    evenings = Counter(prepared.evenings)
    for table, slot in plan.items():
        for who in prepared.tables[table].people:
            evenings[who, night := prepared.slots[slot].night] += 1
            if (who, slot) in taken or evenings[who, night] > prepared.a_night:
                return False
            taken |= {(who, other) for other in prepared.beside[slot]}
    return True


@QUICK
@given(problems(nights=2))
def test_advice_helps_when_it_is_followed(problem):
    solution = solve(problem)
    before = {each.table for each in solution.placed}
    tables = {table.id: table for table in problem.tables}
    for each in solution.unplaced:
        if each.change is not None:
            changed = advice.apply_change(problem, tables[each.table], each.change)
            after = solve(changed)
            assert after.measure.placed + len(changed.fixed) > len(before)
            prepared = PlacementProblem(changed)
            wanted = {*before, each.table} - set(prepared.fixed)
            assert advice.all_fit(prepared, wanted, {}, 1, float("inf"))


# -- hand-made problems


def evening(slots: int = 3, boards: int = 1, night: int = 1) -> list[Slot]:
    begins = night * DAY
    return [
        Slot(10 * night + at, night, begins + 60 * at, begins + 60 * at + 50, tuple(range(1, boards + 1)))
        for at in range(slots)
    ]


def test_nobody_waits_who_need_not():
    """First fit leaves 1 and 2 an idle hour in the middle; a better order of the same tables does not."""
    tables = (Table(1, (1, 2)), Table(2, (3, 4)), Table(3, (1, 2)))
    problem = Problem(tuple(evening()), tables)
    prepared = PlacementProblem(problem)
    assert prepared.measure(first_fit(prepared)).waiting == 100
    assert solve(problem).measure.waiting == 0


def test_rounds_come_in_order_before_anybody_is_spared_a_wait():
    tables = (Table(1, (1, 2), 1, 2), Table(2, (1, 3), 1, 1))
    problem = Problem(tuple(evening(2)), tables)
    placed = {each.table: each.slot for each in solve(problem).placed}
    assert placed == {2: 10, 1: 11}


def test_late_slots_are_shared():
    """Two nights of two slots and one board: nobody stays late twice."""
    slots = (*evening(2), *evening(2, night=2))
    tables = (Table(1, (1, 2), 1, 1), Table(2, (3, 4), 1, 1), Table(3, (1, 2), 1, 2), Table(4, (3, 4), 1, 2))
    problem = Problem(slots, tables)
    prepared = PlacementProblem(problem)
    assert prepared.measure(first_fit(prepared)).lateness == 6
    solution = solve(problem)
    assert solution.measure.lateness == 4
    assert solution.late == (1, 1)


def test_whoever_stayed_late_before_goes_first_now():
    problem = Problem(tuple(evening(2)), (Table(1, (1, 2)), Table(2, (3, 4))), late=((3, 1),))
    assert solve(problem).placed == (Placed(1, 11, 1), Placed(2, 10, 1))


def test_what_stands_stays_when_nothing_is_lost_by_it():
    now = (Placed(1, 20, 2), Placed(2, 10, 2))
    problem = Problem((*evening(1, 2), *evening(1, 2, night=2)), (Table(1, (1, 2)), Table(2, (3, 4))), now=now)
    solution = solve(problem)
    assert solution.placed == now
    assert solution.measure.moved == 0


def test_a_locked_table_stays_even_where_somebody_cannot_come():
    fixed = (Placed(1, 10, 1),)
    problem = Problem(tuple(evening(2)), (Table(1, (1, 2)), Table(2, (1, 3))), (Absence(1, 10),), fixed)
    assert solve(problem).placed == (*fixed, Placed(2, 11, 1))


@pytest.mark.parametrize(
    ("problem", "why", "change"),
    [
        (Problem((), (Table(1, (1, 2)),)), "why.no-slots", None),
        (
            Problem(tuple(evening(1)), (Table(1, (1, 2), round=4, latest=DAY),)),
            "why.window",
            ("change.window", {"round": 4}),
        ),
        (
            Problem(tuple(evening(1)), (Table(1, (1, 2)),), (Absence(2, 10),)),
            "why.away",
            ("change.availability", {"person": 2, "night": 1}),
        ),
        (
            Problem(tuple(evening(1)), (Table(1, (1, 2)), Table(2, (3, 4)))),
            "why.full",
            ("change.board", {"slot": 10}),
        ),
        (
            Problem(tuple(evening(1, 2)), (Table(1, (1, 2)), Table(2, (1, 3)))),
            "why.playing",
            ("change.slot", {"night": 1}),
        ),
        (
            Problem(tuple(evening(1)), (Table(1, (1, 2)),), (Absence(1, 10, busy=True),)),
            "why.busy",
            ("change.night", {"night": 1}),
        ),
        (
            # Table 2 could have the second slot if the locked table 1 moved to the first.
            Problem(
                tuple(evening(2)),
                (Table(1, (1, 2)), Table(2, (3, 4))),
                (Absence(3, 10, busy=True),),
                fixed=(Placed(1, 11, 1),),
                unlockable=(1,),
            ),
            "why.full",
            ("change.board", {"slot": 11}),
        ),
        (
            Problem(
                tuple(evening(2, 2)),
                (Table(1, (1, 2)), Table(2, (1, 4))),
                (Absence(4, 10, busy=True),),
                fixed=(Placed(1, 11, 1),),
                unlockable=(1,),
            ),
            "why.playing",
            ("change.unlock", {"table": 1}),
        ),
    ],
)
def test_the_reason_and_the_smallest_change(problem, why, change):
    unplaced = solve(problem).unplaced
    assert len(unplaced) == 1
    assert unplaced[0].why.code == why
    suggestion = unplaced[0].change
    assert (suggestion and (suggestion.code, dict(suggestion.params))) == change


def test_others_move_in_thought():
    """Only person 5 has to change something, and one of the placed tables has to move."""
    tables = (Table(1, (1, 2)), Table(2, (3, 4)), Table(3, (4, 5)))
    absences = (Absence(1, 10, busy=True), Absence(4, 20, busy=True), Absence(5, 10), Absence(5, 11))
    problem = Problem((*evening(2), *evening(1, night=2)), tables, absences)
    (left,) = solve(problem).unplaced
    assert left.table == 3
    assert left.change is not None
    assert left.change.code == "change.availability"
    assert dict(left.change.params) == {"person": 5, "night": 1}


def crowded(players: int = 24, nights: int = 6) -> Problem:
    slots = tuple(slot for night in range(1, nights + 1) for slot in evening(3, 3, night))
    tables = tuple(
        Table(100 * number + one, (one, (one + number) % players + players), 1, number)
        for number in range(1, 4)
        for one in range(players)
    )
    absences = tuple(
        Absence(who, slot.id) for who in range(2 * players) for slot in slots if (7 * who + slot.night) % 4 == 0
    )
    return Problem(slots, tables, absences)


def test_when_the_work_is_used_up_the_best_found_so_far_is_kept_and_said():
    problem = crowded()
    prepared = PlacementProblem(problem)
    solution = solve(problem, work=0.05)
    check_guarantees(problem, solution)
    assert solution.stopped == "work"
    assert not solution.is_optimal
    assert rank(solution.measure) <= rank(prepared.measure(first_fit(prepared)))
    assert solve(problem, work=0.05) == solution


def test_when_the_clock_runs_out_first_fit_is_left():
    problem = crowded()
    solution = solve(problem, clock=0.0)
    check_guarantees(problem, solution)
    assert solution.stopped == "clock"


def test_progress_is_told():
    steps = []
    solution = solve(
        Problem(tuple(evening()), (Table(1, (1, 2)), Table(2, (3, 4)), Table(3, (1, 2)))), progress=steps.append
    )
    assert next(each.goal for each in steps if each.goal) == GOALS[0]
    assert steps[-1].share == 1.0
    assert steps[-1].measure == solution.measure


def test_nonsense_is_refused():
    slots, tables = tuple(evening(1)), (Table(1, (1, 2)),)
    for problem in (
        Problem(slots * 2, tables),
        Problem(slots, tables * 2),
        Problem(slots, tables, fixed=(Placed(1, 99, 1),)),
        Problem(slots, tables, fixed=(Placed(9, 10, 1),)),
    ):
        with pytest.raises(ValueError, match=r"given twice|not part"):
            solve(problem)


def test_a_search_ends_when_it_is_told_to():
    """Stopped from another thread, as at shutdown; otherwise it would go on for half an hour."""
    slots = [
        Slot(night * 3 + at, night, night * DAY + at * 60, night * DAY + at * 60 + 50, (1, 2, 3, 4))
        for night in range(1, 13)
        for at in range(3)
    ]
    pairs = list(combinations(range(1, 17), 2))
    tables = [Table(number, people, line=1, round=1 + number % 9) for number, people in enumerate(pairs, 1)]

    @contextmanager
    def stopped_by(stop: Callable[[], object]) -> Iterator[None]:
        is_over = threading.Event()

        def insist() -> None:
            while not is_over.wait(0.05):
                stop()

        thread = threading.Thread(target=insist)
        thread.start()
        yield
        is_over.set()
        thread.join()

    solution = solve(Problem(tuple(slots), tuple(tables)), work=1800, clock=1800, stopped_by=stopped_by)
    assert solution.stopped == "work"
    assert solution.measure.placed == len(tables)

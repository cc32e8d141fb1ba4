"""The problem as a CP-SAT model: a yes or no for every table and possible slot, and the goals as sums of them."""

import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from enum import Enum, auto
from functools import cached_property
from typing import Any

from leagues.placement.solver.problem import PlacementProblem


class Strategy(Enum):
    """How to search. docs/placement.md has the measurements."""

    EXACT = auto()  # with linear relaxations: proves that no more tables can be placed
    QUICK = auto()  # without: proves the other goals where they are small, and finds much at once where they are not
    WIDE = auto()  # improves parts of a plan, one after another: finds most, proves nothing


OnPlan = Callable[[dict[int, int], float], None]
StoppedBy = Callable[[Callable[[], object]], AbstractContextManager[None]]


def never_stopped(_stop: Callable[[], object]) -> AbstractContextManager[None]:
    return nullcontext()


_stopped_by: ContextVar[StoppedBy] = ContextVar("stopped_by", default=never_stopped)


@contextmanager
def stoppable_search(stopped_by: StoppedBy) -> Iterator[None]:
    """Lets the caller of `solve` stop every search in it, from another thread."""
    before = _stopped_by.set(stopped_by)
    try:
        yield
    finally:
        _stopped_by.reset(before)


class PlanFacts:
    """What follows from a plan. Called very often."""

    def __init__(self, prepared: PlacementProblem, plan: dict[int, int]) -> None:
        self.prepared, self.whole = prepared, prepared.complete(plan)
        self.late = prepared.late_slots(plan)
        self.there = {(who, slot) for table, slot in self.whole.items() for who in prepared.tables[table].people}

    def is_wrong(self, earlier: int, later: int) -> bool:
        return not self.prepared.in_order(earlier, later, self.whole)

    def plays(self, person: int, slots: list[int]) -> bool:
        return any((person, slot) in self.there for slot in slots)

    def waits(self, person: int, slot: int, before: list[int], after: list[int]) -> bool:
        return not self.plays(person, [slot]) and self.plays(person, before) and self.plays(person, after)

    def is_late_beyond(self, person: int, count: int) -> bool:
        return self.late[person] > count


class Model:
    def __init__(self, prepared: PlacementProblem) -> None:
        # Loading takes half a second: import it only when solving.
        from ortools.sat.python import cp_model

        self.cp, self.prepared, self.model = cp_model, prepared, cp_model.CpModel()
        self.at = self.options()
        self.skipped = {table.id: self.model.new_bool_var("") for table in prepared.loose}
        self.goals: dict[str, Any] = {}
        self.kept_goals: set[str] = set()
        # Variables that follow from a plan, and how: only a complete hint is used by the solver.
        self.derived: list[tuple[Any, Callable[..., bool], tuple[Any, ...]]] = []
        self._each_table_once()
        self._room_on_boards()
        self._nobody_in_two_places()
        self._nobody_too_often_a_night()

    def options(self) -> dict[tuple[int, int], Any]:
        """For each table and each slot that suits it, whether it is played there."""
        return {
            (table.id, slot): self.model.new_bool_var("")
            for table in self.prepared.loose
            for slot in self.prepared.choices[table.id]
        }

    def spare(self, slot: int) -> Any:
        """Boards beyond the existing ones."""
        return 0

    def _each_table_once(self) -> None:
        somewhere: dict[int, list[Any]] = defaultdict(list)
        for (table, _slot), here in self.at.items():
            somewhere[table].append(here)
        for table, skipped in self.skipped.items():
            self.model.add_exactly_one([*somewhere[table], skipped])

    def _room_on_boards(self) -> None:
        wanted: dict[int, list[Any]] = defaultdict(list)
        for (_table, slot), here in self.at.items():
            wanted[slot].append(here)
        for slot, all_here in wanted.items():
            if len(all_here) > self.prepared.room[slot]:
                self.model.add(sum(all_here) <= self.prepared.room[slot] + self.spare(slot))

    def _nobody_in_two_places(self) -> None:
        self.plays: dict[tuple[int, int], list[Any]] = defaultdict(list)
        for (table, slot), here in self.at.items():
            for person in self.prepared.tables[table].people:
                self.plays[person, slot].append(here)
        people = sorted({person for person, _slot in self.plays})
        for moment in self.prepared.moments:
            for person in people:
                here = [one for slot in moment for one in self.plays.get((person, slot), ())]
                if len(here) > 1:
                    self.model.add_at_most_one(here)

    def _nobody_too_often_a_night(self) -> None:
        tonight: dict[tuple[int, int], list[Any]] = defaultdict(list)
        for (person, slot), here in self.plays.items():
            tonight[person, self.prepared.slots[slot].night] += here
        for (person, night), here in tonight.items():
            remaining = self.prepared.a_night - self.prepared.evenings[person, night]
            if remaining < min(len(here), len(self.prepared.nights[night])):
                self.model.add(sum(here) <= remaining)

    # -- the goals, each to be made small

    def goal(self, name: str) -> Any:
        if name not in self.goals:
            self.goals[name] = getattr(self, f"_{name}")()
        return self.goals[name]

    def keep(self, name: str, value: int) -> None:
        """Later searches must not make this goal worse."""
        if name in self.kept_goals:
            return
        self.kept_goals.add(name)
        self.model.add(self.goal(name) <= (len(self.prepared.loose) - value if name == "placed" else value))

    def _placed(self) -> Any:
        return sum(self.skipped.values())

    def _out_of_order(self) -> Any:
        starts = sorted({slot.starts for slot in self.prepared.slots.values()})
        rank = {slot.id: starts.index(slot.starts) for slot in self.prepared.slots.values()}
        wrong = []
        for (earlier, later), people in self.prepared.successive.items():
            if earlier in self.prepared.fixed and later in self.prepared.fixed:
                continue
            if self._always_in_order(earlier, later):
                continue
            flag = self._follows(PlanFacts.is_wrong, earlier, later)
            both = [~self.skipped[table] for table in (earlier, later) if table in self.skipped]
            gap = self._rank_of(later, rank) - self._rank_of(earlier, rank)
            self.model.add(gap >= 1).only_enforce_if(*both, ~flag)
            wrong.append(people * flag)
        already_wrong = sum(
            people
            for (earlier, later), people in self.prepared.successive.items()
            if earlier in self.prepared.fixed
            and later in self.prepared.fixed
            and not self.prepared.in_order(earlier, later, self.prepared.fixed)
        )
        return sum(wrong) + already_wrong

    def _always_in_order(self, earlier: int, later: int) -> bool:
        one, two = self._could_be(earlier), self._could_be(later)
        starts = self.prepared.slots
        return not one or not two or max(starts[s].starts for s in one) < min(starts[s].starts for s in two)

    def _could_be(self, table: int) -> tuple[int, ...]:
        return (self.prepared.fixed[table],) if table in self.prepared.fixed else self.prepared.choices[table]

    def _rank_of(self, table: int, rank: dict[int, int]) -> Any:
        if table in self.prepared.fixed:
            return rank[self.prepared.fixed[table]]
        return sum(rank[slot] * self.at[table, slot] for slot in self.prepared.choices[table])

    def _waiting(self) -> Any:
        total = []
        people = sorted({person for table in self.prepared.tables.values() for person in table.people})
        for slots in self.prepared.nights.values():
            for person in people:
                total += self._gaps(person, [slot.id for slot in slots])
        return sum(total)

    def _gaps(self, person: int, slots: list[int]) -> list[Any]:
        """The minutes of every slot of a night that a person may have to wait through."""
        possible = [slot for slot in slots if (person, slot) in self.plays or (person, slot) in self._fixed_there]
        gaps = []
        for at, slot in enumerate(slots):
            before = [other for other in slots[:at] if other in possible]
            after = [other for other in slots[at + 1 :] if other in possible]
            if before and after and (person, slot) not in self._fixed_there:
                waits = self._follows(PlanFacts.waits, person, slot, before, after)
                here = sum(self.plays.get((person, slot), ()))
                came, stays = self._any_of(person, before), self._any_of(person, after)
                self.model.add(waits + here >= came + stays - 1)
                gaps.append((self.prepared.slots[slot].ends - self.prepared.slots[slot].starts) * waits)
        return gaps

    def _any_of(self, person: int, slots: list[int]) -> Any:
        """Whether a person plays in one of these slots; 1 where that is certain."""
        if any((person, slot) in self._fixed_there for slot in slots):
            return 1
        if len(slots) == 1:
            return sum(self.plays[person, slots[0]])
        either = self._follows(PlanFacts.plays, person, slots)
        for slot in slots:
            self.model.add(either >= sum(self.plays[person, slot]))
        return either

    @cached_property
    def _fixed_there(self) -> frozenset[tuple[int, int]]:
        return frozenset(
            (person, slot)
            for table, slot in self.prepared.fixed.items()
            for person in self.prepared.tables[table].people
        )

    def _lateness(self) -> Any:
        had = self.prepared.late_slots({})
        costs = [count * (count + 1) // 2 for count in had.values()]
        for person, count in had.items():
            late = [here for slot in self.prepared.late for here in self.plays.get((person, slot), ())]
            if not late:
                continue
            maximum = min(len(late), len(self.prepared.late))
            steps = [self._follows(PlanFacts.is_late_beyond, person, count + at) for at in range(maximum)]
            self.model.add(sum(steps) == sum(late))
            costs += [(count + 1 + at) * step for at, step in enumerate(steps)]
        return sum(costs)

    def _moved(self) -> Any:
        return sum(
            1 - self.at[table, slot] if (table, slot) in self.at else 1
            for table, slot in self.prepared.now.items()
            if table in self.prepared.tables and table not in self.prepared.fixed
        )

    # -- searching

    def search(
        self, goal: str, start: dict[int, int], way: Strategy, *, seed: int, work: float, until: float, look: OnPlan
    ) -> tuple[dict[int, int] | None, bool, float]:
        """The best plan, whether it is proven to be optimal, and the work spent."""
        self.model.minimize(self.goal(goal))
        self.hint(start)
        solver = create_solver(way, seed=seed, work=work, until=until)
        status = run(solver, self.model, plan_callback(self, look))
        spent = solver.response_proto.deterministic_time
        if status not in (self.cp.OPTIMAL, self.cp.FEASIBLE):
            return None, False, spent
        plan = {table: slot for (table, slot), here in self.at.items() if solver.boolean_value(here)}
        return plan, status == self.cp.OPTIMAL, spent

    def hint(self, plan: dict[int, int]) -> None:
        self.model.clear_hints()
        for (table, slot), here in self.at.items():
            self.model.add_hint(here, plan.get(table) == slot)
        for table, skipped in self.skipped.items():
            self.model.add_hint(skipped, table not in plan)
        facts = PlanFacts(self.prepared, plan)
        for variable, follows, about in self.derived:
            self.model.add_hint(variable, follows(facts, *about))

    def _follows(self, follows: Callable[..., bool], *about: Any) -> Any:
        variable = self.model.new_bool_var("")
        self.derived.append((variable, follows, about))
        return variable


def create_solver(way: Strategy, *, seed: int, work: float, until: float) -> Any:
    """A solver whose answer depends only on the problem and the seed, unless the time limit ends it."""
    from ortools.sat.python import cp_model

    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = seed
    solver.parameters.max_deterministic_time = work
    solver.parameters.max_time_in_seconds = max(0.01, until - time.monotonic())
    if way is Strategy.QUICK:
        solver.parameters.linearization_level = 0
    if way is Strategy.WIDE:
        solver.parameters.use_lns_only = True
        solver.parameters.interleave_search = True
    return solver


def run(solver: Any, model: Any, watcher: Any = None) -> Any:
    with _stopped_by.get()(solver.stop_search):
        return solver.solve(model, watcher)


def plan_callback(model: Model, look: OnPlan) -> Any:
    class Watcher(model.cp.CpSolverSolutionCallback):  # type: ignore[name-defined]
        def on_solution_callback(self) -> None:
            plan = {table: slot for (table, slot), here in model.at.items() if self.boolean_value(here)}
            look(plan, self.deterministic_time)

    return Watcher()

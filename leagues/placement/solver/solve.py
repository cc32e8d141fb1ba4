"""The best plan that CP-SAT finds with a given amount of work.

One goal after another: as many tables as possible, rounds in their order, little waiting, late slots spread evenly, few
tables moved. A goal that was reached is never given up for a later one. The search starts with the better of first fit
and the current placements, so it never ends with less.

One worker, and work counted in the solver's own steps: the same problem and seed give the same plan on any machine and
under any load. The time limit is only a safety net, and the solution says if it ended the search.
"""

import time
from collections.abc import Callable

from leagues.placement.solver import advice
from leagues.placement.solver.cp_model import Model, StoppedBy, Strategy, never_stopped, stoppable_search
from leagues.placement.solver.greedy import first_fit
from leagues.placement.solver.problem import PlacementProblem
from leagues.placement.solver.values import GOALS, Measure, Problem, Progress, Solution

WORK = 9.0
"""Units of solver work for all goals together: about as many seconds on an idle core."""
TIMEOUT = 60.0
"""Seconds after which the best plan so far is taken."""
SHARES = {"placed": 0.4, "out_of_order": 0.45, "waiting": 0.6, "lateness": 0.8, "moved": 1.0}
"""The share of the remaining work that each goal may take."""

STRATEGIES = dict.fromkeys(GOALS, ((Strategy.QUICK, 0.25), (Strategy.WIDE, 0.75))) | {
    "placed": ((Strategy.EXACT, 0.8), (Strategy.WIDE, 0.2))
}

Listener = Callable[[Progress], None]


def solve(
    problem: Problem,
    *,
    seed: int = 1,
    work: float = WORK,
    clock: float = TIMEOUT,
    progress: Listener | None = None,
    stopped_by: StoppedBy = never_stopped,
) -> Solution:
    prepared = PlacementProblem(problem)
    with stoppable_search(stopped_by):
        search = Search(prepared, seed=seed, work=work, clock=clock, progress=progress)
        plan = search.run()
        unplaced = advice.explain_unplaced(prepared, plan, seed=seed, until=search.until)
    late = prepared.late_slots(plan).values()
    return Solution(
        placed=prepared.boards(plan),
        unplaced=unplaced,
        measure=prepared.measure(plan),
        proven=tuple(search.proven),
        late=(min(late, default=0), max(late, default=0)),
        stopped=search.stopped,
    )


class Search:
    """The best plan so far, and the work left to improve it."""

    def __init__(
        self, prepared: PlacementProblem, *, seed: int, work: float, clock: float, progress: Listener | None
    ) -> None:
        self.prepared, self.seed, self.work, self.spent = prepared, seed, work, 0.0
        self.until = time.monotonic() + clock
        self.progress = progress or (lambda _progress: None)
        starts = [first_fit(prepared), first_fit(prepared, staying=True)]
        self.plan = min(starts, key=lambda plan: rank(prepared.measure(plan)))
        self.proven: list[str] = []
        self.stopped = ""

    def run(self) -> dict[int, int]:
        model: Model | None = None
        for at, goal in enumerate(GOALS):
            self.report_progress(goal)
            if self.reached(goal) == self.ideal(goal):
                proven = True
            else:
                model = model or Model(self.prepared)
                # Goals that needed no search until now must not get worse either.
                for before in GOALS[:at]:
                    model.keep(before, self.reached(before))
                proven = self.improve(model, goal)
            if proven and len(self.proven) == at:
                self.proven.append(goal)
        self.report_progress("")
        return self.plan

    def reached(self, goal: str) -> int:
        value: int = getattr(self.prepared.measure(self.plan), goal)
        return value

    def ideal(self, goal: str) -> int:
        """The best possible value, which needs no search."""
        return len(self.prepared.loose) if goal == "placed" else 0

    def improve(self, model: Model, goal: str) -> bool:
        """Improve one goal while keeping the earlier ones. True if nothing better exists."""
        remaining = SHARES[goal] * max(0.0, self.work - self.spent)
        for way, share in STRATEGIES[goal]:
            plan, proven, spent = model.search(
                goal, self.plan, way, seed=self.seed, work=share * remaining, until=self.until, look=self.seen(goal)
            )
            self.spent += spent
            if plan is not None and rank(self.prepared.measure(plan)) < rank(self.prepared.measure(self.plan)):
                self.plan = plan
            if proven:
                return True
        self.stopped = "clock" if time.monotonic() >= self.until else self.stopped or "work"
        return False

    def seen(self, goal: str) -> Callable[[dict[int, int], float], None]:
        def look(plan: dict[int, int], work: float) -> None:
            share = min(1.0, (self.spent + work) / self.work)
            self.progress(Progress(goal, share, self.prepared.measure(plan)))

        return look

    def report_progress(self, goal: str) -> None:
        share = min(1.0, self.spent / self.work) if goal else 1.0
        self.progress(Progress(goal, share, self.prepared.measure(self.plan)))


def rank(measure: Measure) -> tuple[int, ...]:
    """Lower is better."""
    return (-measure.placed, measure.out_of_order, measure.waiting, measure.lateness, measure.moved)

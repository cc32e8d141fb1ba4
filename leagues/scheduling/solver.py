"""The best plan that can be found with so much work, by CP-SAT.

One goal after another: as many tables as possible, rounds in their order, little waiting, late slots spread evenly, few
tables moved. Each goal is kept when the next one is worked on, so nothing is ever traded against something that
matters more. The search begins with the better of first fit and what stands already, and so never ends with less.

One worker and work counted in the solver's own steps: the same problem and seed give the same plan on any machine and
under any load. The time on the wall is only a net below it, and said when it is what ended the search.
"""

import time
from collections.abc import Callable

from leagues.scheduling import advice
from leagues.scheduling.greedy import first_fit
from leagues.scheduling.hall import Hall
from leagues.scheduling.model import Model, StoppedBy, Way, at_leisure, searching
from leagues.scheduling.values import GOALS, Measure, Problem, Progress, Solution

WORK = 9.0
"""Units of the solver's work for all goals together: about as many seconds on an idle core."""
CLOCK = 60.0
"""Seconds on the wall after which the best found so far has to do."""
SHARES = {"placed": 0.4, "out_of_order": 0.45, "waiting": 0.6, "lateness": 0.8, "moved": 1.0}
"""How much of the work that is left each goal may take."""

WAYS = dict.fromkeys(GOALS, ((Way.QUICK, 0.25), (Way.WIDE, 0.75))) | {"placed": ((Way.EXACT, 0.8), (Way.WIDE, 0.2))}

Listener = Callable[[Progress], None]


def solve(
    problem: Problem,
    *,
    seed: int = 1,
    work: float = WORK,
    clock: float = CLOCK,
    progress: Listener | None = None,
    stopped_by: StoppedBy = at_leisure,
) -> Solution:
    hall = Hall(problem)
    with searching(stopped_by):
        search = Search(hall, seed=seed, work=work, clock=clock, progress=progress)
        plan = search.run()
        unplaced = advice.unplaced(hall, plan, seed=seed, until=search.until)
    late = hall.late_slots(plan).values()
    return Solution(
        placed=hall.boards(plan),
        unplaced=unplaced,
        measure=hall.measure(plan),
        proven=tuple(search.proven),
        late=(min(late, default=0), max(late, default=0)),
        stopped=search.stopped,
    )


class Search:
    """The best plan so far, and what is left to spend on a better one."""

    def __init__(self, hall: Hall, *, seed: int, work: float, clock: float, progress: Listener | None) -> None:
        self.hall, self.seed, self.work, self.spent = hall, seed, work, 0.0
        self.until = time.monotonic() + clock
        self.progress = progress or (lambda _progress: None)
        starts = [first_fit(hall), first_fit(hall, staying=True)]
        self.plan = min(starts, key=lambda plan: rank(hall.measure(plan)))
        self.proven: list[str] = []
        self.stopped = ""

    def run(self) -> dict[int, int]:
        model: Model | None = None
        for at, goal in enumerate(GOALS):
            self.tell(goal)
            if self.reached(goal) == self.ideal(goal):
                proven = True
            else:
                model = model or Model(self.hall)
                # Goals that needed no search until now are kept as well.
                for before in GOALS[:at]:
                    model.keep(before, self.reached(before))
                proven = self.improve(model, goal)
            if proven and len(self.proven) == at:
                self.proven.append(goal)
        self.tell("")
        return self.plan

    def reached(self, goal: str) -> int:
        value: int = getattr(self.hall.measure(self.plan), goal)
        return value

    def ideal(self, goal: str) -> int:
        """Better than this cannot be, and needs no search."""
        return len(self.hall.loose) if goal == "placed" else 0

    def improve(self, model: Model, goal: str) -> bool:
        """Search for better in one goal, all that were reached before being kept. True when nothing better exists."""
        left = SHARES[goal] * max(0.0, self.work - self.spent)
        for way, share in WAYS[goal]:
            found, proven, spent = model.search(
                goal, self.plan, way, seed=self.seed, work=share * left, until=self.until, look=self.seen(goal)
            )
            self.spent += spent
            if found is not None and rank(self.hall.measure(found)) < rank(self.hall.measure(self.plan)):
                self.plan = found
            if proven:
                return True
        self.stopped = "clock" if time.monotonic() >= self.until else self.stopped or "work"
        return False

    def seen(self, goal: str) -> Callable[[dict[int, int], float], None]:
        def look(plan: dict[int, int], work: float) -> None:
            share = min(1.0, (self.spent + work) / self.work)
            self.progress(Progress(goal, share, self.hall.measure(plan)))

        return look

    def tell(self, goal: str) -> None:
        share = min(1.0, self.spent / self.work) if goal else 1.0
        self.progress(Progress(goal, share, self.hall.measure(self.plan)))


def rank(measure: Measure) -> tuple[int, ...]:
    """Less is better."""
    return (-measure.placed, measure.out_of_order, measure.waiting, measure.lateness, measure.moved)

"""Why a table has no slot, and the smallest single change that would give it one.

A change is only suggested once it is known to help: either the table then fits while all others stay where they are,
or the solver has found other places for them. The smallest changes are one person's evening and one more board; then
follow a lock, more time for the round, one more slot, and one more night.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from leagues.placement.solver.cp_model import Model, Strategy, create_solver, run
from leagues.placement.solver.problem import PlacementProblem, overlap
from leagues.placement.solver.values import Absence, Problem, Reason, Slot, Table, Unplaced, reason

MAX_THOROUGH = 12
"""For this many tables the advice may move other tables; for the rest only changes that move nobody are tried."""
MAX_WORK = 0.5
"""The solver's work limit for one such attempt."""
DAY = 24 * 60

Plan = dict[int, int]
Blocker = tuple[str, int]


def explain_unplaced(prepared: PlacementProblem, plan: Plan, *, seed: int, until: float) -> tuple[Unplaced, ...]:
    unplaced = [table for table in prepared.loose if table.id not in plan]
    finder = SuggestionFinder(prepared, plan, seed=seed, until=until)
    rows = [
        Unplaced(table.id, explain(prepared, table, plan), finder.change(table, thorough=at < MAX_THOROUGH))
        for at, table in enumerate(unplaced)
    ]
    return tuple(sorted(rows, key=lambda each: each.table))


def explain(prepared: PlacementProblem, table: Table, plan: Plan) -> Reason:
    if not prepared.slots:
        return reason("why.no-slots")
    window = [slot for slot in prepared.slots.values() if prepared.within(table, slot)]
    if not window:
        return reason("why.window", round=table.round)
    met = PlanIndex(prepared, plan)
    kinds = [{kind for kind, _who in met.blockers(table, slot)} for slot in window]
    together = [each for each in kinds if "away" not in each]
    if not together:
        missing = Counter(who for slot in window for kind, who in met.blockers(table, slot) if kind == "away")
        person, count = min(missing.items(), key=lambda each: (-each[1], each[0]))
        return reason("why.away", person=person, missing=count, slots=len(window))
    free = [each for each in together if "busy" not in each]
    if not free:
        return reason("why.busy")
    playing = sum("playing" in each for each in free)
    if playing == len(free):
        return reason("why.playing", together=len(free))
    if not playing:
        return reason("why.full", together=len(free))
    return reason("why.crowded", together=len(free), playing=playing)


class PlanIndex:
    """Who plays when in a plan, and so what blocks a table in a slot."""

    def __init__(self, prepared: PlacementProblem, plan: Plan) -> None:
        self.prepared = prepared
        self.used = Counter(plan.values())
        self.evenings = prepared.evenings + Counter(
            (who, prepared.slots[slot].night) for table, slot in plan.items() for who in prepared.tables[table].people
        )
        self.busy = {(each.person, each.slot) for each in prepared.problem.absences if each.busy}
        self.playing = prepared.bound | {
            (who, other)
            for table, slot in plan.items()
            for who in prepared.tables[table].people
            for other in prepared.beside[slot]
        }

    def blockers(self, table: Table, slot: Slot) -> set[Blocker]:
        """Everything that blocks the table in a slot of its window; empty if it fits."""
        blockers: set[Blocker] = set()
        for who in table.people:
            if (who, slot.id) in self.playing or self.evenings[who, slot.night] >= self.prepared.a_night:
                blockers.add(("playing", who))
            if (who, slot.id) in self.busy:
                blockers.add(("busy", who))
            elif (who, slot.id) in self.prepared.absent:
                blockers.add(("away", who))
        if self.used[slot.id] >= self.prepared.room[slot.id]:
            blockers.add(("full", 0))
        return blockers

    def fits(self, table: Table) -> bool:
        return any(
            self.prepared.within(table, slot) and not self.blockers(table, slot)
            for slot in self.prepared.slots.values()
        )


class SuggestionFinder:
    def __init__(self, prepared: PlacementProblem, plan: Plan, *, seed: int, until: float) -> None:
        self.prepared, self.plan, self.seed, self.until = prepared, plan, seed, until
        self.met = PlanIndex(prepared, plan)

    def change(self, table: Table, *, thorough: bool) -> Reason | None:
        for change in self._near(table):
            return change
        if thorough and (suggestion := self._with_others_moved(table)):
            return suggestion
        for change in self._far(table, thorough):
            return change
        return None

    def _near(self, table: Table) -> Iterator[Reason]:
        """One person's evening or one more board, with all other tables where they are."""
        window = [slot for slot in self.prepared.slots.values() if self.prepared.within(table, slot)]
        for slot in window:
            match sorted(self.met.blockers(table, slot)):
                case [("away", who)]:
                    yield reason("change.availability", person=who, night=slot.night)
        for slot in window:
            if self.met.blockers(table, slot) == {("full", 0)}:
                yield reason("change.board", slot=slot.id)

    def _with_others_moved(self, table: Table) -> Reason | None:
        return RelaxedModel(self.prepared, table, self.plan).smallest(self.seed, self.until)

    def _far(self, table: Table, thorough: bool) -> Iterator[Reason]:
        yield from (each for each in self._unlocking(table) if self._helps(table, each, thorough))
        if table.earliest is not None or table.latest is not None:
            change = reason("change.window", round=table.round)
            yield from [change] if self._helps(table, change, False) else []
        # Best to extend or repeat the night that most of the table can come to.
        nights = sorted(self.prepared.nights, key=lambda night: (self._missing(table, night), night))
        for code in ("change.slot", "change.night"):
            changes = [reason(code, night=night) for night in nights]
            yield from (each for each in changes if self._helps(table, each, False))

    def _unlocking(self, table: Table) -> Iterator[Reason]:
        """Locked tables that block this one: they share a person, or take a board where all could come."""
        for other, slot in sorted(self.prepared.fixed.items()):
            kinds = {kind for kind, _who in self.met.blockers(table, self.prepared.slots[slot])}
            in_the_way = (
                kinds and not kinds & {"away", "busy"} and self.prepared.within(table, self.prepared.slots[slot])
            )
            if in_the_way and other in self.prepared.problem.unlockable:
                yield reason("change.unlock", table=other)

    def _missing(self, table: Table, night: int) -> int:
        last = self.prepared.nights[night][-1].id
        return sum((who, last) in self.prepared.absent for who in table.people)

    def _helps(self, table: Table, change: Reason, thorough: bool) -> bool:
        changed = apply_change(self.prepared.problem, table, change)
        if changed is None:
            return False
        prepared = PlacementProblem(changed)
        table = prepared.tables[table.id]
        if change.code == "change.unlock":
            return thorough and all_fit(
                prepared, {*self.plan, table.id, change["table"]}, self.plan, self.seed, self.until
            )
        return PlanIndex(prepared, self.plan).fits(table)


def all_fit(prepared: PlacementProblem, wanted: set[int], start: Plan, seed: int, until: float) -> bool:
    """Whether there is a plan with all of these tables."""
    model = Model(prepared)
    for table in wanted:
        model.model.add(model.skipped[table] == 0)
    model.hint(start)
    solver = create_solver(Strategy.EXACT, seed=seed, work=MAX_WORK, until=until)
    return run(solver, model.model) in (model.cp.OPTIMAL, model.cp.FEASIBLE)


class RelaxedModel(Model):
    """The same problem, but at most one extra evening of a person at the table or one extra board may be used.

    All placed tables stay placed, but may move.
    """

    def __init__(self, prepared: PlacementProblem, table: Table, plan: Plan) -> None:
        self.table, self.start = table, plan
        self.changes: dict[Reason, Any] = {}
        super().__init__(prepared)
        for each in [*plan, table.id]:
            self.model.add(self.skipped[each] == 0)
        self.model.add_at_most_one(self.changes.values())
        self.model.minimize(sum(self.changes.values()))

    def options(self) -> dict[tuple[int, int], Any]:
        options = super().options()
        alone = PlanIndex(self.prepared, {})
        for slot in self.prepared.slots.values():
            if self.prepared.within(self.table, slot):
                match sorted(alone.blockers(self.table, slot)):
                    case [("away", who)]:
                        needed = self._change(reason("change.availability", person=who, night=slot.night))
                    case [("full", _)]:
                        needed = self._change(reason("change.board", slot=slot.id))
                    case _:
                        continue
                options[self.table.id, slot.id] = here = self.model.new_bool_var("")
                self.model.add_implication(here, needed)
        return options

    def spare(self, slot: int) -> Any:
        return self._change(reason("change.board", slot=slot))

    def _change(self, change: Reason) -> Any:
        if change not in self.changes:
            self.changes[change] = self.model.new_bool_var("")
        return self.changes[change]

    def smallest(self, seed: int, until: float) -> Reason | None:
        self.hint(self.start)
        solver = create_solver(Strategy.EXACT, seed=seed, work=MAX_WORK, until=until)
        if run(solver, self.model) not in (self.cp.OPTIMAL, self.cp.FEASIBLE):
            return None
        chosen = [change for change, taken in self.changes.items() if solver.boolean_value(taken)]
        return chosen[0] if chosen else reason("change.longer")


def apply_change(problem: Problem, table: Table, change: Reason) -> Problem | None:
    """The problem with the change applied; None if the change is impossible."""
    match change.code:
        case "change.availability":
            night = {slot.id for slot in problem.slots if slot.night == change["night"]}
            remaining = (
                each
                for each in problem.absences
                if each.busy or each.person != change["person"] or each.slot not in night
            )
            return replace(problem, absences=tuple(remaining))
        case "change.board":
            slots = (_one_more_board(slot) if slot.id == change["slot"] else slot for slot in problem.slots)
            return replace(problem, slots=tuple(slots))
        case "change.unlock":
            return replace(problem, fixed=tuple(each for each in problem.fixed if each.table != change["table"]))
        case "change.window":
            freed = (
                replace(each, earliest=None, latest=None) if each.id == table.id else each for each in problem.tables
            )
            return replace(problem, tables=tuple(freed))
        case "change.slot":
            return _one_more_slot(problem, change["night"])
        case "change.night":
            return _one_more_night(problem, table, change["night"])
        case _:
            return problem


def _one_more_board(slot: Slot) -> Slot:
    return replace(slot, boards=(*slot.boards, max(slot.boards, default=0) + 1))


def _one_more_slot(problem: Problem, night: int) -> Problem:
    """Adds a slot after the last one, of the same length. People who cannot come to the last slot cannot come to it."""
    last = max((slot for slot in problem.slots if slot.night == night), key=lambda slot: (slot.ends, slot.id))
    number = max(slot.id for slot in problem.slots) + 1
    new = replace(last, id=number, starts=last.ends, ends=2 * last.ends - last.starts)
    absent = tuple(Absence(each.person, number, each.busy) for each in problem.absences if each.slot == last.id)
    return replace(problem, slots=(*problem.slots, new), absences=(*problem.absences, *absent))


def _one_more_night(problem: Problem, table: Table, night: int) -> Problem | None:
    """Repeats the night on one of the following days, where nothing else is and the round still runs."""
    own = [slot for slot in problem.slots if slot.night == night]
    number, new_night = max(slot.id for slot in problem.slots) + 1, max(slot.night for slot in problem.slots) + 1
    for days in range(1, 7):
        moved = [
            replace(slot, id=number + at, night=new_night, starts=slot.starts + days * DAY, ends=slot.ends + days * DAY)
            for at, slot in enumerate(own)
        ]
        clear = not any(overlap(one, other) for one in moved for other in problem.slots)
        if clear and (table.latest is None or all(slot.ends <= table.latest for slot in moved)):
            return replace(problem, slots=(*problem.slots, *moved))
    return None

"""Why a table has no slot, and the smallest single change that would give it one.

A change is only named once it is known to help: the table then fits while all others stay where they are, or the solver
has found them other places. One person's evening and one more board are the smallest; then a lock, more time for the
round, one more slot, and one more night.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from leagues.scheduling.hall import Hall, overlap
from leagues.scheduling.model import Model, Way, ready, run
from leagues.scheduling.values import Absence, Problem, Reason, Slot, Table, Unplaced, reason

THOROUGH = 12
"""For so many tables others are moved in thought; beyond that, advice is what helps without moving anybody."""
WORK = 0.5
"""What the solver may spend on one such thought."""
DAY = 24 * 60

Plan = dict[int, int]
Blocker = tuple[str, int]


def unplaced(hall: Hall, plan: Plan, *, seed: int, until: float) -> tuple[Unplaced, ...]:
    left = [table for table in hall.loose if table.id not in plan]
    adviser = Adviser(hall, plan, seed=seed, until=until)
    found = [
        Unplaced(table.id, why(hall, table, plan), adviser.change(table, thorough=at < THOROUGH))
        for at, table in enumerate(left)
    ]
    return tuple(sorted(found, key=lambda each: each.table))


def why(hall: Hall, table: Table, plan: Plan) -> Reason:
    if not hall.slots:
        return reason("why.no-slots")
    window = [slot for slot in hall.slots.values() if hall.within(table, slot)]
    if not window:
        return reason("why.window", round=table.round)
    met = Meeting(hall, plan)
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


class Meeting:
    """Who plays when in a plan, and so what keeps a table out of a slot."""

    def __init__(self, hall: Hall, plan: Plan) -> None:
        self.hall = hall
        self.used = Counter(plan.values())
        self.evenings = hall.evenings + Counter(
            (who, hall.slots[slot].night) for table, slot in plan.items() for who in hall.tables[table].people
        )
        self.busy = {(each.person, each.slot) for each in hall.problem.absences if each.busy}
        self.playing = hall.bound | {
            (who, other)
            for table, slot in plan.items()
            for who in hall.tables[table].people
            for other in hall.beside[slot]
        }

    def blockers(self, table: Table, slot: Slot) -> set[Blocker]:
        """Everything that keeps the table out of a slot of its window; nothing when it fits."""
        found: set[Blocker] = set()
        for who in table.people:
            if (who, slot.id) in self.playing or self.evenings[who, slot.night] >= self.hall.a_night:
                found.add(("playing", who))
            if (who, slot.id) in self.busy:
                found.add(("busy", who))
            elif (who, slot.id) in self.hall.absent:
                found.add(("away", who))
        if self.used[slot.id] >= self.hall.room[slot.id]:
            found.add(("full", 0))
        return found

    def fits(self, table: Table) -> bool:
        return any(
            self.hall.within(table, slot) and not self.blockers(table, slot) for slot in self.hall.slots.values()
        )


class Adviser:
    def __init__(self, hall: Hall, plan: Plan, *, seed: int, until: float) -> None:
        self.hall, self.plan, self.seed, self.until = hall, plan, seed, until
        self.met = Meeting(hall, plan)

    def change(self, table: Table, *, thorough: bool) -> Reason | None:
        for change in self._near(table):
            return change
        if thorough and (found := self._with_others_moved(table)):
            return found
        for change in self._far(table, thorough):
            return change
        return None

    def _near(self, table: Table) -> Iterator[Reason]:
        """One person's evening or one more board, with everybody else where they are."""
        window = [slot for slot in self.hall.slots.values() if self.hall.within(table, slot)]
        for slot in window:
            match sorted(self.met.blockers(table, slot)):
                case [("away", who)]:
                    yield reason("change.availability", person=who, night=slot.night)
        for slot in window:
            if self.met.blockers(table, slot) == {("full", 0)}:
                yield reason("change.board", slot=slot.id)

    def _with_others_moved(self, table: Table) -> Reason | None:
        return Relaxed(self.hall, table, self.plan).smallest(self.seed, self.until)

    def _far(self, table: Table, thorough: bool) -> Iterator[Reason]:
        yield from (each for each in self._unlocking(table) if self._helps(table, each, thorough))
        if table.earliest is not None or table.latest is not None:
            change = reason("change.window", round=table.round)
            yield from [change] if self._helps(table, change, False) else []
        # The night that most of the table can come to is the one to make longer, or to repeat.
        nights = sorted(self.hall.nights, key=lambda night: (self._missing(table, night), night))
        for code in ("change.slot", "change.night"):
            changes = [reason(code, night=night) for night in nights]
            yield from (each for each in changes if self._helps(table, each, False))

    def _unlocking(self, table: Table) -> Iterator[Reason]:
        """Locked tables that somebody at this one plays at, or that take a board where all could come."""
        for other, slot in sorted(self.hall.fixed.items()):
            kinds = {kind for kind, _who in self.met.blockers(table, self.hall.slots[slot])}
            in_the_way = kinds and not kinds & {"away", "busy"} and self.hall.within(table, self.hall.slots[slot])
            if in_the_way and other in self.hall.problem.unlockable:
                yield reason("change.unlock", table=other)

    def _missing(self, table: Table, night: int) -> int:
        last = self.hall.nights[night][-1].id
        return sum((who, last) in self.hall.absent for who in table.people)

    def _helps(self, table: Table, change: Reason, thorough: bool) -> bool:
        changed = applied(self.hall.problem, table, change)
        if changed is None:
            return False
        hall = Hall(changed)
        table = hall.tables[table.id]
        if change.code == "change.unlock":
            return thorough and all_fit(hall, {*self.plan, table.id, change["table"]}, self.plan, self.seed, self.until)
        return Meeting(hall, self.plan).fits(table)


def all_fit(hall: Hall, wanted: set[int], start: Plan, seed: int, until: float) -> bool:
    """Is there a plan with all of these tables?"""
    model = Model(hall)
    for table in wanted:
        model.model.add(model.skipped[table] == 0)
    model.hint(start)
    solver = ready(Way.EXACT, seed=seed, work=WORK, until=until)
    return run(solver, model.model) in (model.cp.OPTIMAL, model.cp.FEASIBLE)


class Relaxed(Model):
    """The same hall, in which one evening of somebody at the table or one more board may be had: at most one of them.

    All tables that were placed stay placed, but where is free.
    """

    def __init__(self, hall: Hall, table: Table, plan: Plan) -> None:
        self.table, self.start = table, plan
        self.changes: dict[Reason, Any] = {}
        super().__init__(hall)
        for each in [*plan, table.id]:
            self.model.add(self.skipped[each] == 0)
        self.model.add_at_most_one(self.changes.values())
        self.model.minimize(sum(self.changes.values()))

    def options(self) -> dict[tuple[int, int], Any]:
        found = super().options()
        alone = Meeting(self.hall, {})
        for slot in self.hall.slots.values():
            if self.hall.within(self.table, slot):
                match sorted(alone.blockers(self.table, slot)):
                    case [("away", who)]:
                        needed = self._change(reason("change.availability", person=who, night=slot.night))
                    case [("full", _)]:
                        needed = self._change(reason("change.board", slot=slot.id))
                    case _:
                        continue
                found[self.table.id, slot.id] = here = self.model.new_bool_var("")
                self.model.add_implication(here, needed)
        return found

    def spare(self, slot: int) -> Any:
        return self._change(reason("change.board", slot=slot))

    def _change(self, change: Reason) -> Any:
        if change not in self.changes:
            self.changes[change] = self.model.new_bool_var("")
        return self.changes[change]

    def smallest(self, seed: int, until: float) -> Reason | None:
        self.hint(self.start)
        solver = ready(Way.EXACT, seed=seed, work=WORK, until=until)
        if run(solver, self.model) not in (self.cp.OPTIMAL, self.cp.FEASIBLE):
            return None
        chosen = [change for change, taken in self.changes.items() if solver.boolean_value(taken)]
        return chosen[0] if chosen else reason("change.longer")


def applied(problem: Problem, table: Table, change: Reason) -> Problem | None:
    """The problem as it would be with the change; None when it cannot be made."""
    match change.code:
        case "change.availability":
            night = {slot.id for slot in problem.slots if slot.night == change["night"]}
            kept = (
                each
                for each in problem.absences
                if each.busy or each.person != change["person"] or each.slot not in night
            )
            return replace(problem, absences=tuple(kept))
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
    """After the last one and as long; whoever cannot come to that one cannot come to this one."""
    last = max((slot for slot in problem.slots if slot.night == night), key=lambda slot: (slot.ends, slot.id))
    number = max(slot.id for slot in problem.slots) + 1
    new = replace(last, id=number, starts=last.ends, ends=2 * last.ends - last.starts)
    absent = tuple(Absence(each.person, number, each.busy) for each in problem.absences if each.slot == last.id)
    return replace(problem, slots=(*problem.slots, new), absences=(*problem.absences, *absent))


def _one_more_night(problem: Problem, table: Table, night: int) -> Problem | None:
    """The same night again on one of the days after it, where nothing else is and the round still runs."""
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

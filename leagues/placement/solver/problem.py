"""A placement problem with its derived values: which slots a table can have, and how good a plan is."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from functools import cached_property
from itertools import pairwise

from leagues.placement.solver.values import Measure, Placed, Problem, Slot, Table

Plan = Mapping[int, int]
"""By table, its slot. Boards are assigned last: within a slot they are all equal."""


class PlacementProblem:
    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.slots = {slot.id: slot for slot in sorted(problem.slots, key=lambda slot: (slot.starts, slot.id))}
        self.tables = {table.id: table for table in problem.tables}
        self.fixed = {each.table: each.slot for each in problem.fixed}
        self.now = {each.table: each.slot for each in problem.now}
        self.absent = {(each.person, each.slot) for each in problem.absences}
        if len(self.slots) < len(problem.slots) or len(self.tables) < len(problem.tables):
            raise ValueError("a slot or a table is given twice")
        if any(slot not in self.slots or table not in self.tables for table, slot in self.fixed.items()):
            raise ValueError("a fixed table or its slot is not part of the problem")

    @cached_property
    def loose(self) -> list[Table]:
        """The tables to place, in the order in which they are to be played."""
        free = [table for table in self.problem.tables if table.id not in self.fixed]
        return sorted(free, key=lambda table: (table.round, table.line, table.id))

    @cached_property
    def nights(self) -> dict[int, list[Slot]]:
        by_night: dict[int, list[Slot]] = defaultdict(list)
        for slot in self.slots.values():
            by_night[slot.night].append(slot)
        return dict(by_night)

    @cached_property
    def late(self) -> frozenset[int]:
        """The last slot of every night that has more than one."""
        return frozenset(slots[-1].id for slots in self.nights.values() if len(slots) > 1)

    @cached_property
    def beside(self) -> dict[int, frozenset[int]]:
        """By slot, the slots that overlap it, including itself."""
        return {
            one.id: frozenset(other.id for other in self.slots.values() if overlap(one, other))
            for one in self.slots.values()
        }

    @cached_property
    def moments(self) -> list[tuple[int, ...]]:
        """Sets of slots of which nobody can play two: those that run when one of them begins."""
        sets = {
            tuple(other for other in self.slots if self.slots[other].starts <= one.starts < self.slots[other].ends)
            for one in self.slots.values()
        }
        return sorted(sets)

    @cached_property
    def room(self) -> dict[int, int]:
        """By slot, how many boards are left for loose tables."""
        taken = list(self.fixed.values())
        return {slot.id: max(0, len(slot.boards) - taken.count(slot.id)) for slot in self.slots.values()}

    @cached_property
    def bound(self) -> frozenset[tuple[int, int]]:
        """(person, slot) pairs that fixed tables rule out."""
        return frozenset(
            (person, other)
            for table, slot in self.fixed.items()
            for person in self.tables[table].people
            for other in self.beside[slot]
        )

    @cached_property
    def evenings(self) -> Counter[tuple[int, int]]:
        """By (person, night), how many fixed tables they play."""
        return Counter(
            (person, self.slots[slot].night)
            for table, slot in self.fixed.items()
            for person in self.tables[table].people
        )

    @cached_property
    def a_night(self) -> int:
        """How many tables a person may play on one night."""
        return len(self.slots) if self.problem.a_night is None else self.problem.a_night

    def within(self, table: Table, slot: Slot) -> bool:
        """Whether the slot is in the window of the table's round."""
        early = table.earliest is not None and slot.starts < table.earliest
        return not early and (table.latest is None or slot.ends <= table.latest)

    def suits(self, table: Table, slot: Slot) -> bool:
        """Whether it could be played then, if no other loose table were there."""
        if not self.within(table, slot) or not self.room[slot.id]:
            return False
        return not any(
            (who, slot.id) in self.absent
            or (who, slot.id) in self.bound
            or self.evenings[who, slot.night] >= self.a_night
            for who in table.people
        )

    @cached_property
    def choices(self) -> dict[int, tuple[int, ...]]:
        """By loose table, the slots that suit it, in the order of time."""
        return {
            table.id: tuple(slot.id for slot in self.slots.values() if self.suits(table, slot)) for table in self.loose
        }

    @cached_property
    def successive(self) -> Counter[tuple[int, int]]:
        """Pairs of tables in consecutive rounds of one line, and how many people they share."""
        own: dict[tuple[int, int], list[Table]] = defaultdict(list)
        for table in sorted(self.tables.values(), key=lambda table: (table.round, table.id)):
            for person in table.people:
                own[person, table.line].append(table)
        pairs = (pair for tables in own.values() for pair in pairwise(tables))
        return Counter((one.id, two.id) for one, two in pairs if one.round < two.round)

    def in_order(self, earlier: int, later: int, whole: Plan) -> bool:
        """Whether two tables are in order. A table without a place is always in order."""
        if earlier not in whole or later not in whole:
            return True
        return self.slots[whole[earlier]].starts < self.slots[whole[later]].starts

    def complete(self, plan: Plan) -> dict[int, int]:
        """The loose tables' plan together with the fixed ones."""
        return {**self.fixed, **plan}

    def measure(self, plan: Plan) -> Measure:
        whole = self.complete(plan)
        wrong = sum(count for pair, count in self.successive.items() if not self.in_order(*pair, whole))
        return Measure(
            placed=len(plan),
            out_of_order=wrong,
            waiting=self.waiting(whole),
            lateness=sum(count * (count + 1) // 2 for count in self.late_slots(plan).values()),
            moved=sum(plan.get(table) != slot for table, slot in self.now.items() if table in self.tables),
        )

    def waiting(self, whole: Plan) -> int:
        """Minutes of slots between two tables of a person on one night in which they do not play."""
        playing: dict[tuple[int, int], set[int]] = defaultdict(set)
        for table, slot in whole.items():
            for person in self.tables[table].people:
                playing[person, self.slots[slot].night].add(slot)
        total = 0
        for (_person, night), own in playing.items():
            slots = self.nights[night]
            at = [index for index, slot in enumerate(slots) if slot.id in own]
            between = slots[at[0] : at[-1]]
            total += sum(slot.ends - slot.starts for slot in between if slot.id not in own)
        return total

    def late_slots(self, plan: Plan) -> dict[int, int]:
        """By person, their late slots, including those of fixed tables and of the past."""
        count = {person: 0 for table in self.tables.values() for person in table.people}
        for person, had in self.problem.late:
            if person in count:
                count[person] += had
        for table, slot in self.complete(plan).items():
            if slot in self.late:
                for person in self.tables[table].people:
                    count[person] += 1
        return count

    def boards(self, plan: Plan) -> tuple[Placed, ...]:
        """Give each table a board: its former one, or one where somebody at it has just sat, or the first free one."""
        placed = list(self.problem.fixed)
        before = {(each.table, each.slot): each.board for each in self.problem.now}
        sat: dict[int, tuple[int, int]] = {}
        for slot in self.slots.values():
            here = sorted(table for table, where in plan.items() if where == slot.id)
            free = [
                board for board in slot.boards if all((each.slot, each.board) != (slot.id, board) for each in placed)
            ]
            preferences = [(table, _preferred_board(self.tables[table], slot, before, sat)) for table in here]
            # Tables that already have a board go first, the others in the order of their ids.
            for table, preferred in sorted(preferences, key=lambda each: ((each[0], slot.id) not in before, each[0])):
                board = preferred if preferred in free else free[0]
                free.remove(board)
                placed.append(Placed(table, slot.id, board))
                sat |= dict.fromkeys(self.tables[table].people, (slot.night, board))
        return tuple(sorted(placed, key=lambda each: each.table))


def _preferred_board(
    table: Table, slot: Slot, before: Mapping[tuple[int, int], int], sat: Mapping[int, tuple[int, int]]
) -> int:
    if (table.id, slot.id) in before:
        return before[table.id, slot.id]
    return next((board for who in table.people for night, board in [sat.get(who, (0, 0))] if night == slot.night), 0)


def overlap(one: Slot, other: Slot) -> bool:
    return one.starts < other.ends and other.starts < one.ends

"""Swiss for tables of three to six: neighbours in the standings, new faces, every seat and role in turn.

The standing order is cut into tables; then players are exchanged, nearest tables first, as long as that lessens the
cost: meetings seen before weigh most, then distance in score, then seats and roles that come round too often.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from leagues.formats.errors import FormatError
from leagues.formats.exchange import EXACT_LIMIT, Groups, fewest_repeats, improve
from leagues.formats.field import Field
from leagues.formats.lots import lot
from leagues.formats.points import NORMAL, Scheme
from leagues.formats.reasons import Reason, reason
from leagues.formats.seats import Layouts, assign, roles_for, wishes
from leagues.formats.sizes import table_sizes
from leagues.formats.values import POINT, Bye, History, Kind, Round, Seat, Table

REACH = 12
"""Tables up and down the room among which players are exchanged before looking further."""
SEAT_REACH = 2
SHAKES = 40
"""How often a large field is disturbed and settled again if a repeat is left."""
NEVER = 10_000
"""Company that may not be counts as this many repeats, so that every exchange that parts it is taken."""
BALANCE = (POINT // 8) ** 2
"""One unit of seat or role imbalance is worth moving somebody this far in score, squared."""


@dataclass(frozen=True)
class Plan:
    """Tables of `seats`, the rest of `least`; one of up to `most` rather than a bye.

    `layouts` names the role of each seat, one row a table size.
    """

    seats: int
    least: int
    most: int | None = None
    small_first: bool = False
    layouts: Layouts = ()


def draw(
    history: History, plan: Plan, scheme: Scheme = NORMAL, *, level: bool = False, known: Field | None = None
) -> Round:
    """The next round. `level` ignores the scores: everybody is to meet everybody.

    `known` is the field of this history and scheme, from whoever has it already.
    """
    field = known or Field(history, scheme)
    present = [entrant.id for entrant in history.present()]
    sizes, resting = table_sizes(len(present), plan.seats, plan.least, plan.most)
    byes = resting_byes(field, present, resting, plan)
    sitting = ordered(field, [who for who in present if who not in {bye.entrant for bye in byes}], level=level)
    if plan.small_first:
        sizes = sizes[::-1]
    score = {who: 0 if level else field.score[who] for who in sitting}
    neighbours = cut(sitting, sizes)
    groups = settle(neighbours, Costs(field, score, plan.layouts))
    tables = []
    for number, (group, before) in enumerate(zip(groups, neighbours), 1):
        why = _why(field, group, score, level=level, moved=set(group) != set(before))
        tables.append(table(field, number, group, plan.layouts, why))
    return Round(history.next_round, tuple(tables), (*history.absences(), *byes))


def ordered(field: Field, who: Sequence[int], *, level: bool = False) -> list[int]:
    """By score, then by lot: by seed, the same neighbours would be thrown together round after round."""
    seed, number = field.history.seed, field.history.next_round
    return sorted(who, key=lambda each: (0 if level else -field.score[each], lot(seed, number, each)))


def resting_byes(field: Field, present: Sequence[int], resting: int, plan: Plan) -> list[Bye]:
    """The lowest scores without a bye yet, then fewest rounds missed, then lowest seed."""
    claims = sorted(
        present,
        key=lambda who: (
            field.had(who, (Kind.PAB, Kind.FW)),
            field.score[who],
            field.unplayed_rounds(who),
            -field.entrants[who].seed,
        ),
    )
    most = plan.most or plan.seats
    return [
        Bye(
            who,
            Kind.PAB,
            reason("bye.left-over", entrant=who, count=len(present), least=plan.least, most=most)
            if not field.had(who, (Kind.PAB, Kind.FW))
            else reason("bye.PAB-again", entrant=who),
        )
        for who in claims[:resting]
    ]


def cut(sitting: Sequence[int], sizes: Sequence[int]) -> Groups:
    groups, at = [], 0
    for size in sizes:
        groups.append(list(sitting[at : at + size]))
        at += size
    return groups


class Costs:
    """What two at one table cost, and what a table costs in seats and roles; remembered while one round is drawn.

    `kin` marks those who never share a table because both are to have the same seat or role.
    """

    def __init__(
        self, field: Field, score: Mapping[int, int], layouts: Layouts = (), kin: Mapping[int, int] | None = None
    ) -> None:
        self.field = field
        self.score = score
        self.met = field.company.met
        self.layouts = layouts
        self.kin = kin or {}
        spread = max(score.values(), default=0) - min(score.values(), default=0)
        self.repeat = 100_000 * (spread * spread + POINT * POINT)
        self.forbidden = field.history.forbidden
        self._pairs: dict[int, dict[int, int]] = {who: {} for who in score}
        self._wishes: dict[tuple[int, int], tuple[int, ...]] = {}

    def pair(self, one: int, other: int) -> int:
        cost = self._pairs[one].get(other)
        if cost is None:
            cost = self._pairs[one][other] = self._pair(one, other)
        return cost

    def _pair(self, one: int, other: int) -> int:
        gap = self.score[one] - self.score[other]
        times = self.met[one].get(other, 0)
        cost = gap * gap + (self.repeat * times * times if times else 0)
        if self.barred(one, other):
            cost += NEVER * self.repeat
        return cost

    def barred(self, one: int, other: int) -> bool:
        if self.kin and one in self.kin and self.kin[one] == self.kin.get(other):
            return True
        return bool(self.forbidden) and frozenset((one, other)) in self.forbidden

    def repeats(self, group: Sequence[int]) -> int:
        """Meetings seen before, and far above them those that may not be."""
        seen = 0
        for who in group:
            met = self.met[who]
            seen += sum([met[other] ** 2 for other in group if other in met])
        seen //= 2
        if self.forbidden or self.kin:
            seen += NEVER * sum(self.barred(one, other) for one, other in combinations(group, 2))
        return seen

    def seating(self, group: Sequence[int]) -> int:
        # Sorted, because the cost is the same in any order and `assign` remembers what it was asked.
        return assign(tuple(sorted(self._rows(group))))[0] * BALANCE

    def _rows(self, group: Sequence[int]) -> list[tuple[int, ...]]:
        size = len(group)
        rows = []
        for who in group:
            row = self._wishes.get((who, size))
            if row is None:
                row = self._wishes[who, size] = wishes(self.field, who, size, roles_for(size, self.layouts))
            rows.append(row)
        return rows


def settle(start: Groups, costs: Costs, *, seats: bool = True) -> Groups:
    """The same tables with players exchanged until nothing gets better. Company that may not be is refused."""
    groups = [list(group) for group in start]
    for reach in (REACH, 4 * REACH, len(groups)):
        improve(groups, costs.pair, costs.repeats, reach)
        if not any(map(costs.repeats, groups)):
            break
    else:
        groups = _searched(groups, costs) or _shaken(groups, costs)
    for group in groups:
        for one, other in combinations(group, 2):
            if costs.barred(one, other):
                raise FormatError("error.impossible", entrant=one)
    if seats:
        improve(groups, costs.pair, costs.seating, SEAT_REACH, costs.seating)
    return groups


def _searched(groups: Groups, costs: Costs) -> Groups | None:
    """Small fields: the fewest repeats there can be, then as near in score as those allow; None if out of budget."""
    players = [who for group in groups for who in group]
    sizes = [len(group) for group in groups]
    if len(players) > EXACT_LIMIT:
        return None
    found = fewest_repeats(sizes, lambda a, b: costs.repeats((players[a], players[b])))
    if found is None:
        return None
    better = [[players[at] for at in group] for group in found]
    if sum(map(costs.repeats, better)) >= sum(map(costs.repeats, groups)):
        return groups
    better.sort(key=lambda group: -Fraction(sum(costs.score[who] for who in group), len(group)))
    placed = [better.pop(next(at for at, group in enumerate(better) if len(group) == size)) for size in sizes]
    improve(placed, costs.pair, lambda group: 1, len(placed))
    return placed


def _shaken(groups: Groups, costs: Costs) -> Groups:
    """Large fields: disturb the tables that still hold a repeat and settle again, a number of times; keep the best."""
    best, least = groups, _cost(groups, costs)
    seed, number = costs.field.history.seed, costs.field.history.next_round
    for attempt in range(SHAKES):
        trial = [list(group) for group in best]
        for at, group in enumerate(best):
            if costs.repeats(group):
                chance = lot(seed, number, "shake", attempt, at)
                to = (at + 1 + chance % min(2 * REACH, max(1, len(trial) - 1))) % len(trial)
                mine, theirs = chance // 64 % len(trial[at]), chance // 512 % len(trial[to])
                trial[at][mine], trial[to][theirs] = trial[to][theirs], trial[at][mine]
        improve(trial, costs.pair, costs.repeats, REACH)
        cost = _cost(trial, costs)
        if cost < least:
            best, least = trial, cost
        if not any(map(costs.repeats, best)):
            break
    return best


def _cost(groups: Groups, costs: Costs) -> int:
    return sum(costs.pair(one, other) for group in groups for one, other in combinations(group, 2))


def _why(field: Field, group: Sequence[int], score: Mapping[int, int], *, level: bool, moved: bool) -> Reason:
    repeats = sum(field.company.met[one].get(other, 0) > 0 for one, other in combinations(group, 2))
    if level:
        return reason("design.solver", repeats=repeats)
    low, high = (Fraction(edge(score[who] for who in group), POINT) for edge in (min, max))
    if repeats:
        return reason("swiss.table-repeat", repeats=repeats, low=low, high=high)
    return reason("swiss.table-moved" if moved else "swiss.table", low=low, high=high)


def table(field: Field, number: int, group: Sequence[int], layouts: Layouts, why: Reason) -> Table:
    """The table with everybody in the seat that is due."""
    roles = roles_for(len(group), layouts)
    costs = tuple(wishes(field, who, len(group), roles) for who in group)
    _, numbers = assign(costs)
    seats = [Seat(who, seat, roles[seat - 1] if roles else "") for who, seat in zip(group, numbers)]
    return Table(number, tuple(sorted(seats, key=lambda seat: seat.number)), why)

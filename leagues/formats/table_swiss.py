"""Swiss for tables of three to six: neighbours in the standings, new opponents, every seat and role in turn.

The first round spreads the seeds evenly. Later the standings are cut into tables, and players are exchanged as long as
that lowers the cost: repeated meetings cost most, then distance in score, then seats and roles that somebody had too
often. A field of up to 64 is searched widely (`small_fields`); a larger one exchanges with tables nearby.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, zip_longest

from leagues.formats import small_fields
from leagues.formats.errors import FormatError
from leagues.formats.lots import lot
from leagues.formats.points import NORMAL, Scheme
from leagues.formats.reasons import Reason, reason
from leagues.formats.score_table import ScoreTable
from leagues.formats.seat_assignment import Layouts, assign, roles_for, wishes
from leagues.formats.swap_search import Allowance, Groups, improve
from leagues.formats.table_sizes import deal_by_seed, table_sizes
from leagues.formats.values import POINT, Bye, History, Kind, Round, Seat, Table

REACH = 12
"""How many tables away players are exchanged at first."""
SEAT_REACH = 2
SHAKES = 40
"""How often a large field is shuffled and improved again if a repeat is left."""
NEVER = 10_000
"""A forbidden pair counts as this many repeats, so that every exchange that separates it is made."""
KEPT_APART = 1000
"""A pair that is to be kept apart counts as this many repeats: it meets only where no exchange separates it."""
BALANCE = (POINT // 8) ** 2
"""One unit of seat or role imbalance costs as much as this squared distance in score."""
SEATS_PART = 12
"""In a small field, balanced seats and roles may raise the squared gaps in score by one part in so many."""
BOTTOM_PART = 6
"""The same for small tables at the bottom."""
SEAT_LOOKS = 1000
"""Exchanges that may be tried to balance seats and roles in a small field."""
MEANS = 2520
"""Sums of scores are compared in this part of a unit: whole for tables of up to ten."""


@dataclass(frozen=True)
class Plan:
    """Tables of `seats`, the rest of `least`; one of up to `most` rather than a bye.

    `layouts` names the role of each seat, one row a table size.
    """

    seats: int
    least: int
    most: int | None = None
    layouts: Layouts = ()


def draw(
    history: History,
    plan: Plan,
    scheme: Scheme = NORMAL,
    *,
    level: bool = False,
    known: ScoreTable | None = None,
    quick: bool = False,
) -> Round:
    """The next round. `level` ignores the scores, so that everybody meets everybody.

    `known` is the score table of this history and scheme, if the caller has it already. `quick` searches a small field
    only briefly, for simulations.
    """
    field = known or ScoreTable(history, scheme)
    present = [entrant.id for entrant in history.present()]
    sizes, resting = table_sizes(len(present), plan.seats, plan.least, plan.most)
    byes = resting_byes(field, present, resting, plan)
    sitting = ordered(field, [who for who in present if who not in {bye.entrant for bye in byes}], level=level)
    score = {who: 0 if level else field.score[who] for who in sitting}
    costs = Costs(field, score, plan.layouts)
    if history.next_round == 1:
        groups = first_tables(deal_by_seed(sitting, sizes), costs)
        reasons = [_repeats(costs, group) if level else _seeds(field, group) for group in groups]
    else:
        start = cut(sitting, sizes)
        groups = improve_tables(start, costs, quick=quick)
        if level:
            reasons = [_repeats(costs, group) for group in groups]
        elif len(sitting) > small_fields.MOST:
            reasons = [_why(costs, group, moved=set(group) != set(before)) for group, before in zip(groups, start)]
        else:
            # Simulations are quick and read no reasons.
            reasons = [] if quick else _priced(costs, groups)
    tables = [
        table(field, number, by_lot(field, group), plan.layouts, why)
        for number, (group, why) in enumerate(zip_longest(groups, reasons), 1)
    ]
    return Round(history.next_round, tuple(tables), (*history.absences(), *byes))


def ordered(field: ScoreTable, who: Sequence[int], *, level: bool = False) -> list[int]:
    """By score, then by lot: by seed, the same neighbours would meet round after round.

    Before the first round there is no score: by seed.
    """
    if field.history.next_round == 1:
        return sorted(who, key=lambda each: field.entrants[each].seed)
    seed, number = field.history.seed, field.history.next_round
    return sorted(who, key=lambda each: (0 if level else -field.score[each], lot(seed, number, each)))


def by_lot(field: ScoreTable, group: Sequence[int]) -> list[int]:
    """The order in which people choose among seats that suit them equally."""
    seed, number = field.history.seed, field.history.next_round
    return sorted(group, key=lambda who: lot(seed, number, "seat", who))


def first_tables(dealt: Groups, costs: "Costs") -> Groups:
    """The seeds as dealt, with forbidden pairs separated: inside a lap if possible, so that tables stay even."""
    if not costs.forbidden and not costs.apart:
        return dealt
    laps = {who: lap for group in dealt for lap, who in enumerate(group)}
    try:
        groups = improve_tables(dealt, Costs(costs.field, costs.score, kin={**laps, **costs.kin}), seats=False)
    except FormatError:
        return improve_tables(dealt, costs, seats=False)
    return groups if not any(map(costs.repeats, groups)) else improve_tables(dealt, costs, seats=False)


def resting_byes(field: ScoreTable, present: Sequence[int], resting: int, plan: Plan) -> list[Bye]:
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
    """The cost of two at one table, and of a table's seats and roles; cached while one round is drawn.

    `kin` marks those who must not share a table because both get the same seat or role.
    """

    def __init__(
        self, field: ScoreTable, score: Mapping[int, int], layouts: Layouts = (), kin: Mapping[int, int] | None = None
    ) -> None:
        self.field = field
        self.score = score
        self.met = field.company.met
        self.layouts = layouts
        self.kin = kin or {}
        spread = max(score.values(), default=0) - min(score.values(), default=0)
        self.repeat = 100_000 * (spread * spread + POINT * POINT)
        self.forbidden = field.history.forbidden
        self.apart = field.history.separated_now()
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
        if self.apart and frozenset((one, other)) in self.apart:
            cost += KEPT_APART * self.repeat
        return cost

    def barred(self, one: int, other: int) -> bool:
        if self.kin and one in self.kin and self.kin[one] == self.kin.get(other):
            return True
        return bool(self.forbidden) and frozenset((one, other)) in self.forbidden

    def repeats(self, group: Sequence[int]) -> int:
        """The number of repeated meetings; forbidden ones count much more."""
        seen = 0
        for who in group:
            met = self.met[who]
            seen += sum([met[other] ** 2 for other in group if other in met])
        seen //= 2
        if self.forbidden or self.kin:
            seen += NEVER * sum(self.barred(one, other) for one, other in combinations(group, 2))
        if self.apart:
            seen += KEPT_APART * sum(frozenset(pair) in self.apart for pair in combinations(group, 2))
        return seen

    def problem(self, groups: Groups) -> small_fields.Problem:
        """The input of `small_fields`, with the players in the order of these groups."""
        players = [who for group in groups for who in group]
        at = {who: place for place, who in enumerate(players)}
        repeats = []
        for who in players:
            row = [0] * len(players)
            for other, times in self.met[who].items():
                if other in at:
                    row[at[other]] = times * times
            repeats.append(row)
        for pairs, weight in ((self.forbidden, NEVER), (self.apart, KEPT_APART)):
            for pair in pairs:
                if pair <= at.keys():
                    one, other = (at[who] for who in pair)
                    repeats[one][other] += weight
                    repeats[other][one] += weight
        kinds = [self.kin.get(who, -1) for who in players] if self.kin else None
        return small_fields.Problem([self.score[who] for who in players], repeats, len(groups), kinds)

    def gaps(self, groups: Groups) -> int:
        """The squared differences in score of all who share a table."""
        return sum(_gaps([self.score[who] for who in group]) for group in groups)

    def seating(self, group: Sequence[int]) -> int:
        # Sorted, because the cost is the same in any order and `assign` is cached.
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


def improve_tables(start: Groups, costs: Costs, *, seats: bool = True, quick: bool = False) -> Groups:
    """The tables with players exchanged until nothing gets better. FormatError if a forbidden pair remains."""
    small = sum(map(len, start)) <= small_fields.MOST
    groups = _searched(start, costs, quick=quick) if small else _exchanged(start, costs)
    for group in groups:
        for one, other in combinations(group, 2):
            if costs.barred(one, other):
                raise FormatError("error.impossible", entrant=one)
    if seats:
        allowance = Allowance(costs.gaps(groups) // SEATS_PART, SEAT_LOOKS) if small else None
        improve(groups, costs.pair, costs.seating, SEAT_REACH, costs.seating, allowance)
    return groups


def _exchanged(start: Groups, costs: Costs) -> Groups:
    """Large fields: exchange with tables nearby, then farther away, and at last shuffle tables with a repeat."""
    groups = [list(group) for group in start]
    for reach in (REACH, 4 * REACH, len(groups)):
        improve(groups, costs.pair, costs.repeats, reach)
        if not any(map(costs.repeats, groups)):
            return groups
    return _shaken(groups, costs)


def _searched(start: Groups, costs: Costs, *, quick: bool) -> Groups:
    """Small fields: the best tables of a wide search, those with the highest scores first."""
    players = [who for group in start for who in group]
    at = [table for table, group in enumerate(start) for _ in group]
    problem = costs.problem(start)
    even = len(set(map(len, start))) == 1
    if even:
        # No tables have closer scores than those cut from the standings.
        ranked = sorted(problem.scores)
        problem = replace(problem, floor=sum(map(_gaps, cut(ranked, [len(group) for group in start]))))
    steps = small_fields.quick_steps(len(at)) if quick else small_fields.full_steps(len(at))
    seed = f"{costs.field.history.seed} tables {costs.field.history.next_round}"
    share = steps if even or quick else steps * 2 // 3
    groups = _seated(players, small_fields.find_tables(problem, at, share, seed))
    if share < steps:
        lower = _small_ones_low(problem, at, costs.gaps(groups), steps - share, seed)
        others = _seated(players, lower)
        few = sum(map(costs.repeats, others)) <= sum(map(costs.repeats, groups))
        if few and costs.gaps(others) <= costs.gaps(groups) * (BOTTOM_PART + 1) // BOTTOM_PART:
            groups = others
    groups.sort(key=lambda group: -sum(costs.score[who] for who in group) * MEANS // len(group))
    return groups


def _seated(players: Sequence[int], tables: Sequence[int]) -> Groups:
    groups: Groups = [[] for _ in range(max(tables) + 1)]
    for who, table in zip(players, tables):
        groups[table].append(who)
    return groups


def _gaps(scores: Sequence[int]) -> int:
    return len(scores) * sum([score * score for score in scores]) - sum(scores) ** 2


def _small_ones_low(problem: small_fields.Problem, at: Sequence[int], gaps: int, steps: int, seed: str) -> list[int]:
    """Search again with a cost for high scores at small tables: together at most one BOTTOM_PART of the gaps."""
    sizes = [at.count(table) for table in range(problem.tables)]
    small = [size < max(sizes) for size in sizes]
    lowest = min(problem.scores)
    whole = BOTTOM_PART * sum(size for size, less in zip(sizes, small) if less) * (max(problem.scores) - lowest) or 1
    price = [gaps * (score - lowest) // whole for score in problem.scores]
    places = [price if less else [0] * len(price) for less in small]
    return small_fields.find_tables(replace(problem, places=places), at, steps, f"{seed} small")


def _shaken(groups: Groups, costs: Costs) -> Groups:
    """Large fields: shuffle the tables that still repeat a meeting, improve them again, and keep the best try."""
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


def _repeats(costs: Costs, group: Sequence[int]) -> Reason:
    return reason("design.solver", repeats=_met_before(costs, group))


def _met_before(costs: Costs, group: Sequence[int]) -> int:
    return sum(other in costs.met[one] for one, other in combinations(group, 2))


def _seeds(field: ScoreTable, group: Sequence[int]) -> Reason:
    return reason("swiss.table-seeds", seeds=", ".join(str(field.entrants[who].seed) for who in group))


def _why(costs: Costs, group: Sequence[int], *, moved: bool) -> Reason:
    repeats = _met_before(costs, group)
    low, high = (Fraction(edge(costs.score[who] for who in group), POINT) for edge in (min, max))
    if repeats:
        return reason("swiss.table-repeat", repeats=repeats, low=low, high=high)
    return reason("swiss.table-moved" if moved else "swiss.table", low=low, high=high)


def _priced(costs: Costs, groups: Groups) -> list[Reason]:
    """For each table, why the exchange that would make its scores closest was not made."""
    players = [who for group in groups for who in group]
    at = [table for table, group in enumerate(groups) for _ in group]
    prices = small_fields.Prices(costs.problem(groups), at)
    reasons = []
    for table, group in enumerate(groups):
        closer = sorted(
            (prices.repeats[one][other] > 0, prices.gaps[one][other], one, other)
            for one, here in enumerate(at)
            if here == table
            for other, allowed in enumerate(prices.allowed[one])
            if allowed and prices.gaps[one][other] < 0
        )
        if _met_before(costs, group) or not closer:
            reasons.append(_why(costs, group, moved=False))
            continue
        low, high = (Fraction(edge(costs.score[who] for who in group), POINT) for edge in (min, max))
        refused_for_meeting, _, one, other = closer[0]
        if not refused_for_meeting:
            reasons.append(reason("swiss.table-turns", low=low, high=high))
            continue
        meeting = _would_meet(costs, players[one], group, players[other], groups[at[other]])
        if meeting is None:
            # Whom an organiser keeps apart is not public.
            reasons.append(reason("swiss.table-kept-apart", low=low, high=high))
            continue
        entrant, opponent = meeting
        code = "swiss.table-apart" if opponent in costs.met[entrant] else "swiss.table-forbidden"
        reasons.append(reason(code, low=low, high=high, entrant=entrant, opponent=opponent))
    return reasons


def _would_meet(
    costs: Costs, one: int, here: Sequence[int], other: int, there: Sequence[int]
) -> tuple[int, int] | None:
    """Two who would meet again, or may not meet, if these two changed places; None if they are only kept apart."""
    pairs = [(one, who) for who in there if who != other] + [(other, who) for who in here if who != one]
    again = [pair for pair in pairs if pair[1] in costs.met[pair[0]]]
    return again[0] if again else next((pair for pair in pairs if costs.barred(*pair)), None)


def table(field: ScoreTable, number: int, group: Sequence[int], layouts: Layouts, why: Reason | None) -> Table:
    """The table with everybody in the seat that is due."""
    roles = roles_for(len(group), layouts)
    costs = tuple(wishes(field, who, len(group), roles) for who in group)
    _, numbers = assign(costs)
    seats = [Seat(who, seat, roles[seat - 1] if roles else "") for who, seat in zip(group, numbers)]
    return Table(number, tuple(sorted(seats, key=lambda seat: seat.number)), why)

"""Groups of players made better by exchanging two at a time, and an exact search for small fields."""

from collections.abc import Callable, Iterator, Sequence

EXACT_LIMIT = 24
SEARCH_BUDGET = 300_000
"""Steps the exact search may take, under a second. Counted, not timed: the answer never depends on the clock."""

Groups = list[list[int]]
PairCost = Callable[[int, int], int]
GroupCost = Callable[[Sequence[int]], int]


def improve(groups: Groups, pair: PairCost, wanting: GroupCost, reach: int, extra: GroupCost | None = None) -> bool:
    """Exchange players in place until no group that is `wanting` gets better; say whether anything moved.

    `pair` is the cost of two sharing a group, `extra` what a group costs besides. Partners are sought in groups at
    most `reach` away, and the exchange with the greatest decrease is taken each time.
    """
    clock = 1
    changed = [1] * len(groups)
    tried = [0] * len(groups)
    tolls = [_Toll(group, pair) for group in groups]
    waiting = True
    while waiting:
        waiting = False
        for at in range(len(groups)):
            # Where nothing near has changed since the last attempt, another would find nothing either.
            while max(changed[max(0, at - reach) : at + reach + 1]) > tried[at] and wanting(groups[at]):
                tried[at] = clock
                to = _best_exchange(groups, tolls, at, pair, reach, extra)
                if to is None:
                    break
                clock += 1
                changed[at] = changed[to] = clock
                tolls[at], tolls[to] = _Toll(groups[at], pair), _Toll(groups[to], pair)
                waiting = True
    return clock > 1


class _Toll(dict[int, int]):
    """What a player costs beside everybody else in a group; worked out when first asked for."""

    def __init__(self, group: Sequence[int], pair: PairCost) -> None:
        self.group = group
        self.pair = pair

    def __missing__(self, who: int) -> int:
        pair = self.pair
        cost = self[who] = sum([pair(who, other) for other in self.group if other != who])
        return cost


def _best_exchange(
    groups: Groups, tolls: Sequence[_Toll], at: int, pair: PairCost, reach: int, extra: GroupCost | None
) -> int | None:
    here, toll_here = groups[at], tolls[at]
    own = extra(here) if extra else 0
    least, best = 0, (0, 0, 0)
    for mine, leaver in enumerate(here):
        freed = toll_here[leaver]
        for to in range(max(0, at - reach), min(len(groups), at + reach + 1)):
            if to == at:
                continue
            there, toll_there = groups[to], tolls[to]
            gain = own + extra(there) if extra else 0
            joining = toll_there[leaver] - freed
            for theirs, comer in enumerate(there):
                # Each pays for the group they come to, but not for the one who leaves it in exchange.
                change = joining + toll_here[comer] - toll_there[comer] - 2 * pair(leaver, comer)
                if change - gain >= least:
                    continue
                if extra:
                    rest = here[:mine] + here[mine + 1 :]
                    change += extra([*rest, comer]) + extra([*there[:theirs], leaver, *there[theirs + 1 :]]) - gain
                if change < least:
                    least, best = change, (mine, to, theirs)
    if not least:
        return None
    mine, to, theirs = best
    here[mine], groups[to][theirs] = groups[to][theirs], here[mine]
    return to


def fewest_repeats(sizes: Sequence[int], repeats: PairCost) -> Groups | None:
    """A split of players 0, 1, ... into groups of these sizes with the least sum of `repeats`; None if out of budget.

    Depth first with a growing allowance, so the first answer is the best. Sets of players once found impossible are
    remembered.
    """
    search = _Search(sum(sizes), repeats)
    for allowance in range(search.floor(min(sizes), max(sizes)), sum(size * size for size in sizes) * 64):
        found = search.split((1 << search.count) - 1, tuple(sorted(sizes, reverse=True)), allowance)
        if found is not None or search.steps > SEARCH_BUDGET:
            return found
    return None


class _Search:
    def __init__(self, count: int, repeats: PairCost) -> None:
        self.count = count
        self.cost = [[repeats(a, b) if a != b else 0 for b in range(count)] for a in range(count)]
        self.failed: dict[tuple[int, tuple[int, ...]], int] = {}
        self.steps = 0

    def floor(self, least: int, most: int) -> int:
        """What any split costs at the very least: no group is cheaper than the cheapest one for each who sits in it.

        Groups have from `least` to `most` players. Proving that a little less will not do is most of a search's work.
        """
        waiting = set(range(self.count))
        total = 0
        for allowance in range(most):
            for who in range(self.count):
                if who in waiting:
                    company = [(other, cost) for other, cost in enumerate(self.cost[who]) if other != who]
                    mates, _ = next(self._companies([who], company, least - 1, 0, allowance), ((), 0))
                    waiting.difference_update(mates)
            total += len(waiting)
        return -(-total // most)

    def split(self, left: int, sizes: tuple[int, ...], allowance: int) -> Groups | None:
        if not left:
            return []
        if self.failed.get((left, sizes), -1) >= allowance:
            return None
        first, *others = [who for who in range(self.count) if left >> who & 1]
        beside = self.cost[first]
        company = [(who, beside[who]) for who in others]
        for size in sorted(set(sizes), reverse=True):
            rest = list(sizes)
            rest.remove(size)
            for mates, spent in self._companies([first], company, size - 1, 0, allowance):
                self.steps += 1
                if self.steps > SEARCH_BUDGET:
                    return None
                taken = 0
                for who in mates:
                    taken |= 1 << who
                below = self.split(left & ~taken, tuple(rest), allowance - spent)
                if below is not None:
                    return [mates, *below]
        if self.steps <= SEARCH_BUDGET:
            self.failed[left, sizes] = allowance
        return None

    def _companies(
        self, group: list[int], others: Sequence[tuple[int, int]], wanted: int, spent: int, allowance: int
    ) -> Iterator[tuple[list[int], int]]:
        """The group with `wanted` more of the others, in their order, and what that costs; none above the allowance.

        Each of the others comes with what they cost beside this group: those who cost too much are left out at once.
        """
        if not wanted:
            yield group, spent
            return
        for at, (who, cost) in enumerate(others, 1):
            total = spent + cost
            if total > allowance:
                continue
            if wanted == 1:
                yield [*group, who], total
                continue
            beside, left = self.cost[who], allowance - total
            company = [(other, worth) for other, before in others[at:] if (worth := before + beside[other]) <= left]
            if len(company) >= wanted - 1:
                yield from self._companies([*group, who], company, wanted - 1, total, allowance)

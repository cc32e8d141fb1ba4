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
    waiting = True
    while waiting:
        waiting = False
        for at in range(len(groups)):
            # Where nothing near has changed since the last attempt, another would find nothing either.
            while max(changed[max(0, at - reach) : at + reach + 1]) > tried[at] and wanting(groups[at]):
                tried[at] = clock
                to = _best_exchange(groups, at, pair, reach, extra)
                if to is None:
                    break
                clock += 1
                changed[at] = changed[to] = clock
                waiting = True
    return clock > 1


def _best_exchange(groups: Groups, at: int, pair: PairCost, reach: int, extra: GroupCost | None) -> int | None:
    here = groups[at]
    own = extra(here) if extra else 0
    best: tuple[int, int, int, int] | None = None
    for mine, leaver in enumerate(here):
        rest = here[:mine] + here[mine + 1 :]
        freed = sum([pair(leaver, other) for other in rest])
        for to in range(max(0, at - reach), min(len(groups), at + reach + 1)):
            if to == at:
                continue
            there = groups[to]
            gain = own + extra(there) if extra else 0
            joining = sum([pair(leaver, other) for other in there])
            for theirs, comer in enumerate(there):
                left_behind = sum([pair(comer, other) for other in there if other != comer])
                change = sum([pair(comer, other) for other in rest]) - freed
                change += joining - pair(leaver, comer) - left_behind
                if extra and change - gain < 0:
                    change += extra([*rest, comer]) + extra([*there[:theirs], leaver, *there[theirs + 1 :]]) - gain
                if change < 0 and (best is None or change < best[0]):
                    best = (change, mine, to, theirs)
    if best is None:
        return None
    _, mine, to, theirs = best
    here[mine], groups[to][theirs] = groups[to][theirs], here[mine]
    return to


def fewest_repeats(sizes: Sequence[int], repeats: PairCost) -> Groups | None:
    """A split of players 0, 1, ... into groups of these sizes with the least sum of `repeats`; None if out of budget.

    Depth first with a growing allowance, so the first answer is the best. Sets of players once found impossible are
    remembered.
    """
    search = _Search(sum(sizes), repeats)
    for allowance in range(sum(size * size for size in sizes) * 64):
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

    def split(self, left: int, sizes: tuple[int, ...], allowance: int) -> Groups | None:
        if not left:
            return []
        if self.failed.get((left, sizes), -1) >= allowance:
            return None
        players = [who for who in range(self.count) if left >> who & 1]
        first = players[0]
        for size in sorted(set(sizes), reverse=True):
            rest = list(sizes)
            rest.remove(size)
            for mates, spent in self._companies([first], players[1:], size - 1, 0, allowance):
                self.steps += 1
                if self.steps > SEARCH_BUDGET:
                    return None
                taken = sum([1 << who for who in mates])
                below = self.split(left & ~taken, tuple(rest), allowance - spent)
                if below is not None:
                    return [mates, *below]
        if self.steps <= SEARCH_BUDGET:
            self.failed[left, sizes] = allowance
        return None

    def _companies(
        self, group: list[int], others: Sequence[int], wanted: int, spent: int, allowance: int
    ) -> Iterator[tuple[list[int], int]]:
        """The group with `wanted` more of the others, in their order, and what that costs; none above the allowance."""
        if not wanted:
            yield group, spent
            return
        costs = self.cost
        for at in range(len(others) - wanted + 1):
            who = others[at]
            total = spent
            for mate in group:
                total += costs[mate][who]
            if total <= allowance:
                yield from self._companies([*group, who], others[at + 1 :], wanted - 1, total, allowance)

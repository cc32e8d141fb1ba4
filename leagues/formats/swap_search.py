"""Improves groups of players by exchanging two at a time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

Groups = list[list[int]]
PairCost = Callable[[int, int], int]
GroupCost = Callable[[Sequence[int]], int]


@dataclass
class Allowance:
    """How much the cost of all pairs may rise to lower `extra`, and how many exchanges may be tried.

    Tries are counted, not timed, so that the result never depends on the clock.
    """

    rise: int
    looks: int


def improve(
    groups: Groups,
    pair: PairCost,
    wanting: GroupCost,
    reach: int,
    extra: GroupCost | None = None,
    allowance: Allowance | None = None,
) -> bool:
    """Exchange players in place until no `wanting` group gets better; returns whether anything changed.

    `pair` is the cost of two sharing a group, `extra` what a group costs besides. Partners are sought in groups at
    most `reach` away, and the best exchange is made each time.
    """
    clock = 1
    changed = [1] * len(groups)
    tried = [0] * len(groups)
    tolls = [_Toll(group, pair) for group in groups]
    waiting = True
    while waiting:
        waiting = False
        for at in range(len(groups)):
            # If nothing nearby has changed since the last attempt, another one would find nothing either.
            while max(changed[max(0, at - reach) : at + reach + 1]) > tried[at] and wanting(groups[at]):
                tried[at] = clock
                to = _best_exchange(groups, tolls, at, pair, reach, extra, allowance)
                if to is None:
                    break
                clock += 1
                changed[at] = changed[to] = clock
                tolls[at], tolls[to] = _Toll(groups[at], pair), _Toll(groups[to], pair)
                waiting = True
    return clock > 1


class _Toll(dict[int, int]):
    """The cost of a player with everybody else in a group; computed on demand."""

    def __init__(self, group: Sequence[int], pair: PairCost) -> None:
        self.group = group
        self.pair = pair

    def __missing__(self, who: int) -> int:
        pair = self.pair
        cost = self[who] = sum([pair(who, other) for other in self.group if other != who])
        return cost


def _best_exchange(
    groups: Groups,
    tolls: Sequence[_Toll],
    at: int,
    pair: PairCost,
    reach: int,
    extra: GroupCost | None,
    allowance: Allowance | None,
) -> int | None:
    here, toll_here = groups[at], tolls[at]
    own = extra(here) if extra else 0
    least, best, rise = 0, (0, 0, 0), 0
    for mine, leaver in enumerate(here):
        freed = toll_here[leaver]
        for to in range(max(0, at - reach), min(len(groups), at + reach + 1)):
            if to == at:
                continue
            there, toll_there = groups[to], tolls[to]
            gain = own + extra(there) if extra else 0
            joining = toll_there[leaver] - freed
            for theirs, comer in enumerate(there):
                # Each costs what they cost in the new group, without the one who leaves it.
                paired = change = joining + toll_here[comer] - toll_there[comer] - 2 * pair(leaver, comer)
                if change - gain >= least:
                    continue
                if allowance:
                    if paired > allowance.rise or not allowance.looks:
                        continue
                    allowance.looks -= 1
                if extra:
                    rest = here[:mine] + here[mine + 1 :]
                    change += extra([*rest, comer]) + extra([*there[:theirs], leaver, *there[theirs + 1 :]]) - gain
                if change < least:
                    least, best, rise = change, (mine, to, theirs), paired
    if not least:
        return None
    if allowance:
        allowance.rise -= rise
    mine, to, theirs = best
    here[mine], groups[to][theirs] = groups[to][theirs], here[mine]
    return to

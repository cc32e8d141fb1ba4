"""Exchanges: caching does not change the result, and the allowance is a limit."""

import random
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from leagues.formats import swap_search


def plainly(groups, pair, wanting, reach, extra):
    """The same search without caching: every exchange is compared from scratch."""
    moved = True
    while moved:
        moved = False
        for at in range(len(groups)):
            while wanting(groups[at]) and exchanged(groups, pair, at, reach, extra):
                moved = True


def exchanged(groups, pair, at, reach, extra):
    def cost(group):
        return sum(pair(one, other) for one, other in combinations(group, 2)) + (extra(group) if extra else 0)

    best, chosen = 0, None
    for mine in range(len(groups[at])):
        for to in range(max(0, at - reach), min(len(groups), at + reach + 1)):
            for theirs in range(len(groups[to]) if to != at else 0):
                here, there = list(groups[at]), list(groups[to])
                here[mine], there[theirs] = there[theirs], here[mine]
                change = cost(here) + cost(there) - cost(groups[at]) - cost(groups[to])
                if change < best:
                    best, chosen = change, (to, here, there)
    if chosen is None:
        return False
    to, groups[at], groups[to] = chosen
    return True


@given(
    sizes=st.lists(st.integers(2, 5), min_size=2, max_size=5),
    seed=st.integers(0, 10**6),
    reach=st.integers(1, 4),
    besides=st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_the_same_exchanges_as_weighing_everything_anew(sizes, seed, reach, besides):
    rng = random.Random(seed)
    count = sum(sizes)
    costs = {frozenset(each): rng.choice([0, 0, 1, 5, 9]) for each in combinations(range(count), 2)}
    burden = [rng.randrange(4) for _ in range(count)]
    everybody = rng.sample(range(count), count)
    groups = [[everybody.pop() for _ in range(size)] for size in sizes]
    expected = [list(group) for group in groups]

    def pair(one, other):
        return costs[frozenset((one, other))]

    def extra(group):
        return sum(burden[who] for who in group) ** 2 % 7

    def wanting(group):
        return sum(pair(one, other) for one, other in combinations(group, 2))

    swap_search.improve(groups, pair, wanting, reach, extra if besides else None)
    plainly(expected, pair, wanting, reach, extra if besides else None)
    assert groups == expected


@given(
    sizes=st.lists(st.integers(2, 5), min_size=2, max_size=5),
    seed=st.integers(0, 10**6),
    rise=st.integers(0, 20),
    looks=st.integers(0, 60),
)
@settings(max_examples=60, deadline=None)
def test_an_allowance_is_never_overdrawn(sizes, seed, rise, looks):
    rng = random.Random(seed)
    count = sum(sizes)
    costs = {frozenset(each): rng.choice([0, 0, 1, 5, 9]) for each in combinations(range(count), 2)}
    weighed = 0
    everybody = rng.sample(range(count), count)
    groups = [[everybody.pop() for _ in range(size)] for size in sizes]

    def pair(one, other):
        return costs[frozenset((one, other))]

    def total():
        return sum(pair(one, other) for group in groups for one, other in combinations(group, 2))

    def extra(group):
        nonlocal weighed
        weighed += 1
        return 30 * (sum(group) % 4)

    before = total()
    allowance = swap_search.Allowance(rise, looks)
    swap_search.improve(groups, pair, lambda group: 1, 4, extra, allowance)
    assert total() - before == rise - allowance.rise <= rise
    assert 0 <= allowance.looks <= looks
    # Two groups for each exchange weighed, besides the groups as they are.
    as_they_are = weighed - 2 * (looks - allowance.looks)
    assert as_they_are >= 0

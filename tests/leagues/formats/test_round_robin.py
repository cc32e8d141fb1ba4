"""The published Berger tables, and their properties."""

from collections import Counter
from itertools import combinations, pairwise

import pytest

from leagues.formats import round_robin
from leagues.formats.errors import FormatError
from leagues.formats.values import Kind
from tests.leagues.formats.random_events import cast

# Handbook C.05 annex 1, round by round, first seat first.
PUBLISHED = {
    6: """
        1-6 2-5 3-4
        6-4 5-3 1-2
        2-6 3-1 4-5
        6-5 1-4 2-3
        3-6 4-2 5-1
    """,
    8: """
        1-8 2-7 3-6 4-5
        8-5 6-4 7-3 1-2
        2-8 3-1 4-7 5-6
        8-6 7-5 1-4 2-3
        3-8 4-2 5-1 6-7
        8-7 1-6 2-5 3-4
        4-8 5-3 6-2 7-1
    """,
    10: """
        1-10 2-9 3-8 4-7 5-6
        10-6 7-5 8-4 9-3 1-2
        2-10 3-1 4-9 5-8 6-7
        10-7 8-6 9-5 1-4 2-3
        3-10 4-2 5-1 6-9 7-8
        10-8 9-7 1-6 2-5 3-4
        4-10 5-3 6-2 7-1 8-9
        10-9 1-8 2-7 3-6 4-5
        5-10 6-4 7-3 8-2 9-1
    """,
}


@pytest.mark.parametrize("size", PUBLISHED)
def test_published_tables(size):
    published = [
        [tuple(map(int, pair.split("-"))) for pair in line.split()] for line in PUBLISHED[size].strip().splitlines()
    ]
    assert round_robin.berger(size) == published


@pytest.mark.parametrize("count", range(2, 41))
@pytest.mark.parametrize("double", [False, True])
def test_everybody_meets_everybody_and_seats_are_even(count, double):
    rounds = round_robin.schedule(cast(count), double=double)
    met = Counter(frozenset(table.entrants) for each in rounds for table in each.tables)
    times = 2 if double else 1
    assert met == {frozenset(pair): times for pair in combinations(range(1, count + 1), 2)}
    firsts = Counter(table.entrants[0] for each in rounds for table in each.tables)
    seconds = Counter(table.entrants[1] for each in rounds for table in each.tables)
    assert all(abs(firsts[who] - seconds[who]) <= (0 if double else 1) for who in range(1, count + 1))
    byes = Counter(bye.entrant for each in rounds for bye in each.byes)
    assert byes == (dict.fromkeys(range(1, count + 1), times) if count % 2 else {})
    assert {bye.kind for each in rounds for bye in each.byes} <= {Kind.PAB}


@pytest.mark.parametrize("size", range(4, 41, 2))
def test_double_never_gives_the_same_seat_three_times_running(size):
    rounds = round_robin.schedule(cast(size), double=True)
    for who in range(1, size + 1):
        seats = [table.entrants.index(who) for each in rounds for table in each.tables if who in table.entrants]
        triples = zip(pairwise(seats), pairwise(seats[1:]))
        assert all(len({*one, *two}) > 1 for one, two in triples)


def test_one_entrant_is_too_few():
    with pytest.raises(FormatError, match="at least 2"):
        round_robin.schedule(cast(1))

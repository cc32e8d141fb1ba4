"""Block designs are balanced; other sizes use the search."""

import random
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leagues.formats import block_designs
from leagues.formats.balanced_plan import Plan
from leagues.formats.block_designs import DESIGNS
from leagues.formats.errors import FormatError
from leagues.formats.table_swiss import cut
from tests.leagues.formats.random_events import cast


def meetings(rounds):
    return Counter(
        frozenset(pair) for each in rounds for table in each.tables for pair in combinations(table.entrants, 2)
    )


@pytest.mark.parametrize(("players", "seats"), DESIGNS)
def test_designs(players, seats):
    design = DESIGNS[players, seats]
    rounds = block_designs.league(cast(players), seats, seed="design")
    met = meetings(rounds)
    assert set(met.values()) == {design.meetings}
    assert len(met) == players * (players - 1) // 2
    games = Counter(who for each in rounds for table in each.tables for who in table.entrants)
    assert set(games.values()) == {design.games}
    assert all(len(table.seats) == seats for each in rounds for table in each.tables)
    assert all(table.reason.code == "design" for each in rounds for table in each.tables)


@pytest.mark.parametrize(("players", "seats", "rounds", "tables"), [(9, 3, 4, 3), (16, 4, 5, 4), (7, 4, 7, 1)])
def test_planes_are_full_rounds(players, seats, rounds, tables):
    drawn = block_designs.league(cast(players), seats, seed="plane")
    assert [len(each.tables) for each in drawn] == [tables] * rounds


@pytest.mark.parametrize(("players", "seats"), [(7, 4), (7, 3), (13, 4)])
def test_everybody_has_every_seat_once(players, seats):
    rounds = block_designs.league(cast(players), seats, seed="seats")
    had = Counter((seat.entrant, seat.number) for each in rounds for table in each.tables for seat in table.seats)
    assert had == {(who, seat): 1 for who in range(1, players + 1) for seat in range(1, seats + 1)}


@pytest.mark.parametrize(("players", "seats"), [(13, 3), (9, 3), (16, 4)])
def test_seats_are_nearly_even(players, seats):
    rounds = block_designs.league(cast(players), seats, seed="seats")
    had = Counter((seat.entrant, seat.number) for each in rounds for table in each.tables for seat in table.seats)
    for who in range(1, players + 1):
        times = [had[who, seat] for seat in range(1, seats + 1)]
        assert max(times) - min(times) <= 1


@pytest.mark.parametrize(("players", "seats", "most"), [(8, 4, 2), (10, 3, 1), (12, 4, 2), (15, 3, 2)])
def test_other_sizes_are_solved(players, seats, most):
    rounds = block_designs.league(cast(players), seats, seed="solver")
    met = meetings(rounds)
    assert max(met.values()) <= most
    games = Counter(who for each in rounds for table in each.tables for who in table.entrants)
    assert len(set(games.values())) == 1


@given(tables=st.integers(2, 4), seats=st.integers(2, 5), rounds=st.integers(1, 4), seed=st.integers(0, 10**6))
@settings(max_examples=50, deadline=None)
def test_an_exchange_gains_what_it_says(tables, seats, rounds, seed):
    rng = random.Random(seed)
    players = list(range(tables * seats))
    plan = Plan([cut(rng.sample(players, len(players)), [seats] * tables) for _ in range(rounds)], len(players))
    here, there = rng.sample(rng.choice(plan.rounds), 2)
    mine, theirs = rng.randrange(seats), rng.randrange(seats)
    before, gain = plan.cost[0], plan.gain(here, mine, there, theirs)
    plan.exchange(here, mine, there, theirs)
    assert before - plan.cost[0] == gain
    assert plan.met == Plan(plan.rounds, len(players)).met


def test_the_draw_depends_on_the_seed_and_on_nothing_else():
    assert block_designs.league(cast(7), 4, seed="a") == block_designs.league(cast(7)[::-1], 4, seed="a")
    assert block_designs.league(cast(7), 4, seed="a") != block_designs.league(cast(7), 4, seed="b")


@pytest.mark.parametrize("count", range(2, 7))
def test_a_pod_plays_alone_in_turn(count):
    rounds = block_designs.pod(cast(count), "thanos", "hero")
    assert len(rounds) == count
    alone = [seat.entrant for each in rounds for seat in each.tables[0].seats if seat.role == "thanos"]
    assert sorted(alone) == list(range(1, count + 1))
    had = Counter((seat.entrant, seat.number) for each in rounds for seat in each.tables[0].seats)
    assert set(had.values()) == {1}
    assert len(had) == count * count


def test_too_few():
    with pytest.raises(FormatError):
        block_designs.league(cast(3), 4, seed="few")
    with pytest.raises(FormatError):
        block_designs.pod(cast(1), "thanos", "hero")

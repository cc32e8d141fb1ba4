"""Table Swiss, one against many, rotating teams and duplicate over whole random events."""

import random
from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leagues.formats import duplicate, one_vs_many, table_swiss, teams
from leagues.formats.errors import FormatError
from leagues.formats.reasons import render
from leagues.formats.score_table import ScoreTable
from leagues.formats.seat_assignment import assign
from leagues.formats.table_sizes import table_sizes
from leagues.formats.table_swiss import Plan
from leagues.formats.values import History, Kind, Round, Seat, Table
from tests.leagues.formats.random_events import cast, played, run

PLAN = Plan(4, 3)


def repeats(field, drawn):
    met = field.company.met
    return sum(two in met[one] for table in drawn.tables for one, two in combinations(table.entrants, 2))


@pytest.mark.parametrize(
    ("count", "sizes", "resting"),
    [
        (3, [3], 0), (4, [4], 0), (5, [4], 1), (6, [3, 3], 0), (7, [4, 3], 0), (8, [4, 4], 0),
        (9, [3, 3, 3], 0), (10, [4, 3, 3], 0), (11, [4, 4, 3], 0), (13, [4, 3, 3, 3], 0), (30, [4] * 6 + [3, 3], 0),
    ],
)  # fmt: skip
def test_sizes(count, sizes, resting):
    assert table_sizes(count, 4, 3) == (sizes, resting)


def test_five_may_share_a_table_where_the_game_allows():
    assert table_sizes(5, 4, 3, 5) == ([5], 0)
    with pytest.raises(FormatError):
        table_sizes(2, 4, 3)
    with pytest.raises(FormatError):
        table_sizes(8, 4, 1)


@given(count=st.integers(3, 80), seats=st.integers(3, 6), data=st.data())
def test_sizes_seat_everybody_they_can(count, seats, data):
    least = data.draw(st.integers(2, seats))
    try:
        sizes, resting = table_sizes(count, seats, least)
    except FormatError:
        assert count < least
        return
    assert sum(sizes) + resting == count
    assert all(least <= size <= seats for size in sizes)
    fits = any(least * tables <= count <= seats * tables for tables in range(1, count + 1))
    assert resting == 0 or not fits


@given(st.lists(st.lists(st.integers(0, 9), min_size=4, max_size=4), min_size=4, max_size=4))
def test_seats_are_assigned_at_least_cost(rows):
    from itertools import permutations

    best = min(sum(row[seat] for row, seat in zip(rows, seats)) for seats in permutations(range(4)))
    cost, seats = assign(tuple(map(tuple, rows)))
    assert cost == best == sum(row[seat - 1] for row, seat in zip(rows, seats))


@given(count=st.integers(3, 45), rounds=st.integers(1, 6), seed=st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_whole_events(count, rounds, seed):
    def draw(history):
        try:
            return table_swiss.draw(history, PLAN)
        except FormatError:
            assert len(history.present()) < 3
            return replace(teams.fixed(history), tables=())

    for history, drawn in run(draw, count, rounds, seed, forfeits=0.05):
        present = {entrant.id for entrant in history.present()}
        if len(present) < 3:
            continue
        resting = [bye.entrant for bye in drawn.byes if bye.kind is Kind.PAB]
        seated = [who for table in drawn.tables for who in table.entrants]
        assert sorted([*seated, *resting]) == sorted(present)
        assert all(3 <= len(table.seats) <= 4 for table in drawn.tables)
        assert len(resting) == (1 if len(present) == 5 else 0)
        field = ScoreTable(history)
        if resting and not all(field.had(who, (Kind.PAB, Kind.FW)) for who in present):
            assert not field.had(resting[0], (Kind.PAB, Kind.FW))
        assert table_swiss.draw(history, PLAN) == drawn
        assert all(render(each.reason) for each in (*drawn.tables, *drawn.byes))


def partitions(players, sizes):
    """Every way to sit these at tables of these sizes."""
    if not sizes:
        yield []
        return
    for at, size in enumerate(sizes):
        if size in sizes[:at]:
            continue
        for mates in combinations(players[1:], size - 1):
            rest = [who for who in players[1:] if who not in mates]
            for below in partitions(rest, [*sizes[:at], *sizes[at + 1 :]]):
                yield [(players[0], *mates), *below]


@given(count=st.sampled_from([6, 7, 8, 9, 10]), seats=st.sampled_from([3, 4]), seed=st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_never_more_repeats_than_brute_force(count, seats, seed):
    plan = Plan(seats, max(2, seats - 1))
    for history, drawn in run(lambda history: table_swiss.draw(history, plan), count, 4, seed, busy=False):
        met = ScoreTable(history).company.met
        sizes, _ = table_sizes(count, plan.seats, plan.least)

        def cost(tables, met=met):
            return sum(met[one].get(two, 0) ** 2 for table in tables for one, two in combinations(table, 2))

        best = min(map(cost, partitions(list(range(1, count + 1)), sizes)))
        assert cost([table.entrants for table in drawn.tables]) == best


def test_two_thousand_without_a_repeat():
    history = History("large", cast(2000))
    rng = random.Random(1)
    for _ in range(4):
        history = replace(history, rounds=(*history.rounds, played(table_swiss.draw(history, PLAN), rng)))
    drawn = table_swiss.draw(history, PLAN)
    field = ScoreTable(history)
    assert repeats(field, drawn) == 0
    spread = [max(scores) - min(scores) for scores in ([field.score[w] for w in t.entrants] for t in drawn.tables)]
    assert sum(spread) / len(spread) < 5


@given(count=st.integers(8, 40), seed=st.integers(0, 10**6))
@settings(max_examples=8, deadline=None)
def test_every_seat_in_turn(count, seed):
    count -= count % 4
    for history, drawn in run(lambda history: table_swiss.draw(history, PLAN), count, 4, seed, busy=False):
        field = ScoreTable(replace(history, rounds=(*history.rounds, drawn)))
    had = [max(seats.values()) for seats in field.company.seats.values()]
    if count >= 16:
        assert max(had) <= 2
    if count >= 28:
        # Without looking, 4!/4^4 = 9 in 100 would have every seat once.
        assert sum(times == 1 for times in had) >= count / 2


def test_forbidden_company_never_shares_a_table():
    forbidden = frozenset({frozenset({1, 2}), frozenset({3, 4}), frozenset({1, 3})})
    for _, drawn in run(lambda h: table_swiss.draw(h, PLAN), 13, 5, 3, forbidden=forbidden):
        assert not any(pair <= set(table.entrants) for table in drawn.tables for pair in forbidden)
    everybody = frozenset(frozenset(pair) for pair in combinations(range(1, 5), 2))
    with pytest.raises(FormatError, match="No complete draw"):
        table_swiss.draw(History("no", cast(4), forbidden=everybody), PLAN)


def test_a_small_table_is_mostly_at_the_bottom():
    # By chance it would be in 4 of 12 events.
    history = History("small", cast(11))
    drawn = table_swiss.draw(history, PLAN)
    assert sorted(len(table.seats) for table in drawn.tables) == [3, 4, 4]
    at_the_bottom = 0
    for seed in range(12):
        rng = random.Random(seed)
        event = replace(history, seed=f"small {seed}", rounds=(played(drawn, rng),))
        at_the_bottom += len(table_swiss.draw(event, PLAN).tables[-1].seats) == 3
    assert at_the_bottom >= 9


@given(count=st.integers(6, 64), seats=st.integers(3, 6), seed=st.integers(0, 10**6))
@settings(max_examples=40, deadline=None)
def test_the_first_round_spreads_the_seeds(count, seats, seed):
    plan = Plan(seats, seats - 1)
    drawn = table_swiss.draw(History(f"{seed}", cast(count)), plan)
    tables = len(drawn.tables)
    order = sorted(who for table in drawn.tables for who in table.entrants)
    least = min(len(table.seats) for table in drawn.tables)
    # Of each lap of as many seeds as there are tables, every table has one, as long as all tables have seats.
    for lap in range(least):
        those = set(order[lap * tables : (lap + 1) * tables])
        assert all(len(those.intersection(table.entrants)) == 1 for table in drawn.tables)
    for table in drawn.tables:
        assert table.reason.code == "swiss.table-seeds"
        assert sorted(map(int, table.reason["seeds"].split(", "))) == sorted(table.entrants)


def test_the_first_seat_of_the_first_round_is_not_for_the_strongest():
    drawn = table_swiss.draw(History("seats", cast(40)), PLAN)
    strongest = [min(table.entrants) == table.entrants[0] for table in drawn.tables]
    assert 0 < sum(strongest) < len(strongest)


def test_those_who_may_not_meet_are_parted_inside_their_lap():
    forbidden = frozenset({frozenset({1, 8}), frozenset({2, 7})})
    drawn = table_swiss.draw(History("apart", cast(16), forbidden=forbidden), PLAN)
    for table in drawn.tables:
        assert not any(pair <= set(table.entrants) for pair in forbidden)
        assert [(who - 1) // 4 for who in sorted(table.entrants)] == [0, 1, 2, 3]


@given(count=st.integers(6, 40), seed=st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_the_first_round_of_one_against_many_is_even(count, seed):
    drawn = one_vs_many.draw(History(f"{seed}", cast(count)), PLAN, solo="thanos", team="hero")
    alone = [table.seats[0].entrant for table in drawn.tables]
    others = [sorted(set(table.entrants) - set(alone)) for table in drawn.tables]
    # The first lap of the others is the weakest of them, one for each table.
    weakest = sorted((who for group in others for who in group), reverse=True)[: len(alone)]
    assert all(len(set(group) & set(weakest)) == 1 for group in others)
    assert {alone[at]: max(group) for at, group in enumerate(others)} == dict(zip(sorted(alone), sorted(weakest)))


@given(count=st.integers(4, 40), seed=st.integers(0, 10**6))
@settings(max_examples=8, deadline=None)
def test_playing_alone_comes_round_evenly(count, seed):
    def draw(history):
        return one_vs_many.draw(history, PLAN, solo="thanos", team="hero")

    for history, drawn in run(draw, count, 6, seed, busy=False):
        alone = [seat.entrant for table in drawn.tables for seat in table.seats if seat.role == "thanos"]
        assert len(alone) == len(drawn.tables)
        assert all(table.seats[0].role == "thanos" for table in drawn.tables)
        counts = ScoreTable(replace(history, rounds=(*history.rounds, drawn))).company.roles
        times = [counts[who].get("thanos", 0) for who in counts]
        # Only who sat out may lag behind: those at a table differ by one at most.
        assert max(times) - min(times) <= (1 if count != 5 else 2)


def test_fewest_games_alone_come_before_longest_ago():
    # 1 was alone in rounds 1 and 2, 2 in round 3, 3 in round 4: it is 2's turn, once and longer ago than 3.
    history = History("turns", cast(3))
    for number, solo in enumerate((1, 1, 2, 3), 1):
        others = [who for who in (1, 2, 3) if who != solo]
        seats = (Seat(solo, 1, "thanos"), *(Seat(who, at, "hero") for at, who in enumerate(others, 2)))
        history = replace(history, rounds=(*history.rounds, Round(number, (Table(1, seats),))))
    drawn = one_vs_many.draw(history, PLAN, solo="thanos", team="hero")
    assert drawn.tables[0].seats[0].entrant == 2


def test_team_mates_are_no_opponents():
    from leagues.formats.points import SIDES

    history = History("sides", cast(4))
    drawn = one_vs_many.draw(history, PLAN, solo="thanos", team="hero")
    solo = drawn.tables[0].seats[0].entrant
    from tests.leagues.formats.random_events import finished

    history = replace(history, rounds=(replace(drawn, tables=(finished(drawn.tables[0], (1, 2, 2, 2)),)),))
    field = ScoreTable(history, SIDES)
    assert field.score[solo] == 120
    assert set(field.games[solo][0].others) == {1, 2, 3, 4} - {solo}
    assert all(field.games[who][0].others == (solo,) for who in {1, 2, 3, 4} - {solo})


def test_rotating_teams_have_new_mates_while_there_are_any():
    history = History("teams", cast(16))
    for number in range(5):
        drawn = teams.rotating(history, Plan(4, 4))
        if number < 3:
            assert repeats(ScoreTable(history), drawn) == 0
        history = replace(history, rounds=(*history.rounds, drawn))
    assert {table.reason.code for table in drawn.tables} == {"team.rotating"}


def test_fixed_teams_have_a_table_each():
    drawn = teams.fixed(History("fixed", cast(5)))
    assert [table.entrants for table in drawn.tables] == [(1,), (2,), (3,), (4,), (5,)]


@given(tables=st.integers(1, 9), seats=st.integers(2, 5), left=st.integers(0, 3), seed=st.integers(0, 10**6))
@settings(max_examples=25, deadline=None)
def test_duplicate_rotates_seats_on_one_deal(tables, seats, left, seed):
    count = tables * seats + min(left, seats - 1)
    history = History(f"{seed}", cast(count))
    deals = set()
    for _ in range(seats):
        drawn = duplicate.draw(history, seats, "secret")
        assert len({table.deal for table in drawn.tables}) == 1
        deals.add(drawn.tables[0].deal)
        assert len(drawn.tables) == tables
        assert {tuple(seat.number for seat in table.seats) for table in drawn.tables} == {tuple(range(1, seats + 1))}
        history = replace(history, rounds=(*history.rounds, drawn))
    assert len(deals) == seats
    if count == tables * seats:
        chairs = ScoreTable(history).company.seats
        assert all(Counter(chairs[who]) == dict.fromkeys(range(1, seats + 1), 1) for who in chairs)


@given(count=st.integers(8, 30), seats=st.integers(3, 5), seed=st.integers(0, 10**6))
@settings(max_examples=15, deadline=None)
def test_no_two_would_gain_by_changing_duplicate_seats(count, seats, seed):
    """Whoever comes and goes: each seat counts the square of how much oftener one had it than the rarest."""

    def draw(history):
        if len(history.present()) < seats:
            return Round(history.next_round, (), history.absences())
        return duplicate.draw(history, seats, "secret")

    for history, drawn in run(draw, count, 6, seed):
        had = ScoreTable(history).company.seats

        def cost(who, seat, had=had):
            return (had[who].get(seat, 0) - min(had[who].get(each, 0) for each in range(1, seats + 1))) ** 2

        sitting = [(seat.entrant, seat.number) for table in drawn.tables for seat in table.seats]
        for (one, here), (two, there) in combinations(sitting, 2):
            assert cost(one, here) + cost(two, there) <= cost(one, there) + cost(two, here)


def test_duplicate_marks():
    grades = [(1, "seat 1", (1, 20)), (2, "seat 1", (1, 15)), (3, "seat 1", (0, 30)), (4, "seat 1", (1, 15))]
    found = {mark.entrant: str(mark.value) for mark in duplicate.marks(1, [*grades, (9, "seat 2", (0, 1))])}
    # Of three others: 1 beat all; 2 and 4 beat one and are level with one: (2 + 1) / 6; nobody to compare 9 with.
    assert found == {1: "1", 2: "1/2", 3: "0", 4: "1/2", 9: "1/2"}


def test_duplicate_ranking():
    first = duplicate.marks(1, [(1, "team", (1, 3)), (2, "team", (1, 2)), (3, "team", (0, 0))])
    second = duplicate.marks(2, [(1, "team", (0, 1)), (2, "team", (1, 2)), (3, "team", (1, 9))])
    # 1: 1 + 0; 2: 1/2 + 1/2; 3: 0 + 1. Level on 1: the best single mark puts 2 last, the lot parts 1 and 3.
    table = duplicate.ranking([*first, *second], "seed")
    assert dict(table) == {1: 1, 2: 1, 3: 1}
    assert table[-1][0] == 2
    assert table == duplicate.ranking([*second, *first], "seed")


def test_deals_need_the_secret():
    assert duplicate.deal("a", 1) == duplicate.deal("a", 1)
    assert len({duplicate.deal(secret, number) for secret in "ab" for number in (1, 2)}) == 4

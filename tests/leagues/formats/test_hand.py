"""Draws changed by hand, against an oracle that counts from the bare rounds; and pairs that are kept apart."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest

from leagues.formats import hand, one_vs_many, swiss, table_swiss
from leagues.formats.errors import FormatError
from leagues.formats.hand import Concern, DrawCost
from leagues.formats.points import NORMAL
from leagues.formats.score_table import ScoreTable
from leagues.formats.table_swiss import Plan
from leagues.formats.values import POINT, Entrant, History, Kind, Place, Round, SeparatedPair, Table, TableState


def event(count, rounds, chance, draw, apart=()):
    """An event of so many rounds with random results."""
    history = History("seed", tuple(Entrant(n, n) for n in range(1, count + 1)), planned=9, apart=apart)
    for _number in range(rounds):
        drawn = draw(history)
        tables = []
        for table in drawn.tables:
            ranks = list(range(1, len(table.seats) + 1))
            chance.shuffle(ranks)
            places = tuple(Place(rank) for rank in ranks)
            tables.append(Table(table.number, table.seats, None, TableState.CONFIRMED, places))
        history = History(
            history.seed,
            history.entrants,
            (*history.rounds, Round(drawn.number, tuple(tables), drawn.byes)),
            planned=9,
            apart=apart,
        )
    return history


def oracle(history, tables, byes):
    """The same numbers, counted from the rounds alone."""
    score, met, seats, rows, rested = Counter(), Counter(), Counter(), {}, set()
    for each in history.rounds:
        for table in each.tables:
            size = len(table.seats)
            for seat, place in zip(table.seats, table.places):
                score[seat.entrant] += Fraction(size - place.rank, size - 1)
                seats[seat.entrant, seat.number] += 1
                rows.setdefault(seat.entrant, []).append(seat.number)
            for pair in combinations(sorted(table.entrants), 2):
                met[pair] += 1
        for bye in each.byes:
            score[bye.entrant] += 1 if bye.kind is Kind.PAB else 0
            rested.add(bye.entrant)
    number = len(history.rounds) + 1
    rules = [each.pair for each in history.apart if each.until is None or number < each.until]
    apart = repeats = many = 0
    distance = Fraction(0)
    for table in tables:
        for pair in combinations(sorted(table.entrants), 2):
            apart += set(pair) in [set(rule) for rule in rules]
            repeats += met[pair]
        scores = [score[who] for who in table.entrants]
        distance += max(scores) - min(scores)
        for seat in table.seats:
            who, size = seat.entrant, len(table.seats)
            had = [seats[who, each] for each in range(1, size + 1)]
            in_a_row = rows.get(who, [])[-2:] == [seat.number] * 2
            often = had[seat.number - 1] >= 2 and had[seat.number - 1] >= min(had) + 2
            many += in_a_row or often
    return DrawCost(apart, len(set(byes) & rested), repeats, int(distance * POINT), many)


def two(history):
    return swiss.draw(history)


def four(history):
    return table_swiss.draw(history, Plan(4, 3), quick=True)


@pytest.mark.parametrize(("draw", "count"), [(two, 9), (four, 11)])
@pytest.mark.parametrize("seed", range(6))
def test_the_cost_is_what_the_oracle_counts_after_any_exchanges(draw, count, seed):
    chance = Random(seed)
    apart = (SeparatedPair(frozenset({1, 2})), SeparatedPair(frozenset({3, 5}), until=2 + seed % 4))
    history = event(count, 2 + seed % 3, chance, draw, apart)
    drawn = draw(history)
    tables, byes = drawn.tables, frozenset(bye.entrant for bye in drawn.byes if bye.kind is Kind.PAB)
    field = ScoreTable(history, NORMAL)
    everybody = [who for table in tables for who in table.entrants] + sorted(byes)
    for _step in range(25):
        found = hand.assess(field, tables, byes)
        assert found.cost == oracle(history, tables, byes)
        one, other = chance.sample(everybody, 2)
        before = tables, byes
        tables, byes = hand.exchange(tables, byes, one, other)
        assert hand.exchange(tables, byes, one, other) == before
        assert sorted([who for table in tables for who in table.entrants] + list(byes)) == sorted(everybody)


def test_every_concern_is_said():
    seen = set()
    for seed in range(6):
        history = event(5, 4, Random(seed), two, (SeparatedPair(frozenset({1, 2})),))
        field = ScoreTable(history, NORMAL)
        drawn = two(history)
        tables, byes = drawn.tables, frozenset(bye.entrant for bye in drawn.byes)
        for one, other in combinations(range(1, 6), 2):
            seen |= {each.concern for each in hand.assess(field, *hand.exchange(tables, byes, one, other)).warnings}
    assert seen == set(Concern)


def test_scores_do_not_matter_where_the_format_ignores_them():
    history = event(8, 3, Random(1), four)
    drawn = four(history)
    found = hand.assess(ScoreTable(history, NORMAL), drawn.tables, (), level=True)
    assert found.cost.distance == 0
    assert not [each for each in found.warnings if each.concern is Concern.FAR]


def test_somebody_who_is_not_drawn_changes_no_places():
    drawn = two(event(4, 1, Random(1), two))
    with pytest.raises(FormatError, match=r"no\. 99 is not in this draw"):
        hand.exchange(drawn.tables, (), 1, 99)


def solo(history):
    return one_vs_many.draw(history, Plan(4, 3), solo="one", team="many", quick=True)


@pytest.mark.parametrize(("draw", "count"), [(two, 10), (four, 12), (solo, 12)])
@pytest.mark.parametrize("seed", range(4))
def test_pairs_to_keep_apart_never_meet_where_another_draw_exists(draw, count, seed):
    chance = Random(seed)
    pairs = [frozenset(chance.sample(range(1, count + 1), 2)) for _ in range(4)]
    history = event(count, 4, chance, draw, tuple(SeparatedPair(pair) for pair in pairs))
    for each in history.rounds:
        for table in each.tables:
            assert not [pair for pair in pairs if pair <= set(table.entrants)]


@pytest.mark.parametrize("draw", [two, four])
def test_pairs_that_may_meet_late_do_not_meet_before(draw):
    rule = SeparatedPair(frozenset({1, 2}), until=4)
    history = event(8, 3, Random(5), draw, (rule,))
    assert not [table for each in history.rounds for table in each.tables if rule.pair <= set(table.entrants)]
    assert rule.pair not in history.separated_now()
    assert rule.pair in History("seed", history.entrants, history.rounds[:2], apart=(rule,)).separated_now()


def test_where_no_draw_keeps_all_apart_the_fewest_meet():
    """Everybody is to be kept apart from everybody, but for one pair: swiss draws that pair and breaks one rule."""
    entrants = tuple(Entrant(n, n) for n in range(1, 5))
    rules = tuple(SeparatedPair(frozenset(pair)) for pair in combinations(range(1, 5), 2) if pair != (1, 2))
    drawn = swiss.draw(History("seed", entrants, apart=rules))
    pairs = {frozenset(table.entrants) for table in drawn.tables}
    assert pairs == {frozenset({1, 2}), frozenset({3, 4})}
    field = ScoreTable(History("seed", entrants, apart=rules), NORMAL)
    assert hand.assess(field, drawn.tables, ()).cost.apart == 1


def test_one_table_for_two_who_are_to_be_kept_apart():
    entrants = tuple(Entrant(n, n) for n in range(1, 5))
    history = History("seed", entrants, apart=(SeparatedPair(frozenset({1, 2})),))
    drawn = table_swiss.draw(history, Plan(4, 3))
    assert hand.assess(ScoreTable(history, NORMAL), drawn.tables, ()).cost.apart == 1


def test_keeping_apart_outweighs_meeting_again():
    entrants = tuple(Entrant(n, n) for n in range(1, 5))
    played = Round(
        1,
        tuple(
            Table(number, seats, None, TableState.CONFIRMED, (Place(1), Place(2)))
            for number, seats in ((1, _seats(1, 2)), (2, _seats(3, 4)))
        ),
    )
    rules = (SeparatedPair(frozenset({1, 3})), SeparatedPair(frozenset({1, 4})))
    drawn = swiss.draw(History("seed", entrants, (played,), apart=rules))
    assert {frozenset(table.entrants) for table in drawn.tables} == {frozenset({1, 2}), frozenset({3, 4})}


def _seats(*who):
    from leagues.formats.values import Seat

    return tuple(Seat(each, at) for at, each in enumerate(who, 1))


def test_the_reason_of_a_table_names_nobody_who_is_kept_apart():
    for seed in range(6):
        chance = Random(seed)
        rules = tuple(SeparatedPair(frozenset(pair)) for pair in combinations((1, 2, 3), 2))
        history = event(12, 3, chance, four, rules)
        for table in table_swiss.draw(history, Plan(4, 3)).tables:
            assert table.reason.code != "swiss.table-forbidden"

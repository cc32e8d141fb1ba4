"""Invariants of the standings of any event."""

import random
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leagues.formats import round_robin, swiss, table_swiss
from leagues.formats.reasons import render
from leagues.formats.score_table import ScoreTable
from leagues.formats.standings import breakdown, standings
from leagues.formats.tiebreaks.base import TieBreakInput
from leagues.formats.tiebreaks.registry import PARTS, PRESETS, parse
from leagues.formats.values import History, TableState
from tests.leagues.formats.random_events import cast, corrected, opened, played, run

EVERYTHING = parse(code for code in PARTS if code != "lot")


def event(kind, count, rounds, seed):
    draws = {"swiss": swiss.draw, "table": lambda history: table_swiss.draw(history, table_swiss.Plan(4, 2))}
    history = None
    rng = random.Random(seed)
    for before, drawn in run(draws[kind], count, rounds, seed, forfeits=0.1):
        history = replace(before, rounds=(*before.rounds, played(drawn, rng, forfeits=0.1)))
    if history is None:
        return History("nobody", cast(count), planned=rounds)
    rated = tuple(replace(entrant, rating=1500 + 7 * entrant.id) for entrant in history.entrants)
    return replace(history, entrants=rated, planned=rounds)


KINDS = st.sampled_from(["swiss", "table"])


@given(kind=KINDS, count=st.integers(3, 16), rounds=st.integers(1, 6), seed=st.integers(0, 10**6))
@settings(max_examples=40, deadline=None)
def test_open_tables_change_no_standing(kind, count, rounds, seed):
    history = event(kind, count, rounds, seed)
    rng = random.Random(seed)
    left, gone = [], []
    for each in history.rounds:
        tables = [opened(table) if rng.random() < 0.3 else table for table in each.tables]
        left.append(replace(each, tables=tuple(tables)))
        gone.append(replace(each, tables=tuple(table for table in tables if table.counts)))
    with_open = standings(ScoreTable(replace(history, rounds=tuple(left))), EVERYTHING)
    without = standings(ScoreTable(replace(history, rounds=tuple(gone))), EVERYTHING)
    assert with_open == without


@pytest.mark.parametrize("state", [state for state in TableState if state is not TableState.CONFIRMED])
def test_only_confirmed_results_count(state):
    history = event("swiss", 8, 2, 1)
    tables = tuple(replace(table, state=state) for table in history.rounds[-1].tables)
    reported = replace(history, rounds=(*history.rounds[:-1], replace(history.rounds[-1], tables=tables)))
    empty = replace(history, rounds=(*history.rounds[:-1], replace(history.rounds[-1], tables=())))
    assert ScoreTable(reported).score == ScoreTable(empty).score


@given(kind=KINDS, count=st.integers(3, 16), rounds=st.integers(1, 6), seed=st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_values_are_exactly_their_breakdowns(kind, count, rounds, seed):
    sheet = TieBreakInput(ScoreTable(event(kind, count, rounds, seed)))
    summed = [code for code in PARTS if code.startswith(("buchholz", "sonne", "koya", "progress", "margin", "wins"))]
    for who in sheet.field.entrants:
        for part in (*EVERYTHING, PARTS["lot"]):
            parts = breakdown(sheet, part, who)
            if part.code != "head-to-head":
                assert parts.value == sheet.value(part, who)
            assert not any(isinstance(line.amount, float) for line in parts.lines)
            if part.code in summed:
                counted = sum((Fraction(line.amount) for line in parts.lines if not line.cut), Fraction(0))
                assert parts.value == counted / part.unit


@given(kind=KINDS, count=st.integers(3, 16), rounds=st.integers(1, 6), seed=st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_places(kind, count, rounds, seed):
    field = ScoreTable(event(kind, count, rounds, seed))
    for codes in PRESETS.values():
        rows = standings(field, parse(codes))
        assert [row.score for row in rows] == sorted((row.score for row in rows), reverse=True)
        # The lot ends every list, so no place is shared and the order is total.
        assert [row.place for row in rows] == list(range(1, len(rows) + 1))
        assert all(render(row.reason) for row in rows)
    for at, row in enumerate(standings(field, EVERYTHING)):
        assert row.place <= at + 1 < row.place + row.shared


@given(kind=KINDS, count=st.integers(3, 12), rounds=st.integers(1, 5), seed=st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_the_order_of_rows_in_the_input_does_not_matter(kind, count, rounds, seed):
    history = event(kind, count, rounds, seed)
    rng = random.Random(seed)
    shuffled = replace(
        history,
        entrants=tuple(rng.sample(history.entrants, len(history.entrants))),
        rounds=tuple(
            replace(each, tables=tuple(rng.sample(each.tables, len(each.tables))), byes=each.byes[::-1])
            for each in history.rounds
        ),
    )
    parts = parse(PRESETS["swiss"])
    assert standings(ScoreTable(history), parts) == standings(ScoreTable(shuffled), parts)


@given(kind=KINDS, count=st.integers(3, 12), seed=st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_a_correction_moves_only_those_it_concerns(kind, count, seed):
    history = event(kind, count, 4, seed)
    changed = corrected(history, random.Random(seed))
    touched = {
        who
        for old, new in zip(history.rounds, changed.rounds)
        for before, after in zip(old.tables, new.tables)
        if before != after
        for who in before.entrants
    }
    before, after = ScoreTable(history), ScoreTable(changed)
    assert all(before.games[who] == after.games[who] for who in before.entrants if who not in touched)
    assert len(touched) <= 4


def test_round_robin_scores_add_up():
    rng = random.Random(4)
    rounds = tuple(played(each, rng) for each in round_robin.schedule(cast(9)))
    rows = standings(ScoreTable(History("all", cast(9), rounds), round_robin=True), parse(PRESETS["round-robin"]))
    assert sum(row.score for row in rows) == 36 * 120
    assert {row.played for row in rows} == {8}

"""Brackets follow from seeds and results alone, waste no bye, and delay rematches as long as possible."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leagues.formats import bracket as br
from leagues.formats.bracket import Decision, MatchState
from leagues.formats.errors import FormatError

KINDS = {
    "single": lambda seeds, results: br.single(seeds, results),
    "third": lambda seeds, results: br.single(seeds, results, third=True),
    "double": lambda seeds, results: br.double(seeds, results),
    "one final": lambda seeds, results: br.double(seeds, results, reset=False),
}


def played_out(build, seeds, rng, choose=None):
    """Play ready matches in any order until none is left; the bracket after each step, and all results."""
    results = {}
    while ready := build(seeds, results).ready:
        match = rng.choice(ready)
        winner = choose(match) if choose else rng.choice(match.entrants)
        loser = next(who for who in match.entrants if who != winner)
        results[match.id] = Decision(winner, loser)
        yield dict(results)


def test_seed_order():
    assert br.seed_order(8) == [1, 8, 4, 5, 2, 7, 3, 6]


@pytest.mark.parametrize("kind", KINDS)
@given(count=st.integers(2, 40), seed=st.integers(0, 10**6))
@settings(max_examples=40, deadline=None)
def test_every_entrant_gets_exactly_one_place(kind, count, seed):
    rng, seeds = random.Random(seed), list(range(101, 101 + count))
    *_, results = played_out(KINDS[kind], seeds, rng)
    final = KINDS[kind](seeds, results)
    listed = br.places(final)
    assert sorted(who for _, out in listed for who in out) == seeds
    at = 1
    for place, out in listed:
        assert place == at
        at += len(out)
    assert not final.orphans
    assert all(m.state in (MatchState.DONE, MatchState.BYE, MatchState.UNNEEDED) for m in final.matches)
    losses = dict.fromkeys(seeds, 0)
    for match in final.matches:
        if match.state is MatchState.DONE:
            losses[match.loser] += 1
    champion = listed[0][1][0]
    if kind == "double":
        assert losses[champion] <= 1
        assert all(losses[who] == 2 for who in seeds if who != champion)
    elif kind == "single":
        assert losses[champion] == 0
        assert all(losses[who] == 1 for who in seeds if who != champion)


@pytest.mark.parametrize("kind", KINDS)
@given(count=st.integers(2, 20), seed=st.integers(0, 10**6))
@settings(max_examples=25, deadline=None)
def test_built_step_by_step_in_any_order_equals_built_at_once(kind, count, seed):
    rng, seeds = random.Random(seed), list(range(1, count + 1))
    known = {}
    for results in played_out(KINDS[kind], seeds, rng):
        now = KINDS[kind](seeds, results)
        for place, out in known.items():
            assert set(out) <= set(dict(br.places(now))[place])
        known = dict(br.places(now))
        shuffled = list(results.items())
        rng.shuffle(shuffled)
        assert KINDS[kind](seeds, dict(shuffled)).matches == now.matches


@given(count=st.integers(2, 33), seed=st.integers(0, 10**6))
@settings(max_examples=40, deadline=None)
def test_a_correction_keeps_results_that_no_longer_fit(count, seed):
    rng, seeds = random.Random(seed), list(range(1, count + 1))
    *_, results = played_out(KINDS["double"], seeds, rng)
    before = br.double(seeds, results)
    changed = rng.choice([match for match in before.matches if match.state is MatchState.DONE])
    after = br.double(seeds, results | {changed.id: Decision(changed.loser, changed.winner)})
    used = {match.id for match in after.matches if match.state is MatchState.DONE}
    unused = {why["match"] for why in after.orphans}
    assert used | unused == set(results)
    assert not used & unused
    for match in after.matches:
        if match.state is MatchState.DONE and match.id != changed.id:
            assert set(match.entrants) == {results[match.id].winner, results[match.id].loser}


@pytest.mark.parametrize("count", range(2, 65))
def test_byes_go_to_the_top_seeds(count):
    seeds = list(range(1, count + 1))
    first = [match for match in br.single(seeds, {}).matches if match.round == 1 and match.side == "winners"]
    through = sorted(match.winner for match in first if match.state is MatchState.BYE)
    assert through == seeds[: len(first) * 2 - count]


def test_strongest_always_win_and_meet_in_the_final():
    seeds = list(range(1, 12))
    *_, results = played_out(KINDS["double"], seeds, random.Random(3), choose=lambda match: min(match.entrants))
    final = br.double(seeds, results)
    assert final.match("F").entrants == (1, 2)
    assert final.match("F2").state is MatchState.UNNEEDED
    assert br.places(final)[:4] == [(1, (1,)), (2, (2,)), (3, (3,)), (4, (4,))]


def test_neither_came():
    seeds = [1, 2, 3, 4]
    results = {"W1-1": Decision(1, 4, neither=True), "W1-2": Decision(2, 3)}
    single = br.single(seeds, results)
    assert single.match("W2-1").state is MatchState.BYE
    assert br.places(single) == [(1, (2,)), (2, (1, 4, 3))]
    double = br.double(seeds, results)
    assert br.places(double) == [(3, (1, 4))]
    assert double.match("F").entrants == (2, 3)


def test_drop_orders_are_those_of_the_definition():
    names = {size: [order.__name__ for order in orders] for size, orders in br.DROPS.items()}
    late = ["reverse", "half_shift", "reversed_halves"]
    assert names == {
        2: [],
        4: ["natural"],
        8: ["reverse", "natural"],
        16: ["reverse", "natural", "natural"],
        32: [*late[:2], "natural", "natural"],
        64: [*late, "natural", "natural"],
        128: [*late, "natural", "natural", "natural"],
        256: [*late, "pair_flip", "natural", "natural", "natural"],
    }
    eight = list("abcdefgh")
    orders = (br.natural, br.reverse, br.half_shift, br.reversed_halves, br.pair_flip)
    dropped = ["".join(order(eight)) for order in orders]
    assert dropped == ["abcdefgh", "hgfedcba", "efghabcd", "dcbahgfe", "badcfehg"]


# The first losers' round in which somebody may meet the same opponent again: the table of the format's definition.
@pytest.mark.parametrize(
    ("size", "first", "rounds"), [(8, 3, 4), (16, 4, 6), (32, 5, 8), (64, 7, 10), (128, 8, 12), (256, 9, 14)]
)
def test_rematches_come_as_late_as_the_table_says(size, first, rounds):
    # Everybody who can arrive from a source, as (bracket position, winners' round in which they lost).
    arrivals = {}
    for frame in br.winners_side(size):
        number, at = (int(part) for part in frame.id[1:].split("-"))
        span = range((at - 1) << number, at << number)
        arrivals["loser", frame.id] = {(who, number) for who in span}
    frames = list(br.losers_side(size))
    assert max(frame.round for frame in frames) == rounds
    found = []
    for frame in frames:
        sides = [arrivals[source.kind, source.of] for source in frame.sources]
        arrivals["winner", frame.id] = sides[0] | sides[1]
        lost = [{(drop, who >> drop) for who, drop in side} for side in sides]
        passed = [{(won, who >> won) for who, drop in side for won in range(1, drop)} for side in sides]
        if lost[0] & passed[1] or lost[1] & passed[0]:
            found.append(frame.round)
    assert min(found) == first


def test_sizes_are_bounded():
    with pytest.raises(FormatError, match="2 to 256"):
        br.double(list(range(300)), {})
    with pytest.raises(FormatError):
        br.single([1], {})
    with pytest.raises(FormatError):
        br.single([1, 1], {})

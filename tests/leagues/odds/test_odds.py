"""Odds as numbers: they add up, are exact where the outcome is certain, are reproducible, and match enumeration."""

import json
from dataclasses import replace
from itertools import count, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leagues.elo.result_types import RatingKind
from leagues.elo.update import chance
from leagues.formats.points import NORMAL, own_scheme
from leagues.formats.score_table import ScoreTable
from leagues.formats.standings import standings
from leagues.formats.tiebreaks.registry import parse
from leagues.formats.values import Entrant, Step, TableState
from leagues.odds import subprocess_runner
from leagues.odds.simulation.enumeration import enumerate_endings
from leagues.odds.simulation.monte_carlo import odds
from leagues.odds.simulation.outcome_model import OutcomeModel
from leagues.odds.simulation.random_source import EnumeratingSource, SeededSource, every
from leagues.odds.simulation.season import SeasonSimulation
from leagues.odds.simulation.values import NOTHING, Counts, NoOdds, Roles, margin
from tests.leagues.odds import season_factories
from tests.leagues.odds.season_factories import best_wins, drawn, ended, rest, strengths

SMALL = {
    "round robin": rest(season_factories.ROUND_ROBIN, 4, tie_breaks="round-robin"),
    "round robin with draws": rest(
        season_factories.ROUND_ROBIN, 4, tie_breaks="round-robin", strengths=strengths(4, draws=0.1)
    ),
    "swiss": rest(replace(season_factories.SWISS, planned=2), 6),
    "knock-out": rest(season_factories.KNOCK_OUT, 6),
    "double knock-out": rest(season_factories.DOUBLE, 4),
    "groups, then a knock-out": rest(
        season_factories.GROUPS,
        6,
        tie_breaks="round-robin",
        later=(replace(season_factories.KNOCK_OUT, settings={"third": False}),),
    ),
    "blocks": rest(season_factories.BLOCKS, 9, tie_breaks="season"),
    "table swiss": rest(season_factories.TABLE_SWISS, 6, tie_breaks="table-swiss"),
    "table swiss, the best round": rest(
        season_factories.TABLE_SWISS, 6, tie_breaks="table-swiss", scheme=replace(own_scheme([5, 3, 2]), best=1)
    ),
    "duplicate, the best round": rest(season_factories.DUPLICATE, 6, scheme=replace(NORMAL, best=1)),
    "heats": rest(season_factories.HEATS, 6),
    "pod": rest(season_factories.POD, 4, kind=RatingKind.ONE_VS_MANY, tie_breaks="one-against-many"),
    "duplicate": rest(season_factories.DUPLICATE, 6),
    "rotating teams": rest(season_factories.ROTATING, 4, kind=RatingKind.COOPERATIVE),
}
RUNS = 800


@pytest.mark.parametrize("name", SMALL)
def test_simulation_agrees_with_enumeration(name):
    """For seasons small enough, every chance of a simulation is within its margin of the exact one."""
    season = replace(SMALL[name], up=1, down=2)
    truth = odds(season, seed="any")
    assert truth.exact
    played = odds(season, seed="a seed", runs=RUNS, weigh=False)
    assert not played.exact
    assert played.runs == RUNS
    known = {row.entrant: row for row in truth.rows}
    # Some dozen comparisons a season: a margin of four standard errors, twice the one that is shown.
    most = 2 * margin(RUNS, exact=False)
    for row in played.rows:
        for got, expected in zip(row.places, known[row.entrant].places):
            assert got == pytest.approx(expected, abs=most)
        assert row.promotion == pytest.approx(known[row.entrant].promotion, abs=most)
        assert row.relegation == pytest.approx(known[row.entrant].relegation, abs=most)


@pytest.mark.parametrize("name", SMALL)
def test_every_place_is_somebodys_and_everybody_has_one(name):
    found = odds(SMALL[name], seed="x", runs=20, weigh=False)
    size = len(found.rows)
    for place in range(size):
        assert sum(row.places[place] for row in found.rows) == pytest.approx(1)
    for row in found.rows:
        assert sum(row.places) == pytest.approx(1)
        assert row.title == row.places[0]
        assert 1 <= row.expected <= size


@pytest.mark.parametrize("name", SMALL)
def test_the_same_seed_gives_the_same_numbers(name):
    one = odds(SMALL[name], seed="x", runs=20, weigh=False)
    assert one == odds(SMALL[name], seed="x", runs=20, weigh=False)
    assert one != odds(SMALL[name], seed="y", runs=20, weigh=False)


@pytest.mark.parametrize("name", ["round robin", "round robin with draws", "blocks", "pod"])
def test_fixed_schedules_give_the_same_as_the_full_simulation(name):
    """Where all tables are known, points are added up first; the whole history gives the same order."""
    short, long = SeasonSimulation(SMALL[name]), SeasonSimulation(SMALL[name])
    assert short.fixed_schedules is not None
    long.fixed_schedules = None
    reckoned: list[dict[tuple[int, ...], float]] = [{}, {}]
    for counted, simulation in zip(reckoned, (short, long)):
        for chance_of, order in enumerate_endings(simulation) or ():
            key = tuple(who for level in order for who in level)
            counted[key] = counted.get(key, 0) + chance_of
    assert reckoned[0] == pytest.approx(reckoned[1])


@pytest.mark.parametrize("scheme", [NORMAL, replace(own_scheme([3, 1]), best=2)], ids=["usual", "own, best two"])
def test_a_round_robin_compared_with_a_calculation_by_hand(scheme):
    """Everything again, by hand: each combination of results, the standings of it, its chance."""
    season = rest(season_factories.ROUND_ROBIN, 4, tie_breaks="round-robin", scheme=scheme)
    plan = [drawn(season, number) for number in (1, 2, 3)]
    tables = [(each, table) for each in plan for table in each.tables]
    title = dict.fromkeys(range(1, 5), 0.0)
    for ends in product(((1, 2), (2, 1)), repeat=len(tables)):
        weight, rounds = 1.0, {each.number: [] for each in plan}
        for (each, table), ranks in zip(tables, ends):
            one, other = (season.strengths.estimates[0].rating[who] for who in table.entrants)
            weight *= chance(one - other) if ranks == (1, 2) else 1 - chance(one - other)
            rounds[each.number].append(ended(table, ranks))
        history = replace(
            season.stage.history, rounds=tuple(replace(each, tables=tuple(rounds[each.number])) for each in plan)
        )
        order = standings(ScoreTable(history, season.scheme, round_robin=True), parse(season.tie_breaks))
        title[order[0].entrant] += weight
    found = odds(season, seed="x")
    assert found.exact
    assert found.runs == 2**6
    assert {row.entrant: pytest.approx(row.title) for row in found.rows} == title


def test_who_cannot_be_caught_has_won_and_who_cannot_catch_up_has_not():
    season = rest(season_factories.ROUND_ROBIN, 6, tie_breaks="round-robin")
    played = [best_wins(drawn(season, number)) for number in (1, 2, 3, 4)]
    found = odds(rest(season_factories.ROUND_ROBIN, 6, played, tie_breaks="round-robin", up=2, down=2), seed="x")
    score = ScoreTable(replace(season.stage.history, rounds=tuple(played)), round_robin=True).score
    leader = max(score.values())
    assert found.exact
    for row in found.rows:
        if score[row.entrant] + 120 < leader:
            assert row.title == 0
    by_hand = {row.entrant: row for row in found.rows}
    first = sorted(score, key=score.__getitem__, reverse=True)
    if score[first[0]] - score[first[1]] > 120:
        assert by_hand[first[0]].title == 1
    last = [who for who in score if score[who] == 0]
    assert all(by_hand[who].title == 0 for who in last)


def test_a_champion_before_the_last_round_has_every_chance():
    season = rest(replace(season_factories.ROUND_ROBIN, settings={"double": True}), 3, tie_breaks="round-robin")
    played = [best_wins(drawn(season, number)) for number in range(1, 6)]
    found = odds(rest(season.stage.rules, 3, played, tie_breaks="round-robin"), seed="x")
    assert {row.entrant: row.title for row in found.rows} == {1: 1.0, 2: 0.0, 3: 0.0}


def test_larger_tables_follow_the_curve_pair_by_pair():
    """Of any two at a table the one is ahead of the other as often as their ratings say, seats included."""
    season = rest(season_factories.BLOCKS, 9)
    known = strengths(9, offsets={(3, "0"): 30_000, (3, "1"): 0, (3, "2"): -30_000})
    table = drawn(season, 1).tables[0]
    ways = list(every(lambda luck: OutcomeModel(known, season.roles).places(table, (), luck)))
    assert sum(weight for weight, _ in ways) == pytest.approx(1)
    for one in range(3):
        for other in range(one + 1, 3):
            ahead = sum(weight for weight, places in ways if places[one].rank < places[other].rank)
            mine, theirs = (
                known.estimates[0].rating[seat.entrant] + known.offsets[3, str(seat.number - 1)]
                for seat in (table.seats[one], table.seats[other])
            )
            assert ahead == pytest.approx(chance(mine - theirs))


def test_one_against_many_and_draws_keep_the_expected_score():
    season = rest(season_factories.POD, 4, kind=RatingKind.ONE_VS_MANY)
    known = strengths(4, RatingKind.ONE_VS_MANY, offsets={(4, ""): -50_000})
    table = drawn(season, 1).tables[0]
    ways = list(every(lambda luck: OutcomeModel(known, season.roles).places(table, (), luck)))
    alone = next(at for at, seat in enumerate(table.seats) if seat.role == "thanos")
    heroes = [known.estimates[0].among[seat.entrant] for at, seat in enumerate(table.seats) if at != alone]
    expected = chance(known.estimates[0].alone[table.seats[alone].entrant] - round(sum(heroes) / 3) - 50_000)
    assert sum(weight for weight, places in ways if places[alone].rank == 1) == pytest.approx(expected)
    duel = drawn(rest(season_factories.ROUND_ROBIN, 2), 1).tables[0]
    model = OutcomeModel(strengths(2, draws=0.2), lambda size: ("",) * size)
    ends = {
        tuple(place.rank for place in places): weight
        for weight, places in every(lambda luck: model.places(duel, (), luck))
    }
    first, second = (strengths(2).estimates[0].rating[who] for who in duel.entrants)
    assert ends[1, 1] == pytest.approx(0.2)
    assert ends[1, 2] + 0.1 == pytest.approx(chance(first - second))


def test_who_has_left_wins_nothing_more_and_an_open_table_waits_for_its_result():
    season = rest(season_factories.ROUND_ROBIN, 4, tie_breaks="round-robin")
    first = drawn(season, 1)
    open_table = replace(first, tables=(ended(first.tables[0], (1, 2)), first.tables[1]))
    entrants = tuple(
        Entrant(1, 1, 1500, steps=((1, Step.ENTER), (2, Step.LEAVE))) if each.id == 1 else each
        for each in season.stage.history.entrants
    )
    stage = replace(season.stage, history=replace(season.stage.history, entrants=entrants, rounds=(open_table,)))
    found = odds(replace(season, stage=stage), seed="x")
    # One open table, and two a round in which the one who left is beaten without a game.
    assert found.runs == 2**3
    assert next(row for row in found.rows if row.entrant == 1).title < 0.2


def test_a_voided_table_is_played_by_nobody():
    season = rest(season_factories.ROUND_ROBIN, 4, tie_breaks="round-robin")
    first = drawn(season, 1)
    void = replace(first, tables=(replace(first.tables[0], state=TableState.VOID), first.tables[1]))
    stage = replace(season.stage, history=replace(season.stage.history, rounds=(void,)))
    assert odds(replace(season, stage=stage), seed="x").runs == 2**5


@pytest.mark.parametrize(
    ("season", "why"),
    [
        (rest(replace(season_factories.SWISS, planned=None), 4), "rounds-unknown"),
        (rest(season_factories.ROUND_ROBIN, 1), "too-few"),
    ],
)
def test_no_odds_where_nothing_can_be_computed(season, why):
    with pytest.raises(NoOdds) as none:
        odds(season, seed="x")
    assert none.value.code == why


def test_a_season_played_out_has_no_odds():
    season = rest(season_factories.ROUND_ROBIN, 4, tie_breaks="round-robin")
    played = [best_wins(drawn(season, number)) for number in (1, 2, 3)]
    with pytest.raises(NoOdds) as none:
        odds(rest(season_factories.ROUND_ROBIN, 4, played, tie_breaks="round-robin"), seed="x")
    assert none.value.code == "over"


def test_it_may_be_enough_after_any_run():
    found = odds(SMALL["swiss"], seed="x", runs=5000, weigh=False, enough=lambda done: done >= 300)
    assert found.runs == 300
    assert found.margin == pytest.approx(0.98 / 300**0.5, abs=1e-3)
    assert found.rows == odds(SMALL["swiss"], seed="x", runs=300, weigh=False).rows


@given(
    name=st.sampled_from(["round robin with draws", "swiss", "table swiss", "heats", "rotating teams"]),
    seed=st.text(min_size=1, max_size=4),
    cuts=st.lists(st.integers(1, 29), max_size=4),
)
@settings(max_examples=10, deadline=None)
def test_batches_add_up_to_one_long_series(name, seed, cuts):
    """Wherever a series is interrupted and stored, the numbers are the same to the last digit."""
    so_far = NOTHING
    for runs in [*sorted(cuts), 30]:
        found = odds(SMALL[name], seed=seed, runs=runs, weigh=False, so_far=so_far)
        kept = json.loads(json.dumps(found.counts.spans))
        so_far = Counts(found.runs, tuple(map(tuple, kept)))
    assert found == odds(SMALL[name], seed=seed, runs=30, weigh=False)
    assert all(isinstance(times, int) for *_, times in found.counts.spans)


LEAVES = Entrant(2, 2, 1500, steps=((1, Step.ENTER), (3, Step.LEAVE)))


@pytest.mark.parametrize(
    ("rules", "count", "kind", "tie_breaks"),
    [
        (replace(season_factories.SWISS, planned=4), 9, RatingKind.FREE_FOR_ALL, "swiss"),
        (
            replace(season_factories.TABLE_SWISS, settings={"seats": 4, "least": 3}, planned=4),
            11,
            RatingKind.FREE_FOR_ALL,
            "swiss",
        ),
        (season_factories.ONE_VS_MANY, 8, RatingKind.ONE_VS_MANY, "one-against-many"),
    ],
)
def test_what_a_run_remembers_changes_no_draw_and_no_place(rules, count, kind, tie_breaks, monkeypatch):
    """Each round is the one that the format draws from the history alone, reasons and all; and so is the order."""
    drawn = []

    def twice(now):
        found = rules.draw(now)
        assert found == rules.draw(replace(now, known=None))
        drawn.append(found)
        return found

    season = rest(replace(rules, draw=twice), count, kind=kind, tie_breaks=tie_breaks)
    entrants = tuple(LEAVES if each.id == 2 else each for each in season.stage.history.entrants)
    forbidden = frozenset({frozenset({1, 4})})
    history = replace(season.stage.history, entrants=entrants, forbidden=forbidden)
    season = replace(season, stage=replace(season.stage, history=history))
    quick = [SeasonSimulation(season).play(SeededSource("x", run)) for run in range(12)]
    assert len(drawn) > 12
    monkeypatch.setattr(SeasonSimulation, "_behind", lambda simulation, stage: ([], None))
    assert quick == [SeasonSimulation(season).play(SeededSource("x", run)) for run in range(12)]


def test_a_cancelled_program_is_stopped():
    season = replace(rest(replace(season_factories.SWISS, planned=5), 16), roles=Roles("splendor-marvel"))
    with pytest.raises(subprocess_runner.Cancelled):
        subprocess_runner.run_in_subprocess(season, seed="x", runs=10**6, seconds=600.0, stop=lambda: True)


def test_a_busy_machine_is_no_reason_to_give_up(monkeypatch):
    """However long it takes by the clock, the runs so far are returned."""
    hours = count(0, 3600)
    monkeypatch.setattr(subprocess_runner, "monotonic", lambda: float(next(hours)), raising=False)
    monkeypatch.setattr(subprocess_runner, "LOOK_EVERY", 0.05)
    season = replace(rest(replace(season_factories.SWISS, planned=4), 8), roles=Roles("splendor-marvel"))
    assert subprocess_runner.run_in_subprocess(season, seed="x", runs=300, seconds=60.0).runs == 300


def test_a_program_of_their_own_computes_the_same():
    season = replace(rest(replace(season_factories.SWISS, planned=4), 8), roles=Roles("splendor-marvel"))
    found = subprocess_runner.run_in_subprocess(season, seed="x", runs=300, seconds=60.0)
    assert found == odds(season, seed="x", runs=300)
    assert not found.exact
    further = subprocess_runner.run_in_subprocess(season, seed="x", runs=5000, seconds=0.0, so_far=found.counts)
    assert further.runs == 301, "what is used up ends it after a run, not after a fixed number of them"
    assert further.seconds > 0
    assert further == odds(season, seed="x", runs=301)
    unknown = replace(season.stage, rules=replace(season.stage.rules, planned=None))
    with pytest.raises(NoOdds, match="rounds-unknown"):
        subprocess_runner.run_in_subprocess(replace(season, stage=unknown), seed="x", runs=1, seconds=1.0)


def test_luck_is_fair_and_goes_every_way_once():
    counted = [0, 0, 0]
    for run in range(3000):
        counted[SeededSource("x", run).choose((1.0, 0.0, 3.0))] += 1
    assert counted[1] == 0
    assert counted[0] == pytest.approx(750, abs=100)
    path, ways = EnumeratingSource(), []
    going = True
    while going:
        first = path.choose((0.5, 0.5))
        ways.append((first, path.choose((0.2, 0.0, 0.8)) if first else None, path.chance))
        going = path.advance()
    assert [way[:2] for way in ways] == [(0, None), (1, 0), (1, 2)]
    assert sum(way[2] for way in ways) == pytest.approx(1)

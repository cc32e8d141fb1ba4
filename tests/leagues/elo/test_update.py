"""The three kinds of tables, each compared with a calculation by hand, and invariants of all of them."""

from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta
from math import log, log10, pi, sqrt
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leagues.elo import update
from leagues.elo.explain import Explanation, Seated, explain
from leagues.elo.pool_state import MOST_OF_BOTS, Entry, Fact, Numbers, PoolState
from leagues.elo.result_types import START, RatingKind

BEGIN = datetime(2026, 5, 1, 12, tzinfo=UTC)
ANA, BEN, CAT, DAN = 1, 2, 3, 4
ROBOT, ROBOT_2 = 101, 102


def fact(
    number: int, *seats: tuple[int, int], kind: RatingKind = RatingKind.FREE_FOR_ALL, left: int = 0, **more: object
) -> Fact:
    """A table of (player, rank) in the order of the seats; in one-vs-many the first plays alone."""
    roles = ["thanos" if kind is RatingKind.ONE_VS_MANY and not place else "hero" for place in range(len(seats))]
    rows = [[user, rank, user == left, role] for (user, rank), role in zip(seats, roles)]
    bots_only = all(user > 100 for user, _rank in seats)
    at = BEGIN + timedelta(minutes=number)
    return Fact(number, f"match:{number:06}", at, rows, str(more.get("scenario", "hero")), bots_only)


def pool_state(kind: RatingKind, **seeds: int) -> PoolState:
    made = PoolState(kind, seeds, "thanos")
    made.register_bots([ROBOT, ROBOT_2], {ROBOT_2: [ROBOT]})
    return made


def seat_offsets(table: PoolState) -> list[Any]:
    assert not isinstance(table.updater, update.Cooperative)
    return list(table.updater.offsets)


def explanation_of(kind: RatingKind, entries: list[Entry], place: int) -> Explanation:
    names = [field.name for field in fields(Seated) if field.name not in ("is_bot", "is_solo")]
    seats = [
        Seated(
            is_bot=each.user_id in (ROBOT, ROBOT_2),
            is_solo=each.role == "thanos",
            **{name: getattr(each, name) for name in names},
        )
        for each in entries
    ]
    return explain(kind, seats, place)


# The method once more, in plain floating point and points, as docs/ratings.md defines it, to check the update.

LN = log(10) / 400


def g(variance: float) -> float:
    return 1 / sqrt(1 + 3 * LN**2 * variance / pi**2)


def sigma(difference: float) -> float:
    return 1 / (1 + 10 ** (-difference / 400))


def shrunk(variance: float, information: float, least: float = 45) -> float:
    return max(least**2, variance / (1 + LN**2 * variance * information))


def close(stored: int, points: float) -> bool:
    """The update looks g up in steps, and rounds: a hundredth of a point is close."""
    return abs(stored / 1000 - points) < 0.01


def unsure(entry: Entry) -> float:
    return min(175.0**2, entry.variance / 1000 + 20 * entry.idle_days)


class TestFreeForAll:
    def test_two_newcomers_by_hand(self) -> None:
        # Both at 1500 ± 350, that is variance 175² = 30625; the joint one is 61250.
        #   g = 1 / √(1 + 3 x 0.00575646² x 61250 / π²) = 0.786419; expected 1/2; both equally unsure, so part = 1
        #   information  3/3 x g² x 1/4 = 0.154614;  v' = 30625 / (1 + 0.00575646² x 30625 x 0.154614) = 26471.5
        #   change  0.00575646 x 26471.5 x 0.786419 x 1/2 = 59.918 points
        table = pool_state(RatingKind.FREE_FOR_ALL)
        won, lost = table.play(fact(1, (ANA, 1), (BEN, 2)))
        assert g(61250) == pytest.approx(0.786419, abs=1e-6)
        assert close(won.after - won.before, 59.918)
        assert won.after - won.before == lost.before - lost.after
        assert sqrt(won.variance_after / 1000) == pytest.approx(162.70, abs=0.01)
        # The seats learn with K = 8: 8 x g x 1/2 = 3.1457.
        assert seat_offsets(table)[2] == [3146, -3146]

    @settings(deadline=None, max_examples=80)
    @given(st.data())
    def test_as_it_is_written(self, data: st.DataObject) -> None:
        players = data.draw(st.integers(2, 6))
        table, day = pool_state(RatingKind.FREE_FOR_ALL), BEGIN.date().toordinal()
        for user in range(1, players + 1):
            table.restore(user, drawn(data, day))
        seats = [(user, data.draw(st.integers(1, players))) for user in range(1, players + 1)]
        entries = table.play(fact(1, *seats))
        for mine in entries:
            total = information = 0.0
            for other in entries:
                if other is not mine:
                    variance = unsure(mine) + unsure(other)
                    part = min(1, unsure(mine) / unsure(other))
                    p = sigma(g(variance) * (mine.before - other.before) / 1000)
                    result = (mine.rank < other.rank) + (mine.rank == other.rank) / 2
                    total += part * g(variance) * (result - p)
                    information += part * g(variance) ** 2 * p * (1 - p)
            after = shrunk(unsure(mine), 3 / (players + 1) * information)
            assert mine.variance_after / 1000 == pytest.approx(after, rel=1e-4)
            assert close(mine.after - mine.before, LN * after * 3 / (players + 1) * total)

    def test_ties_share_and_whoever_left_is_last(self) -> None:
        table = pool_state(RatingKind.FREE_FOR_ALL)
        ana, ben, cat = table.play(fact(1, (ANA, 1), (BEN, 1), (CAT, 3), left=CAT))
        assert ana.after == ben.after > START > cat.after
        # From a table that somebody left nothing is learned about the seats.
        assert seat_offsets(table)[3] == [0, 0, 0]

    def test_a_seat_counts_with_its_offset(self) -> None:
        table = pool_state(RatingKind.FREE_FOR_ALL, **{"2:0": 40_000, "2:1": -40_000})
        line = explanation_of(RatingKind.FREE_FOR_ALL, table.play(fact(1, (ANA, 1), (BEN, 2))), 0).meetings[0]
        assert (line.mine, line.theirs) == (1_540_000, 1_460_000)
        assert line.expected == pytest.approx(sigma(80 * g(61250)), abs=1e-5)

    def test_against_somebody_unsure_a_result_counts_less(self) -> None:
        table, day = pool_state(RatingKind.FREE_FOR_ALL), BEGIN.date().toordinal()
        for user in (ANA, BEN):
            table.restore(user, Numbers(START, 50, 60**2 * 1000, day))
        sure = table.play(fact(1, (ANA, 1), (BEN, 2)))[0]
        table = pool_state(RatingKind.FREE_FOR_ALL)
        table.restore(ANA, Numbers(START, 50, 60**2 * 1000, day))
        unknown, newcomer = table.play(fact(1, (ANA, 1), (CAT, 2)))
        assert 0 < unknown.after - START < (sure.after - START) / 5
        assert START - newcomer.after > 5 * (unknown.after - START)


def drawn(data: st.DataObject, day: int) -> Numbers:
    """A player with some games, who may not have played for a while."""
    return Numbers(
        data.draw(st.integers(800_000, 2_200_000)),
        data.draw(st.integers(1, 300)),
        data.draw(st.integers(45**2 * 1000, 175**2 * 1000)),
        day - data.draw(st.integers(0, 2000)),
    )


class TestOneVsMany:
    @settings(deadline=None, max_examples=80)
    @given(st.data())
    def test_as_it_is_written(self, data: st.DataObject) -> None:
        many = data.draw(st.integers(1, 5))
        table, day = pool_state(RatingKind.ONE_VS_MANY, **{f"{many + 1}:": 25_000}), BEGIN.date().toordinal()
        for user in range(1, many + 2):
            past = drawn(data, day - 1)
            solo, team = data.draw(st.integers(-90_000, 90_000)), 0
            other = data.draw(st.integers(45**2 * 1000, 175**2 * 1000))
            together = data.draw(st.integers(0, 45**2 * 1000))
            table.restore(
                user,
                replace(
                    past, solo=solo, team=team, solo_variance=past.variance, team_variance=other, covariance=together
                ),
            )
        seats = [(user, data.draw(st.integers(1, 2))) for user in range(1, many + 2)]
        entries = table.play(fact(1, *seats, kind=RatingKind.ONE_VS_MANY))
        alone, *team_seats = entries
        theirs = sum(map(unsure, team_seats))
        variance = unsure(alone) + theirs / many**2 + 75**2
        number = {entry.user_id: (entry.before + entry.role_before) / 1000 for entry in entries}
        x = number[1] - sum(number[each.user_id] for each in team_seats) / many + 25
        p = sigma(g(variance) * x)
        tells = g(variance) ** 2 * p * (1 - p)
        results = [(alone.rank < each.rank) + (alone.rank == each.rank) / 2 for each in team_seats]
        check = [(alone, min(1, unsure(alone) * many / theirs), 1.0, sum(results) / many - p)]
        check += [
            (each, min(1, unsure(each) / unsure(alone)), 1 / many, p - result)
            for each, result in zip(team_seats, results)
        ]
        for entry, part, share, beyond in check:
            information = part * share**2 * tells
            less = 1 + LN**2 * unsure(entry) * information
            c = min(140.0**2, entry.covariance / 1000 + 20 * entry.idle_days)
            w = min(175.0**2, entry.other_variance / 1000 + 20 * entry.idle_days)
            after = shrunk(unsure(entry), information)
            assert entry.variance_after / 1000 == pytest.approx(after, rel=1e-4)
            assert entry.covariance_after / 1000 == pytest.approx(c / less, rel=1e-4, abs=0.01)
            other_after = max(45**2, w - LN**2 * c**2 * information / less)
            assert entry.other_variance_after / 1000 == pytest.approx(other_after, rel=1e-4)
            step = part * share * g(variance) * beyond
            played = entry.after + entry.role_after - entry.before - entry.role_before
            other = entry.after + entry.other_after - entry.before - entry.other_before
            assert close(played, LN * after * step)
            assert close(other, LN * c / less * step)
            # The rating is the mean of the two roles.
            assert 2 * entry.after + entry.role_after + entry.other_after == pytest.approx(2 * entry.after, abs=1)

    def test_a_hero_who_left_loses_even_where_the_team_wins(self) -> None:
        table = pool_state(RatingKind.ONE_VS_MANY)
        # Ben won against Ana, but she beat Cat, who left: for her the two make it level.
        ana, ben, cat = table.play(fact(1, (ANA, 2), (BEN, 1), (CAT, 3), kind=RatingKind.ONE_VS_MANY, left=CAT))
        assert ana.after == ana.before
        assert ben.after - START == START - cat.after > 0
        assert seat_offsets(table)[3] == 0

    def test_what_one_role_shows_it_shows_about_the_other_but_less(self) -> None:
        table = pool_state(RatingKind.ONE_VS_MANY)
        table.play(fact(1, (ANA, 1), (BEN, 2), kind=RatingKind.ONE_VS_MANY))
        back = table.play(fact(2, (BEN, 1), (ANA, 2), kind=RatingKind.ONE_VS_MANY))
        assert [(entry.games, entry.role_games) for entry in back] == [(1, 0), (1, 0)]
        # Ana won as Thanos, so she is expected to be a better hero, too.
        assert back[1].role_before + back[1].before > START
        assert back[1].role_before < 0 < back[1].other_before
        ana = table.numbers_of(ANA)
        assert ana is not None
        assert (ana.solo_games, ana.games) == (1, 2)


class TestCooperative:
    @settings(deadline=None, max_examples=60)
    @given(st.data())
    def test_as_it_is_written(self, data: st.DataObject) -> None:
        players = data.draw(st.integers(2, 5))
        table, day = pool_state(RatingKind.COOPERATIVE, **{f"{players}:hero": 1_620_000}), BEGIN.date().toordinal()
        for user in range(1, players + 1):
            table.restore(user, drawn(data, day))
        seats = [(user, data.draw(st.integers(1, 2))) for user in range(1, players + 1)]
        entries = table.play(fact(1, *seats, kind=RatingKind.COOPERATIVE))
        variance = sum(map(unsure, entries)) / players**2 + 200**2
        p = sigma(g(variance) * (sum(entry.before for entry in entries) / players / 1000 - 1620))
        tells = g(variance) ** 2 * p * (1 - p)
        for entry in entries:
            after = shrunk(unsure(entry), tells / players**2)
            assert entry.variance_after / 1000 == pytest.approx(after, rel=1e-4)
            assert close(entry.after - entry.before, LN * after * g(variance) / players * ((entry.rank == 1) - p))
        (scenario,) = table.offsets()
        after = shrunk(200**2, tells, 30)
        mean = sum((entry.rank == 1) - p for entry in entries) / players
        assert scenario.variance / 1000 == pytest.approx(after, rel=1e-4)
        assert close(scenario.value - 1_620_000, -LN * after * g(variance) * mean)

    def test_whoever_left_has_lost(self) -> None:
        table = pool_state(RatingKind.COOPERATIVE)
        ana, ben = table.play(fact(1, (ANA, 1), (BEN, 2), kind=RatingKind.COOPERATIVE, left=BEN))
        assert ana.after - START == START - ben.after > 0
        assert not list(table.offsets())

    def test_a_scenario_is_itself_at_each_size_of_team(self) -> None:
        table = pool_state(RatingKind.COOPERATIVE, **{"2:hero": 1_600_000})
        table.play(fact(1, (ANA, 1), (BEN, 1), kind=RatingKind.COOPERATIVE))
        table.play(fact(2, (ANA, 1), (BEN, 1), (CAT, 1), kind=RatingKind.COOPERATIVE))
        found = {offset.players: offset.value for offset in table.offsets()}
        assert found[2] < 1_600_000
        assert found[3] < START


class TestEntry:
    def test_newcomers_begin_where_newcomers_turn_out_to_stand(self) -> None:
        table, day = pool_state(RatingKind.FREE_FOR_ALL), BEGIN.date().toordinal()
        table.restore(ANA, Numbers(START, 100, 60**2 * 1000, day))
        entry = table.play(fact(1, (ANA, 1), (BEN, 2)))[1]
        assert table.entry == pytest.approx(START + (entry.after - START) / 20, abs=1)
        later = table.play(fact(2, (CAT, 1), (ANA, 2)))[0]
        assert later.before == round(later.entry / 20)
        assert later.before < START

    def test_bots_and_old_hands_do_not_move_it(self) -> None:
        table, day = pool_state(RatingKind.FREE_FOR_ALL), BEGIN.date().toordinal()
        for user in (ANA, BEN):
            table.restore(user, Numbers(START, 10, 100**2 * 1000, day))
        table.play(fact(1, (ANA, 1), (BEN, 2)))
        table.play(fact(2, (ROBOT, 1), (BEN, 2)))
        assert table.entry == START

    def test_a_bot_never_begins_there(self) -> None:
        table = pool_state(RatingKind.FREE_FOR_ALL)
        table.restore_entry(20 * 1_400_000)
        robot, ana = table.play(fact(1, (ROBOT, 1), (ANA, 2)))
        assert (robot.before, ana.before) == (START, 1_400_000)


class TestDays:
    def test_days_without_a_game_make_a_person_less_sure_and_no_bot(self) -> None:
        table, day = pool_state(RatingKind.FREE_FOR_ALL), BEGIN.date().toordinal()
        for user in (ANA, ROBOT):
            table.restore(user, Numbers(START, 50, 45**2 * 1000, day - 120))
        ana, robot = table.play(fact(1, (ANA, 1), (ROBOT, 2)))
        assert (ana.idle_days, robot.idle_days) == (120, 0)
        seated = explanation_of(RatingKind.FREE_FOR_ALL, [ana, robot], 0)
        assert seated.me.unsure == (45**2 + 20 * 120) * 1000
        assert explanation_of(RatingKind.FREE_FOR_ALL, [ana, robot], 1).me.unsure == 45**2 * 1000

    def test_nobody_gets_less_sure_than_a_newcomer(self) -> None:
        table, day = pool_state(RatingKind.FREE_FOR_ALL), BEGIN.date().toordinal()
        table.restore(ANA, Numbers(START, 50, 45**2 * 1000, day - 20_000))
        entries = table.play(fact(1, (ANA, 1), (BEN, 2)))
        assert explanation_of(RatingKind.FREE_FOR_ALL, entries, 0).me.unsure == 175**2 * 1000


class TestBots:
    def test_an_anchor_stands_still_and_still_counts(self) -> None:
        table = pool_state(RatingKind.FREE_FOR_ALL)
        day = BEGIN.date().toordinal()
        table.restore(ROBOT, Numbers(1_800_000, update.ANCHORED, 50_000_00, day))
        mine, its = table.play(fact(1, (ANA, 1), (ROBOT, 2)))
        assert its.after == its.before == 1_800_000
        assert mine.after > mine.before
        assert table.numbers_of(ROBOT) == Numbers(1_800_000, update.ANCHORED + 1, 50_000_00, day)

    def test_a_new_version_begins_where_the_last_one_stands(self) -> None:
        table = pool_state(RatingKind.FREE_FOR_ALL)
        table.restore(ROBOT, Numbers(1_712_345, 150))
        entry = table.play(fact(1, (ROBOT_2, 1), (ANA, 2)))[0]
        assert (entry.before, entry.games) == (1_712_345, 0)

    def test_bots_alone_move_no_person_and_no_offset(self) -> None:
        table = pool_state(RatingKind.FREE_FOR_ALL)
        entries = table.play(fact(1, (ROBOT, 1), (ROBOT_2, 2)))
        assert {entry.user_id for entry in entries} == {ROBOT, ROBOT_2}
        assert seat_offsets(table)[2] == [0, 0]

    def test_only_so_many_tables_of_bots_count_a_day(self) -> None:
        table = pool_state(RatingKind.FREE_FOR_ALL)
        facts = [fact(number, (ROBOT, 1), (ROBOT_2, 2)) for number in range(MOST_OF_BOTS + 5)]
        assert [len(table.play(each)) for each in facts].count(2) == MOST_OF_BOTS
        tomorrow = fact(24 * 60, (ROBOT, 1), (ROBOT_2, 2))
        assert len(table.play(tomorrow)) == 2

    def test_one_bot_in_two_seats_moves_by_both(self) -> None:
        table = pool_state(RatingKind.FREE_FOR_ALL)
        entries = table.play(fact(1, (ROBOT, 1), (ANA, 2), (ROBOT, 3)))
        first, _ana, second = entries
        assert first.before == second.before == START
        now = table.numbers_of(ROBOT)
        assert now is not None
        assert now.rating == START + (first.after - first.before) + (second.after - second.before)
        assert now.games == 2

    def test_people_and_bots_are_counted_separately(self) -> None:
        table = pool_state(RatingKind.FREE_FOR_ALL)
        entry = table.play(fact(1, (ANA, 2), (BEN, 2), (ROBOT, 1), (CAT, 4)))[0]
        assert (entry.met_people, entry.took_people, entry.met_bots, entry.took_bots) == (2, 3, 1, 0)


class TestCurve:
    @given(st.integers(-6_000_000, 12_000_000))
    def test_strength_is_the_power_of_ten(self, rating: int) -> None:
        assert log10(update.strength(rating)) == pytest.approx(rating / 400_000, abs=1e-12)

    @given(st.integers(0, 130_000_000))
    def test_how_much_of_a_difference_counts(self, variance: int) -> None:
        assert update.gap(variance) == pytest.approx(g(variance / 1000), abs=2e-4)

    def test_q_is_what_it_says(self) -> None:
        assert pytest.approx(log(10) / 400, abs=1e-18) == update.Q

    @given(st.floats(-1e9, 1e9))
    def test_rounding_is_half_to_even(self, number: float) -> None:
        assert update.whole(number) == round(number)

    def test_a_rating_beyond_the_curve_is_at_its_end(self) -> None:
        assert update.strength(-(10**9)) == update.strength(-8_388_608)
        assert update.chance(10**9) == 1.0


@st.composite
def tables(draw: st.DrawFn, kind: RatingKind) -> list[Fact]:
    """A history of tables of people and bots, with ties, departures and tables at the same moment."""
    facts = []
    for number in range(draw(st.integers(1, 25))):
        who = draw(st.lists(st.sampled_from([ANA, BEN, CAT, DAN, ROBOT, ROBOT_2]), min_size=2, max_size=4, unique=True))
        most = 2 if kind is RatingKind.COOPERATIVE else len(who)
        seats = [(user, draw(st.integers(1, most))) for user in who]
        facts.append(fact(number, *seats, kind=kind, left=draw(st.sampled_from([0, 0, ANA]))))
    return facts


KINDS = st.sampled_from(list(RatingKind)).flatmap(lambda kind: st.tuples(st.just(kind), tables(kind)))


@settings(deadline=None, max_examples=60)
@given(KINDS)
def test_every_change_is_explained_to_the_thousandth(history: tuple[RatingKind, list[Fact]]) -> None:
    kind, facts = history
    table = pool_state(kind)
    for each in facts:
        entries = table.play(each)
        for place in range(len(entries)):
            explained = explanation_of(kind, entries, place)
            if explained.me.is_anchored:
                continue
            assert sum(line.points for line in explained.meetings) == explained.rating.moved
            for line in explained.meetings:
                exact = 1000 * explained.rating.k * line.counts * (line.actual - line.expected)
                assert line.points == pytest.approx(exact, abs=1.01)
            if explained.other is not None:
                lines = sum(line.counts * (line.actual - line.expected) for line in explained.meetings)
                assert explained.other.moved == pytest.approx(1000 * explained.other.k * lines, abs=0.501)


@settings(deadline=None, max_examples=60)
@given(KINDS)
def test_one_result_recomputed_from_its_stored_inputs_gives_the_same(
    history: tuple[RatingKind, list[Fact]],
) -> None:
    """A recomputation can start from the numbers stored in the entries."""
    kind, facts = history
    table = pool_state(kind)
    for each in facts[:-1]:
        table.play(each)
    past = {user: table.numbers_of(user) for user in table.numbers}
    again = pool_state(kind)
    for offset in table.offsets():
        again.restore_offset(offset)
    for user, numbers in past.items():
        if numbers:
            again.restore(user, numbers)
    again.bots_on = table.bots_on
    again.restore_entry(table.updater.entry)
    assert again.play(facts[-1]) == table.play(facts[-1])


@settings(deadline=None, max_examples=60)
@given(tables(RatingKind.FREE_FOR_ALL))
def test_seat_offsets_always_sum_to_zero(facts: list[Fact]) -> None:
    table = pool_state(RatingKind.FREE_FOR_ALL)
    for each in facts:
        table.play(each)
    assert all(sum(offsets) == 0 for offsets in seat_offsets(table) if isinstance(offsets, list))


@settings(deadline=None, max_examples=60)
@given(st.integers(2, 6), st.data())
def test_among_equally_sure_players_nothing_is_made_or_lost(players: int, data: st.DataObject) -> None:
    """With equal variances, what one player gains the other loses."""
    table, day = pool_state(RatingKind.FREE_FOR_ALL), BEGIN.date().toordinal()
    for user in range(1, players + 1):
        table.restore(user, Numbers(data.draw(st.integers(500_000, 2_500_000)), 30, 45**2 * 1000, day))
    seats = [(user, data.draw(st.integers(1, players))) for user in range(1, players + 1)]
    moved = [entry.after - entry.before for entry in table.play(fact(1, *seats))]
    assert abs(sum(moved)) <= players / 2


ROUNDS = st.sampled_from(list(RatingKind)).flatmap(
    lambda kind: st.tuples(st.just(kind), st.lists(tables(kind), min_size=1, max_size=4), st.randoms())
)


@settings(deadline=None, max_examples=60)
@given(ROUNDS)
def test_the_order_within_a_batch_does_not_matter(history: tuple[RatingKind, list[list[Fact]], Random]) -> None:
    """Rounds of tables, each shuffled: the same numbers to the digit, even where somebody sits at several tables."""
    kind, rounds, luck = history
    ends = []
    for shuffled in (False, True):
        table = pool_state(kind)
        for number, facts in enumerate(rounds):
            batch = [replace(each, at=BEGIN + timedelta(days=number), batch=f"round:{number}") for each in facts]
            if shuffled:
                luck.shuffle(batch)
            table.play_batch(batch)
        everybody = sorted(table.numbers)
        ends.append((table.entry, [table.numbers_of(user) for user in everybody], sorted(map(repr, table.offsets()))))
    assert ends[0] == ends[1]

"""The three kinds of table, each computed by hand first, and what must hold for all of them."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from math import log10
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leagues.ratings import fold
from leagues.ratings.book import MOST_OF_BOTS, Book, Entry, Fact, Numbers
from leagues.ratings.curve import K16, K32
from leagues.ratings.explain import Explanation, Seated, explain
from leagues.ratings.kinds import SOLO, START, Kind

BEGIN = datetime(2026, 5, 1, 12, tzinfo=UTC)
ANA, BEN, CAT, DAN = 1, 2, 3, 4
ROBOT, ROBOT_2 = 101, 102


def fact(number: int, *seats: tuple[int, int], kind: Kind = Kind.FREE_FOR_ALL, left: int = 0, **more: object) -> Fact:
    """A table of (player, rank) in the order of the seats; in one-vs-many the first plays alone."""
    roles = [SOLO if kind is Kind.ONE_VS_MANY and not place else "hero" for place in range(len(seats))]
    rows = [[user, rank, user == left, role] for (user, rank), role in zip(seats, roles)]
    bots_only = all(user > 100 for user, _rank in seats)
    at = BEGIN + timedelta(minutes=number)
    return Fact(number, f"match:{number:06}", at, rows, str(more.get("scenario", "hero")), bots_only)


def book(kind: Kind, **seeds: int) -> Book:
    made = Book(kind, seeds)
    made.meet([ROBOT, ROBOT_2], {ROBOT_2: [ROBOT]})
    return made


def seat_offsets(table: Book) -> list[Any]:
    assert not isinstance(table.fold, fold.Cooperative)
    return list(table.fold.offsets)


def told(kind: Kind, entries: list[Entry], place: int) -> Explanation:
    bots = {ROBOT, ROBOT_2}
    seats = [
        Seated(
            e.user_id, e.user_id in bots, e.rank, e.left, e.role, e.before, e.after, e.games,
            e.role_before, e.role_after, e.role_games, e.offset, e.offset_games,
        )
        for e in entries
    ]  # fmt: skip
    return explain(kind, seats, place)


class TestFreeForAll:
    def test_by_hand(self) -> None:
        # Three newcomers of 1500: every pair expects 1/2. A newcomer's K is 32 x (1 + 3) = 128, and a table of three
        # divides it by 2.
        #   Ana beats both:            128 / 2 x (2 - 1) = +64
        #   Ben beats one, loses one:  128 / 2 x (1 - 1) =   0
        #   Cat loses both:            128 / 2 x (0 - 1) = -64
        # The seats learn with K = 2: 2 / 2 x (+1, 0, -1) = +1, 0, -1.
        table = book(Kind.FREE_FOR_ALL)
        first = table.play(fact(1, (ANA, 1), (BEN, 2), (CAT, 3)))
        assert [entry.after for entry in first] == [1_564_000, 1_500_000, 1_436_000]
        assert seat_offsets(table)[3] == [1_000, 0, -1_000]

        # Ana (1564) loses to Ben (1500) at a table of two, whose seats have no offsets yet.
        #   expected of Ana  1 / (1 + 10^(-64/400)) = 1 / (1 + 0.691830971) = 0.591075596
        #   K after one game 32 x (1 + 3 x e^(-1/10)) = 32 x 3.714512254 = 118.864392
        #   Ana  118.864392 x (0 - 0.591075596) = -70.257841...  -> -70.258
        #   Ben  118.864392 x (1 - 0.408924404) = +70.257841...  -> +70.258
        second = table.play(fact(2, (ANA, 2), (BEN, 1)))
        assert [entry.after for entry in second] == [1_564_000 - 70_258, 1_500_000 + 70_258]

        # At a table of three the seats now differ: Ana's 1493.742 sits in the first (+1), Cat's 1436 in the second.
        third = table.play(fact(3, (ANA, 1), (CAT, 2), (DAN, 3)))
        assert [entry.offset for entry in third] == [1_000, 0, -1_000]
        meeting = told(Kind.FREE_FOR_ALL, third, 0).meetings[0]
        assert (meeting.mine, meeting.theirs) == (1_494_742, 1_436_000)
        assert meeting.expected == pytest.approx(1 / (1 + 10 ** (-58.742 / 400)), abs=1e-12)

    def test_ties_share_and_whoever_left_is_last(self) -> None:
        table = book(Kind.FREE_FOR_ALL)
        # Ana and Ben tie before Cat, who left: 128 / 2 x (1/2 + 1 - 1) = +32 each, Cat 128 / 2 x (0 - 1) = -64.
        entries = table.play(fact(1, (ANA, 1), (BEN, 1), (CAT, 3), left=CAT))
        assert [entry.after - entry.before for entry in entries] == [32_000, 32_000, -64_000]
        # From a table that somebody left nothing is learned about the seats.
        assert seat_offsets(table)[3] == [0, 0, 0]


class TestOneVsMany:
    def test_by_hand(self) -> None:
        # Ana alone against Ben and Cat, all 1500 and new, no offset: p = 1/2, she wins, e = +1/2.
        # K = 16 x 4 = 64 for the rating and as much for the role; the offset of a table of three has 32.
        #   Ana       64 x 1/2 = +32, and as much on her role
        #   Ben, Cat  64 x 1/2 / 2 = -16 each, and as much on theirs
        #   offset    32 x 1/2 = +16
        table = book(Kind.ONE_VS_MANY)
        won = fact(1, (ANA, 1), (BEN, 2), (CAT, 2), kind=Kind.ONE_VS_MANY)
        first = table.play(won)
        assert [(entry.after, entry.role_after) for entry in first] == [
            (1_532_000, 32_000),
            (1_484_000, -16_000),
            (1_484_000, -16_000),
        ]
        assert seat_offsets(table)[3] == 16_000

        # The same three again, and the team wins. Ana is worth 1532 + 32 = 1564, the team 1484 - 16 = 1468:
        #   p = 1 / (1 + 10^(-(1564 - 1468 + 16)/400)) = 1 / (1 + 10^(-0.28)) = 0.655820506, e = -0.655820506
        #   K after one game 16 x 3.714512254 = 59.432196, for the roles too
        #   Ana       59.432196 x -0.655820506 = -38.976853, and as much on her role
        #   Ben, Cat  59.432196 x  0.655820506 / 2 = +19.488426, and as much on theirs
        #   offset    32 / (1 + 1/25) x -0.655820506 = -20.179092
        second = table.play(fact(2, (ANA, 2), (BEN, 1), (CAT, 1), kind=Kind.ONE_VS_MANY))
        assert [(entry.after, entry.role_after) for entry in second] == [
            (1_532_000 - 38_977, 32_000 - 38_977),
            (1_484_000 + 19_488, -16_000 + 19_488),
            (1_484_000 + 19_488, -16_000 + 19_488),
        ]
        assert seat_offsets(table)[3] == 16_000 - 20_179
        sum_of_ana = told(Kind.ONE_VS_MANY, second, 0)
        assert (sum_of_ana.mine, sum_of_ana.theirs, sum_of_ana.offset) == (1_564_000, 1_468_000, 16_000)

    def test_a_hero_who_left_loses_even_where_the_team_wins(self) -> None:
        table = book(Kind.ONE_VS_MANY)
        # Ben won against Ana, but she beat Cat, who left: Ana 64 x (1/2 - 1/2) = 0, Ben 64/2 x 1/2, Cat the reverse.
        entries = table.play(fact(1, (ANA, 2), (BEN, 1), (CAT, 3), kind=Kind.ONE_VS_MANY, left=CAT))
        assert [entry.after - entry.before for entry in entries] == [0, 16_000, -16_000]
        assert seat_offsets(table)[3] == 0

    def test_the_roles_are_learned_apart(self) -> None:
        table = book(Kind.ONE_VS_MANY)
        table.play(fact(1, (ANA, 1), (BEN, 2), kind=Kind.ONE_VS_MANY))
        back = table.play(fact(2, (BEN, 1), (ANA, 2), kind=Kind.ONE_VS_MANY))
        assert [(entry.games, entry.role_games, entry.role_before) for entry in back] == [(1, 0, 0), (1, 0, 0)]
        ana = table.standing(ANA)
        assert ana is not None
        assert (ana.solo_games, ana.games) == (1, 2)
        assert ana.solo > 0 > ana.team


class TestCooperative:
    def test_by_hand(self) -> None:
        # Three newcomers of 1500 against a scenario of 1500: p = 1/2; they win, e = +1/2.
        #   each of them  128 x 1/2 / 3 = +21.3333...  -> +21.333
        #   the scenario  96 x 1/2 = 48 easier: 1452
        table = book(Kind.COOPERATIVE)
        won = fact(1, (ANA, 1), (BEN, 1), (CAT, 1), kind=Kind.COOPERATIVE)
        assert [entry.after for entry in table.play(won)] == [1_521_333] * 3
        assert [offset.value for offset in table.offsets()] == [1_452_000]

        # They lose the next: mean 1521.333 against 1452.
        #   p = 1 / (1 + 10^(-69.333/400)) = 0.598474489
        #   each of them  118.864392 x -0.598474489 / 3 = -23.712435
        #   the scenario  96 / (1 + 1/10) x 0.598474489 = 52.230501 harder
        lost = fact(2, (ANA, 2), (BEN, 2), (CAT, 2), kind=Kind.COOPERATIVE)
        assert [entry.after for entry in table.play(lost)] == [1_521_333 - 23_712] * 3
        assert [(offset.value, offset.games) for offset in table.offsets()] == [(1_452_000 + 52_231, 2)]

    def test_whoever_left_has_lost(self) -> None:
        table = book(Kind.COOPERATIVE)
        entries = table.play(fact(1, (ANA, 1), (BEN, 2), kind=Kind.COOPERATIVE, left=BEN))
        assert [entry.after - entry.before for entry in entries] == [32_000, -32_000]
        assert not list(table.offsets())

    def test_a_scenario_is_itself_at_each_size_of_team(self) -> None:
        table = book(Kind.COOPERATIVE, **{"2:hero": 1_600_000})
        table.play(fact(1, (ANA, 1), (BEN, 1), kind=Kind.COOPERATIVE))
        table.play(fact(2, (ANA, 1), (BEN, 1), (CAT, 1), kind=Kind.COOPERATIVE))
        found = {offset.players: offset.value for offset in table.offsets()}
        assert found[2] < 1_600_000
        assert found[3] < START


class TestBots:
    def test_an_anchor_stands_still_and_still_counts(self) -> None:
        table = book(Kind.FREE_FOR_ALL)
        table.restore(ROBOT, Numbers(1_800_000, fold.ANCHORED))
        mine, its = table.play(fact(1, (ANA, 1), (ROBOT, 2)))
        assert its.after == its.before == 1_800_000
        assert mine.after > mine.before
        assert table.standing(ROBOT) == Numbers(1_800_000, fold.ANCHORED + 1)

    def test_a_new_version_begins_where_the_last_one_stands(self) -> None:
        table = book(Kind.FREE_FOR_ALL)
        table.restore(ROBOT, Numbers(1_712_345, 150))
        entry = table.play(fact(1, (ROBOT_2, 1), (ANA, 2)))[0]
        assert (entry.before, entry.games) == (1_712_345, 0)

    def test_bots_alone_move_no_person_and_no_offset(self) -> None:
        table = book(Kind.FREE_FOR_ALL)
        entries = table.play(fact(1, (ROBOT, 1), (ROBOT_2, 2)))
        assert {entry.user_id for entry in entries} == {ROBOT, ROBOT_2}
        assert seat_offsets(table)[2] == [0, 0]

    def test_only_so_many_tables_of_bots_count_a_day(self) -> None:
        table = book(Kind.FREE_FOR_ALL)
        facts = [fact(number, (ROBOT, 1), (ROBOT_2, 2)) for number in range(MOST_OF_BOTS + 5)]
        assert [len(table.play(each)) for each in facts].count(2) == MOST_OF_BOTS
        tomorrow = fact(24 * 60, (ROBOT, 1), (ROBOT_2, 2))
        assert len(table.play(tomorrow)) == 2

    def test_one_bot_in_two_seats_moves_by_both(self) -> None:
        table = book(Kind.FREE_FOR_ALL)
        entries = table.play(fact(1, (ROBOT, 1), (ANA, 2), (ROBOT, 3)))
        first, _ana, second = entries
        assert first.before == second.before == START
        now = table.standing(ROBOT)
        assert now is not None
        assert now.rating == START + (first.after - first.before) + (second.after - second.before)
        assert now.games == 2

    def test_people_and_bots_are_tallied_apart(self) -> None:
        table = book(Kind.FREE_FOR_ALL)
        entry = table.play(fact(1, (ANA, 2), (BEN, 2), (ROBOT, 1), (CAT, 4)))[0]
        assert (entry.met_people, entry.took_people, entry.met_bots, entry.took_bots) == (2, 3, 1, 0)


class TestCurve:
    @given(st.integers(-6_000_000, 12_000_000))
    def test_strength_is_the_power_of_ten(self, rating: int) -> None:
        assert log10(fold.strength(rating)) == pytest.approx(rating / 400_000, abs=1e-12)

    def test_k_fades_from_four_times_to_the_base(self) -> None:
        assert (K32[0], K32[-1], K16[0], K16[-1]) == (128_000, 32_000, 64_000, 16_000)
        assert all(later <= earlier for earlier, later in pairwise(K32))

    @given(st.floats(-1e9, 1e9))
    def test_rounding_is_half_to_even(self, number: float) -> None:
        assert fold.whole(number) == round(number)

    def test_a_rating_beyond_the_curve_is_at_its_end(self) -> None:
        assert fold.strength(-(10**9)) == fold.strength(-8_388_608)
        assert fold.chance(10**9) == 1.0


@st.composite
def tables(draw: st.DrawFn, kind: Kind) -> list[Fact]:
    """A history of tables of people and bots, with ties, departures and quick succession."""
    facts = []
    for number in range(draw(st.integers(1, 25))):
        who = draw(st.lists(st.sampled_from([ANA, BEN, CAT, DAN, ROBOT, ROBOT_2]), min_size=2, max_size=4, unique=True))
        most = 2 if kind is Kind.COOPERATIVE else len(who)
        seats = [(user, draw(st.integers(1, most))) for user in who]
        facts.append(fact(number, *seats, kind=kind, left=draw(st.sampled_from([0, 0, ANA]))))
    return facts


KINDS = st.sampled_from(list(Kind)).flatmap(lambda kind: st.tuples(st.just(kind), tables(kind)))


@settings(deadline=None, max_examples=60)
@given(KINDS)
def test_every_change_is_explained_to_the_thousandth(history: tuple[Kind, list[Fact]]) -> None:
    kind, facts = history
    table = book(kind)
    for each in facts:
        entries = table.play(each)
        for place in range(len(entries)):
            said = told(kind, entries, place)
            for part in (said.rating, said.role):
                if part is not None and not said.me.is_anchored:
                    assert part.moved == pytest.approx(1000 * part.exact, abs=0.501)


@settings(deadline=None, max_examples=60)
@given(KINDS)
def test_one_result_folded_from_what_is_written_beside_it_gives_the_same(history: tuple[Kind, list[Fact]]) -> None:
    """The restart that a refold relies on: nothing but the entries' own numbers."""
    kind, facts = history
    table = book(kind)
    for each in facts[:-1]:
        table.play(each)
    past = {user: table.standing(user) for user in table.numbers}
    again = book(kind)
    for offset in table.offsets():
        again.restore_offset(offset)
    for user, numbers in past.items():
        if numbers:
            again.restore(user, numbers)
    again.bots_on = table.bots_on
    assert again.play(facts[-1]) == table.play(facts[-1])


@settings(deadline=None, max_examples=60)
@given(tables(Kind.FREE_FOR_ALL))
def test_seat_offsets_always_sum_to_nought(facts: list[Fact]) -> None:
    table = book(Kind.FREE_FOR_ALL)
    for each in facts:
        table.play(each)
    assert all(sum(offsets) == 0 for offsets in seat_offsets(table) if isinstance(offsets, list))


@settings(deadline=None, max_examples=60)
@given(st.integers(2, 6), st.data())
def test_among_equally_seasoned_players_nothing_is_made_or_lost(players: int, data: st.DataObject) -> None:
    """With the same K for all, a table moves points about and makes none: up to half a thousandth a seat."""
    for kind in (Kind.FREE_FOR_ALL, Kind.ONE_VS_MANY):
        table = book(kind)
        for user in range(players):
            table.restore(user, Numbers(data.draw(st.integers(500_000, 2_500_000)), 30))
        seats = [(user, data.draw(st.integers(1, players))) for user in range(players)]
        moved = [entry.after - entry.before for entry in table.play(fact(1, *seats, kind=kind))]
        assert abs(sum(moved)) <= players / 2

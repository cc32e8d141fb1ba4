"""Heats, groups, seasons: who goes on, up and down."""

import random
from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leagues.formats import bracket, groups, heats, promotion, round_robin
from leagues.formats.errors import FormatError
from leagues.formats.groups import Slot
from leagues.formats.promotion import Finished
from leagues.formats.reasons import reason, render
from leagues.formats.score_table import ScoreTable
from leagues.formats.standings import Row, standings
from leagues.formats.tiebreaks.registry import PRESETS, parse
from leagues.formats.values import History, Place
from tests.leagues.formats.random_events import cast, played


def random_places(table, rng):
    scores = [rng.randrange(0, 12) for _ in table.seats]
    places = [Place(1 + sum(other > score for other in scores), score) for score in scores]
    return dict(zip(table.entrants, places))


@given(count=st.integers(2, 70), seats=st.integers(2, 6), seed=st.integers(0, 10**6), data=st.data())
@settings(max_examples=60, deadline=None)
def test_heats_end_in_one_table(count, seats, seed, data):
    rules = heats.Rules(seats, data.draw(st.integers(1, max(1, seats - 2))), fill=data.draw(st.booleans()))
    rng, seeds, results = random.Random(seed), list(range(101, 101 + count)), {}
    for _ in range(400):
        now = heats.run(seeds, results, rules)
        if now.final:
            break
        open_tables = [table for table in now.rounds[-1].tables if not table.counts]
        table = rng.choice(open_tables)
        results[now.rounds[-1].number, table.number] = random_places(table, rng)
    assert now.final
    assert heats.run(seeds, dict(reversed(results.items())), rules) == now
    sizes = [sum(1 for _ in each.entrants()) for each in now.rounds]
    assert sizes[0] == count
    assert sizes == sorted(sizes, reverse=True)
    assert len(set(sizes)) == len(sizes)
    for each, going in zip(now.rounds, now.through):
        names = [one.entrant for one in going]
        assert len(set(names)) == len(names)
        assert set(names) < set(each.entrants())
        for table in each.tables:
            if len(each.tables) > 1:
                assert rules.smallest <= len(table.seats) <= seats
            winners = [seat.entrant for seat, place in zip(table.seats, table.places) if place.rank == 1]
            assert set(winners[: rules.advance]) & set(names)
        assert all(render(one.reason) for one in going)


def test_wild_cards_are_the_best_of_the_rest():
    rules = heats.Rules(4, 1)
    # Two heats of four, one goes on from each; two wild cards fill the final. Snake: 1 4 5 8 and 2 3 6 7.
    first = {1: Place(1, 20), 4: Place(2, 18), 5: Place(3, 10), 8: Place(4, 0)}
    second = {2: Place(1, 20), 3: Place(2, 19), 6: Place(3, 5), 7: Place(4, 0)}
    now = heats.run(range(1, 9), {(1, 1): first, (1, 2): second}, rules)
    assert [table.entrants for table in now.rounds[0].tables] == [(1, 4, 5, 8), (2, 3, 6, 7)]
    # Both seconds have 2/3 of a point; 3 has 19/20 of the winner's score, 4 has 18/20.
    assert [one.entrant for one in now.through[0]] == [1, 2, 3, 4]
    assert [one.reason.code for one in now.through[0]] == ["heat.through"] * 2 + ["heat.wild"] * 2


def test_a_corrected_heat_never_hands_a_later_result_to_others():
    rules, rng, results = heats.Rules(4, 2), random.Random(8), {}
    while not (now := heats.run(range(1, 17), results, rules)).final:
        table = next(table for table in now.rounds[-1].tables if not table.counts)
        results[now.rounds[-1].number, table.number] = random_places(table, rng)
    heat = results[1, 1]
    turned = {who: Place(len(heat) + 1 - place.rank, place.score) for who, place in heat.items()}
    after = heats.run(range(1, 17), results | {(1, 1): turned}, rules)
    used = {(each.number, table.number) for each in after.rounds for table in each.tables if table.counts}
    unused = {(why["round"], why["heat"]) for why in after.orphans}
    assert used | unused == set(results)
    assert unused
    for each in after.rounds[1:]:
        for table in each.tables:
            if table.counts:
                assert set(table.entrants) == set(results[each.number, table.number])


def test_heats_refuse_nonsense():
    with pytest.raises(FormatError):
        heats.Rules(4, 3)
    with pytest.raises(FormatError):
        heats.run([1], {}, heats.Rules(4, 2))


@given(count=st.integers(4, 60), number=st.integers(1, 8))
def test_groups_by_snake(count, number):
    if count < 2 * number:
        with pytest.raises(FormatError):
            groups.deal(cast(count), number)
        return
    dealt = groups.deal(cast(count), number)
    sizes = [len(group) for group in dealt]
    assert max(sizes) - min(sizes) <= 1
    assert sorted(who for group in dealt for who in group) == list(range(1, count + 1))
    assert [group[0] for group in dealt] == list(range(1, number + 1))


@pytest.mark.parametrize(("number", "advance"), [(2, 2), (4, 2), (8, 2), (4, 4), (2, 4), (3, 2)])
def test_a_group_does_not_meet_itself_in_the_first_round(number, advance):
    slots = groups.usual_slots(number, advance)
    assert Counter((slot.place, slot.group) for slot in slots) == {
        (place, group): 1 for place in range(1, advance + 1) for group in range(1, number + 1)
    }
    drawn = bracket.single(list(range(1, len(slots) + 1)), {})
    for match in drawn.matches:
        one, two = match.entrants
        if match.round == 1 and one is not None and two is not None and bracket.NOBODY not in (one, two):
            assert slots[one - 1].group != slots[two - 1].group


def test_winner_and_second_are_in_different_halves():
    for number in (2, 4, 8):
        slots = groups.usual_slots(number, 2)
        order = bracket.seed_order(len(slots))
        half = {slots[seed - 1]: at * 2 // len(order) for at, seed in enumerate(order)}
        assert all(half[Slot(1, group)] != half[Slot(2, group)] for group in range(1, number + 1))


def group_tables(count, number, seed, codes):
    rng = random.Random(seed)
    entrants = {entrant.id: entrant for entrant in cast(count)}
    tables = {}
    for name, group in enumerate(groups.deal(tuple(entrants.values()), number), 1):
        members = tuple(entrants[who] for who in group)
        rounds = tuple(played(each, rng) for each in round_robin.schedule(members))
        tables[name] = standings(ScoreTable(History(f"g{seed}", members, rounds), round_robin=True), parse(codes))
    return tables


@given(number=st.integers(1, 4), seed=st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_groups_fill_the_bracket(number, seed):
    tables = group_tables(4 * number + number // 2, number, seed, PRESETS["round-robin"])
    filled = groups.qualify(tables, (*groups.usual_slots(number, 2), Slot(3, nth=1)))
    going = [each.entrant for each in filled if each.entrant is not None]
    assert len(going) == len(set(going))
    for each in filled:
        assert render(each.reason)
        if each.slot.group:
            assert each.entrant == tables[each.slot.group][each.slot.place - 1].entrant
        elif each.entrant is None:
            assert len(each.play_off) > 1


def test_a_shared_place_goes_to_a_play_off():
    # Nothing but points to part them: over many seeds some place is shared, and then both are asked to play.
    seen = 0
    for seed in range(20):
        tables = group_tables(8, 2, seed, [])
        for each in groups.qualify(tables, groups.usual_slots(2, 2)):
            rows = tables[each.slot.group]
            level = [row.entrant for row in rows if row.place == rows[each.slot.place - 1].place]
            assert (each.entrant is None) == (len(level) > 1)
            assert each.play_off == (tuple(level) if len(level) > 1 else ())
            seen += each.entrant is None
    assert seen
    with pytest.raises(FormatError, match="no place 9"):
        groups.qualify(tables, [Slot(9, 1)])


def test_the_best_of_a_place_play_off_only_at_the_cut():
    def row(entrant, place, score, played):
        return Row(place, entrant, score, played, (), 1, reason("place.sole", points=Fraction(score, 120)))

    # Thirds: 13 with 2 of 3 games, 23 with 1 of 2, 33 with 3 of 6: two level on half a point a game.
    tables = {
        group: [row(10 * group + place, place, score if place == 3 else 900, played) for place in (1, 2, 3)]
        for group, score, played in ((1, 240, 3), (2, 120, 2), (3, 360, 6))
    }
    one = groups.qualify(tables, [Slot(3, nth=1)])
    assert [each.entrant for each in one] == [13]
    two = groups.qualify(tables, [Slot(3, nth=1), Slot(3, nth=2)])
    assert [(each.entrant, each.play_off) for each in two] == [(13, ()), (None, (23, 33))]
    three = groups.qualify(tables, [Slot(3, nth=number) for number in (1, 2, 3)])
    assert [each.entrant for each in three] == [13, 23, 33]


@given(st.integers(2, 400))
def test_leagues_have_seven_or_about(count):
    sizes = promotion.league_sizes(count)
    assert sum(sizes) == count
    if count >= 42:
        assert set(sizes) <= {7, 8}
        assert sizes == sorted(sizes)
    if count >= 7:
        assert min(sizes) >= 4
    divisions = promotion.layout(count)
    assert [size for division in divisions for size in division] == sizes
    assert all(len(division) == 2**at for at, division in enumerate(divisions[:-1]))


def finished_season(count, rng):
    rows, who = [], iter(range(1, count + 1))
    for division, leagues in enumerate(promotion.layout(count), 1):
        for league, size in enumerate(leagues, 1):
            for place in range(1, size + 1):
                rows.append(Finished(next(who), division, league, place, size, rng.randrange(100, 900), 4))
    return rows


@given(count=st.integers(7, 120), seed=st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
def test_seasons_close(count, seed):
    rng = random.Random(seed)
    rows = finished_season(count, rng)
    leaving = frozenset(rng.sample(range(1, count + 1), rng.randint(0, count // 4)))
    last = max(row.division for row in rows)
    returning = {1000 + at: rng.randint(1, last) for at in range(rng.randint(0, 4))}
    joining = tuple(range(2000, 2000 + rng.randint(0, 9)))
    closed = promotion.close(rows, leaving=leaving, returning=returning, joining=joining)
    assert closed == promotion.close(rng.sample(rows, len(rows)), leaving=leaving, returning=returning, joining=joining)
    everybody = ({row.entrant for row in rows} - leaving) | set(returning) | set(joining)
    placed = [who for division in closed.divisions for league in division for who in league]
    assert sorted(placed) == sorted(everybody)
    assert [sum(map(len, division)) for division in closed.divisions] == [
        sum(sizes) for sizes in promotion.layout(len(everybody))
    ]
    moves = {move.entrant: move for move in closed.moves}
    assert set(moves) == everybody | leaving
    for at, division in enumerate(closed.divisions, 1):
        assert all(moves[who].new == at for league in division for who in league)
    assert all(render(move.reason) for move in closed.moves)
    for who in leaving:
        assert moves[who].new is None


DIRECTION = {
    "up": -1, "up-placed": -1, "up-shared": -1, "fill": -1,
    "champion": 0, "stay": 0, "stay-shared": 0, "spared": 0, "full": 0,
    "down": 1, "down-shared": 1, "displaced": 1, "squeezed": 1,
}  # fmt: skip


@given(data=st.data())
@settings(max_examples=120, deadline=None)
def test_what_a_movement_gives_as_its_reason_is_true(data):
    """Any number of promotions and relegations, also if they do not fit together."""
    sizes = data.draw(st.lists(st.integers(2, 6), min_size=1, max_size=4))
    up, down = (data.draw(st.lists(st.integers(0, 4), min_size=len(sizes), max_size=len(sizes))) for _ in range(2))
    people = sum(sizes)
    leaving = data.draw(st.frozensets(st.integers(1, people), max_size=people - 2))
    rooms, left = [], people - len(leaving)
    for size in sizes:
        room = min(left, max(0, size + data.draw(st.integers(-1, 1))))
        rooms.append(room)
        left -= room
    rooms[-1] += left
    who, rows = iter(range(1, people + 1)), []
    for at, size in enumerate(sizes):
        for place in range(1, size + 1):
            rows.append(Finished(next(who), at + 1, 1, place, size, 900 - place, 4, up=up[at], down=down[at]))
    moves = promotion.close(rows, leaving=leaving, rooms=[(room,) for room in rooms]).moves
    places = {row.entrant: row.place for row in rows}
    came = Counter(move.new for move in moves if move.new is not None)
    for move in moves:
        kind = move.reason.code.removeprefix("season.")
        if kind == "gone":
            assert move.entrant in leaving
            continue
        assert (move.new > move.old) - (move.new < move.old) == DIRECTION[kind], move
        if kind == "squeezed":
            assert rooms[move.old - 1] < sizes[move.old - 1]
        elif kind == "displaced":
            above = {other.entrant for other in moves if other.new == move.new - 1}
            assert len(above) == rooms[move.new - 2]
            assert any(other.old != other.new for other in moves if other.entrant in above) or not above
        elif kind == "full":
            assert places[move.entrant] <= up[move.old - 1]
            assert came[move.old - 1] == rooms[move.old - 2]
        elif kind == "champion":
            assert (move.old, places[move.entrant]) == (1, 1)


def test_who_gives_way_to_those_who_come_up_is_told_so():
    """Three promoted into a division of two that relegates one: its winner goes too, and the third has to wait."""
    top = [Finished(place, 1, 1, place, 2, 100, 3, up=0, down=1) for place in (1, 2)]
    low = [Finished(10 + place, 2, 1, place, 5, 100, 3, up=3, down=0) for place in range(1, 6)]
    moves = {move.entrant: move for move in promotion.close([*top, *low], rooms=[(2,), (5,)]).moves}
    assert (moves[1].new, render(moves[1].reason)) == (
        2,
        "no. 1 (place 1 in division 1) moves down: others take all the places.",
    )
    assert (moves[13].new, render(moves[13].reason)) == (
        2,
        "no. 13 (place 3 in division 2) stays: the division above is full.",
    )


def test_an_even_season_moves_winners_up_and_the_last_two_down():
    rows = finished_season(49, random.Random(1))
    closed = promotion.close(rows)
    by_entrant = {row.entrant: row for row in rows}
    for move in closed.moves:
        row = by_entrant[move.entrant]
        expected = row.division - (row.place == 1 and row.division > 1) + (row.place > 5 and row.division < 3)
        assert move.new == expected
    assert Counter(move.reason.code for move in closed.moves) == {
        "season.champion": 1, "season.up": 6, "season.down": 6, "season.stay": 36,
    }  # fmt: skip


def test_a_free_place_is_filled_from_below_by_place_then_points():
    rows = [
        Finished(row.entrant, row.division, row.league, row.place, row.size, row.points, row.games)
        for row in finished_season(21, random.Random(3))
    ]
    # 21 players: one league above two of seven. One of the middle leaves from above, one joins at the bottom.
    closed = promotion.close(rows, leaving=frozenset({3}), joining=(99,))
    seconds = [row for row in rows if row.division == 2 and row.place == 2]
    best = max(seconds, key=lambda row: row.points / row.games)
    risen = [move.entrant for move in closed.moves if move.reason.code == "season.fill"]
    assert risen == [best.entrant]
    assert {move.entrant: move.new for move in closed.moves}[99] == 2


def test_who_returns_starts_one_below():
    rows = finished_season(49, random.Random(1))
    closed = promotion.close(rows, leaving=frozenset({40, 41}), returning={500: 1, 501: 3})
    new = {move.entrant: (move.new, move.reason.code) for move in closed.moves}
    assert new[500][0] in (2, 3)
    assert new[501] == (3, "season.back")
    with pytest.raises(FormatError):
        promotion.close(rows, joining=(1,))


def test_snake():
    assert heats.snake(range(1, 9), 3) == [[1, 6, 7], [2, 5, 8], [3, 4]]
    pairs = combinations(heats.snake(range(1, 13), 4), 2)
    assert all(abs(sum(one) - sum(two)) <= 4 for one, two in pairs)


def test_who_shares_a_place_is_told_so_and_the_list_decides():
    def ended(entrant, division, place, line):
        return Finished(entrant, division, 1, place, 4, 100, 3, up=1, down=1, line=line)

    top = [ended(line, 1, place, line) for line, place in ((1, 1), (2, 1), (3, 3), (4, 3))]
    low = [ended(10 + line, 2, place, line) for line, place in ((1, 1), (2, 1), (3, 3), (4, 4))]
    moves = {move.entrant: move for move in promotion.close([*top, *low], rooms=[(4,), (4,)]).moves}
    assert {who: (moves[who].new, moves[who].reason.code) for who in moves} == {
        1: (1, "season.stay-shared"), 2: (1, "season.stay-shared"), 3: (1, "season.stay-shared"),
        4: (2, "season.down-shared"), 11: (1, "season.up-shared"), 12: (2, "season.stay-shared"),
        13: (2, "season.stay"), 14: (2, "season.stay"),
    }  # fmt: skip
    assert {who: dict(moves[who].reason.params)["place"] for who in (1, 2, 3, 4)} == {1: 1, 2: 1, 3: 3, 4: 3}

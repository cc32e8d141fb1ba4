"""The two formats without rounds."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leagues.formats import arena, ladder
from leagues.formats.arena import Outcome, Waiting
from leagues.formats.errors import FormatError
from leagues.formats.ladder import Event, Kind, Ladder, Rules
from leagues.formats.reasons import render


def joined(count):
    return [Event(Kind.JOIN, 0, who) for who in range(1, count + 1)]


def test_the_winner_takes_the_place_and_the_others_shift():
    events = [*joined(5), Event(Kind.CHALLENGE, 1, 5, 2), Event(Kind.RESULT, 3, 5, 2, winner=5)]
    now, reasons = ladder.replay(events)
    assert now.order == (1, 5, 2, 3, 4)
    assert [why.code for why in reasons[-2:]] == ["ladder.challenge", "ladder.taken"]
    held, reasons = ladder.replay([*events[:-1], Event(Kind.RESULT, 3, 5, 2, winner=2)])
    assert held.order == (1, 2, 3, 4, 5)
    assert reasons[-1].code == "ladder.held"


def test_an_unanswered_challenge_is_won_once_its_days_are_over():
    events = [*joined(4), Event(Kind.CHALLENGE, 1, 4, 2)]
    assert ladder.replay(events, today=14)[0].order == (1, 2, 3, 4)
    now, reasons = ladder.replay(events, today=15)
    assert now.order == (1, 4, 2, 3)
    assert reasons[-1].code == "ladder.unanswered"
    assert not now.open
    answered = [*events, Event(Kind.ANSWER, 5, 4, 2)]
    assert ladder.replay(answered, today=100)[0].order == (1, 2, 3, 4)


def test_a_declined_challenge_changes_no_place():
    events = [*joined(4), Event(Kind.CHALLENGE, 1, 4, 2), Event(Kind.DECLINE, 2, 4, 2)]
    now, reasons = ladder.replay(events, today=100)
    assert (now.order, now.open) == ((1, 2, 3, 4), ())
    assert reasons[-1].code == "ladder.declined"
    with pytest.raises(FormatError, match="no open game"):
        ladder.replay([*events, Event(Kind.DECLINE, 3, 4, 2)])


@pytest.mark.parametrize(
    ("challenger", "target", "code"),
    [
        (3, 3, "error.challenge-self"),
        (2, 3, "error.challenge-down"),
        (5, 1, "error.challenge-far"),
        (9, 1, "error.challenge-off"),
        (3, 9, "error.challenge-off"),
        (4, 2, "error.challenge-open"),
    ],
)
def test_refused_challenges(challenger, target, code):
    events = [*joined(5), Event(Kind.CHALLENGE, 1, 4, 2), Event(Kind.CHALLENGE, 1, challenger, target)]
    with pytest.raises(FormatError) as caught:
        ladder.replay(events)
    assert caught.value.reason.code == code


def test_results_need_an_open_game():
    with pytest.raises(FormatError, match="no open game"):
        ladder.replay([*joined(3), Event(Kind.RESULT, 1, 3, 2, winner=3)])
    with pytest.raises(FormatError):
        ladder.replay([*joined(3), Event(Kind.CHALLENGE, 1, 3, 2), Event(Kind.RESULT, 1, 3, 2, winner=1)])


@given(count=st.integers(2, 9), seed=st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
def test_any_ladder(count, seed):
    """Random valid events: nobody is lost or doubled, and only the two who played and those between them move."""
    rng, rules = random.Random(seed), Rules(reach=3, days=7)
    events, day, members = joined(count), 1, set(range(1, count + 1))
    before, _ = ladder.replay(events, rules)
    for _ in range(40):
        day += rng.randint(0, 3)
        before, _ = ladder.replay(events, rules, today=day)
        event = random_event(rng, before, members, day)
        if event is None:
            continue
        if event.kind is Kind.JOIN:
            members.add(event.entrant)
        if event.kind is Kind.LEAVE:
            members.discard(event.entrant)
        events.append(event)
        now, reasons = ladder.replay(events, rules, today=day)
        assert set(now.order) == members
        assert len(now.order) == len(members)
        if event.kind is Kind.RESULT:
            check_result(before, now, event)
        assert all(render(why) for why in reasons)


def random_event(rng, now, members, day):
    kind = rng.choice([Kind.CHALLENGE, Kind.CHALLENGE, Kind.RESULT, Kind.RESULT, Kind.LEAVE, Kind.JOIN])
    if kind is Kind.JOIN:
        return Event(kind, day, max(members, default=0) + 1)
    if kind is Kind.LEAVE:
        return Event(kind, day, rng.choice(now.order)) if len(now.order) > 2 and rng.random() < 0.2 else None
    if kind is Kind.RESULT:
        if not now.open:
            return None
        game = rng.choice(now.open)
        winner = rng.choice([game.challenger, game.target])
        return Event(kind, day, game.challenger, game.target, winner)
    place = rng.randint(2, len(now.order)) if len(now.order) > 1 else None
    if place is None:
        return None
    challenger, target = now.order[place - 1], now.order[max(0, place - 1 - rng.randint(1, 3))]
    if any({game.challenger, game.target} == {challenger, target} for game in now.open):
        return None
    return Event(kind, day, challenger, target)


def check_result(before, now, event):
    places = [before.place(event.entrant), before.place(event.other)]
    assert now.place(event.winner) == min(places)
    outside = [who for who in before.order if not min(places) <= before.place(who) <= max(places)]
    assert all(now.place(who) == before.place(who) for who in outside)


def test_leaving_takes_the_open_games_along():
    events = [*joined(4), Event(Kind.CHALLENGE, 1, 4, 3), Event(Kind.LEAVE, 2, 3)]
    assert ladder.replay(events)[0] == Ladder((1, 2, 4))


def waiting(*rows, now=100):
    return [Waiting(who, now - waited, place, rating, last) for who, waited, place, rating, last in rows]


def test_neighbours_are_paired():
    people = waiting((1, 5, 1, 2000, None), (2, 5, 2, 1900, None), (3, 5, 9, 1500, None), (4, 5, 10, 1450, None))
    drawn = arena.pair(people, 100, field_size=10)
    assert [(pair.first, pair.second) for pair in drawn.pairs] == [(1, 2), (3, 4)]
    assert drawn.waiting == ()


def test_no_immediate_repeat_until_patience_is_over():
    people = waiting((1, 5, 1, 2000, 2), (2, 5, 2, 1900, 1))
    drawn = arena.pair(people, 100, field_size=2)
    assert drawn.pairs == ()
    assert [why.code for why in drawn.waiting] == ["arena.rested", "arena.rested"]
    assert drawn.waiting[0]["left"] == 25
    later = arena.pair(people, 125, field_size=2)
    assert [pair.reason.code for pair in later.pairs] == ["arena.again"]


def test_who_waited_longest_is_not_the_odd_one_out():
    people = waiting((1, 2, 1, 1500, None), (2, 2, 2, 1500, None), (3, 90, 40, 1000, None))
    drawn = arena.pair(people, 100, field_size=40)
    assert 3 in {drawn.pairs[0].first, drawn.pairs[0].second}
    assert [why.code for why in drawn.waiting] == ["arena.odd"]
    assert arena.pair(people[:1], 100, field_size=40).waiting[0].code == "arena.alone"


@given(count=st.integers(0, 25), seed=st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
def test_everybody_is_paired_or_gets_a_reason(count, seed):
    rng = random.Random(seed)
    people = [
        Waiting(who, rng.randrange(0, 100), who, rng.randrange(800, 2400), rng.choice([None, *range(1, count + 1)]))
        for who in range(1, count + 1)
    ]
    people = [each if each.last != each.entrant else Waiting(each.entrant, 0, each.place, 1500) for each in people]
    drawn = arena.pair(people, 100, field_size=max(1, count), rules=arena.Rules(patience=150))
    busy = [who for pair in drawn.pairs for who in (pair.first, pair.second)]
    idle = [why["entrant"] for why in drawn.waiting]
    assert sorted([*busy, *idle]) == list(range(1, count + 1))
    last = {each.entrant: each.last for each in people}
    assert not any(last[pair.first] == pair.second or last[pair.second] == pair.first for pair in drawn.pairs)
    assert not any(last[a] != b and last[b] != a for a in idle for b in idle if a < b)
    assert all(render(why) for why in drawn.waiting)


def test_streaks():
    win, draw, loss = Outcome.WIN, Outcome.DRAW, Outcome.LOSS
    # Two wins start a streak: 2 + 2, then 4, a draw gives 2 and ends it, then 2 again.
    assert [each.points for each in arena.scores([win, win, win, draw, win])] == [2, 2, 4, 2, 2]
    assert [each.points for each in arena.scores([win, loss, win, win, loss, win])] == [2, 0, 2, 2, 0, 2]
    assert [each.doubled for each in arena.scores([win, win, loss, win])] == [False, False, True, False]
    table = arena.ranking({1: [win, win, win], 2: [win] * 2 + [draw] * 4, 3: [win, win, draw, draw, draw]})
    # 1: 2 + 2 + 4 = 8; 2: 2 + 2 + 2 + 1 + 1 + 1 = 9; 3: 2 + 2 + 2 + 1 + 1 = 8 from more games.
    assert table == ((2, 9), (1, 8), (3, 8))

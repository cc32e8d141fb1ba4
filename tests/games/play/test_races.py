"""Many hands, one ply: real threads on both kinds of database."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from games import engine_match
from games.errors import Stale
from games.models import Match, Move, Seat
from games.play import bot_turns, clocks
from games.play.moves import play_as, play_move
from games.tables import seating, setup
from games.tables import start as tables_start
from games.tables.setup import Clock
from tests.factories import create_user, finished_match, first_move, fresh, open_table_with, record, started_match

pytestmark = pytest.mark.usefixtures("any_database")

RACERS = 8


def race(*runners: Callable[[], object]) -> list[object]:
    """Start all at once; what each returned, or the refusal it met."""
    start = Barrier(len(runners))

    def run(runner: Callable[[], object]) -> object:
        try:
            start.wait(timeout=60)
            return runner()
        except (Stale, Refused, NotAllowed) as refusal:
            return refusal
        finally:
            connection.close()

    with ThreadPoolExecutor(len(runners)) as pool:
        return list(pool.map(run, runners))


def done(results: list[object]) -> list[object]:
    return [result for result in results if not isinstance(result, Exception)]


@pytest.mark.parametrize("attempt", range(3))
def test_eight_racers_one_ply_one_move(attempt):
    alice, bob = create_user("alice"), create_user("bob")
    match = started_match(alice, bob)
    move = first_move(match)
    results = race(*[lambda: play_as(person=alice, match=fresh(match), ply=0, move=move)] * RACERS)
    assert len(done(results)) == 1
    assert all(isinstance(result, Stale) for result in results if result not in done(results))
    assert Move.objects.filter(match=match).count() == 1
    assert fresh(match).ply == 1


def test_racers_through_a_whole_match_leave_an_unbroken_record():
    alice, bob = create_user("alice"), create_user("bob")
    match = started_match(alice, bob)

    def keep_playing() -> int:
        played = 0
        while (now := fresh(match)).is_playing:
            current = engine_match.load(now)
            legal = current.legal()
            move = current.notation(legal[len(legal) // 2])
            assert current.to_act is not None
            try:
                play_move(match=now, ply=now.ply, seat=current.to_act, move=move, by="bot")
                played += 1
            except Stale:
                continue
        return played

    results = race(*[keep_playing] * 4)
    match = fresh(match)
    assert sum(results) == match.ply == Move.objects.filter(match=match).count()
    assert list(match.moves.order_by("ply").values_list("ply", flat=True)) == list(range(match.ply))
    assert record(match).outcome.ranks == tuple(match.seats.order_by("index").values_list("rank", flat=True))


def test_a_bot_turn_delivered_eight_times_at_once_is_taken_once():
    alice = create_user("alice")
    match = started_match(alice, bots=2)
    while fresh(match).to_act == 0:
        play_as(person=alice, match=fresh(match), ply=fresh(match).ply, move=first_move(fresh(match)))
    before = fresh(match).ply
    results = race(*[lambda: bot_turns.take_bot_turns(match_id=match.pk)] * RACERS)
    while fresh(match).bot_due:
        bot_turns.take_bot_turns(match_id=match.pk)
    match = fresh(match)
    assert sum(done(results)) <= match.ply - before
    assert match.to_act == 0
    assert list(match.moves.order_by("ply").values_list("ply", flat=True)) == list(range(match.ply))
    assert not match.moves.filter(by="fallback").exists()
    record(match)


def test_the_last_place_is_taken_by_one():
    alice = create_user("alice")
    match = open_table_with(alice, bots=1, draws_seats=False)
    seating.clear_place(person=alice, match=match, index=1)
    rivals = [create_user(f"rival-{number}") for number in range(4)]
    results = race(*[lambda rival=rival: seating.sit(person=rival, match=match) for rival in rivals])
    assert len(done(results)) == 1
    assert Seat.objects.filter(match=match, user__in=rivals).count() == 1


def test_two_starts_begin_one_match():
    alice = create_user("alice")
    match = open_table_with(alice, bots=1)
    results = race(*[lambda: tables_start.start(person=alice, match=match)] * 3)
    assert len(done(results)) == 1
    assert fresh(match).is_playing


def test_two_rematches_lay_one_table():
    alice, bob = create_user("alice"), create_user("bob")
    match = finished_match(started_match(alice, bob))
    race(
        lambda: setup.rematch(person=alice, match=match),
        lambda: setup.rematch(person=bob, match=match),
    )
    setup.rematch(person=alice, match=match)
    setup.rematch(person=bob, match=match)
    assert Match.objects.filter(rematch_of=match).count() == 1
    assert Match.objects.get(rematch_of=match).is_playing


def test_a_move_and_a_falling_clock_do_not_both_happen():
    alice, bob = create_user("alice"), create_user("bob")
    match = started_match(alice, bob, clock=Clock("live", bank=30))
    Match.objects.filter(pk=match.pk).update(deadline=match.started_at - clocks.GRACE)
    move = first_move(match)
    race(
        lambda: play_as(person=alice, match=fresh(match), ply=0, move=move),
        lambda: clocks.expire_clock(match_id=match.pk),
        lambda: clocks.expire_clock(match_id=match.pk),
    )
    match = fresh(match)
    assert (match.ply, match.seats.get(user=alice).left) == (0, "away")

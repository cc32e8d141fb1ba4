"""Many hands, one ply: real threads on both kinds of database."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from accounts.access import NotAllowed
from accounts.errors import Refused
from games import bots, clocks, referee, tables
from games.errors import Stale
from games.models import Match, Move, Seat
from games.play import play, play_as
from games.tables import Clock
from tests.games.conftest import begun, first_move, fresh, laid, person, played_out, record

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
    alice, bob = person("alice"), person("bob")
    match = begun(alice, bob)
    move = first_move(match)
    results = race(*[lambda: play_as(person=alice, match=fresh(match), ply=0, move=move)] * RACERS)
    assert len(done(results)) == 1
    assert all(isinstance(result, Stale) for result in results if result not in done(results))
    assert Move.objects.filter(match=match).count() == 1
    assert fresh(match).ply == 1


def test_racers_through_a_whole_match_leave_an_unbroken_record():
    alice, bob = person("alice"), person("bob")
    match = begun(alice, bob)

    def keep_playing() -> int:
        played = 0
        while (now := fresh(match)).is_playing:
            current = referee.at(now)
            legal = current.legal()
            move = current.notation(legal[len(legal) // 2])
            assert current.to_act is not None
            try:
                play(match=now, ply=now.ply, seat=current.to_act, move=move, by="bot")
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
    alice = person("alice")
    match = begun(alice, bots=2)
    while fresh(match).to_act == 0:
        play_as(person=alice, match=fresh(match), ply=fresh(match).ply, move=first_move(fresh(match)))
    before = fresh(match).ply
    results = race(*[lambda: bots.take_turn(match_id=match.pk)] * RACERS)
    while fresh(match).bot_due:
        bots.take_turn(match_id=match.pk)
    match = fresh(match)
    assert sum(done(results)) <= match.ply - before
    assert match.to_act == 0
    assert list(match.moves.order_by("ply").values_list("ply", flat=True)) == list(range(match.ply))
    assert not match.moves.filter(by="fallback").exists()
    record(match)


def test_the_last_place_is_taken_by_one():
    alice = person("alice")
    match = laid(alice, bots=1, draws_seats=False)
    tables.clear_place(person=alice, match=match, index=1)
    rivals = [person(f"rival-{number}") for number in range(4)]
    results = race(*[lambda rival=rival: tables.sit(person=rival, match=match) for rival in rivals])
    assert len(done(results)) == 1
    assert Seat.objects.filter(match=match, user__in=rivals).count() == 1


def test_two_starts_begin_one_match():
    alice = person("alice")
    match = laid(alice, bots=1)
    results = race(*[lambda: tables.start(person=alice, match=match)] * 3)
    assert len(done(results)) == 1
    assert fresh(match).is_playing


def test_two_rematches_lay_one_table():
    alice, bob = person("alice"), person("bob")
    match = played_out(begun(alice, bob))
    race(
        lambda: tables.rematch(person=alice, match=match),
        lambda: tables.rematch(person=bob, match=match),
    )
    tables.rematch(person=alice, match=match)
    tables.rematch(person=bob, match=match)
    assert Match.objects.filter(rematch_of=match).count() == 1
    assert Match.objects.get(rematch_of=match).is_playing


def test_a_move_and_a_falling_clock_do_not_both_happen():
    alice, bob = person("alice"), person("bob")
    match = begun(alice, bob, clock=Clock("live", bank=30))
    Match.objects.filter(pk=match.pk).update(deadline=match.started_at - clocks.GRACE)
    move = first_move(match)
    race(
        lambda: play_as(person=alice, match=fresh(match), ply=0, move=move),
        lambda: clocks.fall(match_id=match.pk),
        lambda: clocks.fall(match_id=match.pk),
    )
    match = fresh(match)
    assert (match.ply, match.seats.get(user=alice).left) == (0, "away")

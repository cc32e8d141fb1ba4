"""A message to a table loads it in one prepared query, and finds the same as any other way."""

import pytest

from games import topics
from games.models import Match
from games.play.moves import play_as
from games.tables import leaving
from tests.factories import create_user, first_move, fresh, open_table_with, started_match


def test_it_is_the_same_match_with_the_same_seats(any_database, django_assert_num_queries):
    alice, bob = create_user("alice"), create_user("bob", display_name="Bób B.")
    first, second = started_match(alice, bob, bots=1), open_table_with(bob, bots=1)
    for match in (first, second, first):
        plain = Match.objects.get(pk=match.pk)
        topics.with_seats(match.key)  # the SQL is made
        with django_assert_num_queries(1):
            loaded = topics.with_seats(match.key)
            seats = list(loaded.seats.all())
            named = [(seat.index, seat.name, seat.is_bot) for seat in seats]
        for field in Match._meta.concrete_fields:
            assert getattr(loaded, field.attname) == getattr(plain, field.attname), field.name
        assert [seat.pk for seat in seats] == [seat.pk for seat in plain.seats.order_by("index")]
        assert named == [(seat.index, seat.name, seat.is_bot) for seat in plain.seats.order_by("index")]
        assert all(seat.match is loaded for seat in seats)
    assert topics.with_seats("nonsense' OR 1=1 --") is None


def test_a_move_after_somebody_left_is_written_for_the_seats_as_they_are(alice, bob, charlie, sent_tasks):
    """The seats were loaded before: the bot that took one is not forgotten."""
    match = started_match(alice, bob, charlie)
    loaded = topics.with_seats(match.key)
    leaving.resign(person=bob, match=fresh(match))
    while loaded.to_act == 0:
        loaded = play_as(person=alice, match=loaded, ply=loaded.ply, move=first_move(loaded)).match
    assert fresh(match).to_act == 1
    assert fresh(match).bot_due is not None


@pytest.mark.parametrize("key", ["", "x" * 200])
def test_other_keys_are_no_table(key, db):
    assert topics.with_seats(key) is None

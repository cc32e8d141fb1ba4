"""Plain statements write the same as the querysets they stand for, on every database."""

import pytest
from django.db import DataError, IntegrityError, transaction
from django.utils import timezone

from accounts.infra.plain_sql import insert_rows, update_and_insert, update_where
from accounts.infra.redis_cache import RedisCache
from games.models import Match, Move
from tests.factories import create_user, fresh, started_match

COLUMNS = ("match", "ply", "seat", "notation", "digest", "by", "at", "spent")


def test_an_update_writes_every_kind_of_column_and_counts_the_rows(any_database):
    match, other = started_match(create_user("alice"), bots=1), started_match(create_user("bob"), bots=1)
    now = timezone.now()
    values = {"ply": 7, "to_act": None, "snapshot": {"ł": [1, None, "'; --"]}, "turn_since": now, "tempo": "slow"}
    assert update_where(Match, {"id": match.pk, "ply": 0, "status": "playing"}, values) == 1
    changed = fresh(match)
    assert {name: getattr(changed, name) for name in values} == values
    assert fresh(other).ply == 0
    # Compare and set: the row has moved on.
    assert update_where(Match, {"id": match.pk, "ply": 0, "status": "playing"}, {"ply": 9}) == 0
    assert fresh(match).ply == 7


def test_rows_are_inserted_as_they_are_however_many(any_database):
    match, now = started_match(create_user("alice"), bots=1), timezone.now()
    rows = [(match.pk, ply, ply % 2, "take 'red' %s", "00ff00ff", "bot", now, ply) for ply in range(1200)]
    insert_rows(Move, COLUMNS, rows)
    found = Move.objects.filter(match=match).order_by("ply")
    assert list(found.values_list("match_id", *COLUMNS[1:])) == rows


def test_a_row_that_is_there_already_is_refused(any_database):
    match = started_match(create_user("alice"), bots=1)
    row = (match.pk, 0, 0, "take red", "00ff00ff", "bot", timezone.now(), 0)
    insert_rows(Move, COLUMNS, [row])
    with pytest.raises(IntegrityError), transaction.atomic():
        insert_rows(Move, COLUMNS, [(*row[:1], 1, *row[2:]), row])
    assert Move.objects.filter(match=match).count() == 1


def test_an_update_and_its_rows_are_written_together_or_not_at_all(any_database):
    match, now = started_match(create_user("alice"), bots=1), timezone.now()
    rows = [(match.pk, ply, 0, "take 'red' %s", "00ff00ff", "bot", now, 70_000 * ply) for ply in range(3)]
    here = {"id": match.pk, "ply": 0, "status": "playing"}
    after = {"ply": 3, "to_act": None, "snapshot": {"ł": [1, None, "'; --"]}, "turn_since": now}

    def written():
        return list(Move.objects.filter(match=match).order_by("ply").values_list("match_id", *COLUMNS[1:]))

    with pytest.raises(IntegrityError):
        update_and_insert(Match, here, after, Move, COLUMNS, [*rows, rows[0]])
    assert (fresh(match).ply, written()) == (0, [])
    assert update_and_insert(Match, here, after, Move, COLUMNS, rows)
    assert {name: getattr(fresh(match), name) for name in after} == after
    assert written() == rows
    # Compare and set: the row has moved on.
    assert not update_and_insert(Match, here, {"ply": 9}, Move, COLUMNS, [(match.pk, 3, *rows[0][2:])])
    assert (fresh(match).ply, written()) == (3, rows)


def test_a_text_that_is_too_long_is_refused_and_not_cut(on_postgres):
    match = started_match(create_user("alice"), bots=1)
    row = (match.pk, 0, 0, "take red", "0" * 9, "bot", timezone.now(), 0)
    with pytest.raises(DataError):
        update_and_insert(Match, {"id": match.pk}, {"ply": 1}, Move, COLUMNS, [row])
    assert fresh(match).ply == 0


def test_the_cache_keeps_its_client():
    cache = RedisCache("redis://127.0.0.1:1/0", {"OPTIONS": {}})._cache
    assert cache.get_client("a") is cache.get_client("b", write=True)

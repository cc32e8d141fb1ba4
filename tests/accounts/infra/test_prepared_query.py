"""Prepared queries answer as their querysets do, also when the database has changed since they were prepared."""

from datetime import UTC, datetime

import psycopg
import pytest
from django.db import connection

from accounts.infra.prepared_query import PreparedQuery, PreparedRows
from games.models import Match, Seat
from tests.factories import create_user, started_match


def test_the_rows_are_those_of_the_queryset(any_database):
    match = started_match(create_user("alice"), bots=2)
    prepared = PreparedQuery(lambda pk: Seat.objects.filter(match=pk).order_by("index"), placeholder=-1)
    for each in (match.pk, match.pk + 1):
        assert prepared.fetch(each) == list(Seat.objects.filter(match=each).order_by("index"))


def test_a_column_that_a_migration_has_widened_is_read_on(on_postgres):
    """PostgreSQL refuses a plan from before: pages and workers that stayed open would fail until they are restarted."""
    match = started_match(create_user("alice"), bots=1)
    objects = PreparedQuery(lambda pk: Seat.objects.filter(match=pk).order_by("index"), placeholder=-1)
    rows = PreparedRows(lambda match: Seat.objects.filter(match=match).order_by("index").values_list("word"), match=-1)
    kept = Seat._meta.get_field("word").max_length
    # By somebody else: this connection would forget what it has prepared.
    with psycopg.connect(**connection.get_connection_params(), autocommit=True) as migrating:
        for length in (kept + 10, kept):
            before = objects.fetch(match.pk), rows.fetch(match=match.pk)
            migrating.execute(f"ALTER TABLE games_seat ALTER COLUMN word TYPE varchar({length})")
            assert (objects.fetch(match.pk), rows.fetch(match=match.pk)) == before


def test_a_placeholder_that_is_not_in_the_query_is_an_error(db):
    at = datetime(1970, 1, 1, tzinfo=UTC)
    with pytest.raises(ValueError, match="not in the query"):
        PreparedRows(lambda at: Match.objects.values_list("pk"), at=at).fetch(at=at)

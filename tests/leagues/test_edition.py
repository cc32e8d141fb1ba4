"""The edition of the tie-break rules is the season's own: new ones get the one in force, old ones keep theirs."""

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.test import Client
from django.urls import reverse

from leagues import byes, history, ranking, shown
from leagues.exchange.archive import parts
from leagues.formats.editions import CURRENT, Edition
from leagues.models import Season
from leagues.odds import reading
from tests.leagues.conftest import begun, next_round, play_out


@pytest.fixture
def stage(league, alice):
    """Three rounds of a Swiss of six, in which the first seed misses the second and third for half a point each."""
    stage = begun(league, alice, "swiss", 6, planned=4)
    first = stage.starters.get(seed=1).entrant
    for number in (2, 3):
        byes.ask(actor=alice, entrant=first, stage=stage, number=number, kind="HPB")
    for _ in range(3):
        play_out(next_round(alice, stage))
    return stage


def kept_since_before(stage):
    Season.objects.filter(pk=stage.division.season_id).update(tie_break_edition=Edition.EARLIER.value)
    stage.division.season.refresh_from_db()


def test_the_season_says_by_which_rules_it_counts(client: Client, stage):
    season = stage.division.season
    assert season.tie_break_edition == CURRENT == "2026-03"
    standings = reverse("leagues:standings", args=[season.league.slug, season.number, stage.pk])
    for address in (season.get_absolute_url(), standings):
        assert "FIDE tie-break regulations in force since 1 March 2026" in client.get(address).content.decode()
    assert client.get(f"/api/v1/seasons/{season.pk}/").json()["tie_break_edition"] == "2026-03"
    kept_since_before(stage)
    assert "The rules of this site before March 2026" in client.get(standings).content.decode()
    assert client.get(f"/api/v1/seasons/{season.pk}/").json()["tie_break_edition"] == "before-2026-03"


def test_a_season_from_before_keeps_its_values(stage):
    """Everything that counts follows the season: standings, their sums, and the odds."""

    def buchholz():
        at = stage.division.season.tie_breaks.index("buchholz")
        rows = {row.entrant: row.values[at] for row in ranking.ranking(stage)}
        first = stage.starters.get(seed=1).entrant_id
        explained = shown.explained(stage, first, "buchholz")
        assert explained
        assert explained.total == shown.words.written(rows[first])
        return rows

    now, odds = buchholz(), reading.rest_of(stage.division)
    assert odds.edition is Edition.MARCH_2026
    kept_since_before(stage)
    assert buchholz() != now
    before = reading.rest_of(stage.division)
    assert before.edition is history.field(stage).edition is Edition.EARLIER
    assert reading.fingerprint(before) != reading.fingerprint(odds)


def test_a_file_from_before_brings_its_edition(stage):
    part = next(each for each in parts.PARTS if each.model is Season)
    written = parts.written(part, stage.division.season, lambda model, pk: pk)
    assert parts.read(part, written, lambda model, pk: pk).tie_break_edition == "2026-03"
    del written["tie_break_edition"]
    assert parts.read(part, written, lambda model, pk: pk).tie_break_edition == "before-2026-03"


@pytest.mark.django_db(transaction=True)
def test_the_migration_leaves_seasons_with_the_rules_they_had():
    executor = MigrationExecutor(connection)
    own = next(key for key in executor.loader.graph.nodes if key[1].endswith("_tiebreak_edition"))
    latest = executor.loader.graph.leaf_nodes()
    before = executor.loader.graph.node_map[own].parents
    try:
        executor.migrate([node.key for node in before if node.key[0] == "leagues"])
        old = executor.loader.project_state([node.key for node in before]).apps
        club = old.get_model("accounts", "Club").objects.create(name="Club", slug="club")
        leagues = old.get_model("leagues", "League").objects
        league = leagues.create(club=club, name="L", slug="l", game="splendor-marvel")
        made = old.get_model("leagues", "Season").objects.create(league=league, number=1, name="One")
        executor.loader.build_graph()
        executor.migrate(latest)
        assert Season.objects.get(pk=made.pk).tie_break_edition == "before-2026-03"
        later = Season.objects.create(league_id=league.pk, number=2, name="Two")
        assert Season.objects.get(pk=later.pk).tie_break_edition == "2026-03"
    finally:
        executor.loader.build_graph()
        executor.migrate(latest)

"""The edition of the tie-break rules is the season's own: new ones get the one in force, old ones keep theirs."""

import pytest
from django.test import Client
from django.urls import reverse

from leagues.core import reason_text
from leagues.entries import bye_requests
from leagues.formats.editions import CURRENT, Edition
from leagues.import_export.archive import tables
from leagues.models import Season
from leagues.odds import inputs
from leagues.standings import history, presentation, ranking
from tests.factories import finish_round, next_round, running_stage


@pytest.fixture
def stage(league, alice):
    """Three rounds of a Swiss of six, in which the first seed misses the second and third for half a point each."""
    stage = running_stage(league, alice, "swiss", 6, planned=4)
    first = stage.starters.get(seed=1).entrant
    for number in (2, 3):
        bye_requests.request_bye(actor=alice, entrant=first, stage=stage, number=number, kind="HPB")
    for _ in range(3):
        finish_round(next_round(alice, stage))
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
        explained = presentation.tie_break_breakdown(stage, first, "buchholz")
        assert explained
        assert explained.total == reason_text.format_fraction(rows[first])
        return rows

    now, odds = buchholz(), inputs.load_remaining_season(stage.division)
    assert odds.edition is Edition.MARCH_2026
    kept_since_before(stage)
    assert buchholz() != now
    before = inputs.load_remaining_season(stage.division)
    assert before.edition is history.load_score_table(stage).edition is Edition.EARLIER
    assert inputs.fingerprint(before) != inputs.fingerprint(odds)


def test_a_file_from_before_brings_its_edition(stage):
    part = next(each for each in tables.PARTS if each.model is Season)
    written = tables.serialize_row(part, stage.division.season, lambda model, pk: pk)
    assert tables.build_row(part, written, lambda model, pk: pk).tie_break_edition == "2026-03"
    del written["tie_break_edition"]
    assert tables.build_row(part, written, lambda model, pk: pk).tie_break_edition == "before-2026-03"

"""Imports and exports also work on PostgreSQL, where bytes, JSON and locks differ from SQLite."""

import io

import pytest

from accounts import clubs
from leagues.import_export import exports, uploads
from leagues.import_export.archive import writer
from leagues.models import Entrant, Pairing, RatedResult
from leagues.results import reporting
from leagues.rounds import closing
from tests.factories import create_user, draft_season, enter, next_round, running_stage

pytestmark = pytest.mark.usefixtures("on_postgres")


def test_in_and_out_on_postgresql(club, league, alice, monkeypatch):
    monkeypatch.setattr("leagues.ratings.ledger._send", lambda pool_id: None)
    stage = running_stage(league, alice, "duplicate", 8)
    round_ = next_round(alice, stage)
    for pairing in Pairing.objects.filter(round=round_):
        reporting.enter_result(
            actor=alice, pairing=pairing, places=[{"rank": at} for at in range(1, pairing.seats.count() + 1)]
        )
    closing.close_round(actor=alice, round=round_)
    next_round(alice, stage)
    file = io.BytesIO()
    writer.export(actor=alice, league=league, file=file)
    zoe = create_user("zoe")
    elsewhere = clubs.create_club(founder=zoe, name="Elsewhere")
    upload = uploads.store_archive(actor=zoe, club=elsewhere, content=file.getvalue())
    copy = uploads.confirm_archive(actor=zoe, upload=upload, same=[]).league
    assert copy is not None
    before, after = (exports.rows("standings", each.seasons.get()) for each in (league, copy))
    assert after == before
    deals = set(Pairing.objects.filter(round__stage__division__season__league=copy).values_list("deal", flat=True))
    assert len(deals) == 2

    season = draft_season(league, alice, "swiss")
    enter(season.divisions.get(), alice, *(create_user(name.lower(), display_name=name) for name in ("Ada", "Bea")))
    text = b"date,round,table,name,place\n2024-03-05,1,1,Ada,1\n2024-03-05,1,1,Bea,2\n"
    sheet = uploads.store_spreadsheet(actor=alice, season=season, kind="results", content=text)
    rated = RatedResult.objects.count()
    uploads.confirm(actor=alice, upload=sheet, seen=uploads.plan_of(sheet).seal)
    assert Entrant.objects.filter(season=season).count() == 2
    assert RatedResult.objects.count() == rated + 1

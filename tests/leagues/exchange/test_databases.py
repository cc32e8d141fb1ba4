"""What goes in and out stands on PostgreSQL, too, where bytes, JSON and locks are other things than in a file."""

import io

import pytest

from accounts import clubs
from leagues import close, results
from leagues.exchange import exports, uploads
from leagues.exchange.archive import pack
from leagues.models import Entrant, Pairing, RatedResult
from tests.leagues.conftest import begun, drafted, next_round, person

pytestmark = pytest.mark.usefixtures("on_postgres")


def test_in_and_out_on_postgresql(club, league, alice, monkeypatch):
    monkeypatch.setattr("leagues.ratings.ledger._send", lambda pool_id: None)
    stage = begun(league, alice, "duplicate", 8)
    round_ = next_round(alice, stage)
    for pairing in Pairing.objects.filter(round=round_):
        results.settle(
            actor=alice, pairing=pairing, places=[{"rank": at} for at in range(1, pairing.seats.count() + 1)]
        )
    close.close_round(actor=alice, round=round_)
    next_round(alice, stage)
    file = io.BytesIO()
    pack.export(actor=alice, league=league, file=file)
    zoe = person("zoe")
    elsewhere = clubs.found(founder=zoe, name="Elsewhere")
    upload = uploads.keep_archive(actor=zoe, club=elsewhere, content=file.getvalue())
    copy = uploads.confirm_archive(actor=zoe, upload=upload, same=[]).league
    assert copy is not None
    before, after = (exports.rows("standings", each.seasons.get()) for each in (league, copy))
    assert after == before
    deals = set(Pairing.objects.filter(round__stage__division__season__league=copy).values_list("deal", flat=True))
    assert len(deals) == 2

    season = drafted(league, alice, "swiss")
    text = b"date,round,table,name,place\n2024-03-05,1,1,Ada,1\n2024-03-05,1,1,Bea,2\n"
    sheet = uploads.keep(actor=alice, season=season, kind="results", content=text)
    rated = RatedResult.objects.count()
    uploads.confirm(actor=alice, upload=sheet, seen=uploads.plan_of(sheet).seal)
    assert Entrant.objects.filter(season=season).count() == 2
    assert RatedResult.objects.count() == rated + 1

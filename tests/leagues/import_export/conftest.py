"""Leagues exported to files, and a second club that imports them."""

import io

import pytest

from accounts import clubs
from accounts.models import Club, User
from leagues.import_export.archive import importer, reader, writer
from leagues.models import League, Pairing, Round
from leagues.results import reporting
from leagues.rounds import closing
from tests.factories import create_user, give_accounts, next_round, running_stage


@pytest.fixture(autouse=True)
def no_worker(monkeypatch) -> None:
    monkeypatch.setattr("leagues.ratings.ledger._send", lambda pool_id: None)


@pytest.fixture
def elsewhere(db) -> Club:
    return clubs.create_club(founder=create_user("zoe"), name="The Other Table")


def exported(league: League) -> bytes:
    file = io.BytesIO()
    writer.write(league, file)
    return file.getvalue()


def imported(content: bytes, club: Club, same=()) -> League:
    owner = User.objects.get(memberships__club=club, memberships__role="owner")
    archive = reader.open_archive(content)
    return importer.import_archive(actor=owner, club=club, archive=archive, same=same, with_ratings=True)


@pytest.fixture
def content(league, alice) -> bytes:
    stage = running_stage(league, alice, "swiss", 4)
    give_accounts(stage.division.season)
    for pairing in Pairing.objects.filter(round=next_round(alice, stage)):
        reporting.enter_result(actor=alice, pairing=pairing, places=[{"rank": 1}, {"rank": 2}])
    closing.close_round(actor=alice, round=Round.objects.get())
    return exported(league)

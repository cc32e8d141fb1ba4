"""Leagues packed into files, and a second club that takes them in."""

import io

import pytest

from accounts import clubs
from accounts.models import Club, User
from leagues import close, results
from leagues.exchange.archive import opening, pack, unpack
from leagues.models import League, Pairing, Round
from tests.leagues.conftest import begun, next_round, person


@pytest.fixture(autouse=True)
def no_worker(monkeypatch) -> None:
    monkeypatch.setattr("leagues.ratings.ledger._send", lambda pool_id: None)


@pytest.fixture
def elsewhere(db) -> Club:
    return clubs.found(founder=person("zoe"), name="The Other Table")


def packed(league: League) -> bytes:
    file = io.BytesIO()
    pack.write(league, file)
    return file.getvalue()


def brought_in(content: bytes, club: Club, same=()) -> League:
    owner = User.objects.get(memberships__club=club, memberships__role="owner")
    return unpack.bring_in(actor=owner, club=club, archive=opening.opened(content), same=same)


@pytest.fixture
def content(league, alice) -> bytes:
    stage = begun(league, alice, "swiss", 4)
    for pairing in Pairing.objects.filter(round=next_round(alice, stage)):
        results.settle(actor=alice, pairing=pairing, places=[{"rank": 1}, {"rank": 2}])
    close.close_round(actor=alice, round=Round.objects.get())
    return packed(league)

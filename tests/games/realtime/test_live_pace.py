"""The pace of bots in a running site: each turn is one frame, and the next comes after a pause all screens share."""

import time
from collections.abc import Iterator

import pytest

from deploy.harness.match_client import Player, begin
from deploy.harness.servers import SiteServer
from tests.conftest import EMPTY, SITES, standing


@pytest.fixture(params=["embedded", pytest.param("production", marks=pytest.mark.slow)])
def paced_site(request: pytest.FixtureRequest, tmp_path) -> Iterator[SiteServer]:
    yield from standing(SITES[request.param](tmp_path, **EMPTY, GAUNTLET_BOT_PACE="100"))


def test_bots_take_their_turns_one_by_one(paced_site: SiteServer) -> None:
    session = paced_site.sign_in("anna")
    key = begin(paced_site, session, bots=2, tempo="quick")
    with Player(paced_site, key, session) as anna, Player(paced_site, key) as gallery:
        for screen in (anna, gallery):
            screen.wait_for_ply(0)
        seat = anna.view["seat"]
        while anna.view["to_act"] != seat:
            anna.receive()
        while anna.view["to_act"] == seat:
            ply = anna.v
            anna.play()
            anna.wait_for_ply(ply + 1)
        began, turns = time.monotonic(), []
        while anna.frame["view"]["to_act"] != seat:
            before = anna.v
            anna.wait_for_ply(before + 1)
            assert anna.frame["since"] == before
            turns.append({event["seat"] for event in anna.frame["events"] if "seat" in event})
        took = time.monotonic() - began
        assert [len(actors) for actors in turns] == [1, 1], "one frame a turn, of one bot"
        assert took > 1, "two turns, each after a pause"
        gallery.wait_for_ply(anna.v)
        assert sum('"event":"match"' in text for text in gallery.received[-12:]) >= 2

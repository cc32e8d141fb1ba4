"""Tables played online: who has checked in, and when the match opens."""

import pytest
from django.urls import reverse

from accounts.models import User
from leagues.entries import registration
from leagues.models import League, Pairing, Season, Stage
from leagues.rounds import draw
from leagues.seasons import presets, setup
from tests.factories import logged_in

LIVE = {"where": "online", "clock": "live", "bank": 600, "increment": 10}


def page_text(response) -> str:
    return response.content.decode()


def begin(league: League, olga: User, players: list[User], preset: str, **terms) -> Season:
    season = presets.set_up(actor=olga, league=league, preset=preset)
    setup.edit_season(actor=olga, season=season, check_in=False, **terms)
    for each in players:
        registration.register(person=each, season=season)
    return draw.start(actor=olga, season=season)


class TestSwiss:
    @pytest.fixture
    def pairing(self, league, olga, players) -> Pairing:
        season = begin(league, olga, players[:2], "swiss-evening", **LIVE)
        stage = Stage.objects.get(division__season=season)
        return draw.publish(actor=olga, round=draw.draw_next_round(actor=olga, stage=stage)).pairings.get()

    def test_the_match_begins_when_everybody_is_there(self, pairing, players):
        one, other = map(logged_in, players[:2])
        assert "I am here: let us play" in page_text(one.get(pairing.get_absolute_url()))
        page = one.post(reverse("leagues:here", args=[pairing.key]), follow=True)
        assert "The match begins as soon as everybody is." in page_text(page)
        answer = other.post(reverse("leagues:here", args=[pairing.key]))
        pairing.refresh_from_db()
        assert pairing.match is not None
        assert answer.url == pairing.match.get_absolute_url()
        season = pairing.round.stage.division.season
        assert pairing.match.get_absolute_url() in page_text(one.get(season.get_absolute_url()))

    def test_only_for_those_who_sit_there(self, pairing, as_charlie):
        assert "I am here" not in page_text(as_charlie.get(pairing.get_absolute_url()))
        assert as_charlie.post(reverse("leagues:here", args=[pairing.key])).status_code == 403

    def test_nobody_reports_what_arrives_by_itself(self, pairing, players):
        one = logged_in(players[0])
        assert "Report this result" not in page_text(one.get(pairing.get_absolute_url()))
        page = one.post(reverse("leagues:report", args=[pairing.key]), {"rank-0": "1", "rank-1": "2"})
        assert page.status_code == 422
        assert "its result is recorded automatically" in page_text(page)


def test_an_arena_pairs_whoever_waits(league, olga, players):
    season = begin(league, olga, players[:2], "arena-night")
    stage = Stage.objects.get(division__season=season)
    path = reverse("leagues:wait", args=[league.slug, season.number, stage.pk])
    one, other = map(logged_in, players[:2])
    assert "I am ready to play" in page_text(one.get(season.get_absolute_url()))
    one.post(path)
    assert "Take a break" in page_text(one.get(season.get_absolute_url()))
    one.post(path, {"rest": "1"})
    assert not stage.waiting.exists()
    one.post(path)
    other.post(path)
    assert Pairing.objects.filter(round__stage=stage).count() == 1

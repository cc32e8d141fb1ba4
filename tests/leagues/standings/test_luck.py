"""Luck beside the standings: summed by hand, only of matches that the reader may see, and changing no place."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from engine.analysis import VERSION
from games.models import Analysis, Match, Seat
from leagues.models import Pairing
from leagues.standings import luck, ranking
from tests.factories import (
    create_user,
    finish_round,
    finished_match,
    logged_in,
    next_round,
    running_stage,
    started_match,
)

SHORT = {"heroes_life": 1, "thanos_life": 1}

pytestmark = pytest.mark.django_db


def analysed(pairing, lucks, **more):
    """The pairing as if it had been played online and analysed, with this luck of its two seats."""
    first, second = create_user(f"first-{pairing.pk}"), create_user(f"second-{pairing.pk}")
    match = finished_match(started_match(first, second, game="infinity-gauntlet", options=SHORT))
    for seat in pairing.seats.all():
        Seat.objects.filter(match=match, index=seat.index).update(user=seat.entrant.user)
    Match.objects.filter(pk=match.pk).update(**{"visibility": "anyone", **more})
    Pairing.objects.filter(pk=pairing.pk).update(match=match, where="online")
    sides = [{"seats": [at], "luck": gained, "luck_error": 0.1} for at, gained in enumerate(lucks)]
    Analysis.objects.create(
        match=match, state="done", report={"sides": sides}, version=VERSION, computed_at=timezone.now()
    )
    return match


def played(league, actor, players, rounds):
    stage = running_stage(league, actor, "swiss", players, planned=rounds)
    tables = []
    for _ in range(rounds):
        round_ = next_round(actor, stage)
        tables.append(list(round_.pairings.order_by("number")))
        finish_round(round_)
    return stage, tables


def address(stage):
    season = stage.division.season
    return reverse("leagues:standings", args=[season.league.slug, season.number, stage.pk])


def test_the_luck_of_a_season_is_summed_and_changes_no_place(client: Client, league, alice):
    stage, (first_round, second_round) = played(league, alice, 4, 2)
    assert luck.luck_in(stage.division.season, AnonymousUser()) == []
    assert "luck" not in client.get(address(stage)).content.decode().lower()
    before = ranking.ranking(stage)
    expected: dict[int, float] = {}
    counted: dict[int, int] = {}
    for pairing, lucks in ((first_round[0], (0.5, -0.5)), (second_round[0], (-0.2, 0.2))):
        analysed(pairing, lucks)
        for seat in pairing.seats.all():
            expected[seat.entrant_id] = expected.get(seat.entrant_id, 0.0) + lucks[seat.index]
            counted[seat.entrant_id] = counted.get(seat.entrant_id, 0) + 1
    found = luck.luck_in(stage.division.season, AnonymousUser())
    assert {line.entrant: line.luck for line in found} == {who: round(100 * gained) for who, gained in expected.items()}
    assert {line.entrant: line.matches for line in found} == counted
    # 1.96 standard errors: 0.1 of one match, the root of two squares of two.
    assert {line.error for line in found} <= {20, 28}
    assert [line.luck for line in found] == sorted((line.luck for line in found), reverse=True)
    told = client.get(f"/api/v1/stages/{stage.pk}/luck/").json()
    assert [(line["entrant"], line["luck"], line["error"]) for line in told["lines"]] == [
        (line.entrant, line.luck, line.error) for line in found
    ]
    # On the page on demand only.
    page = client.get(address(stage)).content.decode()
    assert "?luck" in page
    assert "Luck so far" not in page
    shown = client.get(address(stage) + "?luck").content.decode()
    assert "Luck so far" in shown
    assert all(line.name in shown for line in found)
    assert ranking.ranking(stage) == before


def test_what_the_reader_may_not_see_is_left_out(client: Client, league, alice):
    stage, ([table, other], _) = played(league, alice, 4, 2)
    season = stage.division.season
    member = create_user("member")
    league.club.memberships.create(user=member)
    analysed(table, (0.5, -0.5), visibility="club", club=league.club)
    assert luck.luck_in(season, AnonymousUser()) == []
    assert "Luck so far" not in client.get(address(stage) + "?luck").content.decode()
    assert len(luck.luck_in(season, member)) == 2
    assert "Luck so far" in logged_in(member).get(address(stage) + "?luck").content.decode()
    # A deal that other tables still play, and a judge of old.
    sealed = analysed(other, (0.5, -0.5), sealed=True)
    assert len(luck.luck_in(season, member)) == 2
    Match.objects.filter(pk=sealed.pk).update(sealed=False)
    assert len(luck.luck_in(season, member)) == 4
    Analysis.objects.update(version=VERSION - 1)
    assert luck.luck_in(season, member) == []


def test_more_players_need_no_more_queries(league, alice):
    asked = []
    for players in (4, 12):
        stage, [tables] = played(league, alice, players, 1)
        for pairing in tables:
            analysed(pairing, (0.1, -0.1))
        with CaptureQueriesContext(connection) as queries:
            assert len(luck.luck_in(stage.division.season, AnonymousUser())) == players
        asked.append(len(queries))
    assert asked[0] == asked[1] <= 5

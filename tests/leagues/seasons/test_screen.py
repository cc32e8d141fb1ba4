"""The screen of a club evening: what it shows, to whom, and its clock."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from accounts.models import Club, User
from leagues.models import League, Result, Round, Screen, Season, SentReport
from leagues.results import reporting
from leagues.rounds import draw
from leagues.seasons import screen, setup
from leagues.seasons.screen_now import screen_now
from tests.factories import add_guests, draft_season, enter, finish_round, logged_in, next_round, stage_of
from tests.leagues.pages.conftest import in_order, sheet


@pytest.fixture
def league(club: Club, olga: User) -> League:
    return setup.create_league(actor=olga, club=club, name="Friday Splendor", game="splendor-marvel")


@pytest.fixture
def season(league: League, olga: User, bob: User) -> Season:
    """Two divisions of eight; Bob plays in the first."""
    made = draft_season(league, olga, "table-swiss", planned=3, divisions=2)
    add_guests(made, olga, 7, 1)
    enter(made.divisions.get(level=1), olga, bob)
    add_guests(made, olga, 8, 2)
    return draw.start(actor=olga, season=made)


@pytest.fixture
def rounds(season: Season, olga: User) -> list[Round]:
    return [next_round(olga, stage_of(season, level=level)) for level in (1, 2)]


def path(season: Season) -> str:
    return reverse("leagues:screen", args=[season.league.slug, season.number])


def test_it_shows_every_table_once_with_its_result_and_the_standings(season, rounds, olga):
    first = rounds[0].pairings.get(number=1)
    reporting.enter_result(actor=olga, pairing=first, places=in_order(first))
    now = screen_now(season, sees_nights=False)
    assert [table.number for table in now.tables] == [1, 2, 3, 4]
    assert [table.state for table in now.tables] == ["done", "waiting", "waiting", "waiting"]
    assert [(seat.score, seat.leads) for seat in now.tables[0].seats][:2] == [("19", True), ("18", False)]
    assert now.tables[0].words == now.tables[0].seats[0].name
    assert [each.division for each in now.standings] == ["Division 1", "Division 2"]
    assert now.news[0].table == 1
    assert now.title == "Round 1 of 3"
    assert Client().get(path(season)).status_code == 200
    told = Client().get(f"/api/v1/seasons/{season.pk}/screen/").json()
    assert [table["table"] for table in told["tables"]] == [1, 2, 3, 4]


def test_a_draw_that_is_not_published_is_not_on_it(season, olga):
    draw.draw_next_round(actor=olga, stage=stage_of(season))
    assert screen_now(season, sees_nights=True).tables == []
    assert Client().get(path(season)).status_code == 200


def test_the_clock(season, rounds, olga, bob):
    assert screen_now(season, sees_nights=True).clock.code == "since"
    Round.objects.filter(pk=rounds[0].pk).update(closes_at=timezone.now() + timedelta(hours=1))
    assert screen_now(season, sees_nights=True).clock.code == "round"
    Round.objects.filter(pk=rounds[0].pk).update(closes_at=timezone.now() + timedelta(days=3))
    assert screen_now(season, sees_nights=True).clock.code == "since", "three days are no clock of an evening"
    for each in rounds:
        finish_round(each)
    assert screen_now(season, sees_nights=True).clock is None
    made = screen.start_clock(actor=olga, season=season, clock="break", minutes=10)
    assert made.clock_until - made.clock_from == timedelta(minutes=10)
    clock = screen_now(season, sees_nights=True).clock
    assert (clock.code, clock.until) == ("break", made.clock_until)
    for clock, minutes in (("lunch", 10), ("round", 0), ("round", 601)):
        with pytest.raises(Refused):
            screen.start_clock(actor=olga, season=season, clock=clock, minutes=minutes)
    assert screen.screen_of(season).clock == "break"
    with pytest.raises(NotAllowed):
        screen.start_clock(actor=bob, season=season, clock="round", minutes=10)
    Screen.objects.update(
        clock_from=timezone.now() - timedelta(days=1), clock_until=timezone.now() - timedelta(hours=2)
    )
    assert screen_now(season, sees_nights=True).clock is None, "of another evening"
    screen.stop_clock(actor=olga, season=season)
    assert screen_now(season, sees_nights=True).clock is None


def test_a_private_league_is_seen_by_its_people_and_by_the_secret_link(season, rounds, olga, bob, charlie):
    League.objects.update(is_private=True)
    season.refresh_from_db()
    seen = {who: client.get(path(season)).status_code for who, client in
            {"visitor": Client(), "stranger": logged_in(charlie), "player": logged_in(bob)}.items()}  # fmt: skip
    assert seen == {"visitor": 404, "stranger": 404, "player": 200}
    link = reverse("leagues:screen-by-link", args=[screen.make_link(actor=olga, season=season).key])
    answer = Client().get(link)
    assert answer.status_code == 200
    assert answer["Referrer-Policy"] == "no-referrer"
    assert "noindex" in answer["X-Robots-Tag"]
    again = reverse("leagues:screen-by-link", args=[screen.make_link(actor=olga, season=season).key])
    assert (Client().get(link).status_code, Client().get(again).status_code) == (404, 200)
    screen.remove_link(actor=olga, season=season)
    assert Client().get(again).status_code == 404
    with pytest.raises(NotAllowed):
        screen.make_link(actor=bob, season=season)


def test_a_report_sent_twice_is_written_once(season, rounds, bob, olga):
    pairing = rounds[0].pairings.get(seats__entrant__user=bob)
    address, client = reverse("leagues:report", args=[pairing.key]), logged_in(bob)
    body = sheet(pairing) | {"key": "abc"}
    asked = {"headers": {"Accept": "application/json"}}
    answers = [client.post(address, body, **asked) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200] * 3
    assert answers[0].json() == answers[2].json()
    assert Result.objects.filter(pairing=pairing).count() == 1
    # It stays the same answer after the table is decided, and another key is another report.
    reporting.enter_result(actor=olga, pairing=pairing, places=in_order(pairing))
    assert client.post(address, body, **asked).status_code == 200
    late = client.post(address, body | {"key": "other"}, **asked)
    assert late.status_code == 422
    assert late.json()["words"]
    assert client.post(address, body | {"key": "x" * 41}, **asked).status_code == 422
    assert SentReport.objects.count() == 1
    # By the API as well.
    second = rounds[0].pairings.exclude(pk=pairing.pk).get()
    sent = {"places": in_order(second), "key": "k"}
    api, desk = f"/api/v1/pairings/{second.key}/settle/", logged_in(olga)
    assert [desk.post(api, sent, content_type="application/json").status_code for _ in range(2)] == [200, 200]
    assert Result.objects.filter(pairing=second).count() == 1


def test_somebody_elses_key_is_no_answer(season, rounds, bob, olga, charlie):
    pairing = rounds[0].pairings.get(seats__entrant__user=bob)
    address = reverse("leagues:report", args=[pairing.key])
    asked = {"headers": {"Accept": "application/json"}}
    logged_in(bob).post(address, sheet(pairing) | {"key": "abc"}, **asked)
    assert logged_in(charlie).post(address, sheet(pairing) | {"key": "abc"}, **asked).status_code == 403

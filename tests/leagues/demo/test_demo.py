"""The demo club's leagues: each has something to look at, and the bots' league goes on automatically."""

from collections.abc import Callable
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from django.conf import LazySettings
from django.db.models import Model
from django.test import Client
from django.utils import timezone, translation

import engine
from accounts import demo as people
from accounts.models import AuditEntry, Notice, User
from games.models import Match
from games.tables import exhibition
from leagues import demo
from leagues.demo import bot_league, calendar, club_night_season, online_round_robin, swiss_evening, team_season
from leagues.models import (
    ClubNight,
    Entrant,
    League,
    OddsAfter,
    Pairing,
    Placement,
    Plan,
    Round,
    Season,
    TimeProposal,
)
from leagues.odds import refresh
from leagues.placement import planning
from leagues.results import reporting
from leagues.seasons import next_steps
from leagues.windows import extensions

pytestmark = pytest.mark.django_db


def season_of(part: object) -> Season:
    return Season.objects.get(league__name=part.NAME)  # type: ignore[attr-defined]


def rounds_of(season: Season) -> list[str]:
    rows = Round.objects.filter(stage__division__season=season).order_by("number")
    return [each.status for each in rows]


def states_of(season: Season) -> set[str]:
    return set(Pairing.objects.seen().filter(round__stage__division__season=season).values_list("state", flat=True))


def counts() -> dict[type[Model], int]:
    everything = (League, Season, Round, Pairing, Entrant, Match, ClubNight, AuditEntry, Notice, TimeProposal, Plan)
    return {model: model.objects.count() for model in everything}


def test_every_game_has_a_running_league_with_something_to_look_at() -> None:
    people.seed()
    demo.seed()
    seasons = {
        part: season_of(part)
        for part in (swiss_evening, club_night_season, online_round_robin, team_season, bot_league)
    }
    assert all(season.is_running for season in seasons.values())
    assert {season.league.game for season in seasons.values()} == set(engine.GAMES)
    for season in seasons.values():
        assert rounds_of(season)[:3] == ["closed", "closed", "published"] or rounds_of(season)[3] == "published"
        assert season.starts_at
        assert season.starts_at <= timezone.now()
    with_bots = Season.objects.filter(entrants__user__is_bot=True) | Season.objects.filter(
        entrants__members__user__is_bot=True
    )
    assert {season.league.game for season in with_bots} == set(engine.GAMES)
    assert {"reported", "disputed"} <= states_of(seasons[swiss_evening])
    assert len(reporting.disputed_pairings(seasons[swiss_evening])) == 1
    assert extensions.how_many_wait(seasons[team_season]) == 1
    assert OddsAfter.objects.filter(stage__division__season=seasons[online_round_robin]).count() >= 2
    the_member_has_a_time_to_answer_and_knows_what_is_next()
    odds_stand_on_a_page()
    before = counts()
    people.seed()
    demo.seed()
    assert counts() == before


def test_the_next_night_has_its_tables_and_one_finds_no_place() -> None:
    people.seed()
    calendar.seed()
    club_night_season.seed()
    season = season_of(club_night_season)
    played = Placement.objects.filter(pairing__round__status="closed")
    assert played.count() == 8
    assert all(each.slot.ends_at < timezone.now() for each in played.select_related("slot"))
    planning.run(plan_id=Plan.objects.get(season=season).pk)
    plan = Plan.objects.get(season=season)
    assert plan.status == Plan.Status.DONE
    current = Placement.objects.filter(pairing__round__status="published").select_related("slot__night")
    assert current.filter(locked=True).count() == 1
    assert current.count() == 3
    coming = ClubNight.objects.filter(starts_at__gt=timezone.now()).order_by("starts_at")[0]
    assert coming.day.weekday() == 3
    assert coming.starts_at.astimezone(ZoneInfo(coming.club.time_zone)).hour == 18
    assert any(each.slot.night == coming for each in current)
    left = Pairing.objects.get(round__status="published", round__stage__division__season=season, placement=None)
    assert left.seats.filter(entrant__user__handle=calendar.NEVER).exists()
    client = Client()
    client.force_login(User.objects.get(handle="niamh"))
    page = client.get(f"{season.get_absolute_url()}calendar/").content.decode()
    assert "Hana Sato" in page


def the_member_has_a_time_to_answer_and_knows_what_is_next() -> None:
    member = User.objects.get(handle=online_round_robin.MEMBER)
    asked = TimeProposal.objects.get(
        status="open", pairing__round__stage__division__season=season_of(online_round_robin)
    )
    assert asked.by != member
    assert member in reporting.players(asked.pairing)
    zone = ZoneInfo("Europe/Rome")
    assert [each.starts_at.astimezone(zone).hour for each in asked.times.all()] == [21, 20, 18]
    with translation.override("en"):
        labels = {season.league.name: next_.label for season, next_ in next_steps.next_steps_everywhere(member)}
    assert set(labels) == {swiss_evening.NAME, club_night_season.NAME, online_round_robin.NAME, team_season.NAME}
    assert labels[online_round_robin.NAME] == "Answer the suggestion"
    assert Notice.objects.filter(user=member, read_at=None, kind="leagues.time-proposed").count() == 1


def odds_stand_on_a_page() -> None:
    season = season_of(online_round_robin)
    refresh.refresh(season_id=season.pk, runs=200)
    page = Client().get(f"{season.get_absolute_url()}standings/", follow=True).content.decode()
    assert "What can still happen" in page
    assert "odds-curve" in page


def finish(round_: Round) -> None:
    """Finish every match of the round, as if the bots had played on."""
    for match in Match.objects.filter(pairing__round=round_, status=Match.Status.PLAYING):
        match.status, match.cause, match.finished_at = Match.Status.FINISHED, "played", timezone.now()
        match.bot_due = match.deadline = match.to_act = None
        match.save()
        for rank, seat in enumerate(match.seats.order_by("index"), 1):
            seat.rank = rank
            seat.save(update_fields=["rank"])
        reporting.accept_match_result(match)


def until(done: Callable[[], bool]) -> None:
    for _step in range(20):
        if done():
            return
        open_rounds = Round.objects.filter(status="published", stage__division__season__league__name=bot_league.NAME)
        if not bot_league.step():
            for round_ in open_rounds:
                finish(round_)
    raise AssertionError("the bots stopped playing")


def test_the_bots_league_goes_on_from_season_to_season_and_does_not_pile_up(
    settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DEMO = True
    # As if two more seasons had been played since.
    monkeypatch.setattr(bot_league, "KEPT", 0)
    people.seed()
    bot_league.seed()
    shown = Match.objects.filter(pairing__isnull=False)
    assert [match.pace for match in shown] == [exhibition.PACE] * 3
    assert not bot_league.step(), "a round that is being played is left alone"
    bots = set(Entrant.objects.values_list("user", flat=True))
    until(lambda: Season.objects.filter(status="closed").exists())
    assert rounds_of(Season.objects.get()) == ["closed"] * 5
    until(lambda: Season.objects.filter(status="running").exists())
    season = Season.objects.get()
    assert season.number == 2
    assert rounds_of(season) == ["published", *["drawn"] * 4]
    assert set(Entrant.objects.values_list("user", flat=True)) == bots
    assert Match.objects.count() == shown.all().count() == 3


def test_nothing_goes_on_while_nobody_looks_or_in_a_site_that_is_no_demo(settings: LazySettings) -> None:
    settings.DEMO = True
    people.seed()
    bot_league.seed()
    for round_ in Round.objects.filter(status="published"):
        finish(round_)
    Match.objects.update(watched_at=timezone.now() - timedelta(hours=1))
    assert not bot_league.step()
    Match.objects.update(watched_at=timezone.now())
    settings.DEMO = False
    assert not bot_league.step()
    settings.DEMO = True
    assert bot_league.step()

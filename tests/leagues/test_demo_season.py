"""The demo club's leagues: each has something to look at, and the bots' own goes on by itself."""

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
from games import exhibition
from games.models import Match
from leagues import agenda, demo, results
from leagues.demo import clockwork, evening, gauntlet, lamplight, nights, together
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
from leagues.scheduling import extensions, planning

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
    seasons = {part: season_of(part) for part in (evening, gauntlet, lamplight, together, clockwork)}
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
    assert {"reported", "disputed"} <= states_of(seasons[evening])
    assert len(results.waiting_for_organiser(seasons[evening])) == 1
    assert extensions.how_many_wait(seasons[together]) == 1
    assert OddsAfter.objects.filter(stage__division__season=seasons[lamplight]).count() >= 2
    the_member_has_a_time_to_answer_and_knows_what_is_next()
    odds_stand_on_a_page()
    before = counts()
    people.seed()
    demo.seed()
    assert counts() == before


def test_the_next_night_has_its_tables_and_one_finds_no_place() -> None:
    people.seed()
    nights.seed()
    gauntlet.seed()
    season = season_of(gauntlet)
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
    assert left.seats.filter(entrant__user__handle=nights.NEVER).exists()
    client = Client()
    client.force_login(User.objects.get(handle="niamh"))
    page = client.get(f"{season.get_absolute_url()}calendar/").content.decode()
    assert "Hana Sato" in page


def the_member_has_a_time_to_answer_and_knows_what_is_next() -> None:
    member = User.objects.get(handle=lamplight.MEMBER)
    asked = TimeProposal.objects.get(status="open", pairing__round__stage__division__season=season_of(lamplight))
    assert asked.by != member
    assert member in results.players(asked.pairing)
    zone = ZoneInfo("Europe/Rome")
    assert [each.starts_at.astimezone(zone).hour for each in asked.times.all()] == [21, 20, 18]
    with translation.override("en"):
        told = {season.league.name: next_.label for season, next_ in agenda.everywhere(member)}
    assert set(told) == {evening.NAME, gauntlet.NAME, lamplight.NAME, together.NAME}
    assert told[lamplight.NAME] == "Answer the suggestion"
    assert Notice.objects.filter(user=member, read_at=None, kind="leagues.time-proposed").count() == 1


def odds_stand_on_a_page() -> None:
    season = season_of(lamplight)
    refresh.refresh(season_id=season.pk, runs=200)
    page = Client().get(f"{season.get_absolute_url()}standings/", follow=True).content.decode()
    assert "What can still happen" in page
    assert "odds-curve" in page


def finish(round_: Round) -> None:
    """As if the bots had played on: every match of the round is over."""
    for match in Match.objects.filter(pairing__round=round_, status=Match.Status.PLAYING):
        match.status, match.cause, match.finished_at = Match.Status.FINISHED, "played", timezone.now()
        match.bot_due = match.deadline = match.to_act = None
        match.save()
        for rank, seat in enumerate(match.seats.order_by("index"), 1):
            seat.rank = rank
            seat.save(update_fields=["rank"])
        results.arrive(match)


def until(done: Callable[[], bool]) -> None:
    for _step in range(20):
        if done():
            return
        open_rounds = Round.objects.filter(status="published", stage__division__season__league__name=clockwork.NAME)
        if not clockwork.step():
            for round_ in open_rounds:
                finish(round_)
    raise AssertionError("the bots stopped playing")


def test_the_bots_league_goes_on_from_season_to_season_and_does_not_pile_up(
    settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DEMO = True
    # As if two more seasons had been played since.
    monkeypatch.setattr(clockwork, "KEPT", 0)
    people.seed()
    clockwork.seed()
    shown = Match.objects.filter(pairing__isnull=False)
    assert [match.pace for match in shown] == [exhibition.PACE] * 3
    assert not clockwork.step(), "a round that is being played is left alone"
    bots = set(Entrant.objects.values_list("user", flat=True))
    until(lambda: Season.objects.filter(status="closed").exists())
    assert rounds_of(Season.objects.get()) == ["closed"] * 5
    until(lambda: Season.objects.filter(status="running").exists())
    season = Season.objects.get()
    assert season.number == 2
    assert rounds_of(season) == ["published", *["drawn"] * 4]
    assert set(Entrant.objects.values_list("user", flat=True)) == bots
    assert Match.objects.count() == shown.all().count() == 3


def test_nothing_goes_on_while_nobody_looks_or_in_a_house_that_is_no_demo(settings: LazySettings) -> None:
    settings.DEMO = True
    people.seed()
    clockwork.seed()
    for round_ in Round.objects.filter(status="published"):
        finish(round_)
    Match.objects.update(watched_at=timezone.now() - timedelta(hours=1))
    assert not clockwork.step()
    Match.objects.update(watched_at=timezone.now())
    settings.DEMO = False
    assert not clockwork.step()
    settings.DEMO = True
    assert clockwork.step()

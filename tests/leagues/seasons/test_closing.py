"""Closing a season: exactly the previewed movements are written, and everybody is notified once."""

from collections import Counter
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.infra.errors import Refused
from accounts.models import AuditEntry, Notice
from leagues.entries import withdrawal
from leagues.formats.reasons import to_json
from leagues.models import Division, Entrant, Movement, Season, SignOff
from leagues.rounds import closing as rounds_closing
from leagues.rounds import draw
from leagues.seasons import closing, final_standings, setup
from tests.factories import add_guests, draft_season, enter, finish_round, next_round, running_stage, stage_of


def two_divisions(league, alice, count: int = 4) -> Season:
    season = draft_season(league, alice, "round-robin", divisions=2)
    for division, up, down in zip(Division.objects.filter(season=season), (0, 1), (1, 0)):
        setup.edit_division(actor=alice, division=division, name=division.name, cap=None, up=up, down=down)
    for level in (1, 2):
        add_guests(season, alice, count, level=level)
    draw.start(actor=alice, season=season)
    return season


def play_season(season: Season, alice) -> None:
    for level in (1, 2):
        stage = stage_of(season, level=level)
        for round_ in draw.draw_all_rounds(actor=alice, stage=stage):
            finish_round(draw.publish(actor=alice, round=round_))
        rounds_closing.finish_stage(actor=alice, stage=stage)


def test_what_was_previewed_is_what_is_written_and_once(league, alice, olga):
    season = two_divisions(league, alice)
    with pytest.raises(Refused, match="not over"):
        closing.close_season(actor=alice, season=season)
    assert final_standings.preview(season=season).missing
    play_season(season, alice)
    seen = final_standings.preview(season=season)
    assert not seen.missing
    assert season.movements.count() == 0
    closing.close_season(actor=alice, season=season)
    written = {move.entrant_id: (move.old, move.new, move.reason) for move in season.movements.all()}
    assert written == {line.entrant.pk: (line.division.level, line.new, to_json(line.reason)) for line in seen.lines}
    assert closing.close_season(actor=olga, season=season).is_closed
    assert season.movements.count() == 8
    moved = [(old, new) for old, new, _why in written.values() if old != new]
    assert sorted(moved) == [(1, 2), (2, 1)]


def test_who_withdrew_leaves_first_and_the_place_is_filled_from_below(league, alice):
    season = two_divisions(league, alice)
    leaver = Entrant.objects.filter(division__level=1, season=season).first()
    withdrawal.withdraw(actor=alice, entrant=leaver)
    play_season(season, alice)
    lines = {line.entrant.pk: line for line in final_standings.preview(season=season).lines}
    assert lines[leaver.pk].new is None
    assert sum(line.new == 1 for line in lines.values()) == 4
    assert sum(line.new == 2 for line in lines.values()) == 3


def test_a_closed_season_takes_nothing_more(league, alice):
    stage = running_stage(league, alice, "swiss", 2, planned=1)
    season = stage.division.season
    finish_round(next_round(alice, stage))
    rounds_closing.finish_stage(actor=alice, stage=stage)
    closing.close_season(actor=alice, season=season)
    for attempt in (
        lambda: draw.draw_next_round(actor=alice, stage=stage),
        lambda: add_guests(season, alice, 1),
        lambda: setup.edit_season(actor=alice, season=season, name="Other"),
        lambda: setup.change_tie_breaks(actor=alice, season=season, codes=["lot"]),
        lambda: withdrawal.withdraw(actor=alice, entrant=season.entrants.first()),
    ):
        with pytest.raises(Refused, match=r"closed|running"):
            attempt()


def test_a_close_that_dies_in_the_middle_leaves_the_league_as_it_was(league, alice, monkeypatch):
    season = two_divisions(league, alice)
    play_season(season, alice)
    logged = AuditEntry.objects.count()

    def broken(*args, **kwargs):
        raise RuntimeError("the worker died")

    monkeypatch.setattr("leagues.seasons.closing.notify", broken)
    with pytest.raises(RuntimeError):
        closing.close_season(actor=alice, season=season)
    season.refresh_from_db()
    assert season.is_running
    assert season.closed_at is None
    assert not Movement.objects.exists()
    assert not SignOff.objects.exists()
    assert AuditEntry.objects.count() == logged
    monkeypatch.undo()
    assert closing.close_season(actor=alice, season=season).is_closed
    assert Movement.objects.count() == 8


def test_everybody_is_notified_of_their_place(league, alice, bob):
    season = draft_season(league, alice, "round-robin")
    enter(season.divisions.get(), alice, bob)
    add_guests(season, alice, 2)
    draw.start(actor=alice, season=season)
    stage = stage_of(season)
    for round_ in draw.draw_all_rounds(actor=alice, stage=stage):
        finish_round(draw.publish(actor=alice, round=round_))
    rounds_closing.finish_stage(actor=alice, stage=stage)
    closing.close_season(actor=alice, season=season)
    notice = Notice.objects.get(kind="leagues.season-closed")
    assert notice.user == bob
    assert notice.params["place"] == season.movements.get(entrant__user=bob).place
    assert notice.params["division"] == "Division 1"
    # Most leagues have a season of that name.
    assert {each.params["season"] for each in Notice.objects.filter(kind__in=["leagues.drawn", "leagues.added"])} == {
        f"{season.league.name}, {season.name}"
    }
    assert notice.params["season"] == f"{season.league.name}, {season.name}"


def test_nothing_is_said_twice_before_the_close(client, league, alice):
    """The row says place, name and direction; only what those do not explain needs a sentence."""
    season = two_divisions(league, alice)
    play_season(season, alice)
    client.force_login(alice)
    page = client.get(reverse("leagues:close", args=[league.slug, season.number])).content.decode()
    names = Counter(line.entrant.name for line in final_standings.preview(season=season).lines)
    assert {name: page.count(name) for name in names} == names
    assert page.count(">stays<") == page.count("stays")
    assert page.count(">moves up<") == page.count("moves up") == 1
    left = Entrant.objects.filter(season=season).first()
    withdrawal.withdraw(actor=alice, entrant=left)
    page = client.get(reverse("leagues:close", args=[league.slug, season.number])).content.decode()
    assert f"{left.name} has withdrawn and leaves" in page


def test_the_page_goes_in_two_steps(client, league, alice):
    season = two_divisions(league, alice)
    play_season(season, alice)
    client.force_login(alice)
    page = reverse("leagues:close", args=[league.slug, season.number])
    first = client.get(page).content.decode()
    assert "These standings are right" in first
    assert "Close the season for good?" not in first
    client.post(reverse("leagues:sign-off", args=[league.slug, season.number]))
    assert "Alice A. signed the final standings off" in client.get(page).content.decode()
    assert "Alice A. signed the final standings off" in client.get(season.get_absolute_url()).content.decode()
    client.post(reverse("leagues:sign-off-back", args=[league.slug, season.number]), {"why": "a slip"})
    assert "These standings are right" in client.get(page).content.decode()
    client.post(reverse("leagues:sign-off", args=[league.slug, season.number]))
    assert client.post(page).status_code == 302
    season.refresh_from_db()
    assert season.is_closed


DAY = timedelta(days=1)
PLANS = [None, -3 * DAY, -DAY, DAY, 3 * DAY]


@pytest.mark.parametrize("ends", PLANS)
@pytest.mark.parametrize("starts", PLANS)
def test_whatever_days_were_planned_a_season_can_be_played_to_its_end(league, alice, starts, ends):
    """Played before, during or after its planned days; refusals say what to do."""
    now, zero = timezone.now(), timedelta()
    plan = {
        "starts_at": None if starts is None else now + starts,
        "ends_at": None if ends is None else now + ends,
    }
    if starts is not None and ends is not None and ends <= starts:
        with pytest.raises(Refused, match=r"^A season ends after it starts\.$"):
            draft_season(league, alice, "swiss", planned=1, **plan)
        return
    season = draft_season(league, alice, "swiss", planned=1, **plan)
    add_guests(season, alice, 2)
    if starts is None and ends is not None and ends < zero:
        with pytest.raises(Refused, match="Change the end in the settings"):
            draw.start(actor=alice, season=season)
        season = setup.edit_season(actor=alice, season=season, ends_at=None)
    season = draw.start(actor=alice, season=season)
    assert season.starts_at <= timezone.now()
    stage = stage_of(season)
    finish_round(next_round(alice, stage))
    rounds_closing.finish_stage(actor=alice, stage=stage)
    season = closing.close_season(actor=alice, season=season)
    assert season.is_closed
    assert season.starts_at < season.ends_at <= season.closed_at


def test_a_season_that_runs_before_its_day_is_closed_all_the_same(client, league, alice):
    """Seasons that were started before the start put their first day right."""
    stage = running_stage(league, alice, "swiss", 2, planned=1)
    round_ = next_round(alice, stage)
    finish_round(round_)
    rounds_closing.finish_stage(actor=alice, stage=stage)
    season = stage.division.season
    Season.objects.filter(pk=season.pk).update(starts_at=timezone.now() + 3 * DAY, ends_at=timezone.now() + 9 * DAY)
    client.force_login(alice)
    page = client.post(reverse("leagues:close", args=[league.slug, season.number]), follow=True)
    assert page.status_code == 200
    season.refresh_from_db()
    assert season.is_closed
    assert season.starts_at == round_.drawn_at

"""Texts of pages and logs: names of divisions, correct places, clear errors for bad input."""

from django.urls import reverse

from accounts import audit
from accounts.models import AuditEntry
from leagues.core import reason_text
from leagues.entries import withdrawal
from leagues.formats.reasons import from_json
from leagues.models import Pairing, Season
from leagues.results import corrections, reporting
from leagues.rounds import closing, draw
from leagues.seasons import setup
from leagues.standings import ranking
from tests.factories import (
    add_guests,
    confirm_result,
    draft_season,
    enter,
    finish_round,
    markup_of,
    next_round,
    running_stage,
    stage_of,
)


def places(stage) -> list[tuple[int, str]]:
    return [(row.place, row.reason.code) for row in ranking.ranking(stage)]


def test_beaten_semi_finalists_play_for_third_place(league, alice, client):
    stage = running_stage(league, alice, "single-elimination", 4)
    finish_round(next_round(alice, stage))
    waiting = [(1, "place.in"), (1, "place.in"), (3, "place.third"), (3, "place.third")]
    assert places(stage) == waiting
    last = next_round(alice, stage)
    assert places(stage) == waiting
    confirm_result(last.pairings.get(slot="W2-1"))
    assert places(stage) == [(1, "place.won"), (2, "place.out"), (3, "place.third"), (3, "place.third")]
    confirm_result(last.pairings.get(slot="T"))
    assert [place for place, _why in places(stage)] == [1, 2, 3, 4]
    page = client.get(stage.division.season.get_absolute_url()).content.decode()
    assert "See the bracket" in page
    assert ">Points<" not in page


def promoting(league, alice) -> Season:
    season = setup.add_season(actor=alice, league=league)
    for name, up, down in (("Gold", 0, 1), ("Silver", 1, 0)):
        division = setup.add_division(actor=alice, season=season, name=name, up=up, down=down)
        setup.add_stage(actor=alice, division=division, format="swiss", planned=1)
    setup.open_registration(actor=alice, season=season)
    for level in (1, 2):
        add_guests(season, alice, 2, level=level)
    return draw.start(actor=alice, season=season)


def test_divisions_are_called_by_their_names(league, alice, client):
    season = promoting(league, alice)
    for level in (1, 2):
        pairing = next_round(alice, stage_of(season, level=level)).pairings.get()
        reporting.enter_result(actor=alice, pairing=pairing, places=[{"rank": 1}, {"rank": 2}])
    seen = corrections.preview(actor=alice, pairing=pairing, places=[{"rank": 2}, {"rank": 1}])
    assert sorted((each.old, each.new) for each in seen.transfers) == [("Gold", "Silver"), ("Silver", "Gold")]
    entry = AuditEntry.objects.filter(action="leagues.settled").order_by("-pk").first()
    assert audit.render_entries([entry])[0].words.endswith("table 2 of round 1 in Silver")
    for level in (1, 2):
        closing.finish_stage(actor=alice, stage=stage_of(season, level=level))
    withdrawal.withdraw(actor=alice, entrant=season.entrants.filter(division__name="Gold").first())
    client.force_login(alice)
    page = client.get(reverse("leagues:close", args=[league.slug, season.number])).content.decode()
    assert "has withdrawn and leaves “Gold”." in page
    assert "league 1" not in page


def test_old_log_entries_can_still_be_read(league, alice):
    old = {"code": "season.up", "params": {"entrant": 1, "old": 2, "league": 1}}
    assert from_json(old).params == (("entrant", 1), ("old", 2))
    assert reason_text.render_reason(old, {1: "Anna"}) == "Anna won division 2 and moves up."
    entry = AuditEntry(action="leagues.reported", actor=alice, params={"table": 1, "round": 2})
    assert audit.render_entries([entry])[0].words == "Alice A. reported table 1 of round 2 in –"


def with_player(league, alice, player) -> Pairing:
    """A table of this player and a guest."""
    season = draft_season(league, alice, "swiss", planned=1)
    enter(season.divisions.get(), alice, player)
    add_guests(season, alice, 1)
    season = draw.start(actor=alice, season=season)
    return next_round(alice, stage_of(season)).pairings.get()


def test_an_organiser_among_guests_waits_for_nobody(league, alice, client):
    pairing = with_player(league, alice, alice)
    client.force_login(alice)
    page = client.get(pairing.get_absolute_url()).content.decode()
    assert "Enter as organiser" in page
    ranks = {f"rank-{seat.index}": at for at, seat in enumerate(pairing.seats.order_by("index"), 1)}
    client.post(reverse("leagues:report", args=[pairing.key]), {"as": "organiser", **ranks})
    pairing.refresh_from_db()
    assert pairing.state == Pairing.State.CONFIRMED


def test_a_player_among_guests_is_told_who_confirms(league, alice, bob, client):
    pairing = with_player(league, alice, bob)
    client.force_login(bob)
    assert "Enter as organiser" not in client.get(pairing.get_absolute_url()).content.decode()
    ranks = {f"rank-{seat.index}": at for at, seat in enumerate(pairing.seats.order_by("index"), 1)}
    answer = client.post(reverse("leagues:report", args=[pairing.key]), ranks, follow=True)
    assert "An organiser has to confirm it." in answer.content.decode()
    client.force_login(alice)
    unfolded = "<details open><summary>Enter the result yourself"
    assert unfolded in markup_of(client.get(f"{pairing.get_absolute_url()}?enter"))
    assert unfolded not in markup_of(client.get(pairing.get_absolute_url()))


def test_bad_numbers_get_a_clear_error(league, alice, bob, client):
    pairing = with_player(league, alice, bob)
    client.force_login(alice)
    path = reverse("leagues:evening", args=[league.slug, pairing.round.stage.division.season.number, pairing.round_id])
    answer = client.post(path, {f"t{pairing.pk}-rank-{index}": rank for index, rank in ((0, 1), (1, 3))})
    assert answer.status_code == 422
    assert "Give a whole number from 1 to 2." in answer.content.decode()


def test_starting_a_ladder_draws_nothing(league, alice, client):
    season = draft_season(league, alice, "ladder")
    add_guests(season, alice, 2)
    client.force_login(alice)
    answer = client.post(reverse("leagues:start", args=[league.slug, season.number]), follow=True)
    assert "players start their games themselves" in answer.content.decode()
    assert "Draw the first round" not in answer.content.decode()


def test_the_print_button_is_not_printed(league, alice, bob, client):
    round_ = with_player(league, alice, bob).round
    path = reverse("leagues:sheet", args=[league.slug, round_.stage.division.season.number, round_.pk])
    assert '<button class="btn no-print" type="button" hidden data-print' in client.get(path).content.decode()

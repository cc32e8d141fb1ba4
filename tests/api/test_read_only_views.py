"""Read-only operations: odds, renewal questions, attendance, available bots."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import AuditEntry
from games.tables import setup as tables_setup
from games.tables.setup import Setting
from games.user_bots import service as user_bots
from leagues.entries import registration
from leagues.models import Extension, League, Odds, OddsAfter, Pairing, PlaceOffer, ReturnQuestion, Season
from leagues.models.calendar import Availability, ClubNight, Slot, Venue
from leagues.odds import inputs
from leagues.results import reporting
from leagues.rounds import closing as rounds_closing
from leagues.rounds import draw
from leagues.seasons import closing, rollover, setup
from tests.api.test_common_behaviour import problem
from tests.factories import finish_round, next_round, stage_of

pytestmark = pytest.mark.django_db
GAME = "splendor-marvel"


@pytest.fixture
def season(club, olga, alice, bob) -> Season:
    league = setup.create_league(actor=olga, club=club, name="Thursdays", game=GAME)
    made = setup.add_season(actor=olga, league=league, name="Autumn", where="both")
    division = setup.add_division(actor=olga, season=made, name="First")
    setup.add_stage(actor=olga, division=division, format="round-robin")
    setup.open_registration(actor=olga, season=made)
    for player in (alice, bob):
        registration.register(person=player, season=made)
    return made


def test_the_odds_are_those_of_the_page(season, olga, visitor):
    draw.start(actor=olga, season=season)
    stage = stage_of(season)
    path = f"/stages/{stage.pk}/odds/"
    Odds.objects.filter(division=stage.division_id).delete()
    problem(visitor.get(path), 404, "not-found")
    first, second = season.entrants.order_by("pk")
    row = {"title": 0.75, "up": 0.0, "down": 0.0, "expected": 1.25, "places": [0.75, 0.25]}
    seen = AuditEntry.objects.count()
    odds = Odds.objects.create(division=stage.division, runs=400, rows=[{"entrant": first.pk, **row}], entries=seen)
    OddsAfter.objects.create(stage=stage, number=0, titles={str(first.pk): 0.6, str(second.pk): 0.4})
    body = visitor.get(path).json()
    assert body["lines"] == [{"entrant": {"id": first.pk, "name": first.name}, **row}]
    assert body["rounds"][0] == {
        "round": 0,
        "titles": [{"entrant": first.pk, "title": 0.6}, {"entrant": second.pk, "title": 0.4}],
    }
    assert 0.04 < body["margin"] < 0.06
    assert (body["current"], body["without"]) == (True, [])
    knows = inputs.knowledge(inputs.load_remaining_season(stage.division))
    Odds.objects.filter(pk=odds.pk).update(knows=knows)
    round_ = next_round(olga, stage)
    for pairing in round_.pairings.all():
        reporting.enter_result(actor=olga, pairing=pairing, places=[{"rank": 1}, {"rank": 2}])
    body = visitor.get(path).json()
    assert (body["current"], body["without"]) == (False, ["the result of table 1 in round 1"])
    Odds.objects.filter(pk=odds.pk).update(why_not="free")
    body = visitor.get(path).json()
    assert body["why_not"]
    assert (body["lines"], body["margin"]) == ([], None)
    Season.objects.filter(pk=season.pk).update(odds=False)
    problem(visitor.get(path), 404, "not-found")


def test_organisers_see_who_asks_for_time(season, olga, as_olga, as_bob, bob):
    draw.start(actor=olga, season=season)
    next_round(olga, stage_of(season))
    pairing = Pairing.objects.get()
    Extension.objects.create(pairing=pairing, asked_by=bob, cause="player", reason="Flu.")
    path = f"/seasons/{season.pk}/more-time/"
    (body,) = as_olga.get(path).json()["requests"]
    assert (body["pairing"], body["reason"], body["asked_by"]["handle"]) == (pairing.key, "Flu.", "bob")
    problem(as_bob.get(path), 403, "forbidden")


def test_former_players_see_the_question_whether_they_play_again(season, olga, as_olga, as_bob, as_charlie, bob):
    problem(as_bob.get(f"/seasons/{season.pk}/returning/"), 404, "not-found")
    draw.start(actor=olga, season=season)
    stage = stage_of(season)
    for round_ in draw.draw_all_rounds(actor=olga, stage=stage):
        finish_round(draw.publish(actor=olga, round=round_))
    rounds_closing.finish_stage(actor=olga, stage=stage)
    closing.close_season(actor=olga, season=season)
    league = League.objects.get()
    again = rollover.start_next_season(
        actor=olga, league=league, name="Winter", ask_until=timezone.now() + timedelta(days=7)
    )
    path = f"/seasons/{again.pk}/returning/"
    assert len(as_olga.get(path).json()["questions"]) == 2
    body = as_bob.get(path).json()
    (mine,) = body["questions"]
    assert (mine["answer"], body["offers"]) == ("none", [])
    asked = ReturnQuestion.objects.get(pk=mine["id"])
    offer = PlaceOffer.objects.create(question=asked, division=asked.division)
    assert [one["id"] for one in as_bob.get(path).json()["offers"]] == [offer.pk]
    assert as_bob.post(f"{path}{mine['id']}/", {"answer": "later"}).status_code == 204
    assert as_bob.get(path).json()["questions"][0]["answer"] == "later"
    assert as_charlie.get(path).json()["questions"] == []


def test_attendance_is_the_same_as_on_the_page(club, bob, olga, charlie, visitor, as_bob):
    venue = Venue.objects.create(club=club, name="The cellar", tables=6)
    start = timezone.now() + timedelta(days=3)
    times = {"starts_at": start, "ends_at": start + timedelta(hours=4)}
    night = ClubNight.objects.create(club=club, venue=venue, day=start.date(), **times)
    for number in (1, 2):
        Slot.objects.create(night=night, number=number, tables=6, **times)
    Availability.objects.create(night=night, user=bob, answer="yes", slots=[2])
    Availability.objects.create(night=night, user=olga, answer="no")
    # Charlie has left the club since.
    Availability.objects.create(night=night, user=charlie, answer="yes")
    body = {one["person"]["handle"]: one for one in as_bob.get(f"/nights/{night.key}/comers/").json()["comers"]}
    assert visitor.get(f"/nights/{night.key}/comers/").status_code == 401
    assert (body["bob"]["comes"], body["bob"]["slots"], body["bob"]["by_habit"]) == ("yes", [2], False)
    assert (body["olga"]["comes"], body["alice"]["comes"], body["alice"]["by_habit"]) == ("no", "unknown", True)
    assert "charlie" not in body
    assert visitor.get(f"/nights/{night.key}/").json()["coming"] == 1


def test_a_bot_that_somebody_brought_is_found_and_entered(season, alice, bob, as_alice, as_bob, as_olga):
    user_bots.create(owner=bob, handle="robo", name="Robo", about="", games=[GAME], accepts="clubs")
    match = tables_setup.open_table(host=alice, setting=Setting(GAME, 2))
    assert [bot["handle"] for bot in as_alice.get(f"/tables/{match.key}/bots/").json()["bots"]] == ["robo"]
    problem(as_bob.get(f"/tables/{match.key}/bots/"), 403, "forbidden")
    path = f"/divisions/{season.divisions.get().pk}/bots/"
    problem(as_olga.post(path, {}), 422, "unprocessable")
    problem(as_olga.post(path, {"bot": "robo", "level": "rookie"}), 422, "unprocessable")
    problem(as_olga.post(path, {"bot": "nobody"}), 404, "not-found")
    problem(as_bob.post(path, {"bot": "robo"}), 403, "forbidden")
    made = as_olga.post(path, {"bot": "robo"})
    assert (made.status_code, made.json()["kind"], made.json()["name"]) == (201, "bot", "Robo")

"""Whole workflows through the API: agreed times, more time, placing tables, sign-off, renewal."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from leagues.models import Pairing, PlaceOffer, ReturnQuestion, Season
from tests.api.conftest import Program
from tests.api.test_common_behaviour import problem
from tests.api.test_leagues import WON, league

__all__ = ["league"]

pytestmark = pytest.mark.django_db


def in_days(days: float) -> datetime:
    return (timezone.now() + timedelta(days=days)).replace(microsecond=0)


def set_up(olga: Program, league: str, people: list[list[str]], **terms: Any) -> int:
    """A running season: a round-robin division for each of these groups."""
    made = olga.post(f"/leagues/{league}/seasons/", {"preset": "empty"}).json()["id"]
    assert olga.patch(f"/seasons/{made}/", terms).status_code == 200
    divisions = []
    for number, company in enumerate(people, 1):
        division = olga.post(f"/seasons/{made}/divisions/", {"name": f"Level {number}"}).json()["id"]
        assert olga.post(f"/divisions/{division}/stages/", {"format": "round-robin"}).status_code == 201
        divisions.append((division, company))
    olga.post(f"/seasons/{made}/open/")
    for division, company in divisions:
        for handle in company:
            assert olga.post(f"/divisions/{division}/people/", {"handle": handle}).status_code == 201
    assert olga.post(f"/seasons/{made}/start/").json()["status"] == "running"
    return made


def first_table(olga: Program, season: int, level: int = 1) -> str:
    """The key of the first table of a division, in a round that is published."""
    stage = Season.objects.get(pk=season).divisions.get(level=level).stages.get()
    drawn = olga.post(f"/stages/{stage.pk}/draw/", {}).json()["id"]
    assert olga.post(f"/rounds/{drawn}/publish/", {}).json()["status"] == "published"
    return Pairing.objects.filter(round=drawn).earliest("number").key


@pytest.fixture
def table(as_olga, league, alice, bob) -> str:
    """Alice and Bob, online, eight days to play."""
    return first_table(as_olga, set_up(as_olga, league, [["alice", "bob"]], where="online", window_days=8))


class TestTimes:
    def suggest(self, program: Program, table: str, *times: datetime) -> dict:
        made = program.post(f"/pairings/{table}/times/", {"times": [time.isoformat() for time in times]})
        assert made.status_code == 201, made.content
        return made.json()

    def test_suggested_and_accepted(self, as_alice, as_bob, as_charlie, table):
        made = self.suggest(as_alice, table, in_days(2), in_days(3))
        assert (made["status"], made["by"]["handle"], len(made["times"])) == ("open", "alice", 2)
        answer = f"/pairings/{table}/times/{made['id']}/answer/"
        yes = {"say": "yes", "time": made["times"][1]["id"]}
        problem(as_charlie.post(answer, yes), 403, "forbidden")
        problem(as_bob.post(answer, {"say": "yes", "time": 10**9}), 404, "not-found")
        agreed = as_bob.post(answer, yes).json()
        assert datetime.fromisoformat(agreed["starts_at"]) == Pairing.objects.get(key=table).starts_at
        (body,) = as_alice.get(f"/pairings/{table}/times/").json()["proposals"]
        assert (body["status"], body["agreed"]) == ("accepted", made["times"][1]["starts_at"])
        problem(as_bob.post(answer, yes), 409, "refused")
        problem(as_charlie.get(f"/pairings/{table}/times/"), 403, "forbidden")

    def test_declined_with_another_time_and_taken_back(self, as_alice, as_bob, table):
        first = self.suggest(as_alice, table, in_days(2))
        path = f"/pairings/{table}/times/{{}}/answer/"
        problem(as_alice.post(path.format(first["id"]), {"say": "no"}), 409, "refused")
        problem(as_bob.post(path.format(first["id"]), {"say": "back"}), 409, "refused")
        counter = {"say": "no", "times": [in_days(4).isoformat()]}
        assert as_bob.post(path.format(first["id"]), counter).json()["starts_at"] is None
        declined, open_ = as_alice.get(f"/pairings/{table}/times/").json()["proposals"]
        assert (declined["status"], open_["status"], open_["by"]["handle"]) == ("declined", "open", "bob")
        assert as_bob.post(path.format(open_["id"]), {"say": "back"}).status_code == 200
        assert as_alice.get(f"/pairings/{table}/times/").json()["proposals"][1]["status"] == "withdrawn"

    def test_nonsense_is_refused(self, as_alice, as_charlie, table):
        for days in (-1, 30):  # over already; after the deadline
            sent = {"times": [in_days(days).isoformat()]}
            problem(as_alice.post(f"/pairings/{table}/times/", sent), 409, "refused")
        problem(as_alice.post(f"/pairings/{table}/times/", {"times": []}), 400, "invalid")
        sent = {"times": [in_days(2).isoformat()]}
        problem(as_charlie.post(f"/pairings/{table}/times/", sent), 403, "forbidden")


class TestMoreTime:
    def test_asked_for_and_given(self, as_alice, as_bob, as_charlie, as_olga, table):
        path = f"/pairings/{table}/more-time/"
        problem(as_charlie.post(path, {"reason": "Mine"}), 403, "forbidden")
        asked = as_alice.post(path, {"reason": "I am away"})
        assert (asked.status_code, asked.json()["status"]) == (201, "open")
        problem(as_bob.post(path, {"reason": "Me too"}), 409, "refused")
        until = in_days(20)
        problem(as_bob.put(path, {"until": until.isoformat()}), 403, "forbidden")
        problem(as_olga.put(path, {"until": in_days(-1).isoformat()}), 409, "refused")
        assert as_olga.put(path, {"until": until.isoformat()}).json()["status"] == "granted"
        assert Pairing.objects.get(key=table).deadline == until

    def test_refused(self, as_alice, as_bob, as_olga, table):
        asked = as_alice.post(f"/pairings/{table}/more-time/", {"reason": "I am away"}).json()["id"]
        path = f"/pairings/{table}/more-time/{asked}/refuse/"
        problem(as_bob.post(path), 403, "forbidden")
        assert as_olga.post(path).json()["status"] == "refused"
        problem(as_olga.post(f"/pairings/{table}/more-time/{asked + 1}/refuse/"), 404, "not-found")


class TestTheEnd:
    """Alice and Bob above, Charlie and Olga below; nobody goes up or down."""

    @pytest.fixture
    def over(self, as_olga, as_charlie, league, club, alice, bob) -> int:
        asked = as_charlie.post(f"/clubs/{club.slug}/requests/", {}).json()["id"]
        assert as_olga.post(f"/clubs/{club.slug}/requests/{asked}/answer/", {"let_in": True}).status_code == 200
        made = set_up(as_olga, league, [["alice", "bob"], ["charlie", "olga"]], members_only=False)
        problem(as_olga.post(f"/seasons/{made}/sign-off/"), 409, "refused")
        for level in (1, 2):
            key = first_table(as_olga, made, level)
            entered = as_olga.post(f"/pairings/{key}/settle/", {"places": WON}).json()
            if level == 2:  # Olga plays there herself: what she enters, Charlie confirms
                assert (entered["kind"], entered["in_force"]) == ("reported", False)
                answer = {"version": entered["version"], "agrees": True}
                entered = as_charlie.post(f"/pairings/{key}/answer/", answer).json()
            assert entered["in_force"]
            stage = Pairing.objects.get(key=key).round.stage_id
            assert as_olga.post(f"/stages/{stage}/finish/").status_code == 200
        return made

    def test_signed_off_taken_back_and_closed(self, as_olga, as_bob, over):
        problem(as_bob.post(f"/seasons/{over}/sign-off/"), 403, "forbidden")
        assert as_olga.post(f"/seasons/{over}/sign-off/").status_code == 204
        table = Pairing.objects.filter(round__stage__division__season=over).earliest("pk").key
        problem(as_olga.post(f"/pairings/{table}/void/", {"why": "flood"}), 409, "refused")
        problem(as_bob.put(f"/seasons/{over}/sign-off/", {"why": "no"}), 403, "forbidden")
        problem(as_olga.put(f"/seasons/{over}/sign-off/", {"why": ""}), 422, "unprocessable")
        assert as_olga.put(f"/seasons/{over}/sign-off/", {"why": "a typo"}).json()["status"] == "running"
        assert as_olga.post(f"/seasons/{over}/closing/").json()["status"] == "closed"
        problem(as_olga.put(f"/seasons/{over}/sign-off/", {"why": "again"}), 409, "refused")

    def test_who_plays_again(self, as_olga, as_alice, as_bob, as_charlie, league, over):
        as_olga.post(f"/seasons/{over}/closing/")
        seasons = f"/leagues/{league}/seasons/"
        problem(as_olga.post(seasons, {"preset": "go-on", "ask_until": in_days(-1).isoformat()}), 409, "refused")
        made = as_olga.post(seasons, {"preset": "go-on", "ask_until": in_days(7).isoformat()}).json()["id"]
        asked = dict(ReturnQuestion.objects.filter(call__season=made).values_list("entrant__user__handle", "pk"))
        assert asked.keys() == {"alice", "bob", "charlie", "olga"}
        path = f"/seasons/{made}/returning/"
        problem(as_bob.post(f"{path}{asked['alice']}/", {"answer": "no"}), 403, "forbidden")
        problem(as_alice.post(f"{path}{asked['alice']}/", {"answer": "none"}), 400, "invalid")
        problem(as_alice.post(f"/seasons/{over}/returning/{asked['alice']}/", {"answer": "no"}), 404, "not-found")
        assert as_bob.post(f"{path}{asked['bob']}/", {"answer": "yes"}).status_code == 204
        assert as_alice.post(f"{path}{asked['alice']}/", {"answer": "no"}).status_code == 204
        offer = PlaceOffer.objects.get(question__call__season=made, state="open")
        assert offer.question_id == asked["charlie"]
        path = f"/seasons/{made}/offers/{offer.pk}/"
        problem(as_bob.post(path, {"takes": True}), 403, "forbidden")
        assert as_charlie.post(path, {"takes": True}).status_code == 204
        problem(as_charlie.post(path, {"takes": True}), 409, "refused")
        listed = as_olga.get(f"/seasons/{made}/entrants/").json()["results"]
        assert {one["person"]["handle"] for one in listed} == {"bob", "charlie"}
        assert {one["division"] for one in listed} == {offer.division_id}


class TestNights:
    @pytest.fixture
    def night(self, as_olga, club) -> dict:
        venue = as_olga.post(f"/clubs/{club.slug}/venues/", {"name": "The cellar", "tables": 4}).json()["id"]
        terms = {"venue": venue, "day": in_days(9).date().isoformat(), "begins": "19:30"}
        return as_olga.post(f"/clubs/{club.slug}/nights/", terms).json()

    def test_who_comes(self, as_olga, as_alice, as_bob, as_charlie, night):
        path = f"/nights/{night['key']}/answer/"
        part = {"answer": "yes", "slots": [2]}
        assert as_bob.put(path, part).json()["my_answer"] == "yes"
        problem(as_bob.put(path, {"answer": "yes", "slots": [3]}), 409, "refused")
        problem(as_bob.put(path, {"answer": "perhaps"}), 400, "invalid")
        problem(as_bob.put(path, {"answer": "no", "person": "alice"}), 403, "forbidden")
        problem(as_charlie.put(path, {"answer": "yes"}), 403, "forbidden")
        problem(as_olga.put(path, {"answer": "no", "person": "bob"}), 403, "forbidden")  # for guests and bots alone
        assert as_bob.get(f"/nights/{night['key']}/").json()["my_answer"] == "yes"

    def test_tables_are_planned(self, as_olga, as_bob, league, night, alice, bob):
        season = set_up(as_olga, league, [["alice", "bob"]])
        first_table(as_olga, season)
        problem(as_bob.post(f"/seasons/{season}/plans/", {}), 403, "forbidden")
        problem(as_olga.post(f"/seasons/{season}/plans/", {"a_night": 0}), 400, "invalid")
        asked = as_olga.post(f"/seasons/{season}/plans/", {"a_night": 2})
        assert (asked.status_code, asked.json()["status"]) == (202, "waiting"), asked.content
        (body,) = as_olga.get(f"/seasons/{season}/plans/").json()["results"]
        assert body["id"] == asked.json()["id"]
        problem(as_bob.get(f"/seasons/{season}/plans/"), 403, "forbidden")

"""A season from its creation to its close, through the API only; ratings, leaderboards and calendars."""

from datetime import timedelta

import pytest
from django.utils import timezone

from leagues.models import Entrant, League, Pairing, Round, Season, Stage
from leagues.models.calendar import Availability, ClubNight, Slot, Venue
from tests.api.conftest import Program
from tests.api.test_common_behaviour import problem
from tests.factories import finished_match, started_match
from tests.leagues.leaderboards.conftest import rate

pytestmark = pytest.mark.django_db
GAME = "splendor-marvel"


@pytest.fixture
def league(as_olga, club) -> str:
    made = as_olga.post("/leagues/", {"club": club.slug, "game": GAME, "name": "Thursdays"})
    assert made.status_code == 201, made.content
    return made.json()["slug"]


@pytest.fixture
def season(as_olga, league) -> int:
    """Open for entries: one division, a round robin at tables of two, at the club."""
    made = as_olga.post(f"/leagues/{league}/seasons/", {"preset": "empty", "name": "Autumn"}).json()["id"]
    division = as_olga.post(f"/seasons/{made}/divisions/", {"name": "First"}).json()["id"]
    stage = as_olga.post(f"/divisions/{division}/stages/", {"format": "round-robin"})
    assert stage.status_code == 201, stage.content
    assert as_olga.post(f"/seasons/{made}/open/").json()["status"] == "registration"
    return made


@pytest.fixture
def running(as_olga, as_alice, as_bob, season) -> Stage:
    """Alice, Bob and two guests; the first round is published."""
    for program in (as_alice, as_bob):
        assert program.post(f"/seasons/{season}/entrants/", {}).status_code == 201
    division = Season.objects.get(pk=season).divisions.get()
    as_olga.post(f"/divisions/{division.pk}/guests/", {"names": ["Gina", "Greg"]})
    assert as_olga.post(f"/seasons/{season}/start/").json()["status"] == "running"
    stage = division.stages.get()
    drawn = as_olga.post(f"/stages/{stage.pk}/draw/", {"number": 1}).json()
    assert as_olga.post(f"/stages/{stage.pk}/draw/", {"number": 1}).json()["id"] == drawn["id"]
    assert as_olga.post(f"/rounds/{drawn['id']}/publish/", {}).json()["status"] == "published"
    return stage


def tables_of(program: Program, round_id: int) -> list[dict]:
    return program.get(f"/rounds/{round_id}/pairings/").json()["results"]


WON = [{"rank": 1, "score": 16}, {"rank": 2, "score": 9}]
LOST = [{"rank": 2, "score": 9}, {"rank": 1, "score": 16}]


class TestSettingUp:
    def test_what_there_is(self, visitor):
        formats = {one["code"]: one for one in visitor.get("/formats/").json()["formats"]}
        assert "swiss" in formats
        assert any(setting["name"] for setting in formats["ladder"]["settings"])

    def test_presets(self, as_olga, visitor, league):
        codes = [one["code"] for one in visitor.get(f"/leagues/{league}/presets/").json()["presets"]]
        made = as_olga.post(f"/leagues/{league}/seasons/", {"preset": codes[0]})
        assert made.json()["status"] == "registration"
        problem(as_olga.post(f"/leagues/{league}/seasons/", {"preset": "unheard-of"}), 409, "refused")
        problem(as_olga.post(f"/leagues/{league}/seasons/", {"preset": "go-on"}), 409, "refused")

    def test_leagues(self, as_olga, as_bob, visitor, league, club):
        assert [one["slug"] for one in visitor.get(f"/leagues/?club={club.slug}").json()["results"]] == [league]
        assert as_olga.patch(f"/leagues/{league}/", {"about": "Bring snacks"}).json()["name"] == "Thursdays"
        problem(as_bob.patch(f"/leagues/{league}/", {"about": "No snacks"}), 403, "forbidden")
        problem(as_bob.post("/leagues/", {"club": club.slug, "game": GAME, "name": "Mine"}), 403, "forbidden")
        assert as_olga.post(f"/leagues/{league}/close/").json()["closed_at"]

    def test_a_draft_is_there_for_organisers_alone(self, as_olga, as_bob, visitor, league):
        made = as_olga.post(f"/leagues/{league}/seasons/", {"preset": "empty"}).json()["id"]
        for program in (as_bob, visitor):
            problem(program.get(f"/seasons/{made}/"), 404, "not-found")
            assert program.get(f"/leagues/{league}/seasons/").json()["results"] == []
        problem(as_bob.patch(f"/seasons/{made}/", {"name": "Mine"}), 404, "not-found")
        assert as_olga.delete(f"/seasons/{made}/").status_code == 204

    def test_terms(self, as_olga, season):
        body = as_olga.patch(f"/seasons/{season}/", {"confirmation": "all", "rating_from": 1000}).json()
        assert (body["confirmation"], body["rating_from"]) == ("all", 1000)
        problem(as_olga.patch(f"/seasons/{season}/", {"rating_to": 900}), 409, "refused")
        problem(as_olga.patch(f"/seasons/{season}/", {"points": "many"}), 400, "invalid")
        codes = {"tie_breaks": ["wins", "lot"]}
        assert as_olga.put(f"/seasons/{season}/tie-breaks/", codes).json()["tie_breaks"] == ["wins", "lot"]
        problem(as_olga.put(f"/seasons/{season}/tie-breaks/", {"tie_breaks": ["luck"]}), 400, "invalid")

    def test_divisions_and_stages(self, as_olga, season):
        second = as_olga.post(f"/seasons/{season}/divisions/", {"name": "Second", "cap": 8}).json()
        assert second["level"] == 2
        assert as_olga.patch(f"/divisions/{second['id']}/", {"up": 1}).json()["cap"] == 8
        stage = as_olga.post(f"/divisions/{second['id']}/stages/", {"format": "swiss", "planned": 5}).json()
        again = as_olga.put(f"/stages/{stage['id']}/", {"format": "swiss", "planned": 4}).json()
        assert again["planned"] == 4
        problem(as_olga.put(f"/stages/{stage['id']}/", {"format": "swiss", "settings": {"x": 1}}), 409, "refused")
        assert as_olga.delete(f"/stages/{stage['id']}/").status_code == 204
        assert as_olga.delete(f"/divisions/{second['id']}/").status_code == 204


class TestEntrants:
    def test_enter_and_leave(self, as_bob, as_charlie, as_olga, season):
        mine = as_bob.post(f"/seasons/{season}/entrants/", {}).json()
        assert (mine["name"], mine["status"]) == ("bob", "registered")
        problem(as_bob.post(f"/seasons/{season}/entrants/", {}), 409, "refused")
        problem(as_charlie.post(f"/entrants/{mine['id']}/withdraw/"), 403, "forbidden")
        assert as_bob.post(f"/entrants/{mine['id']}/withdraw/").json()["status"] == "withdrawn"
        assert as_olga.post(f"/entrants/{mine['id']}/return/").json()["status"] == "registered"
        assert as_bob.get(f"/entrants/{mine['id']}/").json()["person"]["handle"] == "bob"

    def test_check_in(self, as_olga, as_bob, season):
        as_olga.patch(f"/seasons/{season}/", {"check_in": True})
        mine = as_bob.post(f"/seasons/{season}/entrants/", {}).json()["id"]
        assert as_bob.post(f"/entrants/{mine}/check-in/").json()["status"] == "checked_in"
        assert as_bob.delete(f"/entrants/{mine}/check-in/").json()["status"] == "registered"

    def test_all_are_checked_in_at_once(self, as_olga, as_bob, season):
        problem(as_olga.post(f"/seasons/{season}/check-in/"), 409, "refused")
        as_olga.patch(f"/seasons/{season}/", {"check_in": True})
        mine = as_bob.post(f"/seasons/{season}/entrants/", {}).json()["id"]
        problem(as_bob.post(f"/seasons/{season}/check-in/"), 403, "forbidden")
        assert as_olga.post(f"/seasons/{season}/check-in/").json()["id"] == season
        assert as_bob.get(f"/entrants/{mine}/").json()["status"] == "checked_in"

    def test_an_organiser_adds(self, as_olga, as_bob, season, alice):
        division = Season.objects.get(pk=season).divisions.get().pk
        assert as_olga.post(f"/divisions/{division}/people/", {"handle": "Alice"}).json()["name"] == "Alice A."
        problem(as_olga.post(f"/divisions/{division}/people/", {"handle": "nobody"}), 404, "not-found")
        problem(as_bob.post(f"/divisions/{division}/people/", {"handle": "alice"}), 403, "forbidden")
        guests = as_olga.post(f"/divisions/{division}/guests/", {"names": ["Gina", "Greg"]}).json()["entrants"]
        listed = as_bob.get(f"/seasons/{season}/entrants/").json()["results"]
        assert [one["name"] for one in listed] == ["Alice A.", "Gina", "Greg"]
        order = [guests[1]["id"], listed[0]["id"], guests[0]["id"]]
        seeded = as_olga.put(f"/divisions/{division}/seeding/", {"by": "hand", "order": order}).json()["entrants"]
        assert [(one["id"], one["seed"]) for one in seeded] == list(zip(order, (1, 2, 3)))
        assert as_olga.put(f"/divisions/{division}/seeding/", {"by": "rating"}).status_code == 200
        problem(as_olga.put(f"/divisions/{division}/seeding/", {"by": "hand", "order": [1]}), 409, "refused")


class TestRounds:
    def test_an_unpublished_round_is_hidden(self, as_olga, as_bob, running):
        drawn = as_olga.post(f"/stages/{running.pk}/draw/", {}).json()["id"]
        problem(as_bob.get(f"/rounds/{drawn}/"), 404, "not-found")
        assert [one["number"] for one in as_bob.get(f"/stages/{running.pk}/rounds/").json()["results"]] == [1]
        key = Pairing.objects.filter(round=drawn).first().key
        problem(as_bob.get(f"/pairings/{key}/"), 404, "not-found")
        assert as_olga.post(f"/rounds/{drawn}/take-back/").status_code == 204

    def test_report_answer_dispute_settle(self, as_alice, as_bob, as_olga, as_charlie, running, alice, bob):
        mine = as_alice.get("/pairings/?mine=true").json()["results"][0]
        key = mine["key"]
        assert as_charlie.get(f"/pairings/{key}/").json()["why"]
        problem(as_charlie.post(f"/pairings/{key}/report/", {"places": WON}), 403, "forbidden")
        body = as_alice.post(f"/pairings/{key}/report/", {"places": WON})
        assert body.json()["kind"] == "reported", body.content
        problem(as_alice.post(f"/pairings/{key}/answer/", {"version": 1, "agrees": True}), 409, "refused")
        problem(as_alice.post(f"/pairings/{key}/report/", {"places": [{"rank": 1}]}), 409, "refused")
        assert as_olga.get(f"/seasons/{running.division.season_id}/disputes/").status_code == 200
        settled = as_olga.post(f"/pairings/{key}/settle/", {"places": LOST}).json()
        assert settled["in_force"]
        whole = as_bob.get(f"/pairings/{key}/").json()
        assert whole["state"] == "confirmed"
        assert whole["result"]["places"] == [{**place, "kind": "PLAYED"} for place in LOST]
        assert len(whole["results"]) == 2

    def test_an_evening_all_or_none(self, as_olga, running):
        current = Round.objects.get(stage=running, number=1)
        first, second = tables_of(as_olga, current.pk)
        rows = [{"pairing": first["key"], "places": WON}, {"pairing": second["key"], "places": [{"rank": 1}]}]
        body = problem(as_olga.post(f"/rounds/{current.pk}/results/", {"results": rows}), 422, "unprocessable")
        assert body["errors"].keys() == {"results.1"}
        assert not any(table["result"] for table in tables_of(as_olga, current.pk))
        strange = [{"pairing": "unknown1234", "places": WON}]
        body = problem(as_olga.post(f"/rounds/{current.pk}/results/", {"results": strange}), 422, "unprocessable")
        assert body["errors"].keys() == {"results.0.pairing"}
        rows[1]["places"] = LOST
        assert len(as_olga.post(f"/rounds/{current.pk}/results/", {"results": rows}).json()["results"]) == 2

    def test_a_correction_is_seen_before_it_is_made(self, as_olga, as_bob, running):
        current = Round.objects.get(stage=running, number=1)
        for table in tables_of(as_olga, current.pk):
            as_olga.post(f"/pairings/{table['key']}/settle/", {"places": WON})
        assert as_olga.post(f"/rounds/{current.pk}/close/").json()["status"] == "closed"
        key = tables_of(as_olga, current.pk)[0]["key"]
        problem(as_bob.post(f"/pairings/{key}/preview/", {"places": LOST}), 403, "forbidden")
        preview = as_olga.post(f"/pairings/{key}/preview/", {"places": LOST}).json()
        assert {shift["old_place"] for shift in preview["standings"]}
        wrong = {"places": LOST, "why": "typo", "seen": "elsewhere"}
        problem(as_olga.post(f"/pairings/{key}/correct/", wrong), 409, "refused")
        right = {**wrong, "seen": preview["seal"]}
        assert as_olga.post(f"/pairings/{key}/correct/", right).json()["in_force"]
        season = running.division.season_id
        entries = as_olga.get(f"/seasons/{season}/log/").json()["results"]
        assert "typo" in entries[0]["words"]
        assert as_olga.post(f"/seasons/{season}/log/{entries[0]['undo']}/undo/").status_code == 204
        problem(as_bob.get(f"/seasons/{season}/log/"), 403, "forbidden")

    def test_forfeit_and_void(self, as_olga, running):
        current = Round.objects.get(stage=running, number=1)
        first, second = tables_of(as_olga, current.pk)
        absent = [first["seats"][0]["entrant"]["id"]]
        assert as_olga.post(f"/pairings/{first['key']}/forfeit/", {"absent": absent}).json()["state"] == "confirmed"
        assert as_olga.post(f"/pairings/{second['key']}/void/", {"why": "flood"}).json()["kind"] == "void"
        assert as_olga.get(f"/rounds/{current.pk}/byes/").json() == {"byes": []}

    def test_to_the_end(self, as_olga, visitor, running):
        season = running.division.season_id
        as_olga.post(f"/stages/{running.pk}/draw-all/")
        for current in Round.objects.filter(stage=running).order_by("number"):
            if current.status == Round.Status.DRAWN:
                as_olga.post(f"/rounds/{current.pk}/publish/", {"closes_at": "2030-01-01T20:00:00Z"})
            for table in tables_of(as_olga, current.pk):
                as_olga.post(f"/pairings/{table['key']}/settle/", {"places": WON})
            assert as_olga.post(f"/rounds/{current.pk}/close/").json()["status"] == "closed"
        now = visitor.get(f"/stages/{running.pk}/standings/").json()
        assert now["closed_rounds"] == [1, 2, 3]
        lines = now["listings"][0]["lines"]
        assert lines[0]["place"] == 1
        assert len(lines) == 4
        code = now["listings"][0]["columns"][0]["code"]
        path = f"/stages/{running.pk}/standings/{lines[0]['entrant']}/{code}/"
        assert visitor.get(path).json()["name"] == lines[0]["name"]
        assert len(visitor.get(f"/stages/{running.pk}/standings/?after=1").json()["listings"][0]["lines"]) == 4
        problem(visitor.get(f"/stages/{running.pk}/standings/?after=9"), 404, "not-found")
        assert visitor.get(f"/stages/{running.pk}/crosstables/").json()["crosstables"][0]["against"]
        problem(visitor.get(f"/stages/{running.pk}/bracket/"), 404, "not-found")
        assert as_olga.post(f"/stages/{running.pk}/finish/").json() == {"next": None}
        assert as_olga.get(f"/seasons/{season}/closing/").json()["missing"] == []
        problem(visitor.get(f"/seasons/{season}/closing/"), 401, "unauthenticated")
        assert as_olga.post(f"/seasons/{season}/closing/").json()["status"] == "closed"
        again = as_olga.post(f"/leagues/{League.objects.get().slug}/seasons/", {"preset": "go-on"})
        assert again.json()["number"] == 2
        assert Entrant.objects.filter(season=again.json()["id"]).count() == 4


class TestOtherFormats:
    def test_a_ladder(self, as_olga, as_alice, as_bob, league, club):
        made = as_olga.post(f"/leagues/{league}/seasons/", {"preset": "empty"}).json()["id"]
        division = as_olga.post(f"/seasons/{made}/divisions/", {"name": "Ladder"}).json()["id"]
        stage = as_olga.post(f"/divisions/{division}/stages/", {"format": "ladder"}).json()["id"]
        as_olga.post(f"/seasons/{made}/open/")
        first, second = (program.post(f"/seasons/{made}/entrants/", {}).json() for program in (as_alice, as_bob))
        as_olga.put(f"/divisions/{division}/seeding/", {"by": "hand", "order": [first["id"], second["id"]]})
        as_olga.post(f"/seasons/{made}/start/")
        asked = as_bob.post(f"/stages/{stage}/challenges/", {"target": first["id"]})
        assert asked.status_code == 201, asked.content
        assert len(as_alice.get(f"/stages/{stage}/challenges/").json()["results"]) == 1
        problem(as_bob.post(f"/challenges/{asked.json()['id']}/answer/"), 403, "forbidden")
        assert as_alice.post(f"/challenges/{asked.json()['id']}/answer/").json()["state"] == "scheduled"

    def test_an_arena_online(self, as_olga, as_alice, league):
        made = as_olga.post(f"/leagues/{league}/seasons/", {"preset": "empty"}).json()["id"]
        as_olga.patch(f"/seasons/{made}/", {"where": "online"})
        division = as_olga.post(f"/seasons/{made}/divisions/", {"name": "Arena"}).json()["id"]
        stage = as_olga.post(f"/divisions/{division}/stages/", {"format": "arena"}).json()["id"]
        as_olga.post(f"/seasons/{made}/open/")
        as_alice.post(f"/seasons/{made}/entrants/", {})
        assert as_olga.post(f"/divisions/{division}/bots/", {"level": "rookie"}).json()["kind"] == "bot"
        as_olga.post(f"/seasons/{made}/start/")
        waits = as_alice.post(f"/stages/{stage}/waiting/")
        assert waits.json()["entrant"]["name"] == "Alice A.", waits.content
        assert as_alice.delete(f"/stages/{stage}/waiting/").status_code == 204
        problem(as_olga.post(f"/stages/{stage}/waiting/"), 403, "forbidden")

    def test_a_knock_out_has_a_bracket(self, as_olga, visitor, league):
        made = as_olga.post(f"/leagues/{league}/seasons/", {"preset": "empty"}).json()["id"]
        division = as_olga.post(f"/seasons/{made}/divisions/", {"name": "Cup"}).json()["id"]
        stage = as_olga.post(f"/divisions/{division}/stages/", {"format": "single-elimination"})
        assert stage.status_code == 201, stage.content
        as_olga.post(f"/seasons/{made}/open/")
        as_olga.post(f"/divisions/{division}/guests/", {"names": ["Ann", "Ben", "Cleo"]})
        as_olga.post(f"/seasons/{made}/start/")
        matches = visitor.get(f"/stages/{stage.json()['id']}/bracket/").json()["matches"]
        assert {match["state"] for match in matches} >= {"ready", "waiting"}
        page = f"/stages/{stage.json()['id']}/bracket/"
        problem(visitor.post(page), 401, "unauthenticated")
        opened = as_olga.post(page)
        assert opened.status_code == 200, opened.content
        assert as_olga.post(page).json() == opened.json()
        (semi,) = [match for match in opened.json()["matches"] if match["table"]]
        assert semi["title"] == "Semi-finals"
        assert [line["seed"] for line in semi["lines"]] == [2, 3]
        entered = as_olga.post(f"/pairings/{semi['table']}/settle/", {"places": [{"rank": 1, "score": 9}, {"rank": 2}]})
        assert entered.status_code == 200, entered.content
        final = next(match for match in visitor.get(page).json()["matches"] if match["title"] == "Final")
        assert (final["state"], bool(final["table"]), len(final["entrants"])) == ("ready", True, 2)

    def test_a_best_of_three(self, as_olga, as_bob, visitor, league):
        swiss = next(one for one in visitor.get("/formats/").json()["formats"] if one["code"] == "swiss")
        assert [each["values"] for each in swiss["settings"] if each["name"] == "best_of"] == [[1, 3, 5]]
        made = as_olga.post(f"/leagues/{league}/seasons/", {"preset": "empty"}).json()["id"]
        division = as_olga.post(f"/seasons/{made}/divisions/", {"name": "Cup"}).json()["id"]
        cup = {"format": "single-elimination", "settings": {"best_of": 3}}
        # A draft is there for organisers alone.
        problem(as_bob.post(f"/divisions/{division}/stages/", cup), 404, "not-found")
        even = cup | {"settings": {"best_of": 2}}
        assert "1, 3, 5" in problem(as_olga.post(f"/divisions/{division}/stages/", even), 409, "refused")["detail"]
        stage = as_olga.post(f"/divisions/{division}/stages/", cup).json()
        assert stage["settings"] == {"third": True, "best_of": 3}
        as_olga.post(f"/seasons/{made}/open/")
        as_olga.post(f"/divisions/{division}/guests/", {"names": ["Ann", "Ben"]})
        as_olga.post(f"/seasons/{made}/start/")
        (final,) = as_olga.post(f"/stages/{stage['id']}/bracket/").json()["matches"]
        path = f"/pairings/{final['table']}/"
        read = visitor.get(path).json()
        assert (read["best_of"], read["games"]) == (3, [])
        problem(as_olga.post(f"{path}settle/", {"places": [{"rank": 1}, {"rank": 2}]}), 409, "refused")
        problem(as_olga.post(f"{path}settle/", {"places": [{"score": 3}, {"score": 0}]}), 409, "refused")
        assert visitor.get(path).json()["results"] == []
        entered = as_olga.post(f"{path}settle/", {"places": [{"score": 1}, {"score": 2}]})
        assert [(place["rank"], place["score"]) for place in entered.json()["places"]] == [(2, 1), (1, 2)]


class TestRatings:
    @pytest.fixture(autouse=True)
    def no_worker(self, monkeypatch):
        monkeypatch.setattr("leagues.ratings.ledger._send", lambda pool_id: None)

    def test_boards_and_people(self, visitor, alice, bob, charlie):
        for winner, loser in ((alice, bob), (alice, charlie), (bob, charlie)):
            rate(GAME, [winner, loser], [1, 2])
        board = visitor.get(f"/leaderboards/{GAME}/?size=2&all=yes").json()
        assert [(row["place"], row["person"]["handle"]) for row in board["rows"]] == [(1, "alice"), (2, "bob")]
        rest = visitor.get(board["next"].split("/api/v1")[1]).json()
        assert [row["person"]["handle"] for row in rest["rows"]] == ["charlie"]
        assert rest["next"] is None
        ratings = visitor.get("/people/alice/ratings/").json()["ratings"]
        assert (ratings[0]["game"], ratings[0]["games"], ratings[0]["wins"]) == (GAME, 2, 2)
        changes = visitor.get(f"/people/alice/rating-changes/?game={GAME}").json()["results"]
        assert [change["won"] for change in changes] == [True, True]
        opened = visitor.get(f"/rating-changes/{changes[0]['id']}/").json()
        assert opened["sums"][0]["label"]
        assert opened["change"]["after"] == changes[0]["after"]
        assert len(opened["table"]) == 2
        body = visitor.get("/people/alice/against/bob/").json()
        assert (body["tables"], body["games"][0]["won"]) == (1, 1)
        problem(visitor.get("/people/alice/against/alice/"), 404, "not-found")

    def test_what_a_match_did(self, visitor, alice, bob):
        match = finished_match(started_match(alice, bob, rated=True))
        assert visitor.get(f"/matches/{match.key}/ratings/").json() == {"changes": []}

    def test_bad_questions(self, visitor):
        assert visitor.get(f"/leaderboards/{GAME}/?size=5").json()["rows"] == []
        problem(visitor.get("/leaderboards/chess/"), 404, "not-found")
        problem(visitor.get(f"/leaderboards/{GAME}/?window=7"), 400, "invalid")
        problem(visitor.get(f"/leaderboards/{GAME}/?size=0"), 400, "invalid")
        problem(visitor.get(f"/leaderboards/{GAME}/?since=2026-02-30&until=2026-03-01"), 400, "invalid")


class TestCalendar:
    def test_nights(self, as_bob, visitor, club, bob):
        venue = Venue.objects.create(club=club, name="The cellar", tables=6)
        start = timezone.now() + timedelta(days=3)
        times = {"starts_at": start, "ends_at": start + timedelta(hours=4)}
        night = ClubNight.objects.create(club=club, venue=venue, day=start.date(), **times)
        Slot.objects.create(night=night, number=1, tables=6, **times)
        Availability.objects.create(night=night, user=bob, answer="yes")
        body = as_bob.get(f"/clubs/{club.slug}/nights/").json()["results"][0]
        assert (body["coming"], body["my_answer"], len(body["slots"])) == (1, "yes", 1)
        assert visitor.get(f"/nights/{night.key}/").json()["my_answer"] is None
        assert visitor.get(f"/clubs/{club.slug}/venues/").json()["results"][0]["name"] == "The cellar"
        problem(visitor.get("/nights/nowhere/"), 404, "not-found")

    def test_an_organiser_plans_and_a_member_answers(self, as_olga, as_bob, club):
        venue = as_olga.post(f"/clubs/{club.slug}/venues/", {"name": "The cellar", "tables": 4}).json()["id"]
        assert as_olga.patch(f"/clubs/{club.slug}/venues/{venue}/", {"tables": 5}).json()["name"] == "The cellar"
        day = (timezone.now() + timedelta(days=9)).date()
        terms = {"venue": venue, "day": day.isoformat(), "begins": "19:30"}
        problem(as_bob.post(f"/clubs/{club.slug}/nights/", terms), 403, "forbidden")
        night = as_olga.post(f"/clubs/{club.slug}/nights/", terms)
        assert night.status_code == 201, night.content
        key = night.json()["key"]
        assert [slot["tables"] for slot in night.json()["slots"]] == [5, 5]
        assert as_bob.put(f"/nights/{key}/answer/", {"answer": "yes"}).json()["my_answer"] == "yes"
        assert as_bob.delete(f"/nights/{key}/answer/").json()["my_answer"] is None
        habits = {"habits": [{"weekday": 3, "answer": "yes"}]}
        assert as_bob.put(f"/clubs/{club.slug}/habits/", habits).json() == habits
        assert as_olga.patch(f"/nights/{key}/", {"slots": 3}).json()["slots"][2]["number"] == 3
        assert as_olga.post(f"/nights/{key}/step/", {"do": "cancel"}).json()["cancelled_at"]
        problem(as_bob.post(f"/nights/{key}/step/", {"do": "restore"}), 403, "forbidden")
        terms = {"venue": venue, "name": "Thursdays", "begins": "19:00"} | {
            "first": day.isoformat(), "last": (day + timedelta(days=14)).isoformat(),
        }  # fmt: skip
        series = as_olga.post(f"/clubs/{club.slug}/series/", terms)
        assert series.json()["begins"] == "19:00", series.content
        skipped = {"day": (day + timedelta(days=7)).isoformat(), "skipped": True}
        path = f"/clubs/{club.slug}/series/{series.json()['id']}/days/"
        assert as_olga.post(path, skipped).json()["exceptions"] == [skipped["day"]]

    def test_a_table_finds_its_slot(self, as_olga, as_bob, running, club):
        venue = as_olga.post(f"/clubs/{club.slug}/venues/", {"name": "The cellar", "tables": 4}).json()["id"]
        day = (timezone.now() + timedelta(days=9)).date().isoformat()
        night = as_olga.post(f"/clubs/{club.slug}/nights/", {"venue": venue, "day": day, "begins": "19:30"}).json()
        key = Pairing.objects.filter(round__stage=running).earliest("pk").key
        sent = {"slot": night["slots"][0]["id"], "lock": True}
        problem(as_bob.put(f"/pairings/{key}/placement/", sent), 403, "forbidden")
        placed = as_olga.put(f"/pairings/{key}/placement/", sent)
        assert placed.json()["locked"], placed.content
        season = running.division.season_id
        assert [one["pairing"] for one in as_bob.get(f"/seasons/{season}/placements/").json()["results"]] == [key]
        assert not as_olga.put(f"/pairings/{key}/placement/lock/", {"locked": False}).json()["locked"]
        assert as_olga.delete(f"/pairings/{key}/placement/").status_code == 204


class TestWebhooks:
    def test_their_own_scope(self, as_bob, olga, club):
        program = Program(olga, "webhooks")
        terms = {"name": "bell", "url": "https://example.org/bell", "events": ["match.finished"]}
        made = program.post(f"/clubs/{club.slug}/webhooks/", terms)
        assert made.status_code == 201, made.content
        listed = program.get(f"/clubs/{club.slug}/webhooks/")
        assert made.json()["secret"] not in listed.content.decode()
        hook = listed.json()["results"][0]["id"]
        assert not program.post(f"/clubs/{club.slug}/webhooks/{hook}/switch/", {"on": False}).json()["is_on"]
        assert program.delete(f"/clubs/{club.slug}/webhooks/{hook}/").status_code == 204
        problem(Program(olga, "read", "organise").get(f"/clubs/{club.slug}/webhooks/"), 403, "missing-scope")
        problem(as_bob.get(f"/clubs/{club.slug}/webhooks/"), 403, "forbidden")

"""The API of people, clubs and notifications."""

import pytest
from django.test import Client

from accounts import joining
from accounts.models import Club, JoinRequest, Membership
from accounts.notifications.service import notify
from tests.api.conftest import Program
from tests.api.test_common_behaviour import problem
from tests.factories import role_of

pytestmark = pytest.mark.django_db


class TestPeople:
    def test_me(self, as_bob, bob, club):
        body = as_bob.get("/me/").json()
        assert (body["handle"], body["email"], body["unread"]) == ("bob", "bob@example.org", 0)
        assert [one["slug"] for one in body["clubs"]] == [club.slug]

    def test_settings(self, as_bob, bob):
        assert as_bob.patch("/me/", {"display_name": "Bobby"}).json()["name"] == "Bobby"
        body = problem(as_bob.patch("/me/", {"time_zone": "Mars/Olympus", "colour": "red"}), 400, "invalid")
        assert body["errors"].keys() == {"colour"}
        body = problem(as_bob.patch("/me/", {"time_zone": "Mars/Olympus"}), 422, "unprocessable")
        assert body["errors"].keys() == {"time_zone"}

    def test_a_profile_shows_no_email_address(self, visitor, alice, club):
        answer = visitor.get("/people/ALICE/")
        assert answer.json()["name"] == "Alice A."
        assert alice.email not in answer.content.decode()
        problem(visitor.get("/people/nobody/"), 404, "not-found")

    def test_notices(self, as_bob, bob, club):
        notify([bob, bob], "club.closed", path="/clubs/", club=club)
        body = as_bob.get("/notices/?unread=true").json()["results"]
        assert [one["words"] for one in body] == ["The Round Table has closed."] * 2
        assert as_bob.post(f"/notices/{body[0]['id']}/read/").json()["read_at"]
        assert as_bob.post("/notices/read/").json() == {"count": 1}
        assert as_bob.get("/notices/?unread=true").json()["results"] == []

    def test_anothers_notice_is_not_there(self, as_charlie, bob, club):
        notify([bob], "club.closed", path="/clubs/", club=club)
        problem(as_charlie.post(f"/notices/{bob.notices.get().pk}/read/"), 404, "not-found")


class TestClubs:
    def test_list(self, visitor, club):
        assert [one["slug"] for one in visitor.get("/clubs/?q=lodz").json()["results"]] == [club.slug]
        assert visitor.get("/clubs/?q=paris").json()["results"] == []
        assert visitor.get(f"/clubs/{club.slug}/").json()["members"] == 3

    def test_pages(self, as_bob, bob, club):
        for number in range(4):
            as_bob.post("/clubs/", {"name": f"Club {number}"})
        found, path = [], "/clubs/?limit=2"
        while path:
            page = as_bob.get(path).json()
            assert len(page["results"]) <= 2
            found += [one["name"] for one in page["results"]]
            path = page["next"] and page["next"].split("/api/v1")[1]
        assert found == ["Club 3", "Club 2", "Club 1", "Club 0", "The Round Table"]

    @pytest.mark.parametrize("query", ["limit=0", "limit=201", "limit=x", "mine=perhaps"])
    def test_bad_questions(self, visitor, query):
        problem(visitor.get(f"/clubs/?{query}"), 400, "invalid")

    @pytest.mark.parametrize("broken", ["x", "junk", "bz14", "cD14", "bz05OTk5OTk", "%C3%A9", "{whole}x", "{half}"])
    def test_a_page_that_is_not_there(self, visitor, as_bob, broken, club):
        """A cursor that we did not write is refused; it never means the first page."""
        as_bob.post("/clubs/", {"name": "Another"})
        whole = visitor.get("/clubs/?limit=1").json()["next"].split("cursor=")[1].partition("&")[0]
        assert visitor.get(f"/clubs/?cursor={whole}").status_code == 200
        cursor = broken.format(whole=whole, half=whole[: len(whole) // 2])
        problem(visitor.get(f"/clubs/?cursor={cursor}"), 404, "not-found")

    def test_create_and_edit(self, as_charlie, charlie):
        made = as_charlie.post("/clubs/", {"name": "Night Owls", "city": "Gdańsk"})
        assert made.status_code == 201
        slug = made.json()["slug"]
        assert as_charlie.patch(f"/clubs/{slug}/", {"city": "Sopot"}).json()["city"] == "Sopot"
        assert Club.objects.get(slug=slug).name == "Night Owls"

    def test_who_may_not(self, as_bob, visitor, club):
        problem(as_bob.patch(f"/clubs/{club.slug}/", {"city": "X"}), 403, "forbidden")
        problem(visitor.post(f"/clubs/{club.slug}/close/"), 401, "unauthenticated")
        problem(as_bob.get(f"/clubs/{club.slug}/log/"), 403, "forbidden")

    def test_members(self, as_alice, as_bob, club):
        body = as_bob.get(f"/clubs/{club.slug}/members/").json()["results"]
        assert [(one["person"]["handle"], one["role"]) for one in body] == [
            ("alice", "owner"), ("olga", "organiser"), ("bob", "member"),
        ]  # fmt: skip
        assert as_alice.put(f"/clubs/{club.slug}/members/bob/", {"role": "organiser"}).json()["role"] == "organiser"
        assert as_alice.delete(f"/clubs/{club.slug}/members/olga/").status_code == 204
        assert as_alice.post(f"/clubs/{club.slug}/hand-over/", {"to": "bob"}).status_code == 200
        assert Membership.objects.get(club=club, role="owner").user.handle == "bob"
        assert as_alice.post(f"/clubs/{club.slug}/leave/").status_code == 204
        words = [one["words"] for one in as_bob.get(f"/clubs/{club.slug}/log/").json()["results"]]
        assert words[0] == "Alice A. left the club"

    def test_ask_and_answer(self, as_charlie, as_olga, club, charlie):
        asked = as_charlie.post(f"/clubs/{club.slug}/requests/", {"message": "Hello"})
        assert asked.status_code == 201
        problem(as_charlie.post(f"/clubs/{club.slug}/requests/", {}), 409, "refused")
        waiting = as_olga.get(f"/clubs/{club.slug}/requests/").json()["results"]
        assert [one["message"] for one in waiting] == ["Hello"]
        path = f"/clubs/{club.slug}/requests/{waiting[0]['id']}/"
        problem(as_charlie.post(f"{path}answer/", {"let_in": True}), 403, "forbidden")
        assert as_olga.post(f"{path}answer/", {"let_in": True}).json()["status"] == "approved"
        assert role_of(club, charlie) == "member"

    def test_withdraw(self, as_charlie, charlie, club):
        asked = joining.request_to_join(person=charlie, club=club)
        assert as_charlie.delete(f"/clubs/{club.slug}/requests/{asked.pk}/").status_code == 204
        assert JoinRequest.objects.get(pk=asked.pk).status == "withdrawn"

    def test_invites(self, as_olga, as_charlie, club, charlie):
        made = as_olga.post(f"/clubs/{club.slug}/invites/", {"max_uses": 2}).json()
        assert made["link"].endswith(f"/join/{made['token']}/")
        listed = as_olga.get(f"/clubs/{club.slug}/invites/")
        assert made["token"] not in listed.content.decode()
        assert as_charlie.post("/join/", {"token": made["token"]}).json()["slug"] == club.slug
        assert role_of(club, charlie) == "member"
        assert as_olga.delete(f"/clubs/{club.slug}/invites/{made['invite']['id']}/").status_code == 204
        problem(Program(charlie).post("/join/", {"token": made["token"]}), 409, "refused")

    def test_a_token_to_play_runs_no_club(self, olga, club):
        problem(Program(olga, "read", "play").post(f"/clubs/{club.slug}/invites/", {}), 403, "missing-scope")


class TestInput:
    @pytest.mark.parametrize(
        ("sent", "field"),
        [
            ({}, "name"),
            ({"name": 7}, "name"),
            ({"name": "x" * 81}, "name"),
            ({"name": "A", "admission": "all"}, "admission"),
            ({"name": "A", "nmae": "B"}, "nmae"),
            ([], ""),
        ],
    )
    def test_each_error_is_reported_at_its_field(self, as_bob, sent, field):
        assert field in problem(as_bob.post("/clubs/", sent), 400, "invalid")["errors"]

    def test_a_value_that_means_nothing(self, as_bob):
        body = problem(as_bob.post("/clubs/", {"name": "A", "time_zone": "Mars/Olympus"}), 422, "unprocessable")
        assert body["errors"].keys() == {"time_zone"}

    def test_a_character_that_no_database_stores(self, as_bob):
        problem(as_bob.post("/clubs/", {"name": "A\0B"}), 400, "malformed")
        assert not Club.objects.filter(name__startswith="A").exists()

    @pytest.mark.parametrize("raw", [b"{", b"\xff", b'{"name": NaN}', b'{"name": "\\ud800"}', b"[" * 99_999])
    def test_what_is_no_json(self, as_bob, raw):
        answer = Client().generic(
            "POST", "/api/v1/clubs/", raw, content_type="application/json", headers=as_bob.headers
        )
        problem(answer, 400, "malformed")

    def test_other_formats_and_sizes(self, as_bob):
        answer = Client().post("/api/v1/clubs/", {"name": "A"}, headers=as_bob.headers)
        problem(answer, 415, "unsupported-media-type")
        problem(as_bob.post("/clubs/", {"name": "A" * 300_000}), 413, "too-large")

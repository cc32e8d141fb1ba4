"""The pages of clubs: one class an endpoint, with Alice (owner), Bob (member) and Charlie (stranger)."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import clubs, joining
from accounts.models import Club, JoinRequest, Membership, Role
from tests.factories import actions_of, create_user, logged_in, role_of

pytestmark = pytest.mark.django_db

DETAILS = {
    "name": "Castle Night",
    "city": "Gdańsk",
    "time_zone": "Europe/Warsaw",
    "is_private": "no",
    "admission": "request",
    "description": "**Welcome**",
}


def messages_of(response) -> list[str]:
    return [str(message) for message in response.context["messages"]]


class TestIndex:
    def test_search_by_plain_letters(self, client, club):
        assert "The Round Table" in client.get("/clubs/", {"q": "lodz round"}).text
        response = client.get("/clubs/", {"q": "<nowhere>"})
        assert "The Round Table" not in response.text
        assert "&lt;nowhere&gt;" in response.text

    def test_closed_clubs_are_not_listed(self, client, club, alice):
        clubs.close(actor=alice, club=club)
        assert "The Round Table" not in client.get("/clubs/").text

    def test_own_clubs_are_marked(self, as_bob, as_charlie, club):
        assert "Your club" in as_bob.get("/clubs/").text
        assert "Your club" not in as_charlie.get("/clubs/").text

    def test_any_page_number(self, client, club):
        for number in ("0", "-1", "999", "x"):
            assert client.get("/clubs/", {"page": number}).status_code == 200

    def test_the_number_of_queries_does_not_grow(self, as_bob, club, alice, django_assert_max_num_queries):
        with CaptureQueriesContext(connection) as one:
            as_bob.get("/clubs/")
        for number in range(10):
            clubs.create_club(founder=alice, name=f"Club {number}")
        with django_assert_max_num_queries(len(one)):
            as_bob.get("/clubs/")


class TestNew:
    def test_found(self, as_charlie, charlie):
        response = as_charlie.post("/clubs/new/", DETAILS, follow=True)
        assert response.redirect_chain == [("/clubs/castle-night/", 302)]
        assert "<strong>Welcome</strong>" in response.text
        assert role_of(Club.objects.get(), charlie) == Role.OWNER

    @pytest.mark.parametrize(
        "bad", [{"name": ""}, {"name": " "}, {"name": "x" * 81}, {"time_zone": "Mars/X"}, {"admission": "?"}]
    )
    def test_errors_stand_by_their_field(self, as_charlie, bad):
        response = as_charlie.post("/clubs/new/", {**DETAILS, **bad})
        assert response.status_code == 422
        assert list(response.context["form"].errors) == list(bad)
        assert "Gdańsk" in response.text
        assert not Club.objects.exists()

    def test_visitor(self, client):
        assert client.post("/clubs/new/", DETAILS).url == "/accounts/login/?next=/clubs/new/"


class TestPage:
    def test_visitor(self, client, club):
        text = client.get(club.get_absolute_url()).text
        assert "Alice A." in text
        assert "/accounts/signup/?next=/clubs/the-round-table/" in text
        assert "Make organiser" not in text

    def test_alice_has_the_tools(self, as_alice, club):
        text = as_alice.get(f"/clubs/{club.slug}/manage/").text
        assert "Make organiser" in text
        assert "/members/bob/remove/" in text
        assert "/members/alice/remove/" not in text

    def test_bob_can_leave(self, as_bob, club):
        text = as_bob.get(club.get_absolute_url()).text
        assert "Leave the club" in text
        assert "/remove/" not in text

    def test_charlie_can_ask(self, as_charlie, club):
        assert "Ask to join" in as_charlie.get(club.get_absolute_url()).text
        Club.objects.update(admission="invite")
        text = as_charlie.get(club.get_absolute_url()).text
        assert "Ask to join" not in text
        assert "by invitation only" in text

    def test_charlie_has_asked(self, as_charlie, asked, club):
        assert "Withdraw the request" in as_charlie.get(club.get_absolute_url()).text

    def test_closed(self, client, club, alice):
        clubs.close(actor=alice, club=club)
        assert "This club closed on" in client.get(club.get_absolute_url()).text

    def test_unknown(self, client, db):
        assert client.get("/clubs/nowhere/").status_code == 404

    def test_what_people_write_is_escaped(self, client, club):
        Club.objects.update(name="<b>x</b>", description="<script>x</script>", city="<i>y</i>")
        text = client.get(club.get_absolute_url()).text
        for harm in ("<b>x", "<i>y", "<script>x"):
            assert harm not in text


class TestMembers:
    def test_the_list_alone(self, client, club):
        response = client.get(f"/clubs/{club.slug}/members/")
        assert response.text.lstrip().startswith("<section")
        assert "bob" in response.text


class TestEdit:
    def test_alice(self, as_alice, club):
        response = as_alice.post(f"/clubs/{club.slug}/edit/", DETAILS)
        assert response.url == "/clubs/the-round-table/"
        club.refresh_from_db()
        assert club.name == "Castle Night"

    def test_what_was_typed_is_kept(self, as_alice, club):
        response = as_alice.post(f"/clubs/{club.slug}/edit/", {**DETAILS, "name": ""})
        assert "Gdańsk" in response.text
        assert "<h1>The Round Table</h1>" in response.text

    def test_bob_and_charlie(self, as_bob, as_charlie, club):
        for client in (as_bob, as_charlie):
            assert client.post(f"/clubs/{club.slug}/edit/", DETAILS).status_code == 403
        club.refresh_from_db()
        assert club.name == "The Round Table"


class TestManage:
    def test_requests_and_invites(self, as_olga, club, asked, invite):
        text = as_olga.get(f"/clubs/{club.slug}/manage/").text
        assert "I bring biscuits" in text
        assert f"/invites/{invite.invite.pk}/revoke/" in text
        assert invite.token not in text
        assert "Close the club" not in text

    def test_the_owner_has_more(self, as_alice, club):
        text = as_alice.get(f"/clubs/{club.slug}/manage/").text
        assert "Close the club" in text
        assert "Hand over" in text


class TestLog:
    def test_in_words(self, as_olga, club, asked):
        text = as_olga.get(f"/clubs/{club.slug}/log/").text
        assert "Alice A. started the club" in text
        assert "charlie asked to join" in text


class TestLeave:
    def test_bob(self, as_bob, bob, club):
        response = as_bob.post(f"/clubs/{club.slug}/leave/", follow=True)
        assert messages_of(response) == ["You have left The Round Table."]
        assert role_of(club, bob) is None

    def test_alice_is_told_why_not(self, as_alice, alice, club):
        response = as_alice.post(f"/clubs/{club.slug}/leave/", follow=True)
        assert "hand it over" in messages_of(response)[0]
        assert role_of(club, alice) == Role.OWNER


class TestClose:
    def test_alice(self, as_alice, club):
        response = as_alice.post(f"/clubs/{club.slug}/close/", follow=True)
        assert messages_of(response) == ["The Round Table is closed."]

    def test_bob(self, as_bob, club):
        assert as_bob.post(f"/clubs/{club.slug}/close/").status_code == 403
        assert Club.objects.open().count() == 1


class TestHandOver:
    def test_alice_to_bob(self, as_alice, club, bob):
        response = as_alice.post(f"/clubs/{club.slug}/hand-over/", {"to": "bob"}, follow=True)
        assert messages_of(response) == ["bob now owns the club."]
        assert role_of(club, bob) == Role.OWNER

    @pytest.mark.parametrize("to", ["", "charlie", "alice", "nobody"])
    def test_errors(self, as_alice, alice, charlie, club, to):
        response = as_alice.post(f"/clubs/{club.slug}/hand-over/", {"to": to})
        assert response.status_code == 422
        assert response.context["hand_over_form"].errors["to"]
        assert role_of(club, alice) == Role.OWNER


class TestRemove:
    def test_olga_removes_bob(self, as_olga, club, bob):
        response = as_olga.post(f"/clubs/{club.slug}/members/BOB/remove/", follow=True)
        assert messages_of(response) == ["bob is no longer a member."]
        assert role_of(club, bob) is None

    def test_nobody_of_the_name(self, as_olga, club):
        assert as_olga.post(f"/clubs/{club.slug}/members/charlie/remove/").status_code == 404

    def test_olga_cannot_remove_alice(self, as_olga, club, alice):
        assert as_olga.post(f"/clubs/{club.slug}/members/alice/remove/").status_code == 403
        assert role_of(club, alice) == Role.OWNER


class TestRole:
    def test_alice_promotes_bob(self, as_alice, club, bob):
        as_alice.post(f"/clubs/{club.slug}/members/bob/role/", {"role": "organiser"})
        assert role_of(club, bob) == Role.ORGANISER

    @pytest.mark.parametrize("role", ["", "owner", "king"])
    def test_errors(self, as_alice, club, bob, role):
        response = as_alice.post(f"/clubs/{club.slug}/members/bob/role/", {"role": role}, follow=True)
        assert "can be made" in messages_of(response)[0]
        assert role_of(club, bob) == Role.MEMBER


class TestAsk:
    def test_charlie(self, as_charlie, club):
        response = as_charlie.post(f"/clubs/{club.slug}/ask/", {"message": "Hello"}, follow=True)
        assert messages_of(response) == ["Your request is with the organisers."]
        assert JoinRequest.objects.get().message == "Hello"

    def test_too_long(self, as_charlie, club):
        response = as_charlie.post(f"/clubs/{club.slug}/ask/", {"message": "x" * 301}, follow=True)
        assert "300" in messages_of(response)[0]
        assert not JoinRequest.objects.exists()

    def test_bob(self, as_bob, club):
        assert as_bob.post(f"/clubs/{club.slug}/ask/", {"message": "x" * 301}).status_code == 403


class TestDecide:
    def test_approve(self, as_olga, asked, club, charlie):
        response = as_olga.post(f"/clubs/{club.slug}/requests/{asked.pk}/approve/", follow=True)
        assert messages_of(response) == ["charlie is now a member."]
        assert role_of(club, charlie) == Role.MEMBER

    def test_decline(self, as_olga, asked, club, charlie):
        as_olga.post(f"/clubs/{club.slug}/requests/{asked.pk}/decline/")
        response = as_olga.post(f"/clubs/{club.slug}/requests/{asked.pk}/approve/", follow=True)
        assert messages_of(response) == [
            "charlie’s request is declined.",
            "This request has already been answered.",
        ]
        assert role_of(club, charlie) is None

    def test_charlie_withdraws(self, as_charlie, asked, club):
        as_charlie.post(f"/clubs/{club.slug}/requests/{asked.pk}/withdraw/")
        asked.refresh_from_db()
        assert asked.status == JoinRequest.Status.WITHDRAWN

    def test_through_another_clubs_address(self, as_olga, olga, asked, charlie):
        other = clubs.create_club(founder=olga, name="Other")
        answer = as_olga.post(f"/clubs/{other.slug}/requests/{asked.pk}/approve/")
        assert answer.status_code == 404


class TestInvite:
    def test_the_link_is_shown_once_and_works(self, as_olga, as_charlie, club, charlie):
        response = as_olga.post(f"/clubs/{club.slug}/invites/", {"max_uses": 1, "days": 3})
        link = response.context["link"]
        assert link in response.text
        assert "no-store" in response["Cache-Control"]
        assert link not in as_olga.get(f"/clubs/{club.slug}/manage/").text
        assert link.startswith("http://testserver/join/")
        path = link.removeprefix("http://testserver")
        assert "Join the club" in as_charlie.get(path).text
        assert as_charlie.post(path).url == club.get_absolute_url()
        assert role_of(club, charlie) == Role.MEMBER

    def test_the_link_as_the_page_offers_it_lets_a_whole_group_in(self, as_olga, club):
        """An organiser changes nothing, and shares it in the club's group chat."""
        offered = as_olga.get(f"/clubs/{club.slug}/manage/").context["invite_form"]
        sent = {field.html_name: field.initial for field in offered}
        response = as_olga.post(f"/clubs/{club.slug}/invites/", sent)
        assert "Up to 30 people can join with it, until" in " ".join(response.text.split())
        path = response.context["link"].removeprefix("http://testserver")
        chat = [create_user(f"chat{number}") for number in range(31)]
        answers = [logged_in(person).post(path).status_code for person in chat]
        assert answers == [302] * 30 + [410]
        assert "shown only this once" in response.text
        # It ends by itself, whoever has it then.
        last = club.invites.get().expires_at
        assert timedelta(days=6) < last - timezone.now() <= timedelta(days=7)

    def test_a_link_for_one_person_says_so(self, as_olga, club):
        response = as_olga.post(f"/clubs/{club.slug}/invites/", {"max_uses": 1, "days": 3})
        assert "1 person can join with it, until" in " ".join(response.text.split())

    @pytest.mark.parametrize("bad", [{"max_uses": 0}, {"max_uses": "x"}, {"days": 91}, {"days": ""}])
    def test_errors(self, as_olga, club, bad):
        response = as_olga.post(f"/clubs/{club.slug}/invites/", {"max_uses": 1, "days": 3, **bad})
        assert response.status_code == 422
        assert list(response.context["invite_form"].errors) == list(bad)
        assert not club.invites.exists()

    def test_revoke(self, as_alice, as_charlie, club, invite):
        as_alice.post(f"/clubs/{club.slug}/invites/{invite.invite.pk}/revoke/")
        response = as_charlie.get(f"/join/{invite.token}/")
        assert response.status_code == 410
        assert "does not work" in response.text


class TestJoin:
    def test_a_visitor_is_shown_the_way(self, client, invite):
        text = client.get(f"/join/{invite.token}/").text
        assert f"/accounts/signup/?next=/join/{invite.token}/" in text

    def test_a_get_joins_nobody(self, as_charlie, invite, club, charlie):
        as_charlie.get(f"/join/{invite.token}/")
        assert role_of(club, charlie) is None

    def test_used_up_says_so(self, as_charlie, invite, alice, club):
        joining.accept(person=create_user("dora"), token=invite.token)
        response = as_charlie.post(f"/join/{invite.token}/")
        assert response.status_code == 410
        assert "used up" in messages_of(response)[0]

    def test_a_member_is_taken_to_the_club(self, as_bob, invite, club):
        assert as_bob.get(f"/join/{invite.token}/").url == club.get_absolute_url()

    @pytest.mark.parametrize("token", ["x", "%00", "%C5%BC"])
    def test_nonsense(self, client, db, token):
        assert client.get(f"/join/{token}/").status_code == 410


def test_the_trail_has_every_step(as_alice, as_charlie, club, asked, charlie):
    as_alice.post(f"/clubs/{club.slug}/requests/{asked.pk}/approve/")
    as_alice.post(f"/clubs/{club.slug}/members/charlie/role/", {"role": "organiser"})
    as_alice.post(f"/clubs/{club.slug}/hand-over/", {"to": "charlie"})
    as_alice.post(f"/clubs/{club.slug}/leave/")
    steps = ["request.made", "request.approved", "club.made-organiser", "club.handed-over", "club.left"]
    assert actions_of(club)[1:] == steps
    assert Membership.objects.filter(club=club).count() == 3

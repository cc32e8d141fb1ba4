"""The verbs of a club."""

import pytest

from accounts import audit, clubs, joining
from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from accounts.models import Club, Invite, JoinRequest, Membership, Notice, Role, User
from tests.factories import actions_of, add_member, create_user, role_of

pytestmark = pytest.mark.django_db


def membership(club: Club, user: User) -> Membership:
    return Membership.objects.get(club=club, user=user)


def notices_of(user: User) -> list[str]:
    return list(Notice.objects.filter(user=user).order_by("pk").values_list("kind", flat=True))


class TestFound:
    def test_the_founder_owns_it(self, alice):
        club = clubs.create_club(founder=alice, name="Żaba & Friends", city="Gdańsk")
        assert club.slug == "zaba-friends"
        assert role_of(club, alice) == Role.OWNER
        assert actions_of(club) == ["club.founded"]

    def test_the_same_name_gets_the_next_address(self, alice):
        slugs = [clubs.create_club(founder=alice, name="Twins").slug for _ in range(3)]
        assert slugs == ["twins", "twins-2", "twins-3"]

    def test_an_address_of_ours_is_not_taken(self, alice):
        assert clubs.create_club(founder=alice, name="New").slug == "new-2"

    def test_bad_values_leave_nothing(self, alice):
        from django.core.exceptions import ValidationError

        for bad in ({"name": ""}, {"name": "x", "time_zone": "Mars/X"}, {"name": "x", "admission": "maybe"}):
            with pytest.raises(ValidationError):
                clubs.create_club(founder=alice, **bad)
        assert not Club.objects.exists()

    def test_a_visitor_may_not(self, db):
        from django.contrib.auth.models import AnonymousUser

        with pytest.raises(NotAllowed):
            clubs.create_club(founder=AnonymousUser(), name="x")


class TestEdit:
    values = {"city": "Rome", "time_zone": "Europe/Rome", "description": "hi", "admission": "invite"}

    def test_organiser(self, club, olga):
        changed = clubs.edit(actor=olga, club=club, name="Square Table", **self.values)
        assert (changed.name, changed.slug) == ("Square Table", "the-round-table")
        assert changed.search == "square table rome"
        entry = club.audit_entries.latest("pk")
        assert entry.params == {"fields": ["admission", "city", "description", "name", "time_zone"]}

    def test_nothing_changed_is_nothing_recorded(self, club, olga):
        same = {field: getattr(club, field) for field in ("name", "city", "time_zone", "description", "admission")}
        clubs.edit(actor=olga, club=club, **same)
        assert actions_of(club) == ["club.founded"]

    def test_member_and_stranger_may_not(self, club, bob, charlie):
        for actor in (bob, charlie):
            with pytest.raises(NotAllowed):
                clubs.edit(actor=actor, club=club, name="Mine", **self.values)


class TestLeave:
    def test_member(self, club, bob):
        clubs.leave(person=bob, club=club)
        assert role_of(club, bob) is None
        assert actions_of(club)[-1] == "club.left"

    def test_the_owner_hands_over_first(self, club, alice, bob):
        with pytest.raises(Refused, match="hand it over"):
            clubs.leave(person=alice, club=club)
        clubs.hand_over(actor=alice, club=club, to=bob)
        clubs.leave(person=alice, club=club)
        assert role_of(club, bob) == Role.OWNER

    def test_stranger(self, club, charlie):
        with pytest.raises(NotAllowed):
            clubs.leave(person=charlie, club=club)

    def test_the_links_of_who_left_no_longer_work(self, club, olga):
        link = joining.invite(actor=olga, club=club, max_uses=5)
        clubs.leave(person=olga, club=club)
        assert joining.find(link.token) is None


class TestRemove:
    def test_organiser_removes_a_member(self, club, olga, bob):
        clubs.remove(actor=olga, membership=membership(club, bob))
        assert role_of(club, bob) is None
        assert notices_of(bob) == ["club.removed"]

    def test_organiser_cannot_remove_an_organiser(self, club, olga):
        other = add_member(club, create_user("otto"), Role.ORGANISER)
        with pytest.raises(NotAllowed):
            clubs.remove(actor=olga, membership=other)

    def test_twice(self, club, alice, bob):
        stale = membership(club, bob)
        clubs.remove(actor=alice, membership=stale)
        with pytest.raises(Refused, match="already left"):
            clubs.remove(actor=alice, membership=stale)

    def test_a_stale_role_does_not_help(self, club, alice, olga, bob):
        stale = membership(club, bob)
        clubs.change_role(actor=alice, membership=stale, role=Role.ORGANISER)
        with pytest.raises(NotAllowed):
            clubs.remove(actor=olga, membership=stale)


class TestChangeRole:
    def test_up_and_down(self, club, alice, bob):
        clubs.change_role(actor=alice, membership=membership(club, bob), role=Role.ORGANISER)
        assert role_of(club, bob) == Role.ORGANISER
        link = joining.invite(actor=bob, club=club)
        clubs.change_role(actor=alice, membership=membership(club, bob), role=Role.MEMBER)
        assert role_of(club, bob) == Role.MEMBER
        assert joining.find(link.token) is None
        assert notices_of(bob) == ["club.made-organiser", "club.made-member"]

    @pytest.mark.parametrize("role", [Role.OWNER, "king", ""])
    def test_other_roles_are_not_given(self, club, alice, bob, role):
        with pytest.raises(Refused):
            clubs.change_role(actor=alice, membership=membership(club, bob), role=role)

    def test_a_bot_organises_nothing(self, club, alice):
        bot = add_member(club, User.objects.create_user("wren", is_bot=True))
        with pytest.raises(Refused, match="bot"):
            clubs.change_role(actor=alice, membership=bot, role=Role.ORGANISER)

    def test_organiser_may_not(self, club, olga, bob):
        with pytest.raises(NotAllowed):
            clubs.change_role(actor=olga, membership=membership(club, bob), role=Role.ORGANISER)

    def test_the_same_again_is_no_news(self, club, alice, bob):
        clubs.change_role(actor=alice, membership=membership(club, bob), role=Role.MEMBER)
        assert notices_of(bob) == []


class TestHandOver:
    def test_the_old_owner_stays_as_organiser(self, club, alice, bob):
        clubs.hand_over(actor=alice, club=club, to=bob)
        assert (role_of(club, alice), role_of(club, bob)) == (Role.ORGANISER, Role.OWNER)
        assert notices_of(bob) == ["club.handed-over"]
        with pytest.raises(NotAllowed):
            clubs.hand_over(actor=alice, club=club, to=alice)

    def test_only_to_a_person_of_the_club(self, club, alice, charlie):
        bot = User.objects.create_user("wren", is_bot=True)
        add_member(club, bot)
        for heir in (charlie, bot):
            with pytest.raises(Refused, match="member of this club"):
                clubs.hand_over(actor=alice, club=club, to=heir)
        assert role_of(club, alice) == Role.OWNER

    def test_to_oneself_changes_nothing(self, club, alice):
        clubs.hand_over(actor=alice, club=club, to=alice)
        assert role_of(club, alice) == Role.OWNER

    def test_staff_rescue_a_club(self, club, stella, bob):
        clubs.hand_over(actor=stella, club=club, to=bob)
        assert role_of(club, bob) == Role.OWNER


class TestClose:
    def test_everything_ends_and_the_page_stays(self, club, alice, bob, asked, invite):
        clubs.close(actor=alice, club=club)
        club.refresh_from_db()
        assert club.closed_at
        assert not club.memberships.exists()
        assert JoinRequest.objects.get().status == JoinRequest.Status.DECLINED
        assert not Invite.objects.filter(revoked_at=None).exists()
        assert club not in Club.objects.open()
        assert notices_of(bob) == ["club.closed"]
        assert "club.closed" not in notices_of(alice)

    def test_organiser_may_not(self, club, olga):
        with pytest.raises(NotAllowed):
            clubs.close(actor=olga, club=club)

    @pytest.mark.parametrize("verb", ["ask", "accept", "edit", "invite"])
    def test_nothing_goes_on_in_it(self, club, alice, charlie, invite, verb):
        clubs.close(actor=alice, club=club)
        club.refresh_from_db()
        verbs = {
            "ask": lambda: joining.request_to_join(person=charlie, club=club),
            "accept": lambda: joining.accept(person=charlie, token=invite.token),
            "edit": lambda: clubs.edit(actor=alice, club=club, name="x", **TestEdit.values),
            "invite": lambda: joining.invite(actor=alice, club=club),
        }
        with pytest.raises((NotAllowed, Refused)):
            verbs[verb]()


class TestAudit:
    def test_every_declared_action_can_be_read_aloud(self, club, alice, bob):
        own = [action for action in audit.actions() if action.startswith(("account.", "club.", "invite.", "request."))]
        assert len(own) > 10
        for action in own:
            entry = audit.record(action, actor=alice, on=club, club=club, person=bob, max_uses=3)
            (line,) = audit.render_entries([entry])
            assert "%" not in line.words
            assert "Alice A." in line.words

    def test_an_undeclared_action_is_a_bug(self, club, alice):
        with pytest.raises(ValueError, match="not declared"):
            audit.record("club.eaten", actor=alice, on=club)

    def test_two_declarations_are_a_bug(self):
        with pytest.raises(ValueError, match="twice"):
            audit.declare_action("club.founded", "x")

    def test_words_of_a_newer_version(self, club, alice):
        entry = audit.record("club.founded", actor=None, on=club)
        entry.action = "club.polished"
        assert audit.render_entries([entry])[0].words == "club.polished"

    def test_a_name_that_went_is_gone_from_the_log(self, club, bob):
        from accounts import people

        clubs.leave(person=bob, club=club)
        people.delete_account(person=bob)
        entries = club.audit_entries.select_related("actor", "person")
        assert audit.render_entries(entries)[0].words == "Former player left the club"

"""The two doors into a club."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts import clubs, joining
from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from accounts.models import Admission, Club, Invite, JoinRequest, Notice, Role
from tests.factories import actions_of, add_member, create_user, role_of

pytestmark = pytest.mark.django_db


class TestAsk:
    def test_the_organisers_are_told(self, asked, club, alice, olga, bob):
        assert asked.status == JoinRequest.Status.PENDING
        notices = Notice.objects.filter(kind="request.made")
        assert {notice.user for notice in notices} == {alice, olga}
        assert notices[0].path == f"/clubs/{club.slug}/manage/"

    def test_once_at_a_time(self, asked, club, charlie):
        with pytest.raises(Refused, match="already asked"):
            joining.request_to_join(person=charlie, club=club)

    def test_thrice_a_day(self, club, charlie):
        for _ in range(joining.MAX_REQUESTS_PER_DAY):
            joining.withdraw(person=charlie, request=joining.request_to_join(person=charlie, club=club))
        with pytest.raises(Refused, match="tomorrow"):
            joining.request_to_join(person=charlie, club=club)
        JoinRequest.objects.update(asked_at=timezone.now() - timedelta(days=2))
        joining.request_to_join(person=charlie, club=club)

    def test_not_where_invites_alone_open(self, club, charlie):
        Club.objects.update(admission=Admission.INVITE)
        with pytest.raises(Refused, match="invitation only"):
            joining.request_to_join(person=charlie, club=club)

    def test_members_do_not_ask(self, club, bob, stella):
        with pytest.raises(NotAllowed):
            joining.request_to_join(person=bob, club=club)
        add_member(club, stella)
        with pytest.raises(Refused, match="already a member"):
            joining.request_to_join(person=stella, club=club)


class TestDecide:
    def test_approve(self, asked, club, olga, charlie):
        joining.approve(actor=olga, request=asked)
        assert role_of(club, charlie) == Role.MEMBER
        asked.refresh_from_db()
        assert (asked.status, asked.decided_by) == (JoinRequest.Status.APPROVED, olga)
        assert Notice.objects.get(user=charlie).kind == "request.approved"

    def test_decline(self, asked, club, olga, charlie):
        joining.decline(actor=olga, request=asked)
        assert role_of(club, charlie) is None
        assert Notice.objects.get(user=charlie).kind == "request.declined"

    def test_the_second_answer_is_refused(self, asked, club, alice, olga, charlie):
        joining.decline(actor=olga, request=asked)
        with pytest.raises(Refused, match="already been answered"):
            joining.approve(actor=alice, request=asked)
        assert role_of(club, charlie) is None

    @pytest.mark.parametrize("verb", [joining.approve, joining.decline])
    def test_others_may_not(self, asked, bob, charlie, verb):
        for actor in (bob, charlie):
            with pytest.raises(NotAllowed):
                verb(actor=actor, request=asked)

    def test_withdraw_is_for_who_asked(self, asked, alice, charlie):
        with pytest.raises(NotAllowed):
            joining.withdraw(person=alice, request=asked)
        joining.withdraw(person=charlie, request=asked)
        with pytest.raises(Refused):
            joining.withdraw(person=charlie, request=asked)


class TestInvite:
    def test_accept(self, invite, club, alice, charlie):
        assert joining.accept(person=charlie, token=invite.token) == club
        assert role_of(club, charlie) == Role.MEMBER
        assert Invite.objects.get().uses == 1
        assert actions_of(club)[-2:] == ["invite.made", "invite.accepted"]
        assert Notice.objects.get(user=alice).kind == "invite.accepted"

    def test_it_answers_an_open_request(self, asked, invite, charlie):
        joining.accept(person=charlie, token=invite.token)
        asked.refresh_from_db()
        assert asked.status == JoinRequest.Status.APPROVED

    def test_a_member_uses_nothing_up(self, invite, club, bob, olga):
        for member in (bob, olga):
            assert joining.accept(person=member, token=invite.token) == club
        assert Invite.objects.get().uses == 0
        assert role_of(club, olga) == Role.ORGANISER

    def test_used_up(self, invite, charlie):
        joining.accept(person=charlie, token=invite.token)
        with pytest.raises(Refused):
            joining.accept(person=create_user("dora"), token=invite.token)

    def test_expired(self, invite, charlie, time_machine):
        time_machine.move_to(timezone.now() + timedelta(days=7, seconds=1))
        with pytest.raises(Refused):
            joining.accept(person=charlie, token=invite.token)

    def test_revoked(self, invite, alice, charlie):
        joining.revoke(actor=alice, invite=invite.invite)
        with pytest.raises(Refused):
            joining.accept(person=charlie, token=invite.token)
        with pytest.raises(Refused, match="already been revoked"):
            joining.revoke(actor=alice, invite=invite.invite)

    @pytest.mark.parametrize("token", ["", "x", "x" * 500, "ż"])
    def test_wrong_token(self, invite, charlie, token):
        with pytest.raises(Refused):
            joining.accept(person=charlie, token=token)

    def test_a_closed_clubs_link_is_dead(self, invite, alice, club):
        clubs.close(actor=alice, club=club)
        assert joining.find(invite.token) is None

    @pytest.mark.parametrize("bad", [{"max_uses": 0}, {"max_uses": 501}, {"lasting": timedelta()}])
    def test_bounds(self, club, alice, bad):
        with pytest.raises(Refused):
            joining.invite(actor=alice, club=club, **bad)
        with pytest.raises(Refused):
            joining.invite(actor=alice, club=club, lasting=timedelta(days=91))

    def test_members_and_strangers_may_not(self, club, bob, charlie, invite):
        for actor in (bob, charlie):
            with pytest.raises(NotAllowed):
                joining.invite(actor=actor, club=club)
            with pytest.raises(NotAllowed):
                joining.revoke(actor=actor, invite=invite.invite)

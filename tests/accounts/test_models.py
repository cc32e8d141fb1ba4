"""What the database itself refuses."""

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from accounts import clubs
from accounts.models import AuditEntry, Club, Invite, JoinRequest, Membership, Notice, Role, User
from tests.factories import add_member, create_user

pytestmark = pytest.mark.django_db


def refused(make) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        make()


class TestUser:
    def test_handle_is_unique_whatever_the_case(self, alice):
        refused(lambda: User.objects.create(handle="ALICE"))
        with pytest.raises(ValidationError, match="taken"):
            create_user("ALICE")

    def test_email_is_unique_whatever_the_case(self, alice):
        refused(lambda: User.objects.create(handle="other", email="Alice@Example.org"))

    def test_many_may_have_no_email(self):
        User.objects.create(handle="bot-1", is_bot=True)
        User.objects.create(handle="bot-2", is_bot=True)

    @pytest.mark.parametrize("field", ["language", "theme"])
    def test_unknown_choice(self, field):
        refused(lambda: User.objects.create(handle="x1", **{field: "xx"}))

    def test_the_deleted_are_nameless(self, alice):
        refused(lambda: User.objects.filter(pk=alice.pk).update(deleted_at=timezone.now()))

    @pytest.mark.parametrize("handle", ["a", "-a", "a-", "a b", "a.b", "~12", "żółw", "x" * 31, "ab\n", ""])
    def test_bad_handles(self, handle):
        with pytest.raises(ValidationError):
            User.objects.create_user(handle)

    @pytest.mark.parametrize("handle", ["ab", "A1", "a_b-c", "x" * 30])
    def test_good_handles(self, handle):
        assert User.objects.create_user(handle).handle == handle

    @pytest.mark.parametrize("zone", ["Mars/Olympus", "", "../../etc/passwd"])
    def test_bad_time_zones(self, zone):
        with pytest.raises(ValidationError):
            User.objects.create_user("someone", time_zone=zone)

    def test_a_zone_that_vanished_is_read_as_utc(self, alice):
        alice.time_zone = "Mars/Olympus"
        assert alice.zone.key == "UTC"

    def test_name(self, alice, bob):
        assert (alice.name, bob.name) == ("Alice A.", "bob")


class TestMembership:
    def test_once(self, club, bob):
        refused(lambda: add_member(club, bob))

    def test_one_owner(self, club, bob):
        refused(lambda: Membership.objects.filter(club=club, user=bob).update(role=Role.OWNER))

    def test_known_role(self, club, bob):
        refused(lambda: Membership.objects.filter(club=club, user=bob).update(role="king"))


class TestJoinRequest:
    def test_one_pending(self, asked, club, charlie):
        refused(lambda: JoinRequest.objects.create(club=club, user=charlie))

    def test_decided_means_when(self, asked):
        refused(lambda: JoinRequest.objects.filter(pk=asked.pk).update(status="approved"))


class TestInvite:
    def test_never_overused(self, invite):
        refused(lambda: Invite.objects.filter(pk=invite.invite.pk).update(uses=2))

    def test_at_least_one_use(self, invite):
        refused(lambda: Invite.objects.filter(pk=invite.invite.pk).update(max_uses=0))

    def test_only_the_hash_is_kept(self, invite):
        row = Invite.objects.filter(pk=invite.invite.pk).values().get()
        assert invite.token not in str(row)


class TestClub:
    def test_has_a_name(self):
        refused(lambda: Club.objects.create(name="", slug="x"))

    def test_slug_is_unique(self, club):
        refused(lambda: Club.objects.create(name="Other", slug=club.slug))


class TestAuditEntry:
    def test_code_cannot_change_it(self, club):
        entry = AuditEntry.objects.filter(club=club).latest("pk")
        for change in (
            entry.save,
            entry.delete,
            AuditEntry.objects.all().delete,
            lambda: AuditEntry.objects.update(action="x"),
        ):
            with pytest.raises(TypeError):
                change()

    def test_the_database_refuses_too(self, any_database):
        clubs.create_club(founder=create_user("alice"), name="The Round Table")
        with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
            connection.cursor().execute("UPDATE accounts_auditentry SET action = 'x'")


def test_reprs_say_no_secret(club, asked, invite, bob):
    notice = Notice.objects.create(user=bob, kind="club.closed", path="/")
    words = " ".join(map(str, [bob, club, asked, invite.invite, notice, Membership.objects.first()]))
    assert invite.token not in words
    assert invite.invite.token_hash not in words

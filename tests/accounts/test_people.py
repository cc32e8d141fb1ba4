"""What a person does with their own account."""

import pytest
from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.core.management import call_command

from accounts import clubs, joining, people
from accounts.infra.errors import Refused
from accounts.models import AuditEntry, JoinRequest, Notice, Role, User
from tests.factories import add_member, role_of

pytestmark = pytest.mark.django_db


class TestSettings:
    def test_change_some(self, alice):
        changed = people.change_settings(person=alice, language="pl", time_zone="Europe/Warsaw")
        assert (changed.language, changed.time_zone, changed.display_name) == (
            "pl",
            "Europe/Warsaw",
            "Alice A.",
        )
        assert AuditEntry.objects.get(action="account.settings").params == {"fields": ["language", "time_zone"]}

    @pytest.mark.parametrize(
        "bad", [{"language": "xx"}, {"time_zone": "Mars/X"}, {"theme": "pink"}, {"display_name": "x" * 61}]
    )
    def test_bad_values(self, alice, bad):
        with pytest.raises(ValidationError):
            people.change_settings(person=alice, **bad)

    def test_an_old_zone_is_in_nobodys_way(self, alice):
        User.objects.update(time_zone="Mars/X")
        assert people.change_settings(person=alice, theme="dark").theme == "dark"

    def test_the_same_again_is_nothing_recorded(self, alice):
        people.change_settings(person=alice, language="en")
        assert not AuditEntry.objects.exists()

    def test_other_fields_are_out_of_reach(self, alice):
        with pytest.raises(TypeError):
            people.change_settings(person=alice, is_staff=True)


class TestDeleteAccount:
    def test_the_person_goes_and_the_row_stays(self, bob, club):
        EmailAddress.objects.create(user=bob, email=bob.email, verified=True, primary=True)
        bob.set_password("x")
        people.delete_account(person=bob)
        row = User.objects.get(pk=bob.pk)
        assert (row.handle, row.email, row.display_name) == (f"~{bob.pk}", "", "")
        assert row.name == "Former player"
        assert not row.is_active
        assert not row.has_usable_password()
        assert not EmailAddress.objects.exists()
        assert role_of(club, bob) is None

    def test_nothing_of_them_is_left_in_what_we_keep(self, charlie, asked):
        people.delete_account(person=charlie)
        asked.refresh_from_db()
        assert (asked.status, asked.message) == (JoinRequest.Status.WITHDRAWN, "")
        for model in (User, JoinRequest, Notice, AuditEntry):
            assert "charlie" not in str(list(model.objects.values()))

    def test_handle_and_address_are_free_again(self, charlie):
        people.delete_account(person=charlie)
        User.objects.create_user("charlie", "charlie@example.org")

    def test_an_owner_hands_over_first(self, alice, club, bob):
        with pytest.raises(Refused, match="The Round Table"):
            people.delete_account(person=alice)
        alice.refresh_from_db()
        assert alice.is_active
        clubs.hand_over(actor=alice, club=club, to=bob)
        people.delete_account(person=alice)
        assert role_of(club, bob) == Role.OWNER

    def test_a_club_with_nobody_else_is_closed(self, charlie):
        club = clubs.create_club(founder=charlie, name="Solo")
        add_member(club, User.objects.create_user("wren", is_bot=True))
        people.delete_account(person=charlie)
        club.refresh_from_db()
        assert club.closed_at
        assert not club.memberships.exists()

    def test_their_links_die_with_them(self, olga, club):
        link = joining.invite(actor=olga, club=club)
        people.delete_account(person=olga)
        assert joining.find(link.token) is None


class TestStaff:
    def test_made_by_command(self):
        call_command("createsuperuser", handle="stella", email="Stella@example.org", interactive=False)
        stella = User.objects.get_by_natural_key("STELLA")
        assert (stella.is_staff, stella.email) == (True, "stella@example.org")

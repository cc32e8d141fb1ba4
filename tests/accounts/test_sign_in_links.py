"""Members without an e-mail address, the links they sign in with, and sites that send no e-mail."""

from datetime import timedelta

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from accounts import clubs, sign_in_links
from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from accounts.models import AuditEntry, Membership, Notice, SignInLink, User
from tests.factories import PASSWORD, actions_of, add_member, create_user

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_old_counts():
    cache.clear()


@pytest.fixture
def new(olga, club):
    return sign_in_links.add_member(actor=olga, club=club, name="  Nonna   Rita ")


def who(client: Client) -> str | None:
    pk = client.session.get("_auth_user_id")
    return User.objects.get(pk=pk).handle if pk else None


class TestMaking:
    def test_an_account_for_somebody_without_an_address(self, new, club, olga):
        rita = new.link.user
        assert (rita.name, rita.handle, rita.email, rita.looked_after_by) == ("Nonna Rita", "nonna-rita", "", club)
        assert not rita.has_usable_password()
        assert Membership.objects.get(club=club, user=rita).role == "member"
        assert actions_of(club)[-2:] == ["account.looked-after", "link.made"]
        assert Notice.objects.get(user=rita).kind == "link.made"

    def test_two_of_one_name_get_handles_of_their_own(self, new, olga, club):
        again = sign_in_links.add_member(actor=olga, club=club, name="Nonna Rita")
        assert again.link.user.handle == "nonna-rita-2"

    @pytest.mark.parametrize("name", ["", "   ", "x" * 61])
    def test_a_name_is_needed(self, olga, club, name):
        with pytest.raises(Refused):
            sign_in_links.add_member(actor=olga, club=club, name=name)

    def test_the_token_is_kept_nowhere(self, new):
        for model in (SignInLink, AuditEntry, Notice, User):
            assert new.token not in str(list(model.objects.values()))
        assert new.token not in repr(new)

    def test_a_new_link_ends_the_one_before(self, new, olga, club):
        membership = Membership.objects.get(user=new.link.user)
        again = sign_in_links.make(actor=olga, membership=membership)
        assert sign_in_links.find(new.token) is None
        assert sign_in_links.find(again.token) == again.link

    def test_members_and_strangers_make_none(self, bob, charlie, club, new):
        membership = Membership.objects.get(user=new.link.user)
        for person in (bob, charlie):
            with pytest.raises(NotAllowed):
                sign_in_links.add_member(actor=person, club=club, name="X")
            with pytest.raises(NotAllowed):
                sign_in_links.make(actor=person, membership=membership)
            with pytest.raises(NotAllowed):
                sign_in_links.revoke(actor=person, link=new.link)

    def test_no_organiser_gets_into_an_account_of_somebody_else(self, olga, bob, club, stella):
        """Bob has an address; Stella is staff; Dora is looked after by another club."""
        add_member(club, stella)
        other = clubs.create_club(founder=create_user("emil"), name="Elsewhere")
        dora = User.objects.create_user("dora", looked_after_by=other)
        add_member(club, dora)
        nameless = User.objects.create_user("frida")
        add_member(club, nameless)
        for person in (bob, stella, dora, nameless):
            with pytest.raises(Refused, match="has a way to log in already"):
                sign_in_links.make(actor=olga, membership=Membership.objects.get(club=club, user=person))

    @pytest.mark.parametrize(
        "change", [{"email": "rita@example.org"}, {"is_staff": True}, {"is_active": False}, {"looked_after_by": None}]
    )
    def test_a_link_that_was_handed_out_ends_with_the_reason_for_it(self, new, change):
        User.objects.filter(pk=new.link.user_id).update(**change)
        assert sign_in_links.find(new.token) is None

    def test_a_password_of_their_own_ends_the_clubs_way_in(self, new, olga):
        rita = new.link.user
        rita.set_password(PASSWORD)
        rita.save()
        assert sign_in_links.find(new.token) is None
        with pytest.raises(Refused):
            sign_in_links.make(actor=olga, membership=Membership.objects.get(user=rita))

    def test_organisers_get_none(self, new, alice, olga, club):
        membership = Membership.objects.get(user=new.link.user)
        clubs.change_role(actor=alice, membership=membership, role="organiser")
        assert sign_in_links.find(new.token) is None
        with pytest.raises(NotAllowed):
            sign_in_links.make(actor=olga, membership=membership)

    def test_whoever_leaves_the_club_has_no_link(self, new, olga, club):
        clubs.remove(actor=olga, membership=Membership.objects.get(user=new.link.user))
        assert sign_in_links.find(new.token) is None
        assert SignInLink.objects.get().revoked_at

    def test_a_club_that_closed_lets_nobody_in(self, new, alice, club):
        clubs.close(actor=alice, club=club)
        assert sign_in_links.find(new.token) is None

    def test_a_club_looks_after_so_many(self, olga, club, monkeypatch):
        monkeypatch.setattr(sign_in_links, "MAX_ACCOUNTS", 1)
        sign_in_links.add_member(actor=olga, club=club, name="One")
        with pytest.raises(Refused, match="can look after 1"):
            sign_in_links.add_member(actor=olga, club=club, name="Two")


class TestUsing:
    def test_the_whole_way_by_pages(self, as_olga, club):
        page = as_olga.post(f"/clubs/{club.slug}/without-email/", {"name": "Nonna Rita"})
        address = page.context["sign_in_link"]
        assert page.status_code == 200
        assert "no-store" in page["Cache-Control"]
        path = address.removeprefix("http://testserver")
        phone = Client()
        # Looking at it, as messengers do, uses nothing up.
        for _ in range(2):
            assert "Nonna Rita" in phone.get(path).content.decode()
        assert phone.post(path).url == "/"
        assert who(phone) == "nonna-rita"
        assert AuditEntry.objects.filter(action="link.used", club=club).count() == 1
        second = Client()
        assert second.get(path).status_code == 410
        assert second.post(path).status_code == 410
        assert who(second) is None

    def test_it_expires(self, new):
        with time_machine.travel(timezone.now() + timedelta(days=8)):
            assert Client().post(f"/sign-in/{new.token}/").status_code == 410

    def test_it_is_revoked(self, new, as_olga, club):
        as_olga.post(f"/clubs/{club.slug}/links/{new.link.pk}/revoke/")
        assert Client().post(f"/sign-in/{new.token}/").status_code == 410
        with pytest.raises(Refused, match="already been used or revoked"):
            sign_in_links.revoke(actor=new.link.made_by, link=new.link)

    def test_of_two_at_once_one_gets_in(self, new):
        assert sign_in_links.use(token=new.token) == new.link.user
        with pytest.raises(Refused):
            sign_in_links.use(token=new.token)

    def test_whoever_is_in_already_stays_who_they_are(self, new, as_bob):
        page = as_bob.post(f"/sign-in/{new.token}/")
        assert page.status_code == 200
        assert who(as_bob) == "bob"
        assert sign_in_links.find(new.token)

    def test_nobody_is_let_in_by_a_form_of_another_site(self, new):
        assert Client(enforce_csrf_checks=True).post(f"/sign-in/{new.token}/").status_code == 403
        assert sign_in_links.find(new.token)

    def test_the_way_from_a_link_to_an_account_of_ones_own(self, new, mailoutbox):
        phone = Client()
        phone.post(f"/sign-in/{new.token}/")
        phone.post("/accounts/email/", {"email": "rita@example.org", "action_add": ""})
        phone.post("/accounts/password/set/", {"password1": PASSWORD, "password2": PASSWORD})
        address = EmailAddress.objects.get()
        assert (address.email, address.verified) == ("rita@example.org", False)
        assert User.objects.get(handle="nonna-rita").has_usable_password()


class TestWithoutMail:
    @pytest.fixture(autouse=True)
    def no_mail(self, settings):
        settings.SENDS_MAIL = False
        settings.ACCOUNT_EMAIL_VERIFICATION = "none"

    def test_sign_up_waits_for_no_letter(self, client, mailoutbox):
        form = {"username": "dora", "email": "dora@example.org", "password1": PASSWORD}
        assert client.post("/accounts/signup/", form).url == "/"
        assert who(client) == "dora"
        assert mailoutbox == []
        assert not EmailAddress.objects.get().verified

    def test_the_page_for_a_new_password_says_whom_to_ask(self, client):
        assert "sends no e-mail" in client.get("/accounts/password/reset/").content.decode()


class TestFirstAdministrator:
    def test_is_not_locked_out(self, client, monkeypatch):
        monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", PASSWORD)
        call_command("createsuperuser", handle="stella", email="Stella@example.org", interactive=False)
        address = EmailAddress.objects.get()
        assert (address.email, address.verified, address.primary) == ("stella@example.org", True, True)
        client.post("/accounts/login/", {"login": "stella", "password": PASSWORD})
        assert who(client) == "stella"

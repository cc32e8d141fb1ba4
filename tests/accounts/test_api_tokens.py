"""Tokens of programs: made once, shown once, kept as a hash, ended by their owner."""

from datetime import timedelta

import pytest
import time_machine
from django.core.exceptions import ValidationError
from django.utils import timezone

from accounts import api_tokens, people
from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from accounts.models import ApiToken, AuditEntry, User
from deploy.logging_config import hide_secrets

pytestmark = pytest.mark.django_db
WEEK = timedelta(days=7)


def issue(person: User, **terms) -> api_tokens.NewToken:
    return api_tokens.issue(person=person, **{"name": "my bot", "scopes": ["read", "play"], "lasting": WEEK, **terms})


class TestIssue:
    def test_the_secret_is_kept_nowhere(self, bob):
        new = issue(bob)
        row = ApiToken.objects.filter(pk=new.token.pk).values().get()
        assert new.secret not in str(row)
        assert new.secret[12:] not in str(row)
        assert new.secret not in repr(new)
        assert len(new.secret) - len(api_tokens.SECRET_PREFIX) == 43  # 256 bits
        entry = AuditEntry.objects.latest("pk")
        assert entry.action == api_tokens.ISSUED
        assert new.secret not in str(entry.params)

    def test_scopes_are_known_ones_in_their_order(self, bob):
        assert issue(bob, scopes=["play", "read", "rule-the-world"]).token.scopes == ["read", "play"]

    @pytest.mark.parametrize(
        "terms", [{"scopes": []}, {"scopes": ["all"]}, {"lasting": timedelta()}, {"lasting": timedelta(days=366)}]
    )
    def test_what_cannot_be(self, bob, terms):
        with pytest.raises(Refused):
            issue(bob, **terms)

    def test_it_has_a_name(self, bob):
        with pytest.raises(ValidationError):
            issue(bob, name="  ")

    def test_so_many_and_no_more(self, bob):
        for number in range(api_tokens.MAX_TOKENS):
            issue(bob, name=f"bot {number}")
        with pytest.raises(Refused):
            issue(bob)


class TestBearer:
    def test_it_is_found_by_its_secret_alone(self, bob):
        new = issue(bob)
        assert api_tokens.authenticate_secret(new.secret) == new.token
        for wrong in ("", "gauntlet_", new.secret[:-1], new.secret.upper(), new.token.token_hash):
            assert api_tokens.authenticate_secret(wrong) is None

    def test_not_after_its_time(self, bob):
        new = issue(bob)
        with time_machine.travel(timezone.now() + WEEK + timedelta(seconds=1)):
            assert api_tokens.authenticate_secret(new.secret) is None

    def test_not_once_revoked(self, bob):
        new = issue(bob)
        api_tokens.revoke(person=bob, token=new.token)
        assert api_tokens.authenticate_secret(new.secret) is None
        with pytest.raises(Refused):
            api_tokens.revoke(person=bob, token=new.token)

    def test_not_for_somebody_who_left(self, bob):
        new = issue(bob)
        people.delete_account(person=bob)
        assert api_tokens.authenticate_secret(new.secret) is None
        assert ApiToken.objects.get(pk=new.token.pk).revoked_at is not None

    def test_its_use_is_noted_by_the_hour(self, bob, django_assert_num_queries):
        new = issue(bob)
        with django_assert_num_queries(2):
            api_tokens.authenticate_secret(new.secret)
        with django_assert_num_queries(1):
            api_tokens.authenticate_secret(new.secret)
        first = ApiToken.objects.get(pk=new.token.pk).last_used_at
        with time_machine.travel(first + timedelta(minutes=61)):
            api_tokens.authenticate_secret(new.secret)
        assert ApiToken.objects.get(pk=new.token.pk).last_used_at > first

    def test_nobody_revokes_anothers(self, bob, charlie):
        new = issue(bob)
        with pytest.raises(NotAllowed):
            api_tokens.revoke(person=charlie, token=new.token)


def test_a_token_stays_out_of_the_logs(bob):
    secret = issue(bob).secret
    letters = api_tokens.SECRET_PREFIX + "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopq"  # no digit in it
    masked = hide_secrets(None, "info", {"event": f"saw {secret}", "header": f"Bearer {letters}", "token": "short"})
    assert secret not in str(masked)
    assert letters not in str(masked)
    assert "short" not in str(masked)


class TestPage:
    TERMS = {"name": "laptop", "scopes": ["read", "play"], "days": "30"}

    def test_shown_once(self, as_bob, bob):
        page = as_bob.post("/settings/tokens/", self.TERMS)
        assert page.status_code == 200
        assert page["Cache-Control"].startswith("max-age=0, no-cache, no-store")
        secret = page.context["new"].secret
        assert page.text.count(secret) == 1
        again = as_bob.get("/settings/tokens/")
        assert "laptop" in again.text
        assert secret not in again.text
        token = ApiToken.objects.get(user=bob)
        assert timedelta(days=29) < token.expires_at - timezone.now() <= timedelta(days=30)

    @pytest.mark.parametrize("bad", [{"name": ""}, {"scopes": []}, {"scopes": ["all"]}, {"days": "4000"}])
    def test_errors_stand_by_their_field(self, as_bob, bad):
        page = as_bob.post("/settings/tokens/", {**self.TERMS, **bad})
        assert page.status_code == 422
        assert page.context["form"].errors.keys() == bad.keys()
        assert not ApiToken.objects.exists()

    def test_revoke(self, as_bob, bob):
        token = issue(bob).token
        assert as_bob.post(f"/settings/tokens/{token.pk}/revoke/").url == "/settings/tokens/"
        assert "my bot" not in as_bob.get("/settings/tokens/").context["tokens"]
        assert as_bob.post(f"/settings/tokens/{token.pk}/revoke/").status_code == 302

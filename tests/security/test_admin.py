"""Django's administration: for staff alone, to look at, without secrets, and with actions that are ours."""

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.urls import reverse

from accounts import clubs
from accounts.models import AuditEntry, Delivery, User
from accounts.webhooks import events
from accounts.webhooks import service as webhooks
from deploy.admin import site
from games.models import Match
from tests.factories import create_user, logged_in, started_match
from tests.security import url_walker

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clean_match_cache", "sent_tasks")]

LISTS = sorted(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist" for model in site._registry)


def routes() -> set[str]:
    return {route.name for route in url_walker.routes() if route.path.startswith("admin/")}


@pytest.fixture
def as_stella(stella) -> Client:
    return logged_in(stella)


@pytest.fixture
def rows(alice, bob, olga, club) -> dict[str, int]:
    """One object of some of the lists, by the name of its page."""
    match = started_match(alice, bob, club=club)
    webhooks.create_webhook(
        actor=alice, club=club, name="News", url="https://news.example/", shape="json", events=events.declared_events()
    )
    entry = AuditEntry.objects.order_by("pk")[0]
    return {"games_match": match.pk, "accounts_user": bob.pk, "accounts_club": club.pk, "accounts_auditentry": entry.pk}


def addresses(rows: dict[str, int]) -> list[str]:
    """Every address of the administration; where it is about an object, about one of these."""
    found = []
    for route in url_walker.routes():
        if not route.path.startswith("admin/") or not route.name.startswith("admin:"):
            continue
        name = route.name.removeprefix("admin:").rpartition("_")[0]
        if route.name == "admin:app_list":
            found.append("/admin/accounts/")
        elif "object_id" in route.parts:
            found += [reverse(route.name, args=[rows[name]])] if name in rows else []
        elif not route.parts:
            found.append(reverse(route.name))
    return found


def test_staff_alone(rows, alice, olga, charlie):
    for client in (Client(), *map(logged_in, (alice, olga, charlie))):
        for address in addresses(rows):
            for method in (client.get, client.post):
                answer = method(address)
                assert answer.status_code in {302, 403, 405}, address
                if answer.status_code == 302 and address != "/admin/logout/":
                    assert answer.url.startswith(("/accounts/", "/admin/login/")), address


def test_the_log_in_page_is_ours(client):
    assert client.get("/admin/login/", follow=True).redirect_chain[-1][0].startswith("/accounts/login/?next=")


def test_staff_look_and_search(as_stella, rows):
    for name in LISTS:
        assert as_stella.get(reverse(name), {"q": "a"}).status_code == 200
    for name, pk in rows.items():
        assert as_stella.get(reverse(f"admin:{name}_change", args=[pk])).status_code == 200
    assert as_stella.get("/admin/").status_code == 200


def test_nothing_is_written(as_stella, rows, bob):
    for name in LISTS:
        stem = name.removesuffix("_changelist")
        assert as_stella.post(reverse(f"{stem}_add"), {}).status_code == 403
    for name, pk in rows.items():
        for verb in ("change", "delete"):
            assert as_stella.post(reverse(f"admin:{name}_{verb}", args=[pk]), {"post": "yes"}).status_code == 403
    bob.refresh_from_db()
    assert bob.is_active


def test_no_secret_is_shown(as_stella, rows):
    match = Match.objects.get()
    User.objects.filter(handle="bob").update(password="argon2$a-hash-of-bobs")
    pages = [as_stella.get(reverse(name)).content.decode() for name in LISTS]
    pages += [as_stella.get(reverse(f"admin:{name}_change", args=[pk])).content.decode() for name, pk in rows.items()]
    for page in pages:
        assert match.secret not in page
        assert "a-hash-of-bobs" not in page


def test_actions_are_ours(as_stella, alice):
    dora = create_user("dora")
    action = {"action": "confirm_addresses", "_selected_action": [dora.pk]}
    as_stella.post(reverse("admin:accounts_user_changelist"), action)
    assert EmailAddress.objects.get(user=dora).verified
    assert AuditEntry.objects.filter(action="account.confirmed").count() == 1
    club = clubs.create_club(founder=alice, name="Hooks")
    hook = webhooks.create_webhook(
        actor=alice, club=club, name="N", url="https://n.example/", shape="json", events=events.declared_events()
    ).hook
    failed = webhooks.send_test(actor=alice, hook=hook)
    Delivery.objects.update(status=Delivery.Status.FAILED, due_at=None)
    as_stella.post(
        reverse("admin:accounts_delivery_changelist"), {"action": "send_again", "_selected_action": [failed.pk]}
    )
    assert Delivery.objects.exclude(status=Delivery.Status.FAILED).exists()

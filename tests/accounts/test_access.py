"""Every route of the app against everyone who might call it, and the permission table behind them."""

import base64
from datetime import timedelta
from itertools import pairwise

import pytest
from allauth.usersessions.models import UserSession
from django.db import transaction
from django.test import Client
from django.urls import reverse

from accounts import access, api_tokens, clubs, joining, portraits, sign_in_links, urls
from accounts.access import MAY, Permission, Relation, may
from accounts.infra.permissions import NotAllowed
from accounts.models import DirectMessage, Membership, MessageReport, Notice, PushDevice, Role, User
from accounts.webhooks import events
from accounts.webhooks import service as webhooks
from tests.factories import PICTURE, add_member, create_user, logged_in

ROLES = ["visitor", "stranger", "member", "organiser", "owner", "staff"]

# Route, method, what each of ROLES is answered. 302 for a visitor is the way to the log-in page;
# for others it is a verb that was called, which goes back to the page with a message.
EVERYONE = [200] * 6
PEOPLE = [302, 200, 200, 200, 200, 200]
WRITERS = [302] * 6
RUNNERS = [302, 403, 403, 200, 200, 200]
RUNNERS_WRITE = [302, 403, 403, 302, 302, 302]
OWNERS_WRITE = [302, 403, 403, 403, 302, 302]
NO_SUCH = [302, 404, 404, 404, 404, 404]

# The address of a form that was answered with a page: opened anew, it leads to the page of the form.
LEADS_BACK = [302] * 6

ROUTES = [
    ("clubs", "get", EVERYONE),
    ("club-new", "get", PEOPLE),
    ("club-new", "post", [302, 422, 422, 422, 422, 422]),
    ("club", "get", EVERYONE),
    ("club-members", "get", EVERYONE),
    ("club-edit", "get", RUNNERS),
    ("club-edit", "post", [302, 403, 403, 422, 422, 422]),
    # Without a file.
    ("club-emblem", "post", [302, 403, 403, 422, 422, 422]),
    ("club-emblem", "get", LEADS_BACK),
    ("club-emblem-remove", "post", RUNNERS_WRITE),
    ("emblem", "get", EVERYONE),
    ("club-manage", "get", RUNNERS),
    ("club-log", "get", RUNNERS),
    # Who is no member cannot leave: staff may try, and are told so.
    ("club-leave", "post", [302, 403, 302, 302, 302, 302]),
    ("club-close", "post", OWNERS_WRITE),
    ("club-hand-over", "post", [302, 403, 403, 403, 422, 422]),
    ("club-hand-over", "get", LEADS_BACK),
    ("member-remove", "post", RUNNERS_WRITE),
    ("member-role", "post", OWNERS_WRITE),
    ("club-ask", "post", [302, 302, 403, 403, 403, 302]),
    # Somebody else's request.
    ("request-withdraw", "post", [302, 403, 403, 403, 403, 403]),
    ("request-approve", "post", RUNNERS_WRITE),
    ("request-decline", "post", RUNNERS_WRITE),
    ("invite-new", "post", [302, 403, 403, 422, 422, 422]),
    ("invite-new", "get", LEADS_BACK),
    ("invite-revoke", "post", RUNNERS_WRITE),
    ("link-member-new", "post", [302, 403, 403, 422, 422, 422]),
    ("link-member-new", "get", LEADS_BACK),
    # Dora has an address: organisers are told so.
    ("link-new", "post", RUNNERS_WRITE),
    ("link-new", "get", LEADS_BACK),
    ("link-revoke", "post", RUNNERS_WRITE),
    # Anybody with the token of a link, and nobody without.
    ("sign-in", "get", [410] * 6),
    ("sign-in", "post", [410] * 6),
    # For somebody who plays without an account; nobody here does.
    ("keep-trial", "get", [302] * 6),
    ("keep-trial", "post", [302] * 6),
    ("webhooks", "get", RUNNERS),
    ("webhooks", "post", [302, 403, 403, 422, 422, 422]),
    ("webhook", "get", RUNNERS),
    ("webhook", "post", [302, 403, 403, 422, 422, 422]),
    ("webhook-secret", "post", RUNNERS),
    ("webhook-secret", "get", LEADS_BACK),
    ("webhook-switch", "post", RUNNERS_WRITE),
    ("webhook-test", "post", RUNNERS_WRITE),
    ("webhook-again", "post", RUNNERS_WRITE),
    ("webhook-remove", "post", RUNNERS_WRITE),
    ("join", "get", [200, 200, 302, 302, 302, 200]),
    ("join", "post", [200, 302, 302, 302, 302, 302]),
    ("person", "get", EVERYONE),
    ("portrait", "get", EVERYONE),
    ("company", "get", PEOPLE),
    ("follow", "post", WRITERS),
    ("block", "post", WRITERS),
    ("messages", "get", PEOPLE),
    ("conversation", "get", PEOPLE),
    # They are not friends of hers.
    ("conversation", "post", [302, 422, 422, 422, 422, 422]),
    # Somebody else's message does not exist.
    ("message-report", "post", NO_SUCH),
    ("message-report-decide", "post", [302, 403, 403, 403, 403, 302]),
    ("settings", "get", PEOPLE),
    ("settings", "post", [302, 422, 422, 422, 422, 422]),
    ("portrait-set", "post", [302, 422, 422, 422, 422, 422]),
    ("portrait-set", "get", LEADS_BACK),
    ("portrait-remove", "post", WRITERS),
    ("account-delete", "get", PEOPLE),
    ("account-delete", "post", [302, 422, 422, 422, 422, 422]),
    # Somebody else's session does not exist.
    ("session-end", "post", NO_SUCH),
    ("notice-choices", "get", PEOPLE),
    ("notice-choices", "post", [302, 422, 422, 422, 422, 422]),
    # Without an address to send to they are told so.
    ("device-new", "post", WRITERS),
    # Somebody else's device does not exist.
    ("device-remove", "post", NO_SUCH),
    ("device-test", "post", NO_SUCH),
    # Anybody with the ticket of an e-mail, and nobody without.
    ("notices-stop", "get", [404] * 6),
    ("notices-stop", "post", [404] * 6),
    ("tokens", "get", PEOPLE),
    ("tokens", "post", [302, 422, 422, 422, 422, 422]),
    # Somebody else's token does not exist.
    ("token-revoke", "post", NO_SUCH),
    ("notices", "get", PEOPLE),
    ("notices-bell", "get", PEOPLE),
    ("notices-read", "post", WRITERS),
    # Somebody else's notice does not exist.
    ("notice", "post", NO_SUCH),
]


@pytest.fixture
def cast(alice, olga, bob, charlie, stella, club) -> dict[str, Client]:
    people = {"stranger": charlie, "member": bob, "organiser": olga, "owner": alice, "staff": stella}
    return {"visitor": Client(), **{role: logged_in(user) for role, user in people.items()}}


@pytest.fixture
def address(club, invite, alice):
    """The address of each route, with objects of people who are nobody in the cast."""
    dora, emil = create_user("dora"), create_user("emil")
    add_member(club, dora)
    request = joining.request_to_join(person=emil, club=club)
    notice = Notice.objects.create(user=dora, kind="club.closed", club=club, path="/")
    hook = webhooks.create_webhook(
        actor=alice, club=club, name="News", url="https://news.example/", shape="json", events=events.declared_events()
    ).hook
    picture = base64.b64decode(PICTURE)
    portraits.set_emblem(actor=alice, club=club, content=picture)
    values = {
        "digest": portraits.set_portrait(person=dora, content=picture).portrait,
        "key": webhooks.send_test(actor=alice, hook=hook).key,
        "slug": club.slug,
        "handle": "dora",
        "token": invite.token,
        "ticket": invite.token,
    }
    held = api_tokens.issue(person=dora, name="hers", scopes=["read"], lasting=timedelta(days=1))
    numbers = {"request": request.pk, "invite": invite.invite.pk, "notice": notice.pk, "token": held.token.pk}
    numbers["webhook"] = hook.pk
    numbers["link"] = sign_in_links.add_member(actor=alice, club=club, name="Rita").link.pk
    session = UserSession.objects.create(user=dora, ip="10.0.0.1", session_key="hers", user_agent="Firefox")
    numbers["session"] = session.pk
    numbers["device"] = PushDevice.objects.create(user=dora, session=session, endpoint="https://push.example/1").pk
    written = DirectMessage.objects.create(user=emil, to=dora, text="Hello")
    numbers["message"] = MessageReport.objects.create(pk=written.pk, message=written, reporter=dora).pk

    def find(name: str) -> str:
        route = _routes()[name]
        kwargs = {key: values[key] for key in route if key in values}
        if "pk" in route:
            kwargs["pk"] = numbers[name.split("-")[0]]
        return reverse(f"accounts:{name}", kwargs=kwargs)

    return find


def _routes() -> dict[str, set[str]]:
    """Name and argument names of every route of the app."""
    return {str(route.name): set(route.pattern.converters) for route in urls.urlpatterns}


def test_every_route_is_in_the_table():
    assert {name for name, _, _ in ROUTES} == set(_routes())


@pytest.mark.parametrize("role", ROLES)
def test_every_route(cast, address, role):
    """All in one test a role, each route rolled back, because setting the stage costs more than the play."""
    wrong = {}
    for name, method, answers in ROUTES:
        with transaction.atomic():
            response = getattr(cast[role], method)(address(name))
            transaction.set_rollback(True)
        expected = answers[ROLES.index(role)]
        if response.status_code != expected:
            wrong[name, method] = f"{response.status_code} instead of {expected}"
        elif role == "visitor" and expected == 302:
            assert response.url.startswith("/accounts/login/?next=/")
    assert not wrong


def test_verbs_refuse_get(cast, address):
    pages = {name for name, method, _ in ROUTES if method == "get"}
    verbs = {name for name, _, _ in ROUTES} - pages
    assert {name: cast["owner"].get(address(name)).status_code for name in verbs} == dict.fromkeys(verbs, 405)


def test_public_pages_obey_the_table(client, club, bob, monkeypatch):
    monkeypatch.setitem(MAY, Relation.VISITOR, frozenset())
    for path in (club.get_absolute_url(), f"/clubs/{club.slug}/members/", bob.get_absolute_url()):
        assert client.get(path).status_code == 403
    assert logged_in(bob).get(club.get_absolute_url()).status_code == 200


class TestTable:
    def test_every_permission_is_somebodys(self):
        assert frozenset().union(*MAY.values()) == frozenset(Permission)

    def test_roles_grow(self):
        ladder = [Relation.MEMBER, Relation.ORGANISER, Relation.OWNER, Relation.STAFF]
        for lower, higher in pairwise(ladder):
            assert MAY[lower] < MAY[higher]

    def test_a_visitor_only_looks(self):
        assert MAY[Relation.VISITOR] == {Permission.SEE_CLUB, Permission.SEE_PROFILE}


class TestOutranking:
    def test_organiser_removes_members_only(self, club, alice, olga, bob):
        of = {m.user: m for m in Membership.objects.filter(club=club).select_related("user")}
        assert may(olga, Permission.REMOVE_MEMBER, of[bob])
        assert not may(olga, Permission.REMOVE_MEMBER, of[olga])
        assert not may(olga, Permission.REMOVE_MEMBER, of[alice])

    def test_nobody_removes_the_owner(self, club, alice, stella):
        owner = Membership.objects.get(club=club, role=Role.OWNER)
        assert not may(alice, Permission.REMOVE_MEMBER, owner)
        assert not may(stella, Permission.REMOVE_MEMBER, owner)
        assert not may(stella, Permission.CHANGE_ROLE, owner)

    def test_a_role_counts_in_its_own_club(self, club, olga, charlie):
        other = clubs.create_club(founder=charlie, name="Elsewhere")
        assert not may(olga, Permission.EDIT_CLUB, other)
        assert may(olga, Permission.EDIT_CLUB, club)


class TestClosedClub:
    def test_owner_and_staff_can_only_read(self, club, alice, stella):
        clubs.close(actor=alice, club=club)
        club.refresh_from_db()
        assert access.allowed(stella, club) == {Permission.SEE_CLUB, Permission.READ_LOG}
        with pytest.raises(NotAllowed):
            clubs.close(actor=stella, club=club)


def test_somebody_inactive_is_a_visitor(club, alice):
    User.objects.filter(pk=alice.pk).update(is_active=False)
    alice.refresh_from_db()
    assert access.relation_to(alice, club) == Relation.VISITOR

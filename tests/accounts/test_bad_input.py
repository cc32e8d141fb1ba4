"""Nonsense in every door, on both kinds of database: an answer each time, never a crash, nothing lost."""

import pytest
from django.test import Client

from accounts import clubs
from accounts.models import Club, Membership
from tests.factories import add_member, create_user, logged_in

HUGE = 10**30
NONSENSE = [
    "\0",
    "\ud800".encode("utf-16", "surrogatepass").decode("latin-1"),
    "😀" * 5000,
    "' OR 1=1 --",
    "{{ 7 }}%s%(x)s",
]


@pytest.fixture
def club(any_database) -> Club:
    club = clubs.create_club(founder=create_user("alice"), name="The Round Table")
    add_member(club, create_user("bob"))
    return club


@pytest.fixture
def alice(club):
    return logged_in(Membership.objects.get(club=club, role="owner").user)


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/clubs/?q=%00", 400),
        ("/clubs/?q=%25_%27&page=%00", 400),
        (f"/clubs/?page={HUGE}", 200),
        ("/clubs/%00/", 404),
        ("/people/%00/", 404),
        (f"/people/{'x' * 31}/", 404),
        ("/join/%00/", 410),
        (f"/join/{'x' * 3000}/", 410),
        (f"/clubs/the-round-table/?page={HUGE}", 200),
        ("/clubs/the-round-table/log/?page=-1", 200),
    ],
)
def test_addresses(alice, path, status):
    assert alice.get(path).status_code == status


@pytest.mark.parametrize(
    "path",
    [
        "/clubs/the-round-table/members/%00/remove/",
        f"/clubs/the-round-table/requests/{HUGE}/approve/",
        f"/clubs/the-round-table/invites/{HUGE}/revoke/",
        f"/notices/{HUGE}/",
    ],
)
def test_addresses_of_verbs(alice, path):
    assert alice.post(path).status_code == 404


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/clubs/new/", ["name", "city", "time_zone", "is_private", "admission", "description"]),
        ("/clubs/the-round-table/edit/", ["name", "city", "time_zone", "is_private", "admission", "description"]),
        ("/clubs/the-round-table/hand-over/", ["to"]),
        ("/clubs/the-round-table/invites/", ["max_uses", "days"]),
        ("/clubs/the-round-table/members/bob/role/", ["role"]),
        ("/clubs/the-round-table/ask/", ["message"]),
        ("/settings/", ["display_name", "language", "time_zone", "theme"]),
        ("/settings/delete/", ["password"]),
        ("/accounts/login/", ["login", "password"]),
        ("/accounts/signup/", ["username", "email", "password1", "time_zone"]),
    ],
)
def test_forms(alice, club, path, fields):
    sender = Client() if path.startswith("/accounts/") else alice
    for nonsense in NONSENSE:
        assert sender.post(path, dict.fromkeys(fields, nonsense)).status_code in {200, 302, 400, 403, 422}
    club.refresh_from_db()
    assert club.closed_at is None
    assert Membership.objects.filter(club=club).count() == 2

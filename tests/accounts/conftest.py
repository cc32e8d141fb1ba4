"""The cast: Alice owns the club, Olga organises, Bob is a member, Charlie is a stranger, Stella is staff."""

import pytest
from django.test import Client

from accounts import clubs, joining
from accounts.models import Club, JoinRequest, Membership, Role, User

PASSWORD = "roll-the-dice-42"


def person(handle: str, **fields) -> User:
    return User.objects.create_user(handle, f"{handle.lower()}@example.org", **fields)


def enter(club: Club, user: User, role: str = Role.MEMBER) -> Membership:
    return Membership.objects.create(club=club, user=user, role=role)


@pytest.fixture
def alice(db) -> User:
    return person("alice", display_name="Alice A.")


@pytest.fixture
def olga(db) -> User:
    return person("olga")


@pytest.fixture
def bob(db) -> User:
    return person("bob")


@pytest.fixture
def charlie(db) -> User:
    return person("charlie")


@pytest.fixture
def stella(db) -> User:
    return person("stella", is_staff=True)


@pytest.fixture
def club(alice, olga, bob) -> Club:
    club = clubs.found(founder=alice, name="The Round Table", city="Łódź")
    enter(club, olga, Role.ORGANISER)
    enter(club, bob)
    return club


@pytest.fixture
def asked(club, charlie) -> JoinRequest:
    return joining.ask(person=charlie, club=club, message="I bring biscuits")


@pytest.fixture
def invite(club, alice) -> joining.NewInvite:
    return joining.invite(actor=alice, club=club)


@pytest.fixture
def as_alice(alice) -> Client:
    return logged_in(alice)


@pytest.fixture
def as_olga(olga) -> Client:
    return logged_in(olga)


@pytest.fixture
def as_bob(bob) -> Client:
    return logged_in(bob)


@pytest.fixture
def as_charlie(charlie) -> Client:
    return logged_in(charlie)


def logged_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def role_of(club: Club, user: User) -> str | None:
    return Membership.objects.filter(club=club, user=user).values_list("role", flat=True).first()


def actions_of(club: Club) -> list[str]:
    return list(club.audit_entries.order_by("pk").values_list("action", flat=True))

"""The cast: Alice owns the club, Olga organises, Bob is a member, Charlie is a stranger, Stella is staff.

`tests/conftest.py` gives these fixtures to every test; `tests/factories.py` makes more people and things.
"""

import pytest
from django.test import Client

from accounts.models import Club, User
from games import engine_match
from tests import factories


@pytest.fixture
def alice(db) -> User:
    return factories.create_user("alice", display_name="Alice A.")


@pytest.fixture
def olga(db) -> User:
    return factories.create_user("olga")


@pytest.fixture
def bob(db) -> User:
    return factories.create_user("bob")


@pytest.fixture
def charlie(db) -> User:
    return factories.create_user("charlie")


@pytest.fixture
def stella(db) -> User:
    return factories.create_user("stella", is_staff=True)


@pytest.fixture
def club(alice: User, olga: User, bob: User) -> Club:
    return factories.create_club(alice, olga, bob)


@pytest.fixture
def as_alice(alice: User) -> Client:
    return factories.logged_in(alice)


@pytest.fixture
def as_olga(olga: User) -> Client:
    return factories.logged_in(olga)


@pytest.fixture
def as_bob(bob: User) -> Client:
    return factories.logged_in(bob)


@pytest.fixture
def as_charlie(charlie: User) -> Client:
    return factories.logged_in(charlie)


@pytest.fixture
def clean_match_cache() -> None:
    """Ids start again with every test's database, so the cache must not keep a match of the same id."""
    engine_match.clear_cache()


@pytest.fixture
def sent_tasks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Matches whose bots have to move. There is no worker here: tests take the bots' turns themselves."""
    sent: list[int] = []
    monkeypatch.setattr("games.play.dispatch.enqueue_bot_turn", sent.append)
    return sent

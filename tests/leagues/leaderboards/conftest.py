"""The cast after some rated evenings: Alice is the best, Bob follows, Charlie has hardly played."""

from collections.abc import Sequence
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from leagues.elo.result_types import SeatResult
from leagues.models import RatedResult, RatingPool
from leagues.ratings import ledger, pending
from tests.factories import create_user

SPLENDOR, GAUNTLET, RISING = "splendor-marvel", "infinity-gauntlet", "thanos-rising"


@pytest.fixture(autouse=True)
def no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no worker here: tests apply ratings themselves."""
    monkeypatch.setattr("leagues.ratings.ledger._send", lambda pool_id: None)


@pytest.fixture
def alice(db) -> User:
    return create_user("alice", display_name="Alice Łącka")


@pytest.fixture
def bob(db) -> User:
    return create_user("bob", display_name="Bob")


@pytest.fixture
def charlie(db) -> User:
    return create_user("charlie", display_name="Charlie")


@pytest.fixture
def robot(db) -> User:
    return User.objects.create_user("robot", display_name="Robot", is_bot=True)


def rate(game: str, players: Sequence[User], ranks: Sequence[int], **more) -> RatedResult:
    """One result, applied to the ratings at once."""
    result = write(game, players, ranks, **more)
    settle()
    return result


def write(
    game: str, players: Sequence[User], ranks: Sequence[int], *, ago: float = 1, scenario: str = "", **more
) -> RatedResult:
    """One result, so many days ago. In a game with a solo role the first player has it."""
    roles = ["thanos", *["hero"] * (len(players) - 1)] if game == GAUNTLET else [""] * len(players)
    seats = [
        SeatResult(index, rank, user_id=player.pk, role=role)
        for index, (player, rank, role) in enumerate(zip(players, ranks, roles))
    ]
    source = f"test:{RatedResult.objects.count()}"
    finished = timezone.now() - timedelta(days=ago)
    return ledger.record(source=source, game=game, finished_at=finished, seats=seats, scenario=scenario, **more)


def settle() -> None:
    for pool in RatingPool.objects.all():
        pending.apply_pending_results(pool_id=pool.pk)


@pytest.fixture
def evenings(alice: User, bob: User, charlie: User, robot: User) -> None:
    """Three months of play: twelve tables of two, the last ones within the month."""
    for week in range(12):
        write(SPLENDOR, [alice, bob], [1, 2] if week % 4 else [2, 1], ago=86 - 7 * week)
    write(SPLENDOR, [alice, bob, charlie, robot], [2, 3, 4, 1], ago=2)
    for week in range(6):
        write(GAUNTLET, [(alice, bob)[week % 2], (bob, alice)[week % 2], charlie], [1, 2, 2], ago=40 - week)
    write(RISING, [alice, bob, charlie], [1, 1, 1], ago=5, scenario="hero")
    write(RISING, [alice, bob], [2, 2], ago=4, scenario="infinity")
    settle()

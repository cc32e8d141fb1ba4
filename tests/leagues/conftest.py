import pytest

from accounts.models import Club, User
from leagues.models import League
from leagues.seasons import setup
from tests.factories import GAME


@pytest.fixture(autouse=True)
def no_worker_for_bots(clean_match_cache: None, sent_tasks: list[int]) -> None:
    """Every test here has a clean cache, and no worker runs bots."""


@pytest.fixture
def league(club: Club, alice: User) -> League:
    return setup.create_league(actor=alice, club=club, name="Thursday league", game=GAME)

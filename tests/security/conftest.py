import pytest
from django.core.cache import cache

from games import engine_match


@pytest.fixture(autouse=True)
def unlimited(settings) -> None:
    """No rate limits: they have their own tests."""
    settings.API_RATES = dict.fromkeys(settings.API_RATES, 10**9)
    cache.clear()
    engine_match.clear_cache()


@pytest.fixture(autouse=True, scope="package")
def no_worker():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("games.play.dispatch.enqueue_bot_turn", lambda match_id: None)
        patch.setattr("leagues.ratings.ledger._send", lambda pool_id: None)
        yield

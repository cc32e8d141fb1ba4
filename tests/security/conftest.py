import pytest
from django.core.cache import cache

from games import referee


@pytest.fixture(autouse=True)
def unlimited(settings) -> None:
    """Limits have their own tests: here the hundredth request is not another one."""
    settings.API_RATES = dict.fromkeys(settings.API_RATES, 10**9)
    cache.clear()
    referee.forget()


@pytest.fixture(autouse=True, scope="package")
def no_worker():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("games.queue.send", lambda match_id: None)
        patch.setattr("leagues.ratings.ledger._send", lambda pool_id: None)
        yield

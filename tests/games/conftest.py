import pytest


@pytest.fixture(autouse=True)
def no_worker_for_bots(clean_match_cache: None, sent_tasks: list[int]) -> None:
    """Every test here has a clean cache, and sends for bots in vain."""

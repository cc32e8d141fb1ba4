"""A small drill: what `manage.py drill` does with a full house."""

import pytest

from deploy import drill
from tests.houses import Production


@pytest.mark.timeout(600)
def test_every_part_is_killed_in_turn_and_nothing_is_lost(production: Production) -> None:
    kills = drill.every_kill(production)
    for shared in ("Redis", "PostgreSQL", "everything at once"):  # other tests have these
        del kills[shared]
    kills["all connections to PostgreSQL"] = lambda: production.administer(
        f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{production.database}'"
    )
    survived: list[drill.Drill] = []
    end = drill.run(3, 6, production, kills, survived.append)
    assert [each.killed for each in survived] == list(kills)
    assert end.is_clean, end
    assert end.matches >= 3

"""A small drill: what `manage.py drill` does with a full house."""

import pytest

from deploy import drill
from tests.houses import Production


@pytest.mark.timeout(600)
def test_half_the_house_is_killed_and_nothing_is_lost(production: Production) -> None:
    def kill() -> None:
        for name in ("worker", "beat", "web-1"):
            drill.shoot(production.programs[name])
        production.administer(
            f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{production.database}'"
        )
        production.start_worker()
        production.start_beat()
        drill.start_web(production, 1)

    survived: list[drill.Drill] = []
    end = drill.run(12, 12, production, {"half the house": kill}, survived.append)
    assert end.is_clean, end
    assert [(each.matches >= 12, each.sockets) for each in survived] == [(True, 12)]
    assert survived[0].cut


@pytest.mark.timeout(600)
def test_a_worker_replaces_its_processes(production: Production) -> None:
    """They are shot again and again while bots play; nobody else starts them."""
    shots: list[drill.Drill] = []
    kills: drill.Kills = {
        f"shot {number}": lambda: drill.kill_children(production.programs["worker"]) for number in (1, 2)
    }
    end = drill.run(4, 2, production, kills, shots.append)
    assert end.is_clean, end
    assert len(shots) == 2

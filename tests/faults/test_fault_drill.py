"""A small version of what `manage.py drill` does with a full site."""

import pytest

from deploy import fault_drill
from deploy.harness.servers import ProductionServers


@pytest.mark.timeout(600)
def test_half_the_site_is_killed_and_nothing_is_lost(production: ProductionServers) -> None:
    def kill() -> None:
        for name in ("worker", "beat", "web-1"):
            fault_drill.kill_program(production.programs[name])
        production.administer(
            f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{production.database}'"
        )
        production.start_worker()
        production.start_beat()
        fault_drill.start_web(production, 1)

    survived: list[fault_drill.Drill] = []
    end = fault_drill.run(12, 12, production, {"half of the site": kill}, survived.append)
    assert end.is_clean, end
    assert [(each.matches >= 12, each.sockets) for each in survived] == [(True, 12)]
    assert survived[0].cut


@pytest.mark.timeout(600)
def test_a_worker_replaces_its_processes(production: ProductionServers) -> None:
    """They are killed again and again while bots play; only the site restarts them."""
    shots: list[fault_drill.Drill] = []
    kills: fault_drill.Kills = {
        f"shot {number}": lambda: fault_drill.kill_children(production.programs["worker"]) for number in (1, 2)
    }
    end = fault_drill.run(4, 2, production, kills, shots.append)
    assert end.is_clean, end
    assert len(shots) == 2

"""The compiled rating update gives the same numbers."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from deploy import compiled_build

pytestmark = pytest.mark.timeout(600)

FOLD = """
import json, random
from leagues.elo import update
rng, ends = random.Random(3), []
for pool in (update.FreeForAll(), update.OneVsMany(), update.Cooperative()):
    for number in range(40):
        pool.join(number > 35)
    pool.games[38] = 180
    if isinstance(pool, update.Cooperative):
        pool.add_scenario(1_700_000)
    for number in range(4_000):
        who = rng.sample(range(40), rng.randrange(2, 7))
        ranks = [rng.randrange(1, 3) for _ in who]
        scenario = [0] if isinstance(pool, update.Cooperative) else []
        ends.append(pool.play(who, ranks, *scenario, rng.random() < 0.9, number // 9))
    ends += [pool.rating, pool.variance, pool.games, pool.learned, [pool.entry]]
    if isinstance(pool, update.OneVsMany):
        ends += [pool.solo, pool.team, pool.solo_variance, pool.team_variance, pool.covariance, pool.offset_variance]
print(json.dumps([update.__file__.rpartition(".")[2], ends]))
"""


def run_updates(folder: Path) -> tuple[str, list[list[int]]]:
    output = subprocess.run([sys.executable, "-c", FOLD], cwd=folder, capture_output=True, text=True, check=True)
    build, ends = json.loads(output.stdout)
    return build, ends


def test_both_builds_come_to_the_same_numbers(compiled_copy: Path, tmp_path: Path) -> None:
    compiled_build.copy_into(tmp_path)
    fast_build, fast_ends = run_updates(compiled_copy)
    slow_build, slow_ends = run_updates(tmp_path)
    assert (fast_build != "py", slow_build) == (True, "py")
    assert fast_ends == slow_ends

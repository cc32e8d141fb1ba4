"""The compiled fold is the same fold."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from deploy import fast

pytestmark = pytest.mark.timeout(600)

FOLD = """
import json, random
from leagues.ratings import fold
rng, ends = random.Random(3), []
for pool in (fold.FreeForAll(), fold.OneVsMany(), fold.Cooperative()):
    for number in range(40):
        pool.join(number > 35)
    pool.games[38] = 180
    if isinstance(pool, fold.Cooperative):
        pool.lay(1_700_000)
    for number in range(4_000):
        who = rng.sample(range(40), rng.randrange(2, 7))
        ranks = [rng.randrange(1, 3) for _ in who]
        scenario = [0] if isinstance(pool, fold.Cooperative) else []
        ends.append(pool.play(who, ranks, *scenario, rng.random() < 0.9, number // 9))
    ends += [pool.rating, pool.variance, pool.games, pool.learned, [pool.entry]]
    if isinstance(pool, fold.OneVsMany):
        ends += [pool.solo, pool.team, pool.solo_variance, pool.team_variance, pool.covariance, pool.offset_variance]
print(json.dumps([fold.__file__.rpartition(".")[2], ends]))
"""


def folded(folder: Path) -> tuple[str, list[list[int]]]:
    said = subprocess.run([sys.executable, "-c", FOLD], cwd=folder, capture_output=True, text=True, check=True)
    build, ends = json.loads(said.stdout)
    return build, ends


def test_both_builds_come_to_the_same_numbers(tmp_path: Path) -> None:
    if shutil.which(os.environ.get("CC", "cc")) is None:
        if os.environ.get("REQUIRE_SERVICES"):
            pytest.fail("REQUIRE_SERVICES is set and there is no C compiler")
        pytest.skip("no C compiler on this machine")
    fast_build, fast_ends = folded(fast.compile_into(fast.ROOT / "var" / "build" / "ratings-compiled"))
    slow_build, slow_ends = folded(fast.copy_into(tmp_path))
    assert (fast_build != "py", slow_build) == (True, "py")
    assert fast_ends == slow_ends


def test_a_compiled_fold_of_another_source_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fast.copy_into(tmp_path)
    monkeypatch.setattr(fast, "ROOT", tmp_path)
    assert not fast.is_stale()
    (tmp_path / fast.LIBRARY).touch()
    assert fast.is_stale()
    (tmp_path / fast.MARK).write_text(fast.fingerprint())
    assert not fast.is_stale()
    with (tmp_path / fast.FOLD).open("a") as file:
        file.write("# a change\n")
    assert fast.is_stale()

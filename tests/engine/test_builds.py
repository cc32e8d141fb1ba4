"""The compiled build is the same engine: the same tests pass on it, and the same matches come out of it."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import engine
from deploy import compiled_build

ROOT = Path(engine.__file__).resolve().parent.parent
MATCHES = 1000

# Compiling takes the C compiler a minute or two, and the tests run once more on top.
pytestmark = pytest.mark.timeout(900)


@pytest.fixture(scope="module")
def interpreted(tmp_path_factory):
    folder = tmp_path_factory.mktemp("interpreted")
    compiled_build.copy_into(folder)
    return folder


def simulated(folder, name, players):
    table = [name, "--players", str(players), "--games", str(MATCHES // len(engine.game(name).players))]
    done = subprocess.run(
        [sys.executable, "-m", "engine", "simulate", *table, "--json"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", engine.GAMES)
def test_both_builds_play_the_same_matches(compiled_copy, interpreted, name):
    for players in engine.game(name).players:
        fast, slow = simulated(compiled_copy, name, players), simulated(interpreted, name, players)
        assert (fast["build"], slow["build"]) == ("compiled", "interpreted")
        assert fast["checksum"] == slow["checksum"]
        assert fast["outcomes"] == slow["outcomes"]


ANALYSED = """
import json, sys
import engine
from engine import analysis, transcript
from engine.bots.levels import level_of
from engine.bots.runner import bots_in_every_seat
for name, options in (
    ("infinity-gauntlet", {}),
    ("thanos-rising", {"preset": "recruit"}),
    ("splendor-marvel", {"points": 10}),
):
    match = engine.game(name).start(2, "both builds", options)
    levels = [level_of(name, level) for level in ("rookie", "regular")]
    bots_in_every_seat([(level.bot, level.budget) for level in levels], "both builds").play_out(match)
    document = transcript.transcript(match)
    print(json.dumps(analysis.analyse(document, budget=("same", analysis.Budget(4, 8, 2)))))
"""


def test_both_builds_give_the_same_analysis_at_the_same_budget(compiled_copy, interpreted):
    """To the byte, losses, luck and curve; with the doubling of worlds near a threshold."""
    reports = []
    for folder in (compiled_copy, interpreted):
        done = subprocess.run(
            [sys.executable, "-P", "-c", ANALYSED], env={**os.environ, "PYTHONPATH": str(folder)},
            cwd=folder, capture_output=True, text=True, check=True,
        )  # fmt: skip
        reports.append(done.stdout.splitlines())
    assert len(reports[0]) == 3
    for fast, slow in zip(*reports, strict=True):
        assert fast == slow
    gauntlet, thanos, _ = (json.loads(report) for report in reports[0])
    assert {turn["worst"]["worlds"] for turn in gauntlet["turns"] + thanos["turns"]} == {4, 8}


def test_the_engine_tests_pass_on_the_compiled_build(compiled_copy, tmp_path):
    shutil.copytree(ROOT / "tests" / "engine", tmp_path / "tests" / "engine")
    (tmp_path / "tests" / "__init__.py").touch()
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n  slow: long\n")
    left_out = ["--ignore=tests/engine/test_builds.py", "--ignore=tests/engine/test_terminal.py"]
    paths = f"{compiled_copy}{os.pathsep}{tmp_path}"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:django", "-m", "not slow", "tests/engine", *left_out],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": paths, "PYTEST_ADDOPTS": "", "PYTEST_PLUGINS": ""},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]


def test_libraries_of_other_sources_are_noticed(tmp_path, monkeypatch):
    compiled_build.copy_into(tmp_path)
    monkeypatch.setattr(compiled_build, "ROOT", tmp_path)
    assert not compiled_build.is_stale()
    for file in ("engine/rng.py", "leagues/elo/update.py"):
        source = tmp_path / file
        source.with_suffix(compiled_build.EXTENSION_SUFFIXES[0]).touch()
        assert compiled_build.is_stale(), "nobody knows what it was made of"
        (tmp_path / compiled_build.MARK).write_text(compiled_build.fingerprint())
        assert not compiled_build.is_stale()
        with source.open("a") as text:
            text.write("# a change\n")
        assert compiled_build.is_stale()
        compiled_build.remove()
        assert not compiled_build.is_stale()

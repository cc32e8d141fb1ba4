"""A fourth game and a new format, added as in the guides: two packages, and no edit elsewhere."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import engine
from games.catalogue.spec import GameSpec, spec
from tests.extending import guides

ROOT = Path(__file__).resolve().parents[2]
# The plugins and fixtures of the other tests take every setting out of the environment.
PYTEST = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "addopts=", "--confcutdir=tests/extending"]
PYTEST += ["--nomigrations"]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """That of a process that has the guides' packages."""
    packages = guides.write_packages(tmp_path / "packages")
    assert packages == ["hill_format", "nim_game"]
    kept = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
    return kept | {
        "PYTHONPATH": os.pathsep.join([str(tmp_path / "packages"), str(ROOT)]),
        "GAUNTLET_EXTENSIONS": ",".join(packages),
        "GAUNTLET_VAR": str(tmp_path / "var"),
    }


def run(command: list[str], environment: dict[str, str], folder: Path = ROOT) -> str:
    done = subprocess.run([sys.executable, *command], cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    return done.stdout


@pytest.mark.timeout(300)
def test_a_league_is_played_through_the_pages(environment: dict[str, str]) -> None:
    output = run([*PYTEST, "tests/extending/league_of_the_guides.py"], environment)
    assert "4 passed" in output


def test_the_engine_plays_it_alone(environment: dict[str, str]) -> None:
    output = run(["-m", "engine", "simulate", "nim", "--games", "50"], environment)
    assert "last-stone" in output


@pytest.mark.timeout(600)
def test_the_compiled_engine_plays_it_too(environment: dict[str, str], compiled_copy: Path) -> None:
    """Rules that are not compiled, on top of the compiled engine; the same matches as without it."""
    command = ["-m", "engine", "simulate", "nim", "--games", "50", "--seed", "both", "--json"]
    without_root = environment | {"PYTHONPATH": environment["PYTHONPATH"].partition(os.pathsep)[0]}
    fast, slow = run(command, without_root, compiled_copy), run(command, without_root)
    assert '"compiled"' in fast
    assert checksum(fast) == checksum(slow)


def checksum(report: str) -> str:
    return report.partition('"checksum": "')[2].partition('"')[0]


def test_a_package_that_is_not_named_changes_nothing() -> None:
    assert "nim" not in engine.GAMES


@pytest.mark.parametrize("name", engine.GAMES)
def test_every_game_describes_what_it_reports(name: str) -> None:
    game, known = engine.game(name), spec(name)
    assert known.name == name
    assert (game.grade_names or ("won",)) == ("won", *(each.name for each in known.grade))
    for players in game.players:
        assert set(known.role_plurals) <= set(game.roles(players)) | set(game.roles(game.players[-1]))
    assert not game.solo_role or game.solo_role in game.roles(game.players[0])
    assert not game.scenario_option or game.scenario_option in {option.name for option in game.options}


def test_a_game_that_nobody_described_has_a_plain_description() -> None:
    plain = spec("draughts")
    assert plain == GameSpec("draughts")
    assert plain.grade_of(True, {}) == [1]
    assert plain.reported([1]) == {"won": 1}

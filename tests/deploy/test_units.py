"""The systemd units, run as systemd would: as a user without rights, on a file system with one writable folder.

A mount namespace stands in for systemd's: the code is a root-owned clean copy in /opt/gauntlet, everything is read-only
but /var/lib/gauntlet and a private /tmp, and each command line of the units runs with the user, variables and umask of
its unit.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.bootstrap import ROOT
from deploy.harness import environments, services
from deploy.harness.prepared_state import clean_copy
from deploy.harness.servers import PATIENCE, ServerProcess

UNITS = ROOT / "deploy" / "systemd"
CODE, STATE, SETTINGS = "/opt/gauntlet", "/var/lib/gauntlet", "/etc/gauntlet/env"
USER = "nobody"

# $1 the code, $2 the state; what follows are folders that Python itself needs, wherever it is installed here.
NAMESPACE = r"""
set -e
code=$1 state=$2; shift 2
mkdir -p /run/kept && mount -t tmpfs tmpfs /run/kept
number=0
for path in "$@"; do number=$((number+1)); mkdir /run/kept/$number; mount --bind "$path" /run/kept/$number; done
mkdir /run/kept/code /run/kept/state
mount --bind "$code" /run/kept/code
mount --bind "$state" /run/kept/state
for folder in /home /root /opt /var/lib /tmp; do mount -t tmpfs -o mode=0755 tmpfs $folder; done
chmod 1777 /tmp
number=0
for path in "$@"; do
    number=$((number+1))
    case $path in
        /home/*|/root/*|/opt/*|/tmp/*|/var/lib/*) mkdir -p "$path"; mount --bind /run/kept/$number "$path";;
    esac
done
mkdir -p /opt/gauntlet /var/lib/gauntlet
mount --bind /run/kept/code /opt/gauntlet
mount --bind /run/kept/state /var/lib/gauntlet
umount -l /run/kept
while read -r _ place _; do
    case $place in
        /proc*|/sys*|/dev*|/tmp|/var/lib/gauntlet) ;;
        *) mount -o remount,bind,ro "$place" 2>/dev/null || true;;
    esac
done < /proc/self/mounts
touch /opt/gauntlet/written 2>/dev/null && { echo "namespace: the code is writable" >&2; exit 77; }
exec sleep infinity
"""


class Machine:
    """The namespace, and the commands of units in it."""

    def __init__(self, folder: Path, variables: dict[str, str]) -> None:
        self.folder, self.variables = folder, variables
        self.holder: subprocess.Popen[str] | None = None

    def open(self) -> None:
        code, state = clean_copy(self.folder / "code"), self.folder / "state"
        environments.make(code / ".venv", ["run"])
        for script in (code / ".venv" / "bin").iterdir():
            if not script.is_symlink() and script.read_bytes()[:2] == b"#!":  # as if it was made in its place
                script.write_text(script.read_text().replace(str(code), CODE))
        state.mkdir(mode=0o700)
        shutil.chown(state, USER)
        python = [sys.base_prefix, str(Path(sys.prefix).resolve())]
        self.holder = subprocess.Popen(
            ["unshare", "--mount", "--propagation", "private", "sh", "-c", NAMESPACE, "sh", code, state, *python],
            stderr=subprocess.PIPE,
            text=True,
        )
        services.wait_until(self.is_ready, PATIENCE, "the namespace is not ready")

    def is_ready(self) -> bool:
        assert self.holder is not None
        if self.holder.poll() is not None:
            assert self.holder.stderr is not None
            services.missing(f"this kernel makes no mount namespace: {self.holder.stderr.read().strip()}")
        return b"sleep" in Path(f"/proc/{self.holder.pid}/cmdline").read_bytes().split(b"\0")[0]

    def close(self) -> None:
        if self.holder is not None:
            self.holder.kill()
            self.holder.communicate()

    def as_unit(self, unit: dict[str, list[str]], line: str) -> list[str]:
        assert self.holder is not None
        given = dict(pair.split("=", 1) for text in unit["Environment"] for pair in shlex.split(text))
        variables = self.variables | given
        enter = ["nsenter", f"--target={self.holder.pid}", "--mount"]
        drop = ["setpriv", f"--reuid={USER}", "--regid=nogroup", "--clear-groups", "--no-new-privs"]
        drop += ["--bounding-set=-all", "--inh-caps=-all", "--reset-env"]
        values = [f"{name}={value}" for name, value in variables.items()]
        umask = unit.get("UMask", ["0022"])[0]
        return [
            *enter,
            *drop,
            "env",
            *values,
            "sh",
            "-c",
            f"umask {umask}; cd {unit['WorkingDirectory'][0]}; exec {line}",
        ]


def read_unit(name: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for key, value in re.findall(r"^(\w+)=(.*)$", (UNITS / name).read_text(), re.MULTILINE):
        found.setdefault(key, []).append(value)
    return found


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    if sys.platform != "linux" or os.geteuid() != 0:
        services.missing("only root can become another user in a namespace")
    for tool in ("unshare", "nsenter", "setpriv"):
        if not shutil.which(tool):
            services.missing(f"there is no {tool}: it is part of util-linux")
    redis = services.Redis(tmp_path)
    made = Machine(
        tmp_path,
        {
            "DATABASE_URL": f"sqlite:///{STATE}/gauntlet.sqlite3",
            "REDIS_URL": redis.url,
            "GAUNTLET_SECRET_KEY": "k7Qw-e" * 10,
            "GAUNTLET_COMPILE": "off",
            "PATH": os.environ["PATH"],
        },
    )
    try:
        made.open()
        yield made
    finally:
        made.close()
        redis.kill()


@pytest.mark.timeout(900)
def test_the_units_run_without_rights_on_a_read_only_tree(machine: Machine, tmp_path: Path) -> None:
    migrate = read_unit("gauntlet-migrate.service")
    assert len(migrate["ExecStart"]) == 2
    for line in migrate["ExecStart"]:
        done = subprocess.run(machine.as_unit(migrate, line), capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    port = services.free_port()
    programs = {}
    try:
        for name in ("web@", "worker", "beat"):
            unit = read_unit(f"gauntlet-{name}.service")
            [line] = unit["ExecStart"]
            assert unit["User"] == ["gauntlet"]
            assert unit["ProtectSystem"] == ["strict"]
            assert unit["StateDirectory"] == [STATE.rpartition("/")[2]]
            assert unit["EnvironmentFile"] == [SETTINGS]
            command = machine.as_unit(unit, line.replace("%i", str(port)))
            programs[name] = ServerProcess(name.strip("@"), command, dict(os.environ), tmp_path)
        programs["web@"].wait_for("web process is open", 4 * PATIENCE)
        programs["worker"].wait_for("worker is running", 4 * PATIENCE)
        base = f"http://127.0.0.1:{port}"
        services.wait_until(lambda: ready(base), 2 * PATIENCE, "the web process is not ready")
        # In Polish: its catalogue was compiled where the unit may write.
        request = urllib.request.Request(f"{base}/accounts/login/", headers={"Accept-Language": "pl"})
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            assert "Zaloguj" in answer.read().decode()
        assert (tmp_path / "state" / "locale" / "pl" / "LC_MESSAGES" / "django.mo").exists()
        check = [f"{CODE}/.venv/bin/python", "manage.py", "doctor", "--json", "--only"]

        def beat_is_seen() -> bool:
            line = shlex.join([*check, "beat"])
            done = subprocess.run(machine.as_unit(migrate, line), capture_output=True, text=True, check=False)
            return bool(json.loads(done.stdout)["verdict"] == "ok")

        services.wait_until(beat_is_seen, 2 * PATIENCE, "no task of beat was done by the worker")
    finally:
        for program in programs.values():
            program.stop()
    state = tmp_path / "state"
    assert (state / "gauntlet.sqlite3").stat().st_mode & 0o777 == 0o600
    assert not list((tmp_path / "code").rglob("*.mo"))


def ready(base: str) -> bool:
    try:
        with urllib.request.urlopen(f"{base}/readyz", timeout=PATIENCE) as answer:
            return int(answer.status) == 200
    except (urllib.error.URLError, OSError):
        return False

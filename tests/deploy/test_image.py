"""The image: its own steps in a clean copy, and the whole Dockerfile built by buildah; both results start."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from deploy import compiled_build
from deploy.bootstrap import ROOT
from deploy.harness import environments, services
from deploy.harness.prepared_state import clean_copy, clean_environment
from deploy.harness.servers import ServerProcess

DOCKERFILE = ROOT / "deploy" / "image" / "Dockerfile"
# Started by the tests as user 10001, which only the image knows.
USER = 10001
STATE = "/var/lib/gauntlet"


def build_steps() -> str:
    """The instruction that runs our own commands, as one line of shell."""
    text = DOCKERFILE.read_text().replace("\\\n", " ")
    [steps] = [line for line in re.findall(r"^RUN (.*)$", text, re.MULTILINE) if "manage.py" in line]
    return str(steps)


# It may be the first to need the compiled build, which takes the C compiler a minute or two.
@pytest.mark.timeout(900)
def test_the_build_steps_leave_a_compiled_site_that_starts(compiled_copy: Path, tmp_path: Path) -> None:
    project, build = clean_copy(tmp_path / "project"), tmp_path / "build"
    shutil.copytree(compiled_copy, compiled_build.folder_in(build))
    run = str(environments.make(tmp_path / "venv", ["run"]))
    # The paths of the image's two environments and of its build folder.
    here = {"/opt/compiler/bin/python": sys.executable, "/opt/venv/bin/python": run, "/tmp/build": str(build)}
    steps = build_steps()
    for there, mine in here.items():
        assert there in steps
        steps = steps.replace(there, shlex.quote(mine))
    assert "/opt/" not in steps
    env = clean_environment() | {"GAUNTLET_VAR": str(build)}
    made = subprocess.run(["sh", "-ec", steps], cwd=project, env=env, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stdout + made.stderr
    assert not build.exists()
    assert not (project / "tests").exists()
    assert (project / "deploy" / "locale" / "pl" / "LC_MESSAGES" / "django.mo").exists()
    ask = "import engine.build, leagues.elo.update as fold; print(engine.build.name(), fold.__file__)"
    env["GAUNTLET_VAR"] = str(tmp_path / "var")
    asked = subprocess.run(
        [run, "manage.py", "shell", "--no-imports", "-c", ask], cwd=project, env=env, capture_output=True, text=True
    )
    assert asked.returncode == 0, asked.stderr
    build_name, fold = asked.stdout.split()
    assert build_name == "compiled"
    assert fold.startswith(str(project))
    assert not fold.endswith(".py")


class Builder:
    """buildah with a store of its own, without a container engine and without a registry."""

    def __init__(self, folder: Path) -> None:
        self.store = [f"--root={folder / 'store'}", f"--runroot={folder / 'run'}", "--storage-driver=vfs"]

    def command(self, *arguments: str | Path) -> list[str]:
        return ["buildah", *self.store, *map(str, arguments)]

    def run(self, *arguments: str | Path) -> str:
        done = subprocess.run(self.command(*arguments), capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"buildah {arguments[0]}:\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
        return done.stdout.strip()

    def make_base(self, name: str, folder: Path) -> None:
        """In place of the image of this name: the same Debian with its own Python."""
        release = name.rpartition("-")[2]
        packages = "--include=ca-certificates,python3,python3-dev,python3-venv"
        made = subprocess.run(
            ["debootstrap", "--variant=minbase", packages, release, folder], capture_output=True, text=True, check=False
        )
        assert made.returncode == 0, made.stdout[-2000:] + made.stderr
        (folder / "usr" / "local" / "bin" / "python").symlink_to("/usr/bin/python3")
        container = self.run("from", "scratch")
        self.run("add", "--quiet", container, folder, "/")
        path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        self.run("config", f"--env=PATH={path}", container)
        self.run("commit", "--quiet", "--rm", container, f"docker.io/library/{name}")

    def build(self, project: Path, name: str, settings: Path) -> str:
        """How this machine reaches the package index is mounted while it builds, and is no part of the image."""
        own = [f"--volume={settings}:/etc/pip.conf:ro", "--volume=/etc/ssl/certs:/etc/ssl/certs:ro"]
        how = ["--isolation=chroot", "--network=host", "--pull-never", "--format=docker"]
        return self.run("build", *how, *own, "--file", project / "deploy/image/Dockerfile", "--tag", name, project)


@pytest.fixture
def builder(tmp_path: Path) -> Iterator[Builder]:
    if sys.platform != "linux" or os.geteuid() != 0:
        services.missing("only root can build an image without a container engine")
    for tool in ("buildah", "debootstrap"):
        if not shutil.which(tool):
            services.missing(f"there is no {tool}: apt install {tool}")
    made = Builder(tmp_path)
    try:
        yield made
    finally:
        made.run("rm", "--all")
        shutil.rmtree(tmp_path / "store", ignore_errors=True)


def pip_settings(file: Path) -> Path:
    """As pip is set up here, for the whole machine that the build runs in."""
    listed = subprocess.run([sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True, check=True)
    found = dict(line.split("=", 1) for line in listed.stdout.splitlines())
    kept = {key.rpartition(".")[2]: value.strip("'\"") for key, value in found.items()}
    lines = [f"{key} = {value}" for key, value in kept.items() if key in ("cert", "index-url", "default-timeout")]
    file.write_text("\n".join(["[global]", *lines]) + "\n")
    return file


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_the_dockerfile_is_built_to_its_last_line_and_serves(builder: Builder, tmp_path: Path) -> None:
    [base] = set(re.findall(r"^FROM (\S+)", DOCKERFILE.read_text(), re.MULTILINE))
    builder.make_base(base, tmp_path / "base")
    builder.build(clean_copy(tmp_path / "project"), "gauntlet", pip_settings(tmp_path / "pip.conf"))
    check_image(builder, tmp_path)


def check_image(builder: Builder, folder: Path) -> None:
    """What it says of itself, what is in it, and that its own command serves as the user it names."""
    made: dict[str, Any] = json.loads(builder.run("inspect", "--type=image", "gauntlet"))["Docker"]["config"]
    assert (made["User"], made["WorkingDir"], list(made["Volumes"])) == ("gauntlet", "/opt/gauntlet", [STATE])
    assert made["Healthcheck"]["Test"][0] == "CMD"
    assert not [value for value in made["Env"] if value.startswith(("PIP_", "SSL_"))]

    container = builder.run("from", "--pull-never", "gauntlet")
    state, port, redis = folder / "state", services.free_port(), services.Redis(folder)
    state.mkdir(mode=0o700)
    os.chown(state, USER, USER)
    variables = {"GAUNTLET_SECRET_KEY": "k7Qw-e" * 10, "REDIS_URL": redis.url, "GAUNTLET_DEMO": "off"}
    how = ["--isolation=chroot", f"--volume={state}:{STATE}"]
    how += [f"--env={name}={value}" for name, value in variables.items()]

    def inside(*command: str) -> str:
        return builder.run("run", *how, container, "--", *command)

    command = [part.replace("0.0.0.0", "127.0.0.1") for part in made["Cmd"]]
    web = None
    try:
        assert inside("id", "-u") == str(USER)
        assert inside("sh", "-c", "cat /etc/pip.conf 2>/dev/null; ls") == inside("ls")
        assert "tests" not in inside("ls").split()
        ask = "import engine.build; print(engine.build.name())"
        assert inside("python", "manage.py", "shell", "--no-imports", "-c", ask) == "compiled"
        inside("python", "manage.py", "migrate", "--no-input")
        inside("python", "manage.py", "collectstatic", "--no-input")
        start = builder.command("run", *how, container, "--", *command, "--port", str(port))
        web = ServerProcess("web", start, dict(os.environ), folder)
        web.wait_for("web process is open", 300)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=30) as answer:
            assert answer.status == 200
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=60) as answer:
            page = answer.read().decode()
        assert "Gauntlet" in page
        check = [part.replace("8000", str(port)) for part in made["Healthcheck"]["Test"][1:]]
        inside(*check)
    finally:
        if web is not None:
            web.stop()
        redis.kill()

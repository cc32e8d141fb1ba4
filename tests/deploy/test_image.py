"""The image's own build steps, run in a clean copy: what they leave behind starts with the packages of the image."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests import environments
from tests.furniture import ROOT, clean_copy, clean_environment

# It may be the first to need the compiled build, which takes the C compiler a minute or two.
pytestmark = pytest.mark.timeout(900)


def build_steps() -> str:
    """The instruction that runs our own commands, as one line of shell."""
    text = (ROOT / "deploy" / "image" / "Dockerfile").read_text().replace("\\\n", " ")
    [steps] = [line for line in re.findall(r"^RUN (.*)$", text, re.MULTILINE) if "manage.py" in line]
    return str(steps)


def test_the_build_steps_leave_a_compiled_house_that_starts(compiled_copy: Path, tmp_path: Path) -> None:
    house, build = clean_copy(tmp_path / "house"), tmp_path / "build"
    shutil.copytree(compiled_copy, build / "build" / "compiled")
    run = str(environments.make(tmp_path / "venv", ["run"]))
    # Where the image has its two environments, and what it builds in.
    here = {"/opt/compiler/bin/python": sys.executable, "/opt/venv/bin/python": run, "/tmp/build": str(build)}
    steps = build_steps()
    for there, mine in here.items():
        assert there in steps
        steps = steps.replace(there, shlex.quote(mine))
    assert "/opt/" not in steps
    env = clean_environment() | {"GAUNTLET_VAR": str(build)}
    made = subprocess.run(["sh", "-ec", steps], cwd=house, env=env, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stdout + made.stderr
    assert not build.exists()
    assert not (house / "tests").exists()
    assert (house / "deploy" / "locale" / "pl" / "LC_MESSAGES" / "django.mo").exists()
    ask = "import engine.build, leagues.ratings.fold as fold; print(engine.build.name(), fold.__file__)"
    env["GAUNTLET_VAR"] = str(tmp_path / "var")
    asked = subprocess.run(
        [run, "manage.py", "shell", "--no-imports", "-c", ask], cwd=house, env=env, capture_output=True, text=True
    )
    assert asked.returncode == 0, asked.stderr
    build_name, fold = asked.stdout.split()
    assert build_name == "compiled"
    assert fold.startswith(str(house))
    assert not fold.endswith(".py")

"""Runs code in processes of their own, with a site's settings and models, without starting Python anew for each.

A process with the site's packages waits in the background and forks for every piece of code: tests run hundreds of
pieces, and importing the packages takes a second.
"""

import json
import shutil
import subprocess
import tempfile
from contextlib import suppress
from itertools import count
from pathlib import Path
from threading import Lock

from deploy.harness.services import wait_until

TIMEOUT = 600.0

# The middle process waits for the one that runs the code and notes how it ended; pieces may run side by side. The code
# ends as a program does, with everything that Python does at its end.
FORK = """
import gc, json, os, signal, sys
import django.test, deploy.urls  # most of the site: imported once
gc.freeze()  # at its end a piece would look through all of that for garbage
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for request in sys.stdin:
    if not os.fork():
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        code, output = json.loads(request)
        running = os.fork()
        if running:
            status = os.waitstatus_to_exitcode(os.waitpid(running, 0)[1])
            with open(output + ".half", "w") as note:
                note.write(str(status))
            os.rename(output + ".half", output + ".code")
            os._exit(0)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), 1)
        os.dup2(os.open(output + ".errors", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), 2)
        exec(code, {})
        sys.exit()
"""


class ForkingShell:
    def __init__(self, commands: list[str], env: dict[str, str], root: Path) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="gauntlet-shell-"))
        self.numbers, self.lock = count(), Lock()
        with (self.folder / "errors").open("w") as errors:
            self.process = subprocess.Popen(
                [*commands, "shell", "--no-imports", "-c", FORK],
                env=env,
                cwd=root,
                stdin=subprocess.PIPE,
                stdout=errors,
                stderr=errors,
                text=True,
            )

    def run(self, code: str) -> subprocess.CompletedProcess[str]:
        output = self.folder / str(next(self.numbers))
        assert self.process.stdin is not None
        with self.lock:
            self.process.stdin.write(json.dumps([code, str(output)]) + "\n")
            self.process.stdin.flush()
        note, errors = output.with_suffix(".code"), output.with_suffix(".errors")
        wait_until(lambda: note.exists() or self.process.poll() is not None, TIMEOUT, "the code did not end")
        assert note.exists(), (self.folder / "errors").read_text()
        return subprocess.CompletedProcess(code, int(note.read_text()), output.read_text(), errors.read_text())

    def close(self) -> None:
        self.process.kill()
        with suppress(BrokenPipeError):
            self.process.communicate()
        shutil.rmtree(self.folder)

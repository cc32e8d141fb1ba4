"""Runs the engine's program of analyses, hints and puzzles: a process of its own, below play."""

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

from accounts.infra import shutdown
from engine.bot_process import environment, find_home

ANSWERS = ("report", "hint", "puzzles", "refused")


def run(question: dict[str, Any], on_progress: Callable[[int, int], None] | None = None) -> dict[str, Any]:
    """The last line of the program; the lines before it say how far it is."""
    home = find_home()
    command = [sys.executable, "-m", "engine.analysis"]
    pipe = subprocess.PIPE
    line: dict[str, Any] = {}
    with subprocess.Popen(
        command, stdin=pipe, stdout=pipe, cwd=home, env=environment(home), text=True, encoding="utf-8"
    ) as program:
        try:
            with shutdown.stop_with(program.kill):
                assert program.stdin is not None
                assert program.stdout is not None
                program.stdin.write(json.dumps(question))
                program.stdin.close()
                for text in program.stdout:
                    line = json.loads(text)
                    if "done" in line and on_progress is not None:
                        on_progress(line["done"], line["total"])
        finally:
            program.kill()  # does no harm to one that has ended
    if not any(answer in line for answer in ANSWERS):
        raise RuntimeError(f"the program of the analysis ended with {program.returncode} and no answer")
    return line

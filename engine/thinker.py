"""Bots think in processes of their own: a hard deadline, and a bot that crashes takes nobody with it.

Thinking in a thread of the web process would hold Python's lock and slow every page; and neither Celery's thread pool
nor Python can stop a thread that spins. A child process imports nothing but the engine, so it is small and starts at
once; when it is late it is killed and another takes its place.
"""

import atexit
import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, TextIO

from engine.bots import LEAVE, Budget, Situation, bot
from engine.kernel import Match
from engine.transcript import opened

REMEMBERED = 32
"""Matches that a thinker keeps at hand, so that a bot's next move need not replay the whole match."""


class ThinkError(Exception):
    """The bot gave no move: too late, or its process died. The match is untouched."""


class TooLate(ThinkError):
    pass


class Crashed(ThinkError):
    pass


# -- in the child


def work(requests: TextIO, answers: TextIO) -> None:
    """Answer requests until the parent goes away."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's business
    remembered: dict[tuple[Any, ...], Match] = {}
    for line in requests:
        document, seat, level, budget, seed = json.loads(line)
        try:
            answer = ("move", thought(remembered, document, seat, level, Budget(*budget), seed))
        except Exception as error:
            answer = ("error", f"{type(error).__name__}: {error}")
        with contextlib.suppress(BrokenPipeError):
            print(json.dumps(answer), file=answers, flush=True)


def thought(
    remembered: dict[tuple[Any, ...], Match], document: dict[str, Any], seat: int, level: str, budget: Budget, seed: str
) -> str | None:
    match = caught_up(remembered, document)
    action = bot(document["game"], level).choose(Situation(match, seat), budget, seed)
    return None if action == LEAVE else match.notation(action, seat)


def caught_up(remembered: dict[tuple[Any, ...], Match], document: dict[str, Any]) -> Match:
    """The match as its record has it: from memory and the moves since, or from the start."""
    key = (document["game"], document["players"], document["seed"], repr(document["options"]))
    moves = [(seat, move) for seat, move, *_ in document["moves"]]
    match = remembered.pop(key, None)
    if match is None or [(entry.seat, entry.move) for entry in match.entries] != moves[: match.ply]:
        match = opened(document)
    for seat, move in moves[match.ply :]:
        match.repeat(seat, move)
    remembered[key] = match
    while len(remembered) > REMEMBERED:
        del remembered[next(iter(remembered))]
    return match


# -- in the parent


class Child:
    """One thinking process and the lines to it.

    Not one of `multiprocessing`: inside Celery's pool that module is another library's, and refuses. A thread listens,
    because that is the one way to wait for a pipe with a deadline on every platform.
    """

    def __init__(self) -> None:
        command = [sys.executable, "-m", "engine.thinker"]
        home = Path(__file__).resolve().parent.parent
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, cwd=home, text=True, encoding="utf-8")
        self.answers: queue.SimpleQueue[tuple[str, str | None] | None] = queue.SimpleQueue()
        threading.Thread(target=self._listen, name="thinker", daemon=True).start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        with contextlib.suppress(OSError, ValueError):  # half a line, or a pipe closed while we listened
            for line in self.process.stdout:
                self.answers.put(json.loads(line))
        self.answers.put(None)

    def ask(self, request: tuple[Any, ...], deadline: float) -> tuple[str, str | None]:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()
        except OSError as error:
            raise Crashed("the thinking process died") from error
        try:
            answer = self.answers.get(timeout=deadline)
        except queue.Empty:
            raise TooLate(f"no move within {deadline:g} s") from None
        if answer is None:
            raise Crashed("the thinking process died")
        return answer

    def is_alive(self) -> bool:
        return self.process.poll() is None

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()


class Thinker:
    """A few thinking processes, shared by the threads of this one."""

    def __init__(self, children: int) -> None:
        # The last one to come back goes first: it knows the match, and children beyond need are never started.
        self.idle: queue.LifoQueue[Child | None] = queue.LifoQueue()
        for _ in range(children):
            self.idle.put(None)  # started when first needed

    def think(
        self, document: dict[str, Any], *, seat: int, level: str, budget: Budget, seed: str, deadline: float
    ) -> str | None:
        """The move that a house bot chooses in a recorded match, or None where it acts aside and leaves it.

        `document` is a transcript; `deadline` is in seconds, and counts from when a process is free.
        """
        child = self.idle.get()
        keep: Child | None = None
        try:
            if child is not None and not child.is_alive():
                child.kill()
                child = None
            child = child or Child()
            kind, answer = child.ask((document, seat, level, (budget.iterations, budget.seconds), seed), deadline)
            keep = child
        finally:
            if keep is None and child is not None:
                child.kill()
            self.idle.put(keep)
        if kind == "error":
            raise ThinkError(answer)
        return answer

    def close(self) -> None:
        while not self.idle.empty():
            child = self.idle.get()
            if child is not None:
                child.kill()


_thinker: tuple[int, Thinker] | None = None


def thinker() -> Thinker:
    """This process's own thinker; a forked worker gets a new one, for a parent's children do not answer it."""
    global _thinker
    if _thinker is None or _thinker[0] != os.getpid():
        made = Thinker(children=os.cpu_count() or 1)
        atexit.register(made.close)
        _thinker = (os.getpid(), made)
    return _thinker[1]


if __name__ == "__main__":
    sys.stdin.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    answers, sys.stdout = sys.stdout, sys.stderr  # what a bot prints is no answer
    work(sys.stdin, answers)

"""Bots think in processes of their own: a hard deadline, and a bot that crashes takes nobody with it.

Thinking in a thread of the web process would hold Python's lock and slow every page; and neither Celery's thread pool
nor Python can stop a thread that spins. A child process imports nothing but the engine, so it is small and starts at
once; when it is late it is killed and another takes its place.
"""

import atexit
import contextlib
import multiprocessing
import os
import queue
import signal
from multiprocessing.connection import Connection
from typing import Any

from engine.bots import LEAVE, Budget, Situation, bot
from engine.kernel import UNDO, Match
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


def work(pipe: Connection) -> None:
    """Answer requests until the parent goes away."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's business
    remembered: dict[tuple[Any, ...], Match] = {}
    while True:
        try:
            document, seat, level, budget, seed = pipe.recv()
        except EOFError:
            return
        try:
            answer = ("move", thought(remembered, document, seat, level, budget, seed))
        except Exception as error:
            answer = ("error", f"{type(error).__name__}: {error}")
        with contextlib.suppress(BrokenPipeError):
            pipe.send(answer)


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
        if move == UNDO:
            match.undo(seat)
        else:
            match.play(move, seat)
    remembered[key] = match
    while len(remembered) > REMEMBERED:
        del remembered[next(iter(remembered))]
    return match


# -- in the parent


class Child:
    """One thinking process and the line to it."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=work, args=(theirs,), daemon=True, name="thinker")
        self.process.start()
        theirs.close()

    def kill(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


class Thinker:
    """A few thinking processes, shared by the threads of this one."""

    def __init__(self, children: int) -> None:
        self.idle: queue.Queue[Child | None] = queue.Queue()
        for _ in range(children):
            self.idle.put(None)  # started when first needed

    def think(
        self, document: dict[str, Any], *, seat: int, level: str, budget: Budget, seed: str, deadline: float
    ) -> str | None:
        """The move that a house bot chooses in a recorded match, or None where it acts aside and leaves it.

        `document` is a transcript; `deadline` is in seconds, and counts from when a process is free.
        """
        child = self.idle.get()
        if child is None or not child.process.is_alive():
            child = Child()
        keep: Child | None = None
        try:
            child.pipe.send((document, seat, level, budget, seed))
            if not child.pipe.poll(deadline):
                raise TooLate(f"no move within {deadline:g} s")
            kind, answer = child.pipe.recv()
            keep = child
        except (EOFError, OSError) as error:
            raise Crashed("the thinking process died") from error
        finally:
            if keep is None:
                child.kill()
            self.idle.put(keep)
        if kind == "error":
            raise ThinkError(answer)
        return answer  # type: ignore[no-any-return]

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

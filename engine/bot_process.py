"""Bots think in processes of their own, with a hard deadline; a crash of a bot harms nothing else.

A bot that thinks in a thread of the web process would hold Python's global lock and slow every page, and a thread that
loops cannot be stopped. A child process imports nothing but the engine, so it is small and starts at once; when it is
late it is killed and another one takes its place.
"""

import atexit
import contextlib
import hashlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any, TextIO

from engine.bots import LEAVE, Budget, bot
from engine.bots.runner import Thoughts
from engine.kernel import Match
from engine.transcript import opened

SOURCES = Path(__file__).resolve().parent.parent
REMEMBERED = 64
"""Matches that a bot process keeps, so that a bot's next move need not replay the whole match."""


class ThinkError(Exception):
    """The bot gave no move: too late, or its process died. The match is untouched."""


class TooLate(ThinkError):
    pass


class Crashed(ThinkError):
    pass


@dataclass(frozen=True)
class Order:
    """What bots are asked for: moves until their turn is over, and further turns until there are `plies` moves.

    `bots` are the level and the budget of each seat that a bot plays. Before an act after which the seats in `asked`
    could no longer respond, the bots stop. They also stop after `seconds`, and after `most` moves.
    """

    bots: Mapping[int, tuple[str, Budget]]
    seed: str
    plies: int = 0
    most: int = sys.maxsize
    seconds: float = 0.0
    asked: tuple[int, ...] = ()

    @property
    def longest(self) -> float:
        """Seconds that the bots need at most: the last move may begin when the time is nearly over."""
        return self.seconds + sum(budget.seconds for _, budget in self.bots.values())

    def to_json(self) -> list[Any]:
        bots = [[seat, level, *astuple(budget)] for seat, (level, budget) in self.bots.items()]
        return [bots, self.seed, self.plies, self.most, self.seconds, list(self.asked)]

    @classmethod
    def from_json(cls, data: list[Any]) -> "Order":
        bots, seed, plies, most, seconds, asked = data
        budgets = {seat: (level, Budget(*budget)) for seat, level, *budget in bots}
        return cls(budgets, seed, plies, most, seconds, tuple(asked))


@dataclass(frozen=True)
class Chosen:
    """What the bots chose: seat, move and seconds of thought, in order; none if no bot wants to act.

    With `asks` the last one is an act that others may respond to first: it was not played, and the turn goes on.
    `error` says why the bots stopped early.
    """

    moves: list[tuple[int, str, float]]
    asks: bool = False
    error: str = ""


def move_seed(seed: str, ply: int, seat: int) -> str:
    """The seed for one move of a bot: the same however often it is asked, and it reveals nothing about the decks."""
    return hashlib.sha256(f"{seed} bot {ply} {seat}".encode()).hexdigest()


# -- in the child


def work(requests: TextIO, answers: TextIO) -> None:
    """Answer requests until the parent exits."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C
    remembered: dict[tuple[Any, ...], Match] = {}
    thoughts: dict[tuple[Any, ...], Thoughts] = {}
    for line in requests:
        document, played, last, order = json.loads(line)
        try:
            match = match_of(remembered, document, played, last)
            so_far = thoughts.setdefault(key_of(document), Thoughts())
            answer = [0, None] if match is None else answer_to(match, Order.from_json(order), so_far)
        except Exception as error:
            answer = [0, [[], False, f"{type(error).__name__}: {error}"]]
        if not answer[0]:
            remembered.pop(key_of(document), None)
        for forgotten in thoughts.keys() - remembered.keys():
            del thoughts[forgotten]
        with contextlib.suppress(BrokenPipeError):
            print(json.dumps(answer), file=answers, flush=True)


def answer_to(match: Match, order: Order, thoughts: Thoughts) -> list[Any]:
    """How many plies the remembered match has now, and what was chosen. After an error it is not to be trusted."""
    moves: list[tuple[int, str, float]] = []
    try:
        asks = play_turn(match, order, moves, thoughts)
    except Exception as error:
        return [0, [moves, False, f"{type(error).__name__}: {error}"]]
    return [match.ply, [moves, asks, ""]]


def play_turn(match: Match, order: Order, moves: list[tuple[int, str, float]], thoughts: Thoughts) -> bool:
    """Choose and play until the turn is over or others must act; True if others are asked before the last move."""
    turn, began = match.game.turn(match.state), time.monotonic()
    thought = began
    while not match.state.over and len(moves) < order.most:
        found = next_action(match, order, thoughts)
        if found is None:
            break
        seat, action = found
        before, thought = thought, time.monotonic()
        moves.append((seat, match.notation(action, seat), thought - before))
        if seat == match.to_act and match.game.closes(match.state, action) and set(match.helpers()) & set(order.asked):
            return True
        match.play(action, seat)
        if is_over(match, turn, len(moves), order.plies, order.bots) or time.monotonic() - began > order.seconds:
            break
    return False


def is_over(match: Match, turn: tuple[int, int], played: int, plies: int, bots: Iterable[int]) -> bool:
    """Whether bots that began in this turn and have played so many moves stop here."""
    if match.game.turn(match.state) != turn and played >= plies:
        return True
    return match.to_act is not None and match.to_act not in bots and not match.game.has_asides


def next_action(match: Match, order: Order, thoughts: Thoughts) -> tuple[int, int] | None:
    """The next action of a bot, first of those who may act out of turn; None if none wants to or is able to."""
    able = (seat for seat in sorted(order.bots, key=lambda seat: seat == match.to_act) if match.legal(seat))
    for seat in able:
        level, budget = order.bots[seat]
        seed = move_seed(order.seed, match.ply, seat)
        action = thoughts.choose(bot(match.game.name, level), budget, match, seat, seed)
        if action != LEAVE:
            return seat, int(action)
    return None


def match_of(
    remembered: dict[tuple[Any, ...], Match], document: dict[str, Any], played: int, last: list[Any] | None
) -> Match | None:
    """The recorded match, of which the document has the moves after the first `played`: a remembered one with the new
    moves played, or replayed from the start. None if the moves before are not remembered, or were others: `last` is
    the last of them, with the state it led to."""
    key = key_of(document)
    match = remembered.pop(key, None)
    if match is None or not played or match.ply != played or entry_of(match) != last:
        if played:
            return None
        match = opened(document)
    for seat, move, *_ in document["moves"]:
        match.repeat(seat, move)
    remembered[key] = match
    while len(remembered) > REMEMBERED:
        del remembered[next(iter(remembered))]
    return match


def entry_of(match: Match) -> list[Any]:
    entry = match.entries[-1]
    return [entry.seat, entry.move, entry.digest]


def key_of(document: dict[str, Any]) -> tuple[Any, ...]:
    return document["game"], document["players"], document["seed"], repr(document["options"])


# -- in the parent


def find_home() -> Path:
    """Where the engine is that bot processes run. A site may set a function that finds a compiled copy of it."""
    return SOURCES if home_finder is None else home_finder()


home_finder: Callable[[], Path] | None = None


def environment(home: Path) -> dict[str, str]:
    """For a program of the engine there. A compiled copy has only the engine: games of other packages may lie next to
    the sources."""
    found = [str(SOURCES), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, **({"PYTHONPATH": os.pathsep.join(found)} if home != SOURCES else {})}


class BotProcess:
    """One bot process and its pipes.

    Not a `multiprocessing.Process`: inside Celery's pool that module belongs to another library, which refuses to start
    one. A thread reads the answers: the one way to wait for a pipe with a deadline on every platform.
    """

    def __init__(self, home: Path) -> None:
        self.home = home
        command = [sys.executable, "-m", "engine.bot_process"]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, cwd=home, env=environment(home), text=True, encoding="utf-8"
        )
        # How many moves of which matches it has: those it was sent, and those it chose.
        self.sent: OrderedDict[tuple[Any, ...], int] = OrderedDict()
        self.answers: queue.SimpleQueue[list[Any] | None] = queue.SimpleQueue()
        threading.Thread(target=self._listen, name="bot-process-reader", daemon=True).start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        with contextlib.suppress(OSError, ValueError):  # half a line, or the pipe was closed
            for line in self.process.stdout:
                self.answers.put(json.loads(line))
        self.answers.put(None)

    def play(self, document: dict[str, Any], order: Order, deadline: float) -> Chosen:
        """Send what the process does not have of the match, and the order."""
        key, moves, ordered = key_of(document), document["moves"], order.to_json()
        played = min(self.sent.pop(key, 0), len(moves))
        last = list(moves[played - 1]) if played else None
        ply, answer = self.ask([{**document, "moves": moves[played:]}, played, last, ordered], deadline)
        if answer is None:
            ply, answer = self.ask([document, 0, None, ordered], deadline)
        chosen, asks, error = answer
        self.sent[key] = ply
        while len(self.sent) > REMEMBERED:
            self.sent.popitem(last=False)
        return Chosen([(seat, move, seconds) for seat, move, seconds in chosen], asks, error)

    def ask(self, request: list[Any], deadline: float) -> list[Any]:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()
        except OSError as error:
            raise Crashed("the bot process died") from error
        try:
            answer = self.answers.get(timeout=deadline)
        except queue.Empty:
            raise TooLate(f"no move within {deadline:g} s") from None
        if answer is None:
            raise Crashed("the bot process died")
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


class BotProcessPool:
    """A few bot processes, shared by the threads of this process."""

    def __init__(self, processes: int) -> None:
        # The process used last is used next: it remembers the match, and no more processes are started than needed.
        self.idle: queue.LifoQueue[BotProcess | None] = queue.LifoQueue()
        for _ in range(processes):
            self.idle.put(None)  # started when first needed

    def play(self, document: dict[str, Any], order: Order, *, margin: float) -> Chosen:
        """What the bots choose in a recorded match, a whole turn or more in one request.

        `document` is a transcript; the process is killed `margin` seconds after the bots should have ended, which
        counts from when a process is free. What was chosen before an error of a bot counts.
        """
        process = self.idle.get()
        keep: BotProcess | None = None
        try:
            home = find_home()
            if process is not None and (process.home != home or not process.is_alive()):
                process.kill()
                process = None
            process = process or BotProcess(home)
            chosen = process.play(document, order, order.longest + margin)
            keep = process
        finally:
            if keep is None and process is not None:
                process.kill()
            self.idle.put(keep)
        if chosen.error and not chosen.moves:
            raise ThinkError(chosen.error)
        return chosen

    def think(
        self, document: dict[str, Any], *, seat: int, level: str, budget: Budget, seed: str, deadline: float
    ) -> str | None:
        """One move of one bot, or None when it may act out of turn and does not want to; `deadline` is in seconds."""
        order = Order({seat: (level, budget)}, seed, most=1)
        chosen = self.play(document, order, margin=deadline - order.longest)
        return chosen.moves[0][1] if chosen.moves else None

    def close(self) -> None:
        while not self.idle.empty():
            process = self.idle.get()
            if process is not None:
                process.kill()


_pool: tuple[int, BotProcessPool] | None = None


def shared_pool() -> BotProcessPool:
    """The pool of this process. A forked worker gets a new one: it cannot use its parent's bot processes."""
    global _pool
    if _pool is None or _pool[0] != os.getpid():
        pool = BotProcessPool(processes=os.cpu_count() or 1)
        atexit.register(pool.close)
        _pool = (os.getpid(), pool)
    return _pool[1]


if __name__ == "__main__":
    sys.stdin.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    answers, sys.stdout = sys.stdout, sys.stderr  # a bot may print; only answers go to stdout
    work(sys.stdin, answers)

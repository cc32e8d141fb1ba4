"""The worker program: processes that do one task at a time, and a watchman who replaces any that dies or falls silent.

Bots think in processes of their own, so a pool inside each worker would only be one more thing to lose: Celery's
can wait for ever for children that were killed. Here nothing stands between the watchman and the process that works.
"""

import multiprocessing
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Sequence
from functools import partial
from typing import Any

import structlog
from celery import Task, signals
from celery.worker import consumer, state
from django.conf import settings

from accounts import closing
from deploy import metrics
from deploy.celery import app

PULSE = 1.0
# A process that is silent for so long hangs. It is silent while it does a task, which may say that it takes longer.
LONGEST_SILENCE = 120.0
PATIENCE = 30.0
SHORTEST_PAUSE, LONGEST_PAUSE = 0.1, 10.0

log = structlog.get_logger("gauntlet.worker")
fork = multiprocessing.get_context("fork")


class Consumer(consumer.Consumer):
    """Celery's own, made to outlive the broker."""

    task_consumer: Any

    def ensure_connected(self, conn: Any) -> Any:
        """Look for a lost broker every second; Celery would soon look only twice a minute."""
        conn.ensure_connection = partial(conn.ensure_connection, interval_start=1, interval_step=0, interval_max=1)
        return super().ensure_connected(conn)

    def on_connection_error_after_connected(self, exc: Exception) -> None:
        """Over a dead connection nothing can be handed back, and Celery falls over trying: rows say what is owed."""
        self.task_consumer.channel.do_restore = False
        super().on_connection_error_after_connected(exc)


class Post:
    """One place in the worker, and the process that fills it now; its pulse is until when it may be silent."""

    def __init__(self, number: int, queues: Sequence[str]) -> None:
        self.number, self.queues = number, queues
        self.pulse: Any = fork.Value("d", lock=False)
        self.pause = SHORTEST_PAUSE
        self.fill()

    def fill(self) -> None:
        self.began = time.monotonic()
        self.pulse.value = self.began + LONGEST_SILENCE
        self.vacant_until: float | None = None
        self.process = fork.Process(target=work, args=(self.number, self.queues, self.pulse))
        self.process.start()

    def look(self) -> None:
        now = time.monotonic()
        if self.process.is_alive():
            if now > self.pulse.value:
                log.error("a worker process hangs and is killed", post=self.number)
                self.process.kill()
        elif self.vacant_until is None:
            # One that dies at once, again and again, is not worth a busy machine.
            self.pause = SHORTEST_PAUSE if now - self.began > LONGEST_PAUSE else min(self.pause * 2, LONGEST_PAUSE)
            self.vacant_until = now + self.pause
            log.warning("a worker process is replaced", post=self.number, exit_code=self.process.exitcode)
        elif now >= self.vacant_until:
            self.fill()

    def close(self, until: float) -> None:
        """Let the task at hand be finished or put down, if it can be in time."""
        self.process.join(max(0.0, until - time.monotonic()))
        if self.process.is_alive():
            log.error("a worker process did not end in time and is killed", post=self.number)
            self.process.kill()
            self.process.join()


def run(processes: int, queues: Sequence[str]) -> None:
    """Work until SIGINT or SIGTERM."""
    told: list[int] = []
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, _: told.append(number))
    door = metrics.Door(settings.METRICS_PORT) if settings.METRICS_PORT else None
    posts = [Post(number, queues) for number in range(1, processes + 1)]
    while not told:
        metrics.wait_at(door, [post.process.sentinel for post in posts if post.process.is_alive()], timeout=0.2)
        for post in posts:
            post.look()
    for post in posts:
        if post.process.is_alive():
            post.process.terminate()
    until = time.monotonic() + PATIENCE
    for post in posts:
        post.close(until)


def work(number: int, queues: Sequence[str], pulse: Any) -> None:
    """In the process: Celery's worker without a pool."""
    os.setpgrp()  # Ctrl-C is the watchman's business
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, signal.SIG_DFL)
    watchman = os.getppid()
    worker: Any = app.Worker(
        hostname=f"gauntlet-{watchman}-{number}@%h",
        pool_cls="solo",
        concurrency=1,
        queues=queues or [queue.name for queue in settings.CELERY_TASK_QUEUES],
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
        quiet=True,
    )

    def begin(task: Task, **kwargs: Any) -> None:
        pulse.value = time.monotonic() + max(LONGEST_SILENCE, task.time_limit or 0)

    def beat() -> None:
        pulse.value = time.monotonic() + LONGEST_SILENCE
        if os.getppid() != watchman:  # nobody would replace us, or tell us to stop
            state.should_stop = 0  # type: ignore[assignment]

    listen_for_the_end()
    signals.task_prerun.connect(begin, weak=False)
    worker.timer.call_repeatedly(PULSE, beat)
    worker.start()
    sys.exit(worker.exitcode)


def listen_for_the_end() -> None:
    """Put long work down at SIGTERM: in a thread, because the main one may be deep in a solver or wait for a child."""
    ear, mouth = socket.socketpair()
    mouth.setblocking(False)
    signal.set_wakeup_fd(mouth.fileno(), warn_on_full_buffer=False)

    def listen() -> None:
        with mouth:  # kept open for as long as somebody listens
            while signal.SIGTERM not in ear.recv(64):
                pass
            while True:
                closing.begin()  # said again: a search may have been about to begin
                time.sleep(0.5)

    threading.Thread(target=listen, name="closing", daemon=True).start()

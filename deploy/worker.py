"""The worker program: processes that run one task at a time, and a supervisor that replaces any that dies or hangs.

Celery's own pool is not used: it can wait forever for children that were killed. Bots compute in separate processes, so
no pool is needed. The supervisor watches the working processes directly.
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
from celery import signals
from celery.worker import consumer, state
from django.conf import settings

from accounts.infra import shutdown
from deploy import metrics
from deploy.celery import app

PULSE = 1.0
# A process without a pulse for this long hangs. It has no pulse while it runs a task; a task may have a longer limit.
STALE_AFTER = 120.0
STOP_TIMEOUT = 30.0
MIN_PAUSE, MAX_PAUSE = 0.1, 10.0

log = structlog.get_logger("gauntlet.worker")
fork = multiprocessing.get_context("fork")


class Consumer(consumer.Consumer):
    """Celery's consumer, changed to survive a restart of the broker."""

    task_consumer: Any

    def ensure_connected(self, conn: Any) -> Any:
        """Try a lost broker every second. Celery would soon try only twice a minute."""
        conn.ensure_connection = partial(conn.ensure_connection, interval_start=1, interval_step=0, interval_max=1)
        return super().ensure_connected(conn)

    def on_connection_error_after_connected(self, exc: Exception) -> None:
        """Do not return tasks over a dead connection: Celery would crash. The database knows what is still to do."""
        self.task_consumer.channel.do_restore = False
        super().on_connection_error_after_connected(exc)


class WorkerSlot:
    """One slot of the worker and the process in it. `pulse` is the time until which the process counts as alive."""

    def __init__(self, number: int, queues: Sequence[str]) -> None:
        self.number, self.queues = number, queues
        self.pulse: Any = fork.Value("d", lock=False)
        self.pause = MIN_PAUSE
        self.start_process()

    def start_process(self) -> None:
        self.began = time.monotonic()
        self.pulse.value = self.began + STALE_AFTER
        self.vacant_until: float | None = None
        self.process = fork.Process(target=work, args=(self.number, self.queues, self.pulse))
        self.process.start()

    def check(self) -> None:
        now = time.monotonic()
        if self.process.is_alive():
            if now > self.pulse.value:
                log.error("a worker process hangs and is killed", post=self.number)
                self.process.kill()
        elif self.vacant_until is None:
            # If it dies at once, again and again, wait longer each time.
            self.pause = MIN_PAUSE if now - self.began > MAX_PAUSE else min(self.pause * 2, MAX_PAUSE)
            self.vacant_until = now + self.pause
            log.warning("a worker process is replaced", post=self.number, exit_code=self.process.exitcode)
        elif now >= self.vacant_until:
            self.start_process()

    def close(self, until: float) -> None:
        """Wait until the current task is finished or stopped. Kill the process if that takes too long."""
        self.process.join(max(0.0, until - time.monotonic()))
        if self.process.is_alive():
            log.error("a worker process did not end in time and is killed", post=self.number)
            self.process.kill()
            self.process.join()


def shares(processes: int, queues: Sequence[str]) -> list[list[str]]:
    """The queues that each process serves. One more process has the slow ones, so that nothing else waits for them."""
    served = list(queues) or [queue.name for queue in settings.CELERY_TASK_QUEUES]
    quick = [name for name in served if name not in settings.SLOW_QUEUES]
    slow = [name for name in served if name in settings.SLOW_QUEUES]
    if not quick or not slow:
        return [served] * processes
    return [*([quick] * processes), slow]


def run(processes: int, queues: Sequence[str]) -> None:
    """Work until SIGINT or SIGTERM."""
    received: list[int] = []
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, _: received.append(number))
    scrape = metrics.ScrapeServer(settings.METRICS_PORT) if settings.METRICS_PORT else None
    slots = [WorkerSlot(number, served) for number, served in enumerate(shares(processes, queues), start=1)]
    while not received:
        metrics.wait_or_answer(
            scrape, [slot.process.sentinel for slot in slots if slot.process.is_alive()], timeout=0.2
        )
        for slot in slots:
            slot.check()
    for slot in slots:
        if slot.process.is_alive():
            slot.process.terminate()
    until = time.monotonic() + STOP_TIMEOUT
    for slot in slots:
        slot.close(until)


def work(number: int, queues: Sequence[str], pulse: Any) -> None:
    """Runs in the process: Celery's worker without a pool."""
    os.setpgrp()  # the supervisor handles Ctrl-C
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, signal.SIG_DFL)
    supervisor = os.getppid()
    worker: Any = app.Worker(
        hostname=f"gauntlet-{supervisor}-{number}@%h",
        pool_cls="solo",
        concurrency=1,
        queues=queues,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
        quiet=True,
    )

    def begin(task: Any, **kwargs: Any) -> None:
        pulse.value = time.monotonic() + max(STALE_AFTER, task.time_limit or 0)

    def beat() -> None:
        pulse.value = time.monotonic() + STALE_AFTER
        if os.getppid() != supervisor:  # nobody would replace or stop this process
            state.should_stop = 0  # type: ignore[assignment]

    listen_for_sigterm()
    signals.task_prerun.connect(begin, weak=False)
    worker.timer.call_repeatedly(PULSE, beat)
    worker.start()
    sys.exit(worker.exitcode)


def listen_for_sigterm() -> None:
    """Stop long work at SIGTERM. In a thread, because the main one may be busy in a solver or wait for a child."""
    reader, writer = socket.socketpair()
    writer.setblocking(False)
    signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)

    def listen() -> None:
        with writer:  # keep it open while this thread reads
            while signal.SIGTERM not in reader.recv(64):
                pass
            while True:
                shutdown.request_shutdown()  # repeatedly: a search may just be starting
                time.sleep(0.5)

    threading.Thread(target=listen, name="closing", daemon=True).start()

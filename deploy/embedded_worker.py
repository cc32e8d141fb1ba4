"""Celery's worker and beat as threads of the web process: the whole site in one program."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from celery.beat import Scheduler, Service
from celery.worker import WorkController, state
from django.conf import settings

from accounts.infra import shutdown
from deploy.celery import app

WORKER_THREADS = 4


@contextmanager
def helpers() -> Iterator[None]:
    """Run a worker and beat while the block runs. At its end the current task is finished, or stopped if it is long."""
    worker = WorkController(
        app=app,
        hostname="embedded@localhost",
        pool_cls="threads",
        concurrency=WORKER_THREADS,
        queues=[queue.name for queue in settings.CELERY_TASK_QUEUES],
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    )
    work = threading.Thread(target=worker.start, name="worker", daemon=True)
    beat = Service(app, scheduler_cls=Scheduler, max_interval=1)
    tick = threading.Thread(target=beat.start, name="beat", daemon=True)
    work.start()
    tick.start()
    try:
        yield
    finally:
        beat.stop()
        # Celery's way to stop a worker that is not the main program: it reads this between two tasks.
        state.should_stop = 0  # type: ignore[assignment]
        app.send_task("deploy.tasks.sweep_announcements")  # wakes it up; otherwise it would sleep for two seconds
        for _ in range(60):
            shutdown.request_shutdown()  # repeatedly: a search may just be starting
            work.join(timeout=0.5)
            if not work.is_alive():
                break
        tick.join(timeout=5)

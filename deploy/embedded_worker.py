"""Celery's worker and beat as threads of the web process: the whole site in one program."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from celery import Celery
from celery.beat import Scheduler, Service
from celery.worker import WorkController, state
from django.conf import settings

from accounts.infra import shutdown
from deploy.celery import app

WORKER_THREADS = 4


@contextmanager
def helpers() -> Iterator[None]:
    """Run workers and beat while the block runs. At its end the current task is finished, or stopped if it is long.

    Slow work has a thread of its own, so that nothing else waits for it.
    """
    quick = [queue.name for queue in settings.CELERY_TASK_QUEUES if queue.name not in settings.SLOW_QUEUES]
    workers = [
        threading.Thread(target=worker.start, name="worker", daemon=True)
        for worker in (
            _worker(app, "embedded", WORKER_THREADS, quick),
            # Two event loops do not fit into one process, nor two choices of queues into one application.
            _worker(_application(), "slow", 1, settings.SLOW_QUEUES, use_eventloop=False),
        )
    ]
    beat = Service(app, scheduler_cls=Scheduler, max_interval=1)
    tick = threading.Thread(target=beat.start, name="beat", daemon=True)
    for work in workers:
        work.start()
    tick.start()
    try:
        yield
    finally:
        beat.stop()
        # Celery's way to stop a worker that is not the main program: it reads this between two tasks.
        state.should_stop = 0  # type: ignore[assignment]
        for queue in ("moves", *settings.SLOW_QUEUES):  # wakes them up; otherwise they would sleep for two seconds
            app.send_task("deploy.tasks.sweep_announcements", queue=queue)
        for _ in range(60):
            shutdown.request_shutdown()  # repeatedly: a search may just be starting
            for work in workers:
                work.join(timeout=0.25)
            if not any(work.is_alive() for work in workers):
                break
        tick.join(timeout=5)


def _application() -> Celery:
    """One more like that of the site, with the same tasks."""
    other = Celery("gauntlet", set_as_current=False)
    other.config_from_object("django.conf:settings", namespace="CELERY")
    other.autodiscover_tasks()
    return other


def _worker(
    application: Celery, name: str, threads: int, queues: list[str], use_eventloop: bool | None = None
) -> WorkController:
    return WorkController(
        app=application,
        hostname=f"{name}@localhost",
        pool_cls="threads",
        concurrency=threads,
        queues=queues,
        use_eventloop=use_eventloop,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    )

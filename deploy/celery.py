"""The Celery application, for `manage.py worker` and `celery -A deploy.celery beat`."""

import os
import time
from typing import Any

import structlog
from celery import Celery, signals
from structlog import contextvars

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

log = structlog.get_logger("gauntlet.task")

# Tasks whose first argument is the id of a match.
MATCH_TASKS = {"games.tasks.bot_turn", "leagues.tasks.pick_up"}

app = Celery("gauntlet")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@signals.setup_logging.connect
def keep_our_logs(**kwargs: Any) -> None:
    """Does nothing: with any receiver connected, Celery keeps the logging that Django configured."""


@signals.before_task_publish.connect
def send_request_id(headers: dict[str, Any], **kwargs: Any) -> None:
    request_id = contextvars.get_contextvars().get("request_id")
    if request_id:
        headers.setdefault("request_id", request_id)


@signals.task_prerun.connect
def bind_request_id(task_id: str, task: Any, args: Any = (), **kwargs: Any) -> None:
    contextvars.clear_contextvars()
    contextvars.bind_contextvars(task=task.name, task_id=task_id)
    task.request.began = time.perf_counter()
    if task.name in MATCH_TASKS and args:
        contextvars.bind_contextvars(match_id=args[0])
    request_id = getattr(task.request, "request_id", None) or (task.request.headers or {}).get("request_id")
    if request_id:
        contextvars.bind_contextvars(request_id=request_id)


@signals.task_prerun.connect
def check_connections(**kwargs: Any) -> None:
    from accounts.infra.db import drop_broken_connections

    drop_broken_connections()


@signals.task_postrun.connect
def log_task(task: Any, state: str = "", **kwargs: Any) -> None:
    """Measure every task. Log a line only for tasks caused by a request, not for beat's sweeps."""
    from accounts.infra import metrics

    if began := getattr(task.request, "began", None):
        metrics.TASKS.labels(task.name, state or "UNKNOWN").observe(time.perf_counter() - began)
    if "request_id" in contextvars.get_contextvars():
        log.info("task", state=state)
    contextvars.clear_contextvars()

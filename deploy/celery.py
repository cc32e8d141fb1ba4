"""The Celery application, for `manage.py worker` and `celery -A deploy.celery beat`."""

import os
import time
from typing import Any

import structlog
from celery import Celery, signals
from structlog import contextvars

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

log = structlog.get_logger("gauntlet.task")

# Tasks whose first argument is a match's number.
OF_A_MATCH = {"games.tasks.bot_turn", "leagues.tasks.pick_up"}

app = Celery("gauntlet")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@signals.setup_logging.connect
def keep_our_logs(**kwargs: Any) -> None:
    """Being connected is enough: Celery then leaves the logging that Django configured alone."""


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
    if task.name in OF_A_MATCH and args:
        contextvars.bind_contextvars(match_id=args[0])
    request_id = getattr(task.request, "request_id", None) or (task.request.headers or {}).get("request_id")
    if request_id:
        contextvars.bind_contextvars(request_id=request_id)


@signals.task_prerun.connect
def check_connections(**kwargs: Any) -> None:
    from accounts.databases import drop_broken_connections

    drop_broken_connections()


@signals.task_postrun.connect
def log_task(task: Any, state: str = "", **kwargs: Any) -> None:
    """One measure a task, and one line a task that somebody caused; beat's sweeps stay quiet."""
    from accounts import meters

    if began := getattr(task.request, "began", None):
        meters.TASKS.labels(task.name, state or "UNKNOWN").observe(time.perf_counter() - began)
    if "request_id" in contextvars.get_contextvars():
        log.info("task", state=state)
    contextvars.clear_contextvars()

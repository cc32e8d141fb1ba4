"""Structured logs: one line for each event, with the id of its request, and without secrets."""

import logging.config
import re
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog
from celery.exceptions import Reject
from structlog.dev import ConsoleRenderer, plain_traceback

SECRET_NAMES = re.compile(r"password|secret|token|cookie|authorization|session|seed", re.IGNORECASE)
# Confirmation, reset and invitation links carry their secret in the path: a long word with a digit in it.
SECRET_WORDS = re.compile(r"(?=[\w-]*\d)[\w-]{20,}|\bgauntlet_[\w-]{20,}")
# A person's calendar address, the unsubscribe link in an e-mail, and a sign-in link.
SECRET_PATHS = re.compile(r"(?<=/calendar/)[\w.-]+(?=\.ics)|(?<=/notices/stop/)[^/\s]+|(?<=/sign-in/)[^/\s]+")
CREDENTIALS = re.compile(r"(?<=://)[^/\s@]+@")
OPEN_NAMES = {"request_id", "task_id", "timestamp", "logger", "level", "exception"}


def configure(choice: dict[str, str]) -> None:
    """Send structlog's and the standard library's records through the same processors."""
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.stdlib.PositionalArgumentsFormatter(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    render: list[structlog.typing.Processor] = (
        [structlog.processors.format_exc_info, hide_secrets, structlog.processors.JSONRenderer()]
        if choice["format"] == "json"
        # The pretty tracebacks print local variables, passwords among them.
        else [hide_secrets, ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=plain_traceback)]
    )
    quiet = {"level": "WARNING", "propagate": True}
    logging.config.dictConfig(
        {
            "version": 1,
            "disable_existing_loggers": False,
            "formatters": {
                "line": {
                    "()": structlog.stdlib.ProcessorFormatter,
                    "foreign_pre_chain": [*shared, structlog.stdlib.ExtraAdder()],
                    "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *render],
                }
            },
            "filters": {"no_returned_tasks": {"()": lambda: is_no_returned_task}},
            "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
            "root": {"handlers": ["stderr"], "level": choice["level"].upper()},
            "loggers": {
                "django": {"handlers": [], "propagate": True},
                # These would repeat our own line for each request.
                "django.request": {"level": "ERROR", "propagate": True},
                "django.server": quiet,
                "uvicorn": {"handlers": [], "level": "WARNING", "propagate": True},
                "celery": quiet,
                "celery.app.trace": {"filters": ["no_returned_tasks"]},
                "kombu": quiet,
            },
        }
    )


def is_no_returned_task(record: logging.LogRecord) -> bool:
    """A task goes back to its queue when the program closes. No failure, but Celery logs a traceback."""
    return not (record.exc_info and isinstance(record.exc_info[1], Reject))


def hide_secrets(logger: Any, method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    event.pop("request", None)  # the path is logged separately
    for name, value in event.items():
        if SECRET_NAMES.search(name):
            event[name] = "[hidden]"
        elif isinstance(value, str) and name not in OPEN_NAMES:
            value = SECRET_WORDS.sub("[hidden]", SECRET_PATHS.sub("[hidden]", value))
            event[name] = CREDENTIALS.sub("[hidden]@", value)
    return event

"""Health checks for monitoring: whether the process is alive, and whether it is ready for visitors."""

from collections.abc import Callable

import structlog
from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from accounts.infra.realtime import hub
from deploy import preflight
from deploy.celery import app

# Bytes. Below this a write may fail at any moment.
MIN_FREE = 20 * 1024**2

log = structlog.get_logger("gauntlet.health")


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    return HttpResponse("ok", content_type="text/plain")


@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    report = {part.__name__: status_of(part) for part in (database, disk, broker, live)}
    return JsonResponse(report, status=200 if set(report.values()) == {"ok"} else 503)


def status_of(part: Callable[[], None]) -> str:
    try:
        part()
    except Exception as error:
        log.warning("not ready", part=part.__name__, error=repr(error))
        return "failing"
    return "ok"


def database() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    preflight.check_schema()


def disk() -> None:
    """A site that can store no move is not ready, though it still answers."""
    free, place = preflight.least_free_space()
    if free < MIN_FREE:
        raise OSError(f"{free / 1024**2:.0f} MB free under {place}")


def broker() -> None:
    with app.connection_for_write(connect_timeout=2) as broker:
        broker.ensure_connection(max_retries=1, interval_start=0, timeout=2)


def live() -> None:
    if not hub.serving():
        raise ConnectionError("the live hub has lost its channel layer")

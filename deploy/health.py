"""Answers for whoever watches over the processes: alive, and ready for visitors."""

from collections.abc import Callable

import structlog
from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from accounts.live import hub
from deploy import preflight
from deploy.celery import app

log = structlog.get_logger("gauntlet.health")


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    return HttpResponse("ok", content_type="text/plain")


@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    report = {"database": ask(database), "broker": ask(broker), "live": ask(live)}
    return JsonResponse(report, status=200 if set(report.values()) == {"ok"} else 503)


def ask(part: Callable[[], None]) -> str:
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


def broker() -> None:
    with app.connection_for_write(connect_timeout=2) as broker:
        broker.ensure_connection(max_retries=1, interval_start=0, timeout=2)


def live() -> None:
    if not hub.serving():
        raise ConnectionError("the live hub has lost its channel layer")

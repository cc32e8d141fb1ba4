"""Metrics in the format of Prometheus: `/metrics` of each web process and of each worker."""

import hmac
import os
import socketserver
from collections.abc import Iterable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from ipaddress import ip_address
from multiprocessing.connection import wait
from typing import Any

import structlog
from django.conf import settings
from django.core.management.base import CommandError
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector

from deploy.celery import app

log = structlog.get_logger("gauntlet.metrics")


def may_read(address: str, authorization: str, *, forwarded: bool) -> bool:
    """Whether the metrics may be read: with the token or, if none is set, from this machine and its private network.

    A request through a proxy always comes from a private address: such a request needs the token.
    """
    if settings.METRICS_TOKEN:
        return hmac.compare_digest(authorization.encode(), f"Bearer {settings.METRICS_TOKEN}".encode())
    try:
        return not forwarded and ip_address(address).is_private
    except ValueError:
        return False


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    forwarded = any(name in request.headers for name in ("X-Forwarded-For", "X-Forwarded-Host", "Forwarded"))
    if not may_read(request.META.get("REMOTE_ADDR", ""), request.headers.get("Authorization", ""), forwarded=forwarded):
        return HttpResponse("not open to you\n", status=HTTPStatus.FORBIDDEN, content_type="text/plain")
    return HttpResponse(generate_latest(REGISTRY) + generate_latest(SITE), content_type=CONTENT_TYPE_LATEST)


# -- read from the database and the broker for each request


class SiteCollector:
    """The state of the whole site, the same from every web process."""

    def collect(self) -> Iterable[Metric]:
        for part in (queues, matches, beat):
            try:
                yield from part()
            except Exception as error:  # one part that does not answer must not hide the others
                log.warning("not measured", part=part.__name__, error=repr(error))


def queues() -> Iterable[Metric]:
    depth = GaugeMetricFamily("gauntlet_queue_depth", "Tasks that wait for a worker.", labels=["queue"])
    with app.connection_for_read(connect_timeout=2) as broker:
        for queue in settings.CELERY_TASK_QUEUES:
            declared: Any = queue(broker.default_channel).queue_declare()
            depth.add_metric([queue.name], declared.message_count)
    yield depth


def matches() -> Iterable[Metric]:
    from games.models import Match

    playing = Match.objects.filter(status=Match.Status.PLAYING)
    yield GaugeMetricFamily("gauntlet_matches_playing", "Matches being played.", value=playing.count())
    overdue = playing.filter(pace=0, bot_due__lte=timezone.now()).count()
    yield GaugeMetricFamily("gauntlet_bots_owed", "Matches that wait for a bot's answer.", value=overdue)


def beat() -> Iterable[Metric]:
    from deploy.models import Pulse

    if last := Pulse.objects.filter(name=Pulse.BEAT).values_list("at", flat=True).first():
        age = (timezone.now() - last).total_seconds()
        yield GaugeMetricFamily("gauntlet_beat_age_seconds", "Seconds since the last signal of beat.", value=age)


SITE = CollectorRegistry(auto_describe=False)
SITE.register(SiteCollector())


# -- a worker has no pages: its supervisor answers


class Scrape(BaseHTTPRequestHandler):
    timeout = 2  # the supervisor cannot wait for a slow reader

    def do_GET(self) -> None:
        allowed = may_read(self.client_address[0], self.headers.get("Authorization", ""), forwarded=False)
        if self.path == "/healthz":
            self.answer(b"ok", "text/plain")
        elif self.path != "/metrics":
            self.send_error(HTTPStatus.NOT_FOUND)
        elif not allowed:
            self.send_error(HTTPStatus.FORBIDDEN)
        else:
            registry = CollectorRegistry()
            MultiProcessCollector(registry)
            self.answer(generate_latest(registry), CONTENT_TYPE_LATEST)

    def answer(self, body: bytes, kind: str) -> None:
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


class ScrapeServer(socketserver.TCPServer):
    """Answers between two checks of the processes. It has no thread: a fork could break it."""

    allow_reuse_address = True
    timeout = 0

    def __init__(self, port: int) -> None:
        try:
            super().__init__(("", port), Scrape)
        except OSError as error:
            raise CommandError(
                f"cannot show metrics on port {port} ({error.strerror}): set GAUNTLET_METRICS_PORT"
            ) from None
        # Otherwise a process that outlives the supervisor would keep the port occupied.
        os.register_at_fork(after_in_child=self.server_close)


def wait_or_answer(scrape: ScrapeServer | None, sentinels: list[int], timeout: float) -> None:
    """Wait until a process ends or a request has been answered."""
    if scrape is None:
        wait(sentinels, timeout)
    elif scrape.fileno() in wait([*sentinels, scrape.fileno()], timeout):
        scrape.handle_request()

"""What every answer of the site passes through."""

import re
import time
from collections.abc import Callable
from uuid import uuid4

import structlog
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.decorators import sync_only_middleware
from structlog.contextvars import bound_contextvars
from whitenoise.base import StaticFile
from whitenoise.middleware import WhiteNoiseMiddleware

Handler = Callable[[HttpRequest], HttpResponse]
REQUEST_ID = re.compile(r"[A-Za-z0-9-]{8,64}")

# Asked every few seconds by whoever watches over the process.
PROBES = {"healthz", "readyz"}

log = structlog.get_logger("gauntlet.web")


@sync_only_middleware
def request_log(get_response: Handler) -> Handler:
    """One log line a request, and an id that follows it into tasks and back to the visitor."""

    def middleware(request: HttpRequest) -> HttpResponse:
        given = request.headers.get("X-Request-ID", "")
        request_id = given if REQUEST_ID.fullmatch(given) else uuid4().hex
        began = time.perf_counter()
        with bound_contextvars(request_id=request_id):
            response = get_response(request)
            match = request.resolver_match
            # The route and not the path: a path may carry an invitation's secret.
            if match and match.url_name not in PROBES:
                log.info(
                    "request",
                    method=request.method,
                    route=match.route,
                    status=response.status_code,
                    ms=round((time.perf_counter() - began) * 1000, 1),
                )
        response["X-Request-ID"] = request_id
        return response

    return middleware


@sync_only_middleware
def content_security(get_response: Handler) -> Handler:
    """Only our own files may run, be shown or be called by our pages."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.setdefault("Content-Security-Policy", settings.CONTENT_SECURITY_POLICY)
        return response

    return middleware


class StaticFiles(WhiteNoiseMiddleware):
    """Whitenoise with whole answers: its streamed ones are slower and warned about under ASGI."""

    @staticmethod
    def serve(static_file: StaticFile, request: HttpRequest) -> HttpResponse:
        found = static_file.get_response(request.method, request.META)
        body = b""
        if found.file is not None:
            with found.file as file:
                body = file.read()
        response = HttpResponse(body, status=int(found.status))
        del response["Content-Type"]
        for name, value in found.headers:
            response[name] = value
        return response

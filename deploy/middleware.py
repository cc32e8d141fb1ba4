"""What every answer of the site passes through."""

import re
import time
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import structlog
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.decorators import sync_only_middleware
from structlog.contextvars import bind_contextvars, bound_contextvars, unbind_contextvars
from whitenoise.base import StaticFile
from whitenoise.middleware import WhiteNoiseMiddleware

from accounts import meters

Handler = Callable[[HttpRequest], HttpResponse]
REQUEST_ID = re.compile(r"[A-Za-z0-9-]{8,64}")

# Asked every few seconds by whoever watches over the process.
PROBES = {"healthz", "readyz", "metrics"}
OF_A_MATCH = ("play/", "api/v1/tables/", "api/v1/matches/")
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}

log = structlog.get_logger("gauntlet.web")


@sync_only_middleware
def request_log(get_response: Handler) -> Handler:
    """One log line and one measure a request, and an id that follows it into tasks and back to the visitor."""

    def middleware(request: HttpRequest) -> HttpResponse:
        given = request.headers.get("X-Request-ID", "")
        request_id = given if REQUEST_ID.fullmatch(given) else uuid4().hex
        began = time.perf_counter()
        with bound_contextvars(request_id=request_id):
            response = get_response(request)
            note(request, response, time.perf_counter() - began)
            unbind_contextvars("match")
        response["X-Request-ID"] = request_id
        return response

    # Django asks a middleware for it by this name, once it knows the view and before it is called.
    middleware.process_view = name_match  # type: ignore[attr-defined]
    return middleware


def name_match(request: HttpRequest, view: Handler, args: Any, kwargs: dict[str, Any]) -> None:
    """Whatever is logged while a match's page is answered says which match it was."""
    if request.resolver_match and request.resolver_match.route.startswith(OF_A_MATCH) and "key" in kwargs:
        bind_contextvars(match=kwargs["key"])


def note(request: HttpRequest, response: HttpResponse, seconds: float) -> None:
    match = request.resolver_match
    if match and match.url_name in PROBES:
        return
    method = request.method if request.method in METHODS else "other"
    # The route and not the path: a path may carry an invitation's secret.
    meters.REQUESTS.labels(method, match.route if match else "(none)", response.status_code).observe(seconds)
    if match:
        log.info(
            "request",
            method=request.method,
            route=match.route,
            status=response.status_code,
            ms=round(seconds * 1000, 1),
        )


@sync_only_middleware
def forms_address(get_response: Handler) -> Handler:
    """Somebody opened an address that only takes forms, as after logging in again: say so, and lead on."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        opened = request.method == "GET" and "text/html" in request.headers.get("Accept", "")
        if response.status_code != 405 or not opened or request.path.startswith("/api/"):
            return response
        page = render(request, "405.html", status=405)
        page["Allow"] = response["Allow"]
        return page

    return middleware


@sync_only_middleware
def content_security(get_response: Handler) -> Handler:
    """Only our own files may run, be shown or be called by our pages, and what is somebody's own is kept for nobody."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        session = getattr(request, "session", None)
        if session is not None and session.accessed:
            response.headers.setdefault("Cache-Control", "private, no-cache")
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

"""Middleware: every response of the site passes through it."""

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

from accounts.infra import metrics
from deploy import phone

Handler = Callable[[HttpRequest], HttpResponse]
REQUEST_ID = re.compile(r"[A-Za-z0-9-]{8,64}")

# Requested every few seconds by monitoring.
PROBES = {"healthz", "readyz", "metrics"}
MATCH_ROUTES = ("play/", "api/v1/tables/", "api/v1/matches/")
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}

log = structlog.get_logger("gauntlet.web")


@sync_only_middleware
def request_log(get_response: Handler) -> Handler:
    """Log and measure every request. Its id goes into tasks and back to the visitor."""

    def middleware(request: HttpRequest) -> HttpResponse:
        given = request.headers.get("X-Request-ID", "")
        request_id = given if REQUEST_ID.fullmatch(given) else uuid4().hex
        began = time.perf_counter()
        with bound_contextvars(request_id=request_id):
            response = get_response(request)
            log_request(request, response, time.perf_counter() - began)
            unbind_contextvars("match")
        response["X-Request-ID"] = request_id
        return response

    # Django calls this attribute of a middleware after it has found the view and before it calls it.
    middleware.process_view = name_match  # type: ignore[attr-defined]
    return middleware


def name_match(request: HttpRequest, view: Handler, args: Any, kwargs: dict[str, Any]) -> None:
    """Add the key of the match to all log lines of a request about a match."""
    if request.resolver_match and request.resolver_match.route.startswith(MATCH_ROUTES) and "key" in kwargs:
        bind_contextvars(match=kwargs["key"])


def log_request(request: HttpRequest, response: HttpResponse, seconds: float) -> None:
    match = request.resolver_match
    if match and match.url_name in PROBES:
        return
    method = request.method if request.method in METHODS else "other"
    # The route, not the path: a path may contain the secret of an invitation.
    metrics.REQUESTS.labels(method, match.route if match else "(none)", response.status_code).observe(seconds)
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
    """Show a helpful page if someone opens an address that only accepts forms, for example after logging in again."""

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
    """Our pages may only load our own files, and personal pages are not cached."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        session = getattr(request, "session", None)
        if session is not None and session.accessed:
            response.headers.setdefault("Cache-Control", "private, no-cache")
        response.setdefault("Content-Security-Policy", settings.CONTENT_SECURITY_POLICY)
        return response

    return middleware


@sync_only_middleware
def for_whom(get_response: Handler) -> Handler:
    """Say in every page for which log-in it was made, so that the service worker never mixes two of them."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        is_page = response.get("Content-Type", "").startswith("text/html")
        # An error page says nothing about its reader: the database may be the cause.
        if is_page and response.status_code < 500 and "public" not in response.get("Cache-Control", ""):
            response[phone.READER] = phone.reader_mark(request)
        return response

    return middleware


INDENTED = re.compile(rb"\n\s+")


@sync_only_middleware
def without_indentation(get_response: Handler) -> Handler:
    """Send pages without the indentation of their templates, which is a tenth of a large page."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        is_page = not response.streaming and response.get("Content-Type", "").startswith("text/html")
        # White space is text in these two elements.
        if is_page and b"<pre" not in response.content and b"<textarea" not in response.content:
            response.content = INDENTED.sub(b"\n", response.content)
        return response

    return middleware


class StaticFiles(WhiteNoiseMiddleware):
    """Whitenoise with complete responses: streamed ones are slower, and Django warns about them under ASGI."""

    @staticmethod
    def serve(static_file: StaticFile, request: HttpRequest) -> HttpResponse:
        file_response = static_file.get_response(request.method, request.META)
        body = b""
        if file_response.file is not None:
            with file_response.file as file:
                body = file.read()
        response = HttpResponse(body, status=int(file_response.status))
        del response["Content-Type"]
        for name, value in file_response.headers:
            response[name] = value
        return response

"""Limits of the size of requests, before anything reads them: also of those that do not say how long they are.

A proxy in front has limits too; this one holds without it. A body that is too long is answered at once, and the rest
of it is never kept.
"""

from collections.abc import Awaitable, Callable
from typing import Any

from django.conf import settings
from django.utils import translation
from django.utils.html import escape
from django.utils.translation import gettext as _
from django.utils.translation.trans_real import parse_accept_lang_header

from accounts.infra.input import whole_number
from accounts.infra.rest import problems

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

USUAL = 2 * 1024 * 1024
API = 256 * 1024
ARCHIVE = 21 * 1024 * 1024
"""The largest archive of a league, and the form around it."""


def limit_of(path: str) -> int:
    if path.startswith("/api/"):
        return API
    if path.startswith("/leagues/clubs/") and path.endswith("/import/"):
        return ARCHIVE
    return USUAL


def limit_bodies(application: Any) -> Application:
    async def limited(scope: Scope, receive: Receive, send: Send) -> None:
        limit = limit_of(scope["path"])
        if _declared_length(scope) > limit:
            await _refuse(scope, send, limit)
            return
        received, is_answered = 0, False

        async def counted() -> dict[str, Any]:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            # The application gives up what it has read, as if the sender had gone.
            return {"type": "http.disconnect"} if received > limit else message

        async def noted(message: dict[str, Any]) -> None:
            nonlocal is_answered
            is_answered = True
            await send(message)

        await application(scope, counted, noted)
        if received > limit and not is_answered:
            await _refuse(scope, send, limit)

    return limited


def _declared_length(scope: Scope) -> int:
    """What the header says; a number that is too long to read is too large, too."""
    for name, value in scope["headers"]:
        if name.lower() == b"content-length":
            length = whole_number(value.decode("latin-1"))
            return 2**62 if length is None else length
    return 0


async def _refuse(scope: Scope, send: Send, limit: int) -> None:
    with translation.override(_language(scope)):
        words = _("The request is larger than %(size)s kB. Nothing was changed: send less at a time.")
        words, title = words % {"size": limit // 1024}, _("Too large")
    if scope["path"].startswith("/api/"):
        response = problems.plain("too-large", words)
        content, kind = response.content, response.headers["Content-Type"].encode()
    else:
        page = f"<!doctype html><meta charset=utf-8><title>{escape(title)}</title><h1>{escape(title)}</h1>"
        content, kind = f"{page}<p>{escape(words)}</p>".encode(), b"text/html; charset=utf-8"
    headers = [(b"content-type", kind), (b"content-length", str(len(content)).encode()), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": content})


def _language(scope: Scope) -> str:
    """The browser's language: there is no session yet."""
    for name, value in scope["headers"]:
        if name.lower() == b"accept-language":
            for code, _weight in parse_accept_lang_header(value.decode("latin-1")[:200]):
                try:
                    return translation.get_supported_language_variant(code)
                except LookupError:
                    continue
    return settings.LANGUAGE_CODE

"""The web side of the house: pages and live sockets in one ASGI application."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

from django.core.asgi import get_asgi_application

pages = get_asgi_application()

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator, WebsocketDenier
from django.urls import path, re_path

from accounts.live import hub, publish
from accounts.live.consumer import live
from deploy import celery
from games.live import botstream

__all__ = ["application", "celery"]

Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


async def lifespan(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """Ties publishing and the hub to the server's own event loop for as long as it runs."""
    await receive()
    publish.bind(asyncio.get_running_loop())
    supervisor = asyncio.create_task(hub.current().run())
    await send({"type": "lifespan.startup.complete"})
    try:
        await receive()
    except asyncio.CancelledError:  # an impatient second Ctrl-C: the loop is being torn down around us
        return
    publish.release()
    supervisor.cancel()
    await asyncio.gather(supervisor, return_exceptions=True)
    await send({"type": "lifespan.shutdown.complete"})


# Django's types know only views, while Channels routes any ASGI application.
sockets = URLRouter([path("ws/", live), re_path(r"", WebsocketDenier.as_asgi())])  # type: ignore[arg-type]
# A bot's program shows its token, which no page of another site has: it needs no origin.
doors = URLRouter(
    [
        path("ws/bot/", botstream.socket),  # type: ignore[arg-type]
        re_path(r"", AllowedHostsOriginValidator(AuthMiddlewareStack(sockets))),
    ]
)
application = ProtocolTypeRouter(
    {
        "http": pages,
        "websocket": doors,
        "lifespan": lifespan,
    }
)

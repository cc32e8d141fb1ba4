"""The web application: pages and live sockets in one ASGI application."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

from django.core.asgi import get_asgi_application

pages = get_asgi_application()

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import WebsocketDenier
from django.urls import path, re_path

from accounts.infra.realtime import hub, publish
from accounts.infra.realtime.consumer import live
from deploy import celery
from deploy.body_limits import limit_bodies
from deploy.socket_origin import SameOriginOnly
from deploy.trial_sockets import TrialSockets
from games.user_bots import stream

__all__ = ["application", "celery"]

Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


async def lifespan(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """Connects publishing and the hub to the event loop of the server while it runs."""
    await receive()
    publish.attach_loop(asyncio.get_running_loop())
    supervisor = asyncio.create_task(hub.current().run())
    await send({"type": "lifespan.startup.complete"})
    try:
        await receive()
    except asyncio.CancelledError:  # a second Ctrl-C: the loop is being closed
        return
    publish.detach_loop()
    supervisor.cancel()
    await asyncio.gather(supervisor, return_exceptions=True)
    await send({"type": "lifespan.shutdown.complete"})


# Django's types know only views, while Channels routes any ASGI application.
sockets = URLRouter([path("ws/", live), re_path(r"", WebsocketDenier.as_asgi())])  # type: ignore[arg-type]
# A bot program sends its token, which no page of another site has: its origin is not checked.
all_sockets = URLRouter(
    [
        path("ws/bot/", stream.socket),  # type: ignore[arg-type]
        re_path(r"", SameOriginOnly(AuthMiddlewareStack(TrialSockets(sockets)))),
    ]
)
application = ProtocolTypeRouter(
    {
        "http": limit_bodies(pages),
        "websocket": all_sockets,
        "lifespan": lifespan,
    }
)

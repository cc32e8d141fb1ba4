"""One way out: a frame for a group, from any thread of any process."""

import asyncio
import json
import os
import threading
from concurrent.futures import Future
from typing import Any

import structlog
from channels.layers import get_channel_layer

log = structlog.get_logger("gauntlet.live")

_guard = threading.Lock()
# The loop that sends, and the process it belongs to: a forked child inherits the loop but not its thread.
_home: tuple[int, asyncio.AbstractEventLoop] | None = None


def frame(event: str, **data: Any) -> str:
    """A frame as pages expect it: what happened, and the details."""
    return json.dumps({"event": event, **data}, separators=(",", ":"), ensure_ascii=False)


def publish(group: str, text: str) -> None:
    """Hand a frame to everyone who listens to the group. Fire and forget: call it after commit."""
    _send(group, {"type": "frame", "group": group, "text": text})


def recheck(group: str) -> None:
    """Have every listener of the group asked again who they are and whether they may still listen."""
    _send(group, {"type": "recheck", "group": group})


def bind(loop: asyncio.AbstractEventLoop) -> None:
    """This process serves sockets on this loop: send from there, so that the loop wakes up for it."""
    global _home
    _home = (os.getpid(), loop)


def release() -> None:
    global _home
    _home = None


def _send(group: str, message: dict[str, str]) -> None:
    asyncio.run_coroutine_threadsafe(_deliver(group, message), _loop()).add_done_callback(_complain)


async def _deliver(group: str, message: dict[str, str]) -> None:
    await get_channel_layer().group_send(group, message)


def _complain(sent: "Future[None]") -> None:
    if not sent.cancelled() and (error := sent.exception()):
        log.warning("frame lost", error=repr(error))


def _loop() -> asyncio.AbstractEventLoop:
    """The server's loop where there is one, else a loop thread of our own, one per process."""
    global _home
    with _guard:
        if _home is None or _home[0] != os.getpid() or _home[1].is_closed():
            loop = asyncio.new_event_loop()
            threading.Thread(target=loop.run_forever, name="publish", daemon=True).start()
            _home = (os.getpid(), loop)
        return _home[1]

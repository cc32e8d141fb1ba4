"""Send a frame to a group, from any thread of any process."""

import asyncio
import json
import os
import threading
from collections.abc import Iterable
from concurrent.futures import Future
from typing import Any

import structlog
from channels.layers import get_channel_layer

log = structlog.get_logger("gauntlet.live")

_encode = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode
_guard = threading.Lock()
# The loop that sends, and the process it belongs to: a forked child inherits the loop but not its thread.
_home: tuple[int, asyncio.AbstractEventLoop] | None = None


def frame(event: str, **data: Any) -> str:
    """A frame as pages expect it: the event and its data."""
    return _encode({"event": event, **data})


def publish(group: str, text: str) -> None:
    """Send a frame to all listeners of the group, without waiting. Call it after commit."""
    publish_all([(group, text)])


def publish_all(frames: Iterable[tuple[str, str]]) -> None:
    """Several frames in order, each for its group. Frames of one channel group are one message."""
    carried: dict[str, list[tuple[str, str]]] = {}
    for group, text in frames:
        carried.setdefault(channel_group_of(group), []).append((group, text))
    _send({name: {"type": "frames", "frames": several} for name, several in carried.items()})


def recheck(group: str) -> None:
    """Make every listener of the group check its session and permissions again."""
    _send({channel_group_of(group): {"type": "recheck", "group": group}})


def channel_group_of(group: str) -> str:
    """The layer's group that carries this one: groups with the same name before the slash share it."""
    return group.partition("/")[0]


def attach_loop(loop: asyncio.AbstractEventLoop) -> None:
    """This process serves sockets on this loop: send from it, so that the loop wakes up."""
    global _home
    _home = (os.getpid(), loop)


def detach_loop() -> None:
    global _home
    _home = None


def _send(messages: dict[str, dict[str, Any]]) -> None:
    asyncio.run_coroutine_threadsafe(_deliver(messages), _loop()).add_done_callback(_complain)


async def _deliver(messages: dict[str, dict[str, Any]]) -> None:
    layer = get_channel_layer()
    for name, message in messages.items():
        await layer.group_send(name, message)


def _complain(sent: "Future[None]") -> None:
    if not sent.cancelled() and (error := sent.exception()):
        log.warning("frame lost", error=repr(error))


def _loop() -> asyncio.AbstractEventLoop:
    """The server's loop if there is one, else a loop in its own thread, one per process."""
    global _home
    with _guard:
        if _home is None or _home[0] != os.getpid() or _home[1].is_closed():
            loop = asyncio.new_event_loop()
            threading.Thread(target=loop.run_forever, name="publish", daemon=True).start()
            _home = (os.getpid(), loop)
        return _home[1]

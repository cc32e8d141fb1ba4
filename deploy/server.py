"""How uvicorn serves the house, embedded or in production."""

import errno
import signal
import socket
from typing import Any

import uvicorn
from django.conf import settings
from django.core.management.base import CommandError
from django.http.request import validate_host
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from accounts.live.consumer import SHORT_WAY
from games.live import botstream

# Above this the protocol closes the connection; below it an oversized message is answered with an error.
LARGEST_FRAME = 1024 * 1024


class Protocol(WebSocketsSansIOProtocol):
    """Uvicorn's own, with a short way out for what a thousand sockets get alike: bytes that are framed already.

    Without compression and masks a frame has the same bytes for everyone.
    """

    async def run_asgi(self) -> None:
        self.scope.setdefault("extensions", {})[SHORT_WAY] = self.write_now  # type: ignore[assignment]
        await super().run_asgi()

    def write_now(self, wire: bytes) -> bool:
        """Whether it went out; a socket that does not keep up has to be waited for."""
        if not self.writable.is_set() or self.close_sent or self.disconnected or self.transport.is_closing():
            return False
        self.transport.write(wire)
        return True


def open_port(host: str, port: int) -> socket.socket:
    """The listening socket, taken before anything else is touched."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(1024)
    except (OSError, OverflowError) as error:
        listener.close()
        if getattr(error, "errno", None) == errno.EADDRINUSE:
            raise CommandError(
                f"port {port} on {host} is taken: stop the other program or choose another port with --port {port + 1}"
            ) from None
        raise CommandError(f"cannot listen on {host} port {port}: {error}") from None
    return listener


def address(listener: socket.socket) -> str:
    """Where the house is found on this machine."""
    return addresses(listener)[0]


def addresses(listener: socket.socket) -> list[str]:
    """What people can type: a house that listens everywhere is found here and in the network."""
    host, port = listener.getsockname()[:2]
    if host not in ("0.0.0.0", "::"):  # noqa: S104
        found = [host]
    else:
        near = own_address(listener.family)
        # An address that visitors would be refused under is none.
        here = "127.0.0.1" if listener.family == socket.AF_INET else "::1"
        found = [here, near if validate_host(near, settings.ALLOWED_HOSTS) else ""]
    return [f"http://[{one}]:{port}" if ":" in one else f"http://{one}:{port}" for one in dict.fromkeys(found) if one]


def own_address(family: int) -> str:
    """This machine's address in its network, or nothing without one. Nothing is sent: only the way out is looked up."""
    outside = "2001:db8::1" if family == socket.AF_INET6 else "192.0.2.1"
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((outside, 9))
        except OSError:
            return ""
        return str(probe.getsockname()[0])


def check_reach(host: str) -> None:
    """Opening the house to the network without saying under which names would refuse every visitor."""
    if host not in ("localhost", "127.0.0.1", "::1") and not settings.PUBLIC_HOSTS:
        raise CommandError(
            f"--host {host} opens the house to the network: set GAUNTLET_HOSTS to the names or addresses people "
            "will type (and GAUNTLET_HTTPS=off if no proxy gives you https)"
        )


class Server(uvicorn.Server):
    """Answers without end are ended when it shuts down: it would wait for them in vain."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        botstream.close_all()
        await super().shutdown(sockets)


def server(**options: Any) -> uvicorn.Server:
    config = uvicorn.Config(
        "deploy.asgi:application",
        ws=Protocol,
        ws_per_message_deflate=False,
        ws_max_size=LARGEST_FRAME,
        lifespan="on",
        log_config=None,
        access_log=False,
        # Django and allauth read the proxies' headers, by their number; uvicorn would believe any visitor's.
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=10,
        **options,
    )
    return Server(config)


def serve_until_told(listener: socket.socket) -> None:
    """Serve until SIGINT or SIGTERM, then return.

    Uvicorn raises the signal again once it has shut down; our own handler takes it, so that what comes after
    serving still runs and the program ends with 0.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)
    server().run(sockets=[listener])

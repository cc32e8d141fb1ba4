"""Runs uvicorn, for `manage.py serve` and `manage.py web`."""

import errno
import signal
import socket
from typing import Any

import uvicorn
from django.conf import settings
from django.core.management.base import CommandError
from django.http.request import validate_host
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from accounts.infra.realtime.consumer import DIRECT_WRITE_EXTENSION
from games.user_bots import stream

# Above this the protocol closes the connection; below it an oversized message is answered with an error.
MAX_FRAME_SIZE = 1024 * 1024


class Protocol(WebSocketsSansIOProtocol):
    """Uvicorn's protocol, with a direct write for messages that many sockets get: their bytes are framed only once.

    Without compression and masks a frame has the same bytes for everyone.
    """

    async def run_asgi(self) -> None:
        self.scope.setdefault("extensions", {})[DIRECT_WRITE_EXTENSION] = self.write_now  # type: ignore[assignment]
        await super().run_asgi()

    def write_now(self, wire: bytes) -> bool:
        """Write at once if possible. False if the socket is slow: then the caller has to wait for it."""
        if not self.writable.is_set() or self.close_sent or self.disconnected or self.transport.is_closing():
            return False
        self.transport.write(wire)
        return True


def open_port(host: str, port: int) -> socket.socket:
    """Open the listening socket, before anything else is changed."""
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
                f"port {port} on {host} is in use: stop the other program or choose another port with --port {port + 1}"
            ) from None
        raise CommandError(f"cannot listen on {host} port {port}: {error}") from None
    return listener


def address(listener: socket.socket) -> str:
    """The address of the site on this machine."""
    return addresses(listener)[0]


def addresses(listener: socket.socket) -> list[str]:
    """The addresses that people can type. A server that listens everywhere has one here and one in the network."""
    host, port = listener.getsockname()[:2]
    if host not in ("0.0.0.0", "::"):  # noqa: S104
        hosts = [host]
    else:
        network = own_address(listener.family)
        # An address that would be refused is left out.
        here = "127.0.0.1" if listener.family == socket.AF_INET else "::1"
        hosts = [here, network if validate_host(network, settings.ALLOWED_HOSTS) else ""]
    return [f"http://[{one}]:{port}" if ":" in one else f"http://{one}:{port}" for one in dict.fromkeys(hosts) if one]


def own_address(family: int) -> str:
    """This machine's address in its network, or an empty string. Nothing is sent: only the route is looked up."""
    outside = "2001:db8::1" if family == socket.AF_INET6 else "192.0.2.1"
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((outside, 9))
        except OSError:
            return ""
        return str(probe.getsockname()[0])


def check_exposure(host: str) -> None:
    """Refuse to listen on the network without GAUNTLET_HOSTS: every visitor would be refused."""
    if host not in ("localhost", "127.0.0.1", "::1") and not settings.PUBLIC_HOSTS:
        raise CommandError(
            f"--host {host} opens the site to the network: set GAUNTLET_HOSTS to the names or addresses people "
            "will type (and GAUNTLET_HTTPS=off if no proxy gives you https)"
        )


class Server(uvicorn.Server):
    """Closes endless responses when it shuts down: it would wait for them forever."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        stream.close_all()
        await super().shutdown(sockets)


def server(**options: Any) -> uvicorn.Server:
    config = uvicorn.Config(
        "deploy.asgi:application",
        ws=Protocol,
        ws_per_message_deflate=False,
        ws_max_size=MAX_FRAME_SIZE,
        lifespan="on",
        log_config=None,
        access_log=False,
        # Django and allauth read the headers of the known proxies. Uvicorn would trust those of any visitor.
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=10,
        **options,
    )
    return Server(config)


def serve_until_stopped(listener: socket.socket) -> None:
    """Serve until SIGINT or SIGTERM, then return.

    Uvicorn raises the signal again after its shutdown. Our handler ignores it, so that the code after serving still
    runs and the program ends with exit code 0.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)
    server().run(sockets=[listener])

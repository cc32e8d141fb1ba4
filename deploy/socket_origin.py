"""Only pages of this site may open its sockets: their origin is the address at which the socket is asked for."""

from collections.abc import Awaitable, Callable, Iterable
from typing import Any
from urllib.parse import urlsplit

from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.http.request import split_domain_port, validate_host

Application = Callable[[dict[str, Any], Any, Any], Awaitable[Any]]
PORTS = {"http": "80", "https": "443"}


class SameOriginOnly:
    """Lets a socket through if host and port of its origin are those it asks for: another port is another program."""

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> Any:
        if is_same_origin(scope.get("headers", [])):
            return await self.application(scope, receive, send)
        return await WebsocketDenier()(scope, receive, send)


def is_same_origin(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    named = {name: value.decode("latin1") for name, value in headers if name in (b"origin", b"host")}
    try:
        origin = urlsplit(named.get(b"origin", ""))
        _ = origin.port
    except ValueError:
        return False
    if origin.scheme not in (("https",) if settings.HTTPS else PORTS) or "@" in origin.netloc:
        return False
    domain, port = split_domain_port(named.get(b"host", ""))
    if not domain or not validate_host(domain, settings.ALLOWED_HOSTS):
        return False
    default = PORTS[origin.scheme]
    return split_with(origin.netloc, default) == (domain, port or default)


def split_with(address: str, default: str) -> tuple[str, str]:
    domain, port = split_domain_port(address)
    return domain, port or default

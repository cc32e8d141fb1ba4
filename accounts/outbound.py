"""Requests to addresses that people typed in: never into our own network, never for long, never much.

The name is looked up once, every address it has is checked, and the connection goes to a checked one: a name that
answers differently the second time reaches nothing. Redirects are not followed.
"""

import http.client
import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.utils.translation import gettext_noop as _

# Seconds for each step, and for everything together: a receiver that dribbles is as bad as one that is silent.
PATIENCE = 5.0
LONGEST = 15.0
LARGEST_ANSWER = 16 * 1024
PORTS = {"http": 80, "https": 443}

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

LATE = _("no answer in time")
# IPv4 behind IPv6: what NAT64 would connect to.
NAT64 = ipaddress.ip_network("64:ff9b::/96")


class Unreachable(Exception):
    """Nothing was sent, or no answer came; the message says why, to be translated when it is read."""


class Forbidden(Unreachable):
    """We do not send there."""


@dataclass(frozen=True)
class Answer:
    code: int
    headers: Mapping[str, str]
    body: bytes


def post(url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
    parts = checked(url)
    host, port = parts.hostname or "", parts.port or PORTS[parts.scheme]
    until = time.monotonic() + LONGEST
    connection = _connect(parts.scheme, host, port, until)
    # Cuts off a receiver that keeps every single wait short and the whole long.
    alarm = threading.Timer(max(until - time.monotonic(), 0), _hang_up, [connection])
    alarm.start()
    try:
        target = parts.path or "/"
        target += f"?{parts.query}" if parts.query else ""
        connection.request("POST", target, body, {**headers, "Host": parts.netloc})
        answer = connection.getresponse()
        received = answer.read(LARGEST_ANSWER)
        return Answer(answer.status, {name.lower(): value for name, value in answer.getheaders()}, received)
    except (OSError, http.client.HTTPException, AttributeError) as error:
        # AttributeError: the alarm took the socket away under http.client.
        late = time.monotonic() >= until
        raise Unreachable(LATE if late else _told(error)) from error
    finally:
        alarm.cancel()
        connection.close()


def checked(url: str) -> SplitResult:
    """The address in parts, as far as it can be judged without looking a name up."""
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - it is checked when it is asked for
    except ValueError:
        raise Forbidden(_("this is not an address")) from None
    if parts.scheme not in PORTS or not parts.hostname:
        raise Forbidden(_("the address must begin with https:// or http:// and name a host"))
    if parts.username is not None or parts.password is not None:
        raise Forbidden(_("the address must not hold a name or password"))
    if not url.isascii() or not url.isprintable() or " " in url:
        raise Forbidden(_("the address must be plain ASCII without spaces"))
    with suppress(ValueError):
        _allow(ipaddress.ip_address(parts.hostname))
    return parts


def _connect(scheme: str, host: str, port: int, until: float) -> http.client.HTTPConnection:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Unreachable(_("the host’s name was not found")) from None
    addresses = list(dict.fromkeys(str(each[4][0]).partition("%")[0] for each in found))
    # All of them: which one a name answers with first is not ours to choose.
    for address in addresses:
        _allow(ipaddress.ip_address(address))
    connection = http.client.HTTPConnection(host, port, timeout=PATIENCE)
    # It never connects by itself: that would look the name up again.
    connection.auto_open = 0
    secure = scheme == "https"
    failure: Exception | None = None
    for address in addresses:
        if time.monotonic() >= until:
            break
        try:
            plain = socket.create_connection((address, port), PATIENCE)
            connection.sock = _secured(plain, host) if secure else plain
            return connection
        except OSError as error:
            failure = error
    raise Unreachable(_told(failure) if failure else LATE)


def _secured(plain: socket.socket, host: str) -> socket.socket:
    try:
        return ssl.create_default_context().wrap_socket(plain, server_hostname=host)
    except BaseException:
        plain.close()
        raise


def _allow(address: Address) -> None:
    address = _unwrapped(address)
    if settings.WEBHOOKS_TO_PRIVATE:
        # A house at home may tell its neighbours; what tells a cloud's machines their keys is nobody's neighbour.
        refused = address.is_link_local or address.is_multicast or address.is_unspecified
    else:
        refused = not address.is_global or address.is_multicast
    if refused:
        raise Forbidden(_("the address leads into a private network"))


def _unwrapped(address: Address) -> Address:
    """The IPv4 address that an IPv6 one stands for."""
    if isinstance(address, ipaddress.IPv6Address):
        if address in NAT64:
            return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        return address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else address)
    return address


def _hang_up(connection: http.client.HTTPConnection) -> None:
    with suppress(OSError, AttributeError):
        connection.sock.shutdown(socket.SHUT_RDWR)


def _told(error: Exception) -> str:
    match error:
        case TimeoutError():
            return LATE
        case ssl.SSLCertVerificationError():
            return f"its certificate is not valid: {error.verify_message}"
        case ssl.SSLError():
            return _("it does not speak TLS as we do")
        case ConnectionRefusedError():
            return _("it refuses connections")
        case OSError() if error.strerror:
            return error.strerror
        case _:
            return f"it does not speak HTTP ({type(error).__name__})"

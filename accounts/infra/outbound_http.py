"""Requests to URLs that users typed in: not into our own network, and limited in time and size.

The host name is resolved once, all its addresses are checked, and the connection goes to a checked address: DNS
rebinding does not work. Redirects are not followed.
"""

import http.client
import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.utils.translation import gettext_noop as _

# Seconds for each step, and for everything together: a receiver may answer byte by byte.
TIMEOUT = 5.0
TOTAL_TIMEOUT = 15.0
MAX_RESPONSE_BYTES = 16 * 1024
PORTS = {"http": 80, "https": 443}

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

TIMED_OUT = _("no answer in time")


def _networks(*written: str) -> tuple[Network, ...]:
    return tuple(ipaddress.ip_network(each) for each in written)


# The lists are written out: what `ipaddress` calls global differs between versions of Python.
# Never, not even from a site at home: nobody's address, groups, and where clouds hand out their keys.
NEVER = _networks(
    "0.0.0.0/8",  # this network
    "169.254.0.0/16",  # link-local, and the metadata of most clouds
    "100.100.100.200/32",  # metadata of Alibaba
    "168.63.129.16/32",  # the host of a machine at Azure
    "192.0.0.192/32",  # metadata of Oracle
    "224.0.0.0/4",  # multicast
    "240.0.0.0/4",  # reserved, broadcast
    "::/128",
    "fe80::/10",  # link-local
    "fec0::/10",  # site-local, the old kind
    "ff00::/8",  # multicast
    "fd00:ec2::/32",  # metadata of Amazon
    "fd20:ce::254/128",  # metadata of Google
)
# Only from a site whose owner allows private networks. The registries of special addresses of IPv4 and IPv6.
NOT_PUBLIC = _networks(
    "10.0.0.0/8",
    "100.64.0.0/10",  # behind a provider's translation
    "127.0.0.0/8",  # this machine
    "172.16.0.0/12",
    "192.0.0.0/24",  # protocols of the IETF
    "192.0.2.0/24",  # for documents
    "192.31.196.0/24",
    "192.52.193.0/24",
    "192.88.99.0/24",  # 6to4 relays
    "192.168.0.0/16",
    "192.175.48.0/24",
    "198.18.0.0/15",  # measurements
    "198.51.100.0/24",  # for documents
    "203.0.113.0/24",  # for documents
    "2001::/23",  # Teredo, benchmarks, ORCHID
    "2001:db8::/32",  # for documents
    "2002::/16",  # 6to4
    "3fff::/20",  # for documents
)
# Public IPv6 addresses are in the first; the other two stand for an IPv4 address, which is checked.
PUBLIC_IPV6 = _networks("2000::/3", "::ffff:0:0/96", "64:ff9b::/96")
# IPv6 addresses whose last 32 bits are an IPv4 address: compatible, mapped, translated, NAT64 of two kinds.
ENDS_IN_IPV4 = _networks("::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48")
SIX_TO_FOUR, TEREDO = _networks("2002::/16", "2001::/32")


class Unreachable(Exception):
    """Nothing was sent, or no answer came. The message says why; it is translated when it is displayed."""


class Forbidden(Unreachable):
    """We do not send to this address."""


@dataclass(frozen=True)
class OutboundResponse:
    code: int
    headers: Mapping[str, str]
    body: bytes


def post(url: str, body: bytes, headers: Mapping[str, str]) -> OutboundResponse:
    parts = validate_url(url)
    host, port = parts.hostname or "", parts.port or PORTS[parts.scheme]
    until = time.monotonic() + TOTAL_TIMEOUT
    connection = _connect(parts.scheme, host, port, until)
    # Stops a receiver whose single steps are fast but whose whole answer is slow.
    alarm = threading.Timer(max(until - time.monotonic(), 0), _hang_up, [connection])
    alarm.start()
    try:
        target = parts.path or "/"
        target += f"?{parts.query}" if parts.query else ""
        connection.request("POST", target, body, {**headers, "Host": parts.netloc})
        answer = connection.getresponse()
        received = answer.read(MAX_RESPONSE_BYTES)
        return OutboundResponse(answer.status, {name.lower(): value for name, value in answer.getheaders()}, received)
    except (OSError, http.client.HTTPException, AttributeError) as error:
        # AttributeError: the alarm closed the socket while http.client used it.
        late = time.monotonic() >= until
        raise Unreachable(TIMED_OUT if late else _describe_error(error)) from error
    finally:
        alarm.cancel()
        connection.close()


def validate_url(url: str) -> SplitResult:
    """Parse and check a URL, without resolving its host name."""
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - reading it validates it
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
        resolved = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Unreachable(_("the host’s name was not found")) from None
    addresses = list(dict.fromkeys(str(each[4][0]).partition("%")[0] for each in resolved))
    # Check all of them: we do not control which one comes first.
    for address in addresses:
        _allow(ipaddress.ip_address(address))
    connection = http.client.HTTPConnection(host, port, timeout=TIMEOUT)
    # No automatic reconnect: it would resolve the name again.
    connection.auto_open = 0
    secure = scheme == "https"
    failure: Exception | None = None
    for address in addresses:
        if time.monotonic() >= until:
            break
        try:
            plain = socket.create_connection((address, port), TIMEOUT)
            connection.sock = _secured(plain, host) if secure else plain
            return connection
        except OSError as error:
            failure = error
    raise Unreachable(_describe_error(failure) if failure else TIMED_OUT)


def _secured(plain: socket.socket, host: str) -> socket.socket:
    try:
        return ssl.create_default_context().wrap_socket(plain, server_hostname=host)
    except BaseException:
        plain.close()
        raise


def _allow(address: Address) -> None:
    for each in (address, *_embedded(address)):
        if _within(each, NEVER) or not (settings.WEBHOOKS_TO_PRIVATE or _is_public(each)):
            raise Forbidden(_("the address leads into a private network"))


def _is_public(address: Address) -> bool:
    if _within(address, NOT_PUBLIC):
        return False
    return address.version == 4 or _within(address, PUBLIC_IPV6)


def _within(address: Address, networks: Iterable[Network]) -> bool:
    return any(address in network for network in networks if network.version == address.version)


def _embedded(address: Address) -> list[Address]:
    """The IPv4 addresses that a network may send this IPv6 address on to."""
    if isinstance(address, ipaddress.IPv4Address):
        return []
    bits = int(address)
    # Small numbers, such as ::1, are addresses of their own.
    found = [bits & 0xFFFFFFFF] if bits > 0xFFFF and _within(address, ENDS_IN_IPV4) else []
    # ISATAP: any prefix, then 0:5efe or 200:5efe, then the address.
    if (bits >> 32) & 0xFDFFFFFF == 0x5EFE:
        found.append(bits & 0xFFFFFFFF)
    if address in SIX_TO_FOUR:
        found.append((bits >> 80) & 0xFFFFFFFF)
    if address in TEREDO:
        found += [(bits >> 64) & 0xFFFFFFFF, ~bits & 0xFFFFFFFF]
    return [ipaddress.IPv4Address(each) for each in found]


def _hang_up(connection: http.client.HTTPConnection) -> None:
    with suppress(OSError, AttributeError):
        connection.sock.shutdown(socket.SHUT_RDWR)


def _describe_error(error: Exception) -> str:
    match error:
        case TimeoutError():
            return TIMED_OUT
        case ssl.SSLCertVerificationError():
            return f"its certificate is not valid: {error.verify_message}"
        case ssl.SSLError():
            return _("its certificate or its version of TLS is not accepted")
        case ConnectionRefusedError():
            return _("it refuses connections")
        case OSError() if error.strerror:
            return error.strerror
        case _:
            return f"it does not speak HTTP ({type(error).__name__})"

"""Which origins may open a socket: the very address that the page came from."""

import pytest
from django.conf import LazySettings

from deploy.socket_origin import is_same_origin


def allowed(origin: str, host: str) -> bool:
    return is_same_origin([(b"origin", origin.encode()), (b"host", host.encode())])


def test_host_and_port_must_be_those_of_the_site(settings: LazySettings) -> None:
    settings.ALLOWED_HOSTS, settings.HTTPS = ["club.example", "127.0.0.1", "[::1]"], False
    assert allowed("http://127.0.0.1:8000", "127.0.0.1:8000")
    assert allowed("http://[::1]:8000", "[::1]:8000")
    assert allowed("http://club.example", "club.example:80")
    assert allowed("https://Club.example", "club.example")
    assert not allowed("http://127.0.0.1:9000", "127.0.0.1:8000")
    assert not allowed("http://127.0.0.1", "127.0.0.1:8000")
    assert not allowed("http://club.example", "127.0.0.1:80")


def test_with_https_only_secure_pages_are_ours(settings: LazySettings) -> None:
    settings.ALLOWED_HOSTS, settings.HTTPS = ["club.example"], True
    assert allowed("https://club.example", "club.example")
    assert allowed("https://club.example:8443", "club.example:8443")
    assert not allowed("http://club.example", "club.example")
    assert not allowed("https://club.example:8443", "club.example")


@pytest.mark.parametrize(
    "origin",
    ["", "null", "https://", "https://club.example:x", "https://me@club.example", "file:///club.example", "//"],
)
def test_what_is_no_origin_is_refused(settings: LazySettings, origin: str) -> None:
    settings.ALLOWED_HOSTS, settings.HTTPS = ["club.example"], True
    assert not allowed(origin, "club.example")
    assert not is_same_origin([(b"host", b"club.example")])


def test_an_address_that_is_not_ours_is_refused_even_if_both_agree(settings: LazySettings) -> None:
    """A name of another site that leads to this machine."""
    settings.ALLOWED_HOSTS, settings.HTTPS = ["club.example"], False
    assert not allowed("http://evil.example", "evil.example")

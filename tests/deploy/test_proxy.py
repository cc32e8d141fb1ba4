"""The packaged Caddy with our Caddyfile, in front of two web processes: pages, sockets, limits, one process less."""

import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPSConnection
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus

from deploy.bootstrap import ROOT
from deploy.harness import services
from deploy.harness.servers import PATIENCE, ProductionServers, ServerProcess, Socket, standing

PROXY = ROOT / "deploy" / "proxy"
# Certificates of its own, in the test's folder, and no other port than ours.
OPTIONS = """{{
	admin off
	skip_install_trust
	auto_https disable_redirects
	storage file_system {folder}
}}
"""


def caddy() -> str:
    found = shutil.which("caddy")
    if not found:
        services.missing("there is no Caddy on the PATH")
    return str(found)


@pytest.mark.parametrize("name", ["Caddyfile", "Caddyfile.systemd"])
def test_both_files_are_valid_for_the_packaged_caddy(name: str, tmp_path: Path) -> None:
    env = os.environ | {"GAUNTLET_HOSTS": "club.example, www.club.example", "HOME": str(tmp_path)}
    env |= {"GAUNTLET_WEBS": "127.0.0.1:8000 127.0.0.1:8001", "XDG_DATA_HOME": str(tmp_path)}
    command = [caddy(), "validate", "--adapter", "caddyfile", "--config", str(PROXY / name)]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Valid configuration" in done.stdout + done.stderr


class BehindCaddy(ProductionServers):
    """Two web processes, reached by https through Caddy, as the units are."""

    def __init__(self, folder: Path) -> None:
        self.port = services.free_port()
        super().__init__(folder, GAUNTLET_DEMO="off", GAUNTLET_HOSTS="localhost", GAUNTLET_LOG_FORMAT="console")
        self.insecure = ssl.create_default_context()
        self.insecure.check_hostname = False  # its certificate is of its own making
        self.insecure.verify_mode = ssl.CERT_NONE

    @property
    def address(self) -> str:
        return f"https://localhost:{self.port}"

    def start_programs(self) -> None:
        super().start_programs()
        config = self.folder / "Caddyfile"
        config.write_text(OPTIONS.format(folder=self.folder / "caddy") + (PROXY / "Caddyfile.systemd").read_text())
        env = os.environ | {
            "GAUNTLET_HOSTS": f"localhost:{self.port}",
            "GAUNTLET_WEBS": " ".join(web.removeprefix("http://") for web in self.webs),
            "HOME": str(self.folder),
        }
        command = [caddy(), "run", "--adapter", "caddyfile", "--config", str(config)]
        self.programs["caddy"] = ServerProcess("caddy", command, env, self.folder)
        # It listens before it has made its certificate.
        services.wait_until(self.has_certificate, PATIENCE, "Caddy has made no certificate")

    def has_certificate(self) -> bool:
        try:
            with (
                socket.create_connection(("localhost", self.port), timeout=PATIENCE) as plain,
                self.insecure.wrap_socket(plain, server_hostname="localhost"),
            ):
                return True
        except OSError:
            return False

    def fetch(self, path: str, body: bytes | None = None, **headers: str) -> tuple[int, str, dict[str, str]]:
        request = urllib.request.Request(self.address + path, body, headers)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE, context=self.insecure) as answer:
                return answer.status, answer.read().decode(errors="replace"), dict(answer.headers)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode(errors="replace"), dict(error.headers)

    def announce(self, path: str, length: int) -> tuple[int, str]:
        """The answer to a body that is announced and never sent: a sender of all of it may find the line cut."""
        with closing(HTTPSConnection("localhost", self.port, timeout=PATIENCE, context=self.insecure)) as connection:
            connection.putrequest("POST", path)
            connection.putheader("Content-Length", str(length))
            connection.endheaders()
            answer = connection.getresponse()
            return answer.status, answer.read().decode()

    def live(self, session: str = "", origin: str | None = None) -> Socket:
        return Socket(self.address, session, origin=origin, ssl=self.insecure)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[BehindCaddy]:
    caddy()
    made = BehindCaddy(tmp_path)
    yield from standing(made)  # type: ignore[misc]


@pytest.mark.timeout(600)
def test_pages_and_sockets_go_through_the_proxy(site: BehindCaddy) -> None:
    status, page, headers = site.fetch("/")
    assert status == 200
    assert "max-age=31536000" in headers["Strict-Transport-Security"]
    script = re.search(r'src="(/static/[^"]+\.js)"', page)
    assert script
    assert site.fetch(script.group(1))[2]["Cache-Control"].endswith("immutable")
    assert site.fetch("/metrics")[0] == 404
    # Refused by the proxy itself, with no words of the site: a web process whose connection breaks over a large body
    # would be skipped for some seconds, and both sockets below would lie on the other one.
    assert site.announce("/accounts/login/", 2_100_000) == (413, "")
    assert site.announce("/leagues/clubs/lantern/import/", 21_500_000) == (413, "")

    alice, bob = site.sign_in("alice"), site.sign_in("bob")
    site.python(
        "from accounts import clubs; from accounts.models import User\n"
        "clubs.create_club(founder=User.objects.get(handle='alice'), name='Alice and friends')"
    )
    token = "c" * 32
    with site.live(alice) as first, site.live(alice) as second:
        for page_socket in (first, second):
            page_socket.subscribe("user")
        # The least busy process is chosen: two sockets lie on two processes, and both hear what a third request does.
        sockets = [re.search(r"^gauntlet_sockets (\S+)", site.get("/metrics", web)[1], re.M) for web in (0, 1)]
        assert [float(found.group(1)) for found in sockets if found] == [1.0, 1.0]
        status, _, _ = site.fetch(
            "/clubs/alice-and-friends/ask/",
            b"message=please",
            Cookie=f"sessionid={bob}; csrftoken={token}",
            Referer=f"{site.address}/clubs/alice-and-friends/",
            **{"X-CSRFToken": token},
        )
        assert status == 200
        assert first.wait_for("notices") == second.wait_for("notices") == {"event": "notices"}
    for origin in ("https://evil.example", "https://localhost", f"http://localhost:{site.port}"):
        with pytest.raises(InvalidStatus):
            site.live(origin=origin)

    # One process less: visitors do not notice.
    site.programs.pop("web-1").stop()
    for _ in range(6):
        assert site.fetch("/")[0] == 200
    with site.live(alice) as again:
        again.subscribe("user")
    assert json.loads(site.get("/readyz", 1)[1])["live"] == "ok"

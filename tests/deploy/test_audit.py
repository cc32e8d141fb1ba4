"""The audit of dependencies: it fails on an advisory, and reports when the service did not answer."""

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from django.core.management import CommandError, call_command

from deploy.management.commands import audit

LOCK = "babel==2.18.0 \\\n    --hash=sha256:{0}\nbilliard==4.2.4 \\\n    --hash=sha256:{0}\n".format("0" * 64)
ADVISORY = {
    "id": "GHSA-test-test-test",
    "aliases": ["CVE-2026-1"],
    "summary": "A door left open",
    "affected": [
        {
            "package": {"name": "babel", "ecosystem": "PyPI"},
            "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "2.18.1"}]}],
        }
    ],
}


class Advisories(BaseHTTPRequestHandler):
    """A service with one advisory about one package."""

    known: dict[str, list[dict]] = {}
    status = 200

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        advisories = self.known.get(asked["package"]["name"])
        self.send_response(self.status)
        self.end_headers()
        self.wfile.write(json.dumps({"vulns": advisories} if advisories else {}).encode())

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("NO_PROXY", "*")
    monkeypatch.setattr(Advisories, "known", {})
    monkeypatch.setattr(Advisories, "status", 200)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Advisories)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.fixture
def locks(tmp_path: Path) -> Path:
    (tmp_path / "run.txt").write_text(LOCK)
    return tmp_path


def test_nothing_known_is_content(service: str, locks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("audit", "--advisories", service, "--locks", str(locks))
    assert "No known vulnerability in 2 packages." in capsys.readouterr().out


def test_a_known_vulnerability_fails(
    service: str, locks: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Advisories.known = {"babel": [ADVISORY]}
    with pytest.raises(CommandError, match="1 of 2 packages"):
        call_command("audit", "--advisories", service, "--locks", str(locks))
    assert "babel 2.18.0: CVE-2026-1 (fixed in: 2.18.1)" in capsys.readouterr().out
    monkeypatch.setattr(audit, "reasons", lambda project: {"GHSA-test-test-test": "we open no such door"})
    call_command("audit", "--advisories", service, "--locks", str(locks))
    assert "1 advisories left out with a reason" in capsys.readouterr().out


def test_a_service_out_of_reach_is_said_in_one_line(
    service: str, locks: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Closed ports and broken answers do not fail the audit, unless the caller asks for that."""
    Advisories.status = 503
    for address in ("http://127.0.0.1:9/", service):
        call_command("audit", "--advisories", address, "--locks", str(locks))
        assert capsys.readouterr().out.splitlines() == [
            "The advisory service cannot be reached: no package was audited."
        ]
    with pytest.raises(CommandError, match="the audit failed"):
        call_command("audit", "--required", "--advisories", service, "--locks", str(locks))


@pytest.mark.parametrize("lock", ["babel==2.18.0\n", "babel>=2 \\\n    --hash=sha256:0\n", ""])
def test_a_lock_that_is_none_fails(service: str, tmp_path: Path, lock: str) -> None:
    (tmp_path / "run.txt").write_text(lock)
    with pytest.raises(CommandError):
        call_command("audit", "--advisories", service, "--locks", str(tmp_path))


def test_no_advisory_is_left_out_without_a_reason(tmp_path: Path) -> None:
    project = tmp_path / "pyproject.toml"
    project.write_text('[tool.gauntlet.audit]\n"GHSA-1" = "not on our way"\n')
    assert audit.reasons(project) == {"GHSA-1": "not on our way"}
    project.write_text('[tool.gauntlet.audit]\n"GHSA-1" = " "\n')
    with pytest.raises(CommandError, match="without a reason"):
        audit.reasons(project)

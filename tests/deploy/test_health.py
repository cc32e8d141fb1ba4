"""Health checks and logs."""

import json
import logging
import re
import subprocess
import sys
import urllib.request
from pathlib import Path
from unittest import mock

import pytest
import structlog
from celery import Celery
from celery.app.trace import trace_task
from django.db import OperationalError
from django.test import Client

from accounts.infra.shutdown import ShutdownRequested
from deploy import health, logging_config
from deploy.bootstrap import ROOT
from deploy.harness import services
from deploy.harness.prepared_state import MANAGE, clean_environment
from deploy.harness.servers import PATIENCE, ServerProcess, SiteServer


def test_the_site_reports_its_parts(site: SiteServer) -> None:
    for web in range(len(site.webs)):
        assert site.get("/healthz", web) == (200, "ok")
        status, report = site.get("/readyz", web)
        assert (status, json.loads(report)) == (200, {"database": "ok", "disk": "ok", "broker": "ok", "live": "ok"})


def test_static_files_are_hashed_small_and_kept_for_ever(site: SiteServer) -> None:
    _, page = site.get("/")
    names = re.findall(r'(?:href|src)="(/static/[^"#]+)', page)
    assert any(re.search(r"\.[0-9a-f]{12}\.js$", name) for name in names)
    for name in names:
        request = urllib.request.Request(site.webs[0] + name, headers={"Accept-Encoding": "gzip"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            assert answer.status == 200
            assert "immutable" in answer.headers["Cache-Control"]
            body = answer.read()
            assert len(body) == int(answer.headers["Content-Length"])
            assert name.endswith((".js", ".css", ".svg")) == (answer.headers["Content-Encoding"] == "gzip"), name
    assert site.get("/static/no-such-file.js")[0] == 404


@pytest.mark.django_db
def test_a_broken_part_is_named_and_its_reason_kept_for_the_log(client: Client) -> None:
    with mock.patch.object(health, "connection") as connection:
        connection.cursor.side_effect = OperationalError("password authentication failed for club")
        answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["database"] == "failing"
    assert b"password" not in answer.content


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_watchers_only_look(client: Client, path: str) -> None:
    assert client.post(path).status_code == 405


def test_a_request_keeps_the_id_it_came_with_if_it_is_one(client: Client) -> None:
    assert client.get("/healthz", headers={"X-Request-ID": "front-0123456789"})["X-Request-ID"] == "front-0123456789"
    for forged in ("short", "x" * 65, "line\tbreak-and-more"):
        fresh = client.get("/healthz", headers={"X-Request-ID": forged})["X-Request-ID"]
        assert fresh != forged
        assert len(fresh) == 32


def test_every_answer_names_what_may_run_on_it(client: Client) -> None:
    policy = client.get("/healthz")["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy


def test_secrets_stay_out_of_the_logs(capsys: pytest.CaptureFixture[str]) -> None:
    logging_config.configure({"format": "json", "level": "info"})
    try:
        log = structlog.get_logger("gauntlet.test")
        log.info(
            "sent",
            password="hunter2-hunter2",
            link="/accounts/password/reset/key/5-cx3k2a-4f1d2e8b9c0a7d6e5f4a3b2c1d0e9f8a/",
            broker="redis://club:secret-word@redis.example:6379/0",
            club="thursday-lantern",
        )
        logging.getLogger("django.request").error("Not Found: %s", "/join/q1w2e3r4t5y6u7i8o9p0a1s2/")
    finally:
        logging_config.configure({"format": "console", "level": "info"})
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    text = json.dumps(lines)
    for secret in ("hunter2", "4f1d2e8b", "secret-word", "q1w2e3r4"):
        assert secret not in text
    assert lines[0]["club"] == "thursday-lantern"
    assert lines[0]["broker"] == "redis://[hidden]@redis.example:6379/0"


def test_a_task_that_goes_back_to_its_queue_is_not_logged_as_a_failure(capsys: pytest.CaptureFixture[str]) -> None:
    def fail(error: Exception) -> str:
        # An app of its own: the site's list of tasks is what other tests count.
        app = Celery("failing", set_as_current=False)

        @app.task(shared=False)
        def failing() -> None:
            raise error

        logging_config.configure({"format": "console", "level": "info"})
        trace_task(failing, "task-1", (), {}, request={}, app=app)
        return capsys.readouterr().err

    assert "out of ideas" in fail(RuntimeError("out of ideas"))
    assert fail(ShutdownRequested()) == ""


def test_a_request_id_follows_into_the_task_it_caused(site: SiteServer) -> None:
    site.sign_in("alice")
    bob = site.sign_in("bob")
    site.python(
        "from accounts import clubs; from accounts.models import User\n"
        "clubs.create_club(founder=User.objects.get(handle='alice'), name='Traced')"
    )
    assert site.post("/clubs/traced/ask/", session=bob, request_id="trace-me-please")[0] == 200
    worker = site.programs["serve" if site.kind == "embedded" else "worker"]
    worker.wait_for(r"task .*request_id=trace-me-please.*task=accounts\.tasks\.deliver_notice")


def test_the_doctor_finds_an_open_site_well(site: SiteServer) -> None:
    services.wait_until(lambda: site.rows("SELECT 1 FROM deploy_pulse"), PATIENCE, "beat sent no pulse")
    done = site.manage("doctor", "--json", "--patience", str(PATIENCE))
    report = json.loads(done.stdout)
    assert report["verdict"] == "ok", report
    assert len(report["findings"]) == 13


def test_the_site_counts_pages_sockets_and_tasks(site: SiteServer) -> None:
    site.get("/")
    with site.socket() as socket:
        socket.subscribe("site")
        # A socket of the previous test may still be closing.
        services.wait_until(lambda: "\ngauntlet_sockets 1.0" in site.get("/metrics")[1], PATIENCE, "not one socket")
        status, metrics = site.get("/metrics")
        assert status == 200
    assert 'gauntlet_request_seconds_count{method="GET",route="",status="200"}' in metrics
    assert 'gauntlet_queue_depth{queue="bots"}' in metrics
    done = 'gauntlet_task_seconds_count{state="SUCCESS",task="deploy.tasks.pulse"}'
    if site.kind == "embedded":
        services.wait_until(lambda: done in site.get("/metrics")[1], PATIENCE, "no task was counted")
        return
    port = services.free_port()
    worker = ServerProcess(
        "worker-counted",
        [*MANAGE, "worker", "--processes", "2"],
        site.env | {"GAUNTLET_METRICS_PORT": str(port)},
        site.folder,
    )
    try:
        worker.wait_for("worker is running")
        services.wait_for_port(port)
        # Two workers share them: this one gets at least one of many.
        site.python("from deploy.tasks import pulse; [pulse.delay() for _ in range(40)]")
        scrape = urllib.request.Request(f"http://127.0.0.1:{port}/metrics")
        services.wait_until(lambda: done in site.ask(scrape)[1], PATIENCE, "no task was counted")
        assert site.ask(urllib.request.Request(f"http://127.0.0.1:{port}/else"))[0] == 404
    finally:
        assert worker.stop() == 0


FULL_DISK = """
import json, os, sys
from pathlib import Path
import django
django.setup()
from django.conf import settings
from django.core.management import call_command
from django.test import Client

(settings.VAR / "static").mkdir(parents=True)
call_command("migrate", verbosity=0)
visitor = Client(SERVER_NAME="127.0.0.1")
modes = [oct(path.stat().st_mode & 0o777) for path in (settings.VAR, settings.VAR / "gauntlet.sqlite3")]
before = visitor.get("/readyz").json()
try:
    with open(settings.VAR / "filler", "wb", buffering=0) as filler:
        while filler.write(b"x" * 1024 * 1024):
            pass
except OSError:
    pass
answer = visitor.get("/readyz")
print(json.dumps([modes, before["disk"], answer.status_code, answer.json()["disk"]]))
"""


def test_a_full_disk_is_noticed_and_the_database_is_for_its_owner_only(tmp_path: Path) -> None:
    """On a small disk of its own, mounted where nobody else sees it."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = f"mount -t tmpfs -o size=48m tmpfs {disk} && exec {sys.executable} -c '{FULL_DISK}'"
    done = subprocess.run(
        ["unshare", "--map-root-user", "--mount", "sh", "-c", f"umask 022; {mount}"],
        env=clean_environment() | {"GAUNTLET_VAR": str(disk / "var"), "DJANGO_SETTINGS_MODULE": "deploy.settings"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode and ("unshare:" in done.stderr or "mount:" in done.stderr):
        services.missing(f"this kernel lets nobody mount a disk of their own: {done.stderr.strip()}")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == [["0o700", "0o600"], "ok", 503, "failing"]

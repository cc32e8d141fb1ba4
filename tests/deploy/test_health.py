"""What watchers and logs are told."""

import json
import logging
import re
import urllib.request
from unittest import mock

import pytest
import structlog
from django.db import OperationalError
from django.test import Client

from deploy import health, logs
from tests import services
from tests.houses import MANAGE, PATIENCE, House, Program


def test_the_house_reports_its_parts(house: House) -> None:
    for web in range(len(house.webs)):
        assert house.get("/healthz", web) == (200, "ok")
        status, report = house.get("/readyz", web)
        assert (status, json.loads(report)) == (200, {"database": "ok", "broker": "ok", "live": "ok"})


def test_static_files_are_hashed_small_and_kept_for_ever(house: House) -> None:
    _, page = house.get("/")
    names = re.findall(r'(?:href|src)="(/static/[^"#]+)', page)
    assert any(re.search(r"\.[0-9a-f]{12}\.js$", name) for name in names)
    for name in names:
        request = urllib.request.Request(house.webs[0] + name, headers={"Accept-Encoding": "gzip"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            assert answer.status == 200
            assert "immutable" in answer.headers["Cache-Control"]
            body = answer.read()
            assert len(body) == int(answer.headers["Content-Length"])
            assert name.endswith((".js", ".css", ".svg")) == (answer.headers["Content-Encoding"] == "gzip"), name
    assert house.get("/static/no-such-file.js")[0] == 404


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
    logs.configure({"format": "json", "level": "info"})
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
        logs.configure({"format": "console", "level": "info"})
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    text = json.dumps(lines)
    for secret in ("hunter2", "4f1d2e8b", "secret-word", "q1w2e3r4"):
        assert secret not in text
    assert lines[0]["club"] == "thursday-lantern"
    assert lines[0]["broker"] == "redis://[hidden]@redis.example:6379/0"


def test_a_request_id_follows_into_the_task_it_caused(house: House) -> None:
    house.sign_in("alice")
    bob = house.sign_in("bob")
    house.python(
        "from accounts import clubs; from accounts.models import User\n"
        "clubs.found(founder=User.objects.get(handle='alice'), name='Traced')"
    )
    assert house.post("/clubs/traced/ask/", session=bob, request_id="trace-me-please")[0] == 200
    worker = house.programs["serve" if house.kind == "embedded" else "worker"]
    worker.wait_for(r"task .*request_id=trace-me-please.*task=accounts\.tasks\.deliver_notice")


def test_the_doctor_finds_an_open_house_well(house: House) -> None:
    services.wait_until(lambda: house.rows("SELECT 1 FROM deploy_pulse"), PATIENCE, "beat was not heard")
    done = house.manage("doctor", "--json", "--patience", str(PATIENCE))
    report = json.loads(done.stdout)
    assert report["verdict"] == "ok", report
    assert len(report["findings"]) == 12


def test_the_house_counts_pages_sockets_and_tasks(house: House) -> None:
    house.get("/")
    with house.socket() as socket:
        socket.subscribe("site")
        # A socket of the test before may still be closing.
        services.wait_until(lambda: "\ngauntlet_sockets 1.0" in house.get("/metrics")[1], PATIENCE, "not one socket")
        status, told = house.get("/metrics")
        assert status == 200
    assert 'gauntlet_request_seconds_count{method="GET",route="",status="200"}' in told
    assert 'gauntlet_queue_depth{queue="bots"}' in told
    done = 'gauntlet_task_seconds_count{state="SUCCESS",task="deploy.tasks.pulse"}'
    if house.kind == "embedded":
        services.wait_until(lambda: done in house.get("/metrics")[1], PATIENCE, "no task was counted")
        return
    port = services.free_port()
    worker = Program(
        "worker-counted",
        [*MANAGE, "worker", "--processes", "2"],
        house.env | {"GAUNTLET_METRICS_PORT": str(port)},
        house.folder,
    )
    try:
        worker.wait_for("is at work")
        services.wait_for_port(port)
        # Two workers share them: one of many falls to this one.
        house.python("from deploy.tasks import pulse; [pulse.delay() for _ in range(40)]")
        scrape = urllib.request.Request(f"http://127.0.0.1:{port}/metrics")
        services.wait_until(lambda: done in house.ask(scrape)[1], PATIENCE, "no task was counted")
        assert house.ask(urllib.request.Request(f"http://127.0.0.1:{port}/else"))[0] == 404
    finally:
        assert worker.stop() == 0

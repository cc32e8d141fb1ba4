"""`manage.py serve`, started for real: it starts, prints its address, and stops cleanly; errors are one line."""

import os
import re
import signal
import socket
import sqlite3
import subprocess
import time
from pathlib import Path

import pytest
from django.conf import settings

from deploy import server
from deploy.bootstrap import ROOT
from deploy.harness.prepared_state import MANAGE, clean_environment
from deploy.harness.servers import PATIENCE, EmbeddedServer, ServerProcess, SiteServer


def serve(folder: Path, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """For starts that must fail."""
    env = clean_environment() | {"GAUNTLET_VAR": str(folder)} | settings
    command = [*MANAGE, "serve", "--port", "0", *arguments]
    return subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120)


def assert_one_line(done: subprocess.CompletedProcess[str], complaint: str) -> None:
    assert done.returncode != 0
    assert complaint in done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    assert done.stdout == ""


def test_it_opens_with_the_demo_club_and_again_within_seconds(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """Even if the first start was killed in the middle of it."""
    site = EmbeddedServer(tmp_path)
    request.addfinalizer(site.close)
    first = site.run("serve", *MANAGE, "serve", "--port", "0")
    first.wait_for("setting up the demo club", 4 * PATIENCE)
    time.sleep(0.5)
    first.process.kill()
    first.process.wait()
    assert site.rows("SELECT count(*) FROM accounts_user") == site.rows("SELECT count(*) FROM leagues_league") == [(0,)]
    site.open()
    output = site.programs["serve"].output
    assert re.search(r"owner +\w+ +\S+", output)
    assert "setting up the demo club" in output
    assert site.get("/")[0] == 200
    assert site.close() == {"serve": 0}
    began = time.monotonic()
    site.open()
    assert time.monotonic() - began < 10
    again = site.programs["serve"].output
    assert re.search(r"owner +\w+ +\S+", again)
    assert "setting up the demo club" not in again
    assert site.close() == {"serve": 0}


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])  # sent twice, as impatient people do
def test_it_closes_cleanly_and_tells_open_pages_to_come_back(embedded: SiteServer, number: int) -> None:
    with embedded.socket() as page:
        page.subscribe("site")
        serve = embedded.programs["serve"]
        serve.process.send_signal(number)
        assert page.farewell() == 1012
    assert serve.stop(number) == 0
    assert serve.output.rstrip().endswith("Gauntlet is closed. See you at the table.")
    assert "Traceback" not in serve.output


def test_a_killed_site_opens_again_with_everything_in_it(embedded: SiteServer) -> None:
    embedded.sign_in("alice")
    embedded.programs["serve"].process.kill()
    embedded.programs["serve"].stop()
    embedded.open()
    assert embedded.rows("SELECT count(*) FROM accounts_user WHERE handle = 'alice'") == [(1,)]
    embedded.close()
    with sqlite3.connect(embedded.folder / "gauntlet.sqlite3") as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_taken_port_is_one_line_and_changes_nothing(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        done = serve(tmp_path, "--port", str(port))
    assert_one_line(done, f"port {port} on 127.0.0.1 is in use: stop the other program or choose another port with")
    assert not (tmp_path / "gauntlet.sqlite3").exists()


@pytest.mark.parametrize("port", ["70000", "-1"])
def test_an_impossible_port_is_one_line(tmp_path: Path, port: str) -> None:
    assert_one_line(serve(tmp_path, "--port", port), f"cannot listen on 127.0.0.1 port {port}")


def test_the_network_is_not_opened_by_accident(tmp_path: Path) -> None:
    assert_one_line(serve(tmp_path, "--host", "0.0.0.0"), "set GAUNTLET_HOSTS")
    assert not (tmp_path / "gauntlet.sqlite3").exists()


def test_a_second_house_on_the_same_folder_is_one_line(embedded: SiteServer) -> None:
    assert_one_line(serve(embedded.folder), f"another Gauntlet is running on {embedded.folder}: stop it first")
    assert embedded.is_ready()
    # However the first one ended, its folder is free again.
    embedded.programs["serve"].process.kill()
    embedded.programs["serve"].stop()
    embedded.open()
    assert embedded.is_ready()


def test_a_site_open_to_the_network_says_where_it_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "own_address", lambda family: "192.168.1.7")
    monkeypatch.setattr(settings, "ALLOWED_HOSTS", ["192.168.1.7", "127.0.0.1"])
    with server.open_port("0.0.0.0", 0) as listener:
        port = listener.getsockname()[1]
        assert server.addresses(listener) == [f"http://127.0.0.1:{port}", f"http://192.168.1.7:{port}"]
        monkeypatch.setattr(settings, "ALLOWED_HOSTS", ["club.example", "127.0.0.1"])
        assert server.addresses(listener) == [f"http://127.0.0.1:{port}"]
    with server.open_port("127.0.0.1", 0) as listener:
        assert server.addresses(listener) == [server.address(listener)]


@pytest.mark.skipif(os.geteuid() == 0 and not Path("/proc/self").exists(), reason="needs an unwritable place")
def test_an_unwritable_folder_is_one_line(tmp_path: Path) -> None:
    blocked = "/proc/self/var" if os.geteuid() == 0 else str(tmp_path / "locked" / "var")
    (tmp_path / "locked").mkdir(mode=0o555)
    done = serve(tmp_path, GAUNTLET_VAR=blocked, GAUNTLET_SECRET_KEY="k" * 60)
    assert_one_line(done, f"cannot write to {blocked}")
    done = serve(tmp_path, GAUNTLET_VAR=blocked)
    assert_one_line(done, f"cannot keep a secret key in {blocked}")


def test_a_database_of_another_version_is_one_line_and_left_as_it_was(embedded: SiteServer) -> None:
    embedded.close()
    file = embedded.folder / "gauntlet.sqlite3"
    for name, says in {
        "0999_from_the_future": "is from a newer Gauntlet (accounts.0999_from_the_future)",
        "0003_guests": "was made before release 0.1.0 (accounts.0003_guests), and there is no upgrade from there",
    }.items():
        with sqlite3.connect(file) as database:
            database.execute(
                "INSERT INTO django_migrations (app, name, applied) VALUES (?, ?, ?)", ("accounts", name, "2099-01-01")
            )
            before = list(database.iterdump())
        assert_one_line(serve(embedded.folder), says)
        with sqlite3.connect(file) as database:
            assert list(database.iterdump()) == before


def test_a_file_that_is_no_database_is_one_line_and_left_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "gauntlet.sqlite3"
    file.write_text("a shopping list " * 100)
    assert_one_line(serve(tmp_path), "cannot be used: file is not a database")
    assert file.read_text() == "a shopping list " * 100


def test_an_unreachable_database_is_one_line(tmp_path: Path) -> None:
    done = serve(tmp_path, DATABASE_URL="postgres://club:secret-word@127.0.0.1:1/league")
    assert_one_line(done, "the database named by DATABASE_URL cannot be used")
    assert "secret-word" not in done.stderr


def test_the_worker_finishes_the_task_at_hand(tmp_path: Path) -> None:
    """Stopping the site waits for a task that has begun."""
    code = (
        "import threading, time\n"
        "from deploy import embedded_worker\n"
        "from deploy.celery import app\n"
        "@app.task(name='slow', queue='moves')\n"
        "def slow():\n"
        "    print('begun', flush=True); begun.set(); time.sleep(1); print('finished', flush=True)\n"
        "begun = threading.Event()\n"
        "with embedded_worker.helpers():\n"
        "    slow.delay(); begun.wait(60)\n"
        "print('closed', flush=True)"
    )
    env = clean_environment() | {"GAUNTLET_VAR": str(tmp_path)}
    program = ServerProcess("helpers", [*MANAGE, "shell", "--no-imports", "-c", code], env, tmp_path)
    assert program.process.wait(120) == 0
    assert re.findall("begun|finished|closed", program.output) == ["begun", "finished", "closed"]

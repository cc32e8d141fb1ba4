"""The doctor names each fault in one line, with what to do. `test_health.py` checks whole sites with it."""

import json
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from deploy import doctor, tasks
from deploy.bootstrap import ROOT
from deploy.harness import services
from deploy.harness.prepared_state import clean_environment
from deploy.models import Pulse


def test_a_site_without_its_servers_is_told_so_and_no_password(tmp_path: Path) -> None:
    nobody = services.free_port()
    done = subprocess.run(
        [sys.executable, "manage.py", "doctor", "--json"],
        env=clean_environment()
        | {
            "GAUNTLET_VAR": str(tmp_path),
            "DATABASE_URL": f"postgres://club:secret-word@127.0.0.1:{nobody}/league",
            "REDIS_URL": f"redis://:secret-word@127.0.0.1:{nobody}/0",
            "GAUNTLET_SECRET_KEY": "k7Qw-e" * 10,
            "GAUNTLET_HOSTS": "club.example",
            "EMAIL_URL": f"smtp://club:secret-word@127.0.0.1:{nobody}",
            "GAUNTLET_FROM_EMAIL": "club@club.example",
        },
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    report = json.loads(done.stdout)
    findings = {one["part"]: one for one in report["findings"]}
    assert report["verdict"] == "fail"
    assert {part: one["verdict"] for part, one in findings.items()} == {
        **dict.fromkeys(("settings", "folder", "disk", "engine"), "ok"),
        **dict.fromkeys(("static files", "e-mail", "database", "schema", "clock"), "fail"),
        **dict.fromkeys(("broker", "live", "worker", "beat"), "fail"),
    }
    assert findings["schema"]["advice"] == "Fix the database first."
    assert all(one["advice"] for one in findings.values() if one["verdict"] != "ok")
    assert "secret-word" not in done.stdout + done.stderr


@pytest.mark.django_db
def test_a_site_nobody_has_opened(settings, tmp_path: Path) -> None:
    settings.VAR = tmp_path
    findings = {one.part: one for one in doctor.examine()}
    assert (findings["worker"].verdict, findings["worker"].says) == ("warn", "the server is not running")
    assert findings["schema"].verdict == findings["database"].verdict == "ok"


@pytest.mark.django_db
def test_beat_is_well_only_while_it_is_heard(settings) -> None:
    settings.REDIS = "redis://somewhere"
    assert "never run" in doctor.check_part("beat", doctor.beat).says
    tasks.pulse()
    assert doctor.check_part("beat", doctor.beat).verdict == "ok"
    Pulse.objects.update(at=timezone.now() - doctor.BEAT_STALE_AFTER - timedelta(seconds=1))
    stale = doctor.check_part("beat", doctor.beat)
    assert stale.verdict == "fail"
    assert "beat" in stale.advice


def test_a_key_that_others_can_read(settings, tmp_path: Path) -> None:
    settings.VAR = tmp_path
    (tmp_path / "secret-key").touch(0o644)
    assert doctor.check_part("folder", doctor.folder).verdict == "fail"
    (tmp_path / "secret-key").chmod(0o600)
    assert doctor.check_part("folder", doctor.folder).verdict == "ok"


@pytest.mark.parametrize(
    ("free", "verdict"), [(doctor.DISK_WARN, "ok"), (doctor.DISK_FAIL, "warn"), (doctor.DISK_FAIL - 1, "fail")]
)
def test_a_full_disk(monkeypatch: pytest.MonkeyPatch, free: int, verdict: str) -> None:
    usage = type("Usage", (), {"free": free})
    monkeypatch.setattr("deploy.preflight.shutil.disk_usage", lambda place: usage)
    assert doctor.check_part("disk", doctor.disk).verdict == verdict


def test_mail_that_reaches_nobody_in_public(settings) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    settings.PUBLIC_HOSTS = []
    assert doctor.check_part("e-mail", doctor.email).verdict == "ok"
    settings.PUBLIC_HOSTS = ["club.example"]
    assert doctor.check_part("e-mail", doctor.email).verdict == "warn"


def test_debug_in_public_is_a_fault(settings) -> None:
    settings.PUBLIC_HOSTS, settings.DEBUG = ["club.example"], True
    finding = doctor.check_part("settings", doctor.site_settings)
    assert (finding.verdict, finding.advice) == ("fail", "Remove GAUNTLET_DEBUG.")

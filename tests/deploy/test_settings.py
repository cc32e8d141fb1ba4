"""The settings are safe by default and fail with a clear message in every program."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.bootstrap import ROOT
from deploy.harness.prepared_state import clean_environment

SHOW = """
import json, django.conf
names = {names!r}
print(json.dumps({{name: getattr(django.conf.settings, name) for name in names}}, default=str))
"""


def read(folder: Path, *names: str, **settings: str) -> dict:
    done = attempt(folder, SHOW.format(names=names), **settings)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def attempt(folder: Path, code: str = "import deploy.settings", **settings: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env=clean_environment()
        | {"DJANGO_SETTINGS_MODULE": "deploy.settings", "GAUNTLET_VAR": str(folder / "var")}
        | settings,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_embedded_default(tmp_path: Path) -> None:
    values = read(
        tmp_path, "DEBUG", "ALLOWED_HOSTS", "SESSION_COOKIE_SECURE", "SECRET_KEY", "DATABASES", "CELERY_BROKER_URL"
    )
    assert values["DEBUG"] is False
    assert values["ALLOWED_HOSTS"] == ["localhost", "127.0.0.1", "[::1]"]
    assert values["SESSION_COOKIE_SECURE"] is False
    assert values["SECRET_KEY"] == (tmp_path / "var" / "secret-key").read_text()
    assert values["DATABASES"]["default"]["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert values["CELERY_BROKER_URL"].startswith("memory:")


def test_in_public_everything_is_locked_down(tmp_path: Path) -> None:
    values = read(
        tmp_path,
        *("SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SECURE_SSL_REDIRECT", "SECURE_HSTS_SECONDS"),
        *("ALLOWED_HOSTS", "DEMO", "SITE_URL"),
        GAUNTLET_HOSTS="club.example, play.club.example",
    )
    assert all(values[name] for name in ("SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SECURE_SSL_REDIRECT"))
    assert values["SECURE_HSTS_SECONDS"] > 0
    assert values["ALLOWED_HOSTS"][:2] == ["club.example", "play.club.example"]
    assert values["DEMO"] is False
    assert values["SITE_URL"] == "https://club.example"


@pytest.mark.parametrize(("role", "age", "pooled"), [("web", 0, True), ("worker", None, False)])
def test_connections_suit_the_role(tmp_path: Path, role: str, age: int | None, pooled: bool) -> None:
    values = read(tmp_path, "DATABASES", GAUNTLET_ROLE=role, DATABASE_URL="postgres://club@db/league")
    database = values["DATABASES"]["default"]
    assert database["CONN_MAX_AGE"] == age
    assert ("pool" in database["OPTIONS"]) is pooled


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"GAUNTLET_DEBUG": "perhaps"}, "GAUNTLET_DEBUG=perhaps is neither on nor off"),
        ({"GAUNTLET_HOST": "club.example"}, "did you mean GAUNTLET_HOSTS?"),
        ({"GAUNTLET_LOG_LEVEL": "loud"}, "GAUNTLET_LOG_LEVEL=loud is not known"),
        ({"DATABASE_URL": "postgres//oops"}, "DATABASE_URL is malformed"),
        ({"REDIS_URL": "oops"}, "REDIS_URL is malformed"),
        ({"EMAIL_URL": "pigeon://loft"}, "EMAIL_URL is malformed"),
        ({"GAUNTLET_SECRET_KEY": "short"}, "GAUNTLET_SECRET_KEY has 5 characters"),
        ({"GAUNTLET_PUSH_KEY": "short"}, "GAUNTLET_PUSH_KEY is malformed"),
        ({"GAUNTLET_PUSH_KEY": "_" * 43}, "GAUNTLET_PUSH_KEY is malformed"),
        ({"GAUNTLET_HOSTS": "club.example", "GAUNTLET_PROXIES": "0"}, "https needs a proxy"),
        ({"SENTRY_DSN": "https://key@sentry.example/1"}, "SENTRY_DSN needs a package of its own"),
        ({"REDIS_URL": "redis://localhost"}, "give them all the same GAUNTLET_SECRET_KEY"),
    ],
)
def test_a_wrong_setting_is_one_line_and_changes_nothing(
    tmp_path: Path, settings: dict[str, str], complaint: str
) -> None:
    done = attempt(tmp_path, **settings)
    assert done.returncode != 0
    assert complaint in done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    assert not (tmp_path / "var").exists()


def test_the_readme_explains_every_setting(tmp_path: Path) -> None:
    documented = set(re.findall(r"^\| `([A-Z_]+)`", (ROOT / "README.md").read_text(), re.MULTILINE))
    done = attempt(tmp_path, "import deploy.settings; print(*deploy.settings.env.known)")
    assert documented == set(done.stdout.split())


def test_django_finds_nothing_to_complain_about_in_public(tmp_path: Path) -> None:
    code = "import django; django.setup(); from django.core.management import call_command as call\n"
    done = attempt(
        tmp_path,
        code + "call('check', deploy=True, fail_level='WARNING')",
        GAUNTLET_HOSTS="club.example",
        GAUNTLET_SECRET_KEY="k7Qw-e" * 10,
    )
    assert done.returncode == 0, done.stderr

"""Every environment value is checked, and a wrong one is named in one line."""

from pathlib import Path

import pytest

from deploy import env


@pytest.fixture(autouse=True)
def empty_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DATABASE_URL", "REDIS_URL", "EMAIL_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(("value", "meaning"), [("on", True), ("YES", True), ("1", True), ("off", False), ("0", False)])
def test_a_flag_is_on_or_off(monkeypatch: pytest.MonkeyPatch, value: str, meaning: bool) -> None:
    monkeypatch.setenv("FLAG", value)
    assert env.flag("FLAG", not meaning) is meaning


@pytest.mark.parametrize(
    ("read", "value", "complaint"),
    [
        (lambda: env.flag("X", False), "maybe", "X=maybe is neither on nor off"),
        (lambda: env.flag("X", False), "", "X= is neither on nor off"),
        (lambda: env.number("X", 8, at_least=1), "0", "X=0 is not a whole number of 1 or more"),
        (lambda: env.number("X", 8), "-3", "X=-3 is not a whole number of 0 or more"),
        (lambda: env.number("X", 8), "eight", "X=eight is not a whole number of 0 or more"),
        (lambda: env.choice("X", ["a", "b"], "a"), "c", "X=c is not known: use one of a, b"),
    ],
)
def test_a_wrong_value_is_named(monkeypatch: pytest.MonkeyPatch, read, value: str, complaint: str) -> None:
    monkeypatch.setenv("X", value)
    with pytest.raises(env.BadSetting, match=f"^Gauntlet: {complaint}$"):
        read()


def test_a_secret_may_live_in_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "key").write_text("from a file\n")
    monkeypatch.setenv("KEY_FILE", str(tmp_path / "key"))
    assert env.secret("KEY") == "from a file"
    monkeypatch.setenv("KEY_FILE", str(tmp_path / "none"))
    with pytest.raises(env.BadSetting, match=r"KEY_FILE=.*none cannot be read"):
        env.secret("KEY")


def test_databases(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    default = tmp_path / "club.sqlite3"
    assert env.database("DATABASE_URL", default)["NAME"] == str(default)
    monkeypatch.setenv("DATABASE_URL", "postgres://club:p%40ss@db.example:5433/league?sslmode=require")
    assert env.database("DATABASE_URL", default) == {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": "league",
        "USER": "club",
        "PASSWORD": "p@ss",
        "HOST": "db.example",
        "PORT": "5433",
        "OPTIONS": {"sslmode": "require"},
    }
    monkeypatch.setenv("DATABASE_URL", "postgresql://postgres@/league?host=/run/postgres")
    assert env.database("DATABASE_URL", default)["HOST"] == "/run/postgres"


@pytest.mark.parametrize(
    "malformed",
    [
        "",
        "league",
        "mysql://club@db/league",
        "postgres://db:port/league",
        "postgres://club:secret-word@db.example",
        "postgres:///league",
        "sqlite://",
        "sqlite://host/file",
        "postgres://[::1/league",
    ],
)
def test_a_malformed_database_address_is_refused_without_repeating_it(
    monkeypatch: pytest.MonkeyPatch, malformed: str
) -> None:
    monkeypatch.setenv("DATABASE_URL", malformed)
    with pytest.raises(env.BadSetting, match=r"^Gauntlet: DATABASE_URL is malformed: ") as refusal:
        env.database("DATABASE_URL", Path("x"))
    assert "secret-word" not in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("malformed", ["localhost:6379", "http://redis", "redis://", "redis://host:port"])
def test_a_malformed_redis_address_is_refused(monkeypatch: pytest.MonkeyPatch, malformed: str) -> None:
    monkeypatch.setenv("REDIS_URL", malformed)
    with pytest.raises(env.BadSetting, match=r"^Gauntlet: REDIS_URL is malformed: "):
        env.redis("REDIS_URL")


def test_mail_goes_to_the_console_or_to_a_server(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "console" in env.email("EMAIL_URL")["EMAIL_BACKEND"]
    monkeypatch.setenv("EMAIL_URL", "smtp+tls://club:p%40ss@mail.example")
    mail = env.email("EMAIL_URL")
    assert (mail["EMAIL_HOST"], mail["EMAIL_PORT"], mail["EMAIL_HOST_PASSWORD"]) == ("mail.example", 587, "p@ss")
    assert (mail["EMAIL_USE_TLS"], mail["EMAIL_USE_SSL"]) == (True, False)
    monkeypatch.setenv("EMAIL_URL", "smtp://")
    with pytest.raises(env.BadSetting, match="EMAIL_URL is malformed"):
        env.email("EMAIL_URL")


def test_a_misspelt_name_is_refused_with_the_nearest_one(monkeypatch: pytest.MonkeyPatch) -> None:
    env.known.add("GAUNTLET_HOSTS")
    monkeypatch.setenv("GAUNTLET_HOST", "club.example")
    with pytest.raises(
        env.BadSetting, match=r"GAUNTLET_HOST is not a setting of Gauntlet: did you mean GAUNTLET_HOSTS\?"
    ):
        env.refuse_unknown()


def test_the_key_is_made_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    file = tmp_path / "var" / "secret-key"
    key = env.stored_key(file)
    assert len(key) >= 50
    assert env.stored_key(file) == key
    assert file.stat().st_mode & 0o777 == 0o600
    assert [entry.name for entry in file.parent.iterdir()] == ["secret-key"]

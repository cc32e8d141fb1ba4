"""Typed readers of environment variables: a wrong value stops the program with one clear line."""

import base64
import difflib
import os
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

PREFIX = "GAUNTLET_"
YES, NO = {"1", "on", "true", "yes"}, {"0", "off", "false", "no"}

# The private keys of the curve P-256 are smaller.
P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551

# Every name that is read, so that a misspelt one can be recognised.
known: set[str] = {"GAUNTLET_BOOTSTRAP"}


class BadSetting(SystemExit):
    """Ends any program that reads the settings, with one line and no traceback."""

    def __init__(self, message: str) -> None:
        super().__init__(f"Gauntlet: {message}")


def text(name: str, default: str) -> str:
    known.add(name)
    return os.environ.get(name, default).strip()


def secret(name: str) -> str:
    """A secret given directly or, better, in a file named by NAME_FILE."""
    file = text(f"{name}_FILE", "")
    if not file:
        return text(name, "")
    try:
        return Path(file).read_text().strip()
    except OSError as error:
        raise BadSetting(f"{name}_FILE={file} cannot be read: {error.strerror}") from None


def push_key(name: str) -> int:
    """The private key of web push as tools for VAPID write it: 32 bytes in base64url. 0 if there is none."""
    value = secret(name)
    if not value:
        return 0
    try:
        key = int.from_bytes(base64.urlsafe_b64decode(value + "=")) if len(value) == 43 else 0
    except ValueError:
        key = 0
    if not 0 < key < P256_ORDER:
        raise BadSetting(f"{name} is malformed: it must be 32 bytes in base64url, 43 characters")
    return key


def flag(name: str, default: bool) -> bool:
    value = text(name, "on" if default else "off").lower()
    if value not in YES | NO:
        raise BadSetting(f"{name}={value} is neither on nor off")
    return value in YES


def number(name: str, default: int, at_least: int = 0) -> int:
    value = text(name, str(default))
    if not value.isdecimal() or int(value) < at_least:
        raise BadSetting(f"{name}={value} is not a whole number of {at_least} or more")
    return int(value)


def choice(name: str, options: Sequence[str], default: str) -> str:
    value = text(name, default)
    if value not in options:
        raise BadSetting(f"{name}={value} is not known: use one of {', '.join(options)}")
    return value


def words(name: str) -> list[str]:
    return [word.strip() for word in text(name, "").split(",") if word.strip()]


def folder(name: str, default: Path) -> Path:
    return Path(text(name, str(default))).expanduser().absolute()


def url(name: str, default: str, schemes: Sequence[str]) -> SplitResult:
    """A URL of one of these schemes. The value itself is not in the message: it may contain a password."""
    value = text(name, default)
    try:
        parts = urlsplit(value)
        _ = parts.port
    except ValueError as error:
        raise BadSetting(f"{name} is malformed: {error}") from None
    if parts.scheme not in schemes:
        examples = " or ".join(f"{scheme}:" for scheme in schemes)
        raise BadSetting(f"{name} is malformed: it must begin with {examples}")
    return parts


def database(name: str, default_file: Path) -> dict[str, Any]:
    """A Django database from sqlite:///file or postgres://user:password@host:port/name."""
    parts = url(name, f"sqlite:///{default_file}", ["sqlite", "postgres", "postgresql"])
    if parts.scheme == "sqlite":
        file = unquote(parts.path).removeprefix("/")
        if parts.netloc or not file or parts.query:
            raise BadSetting(f"{name} is malformed: write sqlite:///relative.file or sqlite:////absolute/file")
        return {"ENGINE": "django.db.backends.sqlite3", "NAME": str(Path(file).absolute())}
    query = dict(parse_qsl(parts.query))
    host = query.pop("host", unquote(parts.hostname or ""))
    dbname = unquote(parts.path).strip("/")
    if not dbname or not host:
        raise BadSetting(f"{name} is malformed: write postgres://user:password@host:port/name")
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": dbname,
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": host,
        "PORT": str(parts.port or query.pop("port", "")),
        "OPTIONS": query,
    }


def redis(name: str) -> str:
    """A Redis address as it was given, or nothing."""
    if not text(name, ""):
        return ""
    parts = url(name, "", ["redis", "rediss", "unix"])
    if not (parts.hostname or parts.scheme == "unix"):
        raise BadSetting(f"{name} is malformed: write redis://host:port/0")
    return text(name, "")


def email(name: str) -> dict[str, Any]:
    """Django's e-mail settings from console:, smtp://..., smtp+tls://... (STARTTLS) or smtps://..."""
    parts = url(name, "console:", ["console", "smtp", "smtp+tls", "smtps"])
    if parts.scheme == "console":
        return {"EMAIL_BACKEND": "django.core.mail.backends.console.EmailBackend"}
    if not parts.hostname:
        raise BadSetting(f"{name} is malformed: write smtp+tls://user:password@host:587")
    return {
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": parts.port or {"smtp": 25, "smtp+tls": 587, "smtps": 465}[parts.scheme],
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_TLS": parts.scheme == "smtp+tls",
        "EMAIL_USE_SSL": parts.scheme == "smtps",
        "EMAIL_TIMEOUT": 10,
    }


# Services that people may log in with, and where their log-in pages are.
SOCIAL_PROVIDERS = {
    "google": "https://accounts.google.com",
    "github": "https://github.com",
    "discord": "https://discord.com",
}


def login_providers() -> tuple[dict[str, Any], list[str]]:
    """django-allauth's providers, and the addresses that our log-in page may send people to."""
    providers: dict[str, Any] = {}
    origins = []
    for name, origin in SOCIAL_PROVIDERS.items():
        client, key = _client(f"GAUNTLET_{name.upper()}")
        if client:
            providers[name] = {"APPS": [{"client_id": client, "secret": key}], "OAUTH_PKCE_ENABLED": True}
            origins.append(origin)
    client, key = _client("GAUNTLET_OIDC")
    label = text("GAUNTLET_OIDC_NAME", "OpenID Connect")
    issuer = text("GAUNTLET_OIDC_URL", "").rstrip("/")
    if bool(client) != bool(issuer):
        raise BadSetting("GAUNTLET_OIDC_URL and GAUNTLET_OIDC_CLIENT are needed together")
    if issuer:
        parts = url("GAUNTLET_OIDC_URL", "", ["https", "http"])
        if not parts.hostname or (parts.scheme == "http" and parts.hostname not in {"localhost", "127.0.0.1", "::1"}):
            raise BadSetting("GAUNTLET_OIDC_URL is malformed: write https://host/path of the provider")
        app = {
            "provider_id": "oidc",
            "name": label,
            "client_id": client,
            "secret": key,
            "settings": {"server_url": issuer},
        }
        providers["openid_connect"] = {"APPS": [app], "OAUTH_PKCE_ENABLED": True}
        origins.append(f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}")
    return providers, origins


def _client(prefix: str) -> tuple[str, str]:
    client, key = text(f"{prefix}_CLIENT", ""), secret(f"{prefix}_SECRET")
    if bool(client) != bool(key):
        raise BadSetting(f"{prefix}_CLIENT and {prefix}_SECRET (or {prefix}_SECRET_FILE) are needed together")
    return client, key


def report_errors_to(address: str) -> None:
    """Report errors to Sentry, without cookies, names, bodies or local variables. Its package is not one of ours."""
    try:
        import sentry_sdk
    except ImportError:
        raise BadSetting("SENTRY_DSN needs a package of its own: run '.venv/bin/pip install sentry-sdk'") from None
    try:
        sentry_sdk.init(
            dsn=address, send_default_pii=False, include_local_variables=False, max_request_body_size="never"
        )
    except ValueError as error:
        raise BadSetting(f"SENTRY_DSN is malformed: {error}") from None


def refuse_unknown() -> None:
    """A misspelt name would silently be ignored: refuse it and suggest the nearest one."""
    for name in sorted(os.environ):
        if name.startswith(PREFIX) and name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(sorted(known))}"
            raise BadSetting(f"{name} is not a setting of Gauntlet: {hint}")


def stored_key(file: Path) -> str:
    """The site's secret key, created on the first start and stored in a file that only its owner can read."""
    try:
        if not file.exists():
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            draft = file.with_name(f"{file.name}.{os.getpid()}")
            with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as fresh:
                fresh.write(secrets.token_urlsafe(50))
            try:
                os.link(draft, file)  # does not replace a key that another process stored meanwhile
            except FileExistsError:
                pass
            finally:
                draft.unlink()
        return file.read_text().strip()
    except OSError as error:
        raise BadSetting(
            f"cannot keep a secret key in {file.parent} ({error.strerror}): make that folder writable, or set "
            "GAUNTLET_VAR to a folder of your own"
        ) from None

"""Checks an installation part by part, from outside its running programs, and says how to fix each fault."""

import asyncio
import secrets
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parseaddr
from pathlib import Path

from channels.layers import get_channel_layer
from django.conf import settings
from django.core import checks
from django.core.cache import cache
from django.core.mail import get_connection
from django.core.management.base import CommandError
from django.db import DatabaseError, connection
from django.utils import timezone

from deploy import background_build, compiled_build, health, logging_config, preflight
from deploy.celery import app
from deploy.models import Pulse

OK, WARN, FAIL = "ok", "warn", "fail"
MIN_POSTGRES = 14
BEAT_STALE_AFTER = timedelta(seconds=60)
WORKER_TIMEOUT = 15.0
LAYER_TIMEOUT = 5.0
# Seconds between the clock of this machine and that of the database: both stamp rows, and games are timed by them.
CLOCK_WARN, CLOCK_FAIL = 1.0, 5.0
# Free bytes on the disk.
DISK_WARN, DISK_FAIL = 1024**3, 200 * 1024**2


@dataclass(frozen=True)
class Finding:
    part: str
    verdict: str
    says: str
    advice: str = ""


class Fault(Exception):
    """What is wrong with a part, and how to fix it."""

    def __init__(self, says: str, advice: str, verdict: str = FAIL) -> None:
        super().__init__(says)
        self.says, self.advice, self.verdict = says, advice, verdict


PARTS = (
    *("settings", "folder", "disk", "static files", "engine", "e-mail"),
    *("database", "schema", "clock", "broker", "live", "worker", "beat"),
)


def examine(timeout: float = WORKER_TIMEOUT, only: str = "") -> Iterator[Finding]:
    """Check every part in turn, or only one. What depends on a part that has failed is not checked."""
    part_checks: dict[str, Callable[[], str]] = {
        "settings": site_settings,
        "folder": folder,
        "disk": disk,
        "static files": static_files,
        "engine": compiled_engine,
        "e-mail": email,
        "database": database,
        "schema": schema,
        "clock": clock,
        "broker": broker,
        "live": live,
        "worker": lambda: worker(timeout),
        "beat": beat,
    }
    depends_on = {"schema": "database", "clock": "database", "beat": "schema", "live": "broker", "worker": "broker"}
    failed: set[str] = set()
    for part in [only] if only else PARTS:
        if (base := depends_on.get(part)) in failed:
            finding = Finding(part, FAIL, "not checked", f"Fix the {base} first.")
        else:
            finding = check_part(part, part_checks[part])
        if finding.verdict == FAIL:
            failed.add(part)
        yield finding


def check_part(part: str, check: Callable[[], str]) -> Finding:
    try:
        return Finding(part, OK, check())
    except Fault as fault:
        return Finding(part, fault.verdict, fault.says, fault.advice)
    except CommandError as error:
        says, _, advice = str(error).partition(": ")
        return Finding(part, FAIL, says, f"{advice[:1].upper()}{advice[1:]}." if advice else "")
    except Exception as error:
        return Finding(part, FAIL, reason(error), "This is unexpected: look at the log of the programs.")


def reason(error: BaseException) -> str:
    """One line, without the password that an address may contain."""
    line = (str(error).strip() or repr(error)).splitlines()[0]
    return logging_config.CREDENTIALS.sub("[hidden]@", line)


# -- this machine


def site_settings() -> str:
    public = bool(settings.PUBLIC_HOSTS)
    if public and settings.DEBUG:
        raise Fault("debug mode is on in public: error pages show internals", "Remove GAUNTLET_DEBUG.")
    warnings = [one for one in checks.run_checks(include_deployment_checks=public) if not one.is_silenced()]
    if warnings:
        worst = max(warnings, key=lambda one: one.level)
        verdict = FAIL if worst.level >= checks.ERROR else WARN
        raise Fault(f"{worst.id}: {worst.msg}", worst.hint or "Run 'python3 manage.py check --deploy'.", verdict)
    if public and settings.DEMO:
        raise Fault("the demo club is on in public: its passwords are known", "Set GAUNTLET_DEMO=off.", WARN)
    if not public:
        return "open to this machine only; GAUNTLET_HOSTS opens it to others"
    return f"open as {', '.join(settings.PUBLIC_HOSTS)}, {'https' if settings.HTTPS else 'without https'}"


def folder() -> str:
    preflight.check_folder(settings.VAR)
    key = settings.VAR / "secret-key"
    if key.exists() and key.stat().st_mode & 0o077:
        raise Fault(f"{key} can be read by others on this machine", f"Run 'chmod 600 {key}'.")
    if connection.vendor == "sqlite" and settings.VAR.stat().st_mode & 0o077:
        raise Fault(
            f"others on this machine can look into {settings.VAR}, where the database is",
            f"Run 'chmod 700 {settings.VAR}'.",
            WARN,
        )
    return f"{settings.VAR} is writable, and for this user only"


def disk() -> str:
    free, place = preflight.least_free_space()
    says = f"{free / 1024**3:.1f} GB free under {place}"
    if free < DISK_WARN:
        raise Fault(says, "Free some space: no move can be stored on a full disk.", FAIL if free < DISK_FAIL else WARN)
    return says


def static_files() -> str:
    if settings.DEBUG:
        raise Fault("served uncollected, because debug mode is on", "Remove GAUNTLET_DEBUG.", WARN)
    if not settings.REDIS and not preflight.static_is_fresh():
        raise Fault("not collected yet", "'python3 manage.py serve' does it automatically.", WARN)
    preflight.check_static()
    if not preflight.static_is_fresh():
        raise Fault("collected before they were last changed", "Run 'python3 manage.py collectstatic --no-input'.")
    return "collected, named by their hash"


def compiled_engine() -> str:
    """Whether bots run the compiled engine. They play without it too, so nothing here is a failure."""
    if compiled_build.is_installed():
        return "compiled, next to its sources"
    if not settings.COMPILE:
        return "interpreted, as GAUNTLET_COMPILE=off says"
    if compiled_build.has_mark(compiled_build.folder_in(settings.VAR)):
        return "compiled, and used by bots"
    if lacks := background_build.missing_tool():
        return f"interpreted: there is no {lacks.removeprefix('a ')} here (on Debian: gcc and python3-dev)"
    build = background_build.status(settings.VAR)
    if build.get("state") == "failed":
        raise Fault(
            f"interpreted, because it could not be compiled: {reason(ValueError(build.get('reason') or 'no reason'))}",
            "Start the site again to try again; 'python3 manage.py accelerate' shows more.",
            WARN,
        )
    if build.get("state") in background_build.WORKING and background_build.is_alive(build):
        doing = {"installing": "its compiler is being installed", "compiling": "it is being compiled"}[build["state"]]
        return f"interpreted while {doing}, for {max(0.0, time.time() - build['at']):.0f} s"
    return "interpreted; the site compiles it in the background when it runs"


def email() -> str:
    if settings.EMAIL_BACKEND.endswith("console.EmailBackend"):
        if settings.PUBLIC_HOSTS:
            raise Fault(
                "written to the log instead of being sent: nobody can confirm an address",
                "Set EMAIL_URL to your mail server, for example smtp+tls://user:password@mail.example:587.",
                WARN,
            )
        return "written to the log, as set"
    sender = parseaddr(settings.DEFAULT_FROM_EMAIL)[1]
    if sender.endswith("@localhost"):
        raise Fault(f"sent from {sender}, which mail servers refuse", "Set GAUNTLET_FROM_EMAIL.", WARN)
    try:
        with get_connection():
            return f"{settings.EMAIL_HOST} accepts mail from {sender}"
    except OSError as error:
        raise Fault(f"{settings.EMAIL_HOST} does not accept our mail: {reason(error)}", "Check EMAIL_URL.") from None


# -- the database


def database() -> str:
    try:
        preflight.unknown_migrations()
    except DatabaseError as error:
        raise Fault(f"it does not answer: {reason(error)}", "Start it, or correct DATABASE_URL.") from None
    preflight.check_database()
    with connection.cursor() as cursor:
        return postgres() if connection.vendor == "postgresql" else sqlite(cursor)


def postgres() -> str:
    major, minor = divmod(connection.pg_version, 10_000)  # type: ignore[attr-defined]
    if major < MIN_POSTGRES:
        raise Fault(f"PostgreSQL {major} is too old", f"Move to PostgreSQL {MIN_POSTGRES} or newer.")
    return f"PostgreSQL {major}.{minor} answers"


def sqlite(cursor: object) -> str:
    def pragma(name: str) -> object:
        return cursor.execute(f"PRAGMA {name}").fetchone()[0]  # type: ignore[attr-defined]

    if (mode := pragma("journal_mode")) != "wal":
        raise Fault(
            f"SQLite uses the journal mode {mode}: readers wait for writers",
            "Keep the database on a local disk: network drives do not work.",
        )
    if settings.REDIS:
        raise Fault(
            "SQLite with Redis: one writer at a time, and only on this machine",
            "Move to PostgreSQL: manage.py backup, set DATABASE_URL, manage.py restore.",
            WARN,
        )
    return f"SQLite, journal {mode}, {Path(str(connection.settings_dict['NAME'])).stat().st_size / 1024**2:.1f} MB"


def schema() -> str:
    preflight.check_schema()
    if left_over := preflight.check_tables():
        raise Fault(
            f"every migration is applied, but {'; '.join(left_over)}",
            "It does no harm: drop it, after a backup, if nothing else uses it.",
            WARN,
        )
    return "every migration is applied, and the tables are as they say"


def clock() -> str:
    if connection.vendor == "sqlite":
        return "the database uses the clock of this machine"
    before = datetime.now(UTC)
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        theirs: datetime = cursor.fetchone()[0]
    after = datetime.now(UTC)
    difference = max(timedelta(0), before - theirs, theirs - after).total_seconds()
    if difference > CLOCK_WARN:
        raise Fault(
            f"differs from the clock of the database by {difference:.1f} s",
            "Let both machines set their time by NTP: the clocks of games depend on it.",
            FAIL if difference > CLOCK_FAIL else WARN,
        )
    return "agrees with the clock of the database"


# -- the broker and the live channel


def broker() -> str:
    if not settings.REDIS:
        return "in the memory of the server program"
    try:
        health.broker()
        nonce = secrets.token_hex(8)
        cache.set(f"doctor.{nonce}", nonce, 60)
        if cache.get(f"doctor.{nonce}") != nonce:
            raise ConnectionError("Redis does not keep what is stored")
    except Exception as error:
        raise Fault(f"Redis does not answer: {reason(error)}", "Start it, or correct REDIS_URL.") from None
    return "Redis answers and stores values"


def live() -> str:
    if not settings.REDIS:
        return "in the memory of the server program"
    try:
        took = asyncio.run(round_trip())
    except Exception as error:
        raise Fault(f"a message did not come back: {reason(error)}", "Let Redis allow PUBLISH and SUBSCRIBE.") from None
    return f"a message came back in {took * 1000:.0f} ms"


async def round_trip() -> float:
    layer, group = get_channel_layer(), f"doctor.{secrets.token_hex(8)}"
    async with asyncio.timeout(LAYER_TIMEOUT):
        channel = await layer.new_channel()
        await layer.group_add(group, channel)
        began = time.perf_counter()
        await layer.group_send(group, {"type": "doctor", "group": group})
        message = await layer.receive(channel)
        took = time.perf_counter() - began
        await layer.group_discard(group, channel)
        await layer.flush()
    if message.get("group") != group:
        raise ConnectionError("another message came back")
    return took


# -- the programs


def worker(timeout: float) -> str:
    if not settings.REDIS:
        return in_one_program()
    unserved = unanswered([queue.name for queue in settings.CELERY_TASK_QUEUES], timeout)
    if not unserved:
        return "every queue is served"
    everywhere = len(unserved) == len(settings.CELERY_TASK_QUEUES)
    where = "any queue" if everywhere else f"the queue {', '.join(sorted(unserved))}"
    raise Fault(
        f"no worker took a task from {where} within {timeout:.0f} s",
        "Start 'python3 manage.py worker', or more of them if all are busy.",
        FAIL if everywhere else WARN,
    )


def unanswered(queues: list[str], timeout: float) -> set[str]:
    """Send a test task to every queue. Returns the queues in which no worker answered."""
    nonce = secrets.token_hex(8)
    for queue in queues:
        app.send_task("deploy.tasks.answer", [f"doctor.{nonce}.{queue}"], queue=queue, expires=timeout, retry=False)
    unserved, until = set(queues), time.monotonic() + timeout
    while unserved and time.monotonic() < until:
        time.sleep(0.05)
        unserved -= {queue for queue in unserved if cache.get(f"doctor.{nonce}.{queue}")}
    return unserved


def in_one_program() -> str:
    try:
        with preflight.exclusive_use_of(settings.VAR):
            pass
    except CommandError:
        return "the server is running, with its worker"
    raise Fault("the server is not running", "Start it with 'python3 manage.py serve'.", WARN)


def beat() -> str:
    if not settings.REDIS:
        in_one_program()
    last = Pulse.objects.filter(name=Pulse.BEAT).values_list("at", flat=True).first()
    if last is None or timezone.now() - last > BEAT_STALE_AFTER:
        seen = f"not run since {last:%Y-%m-%d %H:%M:%S} UTC" if last else "never run"
        advice = "Start 'celery -A deploy.celery beat', and a worker: it stores the signal of beat."
        raise Fault(f"beat has {seen}", advice if settings.REDIS else "Wait ten seconds, or restart the server.")
    return f"last seen {max(0.0, (timezone.now() - last).total_seconds()):.0f} s ago"

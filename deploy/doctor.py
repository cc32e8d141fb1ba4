"""Examines a house part by part, from outside its running programs, and says what to do about each fault."""

import asyncio
import secrets
import shutil
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

from deploy import health, logs, preflight
from deploy.celery import app
from deploy.models import Pulse

OK, WARN, FAIL = "ok", "warn", "fail"
OLDEST_POSTGRES = 14
LATE = timedelta(seconds=60)
WORKER_PATIENCE = 15.0
LAYER_PATIENCE = 5.0
# Seconds between two clocks: people's clocks fall by ours, and rows are stamped by both.
UNEVEN, ASTRAY = 1.0, 5.0
SCARCE, GONE = 1024**3, 200 * 1024**2


@dataclass(frozen=True)
class Finding:
    part: str
    verdict: str
    says: str
    advice: str = ""


class Ill(Exception):
    """What is wrong with a part, and what to do about it."""

    def __init__(self, says: str, advice: str, verdict: str = FAIL) -> None:
        super().__init__(says)
        self.says, self.advice, self.verdict = says, advice, verdict


PARTS = (
    *("settings", "folder", "disk", "static files", "e-mail"),
    *("database", "schema", "clock", "broker", "live", "worker", "beat"),
)


def examine(patience: float = WORKER_PATIENCE, only: str = "") -> Iterator[Finding]:
    """Every part in turn, or one; what stands on a part that has failed is not asked."""
    looks: dict[str, Callable[[], str]] = {
        "settings": site_settings,
        "folder": folder,
        "disk": disk,
        "static files": static_files,
        "e-mail": email,
        "database": database,
        "schema": schema,
        "clock": clock,
        "broker": broker,
        "live": live,
        "worker": lambda: worker(patience),
        "beat": beat,
    }
    stands_on = {"schema": "database", "clock": "database", "beat": "schema", "live": "broker", "worker": "broker"}
    failed: set[str] = set()
    for part in [only] if only else PARTS:
        if (ground := stands_on.get(part)) in failed:
            finding = Finding(part, FAIL, "not examined", f"See to the {ground} first.")
        else:
            finding = examined(part, looks[part])
        if finding.verdict == FAIL:
            failed.add(part)
        yield finding


def examined(part: str, look: Callable[[], str]) -> Finding:
    try:
        return Finding(part, OK, look())
    except Ill as ill:
        return Finding(part, ill.verdict, ill.says, ill.advice)
    except CommandError as error:
        says, _, advice = str(error).partition(": ")
        return Finding(part, FAIL, says, f"{advice[:1].upper()}{advice[1:]}." if advice else "")
    except Exception as error:
        return Finding(part, FAIL, reason(error), "This is unexpected: look at the log of the programs.")


def reason(error: BaseException) -> str:
    """One line, without the password that an address may hold."""
    line = (str(error).strip() or repr(error)).splitlines()[0]
    return logs.CREDENTIALS.sub("[hidden]@", line)


# -- what stands on this machine


def site_settings() -> str:
    public = bool(settings.PUBLIC_HOSTS)
    if public and settings.DEBUG:
        raise Ill("debug mode is on in public: errors show their insides", "Remove GAUNTLET_DEBUG.")
    complaints = [one for one in checks.run_checks(include_deployment_checks=public) if not one.is_silenced()]
    if complaints:
        worst = max(complaints, key=lambda one: one.level)
        verdict = FAIL if worst.level >= checks.ERROR else WARN
        raise Ill(f"{worst.id}: {worst.msg}", worst.hint or "Run 'python3 manage.py check --deploy'.", verdict)
    if public and settings.DEMO:
        raise Ill("the demo club is on in public: its passwords are known", "Set GAUNTLET_DEMO=off.", WARN)
    if not public:
        return "open to this machine alone; GAUNTLET_HOSTS opens it to others"
    return f"open as {', '.join(settings.PUBLIC_HOSTS)}, {'https' if settings.HTTPS else 'without https'}"


def folder() -> str:
    preflight.check_folder(settings.VAR)
    key = settings.VAR / "secret-key"
    if key.exists() and key.stat().st_mode & 0o077:
        raise Ill(f"{key} can be read by others on this machine", f"Run 'chmod 600 {key}'.")
    return f"{settings.VAR} is writable"


def disk() -> str:
    places = {settings.VAR}
    if connection.vendor == "sqlite":
        places.add(Path(str(connection.settings_dict["NAME"])).parent)
    free, place = min((shutil.disk_usage(place).free, str(place)) for place in places)
    says = f"{free / 1024**3:.1f} GB free under {place}"
    if free < SCARCE:
        raise Ill(says, "Make room: a full disk stops every move.", FAIL if free < GONE else WARN)
    return says


def static_files() -> str:
    if settings.DEBUG:
        raise Ill("served as they lie, because debug mode is on", "Remove GAUNTLET_DEBUG.", WARN)
    if not settings.REDIS and not preflight.static_is_fresh():
        raise Ill("not collected yet", "'python3 manage.py serve' does it by itself.", WARN)
    preflight.check_static()
    if not preflight.static_is_fresh():
        raise Ill("collected before they were last changed", "Run 'python3 manage.py collectstatic --no-input'.")
    return "collected, named by their hash"


def email() -> str:
    if settings.EMAIL_BACKEND.endswith("console.EmailBackend"):
        if settings.PUBLIC_HOSTS:
            raise Ill(
                "written to the log instead of being sent: nobody can confirm an address",
                "Set EMAIL_URL to your mail server, for example smtp+tls://user:password@mail.example:587.",
                WARN,
            )
        return "written to the log, as set"
    sender = parseaddr(settings.DEFAULT_FROM_EMAIL)[1]
    if sender.endswith("@localhost"):
        raise Ill(f"sent from {sender}, which mail servers refuse", "Set GAUNTLET_FROM_EMAIL.", WARN)
    try:
        with get_connection():
            return f"{settings.EMAIL_HOST} takes our mail, from {sender}"
    except OSError as error:
        raise Ill(f"{settings.EMAIL_HOST} does not take our mail: {reason(error)}", "Check EMAIL_URL.") from None


# -- the database


def database() -> str:
    try:
        preflight.unknown_migrations()
    except DatabaseError as error:
        raise Ill(f"it does not answer: {reason(error)}", "Start it, or correct DATABASE_URL.") from None
    preflight.check_database()
    with connection.cursor() as cursor:
        return postgres() if connection.vendor == "postgresql" else sqlite(cursor)


def postgres() -> str:
    major, minor = divmod(connection.pg_version, 10_000)  # type: ignore[attr-defined]
    if major < OLDEST_POSTGRES:
        raise Ill(f"PostgreSQL {major} is too old", f"Move to PostgreSQL {OLDEST_POSTGRES} or newer.")
    return f"PostgreSQL {major}.{minor} answers"


def sqlite(cursor: object) -> str:
    def pragma(name: str) -> object:
        return cursor.execute(f"PRAGMA {name}").fetchone()[0]  # type: ignore[attr-defined]

    if (mode := pragma("journal_mode")) != "wal":
        raise Ill(
            f"SQLite keeps its journal as {mode}: readers wait for writers",
            "Keep the database on a disk of this machine: network drives do not do.",
        )
    if settings.REDIS:
        raise Ill(
            "SQLite with Redis: one writer at a time, and only on this machine",
            "Move to PostgreSQL: manage.py backup, set DATABASE_URL, manage.py restore.",
            WARN,
        )
    return f"SQLite, journal {mode}, {Path(str(connection.settings_dict['NAME'])).stat().st_size / 1024**2:.1f} MB"


def schema() -> str:
    preflight.check_schema()
    return "every migration is applied"


def clock() -> str:
    if connection.vendor == "sqlite":
        return "the database keeps this machine's time"
    before = datetime.now(UTC)
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        theirs: datetime = cursor.fetchone()[0]
    after = datetime.now(UTC)
    apart = max(timedelta(0), before - theirs, theirs - after).total_seconds()
    if apart > UNEVEN:
        raise Ill(
            f"{apart:.1f} s apart from the database's",
            "Let both machines keep time by NTP: clocks at the tables fall by it.",
            FAIL if apart > ASTRAY else WARN,
        )
    return "together with the database's"


# -- what carries work and frames


def broker() -> str:
    if not settings.REDIS:
        return "in the memory of the one program"
    try:
        health.broker()
        nonce = secrets.token_hex(8)
        cache.set(f"doctor.{nonce}", nonce, 60)
        if cache.get(f"doctor.{nonce}") != nonce:
            raise ConnectionError("Redis forgets at once what it is told")
    except Exception as error:
        raise Ill(f"Redis does not answer: {reason(error)}", "Start it, or correct REDIS_URL.") from None
    return "Redis answers and remembers"


def live() -> str:
    if not settings.REDIS:
        return "in the memory of the one program"
    try:
        took = asyncio.run(round_trip())
    except Exception as error:
        raise Ill(f"a frame did not come back: {reason(error)}", "Let Redis allow PUBLISH and SUBSCRIBE.") from None
    return f"a frame went round in {took * 1000:.0f} ms"


async def round_trip() -> float:
    layer, group = get_channel_layer(), f"doctor.{secrets.token_hex(8)}"
    async with asyncio.timeout(LAYER_PATIENCE):
        channel = await layer.new_channel()
        await layer.group_add(group, channel)
        began = time.perf_counter()
        await layer.group_send(group, {"type": "doctor", "group": group})
        message = await layer.receive(channel)
        took = time.perf_counter() - began
        await layer.group_discard(group, channel)
        await layer.flush()
    if message.get("group") != group:
        raise ConnectionError("another frame came back")
    return took


# -- the programs


def worker(patience: float) -> str:
    if not settings.REDIS:
        return in_one_program()
    silent = unanswered([queue.name for queue in settings.CELERY_TASK_QUEUES], patience)
    if not silent:
        return "every queue is served"
    everywhere = len(silent) == len(settings.CELERY_TASK_QUEUES)
    where = "any queue" if everywhere else f"the queue {', '.join(sorted(silent))}"
    raise Ill(
        f"nobody took a task from {where} within {patience:.0f} s",
        "Start 'python3 manage.py worker', or more of them if all are busy.",
        FAIL if everywhere else WARN,
    )


def unanswered(queues: list[str], patience: float) -> set[str]:
    """Ask a question in every queue; where nobody answered."""
    nonce = secrets.token_hex(8)
    for queue in queues:
        app.send_task("deploy.tasks.answer", [f"doctor.{nonce}.{queue}"], queue=queue, expires=patience, retry=False)
    silent, until = set(queues), time.monotonic() + patience
    while silent and time.monotonic() < until:
        time.sleep(0.05)
        silent -= {queue for queue in silent if cache.get(f"doctor.{nonce}.{queue}")}
    return silent


def in_one_program() -> str:
    try:
        with preflight.alone_in(settings.VAR):
            pass
    except CommandError:
        return "the house is open, with its worker inside"
    raise Ill("the house is closed", "Open it with 'python3 manage.py serve'.", WARN)


def beat() -> str:
    if not settings.REDIS:
        in_one_program()
    last = Pulse.objects.filter(name=Pulse.BEAT).values_list("at", flat=True).first()
    if last is None or timezone.now() - last > LATE:
        heard = f"not been heard since {last:%Y-%m-%d %H:%M:%S} UTC" if last else "never been heard"
        advice = "Start 'celery -A deploy.celery beat', and a worker: beat is heard through one."
        raise Ill(f"beat has {heard}", advice if settings.REDIS else "Wait ten seconds, or open the house again.")
    return f"heard {max(0.0, (timezone.now() - last).total_seconds()):.0f} s ago"

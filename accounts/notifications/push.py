"""Alerts to devices by web push: claimed, sent, retried with growing delays, and given up.

An alert says what the subject of the notice's e-mail says, and where it leads.
"""

import json
from collections.abc import Iterable
from datetime import timedelta
from email.utils import parseaddr

import structlog
from celery import current_app
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from django.db.models import F
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext

from accounts.infra import outbound_http, web_push
from accounts.infra.input import whole_number
from accounts.infra.on_commit import after_commit
from accounts.models import ApiToken, Notice, PushAlert, PushDevice
from accounts.notifications.email import as_reader
from accounts.notifications.registry import NotificationGroup, get_kind, render

# The delay doubles after each failure: the last attempt comes about an hour after the first.
FIRST_PAUSE = timedelta(seconds=30)
MAX_ATTEMPTS = 8
MAX_RETRY_AFTER = timedelta(hours=1)
# After so many alerts in a row that were given up, the device is forgotten.
MAX_GIVEN_UP = 20
# After this time another worker may take a claimed alert: the first one was killed.
LEASE = timedelta(minutes=2)
# The sweep sends a new task after this time.
STALE_AFTER = timedelta(seconds=10)
SWEEP_BATCH = 200
# How long a push service keeps an alert for a phone that is off.
KEPT_BY_SERVICE = timedelta(days=1)
MAX_WORDS = 500
GONE = {404, 410}
LATER = {408, 429}

log = structlog.get_logger("gauntlet.push")


def server_key() -> ec.EllipticCurvePrivateKey:
    """The site's own key: GAUNTLET_PUSH_KEY, or one that follows from the secret key."""
    return web_push.private_key(settings.PUSH_KEY or web_push.key_from_secret(settings.SECRET_KEY))


def public_key() -> str:
    """What a browser is given when it subscribes."""
    return web_push.encode(web_push.public_bytes(server_key()))


def queue_alerts(notice: Notice) -> None:
    """One alert for each device of the notice's reader."""
    devices = PushDevice.objects.filter(user=notice.user)
    enqueue(PushAlert.objects.bulk_create(PushAlert(device=device, notice=notice) for device in devices))


def enqueue(alerts: Iterable[PushAlert]) -> None:
    # The sweep finds the rows, so a broker that is down delays them only.
    for alert in alerts:
        after_commit(_send_task, alert.pk)


def _send_task(alert_id: int) -> None:
    current_app.send_task("accounts.tasks.deliver_alert", [alert_id], ignore_result=True, retry=False)


def deliver_alert(*, alert_id: int) -> bool:
    """One attempt; returns whether it arrived. Safe to run twice or in parallel: only one claims it."""
    now = timezone.now()
    claim = PushAlert.objects.filter(pk=alert_id, due_at__lte=now)
    # Still due, only later: if this worker is killed, the sweep finds the alert again.
    if not claim.update(attempts=F("attempts") + 1, due_at=now + LEASE):
        return False
    found = PushAlert.objects.select_related("device__user", "device__session", "notice__actor", "notice__club")
    alert = found.get(pk=alert_id)
    device, notice = alert.device, alert.notice
    if device.server_key != public_key() or not _is_logged_in(device):
        device.delete()
        return False
    # Whoever has read it needs no alert any more.
    if not device.user.is_active or (notice is not None and notice.read_at):
        alert.delete()
        return False
    return _attempt(alert)


def _is_logged_in(device: PushDevice) -> bool:
    if device.token_id is not None:
        return ApiToken.objects.usable().filter(pk=device.token_id).exists()
    session = device.session
    # Asks the session itself: it may have expired, or the password may have changed since.
    return session is not None and session.user_id == device.user_id and not session.purge()


def _attempt(alert: PushAlert) -> bool:
    device = alert.device
    try:
        answer = outbound_http.post(device.endpoint, *_message(alert))
    except outbound_http.Forbidden:
        _forget(device, "forbidden")
        return False
    except outbound_http.Unreachable:
        _later(alert, None)
        return False
    if 200 <= answer.code < 300:
        PushDevice.objects.filter(pk=device.pk).update(used_at=timezone.now(), given_up=0)
        alert.delete()
        return True
    if answer.code in GONE:
        _forget(device, "gone")
    elif 400 <= answer.code < 500 and answer.code not in LATER:
        log.warning("an alert was refused", device=device.pk, code=answer.code)
        _give_up(alert)
    else:
        _later(alert, whole_number(answer.headers.get("retry-after", "")))
    return False


def _later(alert: PushAlert, seconds: int | None) -> None:
    if alert.attempts >= MAX_ATTEMPTS:
        _give_up(alert)
        return
    pause = timedelta(seconds=min(seconds, MAX_RETRY_AFTER.total_seconds())) if seconds else None
    pause = pause or FIRST_PAUSE * 2 ** (alert.attempts - 1)
    PushAlert.objects.filter(pk=alert.pk).update(due_at=timezone.now() + pause)


def _give_up(alert: PushAlert) -> None:
    alert.delete()
    PushDevice.objects.filter(pk=alert.device_id).update(given_up=F("given_up") + 1)
    if PushDevice.objects.filter(pk=alert.device_id, given_up__gte=MAX_GIVEN_UP).exists():
        _forget(alert.device, "unreachable")


def _forget(device: PushDevice, why: str) -> None:
    log.info("a device gets no more alerts", device=device.pk, why=why)
    device.delete()


def _message(alert: PushAlert) -> tuple[bytes, dict[str, str]]:
    device, notice = alert.device, alert.notice
    content = message_of(alert)
    body = web_push.encrypt(
        json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode(),
        p256dh=device.p256dh,
        auth=device.auth,
    )
    urgent = notice is None or get_kind(notice.kind).group is NotificationGroup.TABLES
    return body, {
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
        "Authorization": web_push.authorization(device.endpoint, key=server_key(), contact=_contact()),
        "TTL": str(int(KEPT_BY_SERVICE.total_seconds())),
        "Urgency": "high" if urgent else "normal",
        # Of several alerts about one table, a phone that was off gets the last.
        "Topic": content["tag"],
    }


def message_of(alert: PushAlert) -> dict[str, str]:
    """What the device shows, in its reader's language, and the page that a click opens."""
    person, notice = alert.device.user, alert.notice
    with as_reader(person):
        if notice is None:
            words, path = gettext("This is a test. Alerts arrive on this device."), reverse("accounts:notice-choices")
        else:
            words, path = " ".join(render(notice).split()), notice.path
    if len(words) > MAX_WORDS:
        words = f"{words[: MAX_WORDS - 1]}…"
    # The push service sees the tag. It must not learn the page from it.
    tag = salted_hmac("accounts.push", f"{person.pk}.{path}", algorithm="sha256").hexdigest()[:32]
    return {"words": words, "path": path, "tag": tag, "language": person.language}


def _contact() -> str:
    """Where the people of a push service find ours, as RFC 8292 asks for."""
    if settings.SITE_URL.startswith("https://"):
        return str(settings.SITE_URL)
    return f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}"


def due_alerts() -> list[int]:
    """Alerts that are due and whose task was lost, or that are to be tried again."""
    late = PushAlert.objects.filter(due_at__lte=timezone.now() - STALE_AFTER).order_by("due_at")
    return list(late.values_list("pk", flat=True)[:SWEEP_BATCH])

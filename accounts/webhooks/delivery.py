"""Webhook deliveries: claimed, rendered once, retried with growing delays, and finally given up."""

import json
import math
import time
from datetime import datetime, timedelta
from hashlib import sha256

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone, translation
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.infra import outbound_http
from accounts.infra.input import whole_number
from accounts.infra.realtime.publish import frame, publish
from accounts.models import Delivery, Membership, Role, User, Webhook
from accounts.notifications.registry import NotificationGroup, declare_kind
from accounts.notifications.service import notify
from accounts.webhooks import discord, events, signing
from accounts.webhooks import service as webhooks_service
from accounts.webhooks.events import TEST, Event, EventPayload

OFF_KIND = declare_kind(
    "webhook.off",
    _("The webhook “%(name)s” of %(club)s was switched off: nothing that was sent to it arrived."),
    _("A webhook of your club was switched off"),
    group=NotificationGroup.ORGANISING,
)

# The delay doubles after each failure: the twelfth attempt comes 17 to 21 hours after the first.
FIRST_PAUSE = timedelta(seconds=30)
MAX_ATTEMPTS = 12
# After so many failed deliveries in a row the webhook is switched off.
MAX_GIVEN_UP = 5
# After this time another worker may take a claimed delivery: the first one was killed.
LEASE = timedelta(minutes=2)
MAX_RETRY_AFTER = timedelta(hours=1)
KEPT_FOR = timedelta(days=30)
# The sweep sends a new task after this time.
STALE_AFTER = timedelta(seconds=10)
SWEEP_BATCH = 200
GONE, TOO_MANY = 410, 429
TEST_COLOUR = 0x6B7280

Status = Delivery.Status

log = structlog.get_logger("gauntlet.webhooks")


def deliver(*, delivery_id: int) -> bool:
    """One attempt; returns whether it succeeded. Safe to run twice or in parallel: only one claims it."""
    now = timezone.now()
    claim = Delivery.objects.filter(pk=delivery_id, status=Status.WAITING, due_at__lte=now)
    # Still due, only later: if this worker is killed, the sweep finds the delivery again.
    if not claim.update(attempts=F("attempts") + 1, due_at=now + LEASE, tried_at=now):
        return False
    delivery = Delivery.objects.select_related("hook__club", "hook__made_by").get(pk=delivery_id)
    hook = delivery.hook
    delivery.body = delivery.body or _body(delivery)
    if not delivery.body or hook.club.closed_at or not hook.is_on:
        _end(delivery, Status.FAILED if delivery.body else Status.DROPPED)
        return False
    Delivery.objects.filter(pk=delivery.pk).update(body=delivery.body)
    arrived = _attempt(delivery, now)
    publish(f"club.{hook.club.slug}", frame("webhooks"))
    return arrived


def _attempt(delivery: Delivery, now: datetime) -> bool:
    began = time.perf_counter()
    answer, forbidden = None, False
    try:
        answer = outbound_http.post(delivery.hook.url, delivery.body.encode(), _headers(delivery, now))
        delivery.code, delivery.answer = answer.code, _legible(answer.body)
    except outbound_http.Unreachable as error:
        delivery.code, delivery.answer = None, str(error)[:500]
        forbidden = isinstance(error, outbound_http.Forbidden)
    delivery.took = round((time.perf_counter() - began) * 1000)
    if answer is not None and 200 <= answer.code < 300:
        _end(delivery, Status.DELIVERED)
        Webhook.objects.filter(pk=delivery.hook_id).update(given_up=0)
        return True
    if delivery.event == TEST:
        _end(delivery, Status.FAILED)
    elif delivery.attempts >= MAX_ATTEMPTS or forbidden or delivery.code == GONE:
        _give_up(delivery)
    else:
        pause = _retry_after(answer) or retry_delay(delivery.attempts, delivery.key)
        _end(delivery, Status.WAITING, due_at=timezone.now() + pause)
    return False


def retry_delay(attempts: int, key: str) -> timedelta:
    """Doubled each time, and up to a quarter longer by lot: what failed together does not come back together."""
    lot = int.from_bytes(sha256(f"{key}.{attempts}".encode()).digest()[:4]) / 2**32
    return FIRST_PAUSE * float(2 ** (attempts - 1) * (1 + lot / 4))


def _retry_after(answer: outbound_http.OutboundResponse | None) -> timedelta | None:
    """How long to wait, if the receiver answered 429 and says so."""
    if answer is None or answer.code != TOO_MANY:
        return None
    header = answer.headers.get("retry-after", "")
    seconds = discord.retry_after(answer.body)
    if seconds is None:
        seconds = whole_number(header)
    if seconds is None or not math.isfinite(seconds):
        return None
    return min(max(timedelta(seconds=seconds), timedelta(seconds=1)), MAX_RETRY_AFTER)


def _headers(delivery: Delivery, now: datetime) -> dict[str, str]:
    signed = signing.headers(
        key=delivery.key, body=delivery.body.encode(), secrets=signing.secrets_of(delivery.hook, now), now=now
    )
    return {"Content-Type": "application/json", "User-Agent": "Gauntlet-Webhooks/1", **signed}


def _body(delivery: Delivery) -> str:
    """The body, in the language of the webhook's creator; empty if the event's object is gone."""
    hook = delivery.hook
    with translation.override(hook.made_by.language):
        payload, colour = _payload(delivery)
        if payload is None:
            return ""
        if hook.shape == Webhook.Shape.DISCORD:
            shaped = discord.message(
                title=discord.escape_markdown(payload.title),
                lines=[discord.escape_markdown(line) for line in payload.lines],
                url=settings.SITE_URL + payload.path,
                colour=colour,
                at=delivery.at,
                footer=hook.club.name,
            )
        else:
            shaped = {
                "id": delivery.key,
                "event": delivery.event,
                "at": delivery.at.isoformat(),
                "club": {"name": hook.club.name, "url": settings.SITE_URL + hook.club.get_absolute_url()},
                "url": settings.SITE_URL + payload.path,
                "object": payload.object,
            }
    return json.dumps(shaped, ensure_ascii=False, separators=(",", ":"))


def _payload(delivery: Delivery) -> tuple[EventPayload | None, int]:
    hook = delivery.hook
    if delivery.event == TEST:
        title = gettext("A test of the webhook “%(name)s”") % {"name": hook.name}
        line = gettext("News of %(club)s will arrive here.") % {"club": hook.club.name}
        return EventPayload({"webhook": hook.name}, title, [line], hook.club.get_absolute_url()), TEST_COLOUR
    event: Event | None = events.declared_events().get(delivery.event)
    return (event.describe(delivery.subject), event.colour) if event else (None, 0)


@transaction.atomic
def _give_up(delivery: Delivery) -> None:
    _end(delivery, Status.FAILED)
    hook = Webhook.objects.select_for_update(of=("self",)).select_related("club", "made_by").get(pk=delivery.hook_id)
    hook.given_up += 1
    if hook.is_on and (hook.given_up >= MAX_GIVEN_UP or delivery.code == GONE):
        hook.is_on = False
        webhooks_service.cancel_pending(hook)
        notify(_recipients(hook), OFF_KIND, path=hook.get_absolute_url(), club=hook.club, name=hook.name)
        log.warning("a webhook was switched off", webhook=hook.pk)
    hook.save(update_fields=["given_up", "is_on"])


def _recipients(hook: Webhook) -> list[User]:
    """The club's owner, and the webhook's creator if they still run the club."""
    running = Membership.objects.filter(club=hook.club, role__in=[Role.OWNER, Role.ORGANISER]).select_related("user")
    return [each.user for each in running if each.role == Role.OWNER or each.user_id == hook.made_by_id]


def _end(delivery: Delivery, status: str, due_at: datetime | None = None) -> None:
    """Save the result of an attempt, unless the delivery has been ended in the meantime."""
    delivery.status, delivery.due_at = Status(status), due_at
    Delivery.objects.filter(pk=delivery.pk, status=Status.WAITING).update(
        status=status, due_at=due_at, code=delivery.code, took=delivery.took, answer=delivery.answer
    )


def _legible(body: bytes) -> str:
    """The beginning of a response as text; PostgreSQL stores no NUL."""
    return body[:2000].decode(errors="replace").replace("\0", "")[:500]


def due() -> list[int]:
    """Deliveries that are due, or whose task was lost."""
    now = timezone.now()
    waiting = Delivery.objects.filter(due_at__lte=now, attempts__gt=0) | Delivery.objects.filter(
        due_at__lte=now - STALE_AFTER
    )
    patient = [name for name, each in events.declared_events().items() if each.patience]
    waiting |= Delivery.objects.filter(due_at__lte=now, event__in=patient)
    return list(waiting.order_by("due_at").values_list("pk", flat=True)[:SWEEP_BATCH])


def delete_old() -> int:
    """Delete deliveries older than a month."""
    old = Delivery.objects.filter(at__lt=timezone.now() - KEPT_FOR).exclude(status=Status.WAITING)
    return old.delete()[0]

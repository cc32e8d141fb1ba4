"""Sending webhooks' news: claimed, put into its shape once, tried again later and later, and in the end given up."""

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

from accounts import discord, notices, outbound, signing, webhooks
from accounts.live.publish import frame, publish
from accounts.models import Delivery, Membership, Role, User, Webhook
from accounts.webhooks import TEST, Event, Story

TOLD_OFF = notices.kind(
    "webhook.off",
    _("The webhook “%(name)s” of %(club)s was switched off: nothing that was sent to it arrived."),
    _("A webhook of your club was switched off"),
    group=notices.Group.ORGANISING,
)

# Twice as long after each failure: the twelfth attempt comes 17 to 21 hours after the first.
FIRST_PAUSE = timedelta(seconds=30)
MOST_ATTEMPTS = 12
# So many deliveries given up in a row, and the webhook is switched off.
MOST_GIVEN_UP = 5
# A worker that took a delivery and was never heard of again loses it after this.
LEASE = timedelta(minutes=2)
LONGEST_WISH = timedelta(hours=1)
KEPT_FOR = timedelta(days=30)
# The task sent at once has this long before the sweep sends another.
LOST_AFTER = timedelta(seconds=10)
A_SWEEP = 200
GONE, TOO_MANY = 410, 429
TEST_COLOUR = 0x6B7280

Status = Delivery.Status

log = structlog.get_logger("gauntlet.webhooks")


def deliver(*, delivery_id: int) -> bool:
    """One attempt; whether it arrived. Safe to run twice, or at once: one of them claims it."""
    now = timezone.now()
    claim = Delivery.objects.filter(pk=delivery_id, status=Status.WAITING, due_at__lte=now)
    # Kept due, only later: should this worker be killed, the sweep finds the delivery again.
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
        answer = outbound.post(delivery.hook.url, delivery.body.encode(), _headers(delivery, now))
        delivery.code, delivery.answer = answer.code, _legible(answer.body)
    except outbound.Unreachable as error:
        delivery.code, delivery.answer = None, str(error)[:500]
        forbidden = isinstance(error, outbound.Forbidden)
    delivery.took = round((time.perf_counter() - began) * 1000)
    if answer is not None and 200 <= answer.code < 300:
        _end(delivery, Status.DELIVERED)
        Webhook.objects.filter(pk=delivery.hook_id).update(given_up=0)
        return True
    if delivery.event == TEST:
        _end(delivery, Status.FAILED)
    elif delivery.attempts >= MOST_ATTEMPTS or forbidden or delivery.code == GONE:
        _give_up(delivery)
    else:
        pause = _wish(answer) or pause_after(delivery.attempts, delivery.key)
        _end(delivery, Status.WAITING, due_at=timezone.now() + pause)
    return False


def pause_after(attempts: int, key: str) -> timedelta:
    """Doubled each time, and up to a quarter longer by lot: what failed together does not come back together."""
    lot = int.from_bytes(sha256(f"{key}.{attempts}".encode()).digest()[:4]) / 2**32
    return FIRST_PAUSE * 2 ** (attempts - 1) * (1 + lot / 4)


def _wish(answer: outbound.Answer | None) -> timedelta | None:
    """How long a receiver that has had too much asks to be left alone."""
    if answer is None or answer.code != TOO_MANY:
        return None
    header = answer.headers.get("retry-after", "")
    seconds = discord.retry_after(answer.body)
    if seconds is None and header.isdecimal():
        seconds = float(header)
    if seconds is None or not math.isfinite(seconds):
        return None
    return min(max(timedelta(seconds=seconds), timedelta(seconds=1)), LONGEST_WISH)


def _headers(delivery: Delivery, now: datetime) -> dict[str, str]:
    signed = signing.headers(
        key=delivery.key, body=delivery.body.encode(), secrets=signing.secrets_of(delivery.hook, now), now=now
    )
    return {"Content-Type": "application/json", "User-Agent": "Gauntlet-Webhooks/1", **signed}


def _body(delivery: Delivery) -> str:
    """What is sent, in the language of whoever made the webhook; empty when there is nothing to tell any more."""
    hook = delivery.hook
    with translation.override(hook.made_by.language):
        told, colour = _story(delivery)
        if told is None:
            return ""
        if hook.shape == Webhook.Shape.DISCORD:
            shaped = discord.message(
                title=discord.plain(told.title),
                lines=[discord.plain(line) for line in told.lines],
                url=settings.SITE_URL + told.path,
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
                "url": settings.SITE_URL + told.path,
                "object": told.object,
            }
    return json.dumps(shaped, ensure_ascii=False, separators=(",", ":"))


def _story(delivery: Delivery) -> tuple[Story | None, int]:
    hook = delivery.hook
    if delivery.event == TEST:
        title = gettext("A test of the webhook “%(name)s”") % {"name": hook.name}
        line = gettext("News of %(club)s will arrive here.") % {"club": hook.club.name}
        return Story({"webhook": hook.name}, title, [line], hook.club.get_absolute_url()), TEST_COLOUR
    event: Event | None = webhooks.events().get(delivery.event)
    return (event.describe(delivery.subject), event.colour) if event else (None, 0)


@transaction.atomic
def _give_up(delivery: Delivery) -> None:
    _end(delivery, Status.FAILED)
    hook = Webhook.objects.select_for_update(of=("self",)).select_related("club", "made_by").get(pk=delivery.hook_id)
    hook.given_up += 1
    if hook.is_on and (hook.given_up >= MOST_GIVEN_UP or delivery.code == GONE):
        hook.is_on = False
        webhooks.give_up_waiting(hook)
        notices.tell(_concerned(hook), TOLD_OFF, path=hook.get_absolute_url(), club=hook.club, name=hook.name)
        log.warning("a webhook was switched off", webhook=hook.pk)
    hook.save(update_fields=["given_up", "is_on"])


def _concerned(hook: Webhook) -> list[User]:
    """Whoever made it, if they still run the club, and its owner."""
    running = Membership.objects.filter(club=hook.club, role__in=[Role.OWNER, Role.ORGANISER]).select_related("user")
    return [each.user for each in running if each.role == Role.OWNER or each.user_id == hook.made_by_id]


def _end(delivery: Delivery, status: str, due_at: datetime | None = None) -> None:
    """Write down how an attempt ended; a delivery that was ended meanwhile, by hand or for good, stays so."""
    delivery.status, delivery.due_at = Status(status), due_at
    Delivery.objects.filter(pk=delivery.pk, status=Status.WAITING).update(
        status=status, due_at=due_at, code=delivery.code, took=delivery.took, answer=delivery.answer
    )


def _legible(body: bytes) -> str:
    """The beginning of an answer; no database takes NUL."""
    return body[:2000].decode(errors="replace").replace("\0", "")[:500]


def due() -> list[int]:
    """Deliveries whose time has come, or whose task was lost."""
    now = timezone.now()
    waiting = Delivery.objects.filter(due_at__lte=now, attempts__gt=0) | Delivery.objects.filter(
        due_at__lte=now - LOST_AFTER
    )
    patient = [name for name, each in webhooks.events().items() if each.patience]
    waiting |= Delivery.objects.filter(due_at__lte=now, event__in=patient)
    return list(waiting.order_by("due_at").values_list("pk", flat=True)[:A_SWEEP])


def clear_out() -> int:
    """The log goes back a month."""
    old = Delivery.objects.filter(at__lt=timezone.now() - KEPT_FOR).exclude(status=Status.WAITING)
    return old.delete()[0]

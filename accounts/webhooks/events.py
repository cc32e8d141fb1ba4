"""The events of webhooks: declared by whoever they are about, and queued for the hooks of a club that want them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from celery import current_app
from django.utils import timezone
from django.utils.functional import Promise

from accounts.infra.on_commit import after_commit
from accounts.models import Delivery, Webhook

TEST = "test"


@dataclass(frozen=True)
class EventPayload:
    """What an event says: the object for programs, and the same in words. Nothing in it that a visitor may not see."""

    object: dict[str, Any]
    title: str
    lines: Sequence[str]
    path: str


@dataclass(frozen=True)
class Event:
    """A kind of event. `describe` makes its payload when it is first sent; None when there is nothing to send any more.

    With `patience` it waits so long for more of the same, and what happens meanwhile is sent once.
    """

    name: str
    label: str | Promise
    describe: Callable[[int], EventPayload | None]
    colour: int
    patience: timedelta = timedelta(0)


_events: dict[str, Event] = {}


def declare_event(
    name: str,
    label: str | Promise,
    *,
    describe: Callable[[int], EventPayload | None],
    colour: int,
    patience: timedelta = timedelta(0),
) -> str:
    """Declare an event that webhooks can subscribe to."""
    if name in _events or name == TEST:
        raise ValueError(f"The event {name} is declared twice.")
    _events[name] = Event(name, label, describe, colour, patience)
    return name


def declared_events() -> dict[str, Event]:
    return dict(_events)


def emit(event: str, *, club_id: int | None, subject: int) -> None:
    """Queue this event for every webhook of the club that wants it, inside the caller's transaction."""
    declared = _events[event]
    if club_id is None:
        return
    for hook in Webhook.objects.filter(club_id=club_id, club__closed_at=None, is_on=True):
        if event in hook.events:
            _queue_delivery(hook, declared, subject)


def _queue_delivery(hook: Webhook, event: Event, subject: int) -> None:
    now = timezone.now()
    if event.patience:
        # Of a delivery nobody has begun the sender has read nothing yet: touching the row makes it wait for our commit.
        same = Delivery.objects.filter(hook=hook, event=event.name, subject=subject, attempts=0)
        if same.filter(status=Delivery.Status.WAITING).update(at=now):
            return
    delivery = Delivery.objects.create(
        hook=hook, event=event.name, subject=subject, at=now, due_at=now + event.patience
    )
    if not event.patience:
        after_commit(enqueue_delivery, delivery.pk)


def enqueue_delivery(delivery_id: int) -> None:
    current_app.send_task("accounts.tasks.deliver_news", [delivery_id], ignore_result=True, retry=False)

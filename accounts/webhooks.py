"""Webhooks: a club's news for programs and channels of its own. How it is sent is in `deliveries`."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from celery import current_app
from django.db import transaction
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit, outbound, signing
from accounts.access import Permission, require
from accounts.clubs import hold, refresh
from accounts.effects import after_commit
from accounts.errors import Refused
from accounts.models import Club, Delivery, User, Webhook
from accounts.models.webhook import new_salt

MADE = audit.action("webhook.made", _("%(actor)s made the webhook “%(name)s” to %(host)s"))
EDITED = audit.action("webhook.edited", _("%(actor)s changed the webhook “%(name)s”, to %(host)s"))
ROTATED = audit.action("webhook.rotated", _("%(actor)s gave the webhook “%(name)s” a new secret"))
TURNED_ON = audit.action("webhook.on", _("%(actor)s switched the webhook “%(name)s” on"))
TURNED_OFF = audit.action("webhook.off", _("%(actor)s switched the webhook “%(name)s” off"))
REMOVED = audit.action("webhook.removed", _("%(actor)s removed the webhook “%(name)s”"))

MOST_WEBHOOKS = 10
TEST = "test"
# How long somebody waits before they send by hand again.
BREATH = timedelta(seconds=10)


@dataclass(frozen=True)
class Story:
    """What an event tells: the object for programs, and the same in words. Nothing in it that a visitor may not see."""

    object: dict[str, Any]
    title: str
    lines: Sequence[str]
    path: str


@dataclass(frozen=True)
class Event:
    """A kind of news. `describe` tells it when it is first sent; None when there is nothing to tell any more.

    With `patience` it waits so long for more of the same, and what happens meanwhile is told once.
    """

    name: str
    label: str | Promise
    describe: Callable[[int], Story | None]
    colour: int
    patience: timedelta = timedelta(0)


_events: dict[str, Event] = {}


def event(
    name: str,
    label: str | Promise,
    *,
    describe: Callable[[int], Story | None],
    colour: int,
    patience: timedelta = timedelta(0),
) -> str:
    """Declare an event that webhooks can be told of."""
    if name in _events or name == TEST:
        raise ValueError(f"The event {name} is declared twice.")
    _events[name] = Event(name, label, describe, colour, patience)
    return name


def events() -> dict[str, Event]:
    return dict(_events)


def emit(event: str, *, club_id: int | None, subject: int) -> None:
    """Owe this piece of news to every webhook of the club that wants it, inside the verb's transaction."""
    declared = _events[event]
    if club_id is None:
        return
    for hook in Webhook.objects.filter(club_id=club_id, club__closed_at=None, is_on=True):
        if event in hook.events:
            _owe(hook, declared, subject)


def _owe(hook: Webhook, event: Event, subject: int) -> None:
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
        after_commit(send, delivery.pk)


def send(delivery_id: int) -> None:
    current_app.send_task("accounts.tasks.deliver_news", [delivery_id], ignore_result=True, retry=False)


@dataclass(frozen=True)
class NewSecret:
    """A webhook with its secret, which is shown this once."""

    hook: Webhook
    secret: str


@transaction.atomic
def make(*, actor: User, club: Club, name: str, url: str, shape: str, events: Iterable[str]) -> NewSecret:
    club = hold(club)
    require(actor, Permission.RUN_WEBHOOKS, club)
    if Webhook.objects.filter(club=club).count() >= MOST_WEBHOOKS:
        raise Refused(gettext("A club has at most %(most)s webhooks.") % {"most": MOST_WEBHOOKS})
    hook = Webhook(club=club, made_by=actor)
    _write(hook, name, url, shape, events)
    _note(MADE, actor, hook)
    return NewSecret(hook, signing.secret_of(hook, hook.salt))


@transaction.atomic
def edit(*, actor: User, hook: Webhook, name: str, url: str, shape: str, events: Iterable[str]) -> Webhook:
    hook = _held(actor, hook)
    _write(hook, name, url, shape, events)
    _note(EDITED, actor, hook)
    return hook


def _write(hook: Webhook, name: str, url: str, shape: str, events: Iterable[str]) -> None:
    hook.name, hook.url, hook.shape = " ".join(name.split()), url.strip(), shape
    hook.events = sorted(set(events) & set(_events))
    try:
        outbound.checked(hook.url)
    except outbound.Forbidden as error:
        raise Refused(gettext(str(error))) from None
    hook.full_clean(exclude=["events", "salt", "former_salt"])
    if not hook.events:
        raise Refused(gettext("Choose at least one thing that it is told."))
    hook.save()


@transaction.atomic
def rotate(*, actor: User, hook: Webhook) -> NewSecret:
    """A new secret; for a day what is sent is signed with the old one as well."""
    hook = _held(actor, hook)
    hook.former_salt, hook.salt, hook.rotated_at = hook.salt, new_salt(), timezone.now()
    hook.save(update_fields=["former_salt", "salt", "rotated_at"])
    _note(ROTATED, actor, hook)
    return NewSecret(hook, signing.secret_of(hook, hook.salt))


@transaction.atomic
def switch(*, actor: User, hook: Webhook, on: bool) -> Webhook:
    hook = _held(actor, hook)
    if hook.is_on == on:
        return hook
    hook.is_on, hook.given_up = on, 0
    hook.save(update_fields=["is_on", "given_up"])
    if not on:
        give_up_waiting(hook)
    _note(TURNED_ON if on else TURNED_OFF, actor, hook)
    return hook


def give_up_waiting(hook: Webhook) -> None:
    """Inside the transaction that switches a webhook off: it is told nothing later that was news today."""
    waiting = Delivery.objects.filter(hook=hook, status=Delivery.Status.WAITING)
    waiting.update(status=Delivery.Status.FAILED, due_at=None)


@transaction.atomic
def remove(*, actor: User, hook: Webhook) -> None:
    hook = _held(actor, hook)
    _note(REMOVED, actor, hook)
    hook.delete()


@transaction.atomic
def test(*, actor: User, hook: Webhook) -> Delivery:
    """Send something harmless at once, the way all news goes."""
    hook = _held(actor, hook)
    _must_be_on(hook)
    if Delivery.objects.filter(hook=hook, event=TEST, at__gt=timezone.now() - BREATH).exists():
        raise Refused(gettext("A test was sent a moment ago: wait a few seconds."))
    delivery = Delivery.objects.create(hook=hook, event=TEST)
    after_commit(send, delivery.pk)
    return delivery


@transaction.atomic
def send_again(*, actor: User, delivery: Delivery) -> Delivery:
    """The same piece of news once more, under the same id, so that a receiver can tell."""
    hook = _held(actor, delivery.hook)
    _must_be_on(hook)
    now = timezone.now()
    again = Delivery.objects.filter(pk=delivery.pk).exclude(tried_at__gt=now - BREATH)
    if not again.update(status=Delivery.Status.WAITING, due_at=now):
        raise Refused(gettext("It was sent a moment ago: wait a few seconds."))
    after_commit(send, delivery.pk)
    delivery.refresh_from_db()
    return delivery


def _must_be_on(hook: Webhook) -> None:
    if not hook.is_on:
        raise Refused(gettext("This webhook is switched off."))


def _held(actor: User, hook: Webhook) -> Webhook:
    club = hold(hook.club)
    found = Webhook.objects.select_for_update(of=("self",)).select_related("club", "made_by").filter(pk=hook.pk).first()
    require(actor, Permission.RUN_WEBHOOKS, club)
    if found is None:
        raise Refused(gettext("This webhook was removed already."))
    return found


def _note(action: str, actor: User, hook: Webhook) -> None:
    # The host alone: the rest of an address may be a secret, as Discord's is.
    host = outbound.checked(hook.url).hostname
    audit.record(action, actor=actor, on=hook, club=hook.club, name=hook.name, host=host)
    refresh(hook.club)

"""A club's webhooks: made, changed, switched on and off. What is sent is in `events`, how in `delivery`."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.access import Permission, require
from accounts.clubs import broadcast_club_changed, lock_club
from accounts.infra import outbound_http
from accounts.infra.errors import Refused
from accounts.infra.on_commit import after_commit
from accounts.models import Club, Delivery, User, Webhook
from accounts.models.webhook import new_salt
from accounts.webhooks import events as webhook_events
from accounts.webhooks import signing
from accounts.webhooks.events import TEST

MADE = audit.declare_action("webhook.made", _("%(actor)s made the webhook “%(name)s” to %(host)s"))
EDITED = audit.declare_action("webhook.edited", _("%(actor)s changed the webhook “%(name)s”, to %(host)s"))
ROTATED = audit.declare_action("webhook.rotated", _("%(actor)s gave the webhook “%(name)s” a new secret"))
TURNED_ON = audit.declare_action("webhook.on", _("%(actor)s switched the webhook “%(name)s” on"))
TURNED_OFF = audit.declare_action("webhook.off", _("%(actor)s switched the webhook “%(name)s” off"))
REMOVED = audit.declare_action("webhook.removed", _("%(actor)s removed the webhook “%(name)s”"))

MAX_WEBHOOKS = 10
# How long somebody waits before they send by hand again.
RESEND_INTERVAL = timedelta(seconds=10)


@dataclass(frozen=True)
class NewSecret:
    """A webhook with its secret, which is shown this once."""

    hook: Webhook
    secret: str


@transaction.atomic
def create_webhook(*, actor: User, club: Club, name: str, url: str, shape: str, events: Iterable[str]) -> NewSecret:
    club = lock_club(club)
    require(actor, Permission.RUN_WEBHOOKS, club)
    if Webhook.objects.filter(club=club).count() >= MAX_WEBHOOKS:
        raise Refused(gettext("A club has at most %(most)s webhooks.") % {"most": MAX_WEBHOOKS})
    hook = Webhook(club=club, made_by=actor)
    _write(hook, name, url, shape, events)
    _record_action(MADE, actor, hook)
    return NewSecret(hook, signing.secret_of(hook, hook.salt))


@transaction.atomic
def edit(*, actor: User, hook: Webhook, name: str, url: str, shape: str, events: Iterable[str]) -> Webhook:
    hook = _lock_webhook(actor, hook)
    _write(hook, name, url, shape, events)
    _record_action(EDITED, actor, hook)
    return hook


def _write(hook: Webhook, name: str, url: str, shape: str, events: Iterable[str]) -> None:
    hook.name, hook.url, hook.shape = " ".join(name.split()), url.strip(), shape
    hook.events = sorted(set(events) & set(webhook_events.declared_events()))
    try:
        outbound_http.validate_url(hook.url)
    except outbound_http.Forbidden as error:
        raise Refused(gettext(str(error))) from None
    hook.full_clean(exclude=["events", "salt", "former_salt"])
    if not hook.events:
        raise Refused(gettext("Choose at least one event."))
    hook.save()


@transaction.atomic
def rotate(*, actor: User, hook: Webhook) -> NewSecret:
    """A new secret; for a day what is sent is signed with the old one as well."""
    hook = _lock_webhook(actor, hook)
    hook.former_salt, hook.salt, hook.rotated_at = hook.salt, new_salt(), timezone.now()
    hook.save(update_fields=["former_salt", "salt", "rotated_at"])
    _record_action(ROTATED, actor, hook)
    return NewSecret(hook, signing.secret_of(hook, hook.salt))


@transaction.atomic
def set_enabled(*, actor: User, hook: Webhook, on: bool) -> Webhook:
    hook = _lock_webhook(actor, hook)
    if hook.is_on == on:
        return hook
    hook.is_on, hook.given_up = on, 0
    hook.save(update_fields=["is_on", "given_up"])
    if not on:
        cancel_pending(hook)
    _record_action(TURNED_ON if on else TURNED_OFF, actor, hook)
    return hook


def cancel_pending(hook: Webhook) -> None:
    """Inside the transaction that switches a webhook off: nothing of today is sent to it later."""
    waiting = Delivery.objects.filter(hook=hook, status=Delivery.Status.WAITING)
    waiting.update(status=Delivery.Status.FAILED, due_at=None)


@transaction.atomic
def remove(*, actor: User, hook: Webhook) -> None:
    hook = _lock_webhook(actor, hook)
    _record_action(REMOVED, actor, hook)
    hook.delete()


@transaction.atomic
def send_test(*, actor: User, hook: Webhook) -> Delivery:
    """Send something harmless at once, the way all news goes."""
    hook = _lock_webhook(actor, hook)
    _must_be_on(hook)
    if Delivery.objects.filter(hook=hook, event=TEST, at__gt=timezone.now() - RESEND_INTERVAL).exists():
        raise Refused(gettext("A test was sent a moment ago: wait a few seconds."))
    delivery = Delivery.objects.create(hook=hook, event=TEST)
    after_commit(webhook_events.enqueue_delivery, delivery.pk)
    return delivery


@transaction.atomic
def send_again(*, actor: User, delivery: Delivery) -> Delivery:
    """The same piece of news once more, under the same id, so that a receiver can tell."""
    hook = _lock_webhook(actor, delivery.hook)
    _must_be_on(hook)
    now = timezone.now()
    again = Delivery.objects.filter(pk=delivery.pk).exclude(tried_at__gt=now - RESEND_INTERVAL)
    if not again.update(status=Delivery.Status.WAITING, due_at=now):
        raise Refused(gettext("It was sent a moment ago: wait a few seconds."))
    after_commit(webhook_events.enqueue_delivery, delivery.pk)
    delivery.refresh_from_db()
    return delivery


def _must_be_on(hook: Webhook) -> None:
    if not hook.is_on:
        raise Refused(gettext("This webhook is switched off."))


def _lock_webhook(actor: User, hook: Webhook) -> Webhook:
    club = lock_club(hook.club)
    found = Webhook.objects.select_for_update(of=("self",)).select_related("club", "made_by").filter(pk=hook.pk).first()
    require(actor, Permission.RUN_WEBHOOKS, club)
    if found is None:
        raise Refused(gettext("This webhook was removed already."))
    return found


def _record_action(action: str, actor: User, hook: Webhook) -> None:
    # The host alone: the rest of an address may be a secret, as Discord's is.
    host = outbound_http.validate_url(hook.url).hostname
    audit.record(action, actor=actor, on=hook, club=hook.club, name=hook.name, host=host)
    broadcast_club_changed(hook.club)

"""Notices: a row in the caller's transaction, delivered after commit. Text is rendered when it is read."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from celery import current_app
from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from accounts.access import Permission, require
from accounts.infra.datetimes import serialize_params
from accounts.infra.on_commit import after_commit
from accounts.infra.realtime.publish import frame, publish
from accounts.models import Club, Mail, Notice, User
from accounts.notifications import digest, email, preferences, push
from accounts.notifications.registry import get_kind, kind_title, render
from accounts.stored_names import store_people

# The delay doubles each time: the last attempt is about 17 hours after the first.
MAX_ATTEMPTS = 10


def notify(
    people: Iterable[User],
    kind: str,
    *,
    path: str,
    actor: User | None = None,
    club: Club | None = None,
    **params: Any,
) -> None:
    """Create a notice for each of these users, as each of them prefers. Bots, guests and deleted users get none.

    Whoever its sentence names is passed as a `User`, not as a name: see `accounts.stored_names`.
    """
    get_kind(kind)
    readers = [person for person in people if person.reads_notices]
    chosen = preferences.preferences_for_kind(readers, kind)
    stored = store_people(serialize_params(params))
    for person in readers:
        preference = chosen[person.pk]
        notice = Notice.objects.create(
            user=person,
            kind=kind,
            actor=actor,
            club=club,
            params=stored,
            path=path,
            silent=not preference.bell,
            mail=preference.mail,
            push=preference.push,
        )
        # The sweep finds the row, so a broker that is down does not fail the request.
        after_commit(_send, notice.pk)


def resolve(person: User | None, *kinds: str, path: str) -> None:
    """Mark notices of these kinds as read, because what they asked for is done: those of one person, or (None) of
    everyone. Inside the caller's transaction.
    """
    unread = Notice.objects.filter(kind__in=kinds, path=path, read_at=None)
    if person is not None:
        unread = unread.filter(user=person)
    readers = set(unread.values_list("user", flat=True))
    unread.update(read_at=timezone.now())
    for reader in sorted(readers):
        after_commit(publish, f"user.{reader}", frame("notices"))


def _send(notice_id: int) -> None:
    current_app.send_task("accounts.tasks.deliver_notice", [notice_id])


def deliver_notification(*, notice_id: int) -> bool:
    """Update the bell on open pages, queue alerts and send the e-mail, once however often the task runs."""
    # Claim before sending: of two workers with the same task, one sends. If a worker is killed in between, the
    # e-mail is lost, but not the notice.
    claim = Notice.objects.filter(pk=notice_id, due_at__isnull=False)
    if not claim.update(due_at=None, attempts=F("attempts") + 1):
        return False
    notice = Notice.objects.select_related("user", "actor", "club").get(pk=notice_id)
    try:
        if not notice.silent:
            publish(f"user.{notice.user_id}", frame("notices"))
        if notice.push and notice.attempts == 1:
            # Alerts have rows and attempts of their own: an e-mail that is tried again brings no second one.
            push.queue_alerts(notice)
        if notice.mail == Mail.NOW:
            _mail(notice)
        elif notice.mail == Mail.DIGEST:
            digest.schedule_if_waiting(notice.user)
    except OSError:
        # The mail server failed: retry with growing delays, a limited number of times.
        if notice.attempts < MAX_ATTEMPTS:
            again = timezone.now() + timedelta(minutes=2**notice.attempts)
            Notice.objects.filter(pk=notice_id).update(due_at=again)
        raise
    return True


def _mail(notice: Notice) -> None:
    person = notice.user
    if not email.accepts_email(person):
        return
    details = get_kind(notice.kind).details
    with email.as_reader(person):
        sentence = render(notice)
        email.send_email(
            person=person,
            subject=sentence,
            template="accounts/notifications/email/notification.txt",
            kind=notice.kind,
            sentence=sentence,
            title=kind_title(notice.kind),
            details=details(notice) if details else "",
            link=settings.SITE_URL + notice.path,
        )


def due_notifications() -> list[int]:
    """Notices whose task was lost or whose e-mail failed."""
    late = Notice.objects.filter(due_at__lt=timezone.now()).order_by("due_at")
    return list(late.values_list("pk", flat=True)[:200])


def unread_count(person: User) -> int:
    return Notice.objects.filter(user=person, read_at=None, silent=False).count()


@transaction.atomic
def read(*, person: User, notice: Notice) -> None:
    require(person, Permission.READ_NOTICES, notice)
    Notice.objects.filter(pk=notice.pk, read_at=None).update(read_at=timezone.now())


@transaction.atomic
def read_all(*, person: User) -> int:
    require(person, Permission.READ_NOTICES, person)
    return Notice.objects.filter(user=person, read_at=None).update(read_at=timezone.now())

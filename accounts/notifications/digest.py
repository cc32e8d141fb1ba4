"""The digest: one e-mail with all waiting notices, at an hour in the user's time zone."""

from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts import audit
from accounts.access import Permission, require
from accounts.infra.datetimes import format_datetime, next_at
from accounts.models import Digest, Mail, Notice, User
from accounts.notifications import email, preferences
from accounts.notifications.registry import render

SET = audit.declare_action("account.digest", _("%(actor)s changed when they get the digest"))

MAX_ATTEMPTS = 10
MAX_LISTED = 50


@transaction.atomic
def set_schedule(*, person: User, every: str, weekday: int, hour: int) -> Digest:
    require(person, Permission.EDIT_PROFILE, person)
    digest = _lock_digest(person)
    new = (Digest.Every(every), weekday, hour)
    if (digest.every, digest.weekday, digest.hour) == new:
        return digest
    digest.every, digest.weekday, digest.hour = new
    digest.clean_fields()
    _plan(digest, person)
    audit.record(SET, actor=person, on=person, person=person)
    return digest


@transaction.atomic
def schedule_if_waiting(person: User) -> None:
    """A notice was added for the digest: schedule it if it is not yet scheduled.

    The row is locked: a digest being collected either has this notice or is scheduled again after it.
    """
    digest = _lock_digest(person)
    if digest.due_at is None:
        _plan(digest, person)


@transaction.atomic
def reschedule(person: User) -> None:
    """The user's time zone has changed."""
    for digest in Digest.objects.select_for_update().filter(user=person, due_at__isnull=False):
        _plan(digest, person)


def _lock_digest(person: User) -> Digest:
    Digest.objects.get_or_create(user=person)
    return Digest.objects.select_for_update().get(user=person)


def _plan(digest: Digest, person: User) -> None:
    weekday = digest.weekday if digest.every == Digest.Every.WEEK else None
    digest.attempts = 0
    digest.due_at = None
    if digest.every != Digest.Every.OFF and _waiting(person).exists():
        digest.due_at = next_at(after=timezone.now(), zone=person.zone, hour=digest.hour, weekday=weekday)
    digest.save()


def _waiting(person: User) -> QuerySet[Notice]:
    return Notice.objects.filter(user=person, mail=Mail.DIGEST, digested_at=None)


def due() -> list[int]:
    late = Digest.objects.filter(due_at__lte=timezone.now()).order_by("due_at")
    return list(late.values_list("pk", flat=True)[:200])


def send(*, digest_id: int) -> bool:
    """Send the waiting notices, once however often the task runs. Nothing unread, no e-mail."""
    now = timezone.now()
    with transaction.atomic():
        # Claim the digest and its notices before sending: of two workers one sends. If a worker is killed in
        # between, the e-mail is lost, but no notice.
        claim = Digest.objects.filter(pk=digest_id, due_at__lte=now)
        if not claim.update(due_at=None, attempts=F("attempts") + 1):
            return False
        digest = Digest.objects.select_related("user").get(pk=digest_id)
        waiting = _waiting(digest.user)
        unread = list(waiting.filter(read_at=None).select_related("actor", "club").order_by("created_at", "pk"))
        waiting.update(digested_at=now)
    if not unread or not email.accepts_email(digest.user):
        return False
    try:
        _mail(digest.user, unread)
    except OSError:
        _try_again(digest, unread)
        raise
    Digest.objects.filter(pk=digest_id).update(attempts=0)
    return True


def _mail(person: User, unread: list[Notice]) -> None:
    with email.as_reader(person):
        subject = ngettext("%(count)s notice waits for you", "%(count)s notices wait for you", len(unread))
        lines = [
            {
                "words": render(notice),
                "when": format_datetime(notice.created_at),
                "link": settings.SITE_URL + notice.path,
            }
            for notice in unread[:MAX_LISTED]
        ]
        email.send_email(
            person=person,
            subject=subject % {"count": len(unread)},
            template="accounts/notifications/email/digest.txt",
            kind=preferences.DIGEST,
            lines=lines,
            more=max(len(unread) - MAX_LISTED, 0),
        )


@transaction.atomic
def _try_again(digest: Digest, unread: list[Notice]) -> None:
    """The mail server failed: retry with growing delays. In the end the notices wait for the next digest."""
    Notice.objects.filter(pk__in=[notice.pk for notice in unread]).update(digested_at=None)
    if digest.attempts < MAX_ATTEMPTS:
        again = timezone.now() + timedelta(minutes=2**digest.attempts)
        Digest.objects.filter(pk=digest.pk, due_at=None).update(due_at=again)

"""The digest: one e-mail at an hour of the person's own clock, with the notices that wait for it."""

from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts import audit, choices, letters
from accounts.access import Permission, require
from accounts.kinds import words
from accounts.models import Digest, Mail, Notice, User
from accounts.moments import next_at, when

SET = audit.action("account.digest", _("%(actor)s changed when they get the digest"))

MOST_ATTEMPTS = 10
MOST_LISTED = 50


@transaction.atomic
def choose(*, person: User, every: str, weekday: int, hour: int) -> Digest:
    require(person, Permission.EDIT_PROFILE, person)
    digest = _held(person)
    new = (Digest.Every(every), weekday, hour)
    if (digest.every, digest.weekday, digest.hour) == new:
        return digest
    digest.every, digest.weekday, digest.hour = new
    digest.clean_fields()
    _plan(digest, person)
    audit.record(SET, actor=person, on=person, person=person)
    return digest


@transaction.atomic
def expect(person: User) -> None:
    """A notice was left for the digest: there is something to send now.

    The row is held, so that a digest being gathered either has this notice or is planned again after it.
    """
    digest = _held(person)
    if digest.due_at is None:
        _plan(digest, person)


@transaction.atomic
def replan(person: User) -> None:
    """The person's clock is another one now."""
    for digest in Digest.objects.select_for_update().filter(user=person, due_at__isnull=False):
        _plan(digest, person)


def _held(person: User) -> Digest:
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
    """Send what waits, once however often the task runs; nothing unread, no e-mail."""
    now = timezone.now()
    with transaction.atomic():
        # Claimed before it is sent, and its notices with it: of two workers one sends. A worker killed in between
        # loses the e-mail, never a notice.
        claim = Digest.objects.filter(pk=digest_id, due_at__lte=now)
        if not claim.update(due_at=None, attempts=F("attempts") + 1):
            return False
        digest = Digest.objects.select_related("user").get(pk=digest_id)
        waiting = _waiting(digest.user)
        unread = list(waiting.filter(read_at=None).select_related("actor", "club").order_by("created_at", "pk"))
        waiting.update(digested_at=now)
    if not unread or not letters.wanted_by(digest.user):
        return False
    try:
        _mail(digest.user, unread)
    except OSError:
        _try_again(digest, unread)
        raise
    Digest.objects.filter(pk=digest_id).update(attempts=0)
    return True


def _mail(person: User, unread: list[Notice]) -> None:
    with letters.reading_as(person):
        subject = ngettext("%(count)s notice waits for you", "%(count)s notices wait for you", len(unread))
        lines = [
            {"words": words(notice), "when": when(notice.created_at), "link": settings.SITE_URL + notice.path}
            for notice in unread[:MOST_LISTED]
        ]
        letters.send(
            person=person,
            subject=subject % {"count": len(unread)},
            template="accounts/mail/digest.txt",
            kind=choices.DIGEST,
            lines=lines,
            more=max(len(unread) - MOST_LISTED, 0),
        )


@transaction.atomic
def _try_again(digest: Digest, unread: list[Notice]) -> None:
    """The mail server is away, or refuses: later and later. Given up, the notices wait for the next digest."""
    Notice.objects.filter(pk__in=[notice.pk for notice in unread]).update(digested_at=None)
    if digest.attempts < MOST_ATTEMPTS:
        again = timezone.now() + timedelta(minutes=2**digest.attempts)
        Digest.objects.filter(pk=digest.pk, due_at=None).update(due_at=again)

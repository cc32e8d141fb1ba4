"""Notices: a row in the verb's transaction, delivered after commit, put into words when read."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from celery import current_app
from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from accounts import choices, digests, letters
from accounts.access import Permission, require
from accounts.effects import after_commit
from accounts.kinds import Group, kind, kinds, known, title, words
from accounts.live.publish import frame, publish
from accounts.models import Club, Mail, Notice, User
from accounts.moments import kept

__all__ = ["Group", "deliver", "due", "kind", "kinds", "read", "read_all", "settle", "tell", "unread", "words"]

# With the pause doubled each time, the last is some seventeen hours after the first.
MOST_ATTEMPTS = 10


def tell(
    people: Iterable[User],
    kind: str,
    *,
    path: str,
    actor: User | None = None,
    club: Club | None = None,
    **params: Any,
) -> None:
    """Leave a notice for each of these people, in the way each of them chose; bots, guests and those who have left
    are not told.
    """
    known(kind)
    readers = [person for person in people if person.can_be_told]
    wishes = choices.for_kind(readers, kind)
    for person in readers:
        wish = wishes[person.pk]
        notice = Notice.objects.create(
            user=person,
            kind=kind,
            actor=actor,
            club=club,
            params=kept(params),
            path=path,
            silent=not wish.bell,
            mail=wish.mail,
        )
        # Robust: the row is the truth and the sweep finds it, so a silent broker fails nobody's request.
        after_commit(_send, notice.pk)


def settle(person: User | None, *kinds: str, path: str) -> None:
    """What these notices asked for is done, by this person or (None) for all who were asked: they count as read,
    inside the caller's transaction.
    """
    asked = Notice.objects.filter(kind__in=kinds, path=path, read_at=None)
    if person is not None:
        asked = asked.filter(user=person)
    readers = set(asked.values_list("user", flat=True))
    asked.update(read_at=timezone.now())
    for reader in sorted(readers):
        after_commit(publish, f"user.{reader}", frame("notices"))


def _send(notice_id: int) -> None:
    current_app.send_task("accounts.tasks.deliver_notice", [notice_id])


def deliver(*, notice_id: int) -> bool:
    """Ring the bell on open pages and send the e-mail, once however often the task runs."""
    # Claim before sending: of two workers with the same task, one sends. A worker killed in between
    # loses the e-mail, never the notice, which is why the claim comes first.
    claim = Notice.objects.filter(pk=notice_id, due_at__isnull=False)
    if not claim.update(due_at=None, attempts=F("attempts") + 1):
        return False
    notice = Notice.objects.select_related("user", "actor", "club").get(pk=notice_id)
    try:
        if not notice.silent:
            publish(f"user.{notice.user_id}", frame("notices"))
        if notice.mail == Mail.NOW:
            _mail(notice)
        elif notice.mail == Mail.DIGEST:
            digests.expect(notice.user)
    except OSError:
        # The mail server is away, or refuses: later and later, and not for ever.
        if notice.attempts < MOST_ATTEMPTS:
            again = timezone.now() + timedelta(minutes=2**notice.attempts)
            Notice.objects.filter(pk=notice_id).update(due_at=again)
        raise
    return True


def _mail(notice: Notice) -> None:
    person = notice.user
    if not letters.wanted_by(person):
        return
    with letters.reading_as(person):
        sentence = words(notice)
        letters.send(
            person=person,
            subject=sentence,
            template="accounts/mail/notice.txt",
            kind=notice.kind,
            sentence=sentence,
            title=title(notice.kind),
            link=settings.SITE_URL + notice.path,
        )


def due() -> list[int]:
    """Notices that a lost task or a silent mail server left behind."""
    late = Notice.objects.filter(due_at__lt=timezone.now()).order_by("due_at")
    return list(late.values_list("pk", flat=True)[:200])


def unread(person: User) -> int:
    return Notice.objects.filter(user=person, read_at=None, silent=False).count()


@transaction.atomic
def read(*, person: User, notice: Notice) -> None:
    require(person, Permission.READ_NOTICES, notice)
    Notice.objects.filter(pk=notice.pk, read_at=None).update(read_at=timezone.now())


@transaction.atomic
def read_all(*, person: User) -> int:
    require(person, Permission.READ_NOTICES, person)
    return Notice.objects.filter(user=person, read_at=None).update(read_at=timezone.now())

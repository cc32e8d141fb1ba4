"""Notices: a row in the verb's transaction, delivered after commit, put into words when read."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from celery import current_app
from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.db.models import F
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.functional import Promise

from accounts.access import Permission, require
from accounts.effects import after_commit
from accounts.live.publish import frame, publish
from accounts.models import Club, Notice, User

# With the pause doubled each time, the last is some seventeen hours after the first.
MOST_ATTEMPTS = 10

_sentences: dict[str, str | Promise] = {}


def kind(name: str, sentence: str | Promise) -> str:
    """Declare a kind of notice; `%(actor)s`, `%(club)s` and the notice's params may be named."""
    if name in _sentences:
        raise ValueError(f"The notice {name} is declared twice.")
    _sentences[name] = sentence
    return name


def kinds() -> frozenset[str]:
    return frozenset(_sentences)


def tell(
    people: Iterable[User],
    kind: str,
    *,
    path: str,
    actor: User | None = None,
    club: Club | None = None,
    **params: Any,
) -> None:
    """Leave a notice for each of these people; bots, guests and those who have left are not told."""
    if kind not in _sentences:
        raise ValueError(f"The notice {kind} is not declared.")
    for person in people:
        if not person.can_be_told:
            continue
        notice = Notice.objects.create(user=person, kind=kind, actor=actor, club=club, params=params, path=path)
        # Robust: the row is the truth and the sweep finds it, so a silent broker fails nobody's request.
        after_commit(_send, notice.pk)


def settle(person: User, kind: str, *, path: str) -> None:
    """What this notice asked for is done: it counts as read, inside the caller's transaction."""
    if Notice.objects.filter(user=person, kind=kind, path=path, read_at=None).update(read_at=timezone.now()):
        after_commit(publish, f"user.{person.pk}", frame("notices"))


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
        publish(f"user.{notice.user_id}", frame("notices"))
        _mail(notice)
    except OSError:
        # The mail server is away, or refuses: later and later, and not for ever.
        if notice.attempts < MOST_ATTEMPTS:
            again = timezone.now() + timedelta(minutes=2**notice.attempts)
            Notice.objects.filter(pk=notice_id).update(due_at=again)
        raise
    return True


def _mail(notice: Notice) -> None:
    person = notice.user
    if not (person.is_active and person.email and person.notices_by_mail):
        return
    with translation.override(person.language):
        sentence = words(notice)
        body = render_to_string(
            "accounts/mail/notice.txt",
            {"person": person, "sentence": sentence, "link": settings.SITE_URL + notice.path},
        )
        # A header takes one line; a club's name could hold something else.
        send_mail(" ".join(sentence.split()), body, None, [person.email])


def words(notice: Notice) -> str:
    sentence = _sentences.get(notice.kind)
    if sentence is None:
        return notice.kind
    names = {
        "actor": notice.actor.name if notice.actor else "",
        "club": notice.club.name if notice.club else "",
    }
    return str(sentence) % {**notice.params, **names}


def due() -> list[int]:
    """Notices that a lost task or a silent mail server left behind."""
    late = Notice.objects.filter(due_at__lt=timezone.now()).order_by("due_at")
    return list(late.values_list("pk", flat=True)[:200])


def unread(person: User) -> int:
    return Notice.objects.filter(user=person, read_at=None).count()


@transaction.atomic
def read(*, person: User, notice: Notice) -> None:
    require(person, Permission.READ_NOTICES, notice)
    Notice.objects.filter(pk=notice.pk, read_at=None).update(read_at=timezone.now())


@transaction.atomic
def read_all(*, person: User) -> int:
    require(person, Permission.READ_NOTICES, person)
    return Notice.objects.filter(user=person, read_at=None).update(read_at=timezone.now())

"""Messages between people who follow each other; reports of them to the staff."""

from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models import Case, Count, F, Max, Q, QuerySet, When
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit, follows
from accounts.access import Permission, require
from accounts.infra.errors import Refused
from accounts.infra.input import require_storable
from accounts.infra.on_commit import after_commit
from accounts.infra.realtime.publish import frame, publish
from accounts.models import DirectMessage, MessageReport, MessagesFrom, Notice, User
from accounts.models.acquaintance import MAX_MESSAGE_LENGTH
from accounts.notifications.registry import declare_kind
from accounts.notifications.service import notify, resolve

REMOVED = audit.declare_action("people.message-removed", _("%(actor)s removed a message of %(person)s"))
WRITTEN_KIND = declare_kind("people.message", _("%(actor)s has written to you."), _("Somebody writes to you"))

# A person may write so many messages in this time, to all together.
MAX_PER_MINUTE, MAX_PER_DAY = 20, 300
CONVERSATIONS_SHOWN = 100


@transaction.atomic
def write(*, person: User, to: User, text: str) -> DirectMessage:
    """Write to somebody. However much is written, the reader has one unread notice of it."""
    require(person, Permission.MEET_PEOPLE)
    follows.check_person(person, to)
    text = require_storable(text).strip()
    if not 0 < len(text) <= MAX_MESSAGE_LENGTH:
        raise Refused(gettext("A message has 1 to %(most)s characters.") % {"most": MAX_MESSAGE_LENGTH})
    if not follows.may_write(person, to):
        raise Refused(_why_not(to))
    now = timezone.now()
    mine = DirectMessage.objects.filter(user=person)
    if mine.filter(at__gt=now - timedelta(minutes=1)).count() >= MAX_PER_MINUTE:
        raise Refused(gettext("You are writing very fast: wait a moment before you write more."))
    if mine.filter(at__gt=now - timedelta(days=1)).count() >= MAX_PER_DAY:
        raise Refused(gettext("You have written a lot today. Continue tomorrow."))
    message = DirectMessage.objects.create(user=person, to=to, text=text)
    path = _path(person)
    if not Notice.objects.filter(user=to, kind=WRITTEN_KIND, path=path, read_at=None).exists():
        notify([to], WRITTEN_KIND, path=path, actor=person)
    # The words are in no frame: pages fetch what their reader may read.
    for reader in (person, to):
        after_commit(publish, f"user.{reader.pk}", frame("messages"))
    return message


def _why_not(to: User) -> str:
    if to.messages_from == MessagesFrom.NOBODY:
        return gettext("%(name)s does not want messages.") % {"name": to.name}
    return gettext("You can write to each other once you follow each other.")


def _path(writer: User) -> str:
    """The page on which the reader of a notice finds the messages of its writer."""
    return f"/messages/{writer.handle}/"


def between(person: User, other: User) -> QuerySet[DirectMessage]:
    """The messages of two people, as either of them reads them."""
    pair = Q(user=person, to=other) | Q(user=other, to=person)
    return DirectMessage.objects.filter(pair).select_related("user", "to", "report")


def conversations(person: User) -> list[DirectMessage]:
    """The last message with each other person, the latest first; `other`, and `unread` of theirs."""
    mine = DirectMessage.objects.filter(Q(user=person) | Q(to=person))
    other = Case(When(user=person, then=F("to")), default=F("user"))
    last = mine.annotate(other_id=other).values("other_id").annotate(last=Max("pk")).order_by("-last")
    newest = [row["last"] for row in last[:CONVERSATIONS_SHOWN]]
    unread = _unread_by_writer(person)
    rows = list(DirectMessage.objects.filter(pk__in=newest).select_related("user", "to").order_by("-pk"))
    for row in rows:
        row.other = row.to if row.user_id == person.pk else row.user  # type: ignore[attr-defined]
        row.unread = unread.get(row.other.pk, 0)  # type: ignore[attr-defined]
    return rows


def _unread_by_writer(person: User) -> dict[int, int]:
    unread = DirectMessage.objects.filter(to=person, read_at=None).order_by()
    return {row["user"]: row["count"] for row in unread.values("user").annotate(count=Count("pk"))}


def unread_count(person: User) -> int:
    return DirectMessage.objects.filter(to=person, read_at=None).count()


@transaction.atomic
def read(*, person: User, other: User) -> int:
    """Count as read what the other has written; returns how many messages were new."""
    require(person, Permission.MEET_PEOPLE)
    new = DirectMessage.objects.filter(user=other, to=person, read_at=None).update(read_at=timezone.now())
    if new:
        resolve(person, WRITTEN_KIND, path=_path(other))
    return new


@transaction.atomic
def report(*, person: User, message: DirectMessage, reason: str = "") -> MessageReport:
    """Show a message that one has got to the site's staff."""
    require(person, Permission.MEET_PEOPLE)
    if message.to_id != person.pk:
        raise Refused(gettext("You can report what somebody has written to you."))
    try:
        with transaction.atomic():
            words = require_storable(reason).strip()[:300]
            return MessageReport.objects.create(message=message, reporter=person, reason=words)
    except IntegrityError:
        raise Refused(gettext("You have already reported this message.")) from None


def open_reports() -> QuerySet[MessageReport]:
    return MessageReport.objects.filter(decided_at=None).select_related("message__user", "reporter")


@transaction.atomic
def decide_report(*, person: User, report: MessageReport, remove: bool) -> None:
    """Staff decide about a reported message: remove it, or let it stand."""
    require(person, Permission.RUN_SITE)
    message = DirectMessage.objects.select_for_update(of=("self",)).select_related("user").get(pk=report.message_id)
    if remove and not message.removed:
        message.removed = True
        message.save(update_fields=["removed"])
        audit.record(REMOVED, actor=person, on=message, person=message.user)
        for reader in (message.user_id, message.to_id):
            after_commit(publish, f"user.{reader}", frame("messages"))
    MessageReport.objects.filter(pk=report.pk, decided_at=None).update(decided_at=timezone.now(), decided_by=person)

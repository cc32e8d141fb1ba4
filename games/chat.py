"""Chat at the table: lines, fixed remarks, mutes and reports."""

from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.access import Actor
from accounts.infra.errors import Refused
from accounts.models import Block, User
from games import access
from games.access import Permission
from games.catalogue.spec import spec
from games.models import ChatLine, Match, Mute, Report
from games.models.chat import MAX_LINE_LENGTH
from games.realtime import broadcast

REMOVED = audit.declare_action("games.line-removed", _("%(actor)s removed a line of %(person)s from a table"))

# Where the rules forbid to talk about what one has seen, players say one of these and nothing else.
REMARKS = {
    "hello": _("Hello!"),
    "good-luck": _("Good luck!"),
    "thinking": _("Let me think."),
    "nice": _("Nice one!"),
    "ouch": _("Ouch!"),
    "phew": _("Phew, that was close."),
    "sorry": _("Sorry!"),
    "thanks": _("Thank you!"),
    "hurry": _("Your turn!"),
    "good-game": _("Good game!"),
}
# A person may post so many lines in this time, at all tables together.
MAX_LINES_PER_WINDOW, RATE_WINDOW = 15, timedelta(seconds=10)


def only_remarks(match: Match, room: str) -> bool:
    """Whether the rules of a running match leave its players only the fixed remarks."""
    return room == ChatLine.Room.TABLE and match.is_playing and spec(match.game).only_remarks


def room_of(person: Actor, match: Match) -> str:
    return ChatLine.Room.TABLE if access.seat_of(person, match) else ChatLine.Room.GALLERY


@transaction.atomic
def post_line(*, person: User, match: Match, text: str = "", remark: str = "") -> ChatLine:
    """Post a line or a remark: players at the table, everyone else in the gallery."""
    access.require(person, Permission.TALK, match)
    text = " ".join(text.replace("\0", " ").split())
    room = room_of(person, match)
    if remark and remark not in REMARKS:
        raise Refused(gettext("There is no such remark."))
    if not remark and only_remarks(match, room):
        raise Refused(gettext("While this game runs its players may only use the fixed remarks."))
    if not remark and not 0 < len(text) <= MAX_LINE_LENGTH:
        raise Refused(gettext("A line has 1 to %(most)s characters.") % {"most": MAX_LINE_LENGTH})
    if ChatLine.objects.filter(user=person, at__gt=timezone.now() - RATE_WINDOW).count() >= MAX_LINES_PER_WINDOW:
        raise Refused(gettext("You are writing very fast: wait a moment, then go on."))
    line = ChatLine.objects.create(match=match, user=person, room=room, text="" if remark else text, remark=remark)
    broadcast.broadcast_chat_line(match, line, to_players=room == ChatLine.Room.TABLE or not match.is_playing)
    return line


def visible_lines(person: Actor, match: Match) -> QuerySet[ChatLine]:
    """The lines that a person may read: no gallery for players of a running match, no lines of muted people."""
    lines = match.lines.select_related("user").order_by("pk")
    if match.is_playing and access.seat_of(person, match):
        lines = lines.filter(room=ChatLine.Room.TABLE)
    if isinstance(person, User):
        lines = lines.exclude(user__in=Mute.objects.filter(user=person).values("muted"))
        lines = lines.exclude(user__in=Block.objects.filter(user=person).values("blocked"))
    return lines


@transaction.atomic
def mute(*, person: User, other: User) -> None:
    if person == other:
        raise Refused(gettext("You cannot mute yourself."))
    Mute.objects.get_or_create(user=person, muted=other)


@transaction.atomic
def unmute(*, person: User, other: User) -> None:
    Mute.objects.filter(user=person, muted=other).delete()


def muted_by(person: Actor) -> list[str]:
    """Whose lines a person does not read: those they muted, and those they blocked altogether."""
    if not isinstance(person, User):
        return []
    muted = Mute.objects.filter(user=person).values_list("muted__handle", flat=True)
    blocked = Block.objects.filter(user=person).values_list("blocked__handle", flat=True)
    return sorted({*muted, *blocked})


@transaction.atomic
def report(*, person: User, line: ChatLine, reason: str = "") -> Report:
    access.require(person, Permission.REPORT, line.match)
    if line.user_id == person.pk:
        raise Refused(gettext("This line is your own."))
    try:
        with transaction.atomic():
            return Report.objects.create(line=line, reporter=person, reason=reason[:300])
    except IntegrityError:
        raise Refused(gettext("You have already reported this line.")) from None


@transaction.atomic
def decide_report(*, person: User, report: Report, remove: bool) -> None:
    """Staff decide about a report: remove the line or keep it."""
    line = ChatLine.objects.select_related("match", "user").get(pk=report.line_id)
    access.require(person, Permission.MODERATE, line.match)
    if remove and not line.removed:
        line.removed = True
        line.save(update_fields=["removed"])
        audit.record(REMOVED, actor=person, on=line, person=line.user)
        broadcast.broadcast_chat_line(
            line.match, line, to_players=line.room == ChatLine.Room.TABLE or not line.match.is_playing
        )
    Report.objects.filter(line=line, settled_at=None).update(settled_at=timezone.now(), settled_by=person)

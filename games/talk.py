"""Talk at the table: lines, fixed remarks, mutes and reports."""

from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.access import Actor
from accounts.errors import Refused
from accounts.models import User
from games import access
from games.access import Permission
from games.live import announce
from games.models import ChatLine, Match, Mute, Report
from games.models.talk import LONGEST_LINE

REMOVED = audit.action("games.line-removed", _("%(actor)s removed a line of %(person)s from a table"))

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
# So much is talk; more is noise, wherever it is said.
LINES_A_BREATH, BREATH = 15, timedelta(seconds=10)
SILENT_GAMES = frozenset({"infinity-gauntlet"})


def only_remarks(match: Match, room: str) -> bool:
    """Whether the rules of a running match leave its players only the fixed remarks."""
    return room == ChatLine.Room.TABLE and match.is_playing and match.game in SILENT_GAMES


def room_of(person: Actor, match: Match) -> str:
    return ChatLine.Room.TABLE if access.seat_of(person, match) else ChatLine.Room.GALLERY


@transaction.atomic
def say(*, person: User, match: Match, text: str = "", remark: str = "") -> ChatLine:
    """Say a line or a remark: players at the table, everyone else in the gallery."""
    access.require(person, Permission.TALK, match)
    text = " ".join(text.replace("\0", " ").split())
    room = room_of(person, match)
    if remark and remark not in REMARKS:
        raise Refused(gettext("There is no such remark."))
    if not remark and only_remarks(match, room):
        raise Refused(gettext("While this game runs its players may only use the fixed remarks."))
    if not remark and not 0 < len(text) <= LONGEST_LINE:
        raise Refused(gettext("A line has 1 to %(most)s characters.") % {"most": LONGEST_LINE})
    if ChatLine.objects.filter(user=person, at__gt=timezone.now() - BREATH).count() >= LINES_A_BREATH:
        raise Refused(gettext("One thing after the other: wait a moment before you say more."))
    line = ChatLine.objects.create(match=match, user=person, room=room, text="" if remark else text, remark=remark)
    announce.said(match, line, to_players=room == ChatLine.Room.TABLE or not match.is_playing)
    return line


def heard_by(person: Actor, match: Match) -> QuerySet[ChatLine]:
    """What a person may read: players of a running match do not hear the gallery; muted people are not heard."""
    lines = match.lines.select_related("user").order_by("pk")
    if match.is_playing and access.seat_of(person, match):
        lines = lines.filter(room=ChatLine.Room.TABLE)
    if isinstance(person, User):
        lines = lines.exclude(user__in=Mute.objects.filter(user=person).values("muted"))
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
    if not isinstance(person, User):
        return []
    return list(Mute.objects.filter(user=person).values_list("muted__handle", flat=True))


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
def settle(*, person: User, report: Report, remove: bool) -> None:
    """Staff decide about a report: the line goes or stays."""
    line = ChatLine.objects.select_related("match", "user").get(pk=report.line_id)
    access.require(person, Permission.MODERATE, line.match)
    if remove and not line.removed:
        line.removed = True
        line.save(update_fields=["removed"])
        audit.record(REMOVED, actor=person, on=line, person=line.user)
        announce.said(line.match, line, to_players=line.room == ChatLine.Room.TABLE or not line.match.is_playing)
    Report.objects.filter(line=line, settled_at=None).update(settled_at=timezone.now(), settled_by=person)

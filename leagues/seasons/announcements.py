"""Announcements to all players of a season, news of a club, and the notice that a season opens."""

from datetime import timedelta

from django.db import transaction
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import access as club_access
from accounts import audit
from accounts.access import Actor
from accounts.audit import ERASED
from accounts.clubs import broadcast_club_changed
from accounts.infra.errors import Refused
from accounts.infra.input import require_storable
from accounts.models import AuditEntry, Club, Notice, User
from accounts.notifications.registry import NotificationGroup, declare_kind
from accounts.notifications.service import notify
from leagues.core import locks, realtime, season_log, webhook_emit
from leagues.core.access import Permission, may, require
from leagues.models import Announcement, Entrant, ReturnQuestion, Season
from leagues.models.announcement import MAX_TITLE_LENGTH, MOST_LETTERS

TO_PLAYERS = audit.declare_action("leagues.announced", _("%(actor)s wrote to all players (%(count)s people)"))
TO_MEMBERS = audit.declare_action("club.announced", _("%(actor)s wrote to all members (%(count)s people)"))
NEWS = audit.declare_action("club.news", _("%(actor)s wrote news of the club"))
EDITED = audit.declare_action("leagues.announcement-edited", _("%(actor)s changed an announcement of %(day)s"))
DELETED = audit.declare_action("leagues.announcement-deleted", _("%(actor)s deleted an announcement of %(day)s"))

MOST_A_DAY = 3
"""Announcements of one season, and of one club to its members, in 24 hours."""
MOST_OF_A_CLUB_A_DAY = 12
NEWS_AT_HOME = timedelta(days=30)
"""For how long news stand on members' home."""
MOST_OPENINGS_A_DAY = 5
"""How many seasons of a club are announced to its members in 24 hours."""
A_DAY = timedelta(hours=24)


def _text(notice: Notice) -> str:
    """The text for the e-mail, read when it is sent."""
    row = Announcement.objects.filter(pk=notice.params.get("announcement", 0), deleted_at=None).first()
    return row.text if row else ""


PLAYERS_KIND = declare_kind(
    "leagues.announcement",
    _("%(actor)s has written to all players of %(season)s."),
    _("An organiser writes to all players of a season"),
    group=NotificationGroup.SEASONS,
    details=_text,
)
MEMBERS_KIND = declare_kind(
    "club.announcement",
    _("%(actor)s has written to all members of %(club)s."),
    _("An organiser writes to all members of a club"),
    details=_text,
)
OPENED_KIND = declare_kind(
    "leagues.season-opened",
    _("%(season)s of %(club)s is open for entries."),
    _("A season of your club opens for entries"),
    group=NotificationGroup.SEASONS,
)


@transaction.atomic
def announce(
    *,
    actor: User,
    text: str,
    season: Season | None = None,
    club: Club | None = None,
    title: str = "",
    tells: bool = True,
) -> Announcement:
    """Write to all players of the season, or without one news of the club: with or without a notice to all members."""
    if season is not None:
        club = season.league.club
    if club is None:
        raise ValueError("An announcement is for a season or a club.")
    club = locks.club(club)
    require(actor, Permission.ORGANISE, season or club)
    title, text = _checked(title, text)
    if season is not None and season.status == Season.Status.DRAFT:
        raise Refused(gettext("The season is not open yet: nobody plays in it."))
    tells = tells or season is not None
    _check_how_many(club, season, tells)
    readers = [person for person in audience(season or club) if person != actor] if tells else []
    row = Announcement.objects.create(club=club, season=season, by=actor, title=title, text=text, is_told=tells)
    if season is not None:
        season_log.record_action(TO_PLAYERS, actor=actor, season=season, count=len(readers))
        realtime.broadcast_season_changed(season)
        known = {"season": season.full_name}
    else:
        if tells:
            audit.record(TO_MEMBERS, actor=actor, on=club, club=club, count=len(readers))
        else:
            audit.record(NEWS, actor=actor, on=club, club=club)
        broadcast_club_changed(club)
        known = {}
    kind = PLAYERS_KIND if season else MEMBERS_KIND
    notify(readers, kind, path=row.get_absolute_url(), actor=actor, club=club, announcement=row.pk, **known)
    webhook_emit.emit_announced(row)
    return row


def _checked(title: str, text: str) -> tuple[str, str]:
    title = " ".join(require_storable(title).split())
    text = require_storable(text).replace("\r\n", "\n").strip()
    if not text:
        raise Refused(gettext("Write something first."))
    if len(text) > MOST_LETTERS:
        raise Refused(gettext("An announcement has at most %(count)s letters.") % {"count": MOST_LETTERS})
    if len(title) > MAX_TITLE_LENGTH:
        raise Refused(gettext("A title has at most %(count)s letters.") % {"count": MAX_TITLE_LENGTH})
    return title, text


def _check_how_many(club: Club, season: Season | None, tells: bool) -> None:
    recent = Announcement.objects.filter(club=club, at__gt=timezone.now() - A_DAY)
    too_often = tells and recent.filter(season=season, is_told=True).count() >= MOST_A_DAY
    if too_often or recent.count() >= MOST_OF_A_CLUB_A_DAY:
        raise Refused(
            gettext("Enough for today: at most %(count)s announcements in 24 hours, so that people go on reading them.")
            % {"count": MOST_A_DAY if too_often else MOST_OF_A_CLUB_A_DAY}
        )


@transaction.atomic
def edit(*, actor: User, announcement: Announcement, title: str, text: str) -> Announcement:
    """Change the words; nobody is notified again. What it said before is not kept, e-mails that were sent stay sent."""
    require(actor, Permission.ORGANISE, announcement.season or announcement.club)
    title, text = _checked(title, text)
    row = _rows().select_for_update(of=("self",)).filter(pk=announcement.pk, deleted_at=None).first()
    if row is None:
        raise Refused(gettext("This announcement was deleted."))
    if (row.title, row.text) == (title, text):
        return row
    row.title, row.text, row.edited_at = title, text, timezone.now()
    row.save(update_fields=["title", "text", "edited_at"])
    _record(EDITED, actor, row)
    return row


@transaction.atomic
def delete(*, actor: User, announcement: Announcement) -> None:
    """Delete an announcement. E-mails that were sent stay sent; its notices lead nowhere and go as well."""
    require(actor, Permission.ORGANISE, announcement.season or announcement.club)
    kept = Announcement.objects.filter(pk=announcement.pk, deleted_at=None)
    if not kept.update(deleted_at=timezone.now(), title="", text=ERASED):
        return
    _record(DELETED, actor, announcement)
    Notice.objects.filter(kind__in=[PLAYERS_KIND, MEMBERS_KIND], path=announcement.get_absolute_url()).delete()


def _record(action: str, actor: User, announcement: Announcement) -> None:
    """In the season's or the club's log, and open pages show it."""
    season, day = announcement.season, announcement.at.isoformat()
    if season is not None:
        season_log.record_action(action, actor=actor, season=season, day=day)
        realtime.broadcast_season_changed(season)
    else:
        audit.record(action, actor=actor, on=announcement.club, club=announcement.club, day=day)
        broadcast_club_changed(announcement.club)


def audience(about: Season | Club) -> list[User]:
    """Everybody whom an announcement reaches: those who read notices, without guests and bots."""
    people = User.objects.filter(is_active=True)
    if isinstance(about, Club):
        people = people.filter(memberships__club=about)
    else:
        entries = Entrant.objects.filter(season=about).exclude(status=Entrant.Status.WITHDRAWN)
        people = people.filter(Q(entries__in=entries) | Q(teams__entrant__in=entries))
    return [person for person in people.distinct().order_by("pk") if person.reads_notices]


def may_read(reader: Actor, announcement: Announcement) -> bool:
    if announcement.deleted_at is not None:
        return False
    if announcement.season is not None:
        return may(reader, Permission.SEE, announcement.season)
    return club_access.may(reader, club_access.Permission.SEE_CLUB, announcement.club)


def latest(about: Season | Club) -> QuerySet[Announcement]:
    """The announcements of a season, or the news of a club, the newest first."""
    rows = _rows().filter(deleted_at=None)
    if isinstance(about, Club):
        return rows.filter(club=about, season=None)
    return rows.filter(season=about)


def news_of_own_clubs(person: User) -> QuerySet[Announcement]:
    """The news of the last weeks of all clubs that somebody is a member of, the newest first."""
    recent = _rows().filter(deleted_at=None, season=None, at__gt=timezone.now() - NEWS_AT_HOME)
    return recent.filter(club__in=person.memberships.values("club"), club__closed_at=None)


def _rows() -> QuerySet[Announcement]:
    return Announcement.objects.select_related("by", "club", "season__league__club")


def notify_season_opened(*, actor: User, season: Season) -> None:
    """Let the members of the club know that a season is open for entries, in the caller's transaction.

    Not those who were asked already whether they play again. A club that opens one season after the other stops being
    announced: the log counts.
    """
    club = season.league.club
    opened = AuditEntry.objects.filter(club=club, action="leagues.opened", at__gt=timezone.now() - A_DAY)
    if opened.count() > MOST_OPENINGS_A_DAY:
        return
    questions = ReturnQuestion.objects.filter(call__season=season)
    asked = questions.values_list("entrant__user", "entrant__members__user")
    knows = {actor.pk, *(pk for row in asked for pk in row), *(person.pk for person in audience(season))}
    members = [person for person in audience(club) if person.pk not in knows]
    page = reverse("leagues:entries", args=[season.league.slug, season.number])
    notify(members, OPENED_KIND, path=page, actor=actor, club=club, season=season.full_name)

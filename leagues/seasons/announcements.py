"""Announcements to all players of a season or all members of a club, and the notice that a season opens."""

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
from accounts.infra.errors import Refused
from accounts.models import AuditEntry, Club, Notice, User
from accounts.notifications.registry import NotificationGroup, declare_kind
from accounts.notifications.service import notify
from leagues.core import locks, realtime, season_log, webhook_emit
from leagues.core.access import Permission, may, require
from leagues.models import Announcement, Entrant, ReturnQuestion, Season
from leagues.models.announcement import MOST_LETTERS

TO_PLAYERS = audit.declare_action("leagues.announced", _("%(actor)s wrote to all players (%(count)s people)"))
TO_MEMBERS = audit.declare_action("club.announced", _("%(actor)s wrote to all members (%(count)s people)"))
DELETED = audit.declare_action("leagues.announcement-deleted", _("%(actor)s deleted an announcement of %(day)s"))

MOST_A_DAY = 3
"""Announcements of one season, and of one club to its members, in 24 hours."""
MOST_OF_A_CLUB_A_DAY = 12
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
def announce(*, actor: User, text: str, season: Season | None = None, club: Club | None = None) -> Announcement:
    """Write to all players of the season, or without one to all members of the club."""
    if season is not None:
        club = season.league.club
    if club is None:
        raise ValueError("An announcement is for a season or a club.")
    club = locks.club(club)
    require(actor, Permission.ORGANISE, season or club)
    text = text.replace("\r\n", "\n").strip()
    if not text:
        raise Refused(gettext("Write something first."))
    if len(text) > MOST_LETTERS:
        raise Refused(gettext("An announcement has at most %(count)s letters.") % {"count": MOST_LETTERS})
    if season is not None and season.status == Season.Status.DRAFT:
        raise Refused(gettext("The season is not open yet: nobody plays in it."))
    _check_how_many(club, season)
    readers = [person for person in audience(season or club) if person != actor]
    row = Announcement.objects.create(club=club, season=season, by=actor, text=text)
    if season is not None:
        season_log.record_action(TO_PLAYERS, actor=actor, season=season, count=len(readers))
        realtime.broadcast_season_changed(season)
        known = {"season": season.full_name}
    else:
        audit.record(TO_MEMBERS, actor=actor, on=club, club=club, count=len(readers))
        known = {}
    kind = PLAYERS_KIND if season else MEMBERS_KIND
    notify(readers, kind, path=row.get_absolute_url(), actor=actor, club=club, announcement=row.pk, **known)
    webhook_emit.emit_announced(row)
    return row


def _check_how_many(club: Club, season: Season | None) -> None:
    recent = Announcement.objects.filter(club=club, at__gt=timezone.now() - A_DAY)
    if recent.filter(season=season).count() >= MOST_A_DAY or recent.count() >= MOST_OF_A_CLUB_A_DAY:
        raise Refused(
            gettext("Enough for today: at most %(count)s announcements in 24 hours, so that people go on reading them.")
            % {"count": MOST_A_DAY}
        )


@transaction.atomic
def delete(*, actor: User, announcement: Announcement) -> None:
    """Delete an announcement. E-mails that were sent stay sent; its notices lead nowhere and go as well."""
    require(actor, Permission.ORGANISE, announcement.season or announcement.club)
    kept = Announcement.objects.filter(pk=announcement.pk, deleted_at=None)
    if not kept.update(deleted_at=timezone.now(), text=ERASED):
        return
    season, day = announcement.season, announcement.at.isoformat()
    if season is not None:
        season_log.record_action(DELETED, actor=actor, season=season, day=day)
        realtime.broadcast_season_changed(season)
    else:
        audit.record(DELETED, actor=actor, on=announcement.club, club=announcement.club, day=day)
    Notice.objects.filter(kind__in=[PLAYERS_KIND, MEMBERS_KIND], path=announcement.get_absolute_url()).delete()


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
    """The announcements of a season, or those to all members of a club, the newest first."""
    rows = Announcement.objects.filter(deleted_at=None).select_related("by", "club", "season__league__club")
    if isinstance(about, Club):
        return rows.filter(club=about, season=None)
    return rows.filter(season=about)


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

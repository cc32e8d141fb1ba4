"""Closing a season: promotions and relegations are written, and all players are notified of their place."""

from datetime import datetime

from django.db import transaction
from django.db.models import Min
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.infra.errors import Refused
from accounts.models import User
from accounts.notifications.registry import NotificationGroup, declare_kind
from accounts.notifications.service import notify
from leagues.core import locks, season_effects
from leagues.core.access import Permission, require
from leagues.formats.reasons import to_json
from leagues.models import Entrant, Movement, Round, Season
from leagues.seasons import sign_off

SEASON_CLOSED = audit.declare_action("leagues.season-closed", _("%(actor)s closed the season"))

CLOSED_KIND = declare_kind(
    "leagues.season-closed",
    _("%(season)s is over: you came in place %(place)s of %(division)s."),
    _("A season is over"),
    group=NotificationGroup.SEASONS,
)


@transaction.atomic
def close_season(*, actor: User, season: Season) -> Season:
    """Close a season for good. Closing it again changes nothing.

    The standings must be signed off: closing without a sign-off does both.
    """
    season = locks.season(season)
    require(actor, Permission.ORGANISE, season)
    if season.is_closed:
        return season
    seen = sign_off.lock_final_standings(season)
    signed = sign_off.of(season) or sign_off.write_sign_off(actor, season, seen)
    if signed.seal != sign_off.seal(seen.order):
        raise Refused(
            gettext("The standings are not those that were signed off: take the sign-off back and look again.")
        )
    Movement.objects.bulk_create(
        Movement(
            season=season,
            entrant=line.entrant,
            place=line.place,
            old=line.division.level,
            new=line.new,
            reason=to_json(line.reason),
        )
        for line in seen.lines
    )
    now = timezone.now()
    season.status, season.closed_at = Season.Status.CLOSED, now
    if season.ends_at is None or season.ends_at > now:
        season.ends_at = now
    if season.starts_at is not None and season.starts_at >= season.ends_at:
        # It was played before its planned start.
        season.starts_at = _first_drawn(season)
    season.save(update_fields=["status", "closed_at", "starts_at", "ends_at"])
    season_effects.log_and_refresh(SEASON_CLOSED, actor=actor, season=season)
    for line in seen.lines:
        notify(
            people_of_entrant(line.entrant),
            CLOSED_KIND,
            path=season.get_absolute_url(),
            season=season.full_name,
            place=line.place,
            division=line.division.name,
        )
    return season


def _first_drawn(season: Season) -> datetime:
    drawn: datetime | None = Round.objects.filter(stage__division__season=season).aggregate(first=Min("drawn_at"))[
        "first"
    ]
    return drawn or season.made_at


def people_of_entrant(entrant: Entrant) -> list[User]:
    """The person, or the members of the team."""
    return [entrant.user] if entrant.user else [each.user for each in entrant.members.select_related("user")]

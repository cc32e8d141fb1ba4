"""The screen of a club evening: its secret link, and the clock that an organiser starts."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.crypto import get_random_string
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.infra.errors import Refused
from accounts.models import User
from leagues.core import locks, realtime, season_log
from leagues.core.access import Permission, require
from leagues.models import Screen, Season

LINK_MADE = audit.declare_action("leagues.screen-link-made", _("%(actor)s made a secret link to the screen"))
LINK_REMOVED = audit.declare_action("leagues.screen-link-removed", _("%(actor)s removed the secret link to the screen"))

LONGEST = 600
"""Minutes that a clock may run."""


@transaction.atomic
def make_link(*, actor: User, season: Season) -> Screen:
    """Make a secret link to the screen; one that exists is replaced, and its address is gone."""
    screen = _lock(actor, season)
    screen.key = get_random_string(16)
    screen.save()
    season_log.record_action(LINK_MADE, actor=actor, season=season)
    realtime.broadcast_season_changed(season)
    return screen


@transaction.atomic
def remove_link(*, actor: User, season: Season) -> None:
    screen = _lock(actor, season)
    if screen.key:
        screen.key = ""
        screen.save()
        season_log.record_action(LINK_REMOVED, actor=actor, season=season)
        realtime.broadcast_season_changed(season)


@transaction.atomic
def start_clock(*, actor: User, season: Season, clock: str, minutes: int) -> Screen:
    """Let the screen count down the minutes of a round, or of a break until the next one."""
    screen = _lock(actor, season)
    if clock not in Screen.Clock.values:
        raise Refused(gettext("A clock counts a round or a break."))
    if not 1 <= minutes <= LONGEST:
        raise Refused(gettext("Give a whole number from %(least)s to %(most)s.") % {"least": 1, "most": LONGEST})
    screen.clock, screen.clock_from = clock, timezone.now()
    screen.clock_until = screen.clock_from + timedelta(minutes=minutes)
    screen.save()
    realtime.broadcast_season_changed(season)
    return screen


@transaction.atomic
def stop_clock(*, actor: User, season: Season) -> None:
    screen = _lock(actor, season)
    screen.clock, screen.clock_from, screen.clock_until = "", None, None
    screen.save()
    realtime.broadcast_season_changed(season)


def screen_of(season: Season) -> Screen:
    """The row of the season; a new one that is not saved where there is none yet."""
    return Screen.objects.filter(season=season).first() or Screen(season=season)


def season_by_key(key: str) -> Season | None:
    """The season whose screen has this secret link; not while it is being set up."""
    rows = Screen.objects.exclude(key="").exclude(season__status=Season.Status.DRAFT).filter(key=key)
    screen = rows.select_related("season__league__club").first()
    return screen.season if screen else None


def _lock(actor: User, season: Season) -> Screen:
    require(actor, Permission.ORGANISE, season)
    locks.season(season)
    return screen_of(season)

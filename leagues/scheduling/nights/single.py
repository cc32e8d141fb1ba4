"""One night by itself: added, changed, cancelled, restored."""

from dataclasses import replace
from datetime import date, time
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.errors import Refused
from accounts.models import Club, User
from leagues import live
from leagues.models import ClubNight, Venue
from leagues.scheduling.clock import Misfit
from leagues.scheduling.nights import placed
from leagues.scheduling.nights.laying import (
    Shape,
    check_free,
    clean,
    lay,
    misplaced,
    no_room,
    open_venue,
    organised,
    place,
    shape_of,
)

ADDED = audit.action("leagues.night-added", _("%(actor)s added the night of %(day)s: %(night)s"))
CHANGED = audit.action("leagues.night-changed", _("%(actor)s changed the night of %(day)s: %(night)s"))
CANCELLED = audit.action("leagues.night-cancelled", _("%(actor)s cancelled the night of %(day)s: %(night)s"))
RESTORED = audit.action("leagues.night-restored", _("%(actor)s restored the night of %(day)s: %(night)s"))


@transaction.atomic
def add_night(
    *,
    actor: User,
    club: Club,
    venue: Venue,
    day: date,
    begins: time,
    slots: int = 2,
    minutes: int = 60,
    tables: int | None = None,
    name: str = "",
) -> ClubNight:
    """A night that belongs to no series; with as many tables as the venue has, unless said."""
    club = organised(actor, club)
    venue = open_venue(club, venue)
    shape = Shape(day, begins, slots, minutes, venue.tables if tables is None else tables)
    shape.check()
    night = place(ClubNight(club=club, venue=venue, name=" ".join(name.split())), shape, club)
    clean(night)
    check_free(venue, club, [night])
    night.save()
    lay(night, shape, club)
    _note(ADDED, actor, night)
    return night


@transaction.atomic
def change_night(
    *,
    actor: User,
    night: ClubNight,
    day: date | None = None,
    begins: time | None = None,
    venue: Venue | None = None,
    slots: int | None = None,
    minutes: int | None = None,
    tables: int | None = None,
    name: str | None = None,
    free: bool = False,
) -> ClubNight:
    """What is not named stays. Tables placed there come along; those without room any more only if `free` says so."""
    night = _coming(actor, night)
    was, venue_before, day_before, began_at = shape_of(night), night.venue, night.day, night.starts_at
    if venue is not None and venue.pk != night.venue_id:
        night.venue = open_venue(night.club, venue)
    wanted: dict[str, Any] = {"day": day, "begins": begins, "slots": slots, "minutes": minutes, "tables": tables}
    shape = replace(was, **{field: value for field, value in wanted.items() if value is not None})
    title = night.name if name is None else " ".join(name.split())
    if shape == was and night.venue == venue_before and title == night.name:
        return night
    shape.check()
    night.name = title
    clean(place(night, shape, night.club))
    if night.starts_at != began_at and night.starts_at <= timezone.now():
        raise Misfit(gettext("That moment is past."), "day" if shape.day != was.day else "begins")
    if not night.is_cancelled:
        check_free(night.venue, night.club, [night])
    told = _make_room(night, shape, actor=actor, free=free, day=day_before)
    night.altered, night.revision = night.series_id is not None, night.revision + 1
    night.save()
    lay(night, shape, night.club)
    _note(CHANGED, actor, night)
    if shape.moves(was) or night.venue != venue_before:
        placed.follow(night)
        people = placed.concerned([night], actor=actor, told=told)
        placed.tell(people, placed.TOLD_CHANGED, night=night, actor=actor, starts_at=began_at)
    return night


def _make_room(night: ClubNight, shape: Shape, *, actor: User, free: bool, day: date) -> set[int]:
    without = misplaced(night, shape)
    if not without:
        return set()
    waiting = {each.pk for each in placed.waiting(night)}
    if not free or any(each.pk not in waiting for each in without):
        shrunk = "slots" if any(each.slot.number > shape.slots for each in without) else "tables"
        raise Misfit(no_room(night, without), shrunk)
    return placed.free(without, actor=actor, night=night, day=day.isoformat())


@transaction.atomic
def cancel_night(*, actor: User, night: ClubNight) -> ClubNight:
    """Tables that were to be played there wait for a new time, and everybody concerned is told."""
    night = _coming(actor, night)
    if night.is_cancelled:
        return night
    night.cancelled_at = timezone.now()
    night.revision += 1
    night.save(update_fields=["cancelled_at", "revision"])
    people = placed.concerned([night], actor=actor)
    told = placed.free(placed.waiting(night), actor=actor, night=night, day=night.day.isoformat())
    placed.tell([each for each in people if each.pk not in told], placed.TOLD_CANCELLED, night=night, actor=actor)
    _note(CANCELLED, actor, night)
    return night


@transaction.atomic
def restore_night(*, actor: User, night: ClubNight) -> ClubNight:
    """It takes place after all, if nobody has taken its place meanwhile; what was placed there is to be placed anew."""
    night = _coming(actor, night)
    if not night.is_cancelled:
        return night
    open_venue(night.club, night.venue)
    check_free(night.venue, night.club, [night])
    night.cancelled_at = None
    night.revision += 1
    night.save(update_fields=["cancelled_at", "revision"])
    placed.tell(placed.concerned([night], actor=actor), placed.TOLD_RESTORED, night=night, actor=actor)
    _note(RESTORED, actor, night)
    return night


def _coming(actor: User, night: ClubNight) -> ClubNight:
    club = organised(actor, night.club)
    night = ClubNight.objects.select_related("venue").get(pk=night.pk)
    night.club = club
    if night.ends_at <= timezone.now():
        raise Refused(gettext("This night is over."))
    return night


def _note(action: str, actor: User, night: ClubNight) -> None:
    audit.record(action, actor=actor, on=night, club=night.club, day=night.day.isoformat(), night=night.title)
    live.nights_changed(night.club)

"""A single night: add, change, cancel, restore."""

from dataclasses import replace
from datetime import date, time
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.infra.errors import Refused
from accounts.models import Club, User
from leagues.calendar.club_clock import FieldRefused
from leagues.calendar.nights import placed_tables
from leagues.calendar.nights.slots import (
    NightShape,
    check_free,
    clean,
    lock_organised_club,
    no_room_message,
    open_venue,
    set_times,
    shape_of,
    tables_without_room,
    write_slots,
)
from leagues.core import realtime
from leagues.models import ClubNight, Venue

ADDED = audit.declare_action("leagues.night-added", _("%(actor)s added the night of %(day)s: %(night)s"))
CHANGED = audit.declare_action("leagues.night-changed", _("%(actor)s changed the night of %(day)s: %(night)s"))
CANCELLED = audit.declare_action("leagues.night-cancelled", _("%(actor)s cancelled the night of %(day)s: %(night)s"))
RESTORED = audit.declare_action("leagues.night-restored", _("%(actor)s restored the night of %(day)s: %(night)s"))


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
    is_private: bool = False,
) -> ClubNight:
    """Add a night that belongs to no series, with as many tables as the venue has unless `tables` says otherwise.

    Only members of the club and players of its seasons see a private one.
    """
    club = lock_organised_club(actor, club)
    venue = open_venue(club, venue)
    shape = NightShape(day, begins, slots, minutes, venue.tables if tables is None else tables)
    shape.check()
    night = ClubNight(club=club, venue=venue, name=" ".join(name.split()), is_private=is_private)
    set_times(night, shape, club)
    clean(night)
    check_free(venue, club, [night])
    night.save()
    write_slots(night, shape, club)
    _record_and_broadcast(ADDED, actor, night)
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
    is_private: bool | None = None,
    free: bool = False,
) -> ClubNight:
    """Change the given fields. Tables placed there move along; `free` takes off those that no longer fit."""
    night = _lock_coming_night(actor, night)
    was, venue_before, day_before, began_at = shape_of(night), night.venue, night.day, night.starts_at
    if venue is not None and venue.pk != night.venue_id:
        night.venue = open_venue(night.club, venue)
    wanted: dict[str, Any] = {"day": day, "begins": begins, "slots": slots, "minutes": minutes, "tables": tables}
    shape = replace(was, **{field: value for field, value in wanted.items() if value is not None})
    title = night.name if name is None else " ".join(name.split())
    hidden = night.is_private if is_private is None else is_private
    if (shape, night.venue, title, hidden) == (was, venue_before, night.name, night.is_private):
        return night
    shape.check()
    night.name, night.is_private = title, hidden
    clean(set_times(night, shape, night.club))
    if night.starts_at != began_at and night.starts_at <= timezone.now():
        raise FieldRefused(gettext("That moment is past."), "day" if shape.day != was.day else "begins")
    if not night.is_cancelled:
        check_free(night.venue, night.club, [night])
    notified = _make_room(night, shape, actor=actor, free=free, day=day_before)
    night.altered, night.revision = night.series_id is not None, night.revision + 1
    night.save()
    write_slots(night, shape, night.club)
    _record_and_broadcast(CHANGED, actor, night)
    if shape.moves(was) or night.venue != venue_before:
        placed_tables.move_tables_along(night)
        people = placed_tables.people_concerned([night], actor=actor, already_notified=notified)
        placed_tables.notify_about_night(
            people, placed_tables.CHANGED_KIND, night=night, actor=actor, starts_at=began_at
        )
    return night


def _make_room(night: ClubNight, shape: NightShape, *, actor: User, free: bool, day: date) -> set[int]:
    without = tables_without_room(night, shape)
    if not without:
        return set()
    waiting = {each.pk for each in placed_tables.unplayed_tables(night)}
    if not free or any(each.pk not in waiting for each in without):
        shrunk = "slots" if any(each.slot.number > shape.slots for each in without) else "tables"
        raise FieldRefused(no_room_message(night, without), shrunk)
    return placed_tables.free_tables(without, actor=actor, night=night, day=day.isoformat())


@transaction.atomic
def cancel_night(*, actor: User, night: ClubNight) -> ClubNight:
    """Cancel a night. Its tables wait for a new time, and everybody concerned is notified."""
    night = _lock_coming_night(actor, night)
    if night.is_cancelled:
        return night
    night.cancelled_at = timezone.now()
    night.revision += 1
    night.save(update_fields=["cancelled_at", "revision"])
    people = placed_tables.people_concerned([night], actor=actor)
    notified = placed_tables.free_tables(
        placed_tables.unplayed_tables(night), actor=actor, night=night, day=night.day.isoformat()
    )
    placed_tables.notify_about_night(
        [each for each in people if each.pk not in notified], placed_tables.CANCELLED_KIND, night=night, actor=actor
    )
    _record_and_broadcast(CANCELLED, actor, night)
    return night


@transaction.atomic
def restore_night(*, actor: User, night: ClubNight) -> ClubNight:
    """Undo a cancellation, if the venue is still free then. Tables that were placed there have to be placed again."""
    night = _lock_coming_night(actor, night)
    if not night.is_cancelled:
        return night
    open_venue(night.club, night.venue)
    check_free(night.venue, night.club, [night])
    night.cancelled_at = None
    night.revision += 1
    night.save(update_fields=["cancelled_at", "revision"])
    placed_tables.notify_about_night(
        placed_tables.people_concerned([night], actor=actor), placed_tables.RESTORED_KIND, night=night, actor=actor
    )
    _record_and_broadcast(RESTORED, actor, night)
    return night


def _lock_coming_night(actor: User, night: ClubNight) -> ClubNight:
    club = lock_organised_club(actor, night.club)
    night = ClubNight.objects.select_related("venue").get(pk=night.pk)
    night.club = club
    if night.ends_at <= timezone.now():
        raise Refused(gettext("This night is over."))
    return night


def _record_and_broadcast(action: str, actor: User, night: ClubNight) -> None:
    audit.record(action, actor=actor, on=night, club=night.club, day=night.day.isoformat(), night=night.title)
    realtime.broadcast_calendar_changed(night.club)

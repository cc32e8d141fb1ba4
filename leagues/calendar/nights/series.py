"""Series of nights: create them, change the coming ones, leave days out."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, time
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.models import Club, User
from accounts.notifications.service import notify
from leagues.calendar import club_clock
from leagues.calendar.club_clock import FieldRefused
from leagues.calendar.nights import placed_tables
from leagues.calendar.nights.slots import (
    NightShape,
    check_free,
    clean,
    create_nights,
    lock_organised_club,
    no_room_message,
    open_venue,
    set_times,
    shape_of,
    tables_without_room,
    write_slots,
)
from leagues.core import realtime
from leagues.models import ClubNight, Placement, Series, Venue

ADDED = audit.declare_action(
    "leagues.series-added", _("%(actor)s planned %(series)s: %(count)s nights from %(first)s on")
)
CHANGED = audit.declare_action(
    "leagues.series-changed",
    _("%(actor)s changed %(series)s: %(changed)s nights changed, %(added)s added, %(removed)s removed, %(kept)s kept"),
)
SKIPPED = audit.declare_action("leagues.night-skipped", _("%(actor)s left %(day)s out of %(series)s"))
UNSKIPPED = audit.declare_action("leagues.night-unskipped", _("%(actor)s put %(day)s back into %(series)s"))

# Two years of weeks.
MAX_NIGHTS = 104
FIELDS = ("name", "venue", "every", "first", "last", "begins", "slots", "minutes", "is_private")


@dataclass(frozen=True)
class KeptNight:
    """A night that a change of its series left as it was, and why."""

    night: ClubNight
    why: str


@dataclass(frozen=True)
class SeriesChange:
    """What a change did to the coming nights. `moved` are those of `changed` with another time or place."""

    series: Series
    changed: Sequence[ClubNight] = ()
    moved: Sequence[ClubNight] = ()
    added: Sequence[ClubNight] = ()
    removed: Sequence[ClubNight] = ()
    kept: Sequence[KeptNight] = ()


@transaction.atomic
def add_series(
    *,
    actor: User,
    club: Club,
    venue: Venue,
    name: str,
    first: date,
    last: date,
    begins: time,
    every: str = Series.Every.WEEK,
    slots: int = 2,
    minutes: int = 60,
    skip: Iterable[date] = (),
    is_private: bool = False,
) -> Series:
    """Create a series with all its nights, without the days to `skip`. Only members see those of a private one."""
    club = lock_organised_club(actor, club)
    venue = open_venue(club, venue)
    series = Series(club=club, venue=venue, name=" ".join(name.split()), every=every, first=first, last=last)
    series.begins, series.slots, series.minutes, series.is_private = begins, slots, minutes, is_private
    series.exceptions = sorted({day.isoformat() for day in skip})
    days = _days(series)
    clean(series)
    _check_skipped(series)
    nights = [_night(series, day) for day in days]
    check_free(venue, club, nights)
    series.save()
    create_nights(nights, [_shape(series, day) for day in days], club)
    audit.record(
        ADDED, actor=actor, on=series, club=club, series=series.name, count=len(days), first=days[0].isoformat()
    )
    realtime.broadcast_calendar_changed(club)
    return series


def _days(series: Series) -> list[date]:
    """The days the series plays on. Refuses none at all or too many."""
    days = club_clock.occurrences(series.every, series.first, series.last)
    _shape(series, series.first).check()
    remaining = [day for day in days if day.isoformat() not in series.exceptions]
    if not remaining:
        raise FieldRefused(gettext("No night is left."), "last")
    if len(remaining) > MAX_NIGHTS:
        message = gettext("These are %(count)s nights; a series has at most %(most)s.")
        raise FieldRefused(message % {"count": len(remaining), "most": MAX_NIGHTS}, "last")
    return remaining


def _shape(series: Series, day: date) -> NightShape:
    return NightShape(day, series.begins, series.slots, series.minutes, series.venue.tables)


def _night(series: Series, day: date) -> ClubNight:
    night = ClubNight(club=series.club, venue=series.venue, series=series, name=series.name, occurrence=day)
    night.is_private = series.is_private
    return set_times(night, _shape(series, day), series.club)


@transaction.atomic
def change_series(*, actor: User, series: Series, **fields: Any) -> SeriesChange:
    """Change the coming nights with the series.

    Nights that were changed alone, are cancelled, or have tables that would no longer fit stay as they are and are
    listed in `kept`. `fields` are those of FIELDS.
    """
    if unknown := set(fields) - set(FIELDS):
        raise TypeError(f"no fields of a series: {', '.join(sorted(unknown))}")
    series = _lock_series(actor, series)
    if "name" in fields:
        fields["name"] = " ".join(fields["name"].split())
    same = all(getattr(series, field) == value for field, value in fields.items())
    for field, value in fields.items():
        setattr(series, field, value)
    series.venue = open_venue(series.club, series.venue)
    days = _days(series)
    clean(series)
    change = _change_of(series, days)
    if same and not (change.changed or change.added or change.removed):
        return change
    check_free(series.venue, series.club, [*change.changed, *change.added], instead_of=change.removed)
    people = placed_tables.people_concerned([*change.moved, *change.removed], actor=actor)
    series.save()
    _write(change)
    audit.record(
        CHANGED,
        actor=actor,
        on=series,
        club=series.club,
        series=series.name,
        changed=len(change.changed),
        added=len(change.added),
        removed=len(change.removed),
        kept=len(change.kept),
    )
    calendar = reverse("leagues:nights", args=[series.club.slug])
    notify(people, placed_tables.SERIES_KIND, path=calendar, actor=actor, club=series.club, series=series.name)
    realtime.broadcast_calendar_changed(series.club)
    return change


def _change_of(series: Series, days: list[date]) -> SeriesChange:
    """What the changed series does to its coming nights. Nothing is written yet."""
    now = timezone.now()
    coming = (
        ClubNight.objects.filter(series=series, starts_at__gt=now)
        .select_related("venue")
        .prefetch_related("slots")
        .annotate(has_tables=Exists(Placement.objects.filter(slot__night=OuterRef("pk"))))
    )
    planned = set(ClubNight.objects.filter(series=series).values_list("occurrence", flat=True))
    kept, changed, moved, removed = [], [], [], []
    for night in coming:
        night.club = series.club
        shape = _shape(series, night.occurrence) if night.occurrence in days else None
        if why := _why_kept(night, shape):
            kept.append(KeptNight(night, why))
        elif shape is None:
            removed.append(night)
        elif (shape, series.venue, series.name, series.is_private) != (
            was := (shape_of(night), night.venue, night.name, night.is_private)
        ):
            if shape.moves(was[0]) or night.venue != series.venue:
                moved.append(night)
            night.venue, night.name, night.is_private = series.venue, series.name, series.is_private
            changed.append(set_times(night, shape, series.club))
    new = [_night(series, day) for day in days if day not in planned]
    return SeriesChange(series, changed, moved, [night for night in new if night.starts_at > now], removed, kept)


def _why_kept(night: Any, shape: NightShape | None) -> str:
    if night.altered:
        return gettext("it was changed on its own")
    if night.is_cancelled:
        return gettext("it is cancelled")
    if shape is not None and shape.parts(night.club)[0][0] <= timezone.now():
        return gettext("it would have begun already")
    if not night.has_tables:
        return ""
    if shape is None:
        return gettext("tables are placed there")
    without = tables_without_room(night, shape)
    return no_room_message(night, without) if without else ""


def _write(change: SeriesChange) -> None:
    series = change.series
    ClubNight.objects.filter(pk__in=[night.pk for night in change.removed]).delete()
    for night in change.changed:
        night.revision += 1
        night.save()
        write_slots(night, _shape(series, night.day), series.club)
    for night in change.moved:
        placed_tables.move_tables_along(night)
    create_nights(change.added, [_shape(series, night.day) for night in change.added], series.club)


@transaction.atomic
def skip(*, actor: User, series: Series, day: date) -> Series:
    """Leave a day out, for example a holiday. Its night is deleted, unless tables are placed there."""
    series = _lock_series(actor, series)
    if day not in club_clock.occurrences(series.every, series.first, series.last):
        raise FieldRefused(gettext("This series does not fall on that day."), "day")
    if day.isoformat() in series.exceptions:
        return series
    night = ClubNight.objects.filter(series=series, occurrence=day).select_related("venue", "club").first()
    if night is not None:
        _leave_out(night, actor)
    series.exceptions = sorted([*series.exceptions, day.isoformat()])
    series.save(update_fields=["exceptions"])
    audit.record(SKIPPED, actor=actor, on=series, club=series.club, series=series.name, day=day.isoformat())
    realtime.broadcast_calendar_changed(series.club)
    return series


def _leave_out(night: ClubNight, actor: User) -> None:
    if night.starts_at <= timezone.now():
        raise FieldRefused(gettext("This night has begun, or is over."), "day")
    count = Placement.objects.filter(slot__night=night).count()
    if count:
        message = ngettext(
            "%(count)s table is placed there: move it, or cancel the night.",
            "%(count)s tables are placed there: move them, or cancel the night.",
            count,
        )
        raise FieldRefused(message % {"count": count}, "day")
    people = [] if night.is_cancelled else placed_tables.people_concerned([night], actor=actor)
    path = reverse("leagues:nights", args=[night.club.slug])
    params = {"night": night.title, "starts_at": night.starts_at}
    notify(people, placed_tables.CANCELLED_KIND, path=path, actor=actor, club=night.club, **params)
    night.delete()


@transaction.atomic
def unskip(*, actor: User, series: Series, day: date) -> Series:
    """Put a skipped day back: its night is created again, as the series is now."""
    series = _lock_series(actor, series)
    if day.isoformat() not in series.exceptions:
        return series
    series.exceptions = [each for each in series.exceptions if each != day.isoformat()]
    if day in _days(series):
        night = _night(series, day)
        if night.starts_at <= timezone.now():
            raise FieldRefused(gettext("That day is past."), "day")
        open_venue(series.club, series.venue)
        check_free(series.venue, series.club, [night])
        create_nights([night], [_shape(series, day)], series.club)
    series.save(update_fields=["exceptions"])
    audit.record(UNSKIPPED, actor=actor, on=series, club=series.club, series=series.name, day=day.isoformat())
    realtime.broadcast_calendar_changed(series.club)
    return series


def _check_skipped(series: Series) -> None:
    """Refuse days the series does not fall on: they are probably typing errors."""
    falls_on = {day.isoformat() for day in club_clock.occurrences(series.every, series.first, series.last)}
    if wrong := [day for day in series.exceptions if day not in falls_on]:
        message = gettext("This series does not fall on %(days)s.")
        raise FieldRefused(
            message % {"days": ", ".join(club_clock.format_day(date.fromisoformat(day)) for day in wrong)}, "skip"
        )


def _lock_series(actor: User, series: Series) -> Series:
    club = lock_organised_club(actor, series.club)
    series = Series.objects.select_related("venue").get(pk=series.pk)
    series.club = club
    return series

"""Nights that recur: a series makes them, changes those to come, leaves some out."""

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

from accounts import audit, notices
from accounts.models import Club, User
from leagues import live
from leagues.models import ClubNight, Placement, Series, Venue
from leagues.scheduling import clock
from leagues.scheduling.clock import Misfit
from leagues.scheduling.nights import placed
from leagues.scheduling.nights.laying import (
    Shape,
    check_free,
    clean,
    lay,
    lay_new,
    misplaced,
    no_room,
    open_venue,
    organised,
    place,
    shape_of,
)

ADDED = audit.action("leagues.series-added", _("%(actor)s planned %(series)s: %(count)s nights from %(first)s on"))
CHANGED = audit.action(
    "leagues.series-changed",
    _("%(actor)s changed %(series)s: %(changed)s nights changed, %(added)s added, %(removed)s removed, %(kept)s kept"),
)
SKIPPED = audit.action("leagues.night-skipped", _("%(actor)s left %(day)s out of %(series)s"))
UNSKIPPED = audit.action("leagues.night-unskipped", _("%(actor)s put %(day)s back into %(series)s"))

# Two years of weeks.
MOST_NIGHTS = 104
FIELDS = ("name", "venue", "every", "first", "last", "begins", "slots", "minutes")


@dataclass(frozen=True)
class Kept:
    """A night that a change of its series passed by, and why."""

    night: ClubNight
    why: str


@dataclass(frozen=True)
class SeriesChange:
    """What became of the nights to come; `moved` are those of `changed` with another time or place."""

    series: Series
    changed: Sequence[ClubNight] = ()
    moved: Sequence[ClubNight] = ()
    added: Sequence[ClubNight] = ()
    removed: Sequence[ClubNight] = ()
    kept: Sequence[Kept] = ()


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
) -> Series:
    """All its nights at once, each a row of its own, without the days to `skip`."""
    club = organised(actor, club)
    venue = open_venue(club, venue)
    series = Series(club=club, venue=venue, name=" ".join(name.split()), every=every, first=first, last=last)
    series.begins, series.slots, series.minutes = begins, slots, minutes
    series.exceptions = sorted({day.isoformat() for day in skip})
    days = _days(series)
    clean(series)
    _check_skipped(series)
    nights = [_night(series, day) for day in days]
    check_free(venue, club, nights)
    series.save()
    lay_new(nights, [_shape(series, day) for day in days], club)
    audit.record(
        ADDED, actor=actor, on=series, club=club, series=series.name, count=len(days), first=days[0].isoformat()
    )
    live.nights_changed(club)
    return series


def _days(series: Series) -> list[date]:
    """The days that it plays on, checked: not too many, not none, and none that it would not fall on is left out."""
    days = clock.occurrences(series.every, series.first, series.last)
    _shape(series, series.first).check()
    left = [day for day in days if day.isoformat() not in series.exceptions]
    if not left:
        raise Misfit(gettext("No night is left."), "last")
    if len(left) > MOST_NIGHTS:
        words = gettext("These are %(count)s nights; a series has at most %(most)s.")
        raise Misfit(words % {"count": len(left), "most": MOST_NIGHTS}, "last")
    return left


def _shape(series: Series, day: date) -> Shape:
    return Shape(day, series.begins, series.slots, series.minutes, series.venue.tables)


def _night(series: Series, day: date) -> ClubNight:
    night = ClubNight(club=series.club, venue=series.venue, series=series, name=series.name, occurrence=day)
    return place(night, _shape(series, day), series.club)


@transaction.atomic
def change_series(*, actor: User, series: Series, **fields: Any) -> SeriesChange:
    """Change the coming nights with the series. Nights changed alone or cancelled stay as they are, and so do those
    with tables that would have no room: what was kept is said. `fields` are those of FIELDS.
    """
    if unknown := set(fields) - set(FIELDS):
        raise TypeError(f"no fields of a series: {', '.join(sorted(unknown))}")
    series = _held(actor, series)
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
    people = placed.concerned([*change.moved, *change.removed], actor=actor)
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
    notices.tell(people, placed.TOLD_SERIES, path=calendar, actor=actor, club=series.club, series=series.name)
    live.nights_changed(series.club)
    return change


def _change_of(series: Series, days: list[date]) -> SeriesChange:
    """What the series as it is now would make of its nights to come; nothing is written yet."""
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
            kept.append(Kept(night, why))
        elif shape is None:
            removed.append(night)
        elif (shape, series.venue, series.name) != (was := (shape_of(night), night.venue, night.name)):
            if shape.moves(was[0]) or night.venue != series.venue:
                moved.append(night)
            night.venue, night.name = series.venue, series.name
            changed.append(place(night, shape, series.club))
    new = [_night(series, day) for day in days if day not in planned]
    return SeriesChange(series, changed, moved, [night for night in new if night.starts_at > now], removed, kept)


def _why_kept(night: Any, shape: Shape | None) -> str:
    if night.altered:
        return gettext("it was changed alone")
    if night.is_cancelled:
        return gettext("it is cancelled")
    if shape is not None and shape.parts(night.club)[0][0] <= timezone.now():
        return gettext("it would have begun already")
    if not night.has_tables:
        return ""
    if shape is None:
        return gettext("tables are placed there")
    without = misplaced(night, shape)
    return no_room(night, without) if without else ""


def _write(change: SeriesChange) -> None:
    series = change.series
    ClubNight.objects.filter(pk__in=[night.pk for night in change.removed]).delete()
    for night in change.changed:
        night.revision += 1
        night.save()
        lay(night, _shape(series, night.day), series.club)
    for night in change.moved:
        placed.follow(night)
    lay_new(change.added, [_shape(series, night.day) for night in change.added], series.club)


@transaction.atomic
def skip(*, actor: User, series: Series, day: date) -> Series:
    """Leave a day out, as a holiday; its night goes, unless tables are placed there."""
    series = _held(actor, series)
    if day not in clock.occurrences(series.every, series.first, series.last):
        raise Misfit(gettext("This series does not fall on that day."), "day")
    if day.isoformat() in series.exceptions:
        return series
    night = ClubNight.objects.filter(series=series, occurrence=day).select_related("venue", "club").first()
    if night is not None:
        _leave_out(night, actor)
    series.exceptions = sorted([*series.exceptions, day.isoformat()])
    series.save(update_fields=["exceptions"])
    audit.record(SKIPPED, actor=actor, on=series, club=series.club, series=series.name, day=day.isoformat())
    live.nights_changed(series.club)
    return series


def _leave_out(night: ClubNight, actor: User) -> None:
    if night.starts_at <= timezone.now():
        raise Misfit(gettext("This night has begun, or is over."), "day")
    count = Placement.objects.filter(slot__night=night).count()
    if count:
        words = ngettext(
            "%(count)s table is placed there: move it, or cancel the night.",
            "%(count)s tables are placed there: move them, or cancel the night.",
            count,
        )
        raise Misfit(words % {"count": count}, "day")
    people = [] if night.is_cancelled else placed.concerned([night], actor=actor)
    path = reverse("leagues:nights", args=[night.club.slug])
    told = {"night": night.title, "starts_at": night.starts_at}
    notices.tell(people, placed.TOLD_CANCELLED, path=path, actor=actor, club=night.club, **told)
    night.delete()


@transaction.atomic
def unskip(*, actor: User, series: Series, day: date) -> Series:
    """Take an exception back: the night is there again, as the series is now."""
    series = _held(actor, series)
    if day.isoformat() not in series.exceptions:
        return series
    series.exceptions = [each for each in series.exceptions if each != day.isoformat()]
    if day in _days(series):
        night = _night(series, day)
        if night.starts_at <= timezone.now():
            raise Misfit(gettext("That day is past."), "day")
        open_venue(series.club, series.venue)
        check_free(series.venue, series.club, [night])
        lay_new([night], [_shape(series, day)], series.club)
    series.save(update_fields=["exceptions"])
    audit.record(UNSKIPPED, actor=actor, on=series, club=series.club, series=series.name, day=day.isoformat())
    live.nights_changed(series.club)
    return series


def _check_skipped(series: Series) -> None:
    """A day that was mistyped would leave nothing out."""
    falls_on = {day.isoformat() for day in clock.occurrences(series.every, series.first, series.last)}
    if wrong := [day for day in series.exceptions if day not in falls_on]:
        words = gettext("This series does not fall on %(days)s.")
        raise Misfit(words % {"days": ", ".join(clock.day_words(date.fromisoformat(day)) for day in wrong)}, "skip")


def _held(actor: User, series: Series) -> Series:
    club = organised(actor, series.club)
    series = Series.objects.select_related("venue").get(pk=series.pk)
    series.club = club
    return series

"""The rules of the calendar hold, whatever organisers do and in whatever order."""

from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.infra.errors import Refused
from accounts.models import Club
from leagues.calendar import club_clock, nights
from leagues.models import ClubNight, Series, Slot, Venue
from tests.leagues.calendar.conftest import soon

SPAN = 30
days = st.integers(0, SPAN)
hours = st.builds(time, st.integers(0, 23), st.sampled_from([0, 30]))
shapes = st.fixed_dictionaries({"begins": hours, "slots": st.integers(1, 4), "minutes": st.sampled_from([30, 60, 240])})
which = st.integers(0, 50)
steps = st.one_of(
    st.tuples(st.just("series"), days, st.sampled_from(Series.Every.values), shapes, st.integers(0, 1)),
    st.tuples(st.just("night"), days, shapes, st.integers(0, 1)),
    st.tuples(st.just("change-series"), which, days, shapes, st.integers(0, 1)),
    st.tuples(st.just("change-night"), which, days, shapes, st.integers(0, 1)),
    st.tuples(st.sampled_from(["cancel", "restore", "skip", "unskip"]), which),
)


def pick(rows, number):
    choices = list(rows)
    return choices[number % len(choices)] if choices else None


def take(step, olga, club, venues) -> None:
    """Run one verb, as somebody might call it. A refusal changes nothing."""
    kind, *rest = step
    start = soon()
    match kind, *rest:
        case "series", day, every, shape, at:
            first = start + timedelta(days=day)
            last = first + timedelta(days=SPAN)
            how = {"venue": venues[at], "name": "Series", "every": every, "first": first, "last": last}
            nights.add_series(actor=olga, club=club, **how, **shape)
        case "night", day, shape, at:
            nights.add_night(actor=olga, club=club, venue=venues[at], day=start + timedelta(days=day), **shape)
        case "change-series", number, day, shape, at if series := pick(Series.objects.order_by("pk"), number):
            first = start + timedelta(days=day)
            last = max(first, series.last)
            nights.change_series(actor=olga, series=series, venue=venues[at], first=first, last=last, **shape)
        case "change-night", number, day, shape, at if night := pick(ClubNight.objects.order_by("pk"), number):
            how = {"venue": venues[at], "day": start + timedelta(days=day)}
            nights.change_night(actor=olga, night=night, **how, **shape)
        case "cancel", number if night := pick(ClubNight.objects.order_by("pk"), number):
            nights.cancel_night(actor=olga, night=night)
        case "restore", number if night := pick(ClubNight.objects.exclude(cancelled_at=None).order_by("pk"), number):
            nights.restore_night(actor=olga, night=night)
        case "skip", number if night := pick(ClubNight.objects.exclude(series=None).order_by("pk"), number):
            nights.skip(actor=olga, series=night.series, day=night.occurrence)
        case "unskip", number if series := pick(Series.objects.exclude(exceptions=[]).order_by("pk"), number):
            nights.unskip(actor=olga, series=series, day=date.fromisoformat(series.exceptions[0]))


def check(club: Club) -> None:
    zone = club_clock.zone_of(club)
    for venue in Venue.objects.all():
        taken = list(ClubNight.objects.filter(venue=venue, cancelled_at=None).order_by("starts_at"))
        for before, after in pairwise(taken):
            assert before.ends_at <= after.starts_at
    for night in ClubNight.objects.prefetch_related("slots"):
        slots = sorted(night.slots.all(), key=lambda slot: slot.number)
        assert [slot.number for slot in slots] == list(range(1, len(slots) + 1))
        assert (slots[0].starts_at, slots[-1].ends_at) == (night.starts_at, night.ends_at)
        assert all(before.ends_at == after.starts_at for before, after in pairwise(slots))
        assert night.starts_at.astimezone(zone).date() == night.day
    for series in Series.objects.all():
        left_out = ClubNight.objects.filter(series=series, occurrence__in=series.exceptions)
        assert not left_out.exists()
    for moment in Slot.objects.values_list("starts_at", flat=True):
        assert moment.tzinfo is not None


@pytest.mark.django_db
@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(plan=st.lists(steps, min_size=3, max_size=10), zone=st.sampled_from(["Europe/Warsaw", "America/New_York"]))
def test_the_promises_hold_after_every_step(olga, club, room, plan, zone):
    with transaction.atomic():
        Club.objects.filter(pk=club.pk).update(time_zone=zone)
        club.time_zone = zone
        venues = [room, nights.add_venue(actor=olga, club=club, name="The cellar", tables=2)]
        for step in plan:
            before = list(ClubNight.objects.order_by("pk").values())
            try:
                with transaction.atomic():
                    take(step, olga, club, venues)
            except Refused:
                assert list(ClubNight.objects.order_by("pk").values()) == before
            check(club)
        transaction.set_rollback(True)


@settings(deadline=None)
@given(
    day=st.dates(date(2001, 1, 1), date(2099, 12, 31)),
    hour=st.times(),
    zone=st.sampled_from(["Europe/Warsaw", "America/New_York", "Australia/Lord_Howe", "Africa/Cairo", "UTC"]),
)
def test_every_hour_of_every_day_is_a_moment(day, hour, zone):
    known = club_clock.zone_of(Club(time_zone=zone))
    moment = club_clock.moment(day, hour.replace(second=0, microsecond=0), known)
    assert moment.tzinfo is UTC
    shown = moment.astimezone(known).replace(tzinfo=None)
    asked = datetime.combine(day, hour.replace(second=0, microsecond=0))
    # As entered, or later by as much as the clock jumped.
    assert timedelta() <= shown - asked <= timedelta(hours=1)

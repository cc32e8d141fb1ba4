"""Series of nights: at the same hour on the club's clock, and which nights a change leaves alone."""

from datetime import UTC, date, datetime, time, timedelta

import pytest
from django.utils import timezone

from leagues.calendar import availability, nights
from leagues.models import ClubNight, Series, Slot
from tests.leagues.calendar.conftest import SEVEN, kinds, local, of, one, put, refused, soon, weekly


class TestTheClubsClock:
    @pytest.mark.parametrize(
        ("zone", "first", "moments"),
        [
            ("Europe/Warsaw", date(2026, 10, 15), ["10-15 17:00", "10-22 17:00", "10-29 18:00", "11-05 18:00"]),
            ("Europe/Warsaw", date(2027, 3, 18), ["03-18 18:00", "03-25 18:00", "04-01 17:00", "04-08 17:00"]),
            ("America/New_York", date(2026, 10, 22), ["10-22 23:00", "10-29 23:00", "11-06 00:00", "11-13 00:00"]),
            ("America/New_York", date(2027, 3, 4), ["03-05 00:00", "03-12 00:00", "03-18 23:00", "03-25 23:00"]),
        ],
    )
    def test_a_series_keeps_its_hour_when_summer_time_comes_and_goes(self, olga, club, room, zone, first, moments):
        club.time_zone = zone
        club.save()
        series = weekly(olga, room, first=first, last=first + timedelta(weeks=3))
        assert [night.starts_at.astimezone(UTC).strftime("%m-%d %H:%M") for night in of(series)] == moments
        assert {local(night)[-5:] for night in of(series)} == {"19:00"}
        assert [night.day for night in of(series)] == [first + timedelta(weeks=week) for week in range(4)]

    @pytest.mark.parametrize(
        ("zone", "day", "hour", "moment"),
        [
            # 02:30 is skipped: the clock goes from 02:00 to 03:00.
            ("Europe/Warsaw", date(2027, 3, 28), time(2, 30), datetime(2027, 3, 28, 1, 30, tzinfo=UTC)),
            ("America/New_York", date(2027, 3, 14), time(2, 30), datetime(2027, 3, 14, 7, 30, tzinfo=UTC)),
            # 02:30 (01:30) comes twice: the first one is used.
            ("Europe/Warsaw", date(2026, 10, 25), time(2, 30), datetime(2026, 10, 25, 0, 30, tzinfo=UTC)),
            ("America/New_York", date(2026, 11, 1), time(1, 30), datetime(2026, 11, 1, 5, 30, tzinfo=UTC)),
        ],
    )
    def test_an_hour_that_is_skipped_or_comes_twice(self, olga, club, room, zone, day, hour, moment):
        club.time_zone = zone
        club.save()
        night = one(olga, room, day=day, begins=hour)
        assert night.starts_at == moment
        assert night.day == day

    def test_slots_have_their_real_length_in_the_night_of_the_change(self, olga, room):
        night = one(olga, room, day=date(2026, 10, 24), begins=time(23), slots=4, minutes=90)
        slots = list(night.slots.order_by("number"))
        assert {slot.ends_at - slot.starts_at for slot in slots} == {timedelta(minutes=90)}
        assert [before.ends_at for before in slots[:-1]] == [after.starts_at for after in slots[1:]]
        assert (night.starts_at, night.ends_at) == (slots[0].starts_at, slots[-1].ends_at)


class TestSeries:
    def test_nights_with_slots_and_tables(self, olga, room):
        series = weekly(olga, room, slots=3, minutes=50)
        assert [night.day for night in of(series)] == [soon() + timedelta(weeks=week) for week in range(4)]
        assert {night.slots.count() for night in of(series)} == {3}
        assert set(Slot.objects.values_list("tables", flat=True)) == {6}
        assert {night.name for night in of(series)} == {"Thursdays"}

    @pytest.mark.parametrize(
        ("every", "first", "last", "days"),
        [
            ("fortnight", date(2026, 1, 1), date(2026, 2, 1), ["2026-01-01", "2026-01-15", "2026-01-29"]),
            ("month", date(2026, 1, 13), date(2026, 4, 30), ["2026-01-13", "2026-02-10", "2026-03-10", "2026-04-14"]),
            # The fifth Friday means the last one.
            ("month", date(2026, 1, 30), date(2026, 4, 30), ["2026-01-30", "2026-02-27", "2026-03-27", "2026-04-24"]),
        ],
    )
    def test_how_often(self, olga, room, every, first, last, days):
        series = weekly(olga, room, every=every, first=first, last=last)
        assert [night.day.isoformat() for night in of(series)] == days

    @pytest.mark.parametrize(
        ("fields", "field", "words"),
        [
            ({"last": date(2025, 1, 1)}, "last", "after the first"),
            ({"first": date(2001, 1, 4), "last": date(2024, 1, 1)}, "last", "at most 104"),
            ({"first": date(1, 1, 1)}, "first", "between 2000 and 2100"),
            ({"last": date(9999, 12, 31)}, "last", "between 2000 and 2100"),
            ({"slots": 0}, "slots", "1 to 12 slots"),
            ({"minutes": 5}, "minutes", "10 to 720 minutes"),
            ({"slots": 12, "minutes": 720}, "minutes", "at most 24 hours"),
            ({"every": "day"}, "every", "every week"),
            ({"name": " "}, "", ""),
        ],
    )
    def test_bad_input_makes_no_night(self, olga, room, fields, field, words):
        assert words in refused(weekly, field, olga=olga, room=room, **fields)
        assert not ClubNight.objects.exists()
        assert not Series.objects.exists()

    def test_days_can_be_left_out_from_the_start(self, olga, room):
        series = weekly(olga, room, skip=[soon() + timedelta(weeks=1)])
        assert len(of(series)) == 3
        mistyped = {"skip": [soon() + timedelta(weeks=1, days=1)]}
        assert "does not fall on" in refused(weekly, "skip", olga=olga, room=room, begins=time(9), **mistyped)
        gone = {"skip": [soon() + timedelta(weeks=week) for week in range(4)]}
        assert "No night" in refused(weekly, "last", olga=olga, room=room, begins=time(9), **gone)

    def test_leaving_a_day_out_and_taking_it_back(self, olga, bob, club, room):
        series, day = weekly(olga, room), soon() + timedelta(weeks=2)
        availability.answer(actor=bob, night=of(series)[2], answer="yes")
        for _again in range(2):
            nights.skip(actor=olga, series=series, day=day)
        assert day not in [night.day for night in of(series)]
        assert kinds(bob) == ["leagues.night-cancelled"]
        nights.unskip(actor=olga, series=series, day=day)
        assert [night.day for night in of(series)][2] == day
        assert of(series)[2].slots.count() == 2
        series.refresh_from_db()
        assert series.exceptions == []
        wrong = refused(nights.skip, "day", actor=olga, series=series, day=day + timedelta(days=1))
        assert "does not fall" in wrong

    def test_a_day_with_tables_is_not_left_out(self, olga, room, tables):
        series = weekly(olga, room)
        put(tables[0], of(series)[0])
        assert "1 table is placed" in refused(nights.skip, "day", actor=olga, series=series, day=soon())
        assert len(of(series)) == 4

    def test_a_day_taken_meanwhile_does_not_come_back(self, olga, room):
        series = weekly(olga, room)
        nights.skip(actor=olga, series=series, day=soon())
        one(olga, room, name="Chess")
        assert "Chess" in refused(nights.unskip, "begins", actor=olga, series=series, day=soon())


class TestChangingASeries:
    def test_all_coming_nights_follow(self, olga, room):
        series = weekly(olga, room)
        change = nights.change_series(actor=olga, series=series, begins=time(18), slots=4, name="Long Thursdays")
        assert len(change.changed) == 4
        assert {local(night)[-5:] for night in of(series)} == {"18:00"}
        assert {night.slots.count() for night in of(series)} == {4}
        assert {(night.revision, night.name) for night in of(series)} == {(1, "Long Thursdays")}

    def test_longer_and_shorter(self, olga, room):
        series = weekly(olga, room)
        longer = nights.change_series(actor=olga, series=series, last=soon() + timedelta(weeks=5))
        assert (len(longer.added), len(longer.changed), len(of(series))) == (2, 0, 6)
        shorter = nights.change_series(actor=olga, series=series, last=soon() + timedelta(weeks=1))
        assert (len(shorter.removed), len(of(series))) == (4, 2)

    def test_another_weekday(self, olga, room):
        series = weekly(olga, room)
        day = timedelta(days=1)
        nights.change_series(actor=olga, series=series, first=series.first + day, last=series.last + day)
        assert {night.day.weekday() for night in of(series)} == {4}
        assert len(of(series)) == 4

    def test_what_was_changed_alone_or_cancelled_stays(self, olga, room):
        series = weekly(olga, room)
        first, second, *_ = of(series)
        nights.change_night(actor=olga, night=first, begins=time(15), day=first.day + timedelta(days=2))
        nights.cancel_night(actor=olga, night=second)
        change = nights.change_series(actor=olga, series=series, begins=time(20))
        assert [kept.night for kept in change.kept] == [first, second]
        assert [kept.why for kept in change.kept] == ["it was changed on its own", "it is cancelled"]
        assert [local(night)[-5:] for night in of(series)] == ["15:00", "19:00", "20:00", "20:00"]

    def test_tables_come_along_where_there_is_room(self, olga, bob, room, tables):
        series = weekly(olga, room)
        fits, tight, elsewhere = of(series)[:3]
        put(tables[0], fits)
        put(tables[1], tight, slot=2)
        change = nights.change_series(actor=olga, series=series, begins=time(18), slots=1)
        assert [kept.night for kept in change.kept] == [tight]
        assert "would have no room" in change.kept[0].why
        for table in tables:
            table.refresh_from_db()
        assert tables[0].starts_at == fits.starts_at - timedelta(hours=1)
        assert tables[0].revision == 1
        assert (tables[1].starts_at, tables[1].revision) == (tight.slots.get(number=2).starts_at, 0)
        assert elsewhere.slots.count() == 1
        assert "leagues.series-changed" in kinds(bob)

    def test_nights_with_tables_are_not_removed(self, olga, room, tables):
        series = weekly(olga, room)
        put(tables[0], of(series)[3])
        change = nights.change_series(actor=olga, series=series, last=soon() + timedelta(weeks=1))
        assert [kept.why for kept in change.kept] == ["tables are placed there"]
        assert len(of(series)) == 3

    def test_a_change_into_another_night_is_refused_whole(self, olga, room):
        series = weekly(olga, room)
        one(olga, room, day=soon() + timedelta(weeks=3), begins=time(15), slots=1, name="Chess")
        words = refused(nights.change_series, "begins", actor=olga, series=series, begins=time(15, 30))
        assert "The back room is taken then: Chess" in words
        assert {local(night)[-5:] for night in of(series)} == {"19:00"}

    def test_a_new_clock_of_the_club_is_taken_over_by_saving_again(self, olga, club, room):
        series = weekly(olga, room)
        club.time_zone = "America/New_York"
        club.save()
        assert len(nights.change_series(actor=olga, series=series, begins=SEVEN).changed) == 4
        assert {local(night)[-5:] for night in of(series)} == {"19:00"}
        assert not nights.change_series(actor=olga, series=series, begins=SEVEN).changed

    def test_past_nights_stay(self, olga, room):
        start = soon() - timedelta(weeks=5)
        series = weekly(olga, room, first=start, last=soon())
        before = [local(night) for night in of(series) if night.starts_at < timezone.now()]
        nights.change_series(actor=olga, series=series, begins=time(20))
        assert [local(night) for night in of(series) if night.starts_at < timezone.now()] == before
        assert len(before) >= 2

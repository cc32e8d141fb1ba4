"""Nights and venues: never two at once, and no placed table is lost."""

from datetime import date, time, timedelta

import pytest
from django.utils import timezone

from accounts import audit
from accounts.infra import datetimes
from accounts.infra.datetimes import format_datetime
from accounts.infra.permissions import NotAllowed
from accounts.models import AuditEntry, Notice
from accounts.notifications.registry import render
from leagues.calendar import availability, nights
from leagues.models import Availability, Placement
from tests.factories import confirm_result, create_club, create_user
from tests.leagues.calendar.conftest import SEVEN, kinds, local, member, of, one, put, refused, soon, weekly


class TestOneNight:
    def test_overlapping_nights_are_refused_by_name(self, olga, club, room):
        one(olga, room, name="Chess")
        for begins, slots in ((time(20), 1), (time(18), 2), (time(12), 12), (SEVEN, 3)):
            words = refused(one, "begins", olga=olga, room=room, begins=begins, slots=slots)
            assert "Chess" in words
            assert "19:00–22:00" in words
        one(olga, room, begins=time(22))
        one(olga, room, begins=time(16))
        cellar = nights.add_venue(actor=olga, club=club, name="The cellar", tables=2)
        one(olga, cellar)

    def test_a_cancelled_night_is_in_nobodys_way_until_it_is_restored(self, olga, room):
        first = one(olga, room)
        nights.cancel_night(actor=olga, night=first)
        one(olga, room, name="Chess")
        assert "Chess" in refused(nights.restore_night, "begins", actor=olga, night=first)

    def test_changing_hour_venue_slots_and_tables(self, olga, club, room):
        night = one(olga, room)
        cellar = nights.add_venue(actor=olga, club=club, name="The cellar", tables=2)
        night = nights.change_night(
            actor=olga, night=night, begins=time(20), venue=cellar, slots=2, minutes=45, tables=3, name="Late"
        )
        assert (night.venue, local(night)[-5:], night.revision, night.name) == (cellar, "20:00", 1, "Late")
        assert list(night.slots.values_list("tables", flat=True)) == [3, 3]
        assert night.ends_at - night.starts_at == timedelta(minutes=90)
        assert nights.change_night(actor=olga, night=night, begins=time(20)).revision == 1

    def test_slots_do_not_shrink_below_what_is_placed_unless_said(self, olga, bob, room, tables):
        night = one(olga, room)
        put(tables[0], night, slot=3)
        put(tables[1], night, slot=1, board=5)
        assert "1 table placed" in refused(nights.change_night, "slots", actor=olga, night=night, slots=2)
        assert "5 boards" in refused(nights.change_night, "tables", actor=olga, night=night, tables=4)
        assert night.slots.count() == 3
        nights.change_night(actor=olga, night=night, slots=2, free=True)
        tables[0].refresh_from_db()
        assert (tables[0].starts_at, tables[0].revision) == (None, 1)
        assert [placement.pairing for placement in Placement.objects.all()] == [tables[1]]
        assert "leagues.table-freed" in kinds(bob)

    def test_what_was_played_there_stays_whatever_is_said(self, olga, room, tables):
        night = one(olga, room)
        put(tables[0], night, slot=3)
        confirm_result(tables[0])
        assert "no room" in refused(nights.change_night, "slots", actor=olga, night=night, slots=2, free=True)
        nights.cancel_night(actor=olga, night=night)
        assert Placement.objects.get().pairing == tables[0]

    def test_tables_move_with_the_night(self, olga, bob, room, tables):
        night = one(olga, room)
        put(tables[0], night, slot=2)
        nights.change_night(actor=olga, night=night, day=night.day + timedelta(days=1), begins=time(18))
        tables[0].refresh_from_db()
        assert tables[0].starts_at == night.slots.get(number=2).starts_at
        assert tables[0].revision == 1
        assert kinds(bob)[-1] == "leagues.night-changed"
        nights.change_night(actor=olga, night=night, tables=4)
        tables[0].refresh_from_db()
        assert tables[0].revision == 1

    def test_cancelling_frees_the_tables_and_tells_everybody_once(self, olga, bob, club, room, tables):
        night = one(olga, room)
        put(tables[0], night)
        gus = member(club, "gus")
        for each in (bob, gus):
            availability.answer(actor=each, night=night, answer="yes")
        for _again in range(2):
            night = nights.cancel_night(actor=olga, night=night)
        tables[0].refresh_from_db()
        assert (tables[0].starts_at, tables[0].revision) == (None, 1)
        assert not Placement.objects.exists()
        assert night.is_cancelled
        assert night.revision == 1
        assert [kind for kind in kinds(bob) if kind.startswith(("leagues.night", "leagues.table-f"))] == [
            "leagues.table-freed"
        ]
        assert kinds(gus) == ["leagues.night-cancelled"]
        notice = Notice.objects.get(user=gus)
        with timezone.override("Europe/Warsaw"):
            assert render(notice) == f"The back room on {format_datetime(night.starts_at)} is cancelled."
            assert "19:00" in render(notice)
        season = tables[0].round.stage.division.season
        logged = AuditEntry.objects.filter(object_type="leagues.season", object_id=season.pk).first()
        assert "waits for a new time" in audit.render_entries([logged])[0].words

    def test_restoring_brings_answers_back_but_no_tables(self, olga, bob, room, tables):
        night = one(olga, room)
        put(tables[0], night)
        availability.answer(actor=bob, night=night, answer="yes")
        nights.cancel_night(actor=olga, night=night)
        night = nights.restore_night(actor=olga, night=night)
        assert (night.is_cancelled, night.revision) == (False, 2)
        assert Availability.objects.get().user == bob
        assert not Placement.objects.exists()
        assert kinds(bob)[-1] == "leagues.night-restored"

    def test_a_night_does_not_move_into_the_past(self, olga, room):
        night = one(olga, room)
        words = refused(nights.change_night, "day", actor=olga, night=night, day=date(2024, 5, 2))
        assert words == "That moment is past."
        night.refresh_from_db()
        assert night.day == soon()

    def test_a_night_that_is_over_does_not_change(self, olga, room):
        night = one(olga, room, day=date(2024, 5, 2))
        for verb in (nights.cancel_night, nights.restore_night, nights.change_night):
            assert "over" in refused(verb, actor=olga, night=night)


class TestVenues:
    def test_more_and_fewer_tables_reach_the_coming_nights(self, olga, room, tables):
        series = weekly(olga, room)
        own = of(series)[1]
        nights.change_night(actor=olga, night=own, tables=2)
        nights.edit_venue(actor=olga, venue=room, name="The back room", tables=8)
        assert [night.slots.first().tables for night in of(series)] == [8, 2, 8, 8]
        assert [night.revision for night in of(series)] == [1, 2, 1, 1]
        put(tables[0], of(series)[0], board=7)
        words = refused(nights.edit_venue, "tables", actor=olga, venue=room, name="The back room", tables=6)
        assert "table 7" in words
        room.refresh_from_db()
        assert room.tables == 8

    def test_a_venue_closes_when_nothing_is_to_come(self, olga, club, room):
        night = one(olga, room, name="Chess")
        assert "Chess" in refused(nights.close_venue, "venue", actor=olga, venue=room)
        nights.cancel_night(actor=olga, night=night)
        nights.close_venue(actor=olga, venue=room)
        assert "is closed" in refused(one, "venue", olga=olga, room=room)
        assert "is closed" in refused(nights.restore_night, "venue", actor=olga, night=night)

    @pytest.mark.parametrize(("name", "tables"), [("", 4), (" ", 4), ("A", 0), ("A", 201), ("A" * 81, 3)])
    def test_nonsense(self, olga, club, name, tables):
        refused(nights.add_venue, actor=olga, club=club, name=name, tables=tables)

    def test_another_clubs_venue(self, olga, club, room, charlie):
        theirs = create_club(charlie, create_user("hana"))
        words = refused(nights.add_night, "venue", actor=charlie, club=theirs, venue=room, day=soon(), begins=SEVEN)
        assert "another club" in words


def test_only_organisers_run_the_calendar(alice, olga, bob, charlie, club, room):
    series = weekly(olga, room)
    night = of(series)[0]
    how = {"venue": room, "day": soon(3), "begins": SEVEN}
    span = {"name": "Mondays", "venue": room, "first": soon(3), "last": soon(30), "begins": time(8)}
    verbs = [
        (nights.add_venue, {"club": club, "name": "The attic", "tables": 1}),
        (nights.edit_venue, {"venue": room, "name": "The front room", "tables": 6}),
        (nights.close_venue, {"venue": room}),
        (nights.add_series, {"club": club, **span}),
        (nights.change_series, {"series": series, "begins": time(18)}),
        (nights.skip, {"series": series, "day": series.last}),
        (nights.unskip, {"series": series, "day": series.last}),
        (nights.add_night, {"club": club, **how}),
        (nights.change_night, {"night": night, "begins": time(18)}),
        (nights.cancel_night, {"night": night}),
        (nights.restore_night, {"night": night}),
    ]
    assert {verb.__name__ for verb, _how in verbs} == {name for name in nights.__all__ if name != "SeriesChange"}
    for verb, with_what in verbs:
        for nobody in (bob, charlie):
            with pytest.raises(NotAllowed):
                verb(actor=nobody, **with_what)


def test_every_step_is_in_the_clubs_log(olga, club, room):
    series = weekly(olga, room)
    night = of(series)[0]
    nights.edit_venue(actor=olga, venue=room, name="The front room", tables=6)
    nights.change_series(actor=olga, series=series, begins=time(18))
    nights.skip(actor=olga, series=series, day=series.last)
    nights.unskip(actor=olga, series=series, day=series.last)
    extra = one(olga, room, day=soon(3))
    nights.change_night(actor=olga, night=night, begins=time(17))
    nights.cancel_night(actor=olga, night=night)
    nights.restore_night(actor=olga, night=night)
    nights.cancel_night(actor=olga, night=extra)
    entries = club.audit_entries.select_related("actor", "person").order_by("pk")
    words = [line.words for line in audit.render_entries(entries)]
    first, last, early = datetimes.format_day(soon()), datetimes.format_day(series.last), datetimes.format_day(soon(3))
    assert words[-11:] == [
        "olga added the venue The back room",
        f"olga planned Thursdays: 4 nights from {first} on",
        "olga changed the venue The front room",
        "olga changed Thursdays: 4 nights changed, 0 added, 0 removed, 0 kept",
        f"olga left {last} out of Thursdays",
        f"olga put {last} back into Thursdays",
        f"olga added the night of {early}: The front room",
        f"olga changed the night of {first}: Thursdays",
        f"olga cancelled the night of {first}: Thursdays",
        f"olga restored the night of {first}: Thursdays",
        f"olga cancelled the night of {early}: The front room",
    ]

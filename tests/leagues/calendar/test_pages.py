"""The calendar's pages: everybody reads, members answer with one tap, organisers plan."""

from datetime import date, time, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from leagues.calendar import availability, nights
from leagues.entries import registration
from leagues.models import Availability, ClubNight, Division, Habit, Series, Venue
from leagues.rounds import draw
from tests.factories import draft_season, stage_of
from tests.leagues.calendar.conftest import of, one, put, soon, weekly


@pytest.fixture
def as_olga(olga) -> Client:
    return logged_in(olga)


@pytest.fixture
def as_bob(bob) -> Client:
    return logged_in(bob)


def logged_in(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


def text(response) -> str:
    return " ".join(response.content.decode().split())


def at(name: str, club, **more) -> str:
    return reverse(f"leagues:{name}", kwargs={"club": club.slug, **more})


def filled(room, **fields) -> dict:
    how = {"name": "Thursdays", "venue": room.pk, "every": "week", "first": soon(), "last": soon() + timedelta(weeks=3)}
    return how | {"begins": "19:00", "slots": 3, "minutes": 60, "skip": ""} | fields


class TestPlanning:
    def test_from_nothing_to_a_season_of_nights(self, as_olga, club):
        assert at("venue-new", club) in text(as_olga.get(at("nights", club)))
        assert as_olga.get(at("series-new", club)).url == at("venue-new", club)
        as_olga.post(at("venue-new", club), {"name": "The back room", "tables": 6})
        room = Venue.objects.get()
        done = as_olga.post(at("series-new", club), filled(room), follow=True)
        assert "4 nights are planned." in text(done)
        assert ClubNight.objects.count() == 4
        assert text(done).count('class="night-day"') == 4

    @pytest.mark.parametrize(
        ("fields", "field", "words"),
        [
            ({"last": "2020-01-01"}, "last", "That day is past."),
            ({"skip": "Christmas"}, "skip", "“Christmas” is not a day"),
            ({"slots": 99}, "slots", "less than or equal to 12"),
            ({"begins": "late"}, "begins", "Enter a valid time"),
            ({"slots": 12, "minutes": 720}, "minutes", "at most 24 hours"),
            ({"venue": 999}, "venue", "Select a valid choice"),
        ],
    )
    def test_what_is_wrong_stands_at_its_field(self, as_olga, club, room, fields, field, words):
        answer = as_olga.post(at("series-new", club), filled(room, **fields))
        assert answer.status_code == 422
        assert words in str(answer.context["form"].errors[field])
        assert 'value="Thursdays"' in text(answer)
        assert not Series.objects.exists()

    def test_an_overlap_names_the_other_night_at_the_hour(self, as_olga, olga, club, room):
        one(olga, room, name="Chess", day=soon() + timedelta(weeks=1))
        answer = as_olga.post(at("series-new", club), filled(room))
        assert "The back room is taken then: Chess" in str(answer.context["form"].errors["begins"])
        again = filled(room, skip=(soon() + timedelta(weeks=1)).isoformat())
        assert as_olga.post(at("series-new", club), again).status_code == 302
        assert ClubNight.objects.count() == 4

    def test_changing_a_series_says_what_was_kept(self, as_olga, olga, club, room):
        series = weekly(olga, room)
        nights.cancel_night(actor=olga, night=of(series)[1])
        page = at("series", club, pk=series.pk)
        assert as_olga.get(page).context["form"]["begins"].value() == time(19)
        done = text(as_olga.post(page, filled(room, begins="18:00", slots=2), follow=True))
        assert "Nights changed: 3, added: 0, removed: 0." in done
        assert "(it is cancelled)" in done

    def test_leaving_a_day_out_and_putting_it_back(self, as_olga, olga, club, room):
        series = weekly(olga, room)
        night = of(series)[2]
        done = as_olga.post(reverse("leagues:night-step", args=[night.key]), {"do": "skip"}, follow=True)
        assert "The day is left out" in text(done)
        assert len(of(series)) == 3
        page = at("series", club, pk=series.pk)
        assert night.day.isoformat() in text(as_olga.get(page))
        as_olga.post(at("series-back", club, pk=series.pk), {"day": night.day.isoformat()})
        assert len(of(series)) == 4
        assert as_olga.post(at("series-back", club, pk=series.pk), {"day": "soon"}).status_code == 404

    def test_one_night_from_its_form(self, as_olga, club, room):
        how = {"venue": room.pk, "day": soon(), "begins": "18:30", "slots": 2, "minutes": 90}
        done = as_olga.post(at("night-new", club), how)
        night = ClubNight.objects.get()
        assert done.url == night.get_absolute_url()
        assert night.slots.first().tables == 6
        page = text(as_olga.get(done.url))
        assert page.count("room for 6 tables") == page.count("No table is placed here yet.") == 2
        edit = reverse("leagues:night-edit", args=[night.key])
        assert as_olga.get(edit).context["form"]["begins"].value() == time(18, 30)
        as_olga.post(edit, how | {"begins": "17:00", "tables": 2})
        assert night.slots.first().tables == 2
        late = as_olga.post(at("night-new", club), how | {"day": "2024-01-01"})
        assert "That day is past." in str(late.context["form"].errors["day"])

    def test_shrinking_asks_before_tables_lose_their_place(self, as_olga, olga, room, tables):
        night = one(olga, room)
        put(tables[0], night, slot=3)
        edit = reverse("leagues:night-edit", args=[night.key])
        how = {"venue": room.pk, "day": night.day, "begins": "19:00", "slots": 2, "minutes": 60, "tables": 6}
        answer = as_olga.post(edit, how)
        assert "would have no room" in str(answer.context["form"].errors["slots"])
        assert 'name="free"' in text(answer)
        assert as_olga.post(edit, how | {"free": "on"}).status_code == 302
        assert night.slots.count() == 2

    def test_cancel_and_restore(self, as_olga, olga, room):
        night = one(olga, room)
        step = reverse("leagues:night-step", args=[night.key])
        assert "This night is cancelled." in text(as_olga.post(step, {"do": "cancel"}, follow=True))
        assert "takes place after all" in text(as_olga.post(step, {"do": "restore"}, follow=True))
        assert as_olga.post(step, {"do": "skip"}).status_code == 404

    def test_another_clubs_things_are_not_there(self, as_olga, olga, charlie, club, room):
        from accounts import clubs

        theirs = clubs.create_club(founder=olga, name="The Other Table")
        series = weekly(olga, room)
        assert as_olga.get(at("venue", theirs, pk=room.pk)).status_code == 404
        assert as_olga.get(at("series", theirs, pk=series.pk)).status_code == 404
        assert as_olga.post(at("venue-close", theirs, pk=room.pk)).status_code == 404


class TestAnswering:
    def test_one_tap_and_the_button_stays_pressed(self, as_bob, bob, olga, room):
        night = one(olga, room)
        tap = reverse("leagues:night-answer", args=[night.key])
        part = as_bob.post(tap, {"answer": "yes"}, headers={"HX-Request": "true"})
        assert part.status_code == 200
        assert "<html" not in text(part)
        assert 'value="yes" aria-pressed="true"' in text(part)
        assert "1 comes" in text(part)
        # The page selects a part of each answer; the answer to a tap is used whole.
        assert 'hx-select="unset"' in text(part)
        assert as_bob.post(tap, {"answer": "no", "next": "/"}).url == "/"
        assert as_bob.post(tap, {"answer": "no", "next": "https://elsewhere.example/"}).url == night.get_absolute_url()
        assert Availability.objects.get(user=bob).answer == "no"
        as_bob.post(tap, {"answer": "habit"})
        assert not Availability.objects.exists()

    def test_a_part_of_the_night(self, as_bob, bob, olga, room):
        night = one(olga, room)
        as_bob.post(reverse("leagues:night-answer", args=[night.key]), {"answer": "yes", "slot": ["1", "2"]})
        assert Availability.objects.get().slots == [1, 2]
        page = text(as_bob.get(night.get_absolute_url()))
        assert "19:00–20:00" in page or "18:00–19:00" in page or "17:00–18:00" in page

    def test_a_refusal_stands_beside_the_button(self, as_bob, olga, room):
        night = one(olga, room, day=date(2024, 5, 2))
        tap = reverse("leagues:night-answer", args=[night.key])
        assert "This night is over." in text(as_bob.post(tap, {"answer": "yes"}, headers={"HX-Request": "true"}))
        assert "This night is over." in text(as_bob.post(tap, {"answer": "yes"}, follow=True))

    def test_usual_days(self, as_bob, bob, club, room, olga):
        night = one(olga, room)
        done = as_bob.post(at("habits", club), {"day-3": "no", "day-0": "yes"}, follow=True)
        assert "Your usual days are saved." in text(done)
        assert set(Habit.objects.filter(user=bob).values_list("weekday", "answer")) == {(0, "yes"), (3, "no")}
        assert "you usually cannot" in text(done)
        wrong = as_bob.post(at("habits", club), {"day-3": "perhaps"})
        assert wrong.status_code == 422
        assert Habit.objects.count() == 2
        assert night.availabilities.count() == 0

    def test_an_organiser_answers_for_a_guest(self, as_olga, as_bob, olga, alice, league, room):
        night = one(olga, room)
        season = draft_season(league, alice, "round-robin")
        guest = registration.add_guest(actor=alice, division=Division.objects.get(season=season), name="Ada").user
        assert guest.handle in text(as_olga.get(night.get_absolute_url()))
        tap = reverse("leagues:night-answer", args=[night.key])
        assert as_bob.post(tap, {"answer": "yes", "person": guest.handle}).status_code == 403
        as_olga.post(tap, {"answer": "yes", "person": guest.handle})
        assert Availability.objects.get().user == guest


class TestReading:
    def test_the_hour_of_the_reader_and_of_the_club(self, client, bob, olga, room):
        night = one(olga, room, day=date(2027, 1, 14))
        assert "19:00–22:00" in text(client.get(night.get_absolute_url()))
        bob.time_zone = "America/New_York"
        bob.save()
        page = text(logged_in(bob).get(night.get_absolute_url()))
        assert "Thursday, 14 January 2027, 13:00–16:00" in page
        assert "At the club: 19:00–22:00 (Europe/Warsaw)" in page
        bob.time_zone = "Asia/Tokyo"
        bob.save()
        page = text(logged_in(bob).get(night.get_absolute_url()))
        assert "Friday, 15 January 2027, 03:00–06:00" in page
        assert "14 Jan 2027, 19:00–22:00 (Europe/Warsaw)" in page
        bob.time_zone = "Europe/Rome"
        bob.save()
        assert "At the club" not in text(logged_in(bob).get(night.get_absolute_url()))

    def test_the_tables_of_all_leagues_but_none_before_it_is_published(
        self, client, as_olga, alice, olga, room, league
    ):
        night = one(olga, room)
        season = draft_season(league, alice, "round-robin")
        division = Division.objects.get(season=season)
        for name in ("Ada", "Ben"):
            registration.add_guest(actor=alice, division=division, name=name)
        draw.start(actor=alice, season=season)
        round_ = draw.draw_next_round(actor=alice, stage=stage_of(season))
        put(round_.pairings.get(), night)
        table = round_.pairings.get().get_absolute_url()
        assert table in text(as_olga.get(night.get_absolute_url()))
        assert table not in text(client.get(night.get_absolute_url()))
        assert "1 table placed" not in text(client.get(at("nights", room.club)))
        draw.publish(actor=alice, round=round_)
        page = text(client.get(night.get_absolute_url()))
        assert table in page
        assert "Thursday league" in page
        assert "1 table placed" in text(client.get(at("nights", room.club)))

    def test_who_comes_in_numbers_and_names(self, client, as_olga, bob, alice, olga, room):
        night = one(olga, room)
        availability.answer(actor=bob, night=night, answer="yes", slots=[2])
        availability.answer(actor=alice, night=night, answer="no")
        page = text(as_olga.get(night.get_absolute_url()))
        assert "1 comes" in page
        assert "1 cannot come" in page
        assert "1 has not answered" in page
        # Others learn how many come, and nothing of who does not.
        page = text(client.get(night.get_absolute_url()))
        assert "1 comes" in page
        assert "cannot come" not in page
        assert "has not answered" not in page
        assert not any(person.get_absolute_url() in page for person in (alice, bob, olga))
        room.club.memberships.get(user=bob).delete()
        for path in (night.get_absolute_url(), at("nights", room.club)):
            assert "1 comes" not in text(client.get(path))

    def test_past_nights_are_folded_away(self, client, olga, room):
        one(olga, room, day=date(2024, 5, 2), name="Long ago")
        page = text(client.get(at("nights", room.club)))
        assert page.index("Past nights") < page.index("Long ago")

    def test_the_next_night_is_on_the_club_the_home_and_the_season(
        self, as_bob, client, olga, alice, club, room, league
    ):
        night = one(olga, room, name="Thursday night")
        season = draft_season(league, alice, "round-robin", where="club")
        tap = reverse("leagues:night-answer", args=[night.key])
        for page in (club.get_absolute_url(), "/", season.get_absolute_url()):
            shown = text(as_bob.get(page))
            assert "Thursday night" in shown
            assert tap in shown
        assert 'name="answer"' not in text(client.get(club.get_absolute_url()))
        nights.cancel_night(actor=olga, night=night)
        assert "Next at the club" not in text(as_bob.get("/"))

    def test_the_calendar_costs_as_many_queries_for_many_nights(
        self, client, olga, room, django_assert_max_num_queries
    ):
        weekly(olga, room, weeks=30)
        with django_assert_max_num_queries(12):
            client.get(at("nights", room.club))

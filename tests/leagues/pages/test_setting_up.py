"""Creating a league, setting up its season, and entries."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone

from leagues.entries import registration
from leagues.formats.tiebreaks.registry import PRESETS
from leagues.models import Entrant, League, Season, Stage
from leagues.seasons import setup, undo
from leagues.standings import ladder_order
from tests.factories import add_member, create_user, logged_in


def page_text(response) -> str:
    return response.content.decode()


def at(season: Season, name: str, *more: object) -> str:
    return reverse(f"leagues:{name}", args=[season.league.slug, season.number, *more])


class TestFounding:
    def test_two_steps_from_a_club_to_a_season(self, club, as_olga):
        assert reverse("leagues:new", args=[club.slug]) in page_text(as_olga.get(club.get_absolute_url()))
        form = {"name": "Friday Splendor", "game": "splendor-marvel"}
        page = as_olga.post(reverse("leagues:new", args=[club.slug]), form, follow=True)
        assert "balanced-season" in page_text(page)
        league = League.objects.get()
        page = as_olga.post(
            reverse("leagues:season-new", args=[league.slug]), {"preset": "balanced-season"}, follow=True
        )
        season = Season.objects.get()
        assert page.redirect_chain[-1][0] == season.get_absolute_url()
        assert season.status == Season.Status.REGISTRATION
        assert season.divisions.count() == 2
        assert Stage.objects.filter(division__season=season).count() == 2

    def test_a_private_league_stays_private_when_its_details_are_saved(self, club, as_olga):
        form = {"name": "Behind the curtain", "game": "splendor-marvel", "is_private": "on"}
        as_olga.post(reverse("leagues:new", args=[club.slug]), form)
        league = League.objects.get()
        assert league.is_private
        edit = reverse("leagues:league-edit", args=[league.slug])
        assert re.search(r'<input[^>]*name="is_private"[^>]*checked', page_text(as_olga.get(edit)))
        as_olga.post(edit, {"name": "Behind the door", "about": "", "is_private": "on"})
        league.refresh_from_db()
        assert (league.name, league.is_private) == ("Behind the door", True)

    def test_members_are_not_offered_to_found_one(self, club, as_bob):
        assert reverse("leagues:new", args=[club.slug]) not in page_text(as_bob.get(club.get_absolute_url()))

    @pytest.mark.parametrize("form", [{"name": "", "game": "splendor-marvel"}, {"name": "Chess", "game": "chess"}])
    def test_bad_input_comes_back(self, club, as_olga, form):
        page = as_olga.post(reverse("leagues:new", args=[club.slug]), form)
        assert page.status_code == 422
        assert "errorlist" in page_text(page)
        assert not League.objects.exists()

    def test_a_preset_for_another_game_is_refused(self, league, as_olga):
        page = as_olga.post(
            reverse("leagues:season-new", args=[league.slug]), {"preset": "team-duplicate", "name": "Odd"}
        )
        assert page.status_code == 422
        assert 'value="Odd"' in page_text(page)
        assert not Season.objects.exists()

    def test_from_scratch(self, league, as_olga):
        as_olga.post(reverse("leagues:season-new", args=[league.slug]), {"preset": "empty", "name": "By hand"})
        season = Season.objects.get()
        assert season.status == Season.Status.DRAFT
        as_olga.post(at(season, "division-new"), {"name": "Only", "up": "0", "down": "0", "cap": ""})
        division = season.divisions.get()
        stage = {"planned": "5", "set-seats": "4", "set-least": "3"}
        as_olga.post(at(season, "stage-new", division.pk) + "?format=table-swiss", stage)
        made = division.stages.get()
        assert (made.format, made.planned, made.settings) == ("table-swiss", 5, {"seats": 4, "least": 3})
        as_olga.post(at(season, "open"))
        season.refresh_from_db()
        assert season.status == Season.Status.REGISTRATION


class TestSettings:
    def form(self, season: Season, **new: str) -> dict[str, str]:
        kept = {
            "name": season.name,
            "where": season.where,
            "points": season.points,
            "rated": "on",
            "waiting_list": "on",
            "confirmation": season.confirmation,
            "missed_round": season.missed_round,
            "time": "none",
            "on_timeout": season.on_timeout,
            "window_days": str(season.window_days),
            "on_unplayed": season.on_unplayed,
            "answer_hours": str(season.answer_hours),
            "no_show_minutes": str(season.no_show_minutes),
        }
        return kept | new

    def test_everything_can_be_changed_before_the_start(self, season, as_olga):
        new = {"where": "online", "time": "days-3", "members_only": "on", "rating_from": "1200", "confirmation": "all"}
        as_olga.post(at(season, "settings"), self.form(season, **new))
        season.refresh_from_db()
        assert (season.where, season.clock, season.days) == ("online", "days", 3)
        assert (season.members_only, season.rating_from, season.confirmation) == (True, 1200, "all")

    def test_a_clock_that_is_on_no_list_is_shown_and_stays(self, season, as_olga, olga):
        season = setup.edit_season(actor=olga, season=season, where="online", clock="days", days=2)
        page = page_text(as_olga.get(at(season, "settings")))
        assert '<option value="own" selected>As it is: 2 days a turn</option>' in page
        as_olga.post(at(season, "settings"), self.form(season, time="own", name="Renamed"))
        season.refresh_from_db()
        assert (season.name, season.clock, season.days) == ("Renamed", "days", 2)
        as_olga.post(at(season, "settings"), self.form(season, time="days-3"))
        assert "As it is:" not in page_text(as_olga.get(at(season, "settings")))

    @pytest.mark.parametrize(
        "wrong",
        [
            {"name": ""},
            {"starts_at": "2027-02-01T18:00", "ends_at": "2027-01-01T18:00"},
            {"rating_from": "1800", "rating_to": "1200"},
            {"where": "elsewhere"},
            {"window_days": "181"},
            {"on_unplayed": "shrug", "no_show_minutes": "-1"},
        ],
    )
    def test_what_cannot_be_is_said_and_nothing_is_lost(self, season, as_olga, wrong):
        page = as_olga.post(at(season, "settings"), self.form(season, name="Renamed") | wrong)
        assert page.status_code == 422
        assert set(page.context["form"].errors) <= {*wrong}
        assert "errorlist" in page_text(page)
        season.refresh_from_db()
        assert season.name == "Spring"

    def test_a_division_takes_at_least_two(self, season, as_olga):
        path = at(season, "division-edit", season.divisions.get().pk)
        page = as_olga.post(path, {"name": "Main event", "cap": "1", "up": "0", "down": "0"})
        assert page.status_code == 422
        assert list(page.context["form"].errors) == ["cap"]

    def test_what_was_agreed_stays_once_it_runs(self, running, as_olga):
        as_olga.post(at(running, "settings"), self.form(running, name="Renamed", points="meeple"))
        running.refresh_from_db()
        assert (running.name, running.points) == ("Renamed", "normal")

    def test_the_order_of_tie_breaks_is_the_organisers(self, season, as_olga):
        path = at(season, "tie-breaks")
        as_olga.post(path, {"code": ["lot", "firsts"]})
        assert tie_breaks(season) == ["lot", "firsts"]
        as_olga.post(path, {"code": ["lot", "firsts"], "down": "lot"})
        assert tie_breaks(season) == ["firsts", "lot"]
        as_olga.post(path, {"code": ["firsts", "lot"], "up": "firsts", "add": "margin"})
        assert tie_breaks(season) == ["firsts", "lot", "margin"]
        as_olga.post(path, {"code": ["firsts", "lot", "margin"], "remove": "lot", "add": "nonsense"})
        assert tie_breaks(season) == ["firsts", "margin"]

    def test_a_format_is_a_form_with_its_own_fields(self, season, as_olga):
        stage = Stage.objects.get(division__season=season)
        page = page_text(as_olga.get(at(season, "stage-edit", stage.pk)))
        assert "Players at a table" in page
        page = page_text(as_olga.get(at(season, "stage-edit", stage.pk) + "?format=heats"))
        assert "Wild cards fill the next tables" in page
        wrong = {"set-seats": "3", "set-least": "4", "planned": "3"}
        page = as_olga.post(at(season, "stage-edit", stage.pk), wrong)
        assert page.status_code == 422
        assert "The smallest table cannot be larger than the others." in page_text(page)

    def test_a_division_with_entries_is_not_removed(self, season, as_olga, bob):
        registration.register(person=bob, season=season)
        division = season.divisions.get()
        page = as_olga.post(at(season, "division-remove", division.pk), follow=True)
        assert "There are entries in this division" in page_text(page)

    def test_presets_of_tie_breaks_are_what_a_format_begins_with(self, season):
        assert season.tie_breaks == list(PRESETS["table-swiss"])


def tie_breaks(season: Season) -> list[str]:
    season.refresh_from_db()
    return season.tie_breaks


class TestEntries:
    def test_sign_up_withdraw_and_come_back(self, season, as_bob, bob):
        page = as_bob.post(at(season, "sign-up"), follow=True)
        assert "You have entered Main event." in page_text(page)
        entrant = season.entrants.get(user=bob)
        as_bob.post(at(season, "entry", entrant.pk), {"do": "withdraw"})
        entrant.refresh_from_db()
        assert entrant.is_withdrawn
        as_bob.post(at(season, "entry", entrant.pk), {"do": "return"})
        entrant.refresh_from_db()
        assert entrant.status == Entrant.Status.REGISTERED

    def test_one_press_on_the_page_of_the_season(self, season, as_bob, as_charlie, olga):
        season = setup.edit_season(actor=olga, season=season, members_only=True)
        form = f'<form method="post" action="{at(season, "sign-up")}">'
        assert form in page_text(as_bob.get(season.get_absolute_url()))
        # Charlie has to join the club first, and reads so on the page of the entries.
        assert form not in page_text(as_charlie.get(season.get_absolute_url()))
        # So does everybody who has something to answer there.
        setup.edit_season(actor=olga, season=season, entry_questions=[{"text": "Any allergies?", "kind": "text"}])
        page = page_text(as_bob.get(season.get_absolute_url()))
        assert form not in page
        assert f'href="{at(season, "entries")}">Sign up for the season' in page

    def test_nobody_is_checked_in_before_anybody_has_entered(self, season, as_olga, olga, bob):
        setup.edit_season(actor=olga, season=season, check_in=True)
        assert "Check in at the door" not in page_text(as_olga.get(season.get_absolute_url()))
        registration.register(person=bob, season=season)
        assert "Check in at the door" in page_text(as_olga.get(season.get_absolute_url()))

    def test_twice_is_once(self, season, as_bob, bob):
        as_bob.post(at(season, "sign-up"))
        as_bob.post(at(season, "sign-up"))
        assert season.entrants.filter(user=bob).count() == 1

    def test_nobody_withdraws_somebody_else(self, season, bob, as_charlie):
        entrant = registration.register(person=bob, season=season)
        for what in ("withdraw", "check-in", "return"):
            answer = as_charlie.post(at(season, "entry", entrant.pk), {"do": what})
            assert answer.status_code == 403

    def test_who_comes_when_all_places_are_taken_waits(self, season, olga, club, as_bob):
        division = season.divisions.get()
        setup.edit_division(actor=olga, division=division, name="Main event", cap=2, up=0, down=0)
        for name in ("Ann", "Ben"):
            registration.add_guest(actor=olga, division=division, name=name)
        page = as_bob.post(at(season, "sign-up"), follow=True)
        assert "You are on the waiting list of Main event, in place 1." in page_text(page)
        assert "Waiting list" in page_text(as_bob.get(at(season, "entries")))

    def test_a_member_is_found_by_name_or_handle(self, season, as_olga, club):
        for handle, name in (("nina", "Nina Nowak"), ("nils", "Nils Nordin")):
            add_member(club, create_user(handle, display_name=name))
        path = at(season, "add", season.divisions.get().pk, "person")
        as_olga.post(path, {"person": "Nina Nowak (@nina)"})
        as_olga.post(path, {"person": "nordin"})
        assert set(season.entrants.values_list("user__handle", flat=True)) == {"nina", "nils"}
        page = as_olga.post(path, {"person": "Nina Nowak (@nina)"})
        assert page.status_code == 422
        assert "No such member, or already entered." in page_text(page)

    def test_a_list_from_a_file_is_one_press_away(self, season, as_olga, as_bob):
        files = f"{season.get_absolute_url()}files/"
        assert f'href="{files}#players"' in as_olga.get(f"{season.get_absolute_url()}entries/").content.decode()
        assert 'id="players"' in as_olga.get(files).content.decode()
        assert files not in as_bob.get(f"{season.get_absolute_url()}entries/").content.decode()

    def test_many_guests_at_once_or_none(self, season, as_olga):
        path = at(season, "add", season.divisions.get().pk, "guests")
        page = as_olga.post(path, {"names": "Ann\n  Ben \n\nCat"}, follow=True)
        assert "3 guests have entered." in page_text(page)
        for names, why in (("Dan\nDan", "is listed twice"), ("x" * 61, "is too long")):
            page = as_olga.post(path, {"names": names})
            assert page.status_code == 422
            assert why in page_text(page)
            assert names.splitlines()[0] in page_text(page)
        assert season.entrants.count() == 3

    def test_a_bot_plays_online_only(self, season, as_olga):
        path = at(season, "add", season.divisions.get().pk, "bot")
        page = as_olga.post(path, {"level": "rookie"})
        assert page.status_code == 422
        setup.edit_season(
            actor=season.league.club.memberships.get(role="organiser").user, season=season, where="online"
        )
        as_olga.post(path, {"level": "rookie"})
        assert season.entrants.get().kind == Entrant.Kind.BOT

    def test_the_door(self, season, as_olga, olga, bob):
        setup.edit_season(actor=olga, season=season, check_in=True)
        entrant = registration.register(person=bob, season=season)
        door = at(season, "door")
        assert "0 of 1" in page_text(as_olga.get(door))
        page = as_olga.post(at(season, "entry", entrant.pk), {"do": "check-in", "back": "door"}, follow=True)
        assert page.redirect_chain[-1][0] == door
        assert "1 of 1" in page_text(page)
        page = as_olga.post(at(season, "entry", entrant.pk), {"do": "check-out", "back": "door"}, follow=True)
        assert "0 of 1" in page_text(page)

    def test_nobody_has_checked_in_and_all_are_checked_in_at_once(self, season, as_olga, as_bob, olga):
        setup.edit_season(actor=olga, season=season, check_in=True)
        division = season.divisions.get()
        for name in ("Ada", "Bea", "Cid"):
            registration.add_guest(actor=olga, division=division, name=name)
        page = page_text(as_olga.post(at(season, "start"), follow=True))
        assert "has checked in yet, of 3 who entered. Check in who is here, or check all in, and then start." in page
        assert "too few entrants" not in page
        first = season.entrants.earliest("pk")
        registration.check_in(actor=olga, entrant=first)
        page = page_text(as_olga.post(at(season, "start"), follow=True))
        assert "Only 1 of 3 in" in page
        season.refresh_from_db()
        assert not season.has_begun
        assert not season.entrants.filter(status="withdrawn").exists()
        # The button of the season's page, and the one at the door.
        for where in (season.get_absolute_url(), at(season, "door")):
            assert ">Check all in<" in re.sub(r"<svg.*?</svg>", "", page_text(as_olga.get(where)), flags=re.DOTALL)
        assert as_bob.post(at(season, "door")).status_code == 403
        page = page_text(as_olga.post(at(season, "door"), follow=True))
        assert "2 more have checked in: all are in." in page
        assert ">Check all in<" not in page
        assert "The season has started." in page_text(as_olga.post(at(season, "start"), follow=True))
        assert set(season.entrants.values_list("status", flat=True)) == {"active"}
        door = page_text(as_olga.get(at(season, "door")))
        assert "check-in is over" in door
        assert "Nobody has entered yet." not in door
        assert "There is no check-in for this season now." in page_text(as_olga.post(at(season, "door"), follow=True))

    def test_all_checked_in_at_once_is_taken_back_at_once(self, season, olga):
        setup.edit_season(actor=olga, season=season, check_in=True)
        for name in ("Ada", "Bea", "Cid"):
            registration.add_guest(actor=olga, division=season.divisions.get(), name=name)
        first = registration.check_in(actor=olga, entrant=season.entrants.earliest("pk"))
        assert registration.check_in_all(actor=olga, season=season) == 2
        assert registration.check_in_all(actor=olga, season=season) == 0
        undo.undo(actor=olga, undoable=undo.recent(season=season)[0].undoable)
        assert list(season.entrants.filter(status="checked_in")) == [first]

    def test_who_has_no_seed_stands_after_those_who_have(self, season, as_olga, olga):
        division = season.divisions.get()
        for name in ("Annelise", "Benedetto", "Catarina"):
            registration.add_guest(actor=olga, division=division, name=name)
        division.entrants.filter(user__display_name="Catarina").update(seed=1)
        page = page_text(as_olga.get(at(season, "entries")))
        assert page.index("Catarina") < page.index("Annelise") < page.index("Benedetto")

    def test_seeding_by_hand_and_by_its_arrows(self, season, as_olga, olga):
        division = season.divisions.get()
        ids = [
            str(registration.add_guest(actor=olga, division=division, name=name).pk) for name in ("Ann", "Ben", "Cat")
        ]
        path = at(season, "seeding", division.pk)
        as_olga.post(path, {"by": "hand", "order": ids[::-1]})
        assert seeds(season) == ["Cat", "Ben", "Ann"]
        as_olga.post(path, {"order": ids[::-1], "down": ids[2]})
        assert seeds(season) == ["Ben", "Cat", "Ann"]
        page = as_olga.post(path, {"by": "hand", "order": ids[:1]}, follow=True)
        assert "is-reality" in page_text(page)
        assert seeds(season) == ["Ben", "Cat", "Ann"]
        as_olga.post(path, {"by": "lot"})
        assert sorted(seeds(season)) == ["Ann", "Ben", "Cat"]

    def test_a_round_one_cannot_come_to(self, running, as_bob, bob):
        entrant = running.entrants.get(user=bob)
        page = as_bob.post(at(running, "bye", entrant.pk), {"number": "2"}, follow=True)
        assert "You miss round 2." in page_text(page)
        asked = entrant.requested_byes.get()
        as_bob.post(at(running, "bye", entrant.pk), {"cancel": str(asked.pk)})
        assert not entrant.requested_byes.exists()


def seeds(season: Season) -> list[str]:
    return [entrant.name for entrant in season.entrants.order_by("seed")]


class TestDirectory:
    def test_mine_first_then_what_is_open(self, season, league, olga, bob, as_bob):
        setup.create_league(actor=olga, club=league.club, name="Another", game="thanos-rising")
        registration.register(person=bob, season=season)
        page = page_text(as_bob.get(reverse("leagues:index")))
        assert page.index("You play in") < page.index("Friday Splendor") < page.index("Other leagues")
        assert page.count("Friday Splendor") == 1

    def test_the_directory_asks_the_same_for_any_number(
        self, season, league, olga, client, django_assert_max_num_queries
    ):
        for number in range(6):
            setup.create_league(actor=olga, club=league.club, name=f"League {number}", game="thanos-rising")
        with django_assert_max_num_queries(4):
            page = client.get(reverse("leagues:index"))
        assert page_text(page).count("league-card") == 7

    @pytest.mark.parametrize(
        ("states", "shown"),
        [
            (["closed", "running"], 2),
            (["running", "registration"], 1),
            (["running", "running", "registration", "draft"], 2),
            (["closed", "registration", "draft"], 2),
            (["registration", "registration"], 2),
            (["closed", "closed", "closed"], 3),
            (["closed", "closed", "draft"], 2),
        ],
    )
    def test_a_card_shows_the_season_that_matters_now(self, league, client, states, shown):
        for number, status in enumerate(states, 1):
            closed_at = timezone.now() if status == "closed" else None
            Season.objects.create(
                league=league, number=number, name=f"Number {number}", status=status, closed_at=closed_at
            )
        for where in (reverse("leagues:index"), league.club.get_absolute_url()):
            page = page_text(client.get(where))
            assert re.findall(r"Number \d", page) == [f"Number {shown}"], where
            assert reverse("leagues:season", args=[league.slug, shown]) in page
        listed = re.findall(r"Number (\d)", page_text(client.get(league.get_absolute_url())))
        known = [number for number, status in enumerate(states, 1) if status != "draft"]
        assert listed == [str(number) for number in reversed(known)]

    def test_seasons_lead_to_each_other(self, league, client, as_olga):
        for number, status in enumerate(["closed", "closed", "running", "draft"], 1):
            closed_at = timezone.now() if status == "closed" else None
            Season.objects.create(
                league=league, number=number, name=f"Number {number}", status=status, closed_at=closed_at
            )

        def around(reader, number: int) -> list[tuple[str, str]]:
            page = page_text(reader.get(reverse("leagues:season", args=[league.slug, number])))
            return re.findall(r'<a rel="(\w+)" href="([^"]+)"', page)

        paths = [reverse("leagues:season", args=[league.slug, number]) for number in range(5)]
        assert around(client, 1) == [("next", paths[2])]
        assert around(client, 2) == [("prev", paths[1]), ("next", paths[3])]
        assert around(client, 3) == [("prev", paths[2])]
        assert around(as_olga, 3) == [("prev", paths[2]), ("next", paths[4])]

    def test_a_ladder_offers_whom_one_may_challenge(self, league, olga, players):
        from leagues.rounds import draw
        from leagues.seasons import presets

        season = presets.set_up(actor=olga, league=league, preset="ladder")
        for each in players[:3]:
            registration.register(person=each, season=season)
        season = draw.start(actor=olga, season=season)
        last = logged_in(_last(season))
        page = last.get(season.get_absolute_url())
        assert "Challenge somebody above you whenever you like." in page_text(page)
        (ladder,) = page.context["meetings"]
        assert len(ladder["targets"]) == 2
        target = ladder["targets"][0]
        stage = Stage.objects.get(division__season=season)
        page = last.post(at(season, "challenge", stage.pk), {"target": str(target.pk)}, follow=True)
        assert f"You have challenged {target.name}." in page_text(page)
        answerer = logged_in(target.user)
        challenge = stage.challenges.get()
        answerer.post(at(season, "challenge-answer", challenge.pk))
        challenge.refresh_from_db()
        assert challenge.answered_at is not None


def _last(season: Season):

    order = ladder_order.ladder_now(Stage.objects.get(division__season=season)).ladder.order
    return Entrant.objects.get(pk=order[-1]).user

"""From the table to the standings, as pages: reports, disputes, whole evenings, corrections."""

import re

import pytest
from django.urls import reverse

from accounts.models import Membership, Role
from leagues.entries import registration
from leagues.models import Pairing, Result, Season, Stage
from leagues.results import reporting
from leagues.rounds import draw, tables
from leagues.seasons import presets, setup
from leagues.views.common import season_of, show
from leagues.windows import extensions
from tests.factories import logged_in, next_round, running_stage
from tests.leagues.pages.conftest import in_order, sheet
from tests.leagues.pages.test_online import begin


def page_text(response) -> str:
    return response.content.decode()


def reversed_ranks(pairing: Pairing) -> list[int]:
    return list(range(pairing.seats.count(), 0, -1))


class TestReporting:
    def test_one_reports_and_another_confirms(self, bobs_table, as_bob):
        pairing = bobs_table.pairing
        page = as_bob.post(reverse("leagues:report", args=[pairing.key]), sheet(pairing), follow=True)
        assert "Somebody else at the table has to confirm it." in page_text(page)
        other = logged_in(bobs_table.others[0])
        assert "Yes, that is right" in page_text(other.get(pairing.get_absolute_url()))
        page = other.post(reverse("leagues:answer", args=[pairing.key]), {"version": "1"}, follow=True)
        assert "you have confirmed the result" in page_text(page)
        pairing.refresh_from_db()
        assert pairing.state == Pairing.State.CONFIRMED

    def test_who_reported_cannot_confirm(self, bobs_table, as_bob):
        pairing = bobs_table.pairing
        as_bob.post(reverse("leagues:report", args=[pairing.key]), sheet(pairing))
        assert "Yes, that is right" not in page_text(as_bob.get(pairing.get_absolute_url()))
        as_bob.post(reverse("leagues:answer", args=[pairing.key]), {"version": "1"})
        pairing.refresh_from_db()
        assert pairing.state == Pairing.State.REPORTED

    def test_ties_and_scores_are_told_as_they_are(self, bobs_table, as_bob):
        pairing = bobs_table.pairing
        indices = list(pairing.seats.order_by("index").values_list("index", flat=True))
        scores = {f"score-{index}": str(score) for index, score in zip(indices, (16, 16, 9, 4))}
        as_bob.post(reverse("leagues:report", args=[pairing.key]), scores)
        latest = reporting.latest(pairing)
        assert [place["rank"] for place in latest.places] == [1, 1, 3, 4][: len(indices)]
        assert [place["score"] for place in latest.places] == [16, 16, 9, 4][: len(indices)]

    @pytest.mark.parametrize("ranks", [["1", "1", "2", "3"], ["1", "", "2", "3"], ["0", "1", "2", "3"], ["x"] * 4])
    def test_nonsense_is_refused_with_what_was_typed(self, bobs_table, as_bob, ranks):
        pairing = bobs_table.pairing
        data = dict(zip(sheet(pairing), ranks))
        page = as_bob.post(reverse("leagues:report", args=[pairing.key]), {**data, "note": "kept"})
        assert page.status_code == 422
        assert "errorlist" in page_text(page)
        assert not Result.objects.filter(pairing=pairing).exists()

    def test_a_stranger_cannot_report(self, bobs_table, as_charlie):
        pairing = bobs_table.pairing
        assert as_charlie.post(reverse("leagues:report", args=[pairing.key]), sheet(pairing)).status_code == 403
        assert "Report this result" not in page_text(as_charlie.get(pairing.get_absolute_url()))

    def test_a_member_cannot_speak_as_an_organiser(self, bobs_table, as_bob):
        data = {**sheet(bobs_table.pairing), "as": "organiser"}
        assert as_bob.post(reverse("leagues:report", args=[bobs_table.pairing.key]), data).status_code == 403


class TestPlayedInBothPlaces:
    """Each table says where it is played: the page shows both the time and the report form."""

    @pytest.fixture
    def pairing(self, league, olga, players) -> Pairing:
        season = begin(league, olga, players[:2], "weekly-season", where=Season.Where.BOTH)
        round_ = draw.draw_next_round(actor=olga, stage=Stage.objects.get(division__season=season))
        pairing = draw.publish(actor=olga, round=round_).pairings.get()
        return tables.set_location(actor=olga, pairing=pairing, where=Pairing.Where.CLUB)

    def test_the_second_person_confirms(self, pairing, players):
        first, second = map(logged_in, players[:2])
        first.post(reverse("leagues:report", args=[pairing.key]), sheet(pairing))
        assert "Yes, that is right" not in page_text(first.get(pairing.get_absolute_url()))
        page = page_text(second.get(pairing.get_absolute_url()))
        assert "Yes, that is right" in page
        assert "No, it was different" in page
        second.post(reverse("leagues:answer", args=[pairing.key]), {"version": "1"})
        pairing.refresh_from_db()
        assert pairing.state == Pairing.State.CONFIRMED

    def test_a_request_for_more_time_is_no_question_to_the_reader(self, pairing, players):
        extensions.ask(person=players[0], pairing=pairing, reason="A cold")
        first, second = map(logged_in, players[:2])
        for reader in (first, second):
            page = page_text(reader.get(pairing.get_absolute_url()))
            assert "bob asks for more time: A cold" in page
            assert "Yes, that is right" not in page
        second.post(reverse("leagues:report", args=[pairing.key]), sheet(pairing))
        assert "Yes, that is right" in page_text(first.get(pairing.get_absolute_url()))
        assert "Yes, that is right" not in page_text(second.get(pairing.get_absolute_url()))

    def test_a_page_cannot_cover_a_part_of_its_frame(self, pairing, rf, olga):
        request = rf.get("/")
        request.user = olga
        with pytest.raises(TypeError, match="multiple values"):
            show(request, season_of(pairing), "table.html", "rounds", pairing=pairing, waiting=[pairing])


class TestDisputes:
    @pytest.fixture
    def disputed(self, bobs_table) -> Pairing:
        pairing, (one, other) = bobs_table.pairing, bobs_table.people[:2]
        logged_in(one).post(reverse("leagues:report", args=[pairing.key]), sheet(pairing))
        own = sheet(pairing, reversed_ranks(pairing))
        page = logged_in(other).post(reverse("leagues:report", args=[pairing.key]), own, follow=True)
        assert "The versions differ: an organiser will decide." in page_text(page)
        return pairing

    def test_both_versions_stand_side_by_side(self, disputed, running, as_olga):
        queue = reverse("leagues:disputes", args=[running.league.slug, running.number])
        page = page_text(as_olga.get(queue))
        assert page.count('class="version"') == 2
        as_olga.post(reverse("leagues:settle", args=[disputed.key]), {"version": "2"})
        counting = disputed.results.get(in_force=True)
        assert [place["rank"] for place in counting.places] == reversed_ranks(disputed)
        assert "Nothing to decide" in page_text(as_olga.get(queue))

    def test_or_neither_of_them(self, disputed, as_olga):
        prefix = f"t{disputed.pk}-"
        wrong = as_olga.post(reverse("leagues:settle", args=[disputed.key]), {f"{prefix}rank-0": "1"})
        assert wrong.status_code == 422
        assert "<details open>" in page_text(wrong)
        as_olga.post(reverse("leagues:settle", args=[disputed.key]), sheet(disputed, prefix=prefix))
        assert disputed.results.get(in_force=True).source == Result.Source.ORGANISER

    def test_a_version_that_is_not_there(self, disputed, as_olga):
        page = as_olga.post(reverse("leagues:settle", args=[disputed.key]), {"version": "9"}, follow=True)
        assert "There is no such version." in page_text(page)


class TestEvening:
    @pytest.fixture
    def path(self, published, running) -> str:
        return reverse("leagues:evening", args=[running.league.slug, running.number, published.pk])

    def test_all_tables_are_saved_together(self, published, path, as_olga):
        data = {}
        for pairing in published.pairings.all():
            data |= sheet(pairing, prefix=f"t{pairing.pk}-")
        page = as_olga.post(path, data, follow=True)
        assert "2 results are entered." in page_text(page)
        assert not Pairing.objects.open().filter(round=published).exists()

    def test_an_organiser_who_plays_hears_that_their_own_table_waits(self, published, path, as_bob, bob, club):
        Membership.objects.filter(club=club, user=bob).update(role=Role.ORGANISER)
        data = {}
        for pairing in published.pairings.all():
            data |= sheet(pairing, prefix=f"t{pairing.pk}-")
        page = page_text(as_bob.post(path, data, follow=True))
        own = published.pairings.get(seats__entrant__user=bob)
        assert f"You play at table {own.table} yourself: its result waits for somebody else to confirm it." in page
        assert page.count("waits for somebody else") == 1
        assert list(Pairing.objects.open().filter(round=published)) == [own]

    def test_a_wrong_row_is_named_and_nothing_is_lost(self, published, path, as_olga):
        good, bad = published.pairings.order_by("number")
        data = sheet(good, prefix=f"t{good.pk}-") | sheet(bad, [1, 1, 1, 2], prefix=f"t{bad.pk}-")
        page = as_olga.post(path, data)
        assert page.status_code == 422
        assert page_text(page).count("is-wrong") == 1
        assert f'name="t{good.pk}-rank-0" value="1"' in page_text(page)
        assert not Result.objects.exists()

    def test_what_a_verb_refuses_stands_at_its_row(self, published, path, as_olga, olga):
        late, fine = published.pairings.order_by("number")
        rows = sheet(late, prefix=f"t{late.pk}-") | sheet(fine, prefix=f"t{fine.pk}-")
        as_olga.get(path)
        reporting.enter_result(actor=olga, pairing=late, places=in_order(late))
        page = as_olga.post(path, rows, follow=True)
        # Somebody else entered one table meanwhile: the other one is entered, nothing twice.
        assert "1 result is entered." in page_text(page)
        assert late.results.count() == 1

    def test_tables_left_empty_stay_open(self, published, path, as_olga):
        one, other = published.pairings.order_by("number")
        as_olga.post(path, sheet(one, prefix=f"t{one.pk}-"))
        assert list(Pairing.objects.open().filter(round=published)) == [other]
        assert "Nothing was filled in." in page_text(as_olga.post(path, {}))

    def test_a_digit_is_asked_for_only_where_there_are_places(self, path, as_olga, club, olga):
        digits = "Type a digit for each place"
        assert digits in page_text(as_olga.get(path))
        sides = setup.create_league(actor=olga, club=club, name="Gauntlet", game="infinity-gauntlet")
        season = presets.set_up(actor=olga, league=sides, preset="one-vs-many-evening")
        setup.edit_season(actor=olga, season=season, check_in=False)
        for name in ("Ada", "Bea", "Cid", "Dan"):
            registration.add_guest(actor=olga, division=season.divisions.get(), name=name)
        draw.start(actor=olga, season=season)
        round_ = draw.draw_next_round(actor=olga, stage=Stage.objects.get(division__season=season))
        draw.publish(actor=olga, round=round_)
        page = page_text(as_olga.get(reverse("leagues:evening", args=[sides.slug, season.number, round_.pk])))
        assert digits not in page
        assert "Tables you leave empty stay open." in page
        assert "<fieldset>" in page


class TestCorrections:
    @pytest.fixture
    def old(self, played) -> Pairing:
        return played.pairings.order_by("number").first()

    def test_first_the_preview_then_the_change(self, old, as_olga):
        path = reverse("leagues:correct", args=[old.key])
        new = sheet(old, reversed_ranks(old))
        before = old.results.get(in_force=True)
        page = as_olga.post(path, new)
        assert "What would change" in page_text(page)
        assert old.results.get(in_force=True) == before
        seal = page.context["preview"].seal
        nothing = as_olga.post(path, {**new, "seen": seal, "confirm": "yes", "why": " "})
        assert nothing.status_code == 422
        page = as_olga.post(path, {**new, "seen": seal, "confirm": "yes", "why": "Misread"}, follow=True)
        assert "The result is corrected." in page_text(page)
        assert [place["rank"] for place in old.results.get(in_force=True).places] == reversed_ranks(old)

    def test_what_was_not_seen_is_not_confirmed(self, old, as_olga):
        data = {**sheet(old, reversed_ranks(old)), "seen": "another", "confirm": "yes", "why": "Misread"}
        page = as_olga.post(reverse("leagues:correct", args=[old.key]), data)
        assert "look at it again before you confirm" in page_text(page)
        assert old.results.count() == 1

    def test_a_table_can_be_struck_out(self, old, as_olga):
        path = reverse("leagues:correct", args=[old.key])
        page = as_olga.post(path, {"strike": "yes"})
        seal = page.context["preview"].seal
        as_olga.post(path, {"strike": "yes", "seen": seal, "confirm": "yes", "why": "Wrong people"})
        assert not old.results.filter(in_force=True).exists()

    def test_undo_in_the_log(self, old, running, as_olga):
        path = reverse("leagues:correct", args=[old.key])
        new = sheet(old, reversed_ranks(old))
        seal = as_olga.post(path, new).context["preview"].seal
        as_olga.post(path, {**new, "seen": seal, "confirm": "yes", "why": "Misread"})
        where = [running.league.slug, running.number]
        page = as_olga.get(reverse("leagues:log", args=where))
        assert "Misread" in page_text(page)
        undoable = next(row["undoable"] for row in page.context["rows"] if row["undoable"])
        page = as_olga.post(reverse("leagues:undo", args=[*where, undoable.pk]), follow=True)
        assert "taken back by olga" in page_text(page)
        assert [place["rank"] for place in old.results.get(in_force=True).places] != reversed_ranks(old)


def test_somebody_did_not_come(bobs_table, as_olga, bob):
    pairing = bobs_table.pairing
    absent = pairing.seats.get(entrant__user=bob)
    as_olga.post(reverse("leagues:forfeit", args=[pairing.key]), {"absent": [str(absent.entrant_id)]})
    absent.refresh_from_db()
    assert absent.absent
    # They come after all: nobody is ticked any more.
    as_olga.post(reverse("leagues:forfeit", args=[pairing.key]), {})
    absent.refresh_from_db()
    assert not absent.absent
    page = as_olga.post(reverse("leagues:forfeit", args=[pairing.key]), {}, follow=True)
    assert "Say which of the players at this table did not come." in page_text(page)


def test_at_a_table_of_two_one_press_says_who_did_not_come(league, alice, as_alice):
    drawn = next_round(alice, running_stage(league, alice, "swiss", 4)).pairings.order_by("number")
    for pairing, absent in zip(drawn, (1, 2), strict=True):
        page = page_text(as_alice.get(pairing.get_absolute_url()))
        assert all(f"{seat.entrant.name} did not come" in page for seat in pairing.seats.all())
        # The buttons of the names, then the form of "Nobody came" with both.
        one, _other, *both = re.findall(r'name="absent" value="(\d+)"', page)
        as_alice.post(reverse("leagues:forfeit", args=[pairing.key]), {"absent": [one] if absent == 1 else both})
        assert pairing.seats.filter(absent=True).count() == absent
        pairing.refresh_from_db()
        assert pairing.state == Pairing.State.CONFIRMED


def test_voiding_needs_a_reason(bobs_table, as_olga):
    path = reverse("leagues:void", args=[bobs_table.pairing.key])
    assert "Say why" in page_text(as_olga.post(path, {"why": ""}, follow=True))
    as_olga.post(path, {"why": "The box was incomplete"})
    bobs_table.pairing.refresh_from_db()
    assert bobs_table.pairing.state == Pairing.State.VOID


def test_the_code_of_a_table_is_its_address(bobs_table, client):
    picture = client.get(reverse("leagues:code", args=[bobs_table.pairing.key]))
    assert picture["Content-Type"] == "image/svg+xml"
    assert picture.content.startswith(b"<svg")


def test_the_reader_always_knows_what_is_next(running: Season, bobs_table, as_bob, client):
    page = page_text(as_bob.get(running.get_absolute_url()))
    others = [person.name for person in bobs_table.others]
    assert f"Round 1: you play {', '.join(others[:-1])} and {others[-1]} at the club" in page
    assert f"{others[-1]} at the club" in page_text(as_bob.get("/"))
    stranger = page_text(client.get(running.get_absolute_url()))
    assert "you play" not in stranger
    assert "you can still join" in stranger


def test_a_part_that_fetches_itself_leaves_the_messages_for_the_next_page(bobs_table, as_olga, running):
    as_olga.post(reverse("leagues:void", args=[bobs_table.pairing.key]), {"why": ""})
    part = page_text(as_olga.get(running.get_absolute_url(), headers={"HX-Request": "true"}))
    assert 'id="now"' in part
    assert "Say why" not in part
    assert "Say why" in page_text(as_olga.get(running.get_absolute_url()))


def test_a_round_can_have_a_last_moment(drawn, running, as_olga, as_bob):
    step = reverse("leagues:round-step", args=[running.league.slug, running.number, drawn.pk])
    page = as_olga.post(step, {"step": "publish", "closes_at": "tomorrow"}, follow=True)
    assert "Give a day and an hour" in page_text(page)
    drawn.refresh_from_db()
    assert not drawn.is_published
    as_olga.post(step, {"step": "publish", "closes_at": "2099-12-04T19:00"})
    drawn.refresh_from_db()
    assert drawn.is_published
    assert "By Fri 4 Dec, 19:00." in page_text(as_bob.get(running.get_absolute_url()))

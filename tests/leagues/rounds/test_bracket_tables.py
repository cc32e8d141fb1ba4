"""A bracket runs by itself: results open the next matches, and corrections say what followed."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.infra.errors import Refused
from accounts.models import AuditEntry
from leagues.entries import withdrawal
from leagues.models import Entrant, Pairing, Round, Undoable
from leagues.results import corrections, reporting
from leagues.rounds import closing, draw
from leagues.seasons import undo
from leagues.standings import bracket_presentation, ranking
from tests.factories import markup_of, running_stage

pytestmark = pytest.mark.django_db
WINS = [{"rank": 1, "score": 15}, {"rank": 2, "score": 9}]
LOSES = [{"rank": 2, "score": 9}, {"rank": 1, "score": 15}]


def enter(alice, pairing, places=None):
    """The better seed wins, unless it is said otherwise."""
    if places is None:
        first, second = (seat.entrant.seed for seat in pairing.seats.select_related("entrant").order_by("index"))
        places = WINS if first < second else LOSES
    return reporting.enter_result(actor=alice, pairing=pairing, places=places)


def open_tables(stage):
    return list(Pairing.objects.open().filter(round__stage=stage).order_by("round__number", "number"))


def at(stage, slot):
    return Pairing.objects.filter(round__stage=stage, slot=slot).latest("round__number")


def who(pairing):
    return {seat.entrant.seed for seat in pairing.seats.select_related("entrant")}


def address(stage, name="bracket"):
    season = stage.division.season
    return reverse(f"leagues:{name}", args=[season.league.slug, season.number, stage.pk])


@pytest.mark.parametrize(("format", "count", "matches"), [("double-elimination", 11, 20), ("single-elimination", 6, 6)])
def test_a_bracket_runs_by_itself_to_its_champion(league, alice, format, count, matches):
    stage = running_stage(league, alice, format, count)
    assert draw.open_bracket(actor=alice, stage=stage) == draw.open_bracket(actor=alice, stage=stage)
    played = 0
    while tables := open_tables(stage):
        assert len({table.number for table in tables}) == len(tables), "two tables in one place"
        # The last one first, so that rounds overlap.
        enter(alice, tables[-1])
        played += 1
    assert played == matches
    assert all(each.is_closed for each in stage.rounds.all())
    shown = bracket_presentation.shown_bracket(stage)
    assert shown.champion == Entrant.objects.get(season=stage.division.season, seed=1).name
    assert [row.place for row in ranking.ranking(stage)][:2] == [1, 2]
    with pytest.raises(Refused, match="decided"):
        draw.draw_next_round(actor=alice, stage=stage)
    closing.finish_stage(actor=alice, stage=stage)


def test_a_match_opens_before_its_round_is_complete(league, alice):
    stage = running_stage(league, alice, "single-elimination", 8)
    draw.open_bracket(actor=alice, stage=stage)
    enter(alice, at(stage, "W1-1"))
    assert not Pairing.objects.filter(slot="W2-1").exists()
    enter(alice, at(stage, "W1-2"))
    assert who(at(stage, "W2-1")) == {1, 4}
    assert at(stage, "W2-1").round.is_published
    assert {each.slot for each in open_tables(stage)} == {"W1-3", "W1-4", "W2-1"}
    # Asking for a draw, as before there were brackets that run by themselves, gives the round that is played.
    assert draw.draw_next_round(actor=alice, stage=stage) == at(stage, "W2-1").round


def test_a_level_match_is_played_again_with_seats_changed(league, alice):
    stage = running_stage(league, alice, "single-elimination", 2, settings={"third": False})
    draw.open_bracket(actor=alice, stage=stage)
    first = at(stage, "W1-1")
    enter(alice, first, [{"rank": 1}, {"rank": 1}])
    again = at(stage, "W1-1")
    assert again != first
    assert [seat.entrant_id for seat in again.seats.all()] == [seat.entrant_id for seat in first.seats.all()][::-1]


def test_whoever_has_left_loses_the_matches_that_follow(league, alice):
    stage = running_stage(league, alice, "double-elimination", 4)
    draw.open_bracket(actor=alice, stage=stage)
    withdrawal.withdraw(actor=alice, entrant=Entrant.objects.get(season=stage.division.season, seed=1))
    enter(alice, at(stage, "W1-2"))
    assert who(at(stage, "L1-1")) == {1, 3}
    assert at(stage, "L1-1").state == Pairing.State.CONFIRMED
    while tables := open_tables(stage):
        enter(alice, tables[0])
    assert bracket_presentation.shown_bracket(stage).champion == "Guest 2"


class TestCorrection:
    @pytest.fixture
    def stage(self, league, alice):
        """The first round is played: 1 and 4, 2 and 3 meet in the semi-finals."""
        stage = running_stage(league, alice, "single-elimination", 8)
        draw.open_bracket(actor=alice, stage=stage)
        for number in range(1, 5):
            enter(alice, at(stage, f"W1-{number}"))
        return stage

    def corrected(self, alice, pairing):
        places = [{**place, "rank": 3 - place["rank"]} for place in pairing.results.get(in_force=True).places]
        before = set(Pairing.objects.values_list("pk", "slot"))
        seen = corrections.preview(actor=alice, pairing=pairing, places=places)
        assert set(Pairing.objects.values_list("pk", "slot")) == before, "a preview writes nothing"
        corrections.correct(actor=alice, pairing=pairing, places=places, why="mixed up", seen=seen.seal)
        return seen

    def test_what_was_not_played_is_called_off(self, stage, alice):
        old = at(stage, "W2-1")
        seen = self.corrected(alice, at(stage, "W1-1"))
        assert [(each.code, each.slot) for each in seen.matches] == [("called-off", "W2-1"), ("opens", "W2-1")]
        assert "was not played yet" in seen.matches[0].words
        assert not Pairing.objects.filter(pk=old.pk).exists()
        assert who(at(stage, "W2-1")) == {8, 4}
        assert AuditEntry.objects.filter(action="leagues.match-called-off").count() == 1

    def test_what_was_played_stays_and_is_named(self, stage, alice, client: Client):
        semi = at(stage, "W2-1")
        enter(alice, semi)
        enter(alice, at(stage, "W2-2"))
        seen = self.corrected(alice, at(stage, "W1-1"))
        codes = {(each.code, each.slot) for each in seen.matches}
        assert codes >= {("stays", "W2-1"), ("opens", "W2-1"), ("called-off", "W3-1")}
        assert semi.results.filter(in_force=True).exists()
        assert who(at(stage, "W2-1")) == {8, 4}
        enter(alice, at(stage, "W2-1"))
        assert who(at(stage, "W3-1")) == {2, 4}
        shown = bracket_presentation.shown_bracket(stage)
        assert shown is not None
        assert shown.champion == ""

    def test_the_page_says_it_before_it_happens(self, stage, alice, client: Client):
        client.force_login(alice)
        table = at(stage, "W1-1")
        places = table.results.get(in_force=True).places
        sent = {f"rank-{index}": 3 - place["rank"] for index, place in enumerate(places)}
        page = client.post(reverse("leagues:correct", args=[table.key]), sent)
        assert "called off, it was not played yet" in page.content.decode()
        assert who(at(stage, "W2-1")) == {1, 4}

    def test_an_entered_result_can_be_undone_until_the_next_match_is_played(self, stage, alice):
        first, second = at(stage, "W1-1"), at(stage, "W1-3")
        undo.undo(actor=alice, undoable=undoable_of(first))
        assert {each.slot for each in open_tables(stage)} == {"W1-1", "W2-2"}
        enter(alice, at(stage, "W2-2"))
        with pytest.raises(Refused, match="played already"):
            undo.undo(actor=alice, undoable=undoable_of(second))
        second.refresh_from_db()
        assert second.state == Pairing.State.CONFIRMED


def undoable_of(pairing):
    return next(each for each in Undoable.objects.filter(kind="result") if each.data["pairing"] == pairing.pk)


class TestPage:
    @pytest.fixture
    def stage(self, league, alice):
        return running_stage(league, alice, "double-elimination", 5)

    def test_one_press_opens_it_and_a_score_moves_the_winner_on(self, stage, alice, client: Client):
        client.force_login(alice)
        assert "Open the first matches" in client.get(address(stage)).content.decode()
        assert client.post(address(stage, "bracket-open")).headers["Location"] == address(stage)
        page = client.get(address(stage), {"match": "W1-2"}).content.decode()
        assert 'name="score-0"' in page
        answer = client.post(address(stage), {"match": "W1-2", "score-0": 15, "score-1": 9})
        assert answer.headers["Location"] == address(stage)
        page = markup_of(client.get(address(stage)))
        for words in ("Winners’ round 1", "Losers’ final", "Second final", "Loser of W2-2"):
            assert words in page
        assert '<text class="bracket-score is-winner" x="36" y="17">15</text>' in page
        # Twice the same: the second says so and changes nothing.
        again = client.post(address(stage), {"match": "W1-2", "score-0": 1, "score-1": 9}, follow=True)
        assert "cannot be entered now" in again.content.decode()
        assert at(stage, "W1-2").results.count() == 1

    def test_a_wrong_form_keeps_what_was_typed(self, stage, alice, client: Client):
        client.force_login(alice)
        draw.open_bracket(actor=alice, stage=stage)
        answer = client.post(address(stage), {"match": "W1-2", "score-0": "15", "score-1": ""})
        assert answer.status_code == 422
        assert 'value="15"' in answer.content.decode()

    def test_others_look_but_do_not_enter(self, stage, alice, bob, client: Client):
        draw.open_bracket(actor=alice, stage=stage)
        for person in (None, bob):
            if person:
                client.force_login(person)
            page = client.get(address(stage), {"match": "W1-2"})
            assert page.status_code == 200
            assert "score-0" not in page.content.decode()
            client.post(address(stage), {"match": "W1-2", "score-0": 15, "score-1": 9})
            assert client.post(address(stage, "bracket-open")).status_code in (302, 403)
        assert not at(stage, "W1-2").results.exists()

    def test_a_private_club_stays_private(self, stage, bob, charlie, client: Client):
        """Bob is a member of the club, Charlie is not."""
        stage.division.season.league.club.is_private = True
        stage.division.season.league.club.save()
        assert client.get(address(stage)).status_code == 404
        client.force_login(charlie)
        assert client.get(address(stage)).status_code == 404
        client.force_login(bob)
        assert client.get(address(stage)).status_code == 200

    def test_other_formats_have_no_bracket(self, league, alice, client: Client):
        stage = running_stage(league, alice, "swiss", 4, planned=2)
        assert client.get(address(stage)).status_code == 404
        with pytest.raises(Refused, match="no bracket"):
            draw.open_bracket(actor=alice, stage=stage)
        assert not Round.objects.filter(stage=stage).exists()

"""Best of 3 and 5: chosen for a stage, reported at the club, played online game after game."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.infra.errors import Refused
from accounts.models import User
from games.models import Match
from games.tables import leaving
from leagues.core import format_catalogue
from leagues.entries import withdrawal
from leagues.import_export import results_import, results_sheet
from leagues.import_export.archive import people, reader
from leagues.models import League, Pairing, PairingGame, RatedResult, Result, Stage, Undoable
from leagues.results import corrections, from_matches, presentation, recording, reporting
from leagues.rounds import closing as rounds_closing
from leagues.rounds import draw, tables
from leagues.seasons import closing, rollover, setup, undo
from leagues.standings import bracket_presentation, ranking
from leagues.standings import presentation as standings_presentation
from tests.factories import (
    draft_season,
    enter,
    finished_match,
    fresh,
    logged_in,
    markup_of,
    next_round,
    running_stage,
    stage_of,
    two_turns_each,
)
from tests.leagues.import_export.conftest import exported, imported
from tests.leagues.import_export.test_archive import inside

pytestmark = pytest.mark.django_db

# Ends after a few moves, and has roles.
QUICK = "infinity-gauntlet"
ONLINE = {"where": "online", "clock": "days", "days": 2}


def games(one: int | None, other: int | None) -> list[dict]:
    return [{"score": one}, {"score": other}]


def open_tables(stage: Stage) -> list[Pairing]:
    return list(Pairing.objects.open().filter(round__stage=stage).order_by("round__number", "number"))


def the_table(stage: Stage) -> Pairing:
    return open_tables(stage)[0]


class TestSetting:
    @pytest.mark.parametrize(
        ("format", "settings", "words"),
        [
            ("swiss", {"best_of": 4}, "4 is not possible, choose one of 1, 3, 5"),
            ("swiss", {"best_of": 7}, "choose one of 1, 3, 5"),
            ("swiss", {"best_of": True}, "choose one of 1, 3, 5"),
            ("single-elimination", {"best_of": "3"}, "choose one of 1, 3, 5"),
            ("groups", {"best_of": 3, "seats": 3}, "for two at a table"),
            ("table-swiss", {"best_of": 3}, "two at a table"),
            ("ladder", {"best_of": 3}, "two at a table"),
        ],
    )
    def test_others_are_refused_in_words(self, league, alice, format, settings, words):
        with pytest.raises(Refused, match=words):
            draft_season(league, alice, format, settings)
        assert not Stage.objects.exists()

    def test_it_is_chosen_in_the_form_and_shown_in_the_rules(self, league, alice, as_alice: Client):
        season = draft_season(league, alice, "swiss", planned=3)
        stage = stage_of(season)
        assert stage.settings == {"best_of": 1}
        page = reverse("leagues:stage-edit", args=[league.slug, season.number, stage.pk])
        assert "Best of how many games" in as_alice.get(page).content.decode()
        assert as_alice.post(page, {"planned": 3, "set-best_of": 4}).status_code == 422
        assert as_alice.post(page, {"planned": 3, "set-best_of": 5}).status_code == 302
        assert format_catalogue.best_of(stage_of(season)) == 5
        for address in (season.get_absolute_url(), reverse("leagues:settings", args=[league.slug, season.number])):
            assert "best of 5" in as_alice.get(address).content.decode()
        assert "Whoever first wins more than half" in as_alice.get(season.get_absolute_url()).content.decode()
        # A form from before, without the field: single games.
        as_alice.post(page, {"planned": 3})
        assert format_catalogue.best_of(stage_of(season)) == 1

    def test_a_stage_from_before_is_played_as_single_games(self, league, alice):
        """And its number of rounds can still be changed while it runs."""
        stage = running_stage(league, alice, "swiss", 4, planned=3)
        Stage.objects.filter(pk=stage.pk).update(settings={})
        assert format_catalogue.best_of(stage_of(stage.division.season)) == 1
        setup.edit_stage(actor=alice, stage=stage, format="swiss", settings={}, planned=4)
        with pytest.raises(Refused, match="The season has started"):
            setup.edit_stage(actor=alice, stage=stage, format="swiss", settings={"best_of": 3}, planned=4)

    def test_the_next_season_keeps_it(self, league, alice):
        stage = running_stage(league, alice, "swiss", 2, settings={"best_of": 3}, planned=1)
        next_round(alice, stage)
        reporting.enter_result(actor=alice, pairing=the_table(stage), places=games(2, 1))
        rounds_closing.finish_stage(actor=alice, stage=stage)
        closing.close_season(actor=alice, season=stage.division.season)
        made = rollover.start_next_season(actor=alice, league=league)
        assert stage_of(made).settings == {"best_of": 3}


class TestClub:
    @pytest.fixture
    def stage(self, league, alice) -> Stage:
        return running_stage(league, alice, "single-elimination", 4, settings={"best_of": 3, "third": False})

    @pytest.fixture
    def pairing(self, stage, alice) -> Pairing:
        draw.open_bracket(actor=alice, stage=stage)
        return the_table(stage)

    @pytest.mark.parametrize(
        ("places", "words"),
        [
            ([{"rank": 1}, {"rank": 2}], "give the games that each side won"),
            (games(2, None), "give the games that each side won"),
            (games(3, 0), "exactly 2 games"),
            (games(2, 2), "exactly 2 games"),
            (games(1, 0), "play on until"),
            (games(1, 1), "play on until"),
            (games(2, -1), "exactly 2 games"),
            ([{"rank": 2, "score": 2}, {"rank": 1, "score": 1}], "do not fit the games won"),
        ],
    )
    def test_what_no_series_ends_with_is_refused(self, pairing, alice, places, words):
        with pytest.raises(Refused, match=words):
            reporting.enter_result(actor=alice, pairing=pairing, places=places)
        assert not Result.objects.exists()

    def test_the_winner_moves_on_and_the_games_are_shown(self, stage, pairing, alice, as_alice: Client):
        result = reporting.enter_result(actor=alice, pairing=pairing, places=games(1, 2))
        assert [(place["rank"], place["score"]) for place in result.places] == [(2, 1), (1, 2)]
        winner = pairing.seats.get(index=1).entrant
        assert presentation.result_headline(pairing, result) == f"Won by {winner.name}, 2–1"
        bracket = bracket_presentation.shown_bracket(stage)
        assert bracket
        shown = bracket.match(pairing.slot)
        assert shown
        assert {line.name: (line.score, line.won) for line in shown.lines} == {
            pairing.seats.get(index=0).entrant.name: ("1", False),
            winner.name: ("2", True),
        }
        assert f"Won by {winner.name}, 2–1" in as_alice.get(pairing.get_absolute_url()).content.decode()

    def test_a_score_on_the_bracket_is_all_there_is_to_enter(self, stage, pairing, as_alice: Client):
        page = reverse("leagues:bracket", args=[stage.division.season.league.slug, 1, stage.pk])
        form = markup_of(as_alice.get(page, {"match": pairing.slot}))
        assert "Games won, best of 3" in form
        assert 'name="rank-0"' not in form
        refused = as_alice.post(page, {"match": pairing.slot, "score-0": 1, "score-1": 1})
        assert (refused.status_code, Result.objects.count()) == (422, 0)
        assert as_alice.post(page, {"match": pairing.slot, "score-0": 2, "score-1": 1}).status_code == 302
        result = recording.in_force(pairing)
        assert result
        assert result.places[0] == {"rank": 1, "score": 2, "kind": "PLAYED"}

    def test_all_of_a_round_in_one_form(self, stage, pairing, as_alice: Client):
        current = pairing.round
        page = reverse("leagues:evening", args=[stage.division.season.league.slug, 1, current.pk])
        assert "best of 3" in as_alice.get(page).content.decode()
        pks = list(current.pairings.values_list("pk", flat=True))
        data = {f"t{pk}-score-{index}": won for pk in pks for index, won in ((0, 2), (1, 0))}
        assert as_alice.post(page, data).status_code == 302
        assert Result.objects.filter(pairing__in=pks, in_force=True).count() == 2

    def test_correction_and_undo(self, stage, pairing, alice):
        reporting.enter_result(actor=alice, pairing=pairing, places=games(2, 0))
        with pytest.raises(Refused, match="exactly 2 games"):
            corrections.preview(actor=alice, pairing=pairing, places=games(3, 1))
        seen = corrections.preview(actor=alice, pairing=pairing, places=games(1, 2))
        assert seen.matches or seen.standings
        corrections.correct(actor=alice, pairing=pairing, places=games(1, 2), why="A misread sheet", seen=seen.seal)
        assert [place["score"] for place in recording.in_force(pairing).places] == [1, 2]
        step = Undoable.objects.get(kind="correction")
        undo.undo(actor=alice, undoable=step)
        assert [place["score"] for place in recording.in_force(pairing).places] == [2, 0]

    def test_a_forfeit_ends_it_and_can_be_undone(self, pairing, alice):
        absent = pairing.seats.get(index=0).entrant_id
        reporting.forfeit(actor=alice, pairing=pairing, absent=[absent])
        assert [place["kind"] for place in recording.in_force(pairing).places] == ["FL", "FW"]
        undo.undo(actor=alice, undoable=Undoable.objects.get(kind="result"))
        pairing.refresh_from_db()
        assert pairing.is_open
        assert not pairing.seats.filter(absent=True).exists()
        reporting.enter_result(actor=alice, pairing=pairing, places=games(2, 1))

    def test_players_report_confirm_and_dispute_it(self, league, alice, bob, charlie):
        season = draft_season(league, alice, "swiss", {"best_of": 3}, planned=2)
        enter(season.divisions.get(), alice, bob, charlie)
        draw.start(actor=alice, season=season)
        pairing = next_round(alice, stage_of(season)).pairings.get()
        with pytest.raises(Refused, match="equally many"):
            reporting.report(person=bob, pairing=pairing, places=games(2, 2))
        reported = reporting.report(person=bob, pairing=pairing, places=games(2, 1))
        assert reported.kind == Result.Kind.REPORTED
        # The same games the other way round is another version.
        assert reporting.report(person=charlie, pairing=pairing, places=games(2, 0)).kind == Result.Kind.DISPUTED
        reporting.enter_result(actor=alice, pairing=pairing, places=games(2, 1))
        assert RatedResult.objects.count() == 1, "a series is one rated result"

    def test_level_only_where_a_game_may_be(self, league, alice):
        stage = running_stage(league, alice, "swiss", 2, settings={"best_of": 3}, planned=2)
        next_round(alice, stage)
        result = reporting.enter_result(actor=alice, pairing=the_table(stage), places=games(1, 1))
        assert [place["rank"] for place in result.places] == [1, 1]
        assert {row.score for row in ranking.ranking(stage)} == {60}, "half a point each"
        sides = setup.create_league(actor=alice, club=league.club, name="Sides", game=QUICK)
        stage = running_stage(sides, alice, "swiss", 2, settings={"best_of": 3}, planned=2)
        next_round(alice, stage)
        with pytest.raises(Refused, match="play on until"):
            reporting.enter_result(actor=alice, pairing=the_table(stage), places=games(1, 1))

    def test_it_counts_once_in_the_standings_and_the_crosstable_has_the_games(self, league, alice):
        stage = running_stage(league, alice, "round-robin", 4, settings={"best_of": 5})
        while len(rounds := draw.draw_all_rounds(actor=alice, stage=stage)) < 3:
            pass
        for each in rounds:
            draw.publish(actor=alice, round=each)
        for pairing in open_tables(stage):
            first, second = (seat.entrant.pk for seat in pairing.seats.order_by("index"))
            places = games(3, 1) if first < second else games(2, 3)
            reporting.enter_result(actor=alice, pairing=pairing, places=places)
        assert [row.score for row in ranking.ranking(stage)] == [360, 240, 120, 0]
        (listing,) = standings_presentation.standings_tables(stage)
        table = standings_presentation.crosstable(stage, listing)
        texts = {cell.text for _line, cells in table.lines for cell in cells if cell.tone != "self"}
        assert texts <= {"3–1", "1–3", "3–2", "2–3"}
        assert {"won", "lost"} <= {cell.tone for _line, cells in table.lines for cell in cells}

    def test_past_series_from_a_file(self, league, alice):
        season = draft_season(league, alice, "swiss", {"best_of": 3})
        head = "date,round,table,name,place,score\n"
        lines = "2024-03-05,1,1,Ada,1,2\n2024-03-05,1,1,Bea,2,{}\n"
        division = season.divisions.get()
        wrong = results_sheet.plan(season=season, division=division, content=(head + lines.format(2)).encode())
        assert "exactly 2 games" in wrong.problems[0].reason
        plan = results_sheet.plan(season=season, division=division, content=(head + lines.format(1)).encode())
        assert not plan.problems
        results_import.import_results(actor=alice, season=season, plan=plan)
        assert [place["score"] for place in Result.objects.get().places] == [2, 1]


def online_pairing(
    league: League, alice: User, people: list[User], best_of: int, format: str = "swiss", **terms
) -> Pairing:
    planned = 1 if format == "swiss" else None
    how: dict[str, Any] = ONLINE | terms
    season = draft_season(league, alice, format, {"best_of": best_of}, planned, **how)
    enter(season.divisions.get(), alice, *people)
    draw.start(actor=alice, season=season)
    stage = stage_of(season)
    if format == "swiss":
        return next_round(alice, stage).pairings.get()
    draw.open_bracket(actor=alice, stage=stage)
    return the_table(stage)


def take_in(match: Match) -> None:
    assert from_matches.take_in_match(match_id=match.pk)
    assert not from_matches.take_in_match(match_id=match.pk)


def give_up(match: Match, person: User) -> Match | None:
    """Lose a game by resigning, once it counts; None where the deal ended it before."""
    match = two_turns_each(match)
    if not match.is_playing:
        return None
    leaving.resign(person=person, match=match)
    return finished_match(fresh(match))


class TestOnline:
    @pytest.fixture
    def quick(self, club, alice) -> League:
        return setup.create_league(actor=alice, club=club, name="Quick", game=QUICK)

    @pytest.mark.parametrize("best_of", [1, 3, 5])
    @pytest.mark.parametrize("format", ["swiss", "single-elimination"])
    def test_games_follow_each_other_until_it_is_decided(self, quick, alice, bob, charlie, best_of, format):
        """Random play to the end of every game: whoever wins, the result arrives with the last one and not before."""
        pairing = online_pairing(quick, alice, [bob, charlie], best_of, format)
        seats = [seat.entrant.user for seat in pairing.seats.order_by("index")]
        needed, won, played = best_of // 2 + 1, [0, 0], 0
        while max(won) < needed:
            pairing.refresh_from_db()
            match, played = pairing.match, played + 1
            assert pairing.state == Pairing.State.PLAYING
            assert not Result.objects.exists()
            sitting = [seat.user for seat in match.seats.order_by("index")]
            assert sitting == (seats if played % 2 else seats[::-1]), "seats and roles alternate"
            match = finished_match(match)
            take_in(match)
            won[seats.index(match.seats.get(rank=1).user)] += 1
        pairing.refresh_from_db()
        assert (pairing.match_id, pairing.state) == (match.pk, Pairing.State.CONFIRMED)
        result = Result.objects.get(in_force=True)
        assert result.source == Result.Source.MATCH
        assert [place["rank"] for place in result.places] == [1 if games == needed else 2 for games in won]
        if best_of > 1:
            assert [place["score"] for place in result.places] == won
            assert [game.winner for game in pairing.games.all()].count(won.index(needed)) == needed
        assert PairingGame.objects.count() == (played if best_of > 1 else 0)
        # One rated result, of the game that decided it.
        assert RatedResult.objects.get().source == f"match:{match.key}"
        assert Match.objects.count() == played

    def test_a_correction_corrects_the_rated_result(self, quick, alice, bob, charlie):
        pairing = online_pairing(quick, alice, [bob, charlie], 3)
        while not Result.objects.exists():
            pairing.refresh_from_db()
            take_in(finished_match(pairing.match))
        pairing.refresh_from_db()
        rated = {user: rank for user, rank, *_rest in RatedResult.objects.get().seats}
        places = [{"score": place["score"]} for place in recording.in_force(pairing).places][::-1]
        seen = corrections.preview(actor=alice, pairing=pairing, places=places)
        corrections.correct(actor=alice, pairing=pairing, places=places, why="They changed names", seen=seen.seal)
        corrected = RatedResult.objects.order_by("pk").last()
        assert {user: rank for user, rank, *_rest in corrected.seats} == {
            user: 3 - rank for user, rank in rated.items()
        }
        roles = [role for *_rest, role in corrected.seats]
        assert roles == ["thanos", "hero"]

    def test_the_page_shows_the_games_and_leads_on(self, quick, alice, bob, charlie):
        pairing = online_pairing(quick, alice, [bob, charlie], 5)
        first = finished_match(pairing.match)
        take_in(first)
        pairing.refresh_from_db()
        assert pairing.match.rematch_of == first
        page = markup_of(logged_in(bob).get(pairing.get_absolute_url()))
        assert "The games so far" in page
        assert f'<a class="grow" href="{first.get_absolute_url()}">Game 1</a>' in page
        assert pairing.match.get_absolute_url() in page
        assert "To the rematch" not in page
        ended = logged_in(bob).post(reverse("games:rematch", args=[first.key]))
        assert ended.headers["Location"] == pairing.match.get_absolute_url()
        assert Match.objects.count() == 2

    def test_players_who_play_something_else_after_it_do_not_stop_it(self, quick, alice, bob, charlie):
        pairing = online_pairing(quick, alice, [bob, charlie], 3)
        first = finished_match(pairing.match)
        logged_in(bob).post(reverse("games:rematch", args=[first.key]))
        take_in(first)
        pairing.refresh_from_db()
        assert pairing.match.rematch_of is None
        assert pairing.match.is_playing

    def test_who_leaves_before_it_counts_forfeits_the_series(self, quick, alice, bob, charlie):
        """In the second game, in which they sit the other way round."""
        pairing = online_pairing(quick, alice, [bob, charlie], 5)
        take_in(finished_match(pairing.match))
        pairing.refresh_from_db()
        leaving.resign(person=bob, match=pairing.match)
        take_in(fresh(pairing.match))
        pairing.refresh_from_db()
        kinds = {
            seat.entrant.user: place["kind"]
            for seat, place in zip(pairing.seats.order_by("index"), recording.in_force(pairing).places)
        }
        assert kinds == {bob: "FL", charlie: "FW"}
        assert not Match.objects.filter(status=Match.Status.PLAYING).exists()
        assert not RatedResult.objects.filter(counts=True).exists()

    def test_who_withdraws_plays_the_running_game_and_no_other(self, quick, alice, bob, charlie):
        pairing = online_pairing(quick, alice, [bob, charlie], 5)
        withdrawal.withdraw(actor=alice, entrant=pairing.seats.get(entrant__user=bob).entrant)
        take_in(finished_match(pairing.match))
        counted = recording.in_force(pairing)
        lost = pairing.seats.get(entrant__user=bob).index
        assert (counted.places[lost]["kind"], counted.places[1 - lost]["kind"]) == ("FL", "FW")
        assert Match.objects.count() == 1

    def test_a_no_show_ends_it_with_the_first_game(self, quick, alice, bob, charlie):
        """A bot takes the seat of somebody who does not come; the other one has won, whatever the bot does."""
        pairing = online_pairing(quick, alice, [bob, charlie], 3, clock="none", days=0)
        pairing.seats.filter(entrant__user=bob).update(absent=True)
        tables.mark_present(person=charlie, pairing=pairing)
        pairing.refresh_from_db()
        assert pairing.match.seats.filter(bot_level="regular").count() == 1
        take_in(finished_match(pairing.match))
        counted = recording.in_force(pairing)
        here = pairing.seats.get(entrant__user=charlie).index
        assert [counted.places[at]["rank"] for at in (here, 1 - here)] == [1, 2]
        assert counted.places[1 - here]["kind"] == "FL"
        assert not Match.objects.filter(status=Match.Status.PLAYING).exists()

    def test_an_organiser_ends_it_and_takes_that_back(self, quick, alice, bob, charlie):
        """The game that runs meanwhile counts when the series goes on."""
        pairing = online_pairing(quick, alice, [bob, charlie], 5)
        reporting.forfeit(actor=alice, pairing=pairing, absent=[pairing.seats.get(index=0).entrant_id])
        take_in(finished_match(pairing.match))
        assert Match.objects.count() == 1, "nothing more is played"
        assert Result.objects.count() == 1
        undo.undo(actor=alice, undoable=Undoable.objects.get(kind="result"))
        pairing.refresh_from_db()
        assert (pairing.state, pairing.games.count()) == (Pairing.State.PLAYING, 2)
        assert pairing.match.is_playing

    def test_a_bracket_shows_the_games_so_far(self, quick, alice, bob, charlie):
        pairing = online_pairing(quick, alice, [bob, charlie], 5, "single-elimination")
        take_in(finished_match(pairing.match))
        shown = bracket_presentation.shown_bracket(pairing.round.stage).match(pairing.slot)
        assert {line.score for line in shown.lines} == {"0", "1"}
        assert not any(line.won for line in shown.lines)

    def test_one_who_resigns_has_lost_that_game_only(self, quick, alice, bob, charlie):
        pairing = online_pairing(quick, alice, [bob, charlie], 3)
        match = give_up(pairing.match, bob)
        if match is None:
            return
        take_in(match)
        assert pairing.games.get(number=1).winner == pairing.seats.get(entrant__user=charlie).index
        assert not Result.objects.exists()
        assert pairing.games.get(number=2).match.is_playing

    def play_the_last_of_25(self, pairing: Pairing, others_won: int) -> int:
        """All games before were drawn, but for so many that the other side won; returns who wins this one."""
        pairing.games.update(number=25)
        assert pairing.match is not None
        match = finished_match(pairing.match)
        winner = match.seats.get(rank=1).index
        before = [1 - winner] * others_won + [None] * (24 - others_won)
        PairingGame.objects.bulk_create(
            PairingGame(pairing=pairing, number=number, ended_at=match.finished_at, winner=side)
            for number, side in enumerate(before, 1)
        )
        take_in(match)
        pairing.refresh_from_db()
        assert Match.objects.count() == 1, "no other game opens"
        return winner

    @pytest.mark.parametrize("format", ["swiss", "single-elimination"])
    def test_after_25_games_whoever_has_won_more_wins(self, quick, alice, bob, charlie, format):
        pairing = online_pairing(quick, alice, [bob, charlie], 3, format)
        winner = self.play_the_last_of_25(pairing, others_won=0)
        result = recording.in_force(pairing)
        assert pairing.state == Pairing.State.CONFIRMED
        assert (result.places[winner], result.places[1 - winner]) == (
            {"rank": 1, "score": 1, "kind": "PLAYED"},
            {"rank": 2, "score": 0, "kind": "PLAYED"},
        )
        # The last game stands for the series in the ratings.
        assert RatedResult.objects.get().source == f"match:{pairing.match.key}"

    def test_after_25_games_equally_many_are_level_in_a_league(self, quick, alice, bob, charlie):
        pairing = online_pairing(quick, alice, [bob, charlie], 3)
        self.play_the_last_of_25(pairing, others_won=1)
        assert [place["rank"] for place in recording.in_force(pairing).places] == [1, 1]
        assert {row.score for row in ranking.ranking(pairing.round.stage)} == {60}
        rounds_closing.finish_stage(actor=alice, stage=pairing.round.stage)

    def test_after_25_games_the_better_seed_goes_on_in_a_knock_out(self, quick, alice, bob, charlie):
        pairing = online_pairing(quick, alice, [bob, charlie], 3, "single-elimination")
        self.play_the_last_of_25(pairing, others_won=1)
        stage = pairing.round.stage
        first = stage.starters.get(seed=1).entrant
        better = pairing.seats.get(entrant=first).index
        places = recording.in_force(pairing).places
        assert [places[better]["rank"], places[1 - better]["rank"]] == [1, 2]
        assert [place["score"] for place in places] == [1, 1]
        assert ranking.ranking(stage)[0].entrant == first.pk
        # An organiser who knows better corrects it, and can take that back.
        seen = corrections.preview(actor=alice, pairing=pairing, places=games(2, 1))
        corrections.correct(actor=alice, pairing=pairing, places=games(2, 1), why="They played on", seen=seen.seal)
        undo.undo(actor=alice, undoable=Undoable.objects.get(kind="correction"))
        assert recording.in_force(pairing).places == places

    def test_a_half_played_series_goes_on_where_its_file_is_imported(self, quick, alice, bob, charlie):
        """Bob and Charlie are members there too: the games so far count, and the next one decides."""
        pairing = online_pairing(quick, alice, [bob, charlie], 3)
        take_in(finished_match(pairing.match))
        won = [pairing.games.filter(winner=side).count() for side in (0, 1)]
        assert sum(won) == 1
        content = exported(quick)
        same = [each.number for each in people.people_in(reader.open_archive(content), quick.club) if each.same]
        copy = imported(content, quick.club, same)
        assert inside(exported(copy))["pairinggame.jsonl"] == inside(content)["pairinggame.jsonl"]
        there = Pairing.objects.get(round__stage__division__season__league=copy)
        assert (there.state, there.match, there.games.count()) == (Pairing.State.SCHEDULED, None, 1)
        page = markup_of(logged_in(bob).get(there.get_absolute_url()))
        assert '<span class="grow">Game 1</span>' in page
        while not Result.objects.filter(pairing=there).exists():
            there.refresh_from_db()
            if there.match is None:
                tables.mark_present(person=bob, pairing=there)
                there.refresh_from_db()
            take_in(finished_match(there.match))
        scores = [place["score"] for place in recording.in_force(there).places]
        assert sum(scores) == there.games.count()
        assert all(now >= before for now, before in zip(scores, won)), "the game played before counts"
        assert max(scores) == 2
        # Numbers, and with them seats, go on where the file ended.
        assert list(there.games.values_list("number", flat=True)) == list(range(1, sum(scores) + 1))

    def test_a_file_with_games_of_no_series_is_refused(self, quick, alice, bob, charlie):
        pairing = online_pairing(quick, alice, [bob, charlie], 3)
        take_in(finished_match(pairing.match))
        PairingGame.objects.bulk_create(
            PairingGame(pairing=pairing, number=number, ended_at=pairing.games.get(number=1).ended_at, winner=0)
            for number in (3, 4, 5, 6)
        )
        with pytest.raises(Refused, match="does not fit together"):
            imported(exported(quick), quick.club)

    def test_the_table_stays_online_and_reports_are_refused(self, quick, alice, bob, charlie):
        pairing = online_pairing(quick, alice, [bob, charlie], 3)
        with pytest.raises(Refused, match="recorded automatically"):
            reporting.report(person=bob, pairing=pairing, places=games(2, 0))
        with pytest.raises(Refused, match="being played"):
            tables.set_location(actor=alice, pairing=pairing, where="club")


def test_an_archive_has_the_setting_and_the_games_won(league, alice, charlie):
    from accounts import clubs

    elsewhere = clubs.create_club(founder=charlie, name="The Other Table")
    stage = running_stage(league, alice, "single-elimination", 2, settings={"best_of": 3, "third": False})
    draw.open_bracket(actor=alice, stage=stage)
    reporting.enter_result(actor=alice, pairing=the_table(stage), places=games(2, 1))
    content = exported(league)
    copy = imported(content, elsewhere)
    assert inside(exported(copy)) == inside(content)
    assert format_catalogue.best_of(stage_of(copy.seasons.get())) == 3
    assert [place["score"] for place in Result.objects.get(pairing__round__stage__division__season__league=copy).places]

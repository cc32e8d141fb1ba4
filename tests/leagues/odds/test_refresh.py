"""Stored odds: computed by a task, again only when the season has changed, and shown on pages."""

from dataclasses import replace
from datetime import timedelta

import pytest
from celery import current_app
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from accounts.infra import shutdown
from leagues import tasks
from leagues.entries import withdrawal
from leagues.models import Division, Entrant, Odds, OddsAfter, Pairing, Rating, RatingPool, Round, Stage
from leagues.odds import inputs, presentation, subprocess_runner
from leagues.odds.refresh import out_of_date, refresh
from leagues.odds.simulation import monte_carlo
from leagues.odds.simulation.monte_carlo import LEAST
from leagues.ratings import pending
from leagues.results import corrections, reporting
from leagues.rounds import closing as rounds_closing
from leagues.rounds import draw
from leagues.seasons import closing, setup
from tests.factories import add_guests, draft_season, finish_round, give_accounts, next_round, running_stage, stage_of


@pytest.fixture(autouse=True)
def here(monkeypatch) -> None:
    """Computes in this process: starting another one would take longer than the computation."""

    def computed(rest, *, seed, runs, seconds, so_far, stop):
        return monte_carlo.odds(rest, seed=seed, runs=runs, so_far=so_far)

    monkeypatch.setattr("leagues.odds.subprocess_runner.run_in_subprocess", computed)


def in_order(pairing: Pairing) -> list[dict]:
    return [{"rank": at, "score": None, "kind": "PLAYED"} for at, _ in enumerate(pairing.seats.all(), 1)]


def play_round(actor, stage: Stage) -> None:
    round_ = next_round(actor, stage)
    for pairing in round_.pairings.all():
        reporting.enter_result(actor=actor, pairing=pairing, places=in_order(pairing))
    rounds_closing.close_round(actor=actor, round=round_)


def address(stage: Stage) -> str:
    season = stage.division.season
    return reverse("leagues:standings", args=[season.league.slug, season.number, stage.pk])


def test_the_task_makes_them_and_makes_them_again_only_when_something_changed(league, alice):
    stage = running_stage(league, alice, "round-robin", 4)
    season = stage.division.season
    tasks.odds(season.pk)
    first = Odds.objects.get(division=stage.division)
    assert not first.exact, "everybody plays three times, and nobody's strength is known"
    assert sum(row["title"] for row in first.rows) == pytest.approx(1, abs=1e-5)
    assert refresh(season_id=season.pk) == 0
    assert Odds.objects.get().made_at == first.made_at
    play_round(alice, stage)
    assert refresh(season_id=season.pk, runs=LEAST) == 1
    second = Odds.objects.get()
    assert second.basis != first.basis
    assert second.seed == second.basis[:16]
    play_round(alice, stage)
    assert refresh(season_id=season.pk) == 1
    third = Odds.objects.get()
    assert third.exact, "in the last round everybody plays once more"
    assert third.runs == 2**2
    assert list(OddsAfter.objects.values_list("number", flat=True)) == [0, 1, 2]


def test_larger_rests_are_played_and_the_same_position_gives_the_same_numbers(league, alice):
    stage = running_stage(league, alice, "round-robin", 8)
    season = stage.division.season
    refresh(season_id=season.pk, runs=100)
    first = Odds.objects.get()
    assert not first.exact
    assert first.runs == 100
    Odds.objects.all().delete()
    refresh(season_id=season.pk, runs=100)
    again = Odds.objects.get()
    assert (again.seed, again.rows) == (first.seed, first.rows)


@pytest.fixture
def in_stints(monkeypatch) -> list[int]:
    """Each task simulates the fewest runs; returns the tasks that it would send."""
    sent: list[int] = []

    def computed(rest, *, seed, runs, seconds, so_far, stop):
        most = so_far.runs + 200
        found = monte_carlo.odds(rest, seed=seed, runs=runs, so_far=so_far, enough=lambda done: done >= most)
        return replace(found, seconds=seconds)

    monkeypatch.setattr("leagues.odds.subprocess_runner.run_in_subprocess", computed)
    monkeypatch.setattr("leagues.core.odds_request.send", sent.append)
    return sent


def test_runs_are_added_task_by_task_until_there_are_enough(
    client: Client, league, alice, in_stints, django_capture_on_commit_callbacks
):
    stage = running_stage(league, alice, "round-robin", 8)
    season = stage.division.season
    later = timezone.now() + timedelta(minutes=5)
    for runs in (200, 400):
        with django_capture_on_commit_callbacks(execute=True):
            assert refresh(season_id=season.pk, runs=500) == 1
        found = Odds.objects.get()
        assert (found.runs, found.growing, found.claim) == (runs, True, "")
        assert "of 10000 times so far" in client.get(address(stage)).content.decode().replace(",", "")
        assert out_of_date() == []
        assert out_of_date(now=later) == [season.pk], "a lost task is found"
    assert in_stints == [season.pk] * 2
    with django_capture_on_commit_callbacks(execute=True):
        assert refresh(season_id=season.pk, runs=500) == 1
    done = Odds.objects.get()
    assert (done.runs, done.growing, done.counts) == (500, False, [])
    assert in_stints == [season.pk] * 2
    assert refresh(season_id=season.pk, runs=500) == 0
    assert out_of_date(now=later) == []
    whole = monte_carlo.odds(inputs.load_remaining_season(stage.division), seed=done.seed, runs=500)
    assert done.rows == [
        {
            "entrant": row.entrant,
            "title": round(row.title, 6),
            "up": 0.0,
            "down": 0.0,
            "expected": round(row.expected, 4),
            "places": [round(each, 6) for each in row.places],
        }
        for row in whole.rows
    ]


def test_a_giant_field_stops_when_its_time_is_used_up_and_says_so(client: Client, league, alice, in_stints):
    stage = running_stage(league, alice, "round-robin", 8)
    season = stage.division.season
    assert refresh(season_id=season.pk, most=22.0) == 1
    assert Odds.objects.get().growing
    assert refresh(season_id=season.pk, most=22.0) == 1
    found = Odds.objects.get()
    assert (found.runs, found.growing, found.seconds) == (400, False, 22.0)
    assert refresh(season_id=season.pk, most=22.0) == 0
    page = client.get(address(stage)).content.decode()
    assert "stopped after 1 minute of computing" in page
    assert "±4.9" in page


def test_what_is_out_of_date_is_stopped_and_never_written(league, alice, in_stints, monkeypatch):
    """A result that comes in meanwhile stops the computation, and the row waits for the next task."""
    stage = running_stage(league, alice, "round-robin", 8)
    season = stage.division.season
    stopped = []

    def overtaken(rest, *, seed, runs, seconds, so_far, stop):
        stopped.append(stop())
        play_round(alice, stage)
        stopped.append(stop())
        raise subprocess_runner.Cancelled

    with monkeypatch.context() as patched:
        patched.setattr("leagues.odds.subprocess_runner.run_in_subprocess", overtaken)
        assert refresh(season_id=season.pk) == 0
    assert stopped == [False, True]
    waiting = Odds.objects.get()
    assert (waiting.why_not, waiting.claim, waiting.runs) == ("soon", "", 0)
    assert refresh(season_id=season.pk) == 1
    assert Odds.objects.get().basis == inputs.fingerprint(inputs.load_remaining_season(stage.division))


def missing(stage) -> tuple[str, ...]:
    odds = presentation.odds_of(stage)
    assert odds is not None
    return odds.without


def test_odds_that_are_behind_say_what_they_do_not_include(client: Client, league, alice):
    """Until the task has run, the page names the results, corrections and withdrawals that came since."""
    stage = running_stage(league, alice, "round-robin", 8)
    season = stage.division.season
    refresh(season_id=season.pk, runs=LEAST)
    behind = "These chances are out of date"
    page = client.get(address(stage)).content.decode()
    assert "What can still happen" in page
    assert behind not in page
    round_ = next_round(alice, stage)
    assert missing(stage) == ("the latest draw, rules or ratings",)
    first, _, third, _ = round_.pairings.order_by("number")
    for pairing in (first, third):
        reporting.enter_result(actor=alice, pairing=pairing, places=in_order(pairing))
    assert missing(stage) == ("the results of tables 1 and 3 in round 1",)
    assert behind in client.get(address(stage)).content.decode()
    refresh(season_id=season.pk, runs=LEAST)
    assert missing(stage) == ()
    assert behind not in client.get(address(stage)).content.decode()

    places = [{"rank": 2}, {"rank": 1}]
    seal = corrections.preview(actor=alice, pairing=first, places=places).seal
    corrections.correct(actor=alice, pairing=first, places=places, why="misread", seen=seal)
    leaver = first.seats.get(index=0).entrant
    withdrawal.withdraw(actor=alice, entrant=leaver)
    without = missing(stage)
    assert without[0] == "the correction of table 1 in round 1"
    assert without[-1] == f"that these have left or come back: {leaver.name}"


def test_a_log_that_grows_without_changing_the_position_does_not_make_odds_old(league, alice):
    stage = running_stage(league, alice, "round-robin", 8)
    season = stage.division.season
    refresh(season_id=season.pk, runs=LEAST)
    setup.edit_season(actor=alice, season=season, name="Renamed")
    assert missing(stage) == ()


def test_odds_of_the_stage_before_are_not_shown_as_those_of_the_next(league, alice):
    season = setup.add_season(actor=alice, league=league)
    division = setup.add_division(actor=alice, season=season, name="All")
    setup.add_stage(actor=alice, division=division, format="groups", settings={"groups": 2, "advance": 2})
    setup.add_stage(actor=alice, division=division, format="single-elimination")
    setup.open_registration(actor=alice, season=season)
    add_guests(season, alice, 8)
    draw.start(actor=alice, season=season)
    refresh(season_id=season.pk, runs=LEAST)
    first, second = Stage.objects.filter(division=division).order_by("position")
    for round_ in draw.draw_all_rounds(actor=alice, stage=first):
        finish_round(draw.publish(actor=alice, round=round_))
    rounds_closing.finish_stage(actor=alice, stage=first)
    second.refresh_from_db()
    found = presentation.odds_of(second)
    assert found.lines == ()
    assert found.why_not == str(presentation.WHY_NOT["soon"])


def test_few_runs_are_not_shown_while_more_are_coming(league, alice, monkeypatch):
    """A very large field with only a few runs so far is shown as "being computed"."""
    stage = running_stage(league, alice, "round-robin", 8)
    monkeypatch.setattr("leagues.core.odds_request.send", lambda season_id: None)

    def slow(rest, *, seed, runs, seconds, so_far, stop):
        most = so_far.runs + 150
        return monte_carlo.odds(rest, seed=seed, runs=runs, so_far=so_far, enough=lambda done: done >= most)

    monkeypatch.setattr("leagues.odds.subprocess_runner.run_in_subprocess", slow)
    refresh(season_id=stage.division.season_id)
    assert Odds.objects.get().runs == 150
    assert presentation.odds_of(stage).why_not == str(presentation.WHY_NOT["soon"])
    refresh(season_id=stage.division.season_id)
    assert len(presentation.odds_of(stage).lines) == 8


def test_a_round_closed_meanwhile_is_not_in_the_chart_with_odds_from_before_it(league, alice, monkeypatch):
    stage = running_stage(league, alice, "round-robin", 4)
    season = stage.division.season
    computed = subprocess_runner.run_in_subprocess

    def overtaken(rest, **how):
        found = computed(rest, **how)
        play_round(alice, stage)
        return found

    monkeypatch.setattr("leagues.odds.subprocess_runner.run_in_subprocess", overtaken)
    refresh(season_id=season.pk)
    assert not OddsAfter.objects.exists()
    monkeypatch.setattr("leagues.odds.subprocess_runner.run_in_subprocess", computed)
    refresh(season_id=season.pk)
    assert list(OddsAfter.objects.values_list("number", flat=True)) == [1]


def test_a_round_opened_again_leaves_the_chart(league, alice):
    stage = running_stage(league, alice, "round-robin", 4)
    season = stage.division.season
    for _ in range(2):
        play_round(alice, stage)
        refresh(season_id=season.pk, runs=LEAST)
    assert [each.number for each in presentation.after_rounds(stage)] == [1, 2]
    rounds_closing.reopen_round(actor=alice, round=Round.objects.get(stage=stage, number=2))
    assert [each.number for each in presentation.after_rounds(stage)] == [1]


def test_whoever_lost_the_claim_writes_nothing(league, alice, in_stints, monkeypatch):
    stage = running_stage(league, alice, "round-robin", 8)
    season = stage.division.season
    computed = subprocess_runner.run_in_subprocess

    def late(*args, **kwargs):
        Odds.objects.update(claim="another", claimed_at=timezone.now())
        return computed(*args, **kwargs)

    monkeypatch.setattr("leagues.odds.subprocess_runner.run_in_subprocess", late)
    assert refresh(season_id=season.pk) == 0
    assert Odds.objects.get().why_not == "soon"
    assert not OddsAfter.objects.exists()


def test_ratings_are_settled_first_and_count(league, alice, bob):
    """The result that asked for the odds is in the ratings they are made from."""
    stage = running_stage(league, alice, "round-robin", 4)
    give_accounts(stage.division.season)
    play_round(alice, stage)
    assert pending.pools_with_pending_results()
    refresh(season_id=stage.division.season_id)
    assert not pending.pools_with_pending_results()
    rest = inputs.load_remaining_season(stage.division)
    ratings = dict(Rating.objects.values_list("user", "rating"))
    users = dict(Entrant.objects.values_list("pk", "user"))
    assert sum(each.weight for each in rest.strengths.estimates) == pytest.approx(1, abs=1e-5)
    for each in rest.strengths.estimates:
        assert sorted(users, key=each.rating.get) == sorted(users, key=lambda who: ratings[users[who]])
        assert len(set(each.rating.values())) == len(set(ratings.values())) == 2
        assert all(each.variance[who] > 50**2 * 1000 for who in users)
    assert rest.strengths.offsets[2, "0"] != RatingPool.objects.get().seeds["2:0"]


def test_days_without_a_game_make_them_less_sure(league, alice):
    stage = running_stage(league, alice, "round-robin", 4)
    give_accounts(stage.division.season)
    play_round(alice, stage)
    refresh(season_id=stage.division.season_id, runs=LEAST)
    now = inputs.load_remaining_season(stage.division)
    Rating.objects.update(last_at=timezone.now() - timedelta(days=200))
    later = inputs.load_remaining_season(stage.division)
    assert inputs.fingerprint(later) != inputs.fingerprint(now)
    for one, other in zip(now.strengths.estimates, later.strengths.estimates):
        assert one.rating == other.rating
        assert all(one.variance[who] < other.variance[who] for who in one.variance)


@pytest.mark.parametrize("game", ["infinity-gauntlet", "thanos-rising"])
def test_every_kind_of_game_has_variances_to_draw_from(club, alice, game):
    league = setup.create_league(actor=alice, club=club, name=f"All of {game}", game=game)
    format = "rotating-teams" if game == "thanos-rising" else "one-vs-many"
    stage = running_stage(league, alice, format, 8, planned=2)
    refresh(season_id=stage.division.season_id, runs=LEAST)
    assert sum(row["title"] for row in Odds.objects.get().rows) == pytest.approx(1, abs=1e-5)
    strengths = inputs.load_remaining_season(stage.division).strengths
    (estimates,) = strengths.estimates
    assert all(estimates.variance[who] > 0 for who in estimates.rating)
    assert all(strengths.offset_variance.values())
    assert all(0 < estimates.covariance[who] < estimates.alone_variance[who] for who in estimates.alone)


def test_a_correction_and_a_withdrawal_change_them(league, alice):
    stage = running_stage(league, alice, "round-robin", 4)
    season = stage.division.season
    play_round(alice, stage)
    seen = set()

    def basis() -> str:
        refresh(season_id=season.pk)
        found = Odds.objects.get().basis
        assert found not in seen
        seen.add(found)
        return found

    basis()
    pairing = Pairing.objects.filter(round__stage=stage).first()
    places = [{"rank": 2}, {"rank": 1}]
    seal = corrections.preview(actor=alice, pairing=pairing, places=places).seal
    corrections.correct(actor=alice, pairing=pairing, places=places, why="misread", seen=seal)
    basis()
    leaver = Entrant.objects.filter(division=stage.division).last()
    withdrawal.withdraw(actor=alice, entrant=leaver)
    basis()
    rest = inputs.load_remaining_season(stage.division)
    assert leaver.pk in rest.gone
    row = next(row for row in Odds.objects.get().rows if row["entrant"] == leaver.pk)
    assert row["title"] < 0.5


def test_every_log_entry_requests_odds(league, alice, monkeypatch, django_capture_on_commit_callbacks):
    sent = []
    monkeypatch.setattr("leagues.core.odds_request.send", sent.append)
    stage = running_stage(league, alice, "round-robin", 4)
    round_ = next_round(alice, stage)
    pairing = round_.pairings.first()
    with django_capture_on_commit_callbacks(execute=True):
        reporting.enter_result(actor=alice, pairing=pairing, places=in_order(pairing))
    assert sent == [stage.division.season_id]
    with django_capture_on_commit_callbacks(execute=True):
        setup.edit_season(actor=alice, season=stage.division.season, odds=False)
    assert sent == [stage.division.season_id]


def test_a_lost_task_is_found(league, alice):
    stage = running_stage(league, alice, "round-robin", 4)
    season = stage.division.season
    later = timezone.now() + timedelta(minutes=2)
    assert out_of_date() == []
    assert out_of_date(now=later) == [season.pk]
    refresh(season_id=season.pk)
    assert out_of_date(now=later) == []
    play_round(alice, stage)
    assert out_of_date(now=later) == [season.pk]
    assert "leagues.tasks.odds" in current_app.tasks


def test_a_task_that_is_at_it_already_is_left_alone(league, alice):
    stage = running_stage(league, alice, "round-robin", 4)
    season = stage.division.season
    basis = inputs.fingerprint(inputs.load_remaining_season(stage.division))
    Odds.objects.create(division=stage.division, why_not="soon", claim=basis, claimed_at=timezone.now())
    assert refresh(season_id=season.pk) == 0
    Odds.objects.update(claimed_at=timezone.now() - timedelta(hours=1))
    assert refresh(season_id=season.pk) == 1


def test_one_season_is_worked_on_at_a_time_and_the_other_is_found_later(league, alice):
    stage, other = (running_stage(league, alice, "round-robin", 4) for _ in range(2))
    season = stage.division.season
    Odds.objects.create(division=other.division, why_not="soon", claim="theirs", claimed_at=timezone.now())
    assert refresh(season_id=season.pk) == 0
    assert season.pk in out_of_date(now=timezone.now() + timedelta(minutes=5))
    Odds.objects.filter(division=other.division).update(claim="", claimed_at=None)
    assert refresh(season_id=season.pk) == 1


def test_what_cannot_be_computed_says_so_and_is_not_tried_for_ever(league, alice, monkeypatch):
    stage = running_stage(league, alice, "round-robin", 4)
    season = stage.division.season

    def broken(*args, **kwargs):
        raise RuntimeError("no")

    monkeypatch.setattr("leagues.odds.subprocess_runner.run_in_subprocess", broken)
    refresh(season_id=season.pk)
    assert Odds.objects.get().why_not == "failed"
    assert out_of_date(now=timezone.now() + timedelta(hours=1)) == []


def test_promotion_and_relegation_are_the_divisions(league, alice):
    season = draft_season(league, alice, "round-robin", divisions=2)
    for division, up, down in zip(Division.objects.filter(season=season), (1, 1), (1, 1)):
        setup.edit_division(actor=alice, division=division, name=division.name, cap=None, up=up, down=down)
    for level in (1, 2):
        add_guests(season, alice, 4, level=level)
    draw.start(actor=alice, season=season)
    assert refresh(season_id=season.pk) == 2
    upper, lower = Odds.objects.order_by("division__level")
    assert sum(row["down"] for row in upper.rows) == pytest.approx(1, abs=1e-4)
    assert not any(row["up"] for row in upper.rows)
    assert sum(row["up"] for row in lower.rows) == pytest.approx(1, abs=1e-4)
    assert not any(row["down"] for row in lower.rows)


def test_stages_that_follow_are_played_too(league, alice):
    season = setup.add_season(actor=alice, league=league)
    division = setup.add_division(actor=alice, season=season, name="All")
    setup.add_stage(actor=alice, division=division, format="groups", settings={"groups": 2, "advance": 2})
    setup.add_stage(actor=alice, division=division, format="single-elimination")
    setup.open_registration(actor=alice, season=season)
    add_guests(season, alice, 8)
    draw.start(actor=alice, season=season)
    refresh(season_id=season.pk, runs=100)
    assert len(Odds.objects.get().rows) == 8
    stage = stage_of(season)
    for round_ in draw.draw_all_rounds(actor=alice, stage=stage):
        finish_round(draw.publish(actor=alice, round=round_))
    rounds_closing.finish_stage(actor=alice, stage=stage)
    refresh(season_id=season.pk, runs=LEAST)
    now = Odds.objects.get()
    assert now.runs == LEAST
    assert sum(row["title"] == 0 for row in now.rows) == 4
    assert [row["places"][4:] for row in now.rows if row["title"]] == [[0.0] * 4] * 4


@pytest.mark.parametrize(
    ("format", "settings", "code"),
    [("ladder", None, "free"), ("arena", None, "free"), ("swiss", None, "rounds-unknown")],
)
def test_where_there_are_none_the_page_says_why(client: Client, league, alice, format, settings, code):
    stage = running_stage(league, alice, format, 4, settings=settings)
    refresh(season_id=stage.division.season_id)
    assert Odds.objects.get().why_not == code
    page = client.get(address(stage)).content.decode()
    assert str(presentation.WHY_NOT[code]) in page


def test_the_standings_show_them_with_a_chart_and_how_they_came_about(client: Client, league, alice):
    stage = running_stage(league, alice, "round-robin", 4)
    season = stage.division.season
    assert "What can still happen" not in client.get(address(stage)).content.decode()
    for _ in range(2):
        refresh(season_id=season.pk)
        play_round(alice, stage)
    refresh(season_id=season.pk)
    found = Odds.objects.get()
    page = client.get(address(stage)).content.decode()
    assert "What can still happen" in page
    assert found.seed in page
    assert page.count('class="odds-curve') == 4
    assert 'role="img"' in page
    for language, words in (("it", "Che cosa può ancora succedere"), ("pl", "Co się jeszcze może zdarzyć")):
        with translation.override(language):
            client.cookies["django_language"] = language
            assert words in client.get(address(stage)).content.decode()
    client.cookies.clear()
    setup.edit_season(actor=alice, season=season, odds=False)
    assert "What can still happen" not in client.get(address(stage)).content.decode()


def test_a_season_played_out_or_closed_shows_none(client: Client, league, alice):
    stage = running_stage(league, alice, "round-robin", 2)
    season = stage.division.season
    play_round(alice, stage)
    refresh(season_id=season.pk)
    assert Odds.objects.get().why_not == "over"
    assert "What can still happen" not in client.get(address(stage)).content.decode()
    rounds_closing.finish_stage(actor=alice, stage=stage)
    closing.close_season(actor=alice, season=season)
    assert refresh(season_id=season.pk) == 0
    assert "What can still happen" not in client.get(address(stage)).content.decode()


def test_percentages_never_claim_what_is_not_certain():
    assert [presentation.percent(each) for each in (0.0, 0.001, 0.5, 0.9999, 1.0)] == [
        "0%",
        "<1%",
        "50%",
        ">99%",
        "100%",
    ]


def test_odds_are_released_at_shutdown_and_computed_later(league, alice, monkeypatch):
    """The claim is released, and no failure is stored."""
    stage = running_stage(league, alice, "round-robin", 4)
    season = stage.division.season
    compute = subprocess_runner.run_in_subprocess

    def stop_midway(*about, **how):
        monkeypatch.setattr(shutdown, "_is_closing", True)
        shutdown.check()

    monkeypatch.setattr(subprocess_runner, "run_in_subprocess", stop_midway)
    with pytest.raises(shutdown.ShutdownRequested):
        tasks.odds(season.pk)
    left = Odds.objects.get()
    assert (left.claim, left.claimed_at, left.basis, left.why_not) == ("", None, "", "soon")

    monkeypatch.setattr(shutdown, "_is_closing", False)
    monkeypatch.setattr(subprocess_runner, "run_in_subprocess", compute)
    assert out_of_date(now=timezone.now() + timedelta(minutes=2)) == [season.pk]
    tasks.odds(season.pk)
    assert Odds.objects.get().rows

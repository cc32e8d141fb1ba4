"""Puzzles on the site: made from public matches and by bots, tried by anybody, rated once, without names."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

import engine
from accounts import people, trials
from accounts.infra.errors import Refused
from accounts.models import Club, Membership
from deploy.own_data import own_data
from engine.analysis import VERSION
from engine.analysis.judges import PUZZLE_VERSION
from engine.analysis.puzzles import TABLES
from games import fairness
from games.models import Analysis, Hint, Match, Move, Puzzle, PuzzleTry
from games.play.moves import play_move
from games.puzzles import choosing, making, tries
from games.tables import play_on, start
from tests.engine.puzzles import PLAYERS, SEED, known_record
from tests.factories import (
    add_member,
    create_puzzle,
    create_user,
    finished_match,
    fresh,
    logged_in,
    open_table_with,
    started_match,
)
from tests.games.test_schema import check

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clean_match_cache", "sent_tasks")]


@pytest.fixture
def anna():
    return create_user("anna", display_name="Anna Nowak")


@pytest.fixture
def bela():
    return create_user("bela", display_name="Bela Kun")


@pytest.fixture
def puzzle():
    return create_puzzle()


@pytest.fixture(autouse=True)
def making_puzzles(settings):
    settings.PUZZLES = 3
    cache.clear()


def moves_of(puzzle):
    """A right move, and a wrong one."""
    right = next(each["move"] for each in puzzle.answers if each["right"])
    return right, next(each["move"] for each in puzzle.answers if not each["right"])


def analysed(match):
    return Analysis.objects.create(
        match=match, state=Analysis.State.DONE, report={}, version=VERSION, computed_at=timezone.now()
    )


def known_match(*players):
    """The match of bots with a known puzzle, played again by people."""
    match = open_table_with(*players, game="infinity-gauntlet", draws_seats=False)
    Match.objects.filter(pk=match.pk).update(secret=SEED)
    match = start.start(person=players[0], match=fresh(match))
    for ply, (seat, move, _digest) in enumerate(known_record()["moves"]):
        play_move(match=fresh(match), ply=ply, seat=seat, move=move, by=Move.By.PERSON)
    return fresh(match)


# -- making


def test_puzzles_are_made_from_a_public_match_that_was_analysed_once_and_without_names(anna, bela, settings):
    assert PLAYERS == 2
    match = known_match(anna, bela)
    assert fairness.transcript_of(match)["moves"] == known_record()["moves"]
    analysed(match)
    made = making.make_some()
    assert 0 < made <= making.MOST_A_MATCH
    puzzle = Puzzle.objects.first()
    assert puzzle.match == match
    assert (puzzle.game, puzzle.version, puzzle.budget) == ("infinity-gauntlet", PUZZLE_VERSION, "small")
    assert engine.replay(puzzle.document).to_act == puzzle.seat
    # Once is enough; and a position that is found twice is kept once.
    settings.PUZZLES = made
    assert making.make_some() == 0
    assert create_puzzle("twice") == create_puzzle("twice")
    assert Puzzle.objects.count() == made + 1
    # Nobody's name is stored with it or shown.
    rows = json.dumps(list(Puzzle.objects.values("document", "answers", "missed")))
    stranger = Client()
    shown = stranger.get(puzzle.get_absolute_url()).content.decode()
    told = stranger.get(f"/api/v1/puzzles/{puzzle.pk}/").content.decode()
    for text in (rows, shown, told):
        for name in ("anna", "bela", "Nowak", "Kun", match.key):
            assert name not in text
    # Its players may try, and are not rated for it.
    right, _wrong = moves_of(puzzle)
    assert not tries.answer(person=anna, puzzle=puzzle, move=right).rated
    assert tries.answer(person=create_user("carla"), puzzle=puzzle, move=right).rated


def test_bots_play_for_puzzles_where_there_are_too_few(settings, monkeypatch):
    monkeypatch.setattr("games.fairness.new_secret", lambda: SEED.removeprefix("puzzle "))
    # The engine is not compiled here, so there is one game; of its tables, the small one that is known.
    assert making.games_here() == ["infinity-gauntlet"]
    monkeypatch.setitem(making.TABLES, "infinity-gauntlet", replace(TABLES["infinity-gauntlet"], sizes=(PLAYERS,)))
    assert making.make_some() == Puzzle.objects.count() > 0
    assert not Puzzle.objects.exclude(match=None).exists()
    settings.PUZZLES = Puzzle.objects.count()
    assert making.make_some() == 0
    settings.PUZZLES = 0
    Puzzle.objects.all().delete()
    assert making.make_some() == 0


def test_every_game_gets_its_share_and_a_new_site_soon_has_some(settings, monkeypatch):
    monkeypatch.setattr(making, "games_here", lambda: list(TABLES))  # as where the engine is compiled
    settings.PUZZLES = 6

    def create(game):
        puzzle = create_puzzle(f"share {Puzzle.objects.count()}")
        Puzzle.objects.filter(pk=puzzle.pk).update(game=game, rules_version=engine.game(game).rules_version)

    def drawn():
        return {making.next_game() for _ in range(60)}

    assert drawn() == {"infinity-gauntlet"}
    create("infinity-gauntlet")
    assert drawn() == {"infinity-gauntlet"}
    create("infinity-gauntlet")
    assert drawn() == {"thanos-rising", "splendor-marvel"}
    for _ in range(2):
        create("thanos-rising")
    assert drawn() == {"splendor-marvel"}
    for _ in range(2):
        create("splendor-marvel")
    assert drawn() == {None}
    # On a large site the quickest game gives the first few alone, and goes on among the others.
    settings.PUZZLES = 60
    assert drawn() == {"infinity-gauntlet"}
    for _ in range(making.FIRST):
        create("infinity-gauntlet")
    assert drawn() == set(TABLES)


def test_the_search_gives_way_to_whoever_comes_meanwhile(anna, bela, monkeypatch):
    match = known_match(anna, bela)
    analysis = analysed(match)
    others_wait, looks = making._others_wait, []

    def somebody_comes():
        if looks:
            Hint.objects.get_or_create(match=match, ply=0, seat=0, person=anna)
        looks.append(1)
        return others_wait()

    monkeypatch.setattr(making, "_others_wait", somebody_comes)
    assert making.make_some() == 0
    assert len(looks) == 2
    assert not Puzzle.objects.exists()
    # Nothing is lost: the match is looked at when nobody waits any more.
    Hint.objects.all().delete()
    monkeypatch.setattr(making, "_others_wait", others_wait)
    analysis.refresh_from_db()
    assert not analysis.searched_for_puzzles
    assert making.make_some() > 0


def test_what_is_never_searched(anna, bela, club):
    """A running match, one that not everybody may see, and one that has such a match in its record."""
    Membership.objects.bulk_create(Membership(club=club, user=each) for each in (anna, bela))
    game = {"game": "infinity-gauntlet", "options": {"heroes_life": 2, "thanos_life": 2}}
    running = started_match(anna, bela, **game)
    by_link = finished_match(started_match(anna, bela, visibility="link", **game))
    members = finished_match(started_match(anna, bela, visibility="club", club=club, **game))
    of_club = finished_match(started_match(anna, bela, club=club, **game))
    sealed = finished_match(started_match(anna, bela, **game))
    Match.objects.filter(pk=sealed.pk).update(sealed=True)
    on = finished_match(play_on.play_on(person=anna, match=by_link, ply=1))
    Match.objects.filter(pk=on.pk).update(visibility="anyone")
    other = finished_match(started_match(anna, bela, game="splendor-marvel"))
    for match in (running, by_link, members, of_club, sealed, on, other):
        analysed(match)
    assert [each.match for each in making.searchable()] == [of_club]
    Club.objects.filter(pk=club.pk).update(is_private=True)
    assert not making.searchable().exists()
    waiting = finished_match(started_match(anna, bela, **game))
    Analysis.objects.create(match=waiting)
    assert not making.searchable().exists()


def test_everything_else_comes_first(anna, bela, monkeypatch):
    match = started_match(anna, bela)
    asked = Analysis.objects.create(match=match)
    assert making._others_wait()
    asked.delete()
    hint = Hint.objects.create(match=match, ply=0, seat=0, person=anna)
    assert making._others_wait()
    hint.delete()
    assert not making._others_wait()
    # Nor two at once.
    cache.add(making.AT_WORK, 1)
    assert making.make_some() == 0
    cache.clear()
    # While people play, one match in five minutes.
    assert [making._is_time() for _ in range(3)] == [True, False, False]
    Match.objects.update(turn_since=timezone.now() - timedelta(minutes=5))
    assert [making._is_time() for _ in range(3)] == [True, True, True]


# -- trying


def test_the_first_try_is_rated_and_no_other(anna, puzzle):
    right, wrong = moves_of(puzzle)
    missed = tries.answer(person=anna, puzzle=puzzle, move=wrong)
    assert (missed.solved, missed.rated, missed.best) == (False, True, right)
    assert missed.rating == 1500 + missed.change < 1500
    puzzle.refresh_from_db()
    assert (puzzle.tries, puzzle.solved) == (1, 0)
    assert puzzle.rating == 3_000_000 - PuzzleTry.objects.get().rating_after > 1_500_000
    again = tries.answer(person=anna, puzzle=puzzle, move=f"  {right.upper()} ")
    assert (again.solved, again.rated, again.rating) == (True, False, None)
    assert PuzzleTry.objects.get().move == wrong
    assert choosing.standing_of(anna).points == missed.rating
    # The next one starts from there, and is surer.
    other = create_puzzle("another")
    solved = tries.answer(person=anna, puzzle=other, move=moves_of(other)[0])
    assert solved.rated
    assert solved.rating == missed.rating + solved.change
    first, second = PuzzleTry.objects.order_by("pk")
    assert second.rating_before == first.rating_after
    assert second.variance_after < first.variance_after
    assert choosing.standing_of(anna).games == 2


def test_a_rating_rests_and_grows_less_sure(anna, puzzle):
    with time_machine.travel(datetime(2026, 1, 10, 12, tzinfo=UTC), tick=False):
        tries.answer(person=anna, puzzle=puzzle, move=moves_of(puzzle)[0])
    other, third = create_puzzle("another"), create_puzzle("a third")
    changes = []
    for day, each in ((11, other), (12, third)):
        with time_machine.travel(datetime(2027 if day == 12 else 2026, 1, day, 12, tzinfo=UTC), tick=False):
            changes.append(tries.answer(person=anna, puzzle=each, move=moves_of(each)[1]).change)
    assert changes[1] < changes[0] < 0


def test_visitors_leave_nothing_and_names_without_an_account_are_not_rated(anna, puzzle):
    right, wrong = moves_of(puzzle)
    visitor = Client()
    path = reverse("puzzles:answer", args=[puzzle.pk])
    told = visitor.post(path, {"move": right}).json()
    assert (told["solved"], told["rated"]) == (True, False)
    assert not PuzzleTry.objects.exists()
    trial = trials.begin(address="203.0.113.7", language="en")
    session = visitor.session
    session[trials.SESSION_KEY] = trial.pk
    session.save()
    assert visitor.post(path, {"move": wrong}).json()["rated"] is False
    tried = PuzzleTry.objects.get()
    assert (tried.person, tried.rated, tried.rating_after) == (trial, False, None)
    puzzle.refresh_from_db()
    assert (puzzle.tries, puzzle.rating) == (0, 1_500_000)
    assert visitor.get(reverse("puzzles:history")).status_code == 200


def test_bad_input_is_refused_in_words_and_stores_nothing(anna, puzzle):
    client = logged_in(anna)
    path = reverse("puzzles:answer", args=[puzzle.pk])
    for bad in ({}, {"move": ""}, {"move": "fly away"}, {"move": "x" * 5000}):
        answer = client.post(path, bad)
        assert (answer.status_code, answer.json()["detail"]) == (422, "This move is not possible now.")
    api = f"/api/v1/puzzles/{puzzle.pk}/"
    assert client.post(api, {"move": "fly away"}, content_type="application/json").status_code == 409
    assert client.post(api, {}, content_type="application/json").status_code == 400
    assert client.get("/api/v1/puzzles/next/?near=1").status_code == 400
    for nowhere in (0, 10**6, 10**30):
        assert client.get(f"/puzzles/{nowhere}/").status_code == 404
        assert client.post(f"/puzzles/{nowhere}/answer/", {"move": "x"}).status_code == 404
        assert client.get(f"/api/v1/puzzles/{nowhere}/").status_code == 404
    assert client.get(path).status_code == 405
    assert not PuzzleTry.objects.exists()
    # By other rules it cannot be put on a table.
    Puzzle.objects.update(rules_version=99)
    assert client.get(puzzle.get_absolute_url()).status_code == 404
    assert choosing.puzzle_of_day(choosing.today()) is None


def test_there_is_a_limit_a_day(anna, puzzle):
    PuzzleTry.objects.bulk_create(
        PuzzleTry(person=anna, puzzle=create_puzzle(f"limit {n}"), move="x", solved=False, rated=False, puzzle_rating=0)
        for n in range(3)
    )
    right, _wrong = moves_of(puzzle)
    limit, tries.A_DAY = tries.A_DAY, 3
    try:
        with pytest.raises(Refused, match="in the last 24 hours"):
            tries.answer(person=anna, puzzle=puzzle, move=right)
        PuzzleTry.objects.update(at=timezone.now() - timedelta(days=2))
        assert tries.answer(person=anna, puzzle=puzzle, move=right).rated
    finally:
        tries.A_DAY = limit


# -- what is shown


def test_before_the_try_a_page_and_a_program_get_only_what_the_seat_knew(anna, puzzle):
    then = engine.replay(puzzle.document)
    known = json.loads(json.dumps({**then.view(puzzle.seat), "can_undo": False}))
    client = logged_in(anna)
    page = client.get(puzzle.get_absolute_url())
    told = client.get(f"/api/v1/puzzles/{puzzle.pk}/").json()
    state = page.context["state"]
    check("page", "PuzzleState", state)
    reasons = known["why_not"]  # for buttons alone: programs get none
    for shown in (state, told):
        assert {"why_not": reasons, **json.loads(json.dumps(shown["view"]))} == known
        assert json.loads(json.dumps(shown["events"])) == json.loads(json.dumps(then.events(puzzle.seat)))
    # A table that differs in what the seat cannot know is the same page.
    other = then.imagine(puzzle.seat, "other hidden cards")
    assert {**other.view(puzzle.seat), "can_undo": False} == state["view"]
    assert [seat["name"] for seat in state["seats"]] == ["Seat 1", "Seat 2", "Seat 3"]
    for text in (page.content.decode(), json.dumps(told)):
        assert puzzle.document["seed"] not in text
        assert puzzle.document["moves"][-1][2] not in text
        assert '"chance"' not in text
        assert '"right"' not in text
    check("page", "Solved", client.post(state["answer"], {"move": moves_of(puzzle)[0]}).json())


def test_that_of_the_day_is_the_same_for_everybody_all_day(anna, client):
    assert choosing.puzzle_of_day(choosing.today()) is None
    assert "no puzzles yet" in client.get("/puzzles/").content.decode()
    assert client.get("/api/v1/puzzles/today/").status_code == 404
    assert client.get("/puzzles/next/").status_code == 302
    first = create_puzzle("first")
    create_puzzle("second")
    assert choosing.puzzle_of_day(choosing.today()) == first
    Puzzle.objects.update(made_at=timezone.now() - timedelta(days=30))
    for number in range(4):
        Puzzle.objects.filter(pk=create_puzzle(f"more {number}").pk).update(made_at=timezone.now() - timedelta(days=30))
    day = choosing.today()
    chosen = choosing.puzzle_of_day(day)
    for number in range(4):
        create_puzzle(f"later {number}")
        assert choosing.puzzle_of_day(day) == chosen
    assert len({choosing.puzzle_of_day(day - timedelta(days=back)).pk for back in range(20)}) > 2
    for reader in (client, logged_in(anna)):
        assert f'href="{chosen.get_absolute_url()}"' in reader.get("/").content.decode()
        assert reader.get("/api/v1/puzzles/today/").json()["id"] == chosen.pk
        assert f'href="{chosen.get_absolute_url()}"' in reader.get("/puzzles/").content.decode()


def test_the_next_one_is_the_nearest_that_was_not_tried(anna, client):
    near, far = create_puzzle("near"), create_puzzle("far")
    Puzzle.objects.filter(pk=near.pk).update(rating=1_510_000)
    Puzzle.objects.filter(pk=far.pk).update(rating=1_900_000)
    as_anna = logged_in(anna)
    assert as_anna.get("/puzzles/next/").url == near.get_absolute_url()
    tries.answer(person=anna, puzzle=near, move=moves_of(near)[0])
    assert as_anna.get("/puzzles/next/").url == far.get_absolute_url()
    assert as_anna.get("/api/v1/puzzles/next/").json()["id"] == far.pk
    tries.answer(person=anna, puzzle=far, move=moves_of(far)[0])
    assert "You have tried every puzzle" in as_anna.get("/puzzles/next/", follow=True).content.decode()
    assert client.get(f"/puzzles/next/?after={near.pk}").url == far.get_absolute_url()
    assert client.get("/puzzles/next/?after=x").status_code == 302


def test_ones_own_history_is_ones_own(anna, bela):
    for number in range(3):
        puzzle = create_puzzle(f"history {number}")
        tries.answer(person=anna, puzzle=puzzle, move=moves_of(puzzle)[number % 2])
    as_anna, as_bela = logged_in(anna), logged_in(bela)
    page = as_anna.get("/puzzles/history/").content.decode()
    assert page.count("<td>Solved</td>") == 2
    assert page.count("<td>Missed</td>") == 1
    assert "<polyline" in page
    assert "no puzzle yet" in as_bela.get("/puzzles/history/").content.decode()
    listed = as_anna.get("/api/v1/me/puzzles/").json()["results"]
    assert [each["solved"] for each in listed] == [True, False, True]
    assert as_bela.get("/api/v1/me/puzzles/").json()["results"] == []
    assert Client().get("/api/v1/me/puzzles/").status_code == 401
    assert len(own_data(anna)["puzzles"]) == 3


def test_every_page_is_in_the_readers_language(anna, puzzle):
    client = logged_in(anna)
    for language, title, move in (("it", "Problemi", "Posto 1"), ("pl", "Zadania", "Miejsce 1")):
        client.post(reverse("set_language"), {"language": language})
        anna.language = language
        anna.save()
        assert title in client.get("/puzzles/").content.decode()
        assert client.get(puzzle.get_absolute_url()).context["state"]["seats"][0]["name"] == move


def test_an_erased_person_leaves_no_tries(anna, puzzle, club):
    add_member(club, anna)
    tries.answer(person=anna, puzzle=puzzle, move=moves_of(puzzle)[0])
    puzzle.refresh_from_db()
    rating = puzzle.rating
    people.delete_account(person=anna)
    assert not PuzzleTry.objects.exists()
    puzzle.refresh_from_db()
    assert (puzzle.rating, puzzle.tries) == (rating, 1)

"""A league of the guides' game in the guides' format, through the real pages.

Run by `test_new_game_and_format.py` in a process of its own, whose environment names the two packages.
"""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

import engine
from accounts import clubs
from accounts.models import Club, Membership, User
from engine.bot_process import shared_pool
from games.models import Match, Move
from games.play import bot_turns
from leagues.elo.result_types import RatingKind
from leagues.models import Entrant, League, Pairing, Rating, RatingPool, Round, Season, Stage
from leagues.odds import inputs, subprocess_runner
from leagues.ratings import pending

pytestmark = pytest.mark.usefixtures("plain_static_files")
NAMES = ("ann", "ben", "cat", "dan", "eve")


@pytest.fixture
def plain_static_files(settings: Any) -> None:
    """Nothing is collected for tests."""
    Path(settings.STATIC_ROOT).mkdir(parents=True, exist_ok=True)
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    }


@pytest.fixture
def people(db: None) -> list[User]:
    return [User.objects.create_user(name, f"{name}@example.org") for name in NAMES]


@pytest.fixture
def club(people: Sequence[User]) -> Club:
    founded = clubs.create_club(founder=people[0], name="Nim Club")
    Membership.objects.bulk_create(Membership(club=founded, user=user) for user in people[1:])
    return founded


@pytest.fixture
def ann(people: Sequence[User]) -> Client:
    return logged_in(people[0])


def logged_in(user: User | None) -> Client:
    assert user is not None
    client = Client()
    client.force_login(user)
    return client


def text_of(page: Any) -> str:
    assert page.status_code == 200
    return page.content.decode()


def test_a_league_from_founding_to_closing(club: Club, people: Sequence[User], ann: Client) -> None:
    founding = reverse("leagues:new", args=[club.slug])
    assert "Nim" in text_of(ann.get(founding))
    ann.post(founding, {"name": "Nim nights", "game": "nim"})
    league = League.objects.get()
    beginning = reverse("leagues:season-new", args=[league.slug])
    assert "An evening on the hill" in text_of(ann.get(beginning))
    ann.post(beginning, {"preset": "hill-evening", "name": "Spring"})
    season = Season.objects.get()
    stage = Stage.objects.get(division__season=season)
    assert (stage.format, stage.settings, stage.planned) == ("king-of-the-hill", {"by_lot": False}, 3)
    change_setting(ann, season, stage)
    for user in people:
        logged_in(user).post(at(season, "sign-up"))
    assert Entrant.objects.filter(division__season=season).count() == len(people)
    text_of(ann.post(at(season, "start"), follow=True))
    rounds = [play_round(ann, season, stage, number) for number in (1, 2, 3)]
    winners_stay_on_the_hill(rounds)
    standings_tell_who_is_first(ann, season, stage, rounds)
    everybody_is_rated(ann, people)
    text_of(ann.post(at(season, "stage-finish", stage.pk), follow=True))
    text_of(ann.post(at(season, "close"), follow=True))
    season.refresh_from_db()
    assert season.is_closed
    assert "King of the hill" in text_of(ann.get(at(season, "standings", stage.pk)))


def change_setting(ann: Client, season: Season, stage: Stage) -> None:
    """The format's own form: a setting is a field, and is kept."""
    page = text_of(ann.get(at(season, "stage-edit", stage.pk)))
    assert "The first round goes by lot" in page
    ann.post(at(season, "stage-edit", stage.pk), {"planned": "3", "set-by_lot": "on"})
    stage.refresh_from_db()
    assert stage.settings == {"by_lot": True}
    ann.post(at(season, "stage-edit", stage.pk), {"planned": "3"})
    stage.refresh_from_db()
    assert stage.settings == {"by_lot": False}


def play_round(ann: Client, season: Season, stage: Stage, number: int) -> Round:
    """Draw, publish, report at the tables, confirm, close. The first seat always wins."""
    text_of(ann.post(at(season, "draw", stage.pk), {"number": str(number)}, follow=True))
    drawn = Round.objects.get(stage=stage, number=number)
    ann.post(at(season, "round-step", drawn.pk), {"step": "publish"})
    page = text_of(ann.get(at(season, "round", drawn.pk)))
    assert "this is table 1" in page
    for pairing in Pairing.objects.filter(round=drawn):
        first, second = [seat.entrant.user for seat in pairing.seats.order_by("index")]
        logged_in(first).post(
            reverse("leagues:report", args=[pairing.key]),
            {"rank-0": "1", "rank-1": "2", "score-0": "5", "score-1": "4"},
        )
        logged_in(second).post(reverse("leagues:answer", args=[pairing.key]), {"version": "1"})
        pairing.refresh_from_db()
        assert pairing.state == Pairing.State.CONFIRMED
    if number < 3:
        odds_know_the_format(stage)
    text_of(ann.post(at(season, "round-step", drawn.pk), {"step": "close"}, follow=True))
    drawn.refresh_from_db()
    assert drawn.is_closed
    return drawn


def odds_know_the_format(stage: Stage) -> None:
    """The simulation runs in a process of its own, which has to find the format's functions and the game."""
    found = subprocess_runner.run_in_subprocess(
        inputs.load_remaining_season(stage.division), seed="odds", runs=20, seconds=20
    )
    assert len(found.rows) == len(NAMES)
    assert sum(each.title for each in found.rows) == pytest.approx(1)


def winners_stay_on_the_hill(rounds: Sequence[Round]) -> None:
    for before, after in pairwise(rounds):
        (king,) = hill(before)[:1]
        assert king in hill(after)


def hill(round_: Round) -> list[int]:
    return list(Pairing.objects.get(round=round_, number=1).seats.order_by("index").values_list("entrant", flat=True))


def standings_tell_who_is_first(ann: Client, season: Season, stage: Stage, rounds: Sequence[Round]) -> None:
    page = text_of(ann.get(at(season, "standings", stage.pk)))
    wins = [hill(each)[0] for each in rounds]
    first = Entrant.objects.get(pk=max(wins, key=wins.count))
    assert f"Wins on the hill: {wins.count(first.pk)}." in page
    file = reverse("leagues:stage-export", args=[season.league.slug, season.number, stage.pk, "standings", "csv"])
    rows = ann.get(file).content.decode().splitlines()
    assert len(rows) == 1 + len(NAMES)
    assert first.name in rows[1]


def everybody_is_rated(ann: Client, people: Sequence[User]) -> None:
    pool = RatingPool.objects.get(game="nim")
    assert pool.kind is RatingKind.FREE_FOR_ALL
    pending.apply_pending_results(pool_id=pool.pk)
    assert Rating.objects.filter(pool=pool).count() == len(people)
    assert "Nim" in text_of(ann.get(reverse("boards:board", args=["nim"])))


def test_a_match_against_bots(ann: Client, settings: Any) -> None:
    """Play a whole match on its page; the bots think in their own process, at random."""
    settings.BOT_PACE = 0  # nobody looks on
    page = ann.post(reverse("games:play-now", args=["nim"]), {"players": "3", "level": "rookie"}, follow=True)
    match = Match.objects.get()
    assert "games/core/plain-table.js" in text_of(page)
    while (match := Match.objects.get()).is_playing:
        if match.bot_due is not None:
            assert bot_turns.take_bot_turns(match_id=match.pk)
            continue
        state = ann.get(reverse("games:state", args=[match.key])).json()
        sent = {"move": state["view"]["legal"][0], "ply": match.ply}
        played = ann.post(reverse("games:move", args=[match.key]), sent, content_type="application/json")
        assert played.status_code == 200
    shared_pool().close()
    assert match.is_finished
    assert set(Move.objects.values_list("by", flat=True)) == {Move.By.PERSON, Move.By.BOT}
    assert "The last stone is taken." in text_of(ann.get(match.get_absolute_url()))
    text_of(ann.get(reverse("games:replay", args=[match.key])))


def test_programs_are_offered_both(ann: Client) -> None:
    games = {each["name"]: each for each in ann.get("/api/v1/games/").json()["games"]}
    assert games["nim"]["options"][0]["label"] == "Stones in the largest heap"
    formats = {each["code"]: each for each in ann.get("/api/v1/formats/").json()["formats"]}
    assert "nim" in formats["king-of-the-hill"]["games"]
    words = ann.get("/api/v1/games/nim/words/").json()
    assert words["sentences"] == {"took": "{seat} takes {count} from heap {heap}."}


def test_the_engine_lists_it() -> None:
    assert "nim" in engine.GAMES
    assert engine.game("nim").scoring is engine.Scoring.ORDER


def at(season: Season, view: str, *more: int) -> str:
    return reverse(f"leagues:{view}", args=[season.league.slug, season.number, *more])

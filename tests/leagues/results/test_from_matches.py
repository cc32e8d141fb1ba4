"""Finished matches are rated once, only if rated, and only if they replay."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.infra.errors import Refused
from accounts.models import User
from games.catalogue import ratability
from games.models import Match, Move, Seat
from games.tables import leaving, setup, start
from games.tables.setup import Setting
from leagues import tasks
from leagues.elo.result_types import START
from leagues.models import HouseBot, PickUp, RatedResult, Rating, RatingChange
from leagues.ratings import pending
from leagues.results import from_matches
from tests.factories import (
    create_user,
    finished_match,
    fresh,
    markup_of,
    open_table_with,
    started_match,
    two_turns_each,
)

pytestmark = pytest.mark.django_db

QUICK = "infinity-gauntlet"


@pytest.fixture
def alice() -> User:
    return create_user("alice")


@pytest.fixture
def bob() -> User:
    return create_user("bob")


def taken_up(match: Match) -> bool:
    done = from_matches.take_in_match(match_id=match.pk)
    for pool_id in pending.pools_with_pending_results():
        pending.apply_pending_results(pool_id=pool_id)
    return done


def test_a_rated_match_moves_both_once(alice: User, bob: User) -> None:
    match = finished_match(started_match(alice, bob, game=QUICK, rated=True))
    assert taken_up(match)
    assert not taken_up(match)
    changes = RatingChange.objects.filter(result__source=f"match:{match.key}").order_by("seat")
    assert [change.user for change in changes] == [alice, bob]
    assert [change.role for change in changes] == ["thanos", "hero"]
    assert changes[0].moved != 0
    # The rating is the mean of two roles, to the nearest thousandth.
    assert abs(changes[0].moved + changes[1].moved) <= 1
    assert Rating.objects.get(user=alice).rating == START + changes[0].moved
    assert changes[0].at == match.finished_at


def test_a_casual_match_moves_nobody(alice: User, bob: User) -> None:
    match = finished_match(started_match(alice, bob, game=QUICK))
    assert taken_up(match)
    assert not RatedResult.objects.exists()


def test_a_match_called_off_is_not_taken_up(alice: User, bob: User) -> None:
    match = started_match(alice, bob, game=QUICK, rated=True)
    start.call_off(person=alice, match=match)
    assert not taken_up(match)
    assert not PickUp.objects.exists()


def test_a_match_that_does_not_replay_counts_nowhere(alice: User, bob: User) -> None:
    match = finished_match(started_match(alice, bob, game=QUICK, rated=True))
    Move.objects.filter(match=match, ply=match.ply - 1).delete()
    assert not taken_up(match)
    assert PickUp.objects.get(match=match).fault
    assert not RatedResult.objects.exists()


def test_site_bots_are_players_by_level_and_version(alice: User) -> None:
    match = finished_match(started_match(alice, game=QUICK, bots=2, rated=True))
    assert taken_up(match)
    site_bot = HouseBot.objects.get()
    assert (site_bot.level, site_bot.user.is_bot, site_bot.user.has_usable_password()) == ("regular", True, False)
    assert RatingChange.objects.filter(user=site_bot.user).count() == 2
    mine = Rating.objects.get(user=alice)
    assert (mine.met_people, mine.met_bots) == (0, 2)


def test_whoever_left_ranks_last_and_their_stand_in_is_nobody(alice: User, bob: User) -> None:
    people = (alice, bob, create_user("carol"))
    # Some deals end before.
    while not (match := two_turns_each(started_match(*people, game=QUICK, rated=True))).is_playing:
        pass
    leaving.resign(person=bob, match=match)
    match = finished_match(fresh(match))
    assert taken_up(match)
    gone = RatingChange.objects.get(user=bob)
    assert (gone.rank, gone.left, gone.won) == (3, True, False)
    assert gone.moved < 0
    assert not HouseBot.objects.exists()


def test_a_cooperative_team_wins_or_loses_together(alice: User, bob: User) -> None:
    match = finished_match(started_match(alice, bob, game="thanos-rising", rated=True, options={"preset": "recruit"}))
    assert taken_up(match)
    result = RatedResult.objects.get()
    won = Seat.objects.get(match=match, index=0).won
    assert result.scenario == "recruit"
    assert [seat[1] for seat in result.seats] == [1 if won else 2] * 2


def test_the_sweep_finds_what_a_lost_task_left(alice: User, bob: User) -> None:
    match = finished_match(started_match(alice, bob, game=QUICK, rated=True))
    assert from_matches.sweep() == 0
    Match.objects.filter(pk=match.pk).update(finished_at=timezone.now() - timedelta(minutes=1))
    tasks.sweep()
    assert PickUp.objects.get(match=match).done_at
    assert pending.pools_with_pending_results()


def test_a_match_that_cannot_be_taken_up_is_left_alone_in_the_end(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = finished_match(started_match(alice, bob, game=QUICK, rated=True))
    Match.objects.filter(pk=match.pk).update(finished_at=timezone.now() - timedelta(minutes=1))

    def stumble(match: Match) -> None:
        raise RuntimeError("a bug in a taker")

    monkeypatch.setattr(from_matches, "MATCH_HANDLERS", [from_matches.rate, stumble])
    for _ in range(from_matches.MOST_ATTEMPTS + 2):
        from_matches.sweep()
    assert PickUp.objects.get(match=match).attempts == from_matches.MOST_ATTEMPTS
    assert not RatedResult.objects.exists()


class TestBeforeItStarts:
    def test_a_rated_table_keeps_to_the_usual_rules(self, alice: User) -> None:
        with pytest.raises(Refused):
            setup.open_table(host=alice, setting=Setting("splendor-marvel", 2, {"points": 20}, rated=True))

    def test_a_scenario_may_be_chosen(self) -> None:
        assert ratability.is_ratable("thanos-rising", {"preset": "infinity"})
        assert not ratability.is_ratable("thanos-rising", {"starting_counters": 1})
        assert ratability.scenario("thanos-rising", {}) == "hero"

    @pytest.mark.parametrize(("says", "words"), [(True, "Rated"), (False, "Casual")])
    def test_the_table_says_which(self, alice: User, bob: User, says: bool, words: str) -> None:
        waiting, running = open_table_with(alice, rated=says, bots=1), started_match(alice, bob, rated=says)
        assert f">{words}</span>" in markup_of(Client().get(waiting.get_absolute_url()))
        bar = markup_of(Client().get(running.get_absolute_url())).partition('class="table-bar"')[2]
        line = re.sub(r"<[^>]*>", "", bar.partition("<p>")[2].partition("</p>")[0])
        assert words in [part.strip() for part in line.split("·")]

    def test_the_form_offers_it(self, alice: User) -> None:
        client = Client()
        client.force_login(alice)
        assert 'name="rated"' in client.get("/play/new/?game=splendor-marvel").content.decode()
        table = {"game": "splendor-marvel", "players": "2", "clock": "none", "on_timeout": "bot"}
        client.post("/play/new/", table | {"visibility": "anyone", "option_points": "16", "rated": "on"})
        assert Match.objects.get().rated
        refused = client.post("/play/new/", table | {"visibility": "anyone", "option_points": "20", "rated": "on"})
        assert refused.status_code == 422
        assert "usual rules" in refused.content.decode()

    def test_play_now_is_casual_unless_asked(self, alice: User) -> None:
        client = Client()
        client.force_login(alice)
        client.post("/play/now/infinity-gauntlet/", {"players": "2", "level": "rookie"})
        client.post("/play/now/infinity-gauntlet/", {"players": "2", "level": "rookie", "rated": "on"})
        assert sorted(Match.objects.values_list("rated", flat=True)) == [False, True]

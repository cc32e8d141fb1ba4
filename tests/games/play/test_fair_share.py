"""Thinking time is shared between people: the queue serves them in turn, and what nobody looks at sleeps."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.utils import timezone

from accounts.infra.errors import Refused
from games import presence, sweep, topics
from games.models import Match, Move, Seat
from games.play import bot_turns, fair_share
from games.tables import exhibition, setup
from tests.factories import GAME, create_user, fresh, logged_in, play_turn, started_match

pytestmark = pytest.mark.usefixtures("clean_match_cache", "sent_tasks")


@pytest.fixture(autouse=True)
def _clean_cache():
    cache.clear()
    yield
    cache.clear()


def bots_to_move(person, **fields) -> Match:
    """A table of this host and a bot, at which the bot is to move."""
    match = play_turn(started_match(person, bots=1))
    now = timezone.now()
    known = {"bot_due": now - timedelta(seconds=5), "bot_held": None, "turn_since": now, "watched_at": now} | fields
    Match.objects.filter(pk=match.pk).update(**known)
    return fresh(match)


class TestHowMuch:
    def test_so_many_tables_with_bots_at_a_time(self, alice, bob):
        for _ in range(fair_share.MOST_RUNNING):
            setup.play_now(person=alice, game=GAME, players=2, level="rookie")
        with pytest.raises(Refused, match="tables with bots under way"):
            setup.play_now(person=alice, game=GAME, players=2, level="rookie")
        assert Match.objects.filter(host=alice).count() == fair_share.MOST_RUNNING
        setup.play_now(person=bob, game=GAME, players=2, level="rookie")
        # Tables that were left alone yesterday are no burden.
        Match.objects.filter(host=alice).update(turn_since=timezone.now() - timedelta(days=2))
        setup.play_now(person=alice, game=GAME, players=2, level="rookie")

    def test_nor_by_filling_ones_own_tables(self, alice):
        for _ in range(fair_share.MOST_RUNNING):
            started_match(alice, bots=1)
        with pytest.raises(Refused, match="under way"):
            started_match(alice, bots=1)

    def test_people_alone_may_play_at_more(self, alice, bob):
        for _ in range(fair_share.MOST_RUNNING + 1):
            started_match(alice, bob)

    def test_the_page_says_why(self, alice):
        client = logged_in(alice)
        for _ in range(fair_share.MOST_RUNNING + 1):
            answer = client.post(f"/play/now/{GAME}/", {"players": 2, "level": "rookie"}, follow=True)
        assert "tables with bots under way" in answer.content.decode()

    def test_thinking_is_counted_for_the_host(self, alice):
        match = bots_to_move(alice)
        bot_turns.take_bot_turns(match_id=match.pk)
        assert fair_share.seconds_used([fair_share.payer_of(match)])[f"person-{alice.pk}"] > 0

    def test_beyond_the_limit_ones_tables_wait(self, alice, bob):
        match, other = bots_to_move(alice), bots_to_move(bob)
        fair_share.charge(match, fair_share.MOST_SECONDS)
        assert fair_share.next_matches(match.pk) == [other.pk]
        assert bot_turns.serve_next(match_id=match.pk)
        assert fresh(match).ply == match.ply
        assert fresh(other).ply > other.ply
        cache.clear()  # ten minutes later
        assert fair_share.next_matches(match.pk) == [match.pk]


class TestOrder:
    def test_forty_tables_of_one_wait_for_the_one_of_another(self, alice, bob, monkeypatch):
        monkeypatch.setattr(fair_share, "MOST_RUNNING", 100)
        many = [bots_to_move(alice) for _ in range(8)]
        one = bots_to_move(bob, bot_due=timezone.now())
        fair_share.charge(many[0], 3.0)
        # The task was sent by one of the many, and still the one is served first.
        assert fair_share.next_matches(many[0].pk)[0] == one.pk
        bot_turns.serve_next(match_id=many[0].pk)
        assert Move.objects.filter(match=one, by=Move.By.BOT).exists()
        assert not Move.objects.filter(match__in=many, by=Move.By.BOT).exists()

    def test_people_who_wait_at_the_table_come_before_others_and_these_before_exhibitions(self, alice, bob):
        show = exhibition.start_exhibition(game=GAME, players=2)
        Match.objects.filter(pk=show.pk).update(bot_due=timezone.now() - timedelta(hours=1))
        away, here = bots_to_move(alice), bots_to_move(bob, bot_due=timezone.now())
        presence.record(here, 0, True)
        assert fair_share.next_matches(show.pk) == [here.pk, away.pk, show.pk]

    def test_what_somebody_thinks_about_is_left_alone(self, alice):
        match = bots_to_move(alice, bot_held=timezone.now() + timedelta(minutes=1))
        assert fair_share.next_matches(match.pk) == []


class TestSleeping:
    def long_ago(self, match: Match) -> None:
        before = timezone.now() - fair_share.AWAKE_FOR - timedelta(seconds=1)
        Match.objects.filter(pk=match.pk).update(watched_at=before, turn_since=before)

    def test_a_table_nobody_looks_at_sleeps_and_wakes_when_somebody_does(self, alice, sent_tasks):
        match = bots_to_move(alice)
        Seat.objects.filter(match=match, index=0).update(bot_level="rookie", left="resigned")
        self.long_ago(match)
        sent_tasks.clear()
        assert fair_share.next_matches(match.pk) == []
        assert sweep.revive_bots() == 0
        assert logged_in(alice).get(match.get_absolute_url()).status_code == 200
        assert sent_tasks == [match.pk]
        assert fair_share.next_matches(match.pk) == [match.pk]

    def test_an_open_page_keeps_it_awake(self, alice):
        match = bots_to_move(alice)
        self.long_ago(match)
        assert fair_share.next_matches(match.pk) == []
        topics.record_presence(fresh(match), 0, True)
        assert fair_share.next_matches(match.pk) == [match.pk]

    def test_others_who_wait_keep_it_awake(self, alice, bob):
        match = started_match(alice, bob, bots=1)
        Match.objects.filter(pk=match.pk).update(bot_due=timezone.now(), to_act=2)
        self.long_ago(match)
        assert fair_share.next_matches(match.pk) == [match.pk]

    def test_a_table_with_a_clock_and_one_of_a_league_never_sleep(self, alice):
        clocked, league = bots_to_move(alice, clock="days", days=1), bots_to_move(create_user("host"), host=None)
        for match in (clocked, league):
            self.long_ago(match)
        assert set(fair_share.next_matches(0)) == {clocked.pk, league.pk}

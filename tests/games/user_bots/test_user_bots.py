"""Bots that people bring: made, asked, seated, told, late; the same rules for all edges."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from accounts.models import ApiToken, User
from games import sweep
from games.models import BotChallenge, BotEvent, BotFault, Match, Move, OwnBot, Seat
from games.play import clocks
from games.tables import exhibition, leaving, seating, setup, start
from games.tables.setup import Clock, Setting
from games.user_bots import challenges
from games.user_bots import events as user_bots_events
from games.user_bots import service as user_bots
from tests.factories import GAME, finished_match, first_move, fresh, logged_in, play_one_move, two_turns_each

JSON = "application/json"


@pytest.fixture(autouse=True)
def fresh_counts():
    cache.clear()


def brought(owner: User, handle: str = "robo", accepts: str = "anyone", games=(GAME,)) -> user_bots.NewKey:
    return user_bots.create(owner=owner, handle=handle, name=handle.title(), about="", games=games, accepts=accepts)


@pytest.fixture
def robo(bob) -> user_bots.NewKey:
    return brought(bob)


class Program:
    """The bot's own program, as far as it asks and answers."""

    def __init__(self, secret: str) -> None:
        self.headers = {"Authorization": f"Bearer {secret}"}

    def get(self, path: str = "") -> Any:
        return Client().get(f"/api/v1/bot/{path}", headers=self.headers)

    def post(self, path: str, **data: Any) -> Any:
        return Client().post(f"/api/v1/bot/{path}", data, content_type=JSON, headers=self.headers)

    def events(self, since: int | None = 0) -> list[dict[str, Any]]:
        return list(self.get("events/" if since is None else f"events/?since={since}").json()["events"])

    def move(self, match: Match, move: str | None = None, ply: int | None = None) -> Any:
        match = fresh(match)
        chosen = first_move(match) if move is None else move
        return self.post(f"matches/{match.key}/move/", ply=match.ply if ply is None else ply, move=chosen)


@pytest.fixture
def program(robo) -> Program:
    return Program(robo.secret)


def table_for_two(host: User, **setting) -> Match:
    match = setup.open_table(host=host, setting=Setting(GAME, 2, **{"draws_seats": False, **setting}))
    seating.sit(person=host, match=match)
    return match


def seated(host: User, bot: OwnBot, **setting) -> Match:
    """A match of its host against a bot that accepted; the host is to act first."""
    match = table_for_two(host, **setting)
    challenges.accept(bot=bot, challenge=challenges.challenge(person=host, match=match, bot=bot))
    return start.start(person=host, match=match)


def to_bots_turn(match: Match) -> Match:
    while fresh(match).to_act == 0:
        play_one_move(match)
    return fresh(match)


def fallen(match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(deadline=timezone.now() - timedelta(seconds=5))
    assert sweep.expire_clocks() == 1


class TestMaking:
    def test_an_account_of_its_own_with_a_key_shown_once(self, robo, bob):
        user = robo.bot.user
        assert user.is_bot
        assert not user.has_usable_password()
        assert robo.bot.owner == bob
        assert ApiToken.objects.get(user=user).scopes == ["read", "bot"]
        assert robo.secret not in str(ApiToken.objects.values().get())

    def test_so_many_and_no_more_and_no_handle_twice(self, bob, robo):
        with pytest.raises(Refused):
            brought(bob, "ROBO")
        for number in range(user_bots.MAX_BOTS - 1):
            brought(bob, f"robo-{number}")
        with pytest.raises(Refused):
            brought(bob, "one-more")

    def test_a_bot_brings_no_bots(self, robo):
        with pytest.raises(NotAllowed):
            brought(robo.bot.user, "child")

    def test_only_its_owner_changes_it(self, robo, alice, stella):
        for somebody in (alice, stella, robo.bot.user):
            with pytest.raises(NotAllowed):
                user_bots.new_key(owner=somebody, bot=robo.bot)
            with pytest.raises(NotAllowed):
                user_bots.switch(owner=somebody, bot=robo.bot, on=False)

    def test_a_new_key_ends_the_old_one(self, robo, bob, program):
        new = user_bots.new_key(owner=bob, bot=robo.bot)
        assert program.get().status_code == 401
        assert Program(new.secret).get().status_code == 200

    def test_off_is_off(self, robo, bob, alice, program):
        user_bots.switch(owner=bob, bot=robo.bot, on=False)
        assert program.get().status_code == 403
        with pytest.raises(Refused):
            challenges.challenge(person=alice, match=table_for_two(alice), bot=robo.bot)

    def test_it_goes_when_its_owner_does(self, robo, bob, program):
        User.objects.filter(pk=bob.pk).update(is_active=False)
        assert program.get().status_code == 403

    def test_the_sites_exhibition_does_not_seat_it(self, robo):
        match = exhibition.start_exhibition(game=GAME, players=2)
        assert not Seat.objects.filter(match=match, user=robo.bot.user).exists()

    def test_a_persons_token_is_no_bots(self, alice):
        from accounts import api_tokens

        new = api_tokens.issue(person=alice, name="mine", scopes=["bot"], lasting=timedelta(days=1))
        assert Program(new.secret).get().status_code == 403
        reader = api_tokens.issue(person=alice, name="mine", scopes=["read"], lasting=timedelta(days=1))
        assert Program(reader.secret).get().json()["code"] == "missing-scope"
        assert Client().get("/api/v1/bot/").status_code == 401


class TestChallenges:
    def test_asked_told_accepted_seated(self, alice, robo, program):
        match = table_for_two(alice, rated=True)
        made = challenges.challenge(person=alice, match=match, bot=robo.bot)
        (event,) = program.events()
        assert (event["kind"], event["seq"], event["id"]) == ("challenge", 1, made.pk)
        assert (event["by"], event["match"], event["game"], event["rated"]) == ("alice", match.key, GAME, True)
        answer = program.post(f"challenges/{made.pk}/accept/")
        assert answer.json() == {"id": made.pk, "status": "accepted", "match": match.key}
        assert program.post(f"challenges/{made.pk}/accept/").status_code == 200
        assert Seat.objects.get(match=match, user=robo.bot.user).bot_level == ""

    def test_declined_with_a_reason(self, alice, robo, program):
        match = table_for_two(alice)
        made = challenges.challenge(person=alice, match=match, bot=robo.bot)
        assert program.post(f"challenges/{made.pk}/decline/", reason="busy").json()["status"] == "declined"
        made.refresh_from_db()
        assert made.reason == "busy"
        assert program.post(f"challenges/{made.pk}/accept/").status_code == 409

    def test_without_an_answer_it_lapses_and_the_bot_is_told(self, alice, robo, program):
        made = challenges.challenge(person=alice, match=table_for_two(alice), bot=robo.bot)
        assert challenges.lapse() == 0
        BotChallenge.objects.update(expires_at=timezone.now())
        assert challenges.lapse() == 1
        assert [event["kind"] for event in program.events()] == ["challenge", "challenge.cancelled"]
        assert program.events()[1]["status"] == "expired"
        assert program.post(f"challenges/{made.pk}/accept/").status_code == 409

    def test_the_host_takes_it_back(self, alice, bob, robo, program):
        made = challenges.challenge(person=alice, match=table_for_two(alice), bot=robo.bot)
        with pytest.raises(NotAllowed):
            challenges.cancel(person=bob, challenge=made)
        challenges.cancel(person=alice, challenge=made)
        assert program.events()[-1]["status"] == "cancelled"

    def test_a_place_that_is_gone_cancels_it(self, alice, charlie, robo, program):
        match = table_for_two(alice)
        made = challenges.challenge(person=alice, match=match, bot=robo.bot)
        seating.sit(person=charlie, match=match)
        assert program.post(f"challenges/{made.pk}/accept/").json()["status"] == "cancelled"

    def test_a_table_called_off_takes_its_challenges_with_it(self, alice, robo, program):
        match = table_for_two(alice)
        challenges.challenge(person=alice, match=match, bot=robo.bot)
        start.call_off(person=alice, match=match)
        assert challenges.lapse() == 1
        assert program.events()[-1]["kind"] == "challenge.cancelled"

    def test_whom_it_takes_challenges_from(self, alice, bob, charlie):
        from accounts import clubs
        from accounts.models import Membership

        club = clubs.create_club(founder=bob, name="The Round Table")
        Membership.objects.create(club=club, user=alice)
        mine, ours = brought(bob, "mine", "owner").bot, brought(bob, "ours", "clubs").bot
        assert [user_bots.accepts(mine, person, GAME) for person in (bob, alice, charlie)] == [True, False, False]
        assert [user_bots.accepts(ours, person, GAME) for person in (bob, alice, charlie)] == [True, True, False]
        assert not user_bots.accepts(mine, bob, "thanos-rising")
        with pytest.raises(Refused):
            challenges.challenge(person=charlie, match=table_for_two(charlie), bot=ours)

    def test_twice_at_one_table_and_by_whoever_is_not_the_host(self, alice, charlie, robo):
        match = table_for_two(alice)
        challenges.challenge(person=alice, match=match, bot=robo.bot)
        with pytest.raises(Refused):
            challenges.challenge(person=alice, match=match, bot=robo.bot)
        with pytest.raises(NotAllowed):
            challenges.challenge(person=charlie, match=match, bot=robo.bot)

    def test_another_bots_challenge_is_not_there(self, alice, bob, robo):
        made = challenges.challenge(person=alice, match=table_for_two(alice), bot=robo.bot)
        other = Program(brought(bob, "other").secret)
        assert other.post(f"challenges/{made.pk}/accept/").status_code == 404

    def test_a_rematch_asks_it_again(self, alice, robo, program):
        match = seated(alice, robo.bot)
        leaving.resign(person=alice, match=match)
        again = setup.rematch(person=alice, match=match)
        assert program.events()[-1]["kind"] == "challenge"
        assert program.events()[-1]["match"] == again.key


class TestPlaying:
    def test_its_turn_has_the_seats_view_and_the_legal_moves(self, alice, robo, program):
        match = to_bots_turn(seated(alice, robo.bot))
        event = program.events()[-1]
        assert (event["kind"], event["match"], event["ply"], event["seat"]) == ("turn", match.key, match.ply, 1)
        assert event["view"]["seat"] == 1
        assert first_move(match) in event["legal"]
        assert event["deadline"] == match.deadline.isoformat()
        answer = program.move(match)
        assert answer.json() == {"ply": match.ply + 1, "over": False}
        assert Move.objects.get(match=match, ply=match.ply).by == Move.By.PERSON
        # What was answered stays in its place, and asks for nothing.
        assert program.events(event["seq"] - 1)[0] == {
            "kind": "turn", "seq": event["seq"], "at": event["at"], "match": match.key, "ply": match.ply, "past": True
        }  # fmt: skip

    def test_a_whole_rated_match_with_a_number_on_every_event(self, alice, robo, program):
        match = seated(alice, robo.bot, rated=True)
        while fresh(match).is_playing:
            if fresh(match).to_act == 1:
                assert program.move(match).status_code == 200
            else:
                play_one_move(match)
        seqs = list(BotEvent.objects.order_by("seq").values_list("seq", flat=True))
        assert seqs == list(range(1, len(seqs) + 1))
        (over,) = program.events(seqs[-2])
        assert over["kind"] == "match.over"
        assert over["outcome"]["cause"] == "played"
        assert over["rank"] in (1, 2)
        turns = BotEvent.objects.filter(kind="turn").count()
        assert turns == Move.objects.filter(match=match, seat=1).count()

    def test_an_illegal_move_is_refused_with_the_reason_and_counted(self, alice, robo, program):
        match = to_bots_turn(seated(alice, robo.bot))
        for _ in range(3):
            answer = program.move(match, "take everything")
            assert (answer.status_code, answer.json()["code"]) == (422, "illegal-move")
            assert answer.json()["detail"]
        fault = BotFault.objects.get()
        assert (fault.kind, fault.ply, fault.count) == ("illegal", match.ply, 3)
        assert fresh(match).ply == match.ply

    def test_late_and_foreign_moves(self, alice, bob, charlie, robo, program):
        match = to_bots_turn(seated(alice, robo.bot))
        stale = program.move(match, ply=0)
        assert (stale.status_code, stale.json()["code"], stale.json()["ply"]) == (409, "stale", match.ply)
        other = Program(brought(bob, "other").secret)
        assert other.move(match).status_code == 404
        assert program.post(f"matches/{match.key}/move/", ply="x", move=[]).status_code == 400

    def test_a_flood_is_throttled(self, alice, robo, program, settings):
        settings.API_RATES = {**settings.API_RATES, "bot": 3}
        codes = [program.get().status_code for _ in range(5)]
        assert codes == [200, 200, 200, 429, 429]


class TestTime:
    def test_at_a_table_without_a_clock_the_server_sets_a_limit_for_bots_alone(self, alice, robo):
        match = seated(alice, robo.bot)
        assert match.deadline is None
        match = to_bots_turn(match)
        assert timedelta(seconds=50) < match.deadline - timezone.now() <= clocks.BOT_LIMIT

    @pytest.mark.parametrize(("listening", "kind"), [(True, "timeout"), (False, "crash")])
    def test_out_of_time_is_recorded_and_the_site_plays_on(self, alice, robo, program, listening, kind):
        match = to_bots_turn(seated(alice, robo.bot, rated=True))
        if listening:
            OwnBot.objects.update(stream="open", heard_at=timezone.now())
        fallen(match)
        fault = BotFault.objects.get()
        assert (fault.kind, fault.match, fault.ply) == (kind, match, match.ply)
        seat = Seat.objects.get(match=match, index=1)
        assert (seat.left, seat.bot_level) == ("away", "regular")
        assert not seat.is_bot
        assert program.events()[-1]["kind"] == "seat.lost"
        assert program.move(match).status_code == 409
        assert program.post(f"matches/{match.key}/come-back/").status_code == 204
        assert program.events()[-1]["kind"] == "turn"
        assert program.move(match).status_code == 200

    def test_where_time_forfeits_it_loses(self, alice, robo, program):
        clock = Clock(kind="live", bank=60, increment=0, on_timeout="forfeit")
        match = to_bots_turn(two_turns_each(seated(alice, robo.bot, clock=clock)))
        fallen(match)
        match = fresh(match)
        assert (match.status, match.cause) == ("finished", "timeout")
        over = program.events()[-1]
        assert (over["kind"], over["left"], over["rank"]) == ("match.over", "timeout", 2)
        assert BotFault.objects.get().kind == "crash"

    def test_a_seat_that_the_site_kept_is_not_rated_as_the_sites(self, alice, robo):
        from leagues.results import from_matches

        match = to_bots_turn(seated(alice, robo.bot, rated=True))
        fallen(match)
        match = finished_match(match)
        seats = [from_matches._seat(match, seat) for seat in match.seats.select_related("user").order_by("index")]
        assert [(seat.user_id, seat.bot_key, seat.left) for seat in seats] == [
            (alice.pk, "", False),
            (robo.bot.user.pk, "", True),
        ]


class TestResuming:
    def test_without_a_number_it_begins_with_all_that_waits(self, alice, robo, program):
        match = to_bots_turn(seated(alice, robo.bot))
        other = challenges.challenge(person=alice, match=table_for_two(alice), bot=robo.bot)
        (reset,) = program.events(None)
        assert reset["kind"] == "reset"
        assert reset["seq"] == OwnBot.objects.get().seq
        assert [each["id"] for each in reset["challenges"]] == [other.pk]
        assert [(each["match"], each["ply"]) for each in reset["turns"]] == [(match.key, match.ply)]
        assert program.events(reset["seq"]) == []

    @pytest.mark.parametrize("since", [0, 3, 10**6])
    def test_a_number_that_is_too_old_or_was_never_given_does_so_too(self, alice, robo, program, since):
        to_bots_turn(seated(alice, robo.bot))
        BotEvent.objects.update(at=timezone.now() - timedelta(days=8))
        for _ in range(4):
            challenges.challenge(person=alice, match=table_for_two(alice), bot=robo.bot)
        last = BotEvent.objects.filter(at__lt=timezone.now() - timedelta(days=1)).latest("seq").seq
        OwnBot.objects.update(seq=last + 4)
        assert user_bots_events.delete_old() == last
        kinds = [event["kind"] for event in program.events(min(since, last - 1) if since < 10**6 else since)]
        assert kinds == ["reset"]
        assert [event["kind"] for event in program.events(last)] == ["challenge"] * 4

    def test_events_come_in_batches_and_none_is_left_out(self, alice, robo, program):
        match = seated(alice, robo.bot)
        while BotEvent.objects.count() < 30 and fresh(match).is_playing:
            program.move(match) if fresh(match).to_act == 1 else play_one_move(match)
        seen: list[int] = []
        while batch := program.events(seen[-1] if seen else 0):
            assert len(batch) <= user_bots_events.BATCH_SIZE
            seen += [event["seq"] for event in batch]
        assert seen == list(range(1, OwnBot.objects.get().seq + 1))


def test_another_seats_hand_is_never_in_what_a_bot_is_told(alice, robo, program):
    """It gets what its own seat's view says, word for word."""
    from games import engine_match

    match = to_bots_turn(seated(alice, robo.bot))
    assert program.events()[-1]["view"] == engine_match.load(match).view(1)
    assert match.secret not in str(program.events())


def test_pages_of_the_owner(bob, robo, alice):
    browser = logged_in(bob)
    page = browser.get("/play/bots/")
    assert page.status_code == 200
    assert "Robo" in page.content.decode()
    assert robo.secret not in page.content.decode()
    fields = {"handle": "second", "name": "Second", "about": "", "games": [GAME], "accepts": "anyone"}
    made = browser.post("/play/bots/", fields)
    second = OwnBot.objects.get(user__handle="second")
    assert "gauntlet_" in made.content.decode()
    assert logged_in(alice).get(f"/play/bots/{second.pk}/").status_code == 404
    assert browser.post(f"/play/bots/{second.pk}/switch/", {"on": "0"}).status_code == 302
    second.refresh_from_db()
    assert not second.is_on
    assert browser.post("/play/bots/", {**fields, "handle": "no spaces!"}).status_code == 422


def test_the_host_asks_a_bot_from_the_tables_page(alice, robo):
    match = table_for_two(alice)
    browser = logged_in(alice)
    assert "Robo" in browser.get(match.get_absolute_url()).content.decode()
    assert browser.post(f"/play/{match.key}/challenge/", {"bot": "robo"}).status_code == 302
    made = BotChallenge.objects.get(match=match)
    page = browser.get(match.get_absolute_url()).content.decode()
    assert f"/play/{match.key}/challenge/{made.pk}/cancel/" in page
    browser.post(f"/play/{match.key}/challenge/{made.pk}/cancel/")
    made.refresh_from_db()
    assert made.status == "cancelled"

"""Challenges from person to person, and quick pairing by strength."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.utils import timezone

from accounts import follows, people, trials
from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from accounts.models import Notice, User
from games import chat
from games.meeting import challenges, quick_pairing
from games.meeting.challenges import Terms
from games.models import ChatLine, Match, PairingWish, PersonChallenge, Seat
from games.tables import seating
from games.tasks import sweep_matches
from leagues.models import Rating, RatingPool
from tests.factories import create_user, logged_in, open_table_with, started_match

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clean_match_cache", "sent_tasks")]

GAME, OTHER, TOGETHER = "splendor-marvel", "infinity-gauntlet", "thanos-rising"
DUEL = Terms(GAME, 2, clock="live-10", rated=True)


@pytest.fixture(autouse=True)
def _empty_cache():
    cache.clear()


def asked(alice, bob, terms=DUEL):
    return challenges.challenge(person=alice, to=bob, terms=terms)


def unread(person, kind):
    return Notice.objects.filter(user=person, kind=kind, read_at=None).count()


class TestChallenges:
    def test_accepted_by_two_it_begins_at_once(self, alice, bob):
        row = asked(alice, bob)
        assert unread(bob, "games.challenged") == 1
        match = challenges.accept(person=bob, challenge=row).match
        assert challenges.accept(person=bob, challenge=row).match == match
        assert (match.status, match.rated, match.bank, match.visibility) == ("playing", True, 600, "link")
        assert {seat.user for seat in match.seats.all()} == {alice, bob}
        assert unread(bob, "games.challenged") == 0
        assert unread(alice, "games.started") == 1
        assert Match.objects.count() == 1

    def test_bots_take_the_other_places(self, alice, bob):
        row = asked(alice, bob, Terms(TOGETHER, 4, others="bots", level="rookie", difficulty="recruit"))
        match = challenges.accept(person=bob, challenge=row).match
        assert match.is_playing
        assert match.seats.filter(bot_level="rookie").count() == 2
        assert match.options

    @pytest.mark.parametrize(("others", "visibility"), [("anyone", "anyone"), ("link", "link")])
    def test_others_may_come(self, alice, bob, charlie, others, visibility):
        row = asked(alice, bob, Terms(GAME, 3, others=others))
        match = challenges.accept(person=bob, challenge=row).match
        assert (match.status, match.visibility, match.host) == ("open", visibility, alice)
        assert unread(alice, "games.challenge-accepted") == 1
        seating.sit(person=charlie, match=match)

    def test_another_suggestion_and_back(self, alice, bob):
        first = asked(alice, bob)
        second = challenges.counter(person=bob, challenge=first, terms=Terms(OTHER, 3, others="bots"))
        first.refresh_from_db()
        assert (first.status, second.by, second.to, second.earlier) == ("countered", bob, alice, first)
        assert unread(alice, "games.challenge-countered") == 1
        third = challenges.counter(person=alice, challenge=second, terms=DUEL)
        assert challenges.accept(person=bob, challenge=third).match.game == GAME
        with pytest.raises(Refused, match="over"):
            challenges.accept(person=bob, challenge=first)

    def test_a_suggestion_back_needs_no_permission(self, alice, bob):
        people.change_settings(person=alice, challenges_from="nobody")
        alice.refresh_from_db()
        challenges.counter(person=bob, challenge=asked(alice, bob), terms=DUEL)

    def test_declined_it_is_not_repeated_at_once(self, alice, bob):
        challenges.decline(person=bob, challenge=asked(alice, bob))
        assert unread(alice, "games.challenge-declined") == 1
        with pytest.raises(Refused, match="just declined"):
            asked(alice, bob)
        PersonChallenge.objects.update(answered_at=timezone.now() - timedelta(hours=1))
        asked(alice, bob)

    def test_only_who_was_asked_answers_and_only_who_asked_withdraws(self, alice, bob, charlie):
        row = asked(alice, bob)
        for verb in (challenges.accept, challenges.decline):
            for person in (alice, charlie):
                with pytest.raises(NotAllowed):
                    verb(person=person, challenge=row)
        with pytest.raises(NotAllowed):
            challenges.withdraw(person=bob, challenge=row)
        challenges.withdraw(person=alice, challenge=row)
        assert unread(bob, "games.challenged") == 0
        with pytest.raises(Refused, match="over"):
            challenges.accept(person=bob, challenge=row)

    def test_it_is_nobody_elses_business(self, alice, bob, as_charlie):
        row = asked(alice, bob)
        assert as_charlie.get(row.get_absolute_url()).status_code == 404
        assert as_charlie.post(f"{row.get_absolute_url()}accept/").status_code == 404

    def test_whom_one_takes_challenges_from(self, alice, bob):
        people.change_settings(person=bob, challenges_from="followed")
        bob.refresh_from_db()
        with pytest.raises(Refused, match="takes no challenge"):
            asked(alice, bob)
        follows.follow(person=bob, other=alice)
        challenges.withdraw(person=alice, challenge=asked(alice, bob))
        people.change_settings(person=bob, challenges_from="nobody")
        bob.refresh_from_db()
        with pytest.raises(Refused, match="takes no challenge"):
            asked(alice, bob)

    def test_a_block_ends_what_waits(self, alice, bob, as_bob):
        row = asked(alice, bob)
        follows.block(person=bob, other=alice)
        assert as_bob.get(row.get_absolute_url()).status_code == 404
        with pytest.raises(Refused):
            challenges.accept(person=bob, challenge=row)
        sweep_matches()
        row.refresh_from_db()
        assert row.status == "expired"
        with pytest.raises(Refused):
            asked(alice, bob)

    def test_it_expires(self, alice, bob):
        row = asked(alice, bob)
        PersonChallenge.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
        with pytest.raises(Refused, match="over"):
            challenges.accept(person=bob, challenge=row)
        asked(alice, bob)
        row.refresh_from_db()
        assert row.status == "expired"

    @pytest.mark.parametrize(
        "terms",
        [
            Terms("chess", 2),
            Terms(GAME, 7),
            Terms(GAME, 2, clock="hourglass"),
            Terms(GAME, 3, level="god"),
            Terms(GAME, 3, others="cats"),
            Terms(TOGETHER, 2, difficulty="none"),
        ],
    )
    def test_bad_terms_are_refused_and_nobody_is_asked(self, alice, bob, terms):
        with pytest.raises(Refused):
            asked(alice, bob, terms)
        assert not PersonChallenge.objects.exists()
        assert not bob.notices.exists()

    def test_floods_are_stopped(self, alice, bob, monkeypatch):
        asked(alice, bob)
        with pytest.raises(Refused, match="already"):
            asked(alice, bob)
        monkeypatch.setattr(challenges, "MAX_OPEN", 1)
        with pytest.raises(Refused, match="Withdraw one"):
            asked(alice, create_user("nora"))
        PersonChallenge.objects.update(status="withdrawn")
        monkeypatch.setattr(challenges, "MAX_PER_WINDOW", 1)
        with pytest.raises(Refused, match="Wait a while"):
            asked(alice, create_user("nils"))

    def test_who_plays_without_an_account_challenges_nobody(self, alice):
        visitor = trials.begin(address="192.0.2.1", language="en")
        with pytest.raises(NotAllowed):
            asked(visitor, alice)
        with pytest.raises(Refused):
            asked(alice, visitor)
        with pytest.raises(NotAllowed):
            quick_pairing.seek(person=visitor, games=[GAME])

    def test_the_pages(self, alice, bob, as_alice, as_bob):
        form = {"game": GAME, "players": 2, "clock": "none", "others": "bots", "level": "regular"}
        made = as_alice.post("/play/challenges/new/bob/", form)
        row = PersonChallenge.objects.get()
        assert made.url == row.get_absolute_url()
        assert "Accept" in as_bob.get("/play/challenges/").content.decode()
        assert as_bob.get(f"{row.get_absolute_url()}counter/").status_code == 200
        as_bob.post(f"{row.get_absolute_url()}counter/", {**form, "clock": "live-3"})
        later = PersonChallenge.objects.get(earlier=row)
        waiting = as_alice.get(row.get_absolute_url(), headers={"HX-Request": "true"})
        assert waiting["HX-Redirect"] == later.get_absolute_url()
        accepted = as_alice.post(f"{later.get_absolute_url()}accept/")
        assert accepted.url == Match.objects.get().get_absolute_url()
        assert as_alice.post("/play/challenges/new/bob/", {**form, "players": 9}).status_code == 422


class TestBlockedAtTables:
    def test_no_place_at_the_table_of_who_blocked(self, alice, bob):
        match = open_table_with(alice, bots=1)
        seating.clear_place(person=alice, match=match, index=1)
        follows.block(person=alice, other=bob)
        with pytest.raises(Refused):
            seating.sit(person=bob, match=match)

    def test_talk_of_the_blocked_is_not_read(self, alice, bob):
        match = started_match(alice, bob)
        ChatLine.objects.create(match=match, user=bob, room="table", text="Hello")
        follows.block(person=alice, other=bob)
        assert not chat.visible_lines(alice, match).exists()
        assert chat.muted_by(alice) == ["bob"]
        assert chat.visible_lines(bob, match).exists()


def rate(game, **ratings):
    pool, _new = RatingPool.objects.get_or_create(game=game, mode="standard")
    for handle, points in ratings.items():
        person, scaled = User.objects.get(handle=handle), points * 1000
        Rating.objects.create(
            pool=pool,
            user=person,
            is_bot=False,
            rating=scaled,
            as_solo=scaled,
            as_team=scaled,
            games=9,
            last_at=timezone.now(),
        )


def wait(seconds, *handles):
    """As if these people had waited so long."""
    rows = PairingWish.objects.filter(user__handle__in=handles)
    rows.update(at=timezone.now() - timedelta(seconds=seconds))


class TestQuickPairing:
    def test_two_who_like_the_same_meet(self, alice, bob):
        assert quick_pairing.seek(person=alice, games=[GAME, OTHER]).match is None
        match = quick_pairing.seek(person=bob, games=[OTHER, TOGETHER]).match
        assert (match.game, match.players, match.rated, match.status) == (OTHER, 2, True, "playing")
        assert quick_pairing.wish_of(alice).match == match
        assert {seat.user for seat in match.seats.all()} == {alice, bob}
        assert unread(alice, "games.started") == 1

    @pytest.mark.parametrize(
        "other", [{"games": [OTHER]}, {"clock": "live-3"}, {"rated": False}, {"players": 3}, {"clock": "days-1"}]
    )
    def test_other_wishes_do_not(self, alice, bob, other):
        quick_pairing.seek(person=alice, games=[GAME], players=2)
        quick_pairing.seek(person=bob, **{"games": [GAME], **other})
        assert not Match.objects.exists()

    def test_people_of_about_the_same_strength_first(self, alice, bob, charlie):
        rate(GAME, alice=1500, bob=2000, charlie=1600)
        quick_pairing.seek(person=alice, games=[GAME])
        assert quick_pairing.seek(person=bob, games=[GAME]).match is None
        match = quick_pairing.seek(person=charlie, games=[GAME]).match
        assert {seat.user for seat in match.seats.all()} == {alice, charlie}

    def test_who_waits_longer_accepts_more_difference(self, alice, bob):
        rate(GAME, alice=1000, bob=2500)
        quick_pairing.seek(person=alice, games=[GAME])
        quick_pairing.seek(person=bob, games=[GAME])
        wait(100, "alice")
        assert quick_pairing.pair_waiting() == 0
        wait(271, "alice")
        assert quick_pairing.pair_waiting() == 1

    def test_a_table_for_three_waits_for_three(self, alice, bob, charlie):
        quick_pairing.seek(person=alice, games=[GAME], players=3)
        quick_pairing.seek(person=bob, games=[GAME], players=3)
        assert not Match.objects.exists()
        assert quick_pairing.seek(person=charlie, games=[GAME]).match.players == 3

    def test_bots_fill_the_table_after_a_while_if_one_wants(self, alice, bob, charlie):
        quick_pairing.seek(person=alice, games=[GAME], players=4, level="rookie")
        quick_pairing.seek(person=bob, games=[GAME], players=4, level="expert")
        quick_pairing.seek(person=charlie, games=[GAME], players=4)
        sweep_matches()
        assert not Match.objects.exists()
        wait(31, "alice", "charlie")
        sweep_matches()
        match = Match.objects.get()
        assert {seat.user for seat in match.seats.all() if seat.user} == {alice, bob}
        assert [seat.bot_level for seat in match.seats.all() if seat.bot_level] == ["rookie"] * 2
        assert quick_pairing.wish_of(charlie).match is None

    def test_the_blocked_do_not_meet(self, alice, bob, charlie):
        follows.block(person=bob, other=alice)
        quick_pairing.seek(person=alice, games=[GAME], players=2)
        quick_pairing.seek(person=bob, games=[GAME], players=2)
        assert not Match.objects.exists()
        quick_pairing.seek(person=charlie, games=[GAME])
        assert Seat.objects.filter(user=charlie).exists()

    def test_a_page_that_is_closed_waits_no_more(self, alice, bob):
        quick_pairing.seek(person=alice, games=[GAME])
        PairingWish.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
        assert quick_pairing.seek(person=bob, games=[GAME]).match is None
        assert quick_pairing.stay(person=alice) is None
        quick_pairing.leave(person=bob)
        assert not PairingWish.objects.exists()

    def test_the_same_wish_again_keeps_its_place(self, alice):
        first = quick_pairing.seek(person=alice, games=[GAME]).at
        assert quick_pairing.seek(person=alice, games=[GAME]).at == first
        assert quick_pairing.seek(person=alice, games=[OTHER]).at > first

    @pytest.mark.parametrize(
        "wish", [{"games": []}, {"games": ["chess"]}, {"players": 9}, {"clock": "x"}, {"level": "x"}]
    )
    def test_bad_wishes_are_refused(self, alice, wish):
        with pytest.raises(Refused):
            quick_pairing.seek(person=alice, **{"games": [GAME], **wish})
        assert not PairingWish.objects.exists()

    def test_the_pages(self, alice, as_alice, as_bob):
        wish = {"games": [GAME], "players": 0, "clock": "live-10", "rated": "on", "level": ""}
        assert as_alice.post("/play/quick/", wish).url == "/play/quick/"
        assert "Looking for people" in as_alice.get("/play/quick/").content.decode()
        assert "Looking for people" in as_alice.post("/play/quick/stay/").content.decode()
        match_page = as_bob.post("/play/quick/", wish).url
        assert as_alice.post("/play/quick/stay/")["HX-Redirect"] == match_page
        assert as_alice.post("/play/quick/", {**wish, "games": []}).status_code == 422
        as_alice.post("/play/quick/leave/")
        assert logged_in(alice).post("/play/quick/stay/")["HX-Redirect"] == "/play/quick/"


def test_a_deleted_account_leaves_no_challenge(alice, bob):
    challenges.accept(person=bob, challenge=asked(alice, bob))
    quick_pairing.seek(person=alice, games=[GAME])
    people.delete_account(person=alice)
    assert not PersonChallenge.objects.exists()
    assert not PairingWish.objects.exists()

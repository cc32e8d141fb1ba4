"""Following, blocking, who is here, and messages between friends."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.utils import timezone

from accounts import follows, messages, people, presence, trials
from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from accounts.models import AuditEntry, Block, DirectMessage, Follow, MessageReport, Notice
from deploy.own_data import own_data
from tests.factories import create_user, logged_in

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _empty_cache():
    cache.clear()


@pytest.fixture
def friends(alice, bob):
    """Alice and Bob follow each other."""
    follows.follow(person=alice, other=bob)
    follows.follow(person=bob, other=alice)
    return alice, bob


def unread(person, kind):
    return Notice.objects.filter(user=person, kind=kind, read_at=None).count()


class TestFollowing:
    def test_two_who_follow_each_other_are_friends(self, alice, bob):
        follows.follow(person=alice, other=bob)
        follows.follow(person=alice, other=bob)
        assert unread(bob, "people.followed") == 1
        assert follows.friend_ids(alice) == set()
        follows.follow(person=bob, other=alice)
        assert follows.friend_ids(alice) == {bob.pk}
        follows.unfollow(person=alice, other=bob)
        follows.follow(person=alice, other=bob)
        assert unread(bob, "people.followed") == 1

    def test_nobody_follows_themselves_bots_or_guests(self, alice, bob):
        bot, guest = create_user("robo", is_bot=True), create_user("gita")
        guest.is_guest, guest.email = True, ""
        guest.save()
        for other in (alice, bot, guest):
            with pytest.raises(Refused):
                follows.follow(person=alice, other=other)
        assert not Follow.objects.exists()

    def test_who_plays_without_an_account_meets_nobody(self, alice):
        visitor = trials.begin(address="192.0.2.1", language="en")
        for verb in (follows.follow, follows.block):
            with pytest.raises(NotAllowed):
                verb(person=visitor, other=alice)
        with pytest.raises(NotAllowed):
            messages.write(person=visitor, to=alice, text="Hello")
        with pytest.raises(Refused):
            follows.follow(person=alice, other=visitor)

    def test_a_flood_is_stopped(self, alice, monkeypatch):
        monkeypatch.setattr(follows, "MAX_PER_WINDOW", 2)
        for handle in ("one", "two"):
            follows.follow(person=alice, other=create_user(handle))
        with pytest.raises(Refused, match="Wait a while"):
            follows.follow(person=alice, other=create_user("three"))
        Follow.objects.update(at=timezone.now() - timedelta(hours=2))
        follows.follow(person=alice, other=create_user("four"))


class TestBlocking:
    def test_a_block_ends_everything_both_ways(self, friends):
        alice, bob = friends
        follows.block(person=alice, other=bob)
        assert not Follow.objects.exists()
        for one, other in ((alice, bob), (bob, alice)):
            with pytest.raises(Refused):
                follows.follow(person=one, other=other)
            with pytest.raises(Refused):
                messages.write(person=one, to=other, text="Hello")
            assert not follows.may_challenge(one, other)
        follows.unblock(person=alice, other=bob)
        follows.follow(person=bob, other=alice)

    def test_the_blocked_one_reads_of_it_nowhere(self, friends, as_bob):
        alice, bob = friends
        follows.block(person=alice, other=bob)
        follows.block(person=alice, other=create_user("nora"))
        page = as_bob.get(alice.get_absolute_url()).content.decode()
        assert "Unblock" not in page
        assert "nora" not in as_bob.get("/people/").content.decode()
        assert "Unblock" in logged_in(alice).get(bob.get_absolute_url()).content.decode()


class TestPresence:
    def test_only_friends_see_who_is_here(self, friends, charlie, as_charlie, as_alice):
        _alice, bob = friends
        follows.follow(person=charlie, other=bob)
        presence.record(bob, here=True)
        for path in ("/people/", bob.get_absolute_url()):
            assert "badge-ok" in as_alice.get(path).content.decode()
            assert "badge-ok" not in as_charlie.get(path).content.decode()

    def test_the_last_page_that_closes_ends_it(self, friends):
        _alice, bob = friends
        presence.record(bob, here=True)
        heard = cache.get(presence._key(bob.pk))
        presence.record(bob, here=True)
        cache.set(presence._key(bob.pk), heard + 1)
        presence.lost(bob, heard)
        assert presence.people_here([bob.pk]) == {bob.pk}
        presence.lost(bob, heard + 1)
        assert presence.people_here([bob.pk]) == set()

    def test_friends_hear_of_a_change_and_of_no_repetition(self, friends, monkeypatch):
        alice, bob = friends
        sent = []
        monkeypatch.setattr(presence, "publish_all", lambda frames: sent.extend(frames))
        presence.record(bob, here=True)
        presence.record(bob, here=True)
        presence.record(bob, here=False)
        presence.record(bob, here=False)
        assert sent == [(f"user.{alice.pk}", '{"event":"people"}')] * 2


class TestMessages:
    def test_friends_write_and_read(self, friends, as_bob, as_alice):
        alice, bob = friends
        answer = as_alice.post("/messages/bob/", {"text": "A game\ntonight?"})
        assert answer.url == "/messages/bob/"
        messages.write(person=alice, to=bob, text="Or tomorrow")
        assert unread(bob, "people.message") == 1
        assert [(row.other, row.unread) for row in messages.conversations(bob)] == [(alice, 2)]
        assert "tonight?" in as_bob.get("/messages/alice/").content.decode()
        assert unread(bob, "people.message") == 0
        assert messages.unread_count(bob) == 0

    def test_nobody_else_reads_them(self, friends, as_charlie, stella):
        alice, bob = friends
        messages.write(person=alice, to=bob, text="A secret word")
        for client in (as_charlie, logged_in(stella)):
            for path in ("/messages/", "/messages/alice/", "/messages/bob/", "/people/", "/play/reports/"):
                assert "A secret word" not in client.get(path).content.decode()

    def test_only_friends_write_and_only_if_it_is_wanted(self, alice, bob):
        follows.follow(person=alice, other=bob)
        with pytest.raises(Refused, match="once you follow each other"):
            messages.write(person=alice, to=bob, text="Hello")
        follows.follow(person=bob, other=alice)
        people.change_settings(person=bob, messages_from="nobody")
        bob.refresh_from_db()
        with pytest.raises(Refused, match="does not want messages"):
            messages.write(person=alice, to=bob, text="Hello")
        messages.write(person=bob, to=alice, text="Hello")

    @pytest.mark.parametrize("text", ["", "   ", "x" * 1001, "a\0b", "half \ud800"])
    def test_bad_words_are_refused_and_nothing_is_written(self, friends, text):
        alice, bob = friends
        with pytest.raises(Refused):
            messages.write(person=alice, to=bob, text=text)
        assert not DirectMessage.objects.exists()
        assert not unread(bob, "people.message")

    def test_what_was_refused_stays_in_the_form(self, friends, as_alice, monkeypatch):
        monkeypatch.setattr(messages, "MAX_PER_MINUTE", 1)
        as_alice.post("/messages/bob/", {"text": "One"})
        answer = as_alice.post("/messages/bob/", {"text": "Two words"})
        assert answer.status_code == 422
        assert "Two words</textarea>" in answer.content.decode()
        assert DirectMessage.objects.count() == 1

    def test_a_flood_of_a_day_is_stopped(self, friends, monkeypatch):
        alice, bob = friends
        monkeypatch.setattr(messages, "MAX_PER_DAY", 1)
        messages.write(person=alice, to=bob, text="One")
        DirectMessage.objects.update(at=timezone.now() - timedelta(hours=2))
        with pytest.raises(Refused, match="tomorrow"):
            messages.write(person=alice, to=bob, text="Two")


class TestReports:
    def test_the_reader_shows_it_to_staff_who_remove_it(self, friends, as_alice, as_bob, stella):
        alice, bob = friends
        message = messages.write(person=alice, to=bob, text="Something nasty")
        with pytest.raises(Refused):
            messages.report(person=alice, message=message)
        as_bob.post(f"/messages/alice/{message.pk}/report/", {"reason": "Not nice"})
        with pytest.raises(Refused, match="already"):
            messages.report(person=bob, message=message)
        page = logged_in(stella).get("/play/reports/").content.decode()
        assert "Something nasty" in page
        assert "Not nice" in page
        assert "reported" not in as_alice.get("/messages/bob/").content.decode()
        report = MessageReport.objects.get()
        with pytest.raises(NotAllowed):
            messages.decide_report(person=bob, report=report, remove=True)
        logged_in(stella).post(f"/message-reports/{report.pk}/", {"remove": "1"})
        for client, path in ((as_bob, "/messages/alice/"), (as_alice, "/messages/bob/"), (as_bob, "/messages/")):
            assert "Something nasty" not in client.get(path).content.decode()
        assert AuditEntry.objects.filter(action=messages.REMOVED, actor=stella, person=alice).exists()
        assert not messages.open_reports().exists()


class TestOwnData:
    def test_a_file_has_ones_own_messages_and_not_those_of_others(self, friends):
        alice, bob = friends
        messages.write(person=alice, to=bob, text="hers")
        messages.write(person=bob, to=alice, text="his")
        data = own_data(alice)
        assert [row["text"] for row in data["messages"]] == ["hers"]
        assert [row["followed_handle"] for row in data["follows"]] == ["bob"]

    def test_a_deleted_account_leaves_no_message(self, friends, charlie):
        alice, bob = friends
        message = messages.write(person=alice, to=bob, text="hers")
        messages.write(person=bob, to=alice, text="his")
        messages.report(person=bob, message=message, reason="it says hers")
        follows.block(person=alice, other=charlie)
        people.delete_account(person=alice)
        for model in (DirectMessage, MessageReport, Follow, Block):
            assert not model.objects.exists(), model
        assert not Notice.objects.filter(path="/messages/alice/").exists()

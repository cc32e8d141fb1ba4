"""What webhooks are sent, how often it is tried, and how it is signed."""

import base64
import hashlib
import hmac
import json
from datetime import timedelta
from itertools import pairwise

import pytest
from django.utils import timezone

from accounts.models import Delivery, Notice, Webhook
from accounts.tasks import deliver_webhook, sweep_webhooks
from accounts.webhooks import delivery as webhooks_delivery
from accounts.webhooks import discord, events, service, signing
from accounts.webhooks.delivery import MAX_ATTEMPTS, MAX_GIVEN_UP, retry_delay
from accounts.webhooks.events import EventPayload
from tests.accounts.webhook_factories import HAPPENED, MANY, STORIES, hook, later, made, owed, receiver, sent, stories
from tests.accounts.webhook_receiver import Receiver

__all__ = ["hook", "receiver", "sent", "stories"]


class TestSending:
    def test_what_happens_in_the_club_arrives_signed(self, club, hook, receiver: Receiver):
        delivery = owed(club)
        deliver_webhook(delivery.pk)
        path, headers, body = receiver.got[0]
        message = json.loads(body)
        assert path == "/hook?for=club"
        assert message["object"] == {"number": 7}
        assert (message["id"], message["event"]) == (delivery.key, HAPPENED)
        assert message["at"] == delivery.at.isoformat()
        assert message["url"].endswith("/play/seven/")
        assert verified(hook.secret, headers, body)
        assert not verified(hook.secret, headers, body + b" ")
        delivery.refresh_from_db()
        assert (delivery.status, delivery.code, delivery.attempts, delivery.due_at) == ("delivered", 204, 1, None)
        assert delivery.took is not None

    def test_the_task_is_sent_after_commit_and_not_without_it(
        self, club, hook, sent, django_capture_on_commit_callbacks
    ):
        with django_capture_on_commit_callbacks() as callbacks:
            delivery = owed(club)
        assert not sent
        for callback in callbacks:
            callback()
        assert sent == [delivery.pk]

    def test_a_lost_task_is_found_by_the_sweep(self, club, hook, receiver, monkeypatch):
        delivery = owed(club)
        assert webhooks_delivery.due() == []
        Delivery.objects.filter(pk=delivery.pk).update(due_at=timezone.now() - timedelta(minutes=1))
        monkeypatch.setattr(deliver_webhook, "delay", deliver_webhook)
        sweep_webhooks()
        assert len(receiver.got) == 1

    def test_the_same_task_twice_sends_once(self, club, hook, receiver):
        delivery = owed(club)
        deliver_webhook(delivery.pk)
        deliver_webhook(delivery.pk)
        assert len(receiver.got) == 1

    def test_a_worker_that_died_with_it_loses_nothing(self, club, hook, receiver):
        delivery = owed(club)
        Delivery.objects.filter(pk=delivery.pk).update(attempts=1, due_at=timezone.now() + webhooks_delivery.LEASE)
        deliver_webhook(delivery.pk)
        assert not receiver.got
        later(delivery)
        assert len(receiver.got) == 1

    def test_only_what_was_asked_for_and_only_while_it_is_on(self, club, alice, receiver):
        other = made(club, alice, receiver.url, events=[MANY]).hook
        events.emit(HAPPENED, club_id=club.pk, subject=7)
        service.set_enabled(actor=alice, hook=other, on=False)
        events.emit(MANY, club_id=club.pk, subject=7)
        events.emit(HAPPENED, club_id=None, subject=7)
        assert not Delivery.objects.exists()

    def test_much_of_the_same_is_told_once_as_it_is_then(self, club, hook, receiver, sent):
        first = owed(club, MANY)
        assert owed(club, MANY) == first
        assert not sent  # the sweep sends it when it has waited
        assert first.due_at > timezone.now() + timedelta(seconds=5)
        STORIES[7] = EventPayload({"number": 8}, "Eight", [], "/")
        later(first)
        assert receiver.body()["object"] == {"number": 8}
        assert owed(club, MANY) != first

    def test_what_is_no_longer_there_is_dropped(self, club, hook, receiver):
        delivery = owed(club)
        STORIES.clear()
        deliver_webhook(delivery.pk)
        delivery.refresh_from_db()
        assert delivery.status == "dropped"
        assert not receiver.got


class TestFailing:
    def test_it_is_tried_again_later_and_later_with_the_same_body(self, club, hook, receiver):
        receiver.code, receiver.answer = 500, b"broken\0 " + b"x" * 900
        delivery = owed(club)
        deliver_webhook(delivery.pk)
        delivery.refresh_from_db()
        assert (delivery.status, delivery.code) == ("waiting", 500)
        assert delivery.answer.startswith("broken x")
        assert len(delivery.answer) == 500
        STORIES[7] = EventPayload({"number": 8}, "Another", [], "/")
        receiver.code = 200
        assert later(delivery).status == "delivered"
        assert receiver.got[0][2] == receiver.got[1][2]
        assert receiver.got[0][1]["webhook-id"] == receiver.got[1][1]["webhook-id"]

    def test_the_pauses_double_with_a_lot_of_its_own_and_end_within_a_day(self):
        pauses = [retry_delay(attempt, "msg_a") for attempt in range(1, MAX_ATTEMPTS)]
        assert pauses == [retry_delay(attempt, "msg_a") for attempt in range(1, MAX_ATTEMPTS)]
        assert pauses != [retry_delay(attempt, "msg_b") for attempt in range(1, MAX_ATTEMPTS)]
        assert timedelta(seconds=30) <= pauses[0] <= timedelta(seconds=37.5)
        assert all(1.5 < longer / shorter < 2.6 for shorter, longer in pairwise(pauses))
        assert timedelta(hours=17) <= sum(pauses, timedelta()) <= timedelta(hours=22)

    def test_in_the_end_it_is_given_up_and_after_many_the_hook_is_switched_off(self, club, alice, hook, receiver):
        receiver.code = 503
        for round_ in range(MAX_GIVEN_UP):
            delivery = owed(club)
            for _ in range(MAX_ATTEMPTS):
                later(delivery)
            assert delivery.status == "failed"
            hook.hook.refresh_from_db()
            assert hook.hook.is_on == (round_ < MAX_GIVEN_UP - 1)
        assert len(receiver.got) == MAX_GIVEN_UP * MAX_ATTEMPTS
        notice = Notice.objects.get(kind="webhook.off")
        assert notice.user == alice
        assert notice.path == hook.hook.get_absolute_url()
        events.emit(HAPPENED, club_id=club.pk, subject=7)
        assert not Delivery.objects.filter(status="waiting").exists()

    def test_one_that_arrives_begins_the_count_anew(self, club, hook, receiver):
        Webhook.objects.update(given_up=MAX_GIVEN_UP - 1)
        deliver_webhook(owed(club).pk)
        hook.hook.refresh_from_db()
        assert hook.hook.given_up == 0

    def test_gone_is_gone(self, club, hook, receiver):
        receiver.code = 410
        waiting = owed(club, MANY)
        deliver_webhook(owed(club).pk)
        hook.hook.refresh_from_db()
        waiting.refresh_from_db()
        assert not hook.hook.is_on
        assert waiting.status == "failed"

    def test_a_redirect_is_not_followed(self, club, hook, receiver):
        receiver.code, receiver.headers = 302, {"Location": receiver.url}
        delivery = owed(club)
        deliver_webhook(delivery.pk)
        delivery.refresh_from_db()
        assert (delivery.code, delivery.status, len(receiver.got)) == (302, "waiting", 1)

    @pytest.mark.parametrize(
        ("answer", "headers", "seconds"),
        [
            (b'{"message": "slow down", "retry_after": 64.57, "global": false}', {}, 64.57),
            (b"", {"Retry-After": "120"}, 120),
            (b'{"retry_after": 999999}', {}, 3600),
        ],
    )
    def test_a_receiver_that_asks_for_peace_gets_it(self, club, hook, receiver, answer, headers, seconds):
        receiver.code, receiver.answer, receiver.headers = 429, answer, headers
        delivery = owed(club)
        before = timezone.now()
        deliver_webhook(delivery.pk)
        delivery.refresh_from_db()
        pause = delivery.due_at - before
        assert timedelta(seconds=seconds) <= pause <= timedelta(seconds=seconds + 20)


class TestDiscord:
    def test_its_shape_and_that_it_calls_nobody(self, club, alice, receiver):
        made(club, alice, receiver.url, shape="discord")
        deliver_webhook(owed(club).pk)
        message = receiver.body()
        assert set(message) == {"embeds", "allowed_mentions"}
        assert message["allowed_mentions"] == {"parse": []}
        (embed,) = message["embeds"]
        assert embed["title"] == "Seven came"
        assert embed["description"] == "Alice \\*won\\*\n\\@everyone lost"
        assert embed["url"].startswith("http")
        assert embed["url"].endswith("/play/seven/")
        assert embed["color"] == 0x123456

    def test_its_limits(self):
        message = discord.message(
            title="t" * 999,
            lines=[f"{number} {'x' * 90}" for number in range(400)],
            url="https://club.example/",
            colour=1,
            at=timezone.now(),
            footer="f" * 9999,
        )
        (embed,) = message["embeds"]
        assert len(embed["title"]) == 256
        assert 3900 < len(embed["description"]) <= 4096
        assert embed["description"].endswith("x\n…")
        assert len(embed["footer"]["text"]) == 2048


class TestSecret:
    def test_a_new_one_counts_beside_the_old_one_for_a_day(self, club, alice, hook, receiver):
        new = service.rotate(actor=alice, hook=hook.hook)
        assert new.secret != hook.secret
        deliver_webhook(owed(club).pk)
        _, headers, body = receiver.got[-1]
        assert verified(hook.secret, headers, body)
        assert verified(new.secret, headers, body)
        Webhook.objects.update(rotated_at=timezone.now() - signing.OVERLAP)
        deliver_webhook(owed(club).pk)
        _, headers, body = receiver.got[-1]
        assert not verified(hook.secret, headers, body)
        assert verified(new.secret, headers, body)

    def test_it_is_nowhere_in_the_database(self, hook):
        row = Webhook.objects.values().get()
        assert hook.secret.removeprefix("whsec_") not in str(row)

    def test_the_standards_own_example(self):
        """From the text of Standard Webhooks."""
        signature = signing.sign(
            "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            "1614265330",
            b'{"test": 2432232314}',
        )
        assert signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def verified(secret: str, headers: dict[str, str], body: bytes) -> bool:
    """As a receiver does it, by the standard's text and without our code."""
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    key = base64.b64decode(secret.split("_", 1)[1])
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return f"v1,{expected}" in headers["webhook-signature"].split(" ")

"""Webhooks on the pages of their club."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts import clubs
from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from accounts.models import Delivery, Webhook
from accounts.tasks import deliver_webhook
from accounts.webhooks import delivery as webhooks_delivery
from accounts.webhooks import service, signing
from tests.accounts.webhook_factories import HAPPENED, MANY, hook, made, owed, receiver, sent, stories
from tests.factories import logged_in

__all__ = ["hook", "receiver", "sent", "stories"]


class TestPages:
    def test_an_organiser_makes_one_and_sees_the_secret_once(self, club, olga):
        browser = logged_in(olga)
        fields = {"name": "News", "url": "https://news.example/in", "shape": "json", "events": [HAPPENED]}
        shown = browser.post(f"/clubs/{club.slug}/webhooks/", fields).content.decode()
        hook = Webhook.objects.get()
        secret = signing.secret_of(hook, hook.salt)
        assert secret in shown.replace("&#x27;", "'")
        assert secret not in browser.get(hook.get_absolute_url()).content.decode()
        assert "news.example" in browser.get(f"/clubs/{club.slug}/webhooks/").content.decode()
        log = browser.get(f"/clubs/{club.slug}/log/").content.decode()
        assert "News" in log
        assert "/in" not in log

    def test_nonsense_comes_back_with_a_sentence_at_its_field(self, club, olga):
        fields = {"name": "News", "url": "http://10.0.0.1/", "shape": "json"}
        answer = logged_in(olga).post(f"/clubs/{club.slug}/webhooks/", fields)
        assert answer.status_code == 422
        assert set(answer.context["form"].errors) == {"url", "events"}
        assert not Webhook.objects.exists()

    def test_a_test_is_sent_and_its_fate_is_in_the_log(self, club, alice, olga, hook, receiver, sent):
        receiver.code, receiver.answer = 418, b"<b>short and stout</b>"
        browser = logged_in(olga)
        browser.post(f"{hook.hook.get_absolute_url()}test/")
        delivery = Delivery.objects.get()
        deliver_webhook(delivery.pk)
        assert receiver.body()["event"] == "test"
        page = browser.get(hook.hook.get_absolute_url()).content.decode()
        assert "418" in page
        assert "&lt;b&gt;short and stout" in page
        # One attempt alone, and not another at once.
        delivery.refresh_from_db()
        assert delivery.status == "failed"
        with pytest.raises(Refused):
            service.send_test(actor=alice, hook=hook.hook)

    def test_sent_again_under_the_same_id(self, club, olga, hook, receiver):
        delivery = owed(club)
        deliver_webhook(delivery.pk)
        again = f"{hook.hook.get_absolute_url()}again/{delivery.key}/"
        browser = logged_in(olga)
        browser.post(again)
        deliver_webhook(delivery.pk)
        assert len(receiver.got) == 1  # too soon
        Delivery.objects.update(tried_at=timezone.now() - timedelta(minutes=1))
        browser.post(again)
        deliver_webhook(delivery.pk)
        assert receiver.got[0][1]["webhook-id"] == receiver.got[1][1]["webhook-id"]
        assert receiver.got[0][2] == receiver.got[1][2]

    def test_members_and_strangers_have_no_business_here(self, club, alice, bob, charlie, hook):
        for somebody in (bob, charlie):
            with pytest.raises(NotAllowed):
                service.rotate(actor=somebody, hook=hook.hook)
            with pytest.raises(NotAllowed):
                service.create_webhook(
                    actor=somebody, club=club, name="x", url="https://x.example", shape="json", events=[MANY]
                )

    def test_another_clubs_webhook_is_not_there(self, club, charlie, hook):
        other = clubs.create_club(founder=charlie, name="Elsewhere")
        answer = logged_in(charlie).get(f"/clubs/{other.slug}/webhooks/{hook.hook.pk}/")
        assert answer.status_code == 404

    def test_so_many_and_no_more(self, club, alice):
        for _ in range(service.MAX_WEBHOOKS):
            made(club, alice, "https://news.example/")
        with pytest.raises(Refused):
            made(club, alice, "https://news.example/")

    def test_the_log_goes_back_a_month(self, club, hook):
        old = owed(club)
        Delivery.objects.filter(pk=old.pk).update(
            at=timezone.now() - timedelta(days=31), status="delivered", due_at=None
        )
        owed(club)
        webhooks_delivery.delete_old()
        assert Delivery.objects.count() == 1

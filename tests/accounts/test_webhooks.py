import base64
import hashlib
import hmac
import json
import socket
import threading
from datetime import timedelta
from itertools import pairwise

import pytest
from django.utils import timezone

from accounts import clubs, deliveries, discord, outbound, signing, webhooks
from accounts.access import NotAllowed
from accounts.deliveries import MOST_ATTEMPTS, MOST_GIVEN_UP, pause_after
from accounts.errors import Refused
from accounts.models import Delivery, Notice, Webhook
from accounts.tasks import deliver_news, sweep_news
from accounts.webhooks import Story
from tests.accounts.conftest import logged_in
from tests.accounts.receiver import Receiver, listening

STORIES: dict[int, Story] = {}
HAPPENED = webhooks.event("tests.happened", "It happened", describe=lambda number: STORIES.get(number), colour=0x123456)
MANY = webhooks.event(
    "tests.many", "Often", describe=lambda number: STORIES.get(number), colour=1, patience=timedelta(seconds=15)
)


@pytest.fixture(autouse=True)
def sent(monkeypatch) -> list[int]:
    """Deliveries whose task was sent. There is no worker here: tests run the tasks themselves."""
    tasks: list[int] = []
    monkeypatch.setattr("accounts.webhooks.send", tasks.append)
    return tasks


@pytest.fixture(autouse=True)
def stories():
    STORIES.clear()
    STORIES[7] = Story({"number": 7}, "Seven came", ["Alice *won*", "@everyone lost"], "/play/seven/")
    yield
    STORIES.clear()


@pytest.fixture
def receiver(settings):
    settings.WEBHOOKS_TO_PRIVATE = True
    with listening() as found:
        yield found


def made(club, alice, url: str, shape: str = "json", events=(HAPPENED, MANY)) -> webhooks.NewSecret:
    return webhooks.make(actor=alice, club=club, name="News", url=url, shape=shape, events=events)


@pytest.fixture
def hook(club, alice, receiver) -> webhooks.NewSecret:
    return made(club, alice, receiver.url)


def owed(club, event: str = HAPPENED) -> Delivery:
    webhooks.emit(event, club_id=club.pk, subject=7)
    return Delivery.objects.latest("pk")


def later(delivery: Delivery) -> Delivery:
    """Its pause is over: try it again."""
    Delivery.objects.filter(pk=delivery.pk, status="waiting").update(due_at=timezone.now())
    deliver_news(delivery.pk)
    delivery.refresh_from_db()
    return delivery


class TestSending:
    def test_what_happens_in_the_club_arrives_signed(self, club, hook, receiver: Receiver):
        delivery = owed(club)
        deliver_news(delivery.pk)
        path, headers, body = receiver.got[0]
        told = json.loads(body)
        assert path == "/hook?for=club"
        assert told["object"] == {"number": 7}
        assert (told["id"], told["event"]) == (delivery.key, HAPPENED)
        assert told["at"] == delivery.at.isoformat()
        assert told["url"].endswith("/play/seven/")
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
        assert deliveries.due() == []
        Delivery.objects.filter(pk=delivery.pk).update(due_at=timezone.now() - timedelta(minutes=1))
        monkeypatch.setattr(deliver_news, "delay", deliver_news)
        sweep_news()
        assert len(receiver.got) == 1

    def test_the_same_task_twice_sends_once(self, club, hook, receiver):
        delivery = owed(club)
        deliver_news(delivery.pk)
        deliver_news(delivery.pk)
        assert len(receiver.got) == 1

    def test_a_worker_that_died_with_it_loses_nothing(self, club, hook, receiver):
        delivery = owed(club)
        Delivery.objects.filter(pk=delivery.pk).update(attempts=1, due_at=timezone.now() + deliveries.LEASE)
        deliver_news(delivery.pk)
        assert not receiver.got
        later(delivery)
        assert len(receiver.got) == 1

    def test_only_what_was_asked_for_and_only_while_it_is_on(self, club, alice, receiver):
        other = made(club, alice, receiver.url, events=[MANY]).hook
        webhooks.emit(HAPPENED, club_id=club.pk, subject=7)
        webhooks.switch(actor=alice, hook=other, on=False)
        webhooks.emit(MANY, club_id=club.pk, subject=7)
        webhooks.emit(HAPPENED, club_id=None, subject=7)
        assert not Delivery.objects.exists()

    def test_much_of_the_same_is_told_once_as_it_is_then(self, club, hook, receiver, sent):
        first = owed(club, MANY)
        assert owed(club, MANY) == first
        assert not sent  # the sweep sends it when it has waited
        assert first.due_at > timezone.now() + timedelta(seconds=5)
        STORIES[7] = Story({"number": 8}, "Eight", [], "/")
        later(first)
        assert receiver.told()["object"] == {"number": 8}
        assert owed(club, MANY) != first

    def test_what_is_no_longer_there_is_dropped(self, club, hook, receiver):
        delivery = owed(club)
        STORIES.clear()
        deliver_news(delivery.pk)
        delivery.refresh_from_db()
        assert delivery.status == "dropped"
        assert not receiver.got


class TestFailing:
    def test_it_is_tried_again_later_and_later_with_the_same_body(self, club, hook, receiver):
        receiver.code, receiver.answer = 500, b"broken\0 " + b"x" * 900
        delivery = owed(club)
        deliver_news(delivery.pk)
        delivery.refresh_from_db()
        assert (delivery.status, delivery.code) == ("waiting", 500)
        assert delivery.answer.startswith("broken x")
        assert len(delivery.answer) == 500
        STORIES[7] = Story({"number": 8}, "Another", [], "/")
        receiver.code = 200
        assert later(delivery).status == "delivered"
        assert receiver.got[0][2] == receiver.got[1][2]
        assert receiver.got[0][1]["webhook-id"] == receiver.got[1][1]["webhook-id"]

    def test_the_pauses_double_with_a_lot_of_its_own_and_end_within_a_day(self):
        pauses = [pause_after(attempt, "msg_a") for attempt in range(1, MOST_ATTEMPTS)]
        assert pauses == [pause_after(attempt, "msg_a") for attempt in range(1, MOST_ATTEMPTS)]
        assert pauses != [pause_after(attempt, "msg_b") for attempt in range(1, MOST_ATTEMPTS)]
        assert timedelta(seconds=30) <= pauses[0] <= timedelta(seconds=37.5)
        assert all(1.5 < longer / shorter < 2.6 for shorter, longer in pairwise(pauses))
        assert timedelta(hours=17) <= sum(pauses, timedelta()) <= timedelta(hours=22)

    def test_in_the_end_it_is_given_up_and_after_many_the_hook_is_switched_off(self, club, alice, hook, receiver):
        receiver.code = 503
        for round_ in range(MOST_GIVEN_UP):
            delivery = owed(club)
            for _ in range(MOST_ATTEMPTS):
                later(delivery)
            assert delivery.status == "failed"
            hook.hook.refresh_from_db()
            assert hook.hook.is_on == (round_ < MOST_GIVEN_UP - 1)
        assert len(receiver.got) == MOST_GIVEN_UP * MOST_ATTEMPTS
        notice = Notice.objects.get(kind="webhook.off")
        assert notice.user == alice
        assert notice.path == hook.hook.get_absolute_url()
        webhooks.emit(HAPPENED, club_id=club.pk, subject=7)
        assert not Delivery.objects.filter(status="waiting").exists()

    def test_one_that_arrives_begins_the_count_anew(self, club, hook, receiver):
        Webhook.objects.update(given_up=MOST_GIVEN_UP - 1)
        deliver_news(owed(club).pk)
        hook.hook.refresh_from_db()
        assert hook.hook.given_up == 0

    def test_gone_is_gone(self, club, hook, receiver):
        receiver.code = 410
        waiting = owed(club, MANY)
        deliver_news(owed(club).pk)
        hook.hook.refresh_from_db()
        waiting.refresh_from_db()
        assert not hook.hook.is_on
        assert waiting.status == "failed"

    def test_a_redirect_is_not_followed(self, club, hook, receiver):
        receiver.code, receiver.headers = 302, {"Location": receiver.url}
        delivery = owed(club)
        deliver_news(delivery.pk)
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
        deliver_news(delivery.pk)
        delivery.refresh_from_db()
        pause = delivery.due_at - before
        assert timedelta(seconds=seconds) <= pause <= timedelta(seconds=seconds + 20)


class TestDiscord:
    def test_its_shape_and_that_it_calls_nobody(self, club, alice, receiver):
        made(club, alice, receiver.url, shape="discord")
        deliver_news(owed(club).pk)
        told = receiver.told()
        assert set(told) == {"embeds", "allowed_mentions"}
        assert told["allowed_mentions"] == {"parse": []}
        (embed,) = told["embeds"]
        assert embed["title"] == "Seven came"
        assert embed["description"] == "Alice \\*won\\*\n\\@everyone lost"
        assert embed["url"].startswith("http")
        assert embed["url"].endswith("/play/seven/")
        assert embed["color"] == 0x123456

    def test_its_limits(self):
        told = discord.message(
            title="t" * 999,
            lines=[f"{number} {'x' * 90}" for number in range(400)],
            url="https://club.example/",
            colour=1,
            at=timezone.now(),
            footer="f" * 9999,
        )
        (embed,) = told["embeds"]
        assert len(embed["title"]) == 256
        assert 3900 < len(embed["description"]) <= 4096
        assert embed["description"].endswith("x\n…")
        assert len(embed["footer"]["text"]) == 2048


class TestSecret:
    def test_a_new_one_counts_beside_the_old_one_for_a_day(self, club, alice, hook, receiver):
        new = webhooks.rotate(actor=alice, hook=hook.hook)
        assert new.secret != hook.secret
        deliver_news(owed(club).pk)
        _, headers, body = receiver.got[-1]
        assert verified(hook.secret, headers, body)
        assert verified(new.secret, headers, body)
        Webhook.objects.update(rotated_at=timezone.now() - signing.OVERLAP)
        deliver_news(owed(club).pk)
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


class TestWhereItMayGo:
    @pytest.mark.parametrize(
        "url",
        [
            "http://127.0.0.1/",
            "http://10.1.2.3:8080/",
            "http://192.168.1.1/",
            "http://169.254.169.254/latest/meta-data/",
            "http://100.64.0.1/",
            "http://0.0.0.0/",
            "http://[::1]/",
            "http://[fe80::1]/",
            "http://[fd00::1]/",
            "http://[::ffff:127.0.0.1]/",
            "http://[64:ff9b::a00:1]/",
            "http://[2002:7f00:1::]/",
            "http://224.0.0.1/",
            "ftp://example.org/",
            "file:///etc/passwd",
            "//example.org/",
            "https://user:password@example.org/",
            "https://example.org:99999/",
            "https://exa mple.org/",
            "javascript:alert(1)",
            "",
        ],
    )
    def test_not_into_private_networks_nor_by_other_ways(self, club, alice, url):
        with pytest.raises(Refused):
            made(club, alice, url)
        with pytest.raises(outbound.Forbidden):
            outbound.post(url, b"{}", {})

    @pytest.mark.parametrize("answers", [["127.0.0.1"], ["93.184.216.34", "10.0.0.8"], ["::1"]])
    def test_a_name_that_leads_inside_is_refused_before_anything_connects(
        self, club, alice, receiver, settings, monkeypatch, answers
    ):
        settings.WEBHOOKS_TO_PRIVATE = False
        asked = []

        def looked_up(host, port, **_options):
            asked.append(host)
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in answers]

        def connected(*_arguments, **_options):
            raise AssertionError("it connected")

        monkeypatch.setattr(socket, "getaddrinfo", looked_up)
        monkeypatch.setattr(socket, "create_connection", connected)
        made(club, alice, "http://inside.example/")
        delivery = owed(club)
        deliver_news(delivery.pk)
        delivery.refresh_from_db()
        assert asked == ["inside.example"]
        assert (delivery.status, delivery.answer) == ("failed", "the address leads into a private network")
        assert not receiver.got

    def test_the_connection_goes_to_the_address_that_was_checked(self, receiver, monkeypatch):
        """A name is looked up once: what it answers afterwards does not matter."""
        answers = [["127.0.0.1"], ["203.0.113.9"]]

        def looked_up(host, port, **_options):
            if host != "rebinding.example":  # the connection itself asks for a plain address
                assert host == "127.0.0.1"
                return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (host, port))]
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, port)) for each in answers.pop(0)]

        monkeypatch.setattr(
            socket, "getaddrinfo", lambda host, port, *_args, **options: looked_up(host, port, **options)
        )
        answer = outbound.post(f"http://rebinding.example:{receiver.port}/x", b"{}", {})
        assert answer.code == 204
        assert receiver.got[0][1]["host"] == f"rebinding.example:{receiver.port}"

    def test_at_home_everything_but_the_metadata_of_clouds(self, settings):
        settings.WEBHOOKS_TO_PRIVATE = True
        assert outbound.checked("http://192.168.1.7:8080/hook").port == 8080
        with pytest.raises(outbound.Forbidden):
            outbound.checked("http://169.254.169.254/")

    def test_a_receiver_that_dribbles_is_cut_off(self, settings, monkeypatch):
        settings.WEBHOOKS_TO_PRIVATE = True
        monkeypatch.setattr(outbound, "LONGEST", 0.3)
        done = threading.Event()
        with socket.create_server(("127.0.0.1", 0)) as server:

            def dribble() -> None:
                connection, _ = server.accept()
                with connection:
                    connection.recv(65536)
                    connection.sendall(b"HTTP/1.1 20")
                    done.wait(60)

            thread = threading.Thread(target=dribble)
            thread.start()
            try:
                with pytest.raises(outbound.Unreachable, match="no answer in time"):
                    outbound.post(f"http://127.0.0.1:{server.getsockname()[1]}/", b"{}", {})
            finally:
                done.set()
                thread.join()

    def test_a_huge_answer_is_read_only_so_far(self, receiver):
        receiver.code, receiver.answer = 200, b"x" * 200_000
        assert len(outbound.post(receiver.url, b"{}", {}).body) == outbound.LARGEST_ANSWER

    def test_nobody_there(self, club, alice, settings):
        settings.WEBHOOKS_TO_PRIVATE = True
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
        made(club, alice, f"http://127.0.0.1:{port}/")
        delivery = owed(club)
        deliver_news(delivery.pk)
        delivery.refresh_from_db()
        assert (delivery.status, delivery.code, delivery.answer) == ("waiting", None, "it refuses connections")


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
        deliver_news(delivery.pk)
        assert receiver.told()["event"] == "test"
        page = browser.get(hook.hook.get_absolute_url()).content.decode()
        assert "418" in page
        assert "&lt;b&gt;short and stout" in page
        # One attempt alone, and not another at once.
        delivery.refresh_from_db()
        assert delivery.status == "failed"
        with pytest.raises(Refused):
            webhooks.test(actor=alice, hook=hook.hook)

    def test_sent_again_under_the_same_id(self, club, olga, hook, receiver):
        delivery = owed(club)
        deliver_news(delivery.pk)
        again = f"{hook.hook.get_absolute_url()}again/{delivery.key}/"
        browser = logged_in(olga)
        browser.post(again)
        deliver_news(delivery.pk)
        assert len(receiver.got) == 1  # too soon
        Delivery.objects.update(tried_at=timezone.now() - timedelta(minutes=1))
        browser.post(again)
        deliver_news(delivery.pk)
        assert receiver.got[0][1]["webhook-id"] == receiver.got[1][1]["webhook-id"]
        assert receiver.got[0][2] == receiver.got[1][2]

    def test_members_and_strangers_have_no_business_here(self, club, alice, bob, charlie, hook):
        for somebody in (bob, charlie):
            with pytest.raises(NotAllowed):
                webhooks.rotate(actor=somebody, hook=hook.hook)
            with pytest.raises(NotAllowed):
                webhooks.make(actor=somebody, club=club, name="x", url="https://x.example", shape="json", events=[MANY])

    def test_another_clubs_webhook_is_not_there(self, club, charlie, hook):
        other = clubs.found(founder=charlie, name="Elsewhere")
        answer = logged_in(charlie).get(f"/clubs/{other.slug}/webhooks/{hook.hook.pk}/")
        assert answer.status_code == 404

    def test_so_many_and_no_more(self, club, alice):
        for _ in range(webhooks.MOST_WEBHOOKS):
            made(club, alice, "https://news.example/")
        with pytest.raises(Refused):
            made(club, alice, "https://news.example/")

    def test_the_log_goes_back_a_month(self, club, hook):
        old = owed(club)
        Delivery.objects.filter(pk=old.pk).update(
            at=timezone.now() - timedelta(days=31), status="delivered", due_at=None
        )
        owed(club)
        deliveries.clear_out()
        assert Delivery.objects.count() == 1


def verified(secret: str, headers: dict[str, str], body: bytes) -> bool:
    """As a receiver does it, by the standard's text and without our code."""
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    key = base64.b64decode(secret.split("_", 1)[1])
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return f"v1,{expected}" in headers["webhook-signature"].split(" ")

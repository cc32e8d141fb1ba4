"""Alerts by web push: one more way for every notice, to devices that are logged in."""

from datetime import timedelta

import pytest
import time_machine
from allauth.usersessions.models import UserSession
from django.core import mail
from django.test import Client
from django.utils import timezone

from accounts import api_tokens, people, tasks
from accounts.infra.errors import Refused
from accounts.models import AuditEntry, Mail, Notice, NoticeChoice, PushAlert, PushDevice
from accounts.notifications import devices, preferences, push
from accounts.notifications.preferences import Preference
from accounts.notifications.service import deliver_notification, notify
from deploy.own_data import own_data
from tests.accounts.push_browser import PushBrowser, claims_of
from tests.accounts.webhook_receiver import listening
from tests.factories import logged_in

pytestmark = pytest.mark.django_db
PHONE = "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36"
PUBLIC = "https://push.example/send/1"


@pytest.fixture(autouse=True)
def sent(monkeypatch) -> list[int]:
    """Alerts whose task was sent. There is no worker here: tests run the tasks themselves."""
    queued: list[int] = []
    monkeypatch.setattr("accounts.notifications.push._send_task", queued.append)
    return queued


@pytest.fixture
def service(settings):
    settings.WEBHOOKS_TO_PRIVATE = True
    with listening() as receiver:
        receiver.code = 201
        yield receiver


@pytest.fixture
def browser() -> PushBrowser:
    return PushBrowser()


@pytest.fixture
def phone(bob) -> Client:
    client = logged_in(bob)
    client.defaults["HTTP_USER_AGENT"] = PHONE
    return client


def switch_on(client: Client, endpoint: str, browser: PushBrowser, **more: str):
    return client.post("/settings/devices/", {"endpoint": endpoint, **browser.keys, **more}, follow=not more)


@pytest.fixture
def device(phone, service, browser, bob) -> PushDevice:
    switch_on(phone, service.url, browser)
    return bob.push_devices.get()


class TestSending:
    def test_an_alert_says_what_the_subject_of_the_mail_says(
        self, bob, club, device, service, browser, sent, django_capture_on_commit_callbacks
    ):
        bob.language = "it"
        bob.save()
        with django_capture_on_commit_callbacks(execute=True):
            notify([bob], "club.closed", path="/clubs/", club=club)
            deliver_notification(notice_id=bob.notices.get().pk)
        assert len(sent) == 1
        tasks.deliver_alert(sent[0])
        [(path, headers, body)] = service.got
        message = browser.read(body)
        assert message["words"] == mail.outbox[0].subject
        assert message["path"] == "/clubs/"
        assert message["language"] == "it"
        assert set(message) == {"words", "path", "tag", "language"}
        assert path == "/hook?for=club"
        assert headers["content-encoding"] == "aes128gcm"
        assert int(headers["ttl"]) > 0
        assert headers["topic"] == message["tag"]
        assert "clubs" not in headers["topic"]
        claims, signer = claims_of(headers["authorization"])
        assert claims["aud"] == f"http://127.0.0.1:{service.port}"
        assert timezone.now().timestamp() < claims["exp"] < timezone.now().timestamp() + 86400
        assert signer == device.server_key == push.public_key()
        # The push service learns nothing of it.
        assert club.name.encode() not in body
        device.refresh_from_db()
        assert device.used_at
        assert not PushAlert.objects.exists()

    def test_a_table_is_urgent_and_a_later_alert_replaces_the_one_before(self, bob, device, service, browser, sent):
        for path in ("/play/abcdefgh12/", "/play/abcdefgh12/", "/play/zzzzzzzz12/"):
            notify([bob], "games.your-turn", path=path, game="Splendor: Marvel")
            deliver_notification(notice_id=bob.notices.latest("pk").pk)
            run_waiting()
        topics = [headers["topic"] for _, headers, _ in service.got]
        assert topics[0] == topics[1] != topics[2]
        assert {headers["urgency"] for _, headers, _ in service.got} == {"high"}

    def test_a_very_long_sentence_still_fits(self, bob, club, device, service, browser, sent):
        club.name = "👑" * 80
        club.save()
        notify([bob], "club.announcement", path="/x/" + "y" * 190, club=club, title="t" * 3000, text="x")
        deliver_notification(notice_id=bob.notices.get().pk)
        run_waiting()
        assert len(service.got[0][2]) <= 4096
        assert len(browser.read(service.got[0][2])["words"]) <= push.MAX_WORDS

    def test_every_kind_can_be_chosen_and_is_stored_with_the_notice(self, bob, club, device, service, sent):
        preferences.set_preferences(person=bob, changes={"club.closed": Preference(push=False)})
        notify([bob], "club.closed", path="/", club=club)
        assert not bob.notices.get().push
        deliver_notification(notice_id=bob.notices.get().pk)
        assert not PushAlert.objects.exists()
        # It can be switched off where the bell cannot.
        preferences.set_preferences(person=bob, changes={"request.made": Preference(False, Mail.NEVER, False)})
        assert preferences.preferences_of(bob)["request.made"] == Preference(True, Mail.NEVER, False)

    def test_the_link_in_a_mail_stops_mails_alone(self, bob):
        preferences.set_preferences(person=bob, changes={"club.closed": Preference(push=False)})
        preferences.unsubscribe(person=bob, kind="club.closed")
        assert NoticeChoice.objects.get(user=bob).push is False
        preferences.unsubscribe(person=bob, kind="club.removed")
        assert preferences.preferences_of(bob)["club.removed"] == Preference(True, Mail.NEVER, True)

    def test_a_mail_that_is_tried_again_brings_no_second_alert(self, bob, club, device, monkeypatch):
        monkeypatch.setattr("accounts.notifications.email.send_email", broken)
        notify([bob], "club.closed", path="/", club=club)
        notice = bob.notices.get()
        for _ in range(2):
            Notice.objects.update(due_at=timezone.now())
            with pytest.raises(OSError, match="no mail"):
                deliver_notification(notice_id=notice.pk)
        assert PushAlert.objects.count() == 1

    def test_what_was_read_meanwhile_is_not_sent(self, bob, club, device, service):
        notify([bob], "club.closed", path="/", club=club)
        deliver_notification(notice_id=bob.notices.get().pk)
        bob.notices.update(read_at=timezone.now())
        run_waiting()
        assert not service.got
        assert not PushAlert.objects.exists()

    def test_a_task_that_runs_twice_sends_once(self, device, service):
        waiting = PushAlert.objects.create(device=device)
        assert push.deliver_alert(alert_id=waiting.pk)
        assert not push.deliver_alert(alert_id=waiting.pk)
        assert len(service.got) == 1


class TestFailures:
    @pytest.mark.parametrize("code", [404, 410])
    def test_a_browser_that_is_gone_is_forgotten(self, device, service, code):
        service.code = code
        PushAlert.objects.create(device=device)
        run_waiting()
        assert not PushDevice.objects.exists()
        assert not PushAlert.objects.exists()

    def test_a_service_that_is_down_is_tried_again_and_given_up(self, device, service):
        service.code = 503
        PushAlert.objects.create(device=device)
        for attempt in range(1, push.MAX_ATTEMPTS):
            run_waiting()
            waiting = PushAlert.objects.get()
            assert waiting.attempts == attempt
            pause = waiting.due_at - timezone.now()
            assert abs(pause - push.FIRST_PAUSE * 2 ** (attempt - 1)) < timedelta(seconds=20)
        run_waiting()
        assert not PushAlert.objects.exists()
        device.refresh_from_db()
        assert device.given_up == 1
        service.code = 201
        PushAlert.objects.create(device=device)
        run_waiting()
        device.refresh_from_db()
        assert device.given_up == 0

    def test_it_says_how_long_to_wait(self, device, service):
        service.code, service.headers = 429, {"Retry-After": "120"}
        PushAlert.objects.create(device=device)
        run_waiting()
        assert timedelta(seconds=100) < PushAlert.objects.get().due_at - timezone.now() <= timedelta(seconds=120)

    def test_what_is_refused_is_not_repeated_and_in_the_end_the_device_is_forgotten(self, device, service):
        service.code = 400
        for number in range(1, push.MAX_GIVEN_UP + 1):
            PushAlert.objects.create(device=device)
            run_waiting()
            assert len(service.got) == number
        assert not PushDevice.objects.exists()

    def test_nobody_listens(self, device, service):
        PushDevice.objects.update(endpoint="http://127.0.0.1:1/")
        PushAlert.objects.create(device=device)
        run_waiting()
        assert PushAlert.objects.get().attempts == 1

    def test_the_site_has_another_key_now(self, device, service, settings):
        """The browser would refuse it, for ever."""
        settings.PUSH_KEY = 12345
        PushAlert.objects.create(device=device)
        run_waiting()
        assert not service.got
        assert not PushDevice.objects.exists()

    def test_the_sweep_finds_what_was_lost(self, device):
        lost = PushAlert.objects.create(device=device)
        PushAlert.objects.create(device=device, due_at=timezone.now() + timedelta(minutes=5))
        assert push.due_alerts() == []
        with time_machine.travel(timezone.now() + timedelta(seconds=30), tick=False):
            assert push.due_alerts() == [lost.pk]


class TestDevices:
    def test_a_phone_is_listed_with_its_name(self, phone, device, service):
        assert device.name == "Chrome · Android"
        page = phone.get("/settings/notices/").content.decode()
        assert 'data-alerts="on"' in page
        assert page.count("Chrome · Android</strong>") == 1
        assert "This device" in page
        assert service.url not in page

    def test_another_browser_of_the_same_person_is_not_this_device(self, device, bob):
        page = logged_in(bob).get("/settings/notices/").content.decode()
        assert 'data-alerts="off"' in page
        assert "Chrome · Android</strong>" in page

    def test_the_test_alert(self, phone, device, service, browser):
        answer = phone.post(f"/settings/devices/{device.pk}/test/", follow=True)
        assert "A test alert is on its way." in answer.content.decode()
        run_waiting()
        message = browser.read(service.got[0][2])
        assert message["words"] == "This is a test. Alerts arrive on this device."
        assert message["path"] == "/settings/notices/"
        answer = phone.post(f"/settings/devices/{device.pk}/test/", follow=True)
        assert "A test was sent a moment ago" in answer.content.decode()
        assert not PushAlert.objects.exists()

    def test_switched_off(self, phone, device):
        answer = phone.post(f"/settings/devices/{device.pk}/remove/", follow=True)
        assert "That device gets no more alerts." in answer.content.decode()
        assert not PushDevice.objects.exists()

    def test_the_same_browser_again_is_the_same_device(self, phone, device, service, browser, bob):
        assert switch_on(phone, service.url, browser, renew="yes").status_code == 204
        assert bob.push_devices.get().pk == device.pk
        assert AuditEntry.objects.filter(actor=bob, action=devices.ADDED).count() == 1

    def test_a_new_address_of_the_same_browser_takes_the_place_of_the_old(self, phone, device, service, browser, bob):
        switch_on(phone, service.url + "&new", browser)
        assert bob.push_devices.get().endpoint.endswith("&new")

    def test_a_browser_that_is_somebody_elses_now(self, device, service, browser, alice, bob):
        """One computer, two people: what is Bob's does not show while Alice uses it."""
        switch_on(logged_in(alice), service.url, browser)
        assert not bob.push_devices.exists()
        assert alice.push_devices.count() == 1

    def test_there_is_a_limit(self, bob, phone, service, browser):
        token = api_tokens.issue(person=bob, name="mine", scopes=["play"], lasting=timedelta(days=1)).token
        for number in range(devices.MAX_DEVICES):
            devices.add_device(person=bob, endpoint=f"{service.url}&{number}", token=token, **browser.keys)
        answer = switch_on(phone, service.url, browser)
        assert f"at most {devices.MAX_DEVICES} devices" in answer.content.decode()
        assert bob.push_devices.count() == devices.MAX_DEVICES

    @pytest.mark.parametrize(
        ("endpoint", "why"),
        [
            ("https://127.0.0.1/x", "private network"),
            ("https://10.1.2.3/x", "private network"),
            ("https://[::1]/x", "private network"),
            ("https://169.254.169.254/latest/meta-data/", "private network"),
            ("https://localhost/x", "private network"),
            ("https://router/x", "private network"),
            ("https://printer.local/x", "private network"),
            ("https://db.internal./x", "private network"),
            ("http://push.example/x", "begins with https://"),
            ("ftp://push.example/x", "must begin with https:// or http://"),
            ("https://name:password@push.example/x", "name or password"),
            ("https://push.example/ x", "plain ASCII"),
            ("javascript:alert(1)", "must begin with https:// or http://"),
            ("", "must begin with https:// or http://"),
            ("https://push.example/" + "x" * 1000, "too long"),
        ],
    )
    def test_where_alerts_do_not_go(self, phone, browser, endpoint, why):
        answer = switch_on(phone, endpoint, browser)
        assert why in answer.content.decode()
        refused = switch_on(phone, endpoint, browser, renew="yes")
        assert refused.status_code == 422
        assert why in refused.content.decode()
        assert not PushDevice.objects.exists()

    def test_a_name_that_leads_into_a_private_network_is_found_when_something_is_sent(
        self, phone, browser, bob, monkeypatch
    ):
        switch_on(phone, PUBLIC, browser)
        inside = [(2, 1, 6, "", ("10.0.0.7", 443))]
        monkeypatch.setattr("accounts.infra.outbound_http.socket.getaddrinfo", lambda *_, **__: inside)
        PushAlert.objects.create(device=bob.push_devices.get())
        run_waiting()
        assert not PushDevice.objects.exists()

    def test_what_is_no_key(self, phone, bob):
        keys = {"p256dh": "x", "auth": "y"}
        answer = phone.post("/settings/devices/", {"endpoint": PUBLIC, **keys}, follow=True)
        assert "The key of this browser is not valid." in answer.content.decode()
        with pytest.raises(Refused):
            devices.add_device(person=bob, endpoint=PUBLIC, session=None, **keys)
        assert not PushDevice.objects.exists()


class TestLoggingOut:
    def test_the_alerts_of_a_device_end_with_its_log_in(self, phone, device, service):
        phone.post("/accounts/logout/")
        assert not PushDevice.objects.exists()

    def test_another_device_keeps_its_own(self, phone, device, bob):
        other = logged_in(bob)
        other.post("/accounts/logout/")
        assert PushDevice.objects.get() == device

    def test_logged_out_from_elsewhere(self, device, bob):
        people.end_session(person=bob, session=UserSession.objects.get(pk=device.session_id))
        assert not PushDevice.objects.exists()

    def test_a_session_that_has_expired(self, phone, device, service):
        phone.session.delete()
        PushAlert.objects.create(device=device)
        run_waiting()
        assert not service.got
        assert not PushDevice.objects.exists()

    def test_a_new_password_ends_them_all(self, device, service, bob):
        bob.set_password("quite another 1")
        bob.save()
        PushAlert.objects.create(device=device)
        run_waiting()
        assert not service.got
        assert not PushDevice.objects.exists()

    def test_a_locked_account_gets_nothing(self, device, service, bob):
        bob.is_active = False
        bob.save()
        PushAlert.objects.create(device=device)
        run_waiting()
        assert not service.got

    def test_a_program_gets_alerts_while_its_token_works(self, bob, service, browser):
        new = api_tokens.issue(person=bob, name="mine", scopes=["play"], lasting=timedelta(days=1))
        kept = devices.add_device(person=bob, endpoint=service.url, token=new.token, **browser.keys)
        PushAlert.objects.create(device=kept)
        run_waiting()
        assert len(service.got) == 1
        api_tokens.revoke(person=bob, token=new.token)
        PushAlert.objects.create(device=kept)
        run_waiting()
        assert len(service.got) == 1
        assert not PushDevice.objects.exists()

    def test_a_deleted_account_leaves_none(self, device, bob):
        people.delete_account(person=bob)
        assert not PushDevice.objects.exists()

    def test_the_file_with_ones_own_data_has_the_devices_and_no_secret(self, device, bob):
        [row] = own_data(bob)["alerts_on_devices"]
        assert row["name"] == "Chrome · Android"
        assert device.auth not in str(own_data(bob))
        assert device.endpoint not in str(own_data(bob))


def broken(**_: object) -> None:
    raise OSError("no mail")


def run_waiting() -> None:
    """All alerts that wait, whenever they are due."""
    PushAlert.objects.update(due_at=timezone.now() - timedelta(seconds=1))
    for pk in PushAlert.objects.values_list("pk", flat=True):
        tasks.deliver_alert(pk)

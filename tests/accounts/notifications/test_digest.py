"""The digest: one e-mail at an hour of the person's own clock, never empty, never twice."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from accounts import people, tasks
from accounts.infra.datetimes import next_at
from accounts.models import Digest, Mail, Notice, User
from accounts.notifications import digest, preferences
from accounts.notifications.preferences import Preference
from accounts.notifications.service import deliver_notification, notify, read_all
from tests.accounts.notifications.test_service import queued

pytestmark = pytest.mark.django_db

KIND = "club.closed"
WARSAW, NEW_YORK = ZoneInfo("Europe/Warsaw"), ZoneInfo("America/New_York")


@pytest.fixture(autouse=True)
def today(time_machine):
    time_machine.move_to(datetime(2026, 3, 27, 12, tzinfo=UTC), tick=False)
    return time_machine


@pytest.fixture
def reader(bob) -> User:
    """Bob lives in Warsaw and wants what clubs have to say in the digest, at eight."""
    people.change_settings(person=bob, time_zone="Europe/Warsaw")
    preferences.set_preferences(person=bob, changes={KIND: Preference(mail=Mail.DIGEST)})
    digest.set_schedule(person=bob, every="day", weekday=0, hour=8)
    return User.objects.get(pk=bob.pk)


def notify_and_deliver(person: User, path: str = "/clubs/", **fields) -> Notice:
    notify([person], KIND, path=path, **fields)
    notice = Notice.objects.filter(user=person).latest("pk")
    deliver_notification(notice_id=notice.pk)
    return notice


def due(person: User) -> datetime:
    moment = Digest.objects.get(user=person).due_at
    assert moment is not None
    return moment


def sweep() -> int:
    """As beat and a worker do it."""
    found = digest.due()
    for digest_id in found:
        tasks.send_digest(digest_id)
    return len(found)


class TestWhen:
    @pytest.mark.parametrize(
        ("zone", "after", "hour", "expected"),
        [
            # Warsaw springs forward in the night to 29 March: eight o'clock comes an hour earlier in UTC.
            (WARSAW, "2026-03-27T12:00", 8, "2026-03-28T07:00"),
            (WARSAW, "2026-03-28T07:00", 8, "2026-03-29T06:00"),
            # The hour from two to three is left out: the digest comes when the clocks have moved on.
            (WARSAW, "2026-03-28T12:00", 2, "2026-03-29T01:00"),
            # New York falls back on 1 November; the hour from one to two comes twice and counts once.
            (NEW_YORK, "2026-10-31T12:00", 1, "2026-11-01T05:00"),
            (NEW_YORK, "2026-11-01T05:00", 1, "2026-11-02T06:00"),
            (NEW_YORK, "2026-10-31T22:30", 18, "2026-11-01T23:00"),
            (NEW_YORK, "2026-10-31T21:30", 18, "2026-10-31T22:00"),
        ],
    )
    def test_every_day(self, zone, after, hour, expected):
        moment = next_at(after=datetime.fromisoformat(f"{after}+00:00"), zone=zone, hour=hour)
        assert moment == datetime.fromisoformat(f"{expected}+00:00")

    def test_every_week(self):
        for zone, offset in ((WARSAW, 2), (NEW_YORK, -4)):
            moment = next_at(after=datetime(2026, 3, 27, 12, tzinfo=UTC), zone=zone, hour=9, weekday=0)
            assert moment.astimezone(zone).strftime("%a %d %H:%M") == "Mon 30 09:00"
            assert moment.astimezone(zone).utcoffset() == timedelta(hours=offset)
        just_now = datetime(2026, 3, 30, 7, tzinfo=UTC)
        assert next_at(after=just_now, zone=WARSAW, hour=9, weekday=0) == just_now + timedelta(weeks=1)

    def test_always_ahead_and_never_a_day_too_far(self):
        for zone in (WARSAW, NEW_YORK):
            for hour in range(24):
                moment = datetime(2026, 1, 1, tzinfo=UTC)
                for _ in range(366):
                    after, moment = moment, next_at(after=moment, zone=zone, hour=hour)
                    assert timedelta(0) < moment - after <= timedelta(hours=25)

    def test_nothing_waits_nothing_is_planned(self, reader):
        assert Digest.objects.get(user=reader).due_at is None
        notify_and_deliver(reader)
        assert due(reader) == datetime(2026, 3, 28, 7, tzinfo=UTC)

    def test_another_clock_another_hour(self, reader):
        notify_and_deliver(reader)
        people.change_settings(person=reader, time_zone="America/New_York")
        assert due(reader) == datetime(2026, 3, 28, 12, tzinfo=UTC)
        reader = User.objects.get(pk=reader.pk)
        digest.set_schedule(person=reader, every="week", weekday=6, hour=10)
        assert due(reader) == datetime(2026, 3, 29, 14, tzinfo=UTC)
        digest.set_schedule(person=reader, every="off", weekday=6, hour=10)
        assert Digest.objects.get(user=reader).due_at is None
        digest.set_schedule(person=reader, every="day", weekday=6, hour=10)
        assert due(reader) == datetime(2026, 3, 27, 14, tzinfo=UTC)


class TestSend:
    def test_one_e_mail_with_all_that_waits(self, reader, mailoutbox, today, club):
        notify_and_deliver(reader, "/clubs/one/", club=club)
        today.move_to(datetime(2026, 3, 27, 23, 30, tzinfo=UTC), tick=False)
        notify_and_deliver(reader, "/clubs/two/", club=club)
        assert sweep() == 0
        assert mailoutbox == []
        today.move_to(due(reader), tick=False)
        assert sweep() == 1
        (letter,) = mailoutbox
        assert letter.subject == "2 notices wait for you"
        assert letter.to == ["bob@example.org"]
        assert letter.body.index("/clubs/one/") < letter.body.index("/clubs/two/")
        assert "The Round Table has closed." in letter.body
        # On their own clock it was past midnight.
        assert "Sat 28 Mar, 00:30" in letter.body
        assert letter.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"

    def test_once_however_often_the_task_runs(self, reader, mailoutbox, today):
        notify_and_deliver(reader)
        today.move_to(due(reader), tick=False)
        (digest_id,) = digest.due()
        assert digest.send(digest_id=digest_id)
        assert not digest.send(digest_id=digest_id)
        assert sweep() == 0
        assert len(mailoutbox) == 1

    def test_what_was_in_one_is_in_no_other(self, reader, mailoutbox, today):
        notify_and_deliver(reader, "/old/")
        today.move_to(due(reader), tick=False)
        sweep()
        notify_and_deliver(reader, "/new/")
        assert due(reader) == datetime(2026, 3, 29, 6, tzinfo=UTC)
        today.move_to(due(reader), tick=False)
        sweep()
        assert ["/old/" in letter.body for letter in mailoutbox] == [True, False]
        assert ["/new/" in letter.body for letter in mailoutbox] == [False, True]

    def test_none_when_all_was_read(self, reader, mailoutbox, today):
        notify_and_deliver(reader)
        read_all(person=reader)
        today.move_to(due(reader), tick=False)
        assert sweep() == 1
        assert mailoutbox == []
        assert sweep() == 0

    def test_not_before_its_time(self, reader, mailoutbox):
        notify_and_deliver(reader)
        assert not digest.send(digest_id=Digest.objects.get(user=reader).pk)
        assert mailoutbox == []
        assert due(reader)

    def test_not_for_whom_e_mails_are_off(self, reader, mailoutbox, today):
        notify_and_deliver(reader)
        people.change_settings(person=reader, notices_by_mail=False)
        today.move_to(due(reader), tick=False)
        sweep()
        assert mailoutbox == []

    def test_a_kind_that_was_stopped_meanwhile(self, reader, mailoutbox, today):
        notify_and_deliver(reader)
        preferences.unsubscribe(person=reader, kind=KIND)
        today.move_to(due(reader), tick=False)
        sweep()
        assert mailoutbox == []

    def test_silent_notices_are_in_it_too(self, reader, mailoutbox, today):
        preferences.set_preferences(person=reader, changes={KIND: Preference(bell=False, mail=Mail.DIGEST)})
        notify_and_deliver(reader)
        today.move_to(due(reader), tick=False)
        sweep()
        assert len(mailoutbox) == 1

    def test_in_the_readers_language(self, reader, mailoutbox, today):
        people.change_settings(person=reader, language="pl")
        notify_and_deliver(reader)
        today.move_to(due(reader), tick=False)
        sweep()
        assert mailoutbox[0].subject == "1 powiadomienie czeka na ciebie"

    def test_a_flood_is_cut_short(self, reader, mailoutbox, today):
        for _ in range(digest.MAX_LISTED + 2):
            notify_and_deliver(reader)
        today.move_to(due(reader), tick=False)
        sweep()
        assert mailoutbox[0].body.count("* ") == digest.MAX_LISTED
        assert "and 2 more on the site." in mailoutbox[0].body


class TestFaults:
    @pytest.fixture
    def silent_server(self, settings):
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", 9, 2
        return settings

    def test_a_failed_one_is_tried_again_and_loses_nothing(self, reader, silent_server, mailoutbox, today):
        notify_and_deliver(reader)
        today.move_to(due(reader), tick=False)
        (digest_id,) = digest.due()
        with pytest.raises(ConnectionRefusedError):
            digest.send(digest_id=digest_id)
        assert due(reader) == timezone.now() + timedelta(minutes=2)
        notify_and_deliver(reader)
        silent_server.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
        today.move_to(due(reader), tick=False)
        assert digest.send(digest_id=digest_id)
        assert mailoutbox[0].subject == "2 notices wait for you"
        assert Digest.objects.get(user=reader).attempts == 0

    def test_given_up_they_wait_for_the_next(self, reader, silent_server, mailoutbox, today):
        notify_and_deliver(reader)
        (digest_id,) = Digest.objects.values_list("pk", flat=True)
        for _ in range(digest.MAX_ATTEMPTS):
            today.move_to(due(reader), tick=False)
            with pytest.raises(ConnectionRefusedError):
                digest.send(digest_id=digest_id)
        assert Digest.objects.get(user=reader).due_at is None
        silent_server.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
        notify_and_deliver(reader)
        today.move_to(due(reader), tick=False)
        sweep()
        assert mailoutbox[0].subject == "2 notices wait for you"

    def test_the_sweep_sends_one_task_for_each_that_is_due(self, reader, today):
        notify_and_deliver(reader)
        queued()
        tasks.sweep_digests()
        assert queued() == []
        today.move_to(due(reader), tick=False)
        tasks.sweep_digests()
        assert queued() == [["accounts.tasks.send_digest", Digest.objects.get(user=reader).pk]]

    def test_beat_knows_the_sweep(self, settings):
        assert "accounts.tasks.sweep_digests" in {job["task"] for job in settings.CELERY_BEAT_SCHEDULE.values()}

    def test_a_digest_that_is_gone(self):
        assert not digest.send(digest_id=12345)

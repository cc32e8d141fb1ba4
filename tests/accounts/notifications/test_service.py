"""A notice: a row, then the bell and an e-mail, in the reader's language."""

import pytest
from celery import current_app
from django.core import mail
from django.utils import timezone, translation

from accounts import clubs, joining, tasks
from accounts.infra.permissions import NotAllowed
from accounts.models import Membership, Notice, Role, User
from accounts.notifications.registry import declare_kind, kind_names, render
from accounts.notifications.service import MAX_ATTEMPTS, deliver_notification, notify, read, read_all, unread_count

pytestmark = pytest.mark.django_db


@pytest.fixture
def notice(club, alice, bob) -> Notice:
    clubs.change_role(actor=alice, membership=Membership.objects.get(club=club, user=bob), role=Role.ORGANISER)
    return Notice.objects.get(user=bob)


def queued() -> list[list[int]]:
    """Take what lies in the mail queue: the arguments of each task."""
    taken = []
    with current_app.connection_for_read() as broker:
        queue = broker.SimpleQueue("mail")
        while queue.qsize():
            message = queue.get(block=False)
            message.ack()
            taken.append([message.headers["task"], *message.payload[0]])
        queue.close()
    return taken


class TestTell:
    def test_the_task_is_sent_after_commit(self, club, charlie, alice, olga, django_capture_on_commit_callbacks):
        queued()
        with django_capture_on_commit_callbacks() as callbacks:
            joining.request_to_join(person=charlie, club=club)
            assert queued() == []
        for callback in callbacks:
            callback()
        ids = Notice.objects.filter(kind="request.made").values_list("pk", flat=True)
        assert sorted(queued()) == sorted(["accounts.tasks.deliver_notice", pk] for pk in ids)

    def test_bots_are_not_told(self, club, alice):
        bot = User.objects.create_user("wren", is_bot=True)
        notify([bot], "club.closed", path="/", club=club)
        assert not Notice.objects.filter(user=bot).exists()

    def test_two_declarations_are_a_bug(self):
        with pytest.raises(ValueError, match="twice"):
            declare_kind("club.closed", "x")

    def test_an_undeclared_kind_is_a_bug(self, bob):
        with pytest.raises(ValueError, match="not declared"):
            notify([bob], "club.eaten", path="/")


class TestDeliver:
    def test_e_mail_in_the_readers_language(self, notice, bob, mailoutbox):
        User.objects.filter(pk=bob.pk).update(language="it")
        with translation.override("pl"):
            tasks.deliver_notice(notice.pk)
        (letter,) = mailoutbox
        assert letter.to == ["bob@example.org"]
        assert "The Round Table" in letter.subject
        assert f"/clubs/{notice.club.slug}/" in letter.body
        with translation.override("it"):
            assert render(notice) == letter.subject

    def test_once_however_often_the_task_runs(self, notice, mailoutbox):
        tasks.deliver_notice(notice.pk)
        tasks.deliver_notice(notice.pk)
        assert len(mailoutbox) == 1

    def test_only_who_wants_it(self, notice, bob, mailoutbox):
        User.objects.filter(pk=bob.pk).update(notices_by_mail=False)
        tasks.deliver_notice(notice.pk)
        assert mailoutbox == []

    def test_a_failed_e_mail_is_tried_again_later_and_later(self, notice, settings, mailoutbox):
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", 9, 2
        pauses = []
        for _ in range(MAX_ATTEMPTS - 1):
            with pytest.raises(ConnectionRefusedError):
                deliver_notification(notice_id=notice.pk)
            notice.refresh_from_db()
            pauses.append(round((notice.due_at - timezone.now()).total_seconds() / 60))
        assert pauses == [2, 4, 8, 16, 32, 64, 128, 256, 512]
        settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
        assert deliver_notification(notice_id=notice.pk)
        assert len(mail.outbox) == 1

    def test_not_for_ever(self, notice, settings):
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", 9, 2
        for _ in range(MAX_ATTEMPTS):
            with pytest.raises(ConnectionRefusedError):
                deliver_notification(notice_id=notice.pk)
        assert deliver_notification(notice_id=notice.pk) is False

    def test_a_name_cannot_forge_a_header(self, notice, mailoutbox):
        notice.club.name = "Evil\r\nBcc: everyone@example.org"
        notice.club.save()
        tasks.deliver_notice(notice.pk)
        assert "\n" not in mailoutbox[0].subject

    def test_one_that_is_gone(self):
        assert deliver_notification(notice_id=12345) is False

    def test_the_sweep_finds_what_a_lost_task_left(self, notice, time_machine):
        queued()
        tasks.sweep_notices()
        assert queued() == []
        time_machine.move_to(notice.created_at.timestamp() + 120)
        tasks.sweep_notices()
        assert ["accounts.tasks.deliver_notice", notice.pk] in queued()


class TestWords:
    def test_every_kind_reads(self, notice, alice, bob):
        own = [kind for kind in kind_names() if kind.startswith(("account.", "club.", "invite.", "request."))]
        assert len(own) > 5
        for kind in own:
            notice.kind = kind
            assert "%" not in render(notice)

    def test_a_kind_of_a_newer_version(self, notice):
        notice.kind = "club.polished"
        assert render(notice) == "club.polished"


class TestRead:
    def test_own(self, notice, bob):
        assert unread_count(bob) == 1
        read(person=bob, notice=notice)
        assert unread_count(bob) == 0

    def test_somebody_elses(self, notice, alice):
        with pytest.raises(NotAllowed):
            read(person=alice, notice=notice)

    def test_all(self, notice, bob, alice):
        read_all(person=alice)
        assert unread_count(bob) == 1
        read_all(person=bob)
        assert unread_count(bob) == 0

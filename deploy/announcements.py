"""Announcements to everyone: `manage.py announce` stores one, a task sends it, open pages show it."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from accounts.access import Actor
from accounts.infra.realtime.publish import frame, publish
from accounts.infra.realtime.topics import Audience, Topic
from deploy.celery import app
from deploy.models import MAX_LENGTH, Announcement

GROUP = "site"


class InvalidAnnouncement(ValueError):
    """The announcement is empty or too long, or would end before it begins."""


def announce(*, text: str, lasting: timedelta) -> Announcement:
    text = " ".join(text.split())
    if not 0 < len(text) <= MAX_LENGTH:
        raise InvalidAnnouncement(f"an announcement has 1 to {MAX_LENGTH} characters, this one has {len(text)}")
    if lasting <= timedelta(0):
        raise InvalidAnnouncement("an announcement must last at least a minute")
    with transaction.atomic():
        announcement = Announcement.objects.create(text=text, ends_at=timezone.now() + lasting)
        transaction.on_commit(send_soon)
    return announcement


def send_soon() -> None:
    """Ask a worker to send it now. If the broker is inside the web process, the next sweep of beat sends it instead."""
    app.send_task("deploy.tasks.sweep_announcements", ignore_result=True)


def send_unsent() -> int:
    """Send new announcements to all open pages. Two sweeps at the same time send each only once."""
    sent = 0
    for announcement in Announcement.objects.filter(sent_at=None).order_by("made_at"):
        if Announcement.objects.filter(pk=announcement.pk, sent_at=None).update(sent_at=timezone.now()):
            publish(GROUP, as_frame(announcement))
            sent += 1
    return sent


def current() -> Announcement | None:
    return Announcement.objects.filter(ends_at__gt=timezone.now()).order_by("-made_at").first()


def as_frame(announcement: Announcement) -> str:
    return frame("announcement", text=announcement.text, ends=announcement.ends_at.isoformat())


class SiteTopic(Topic):
    """`site`: open to everybody. A new subscriber first gets the current announcement."""

    def audience(self, visitor: Actor, argument: str) -> Audience:
        return Audience(GROUP, first=first)


def first() -> str | None:
    announcement = current()
    return as_frame(announcement) if announcement else None

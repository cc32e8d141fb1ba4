"""A line for everyone: `manage.py announce` writes it, a task sends it, open pages show it."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from accounts.access import Actor
from accounts.live.publish import frame, publish
from accounts.live.topics import Audience, Topic
from deploy.celery import app
from deploy.models import LONGEST, Announcement

GROUP = "site"


class NothingToSay(ValueError):
    """The announcement is empty or too long, or would end before it begins."""


def announce(*, text: str, lasting: timedelta) -> Announcement:
    text = " ".join(text.split())
    if not 0 < len(text) <= LONGEST:
        raise NothingToSay(f"an announcement has 1 to {LONGEST} characters, this one has {len(text)}")
    if lasting <= timedelta(0):
        raise NothingToSay("an announcement lasts longer than no time at all")
    with transaction.atomic():
        announcement = Announcement.objects.create(text=text, ends_at=timezone.now() + lasting)
        transaction.on_commit(send_soon)
    return announcement


def send_soon() -> None:
    """Only a hint: where the broker lives inside the web process, beat's sweep finds the row instead."""
    app.send_task("deploy.tasks.sweep_announcements", ignore_result=True)


def send_unsent() -> int:
    """Tell all open pages what they have not been told. Two sweeps at once send a line once."""
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
    """`site`: open to everybody, begins with the line that is up now."""

    def audience(self, visitor: Actor, argument: str) -> Audience:
        return Audience(GROUP, first=first)


def first() -> str | None:
    announcement = current()
    return as_frame(announcement) if announcement else None

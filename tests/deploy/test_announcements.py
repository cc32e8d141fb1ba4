"""An announcement is one row, sent once, shown until it ends."""

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError
from django.utils import timezone

from deploy import announcements
from deploy.models import MAX_LENGTH, Announcement

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


@pytest.fixture(autouse=True)
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    frames: list[tuple[str, str]] = []
    monkeypatch.setattr(announcements, "publish", lambda group, text: frames.append((group, text)))
    return frames


def test_it_is_sent_once_and_shown_to_who_comes_later(sent: list[tuple[str, str]]) -> None:
    assert announcements.first() is None
    announcements.announce(text="  We close\nat ten.  ", lasting=HOUR)
    assert announcements.send_unsent() == 1
    assert announcements.send_unsent() == 0
    [(group, text)] = sent
    assert group == "site"
    assert '"text":"We close at ten."' in text
    assert announcements.first() == text


def test_the_latest_line_is_up_until_it_ends() -> None:
    announcements.announce(text="First.", lasting=3 * HOUR)
    second = announcements.announce(text="Second.", lasting=HOUR)
    assert announcements.current() == second
    Announcement.objects.filter(pk=second.pk).update(made_at=timezone.now() - 2 * HOUR, ends_at=timezone.now() - HOUR)
    assert str(announcements.current()) == "First."


@pytest.mark.parametrize(
    ("text", "minutes"), [("", 60), (" \n ", 60), ("x" * (MAX_LENGTH + 1), 60), ("Fine.", 0), ("Fine.", -5)]
)
def test_nothing_to_say_is_one_line_and_no_row(text: str, minutes: int) -> None:
    with pytest.raises(CommandError, match=r"^an announcement "):
        call_command("announce", text, minutes=minutes)
    assert not Announcement.objects.exists()


@pytest.mark.parametrize("wrong", [{"text": ""}, {"ends_at": timezone.now() - HOUR}])
def test_the_database_refuses_what_the_verb_refuses(wrong: dict[str, object]) -> None:
    with pytest.raises(IntegrityError):
        Announcement.objects.create(**{"text": "Fine.", "ends_at": timezone.now() + HOUR} | wrong)

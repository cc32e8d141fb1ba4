"""E-mails with notices: in the reader's language, on their clock, each with a link that stops just its kind."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation

from accounts import choices
from accounts.models import User


@contextmanager
def reading_as(person: User) -> Iterator[None]:
    with translation.override(person.language), timezone.override(person.zone):
        yield


def wanted_by(person: User) -> bool:
    return bool(person.is_active and person.email and person.notices_by_mail)


def send(*, person: User, subject: str, template: str, kind: str, **context: Any) -> None:
    """Send it; call it while `reading_as` this person."""
    stop = settings.SITE_URL + reverse("accounts:notices-stop", args=[choices.ticket(person, kind)])
    settings_page = settings.SITE_URL + reverse("accounts:notice-choices")
    body = render_to_string(template, dict(person=person, stop=stop, settings_page=settings_page, **context))
    EmailMessage(
        # A header takes one line; a club's name could hold something else.
        subject=" ".join(subject.split()),
        body=body,
        to=[person.email],
        # One click in the mail program, without a page in between (RFC 8058).
        headers={"List-Unsubscribe": f"<{stop}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"},
    ).send()

"""E-mails with notices, in the reader's language and time zone, each with a link to unsubscribe from its kind."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation

from accounts.models import User
from accounts.notifications import preferences


@contextmanager
def as_reader(person: User) -> Iterator[None]:
    with translation.override(person.language), timezone.override(person.zone):
        yield


def accepts_email(person: User) -> bool:
    return bool(person.is_active and person.email and person.notices_by_mail)


def send_email(*, person: User, subject: str, template: str, kind: str, **context: Any) -> None:
    """Send an e-mail; call it inside `as_reader(person)`."""
    stop = settings.SITE_URL + reverse("accounts:notices-stop", args=[preferences.unsubscribe_token(person, kind)])
    settings_page = settings.SITE_URL + reverse("accounts:notice-choices")
    body = render_to_string(template, dict(person=person, stop=stop, settings_page=settings_page, **context))
    EmailMessage(
        # A header is one line; a club's name could contain a line break.
        subject=" ".join(subject.split()),
        body=body,
        to=[person.email],
        # One-click unsubscribe in the mail program (RFC 8058).
        headers={"List-Unsubscribe": f"<{stop}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"},
    ).send()

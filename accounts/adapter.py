from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.http import HttpRequest
from django.utils import translation
from django.utils.translation import gettext_lazy as _

from accounts.effects import after_commit
from accounts.live.publish import recheck
from accounts.models import User


class Adapter(DefaultAccountAdapter):
    """django-allauth in the house's words."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "username_taken": _("This handle is taken."),
        "username_blacklisted": _("This handle cannot be used. Choose another."),
        "username_password_mismatch": _("The handle and the password do not match."),
    }

    def login(self, request: HttpRequest, user: User) -> None:
        super().login(request, user)
        # What greets them is already said in their language, not in that of the page they came from.
        translation.activate(user.language)

    def logout(self, request: HttpRequest) -> None:
        person = request.user
        super().logout(request)
        _check_open_pages(person.pk)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """A letter is read elsewhere: whatever name its sender called the site by, its links lead to the site's own."""
        links = {name: _at_home(link) for name, link in context.items() if name.endswith("_url") and link}
        house = {"current_site": SimpleNamespace(domain=urlsplit(settings.SITE_URL).netloc)}
        super().send_mail(template_prefix, email, {**context, **links, **house})

    def set_password(self, user: User, password: str) -> None:
        super().set_password(user, password)
        _check_open_pages(user.pk)


def _at_home(link: str) -> str:
    return settings.SITE_URL + urlsplit(link)._replace(scheme="", netloc="").geturl()


def _check_open_pages(person_id: int | None) -> None:
    """A session that has ended also ends for the pages that were open in it."""
    after_commit(recheck, f"user.{person_id}")

from allauth.account.adapter import DefaultAccountAdapter
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

    def set_password(self, user: User, password: str) -> None:
        super().set_password(user, password)
        _check_open_pages(user.pk)


def _check_open_pages(person_id: int | None) -> None:
    """A session that has ended also ends for the pages that were open in it."""
    after_commit(recheck, f"user.{person_id}")

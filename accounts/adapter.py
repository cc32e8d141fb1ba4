from allauth.account.adapter import DefaultAccountAdapter
from django.utils.translation import gettext_lazy as _


class Adapter(DefaultAccountAdapter):
    """django-allauth in the house's words."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "username_taken": _("This handle is taken."),
        "username_blacklisted": _("This handle cannot be used. Choose another."),
        "username_password_mismatch": _("The handle and the password do not match."),
    }

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """People and clubs."""

    name = "accounts"
    default_auto_field = "django.db.models.BigAutoField"

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """People and clubs."""

    name = "accounts"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Not above: models can only be imported once every app is loaded.
        from accounts import topics
        from accounts.infra.realtime.topics import register

        register("user", topics.OwnNotices())
        register("club", topics.ClubPage())

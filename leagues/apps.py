from django.apps import AppConfig


class LeaguesConfig(AppConfig):
    """Competitions and ratings."""

    name = "leagues"
    default_auto_field = "django.db.models.BigAutoField"

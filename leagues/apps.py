from django.apps import AppConfig


class LeaguesConfig(AppConfig):
    """Competitions and ratings."""

    name = "leagues"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from accounts.live import topics
        from leagues.boards.live import RatingsPage

        topics.register("ratings", RatingsPage())

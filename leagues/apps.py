from django.apps import AppConfig


class LeaguesConfig(AppConfig):
    """Competitions and ratings: leagues, their seasons, draws and results, and what they say about everybody."""

    name = "leagues"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from accounts.live import topics
        from leagues import news  # noqa: F401 - what webhooks can be told is declared there
        from leagues.boards.live import RatingsPage
        from leagues.live import SeasonPage

        topics.register("ratings", RatingsPage())
        topics.register("season", SeasonPage())

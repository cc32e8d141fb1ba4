from django.apps import AppConfig


class GamesConfig(AppConfig):
    """Tables and matches."""

    name = "games"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from accounts.infra.realtime import topics
        from games import webhook_events  # noqa: F401 - it declares webhook events
        from games.topics import LobbyPage, MatchPage, PersonPage

        topics.register("match", MatchPage())
        topics.register("lobby", LobbyPage())
        topics.register("person", PersonPage())

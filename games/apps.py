from django.apps import AppConfig


class GamesConfig(AppConfig):
    """Tables and matches."""

    name = "games"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from accounts.live import topics
        from games import news  # noqa: F401 - what webhooks can be told is declared there
        from games.live.topics import LobbyPage, MatchPage, PersonPage

        topics.register("match", MatchPage())
        topics.register("lobby", LobbyPage())
        topics.register("person", PersonPage())

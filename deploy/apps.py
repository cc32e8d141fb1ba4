from django.apps import AppConfig


class DeployConfig(AppConfig):
    """The project itself as an app: home of the commands that run the house."""

    name = "deploy"

    def ready(self) -> None:
        from accounts.live import topics
        from deploy import announcements

        topics.register("site", announcements.SiteTopic())

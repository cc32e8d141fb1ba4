from django.apps import AppConfig


class DeployConfig(AppConfig):
    """The project itself as an app: home of the commands that run the house."""

    name = "deploy"

from types import ModuleType

from django.apps import AppConfig

from deploy import compiled
from deploy.env import BadSetting


class DeployConfig(AppConfig):
    """The project itself as an app: home of the commands that run the house."""

    name = "deploy"

    def __init__(self, app_name: str, app_module: ModuleType | None) -> None:
        super().__init__(app_name, app_module)
        # Django makes the apps before it imports any model, and so before anything compiled is loaded. Python prefers
        # a library to its source: an old one would play by old rules without a word, or not load at all.
        if compiled.is_stale():
            raise BadSetting(
                "the compiled engine was made of other sources than those here: run 'python3 manage.py accelerate' "
                "again, or 'python3 manage.py accelerate --remove'"
            )

    def ready(self) -> None:
        from accounts.live import topics
        from deploy import announcements

        topics.register("site", announcements.SiteTopic())

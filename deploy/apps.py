from types import ModuleType

from django.apps import AppConfig
from django.conf import settings
from django.db.backends.signals import connection_created

from deploy import compiled_build
from deploy.env import BadSetting


class DeployConfig(AppConfig):
    """The project itself as a Django app: it holds the commands that run the site."""

    name = "deploy"

    def __init__(self, app_name: str, app_module: ModuleType | None) -> None:
        super().__init__(app_name, app_module)
        # Django makes the apps before it imports any model, so before anything compiled is loaded. Python prefers a
        # library to its source: an old library would silently play by old rules, or not load at all.
        if compiled_build.is_stale():
            raise BadSetting(
                "the compiled engine does not match the sources: run 'python3 manage.py accelerate' "
                "again, or 'python3 manage.py accelerate --remove'"
            )

    def ready(self) -> None:
        from accounts.infra.realtime import topics
        from deploy import announcements, background_build, italian, preflight
        from engine import bot_process

        italian.install()
        topics.register("site", announcements.SiteTopic())
        connection_created.connect(preflight.protect_database_file)
        if settings.COMPILE and not compiled_build.is_installed():
            bot_process.home_finder = background_build.Home(settings.VAR)

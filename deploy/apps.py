from typing import Any

from django.apps import AppConfig
from django.core import checks

from deploy import fast
from engine import build


class DeployConfig(AppConfig):
    """The project itself as an app: home of the commands that run the house."""

    name = "deploy"

    def ready(self) -> None:
        from accounts.live import topics
        from deploy import announcements

        topics.register("site", announcements.SiteTopic())
        checks.register(compiled_engine_is_fresh)


def compiled_engine_is_fresh(**kwargs: Any) -> list[checks.CheckMessage]:
    """Python prefers a compiled module to its source: an old one would play by old rules, in silence."""
    if not build.is_stale() and not fast.is_stale():
        return []
    hint = "Run manage.py accelerate again, or manage.py accelerate --remove."
    return [
        checks.Error(
            "The compiled engine or rating fold was made of other sources than those here.", hint, id="deploy.E001"
        )
    ]

"""Runs management commands. The help lists our own first."""

import gc
import os
import tempfile
from contextlib import nullcontext
from importlib import import_module

from django.core.management import ManagementUtility, get_commands
from django.core.management.color import color_style


def run(argv: list[str]) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    # Hardly anything that a start allocates is garbage: to look for it so often takes a tenth of the start.
    gc.set_threshold(50_000)
    with tempfile.TemporaryDirectory(prefix="gauntlet-worker-") if argv[1:2] == ["worker"] else nullcontext() as shared:
        if shared:
            # A worker is several processes. The Prometheus library reads this at its first import, to add their counts.
            os.environ["PROMETHEUS_MULTIPROC_DIR"] = shared
        if argv[1:2] == ["accelerate"]:
            # Without Django's setup: that would import the libraries that this command repairs or removes.
            from deploy.management.commands.accelerate import Command

            Command().run_from_argv(argv)
        else:
            ManagementCommands(argv).execute()


class ManagementCommands(ManagementUtility):
    def main_help_text(self, commands_only: bool = False) -> str:
        if commands_only:
            return super().main_help_text(commands_only)
        commands = get_commands()
        own = {name: app for name, app in sorted(commands.items()) if app in OWN_APPS and name not in EXTENDED}
        style = color_style()
        lines = ["", style.NOTICE("Gauntlet's commands (python3 manage.py <command> --help explains one):"), ""]
        lines += [f"  {name:<14}{summary(name, app)}" for name, app in own.items()]
        lines += ["", style.NOTICE("Django's commands:"), ""]
        lines += [f"  {'  '.join(sorted(set(commands) - set(own)))}"]
        return "\n".join(lines)


OWN_APPS = ("deploy", "leagues", "games", "accounts")
EXTENDED = {"migrate"}
"""Django's commands that do the same here, only quicker."""


def summary(name: str, app: str) -> str:
    try:
        return str(import_module(f"{app}.management.commands.{name}").Command.help)
    except ModuleNotFoundError as missing:  # in an image, which lacks the packages for tests
        return f"not available here: it needs {missing.name}"

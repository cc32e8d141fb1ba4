"""Both builds of the engine and the rating fold, each in a folder of its own to run it from."""

from pathlib import Path

from django.conf import settings

from deploy import compiled


def compiled_folder() -> Path:
    folder: Path = settings.VAR / "build" / "compiled"
    compiled.compile_into(folder)
    return folder


def interpreted_folder() -> Path:
    folder: Path = settings.VAR / "build" / "interpreted"
    compiled.copy_into(folder)
    return folder

"""Both builds of the engine and the rating update, each in its own folder, to run it from there."""

from pathlib import Path

from django.conf import settings

from deploy import compiled_build


def compiled_folder() -> Path:
    folder = compiled_build.folder_in(settings.VAR)
    compiled_build.compile_into(folder)
    return folder


def interpreted_folder() -> Path:
    folder: Path = settings.VAR / "build" / "interpreted"
    compiled_build.copy_into(folder)
    return folder

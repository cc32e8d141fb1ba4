import json
import subprocess
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from deploy.bootstrap import ROOT

PATIENCE = 300.0
PLAYED = 3
"""Matches of bots that are played to their end before the database is stored."""

READ = "import json; from deploy import release_files; print(json.dumps(release_files.contents()))"


class Command(BaseCommand):
    help = "store what a release is tested by: its database, a backup and the hashes of its migrations"
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--again", action="store_true", help="make them again, while the version is not yet tagged")

    def handle(self, *args: Any, again: bool, **options: Any) -> None:
        from deploy import release_files

        version = release_files.current_version()
        release = release_files.FOLDER / version
        if release.exists() and not again:
            raise CommandError(f"{version} is stored already: raise the version in pyproject.toml, or use --again")
        if again and is_tagged(version):
            raise CommandError(
                f"{version} is released: its files stay as they are; raise the version in pyproject.toml"
            )
        release.mkdir(parents=True, exist_ok=True)
        self.stdout.write("Playing on a new site with the demo club ...")
        self.stdout.flush()
        found = play_and_store(release)
        release_files.write_hashes(release)
        (release / release_files.CONTENTS).write_text(
            json.dumps(found, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
        )
        size = sum(file.stat().st_size for file in release.iterdir()) / 1024
        self.stdout.write(
            f"{release.relative_to(ROOT)}: {sum(found['rows'].values()):,} rows, {len(found['pages'])} pages, "
            f"{len(found['api'])} answers of the API, {size:.0f} kB"
        )


def is_tagged(version: str) -> bool:
    listed = subprocess.run(
        ["git", "tag", "--list", f"v{version}"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return bool(listed.stdout.strip())


def play_and_store(release: Path) -> dict[str, Any]:
    """Run a real site until its bots have finished some matches, close it, and store what it left."""
    from deploy import release_files
    from deploy.harness.prepared_state import PREPARE
    from deploy.harness.servers import EmbeddedServer
    from deploy.harness.services import wait_until

    finished = "SELECT count(*) FROM games_match WHERE status = 'finished'"
    with tempfile.TemporaryDirectory(prefix="gauntlet-release-") as folder:
        site = EmbeddedServer(Path(folder))
        site.python(PREPARE)
        try:
            site.open()
            wait_until(lambda: site.rows(finished)[0][0] >= PLAYED, PATIENCE, "the bots have finished no match")
        finally:
            site.close()
        (release / release_files.BACKUP).unlink(missing_ok=True)
        site.manage("backup", str(release / release_files.BACKUP))
        found = json.loads(site.python(READ).splitlines()[-1])
        release_files.store_database(Path(folder) / "gauntlet.sqlite3", release)
    return dict(found)

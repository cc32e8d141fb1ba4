"""The stored files of a release: its database, a backup, the hashes of its migrations, and what its pages said.

`manage.py release` makes them once, when a version is released. From then on a test upgrades the database, restores the
backup and reads both again: a later version must show the same people, results and standings.
"""

import hashlib
import json
import lzma
import re
import sqlite3
import tomllib
from collections import Counter, deque
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.apps import apps
from django.test import Client
from django.urls import Resolver404, resolve

from accounts.models import Club, User
from deploy.backup import rows
from deploy.bootstrap import ROOT
from games.models import Match
from leagues.models import League

FOLDER = ROOT / "tests" / "data" / "releases"
DATABASE, BACKUP, MIGRATIONS, CONTENTS = "database.sqlite3.xz", "backup.zip", "migrations.txt", "contents.json"
READER = "marta"
"""The demo's owner, who sees what members and organisers see."""

OWN_APPS = ("accounts", "deploy", "games", "leagues")
# Pages to begin with, and how many of one kind are read.
BEGIN = ("/", "/clubs/", "/leagues/", "/leaderboards/")
OF_A_KIND = 1
NOT_READ = re.compile(r"^/(static|accounts|api|admin|join|feeds|calendar)/|\.(ics|csv|json|png|svg|pdf|zip|txt)$")
# Rows that come and go by themselves.
PASSING = {"deploy.Pulse", "deploy.Announcement"}
# Fields of answers that are headings in the reader's language.
HEADINGS = {"short", "title"}


def current_version() -> str:
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])


def migration_hashes() -> dict[str, str]:
    """Every migration file of ours with its hash; line ends do not count."""
    files = sorted(file for app in OWN_APPS for file in (ROOT / app / "migrations").glob("0*.py"))
    texts = {file.relative_to(ROOT).as_posix(): file.read_text(encoding="utf-8") for file in files}
    return {name: hashlib.sha256(text.encode()).hexdigest() for name, text in texts.items()}


def read_hashes(release: Path) -> dict[str, str]:
    lines = (release / MIGRATIONS).read_text().splitlines()
    return {name: digest for digest, name in (line.split() for line in lines)}


def write_hashes(release: Path) -> None:
    lines = [f"{digest}  {name}\n" for name, digest in migration_hashes().items()]
    (release / MIGRATIONS).write_text("".join(lines))


def store_database(file: Path, release: Path) -> None:
    """A compact copy, without free pages and the log beside it."""
    compact = release / "compact"
    with sqlite3.connect(file) as database:
        database.execute("DELETE FROM django_session")
        database.commit()
        database.execute("VACUUM INTO ?", [str(compact)])
    (release / DATABASE).write_bytes(lzma.compress(compact.read_bytes(), preset=9))
    compact.unlink()


def unpack_database(release: Path, file: Path) -> None:
    file.write_bytes(lzma.decompress((release / DATABASE).read_bytes()))


# -- what a site says, in a form that outlives a change of wording


def contents() -> dict[str, Any]:
    """What this database holds: its row counts, and the facts on a choice of pages and API answers."""
    reader = Reader()
    return {
        "made_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "rows": row_counts(),
        "pages": {path: reader.page_facts(path) for path in reader.choose_pages()},
        "api": {path: reader.api_facts(path) for path in choose_operations()},
    }


def row_counts() -> dict[str, int]:
    models = [model for model in rows.tables(apps) if model._meta.label not in PASSING]
    return {model._meta.label: model._base_manager.count() for model in models}


def known_names() -> list[str]:
    people = User.objects.exclude(display_name="").values_list("display_name", flat=True)
    return sorted(
        {*people, *Club.objects.values_list("name", flat=True), *League.objects.values_list("name", flat=True)}
    )


class Reader:
    """Reads pages and the API as the demo's owner."""

    def __init__(self) -> None:
        self.client = Client(SERVER_NAME="127.0.0.1")
        self.client.force_login(User.objects.get(handle=READER))
        self.names = known_names()

    def fetch(self, path: str) -> tuple[int, str]:
        answer = self.client.get(path, follow=True, headers={"Accept-Language": "en"})
        return answer.status_code, answer.content.decode(errors="replace") if not answer.streaming else ""

    def page_facts(self, path: str) -> list[str]:
        """The people, clubs and leagues that a page names. Raises if it does not open."""
        status, text = self.fetch(path)
        if status != 200:
            raise ValueError(f"{path} answers {status}")
        return [name for name in self.names if name in text]

    def choose_pages(self) -> list[str]:
        """Pages that links lead to from the first ones, a few of every kind."""
        waiting, seen, kinds = deque(BEGIN), set(BEGIN), Counter[str]()
        chosen = []
        while waiting:
            path = waiting.popleft()
            status, text = self.fetch(path)
            if status != 200:
                continue
            chosen.append(path)
            for link in re.findall(r'href="(/[^"#?]*)', text):
                if link in seen or NOT_READ.search(link):
                    continue
                seen.add(link)
                try:
                    kind = resolve(link).view_name
                except Resolver404:
                    continue
                kinds[kind] += 1
                if kinds[kind] <= OF_A_KIND:
                    waiting.append(link)
        return sorted(chosen)

    def api_facts(self, path: str) -> list[str]:
        """The leaves of an answer with their places, sentences apart: those may be worded anew."""
        status, text = self.fetch(path)
        if status != 200:
            raise ValueError(f"{path} answers {status}")
        names = set(self.names)
        return sorted(f"{place}={value}" for place, value in leaves(json.loads(text)) if is_fact(place, value, names))


def choose_operations() -> list[str]:
    """Reads of the API that depend on most of what is stored."""
    base = "/api/v1"
    paths = [f"{base}/clubs/", f"{base}/leagues/"]
    paths += [f"{base}/clubs/{slug}/" for slug in Club.objects.order_by("slug").values_list("slug", flat=True)]
    for league in League.objects.order_by("pk"):
        paths.append(f"{base}/leagues/{league.slug}/seasons/")
        for season in league.seasons.order_by("pk"):
            paths.append(f"{base}/seasons/{season.pk}/divisions/")
            for division in season.divisions.order_by("pk"):
                paths.append(f"{base}/divisions/{division.pk}/stages/")
                paths += [f"{base}/stages/{stage.pk}/standings/" for stage in division.stages.order_by("pk")]
    games = Match.objects.order_by("game").values_list("game", flat=True).distinct()
    paths += [f"{base}/leaderboards/{game}/" for game in games]
    finished = Match.objects.filter(status=Match.Status.FINISHED).order_by("pk")[:3]
    paths += [f"{base}/matches/{match.key}/transcript/" for match in finished]
    return paths


def is_fact(place: str, value: Any, names: set[str]) -> bool:
    """Whether a later version must still say it. Headings and sentences may be worded anew, in any language."""
    is_heading = place.rpartition(".")[2] in HEADINGS
    is_sentence = isinstance(value, str) and " " in value and value not in names
    return not (is_heading or is_sentence)


def leaves(value: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for name, part in value.items():
            yield from leaves(part, f"{place}.{name}")
    elif isinstance(value, list):
        for number, part in enumerate(value):
            yield from leaves(part, f"{place}[{number}]")
    else:
        yield place, value

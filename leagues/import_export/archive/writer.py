"""Writes a league to one file, as it was at one moment."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZipFile

from django.db.models import Model

from accounts.access import Actor
from accounts.infra.batches import batches
from accounts.infra.row_json import BATCH, column_value, consistent_read
from accounts.models import AuditEntry, User
from accounts.stored_names import map_people
from games.models import CardFile
from leagues import models
from leagues.core.access import Permission, require
from leagues.import_export.archive import nights
from leagues.import_export.archive.tables import PARTS, is_person, serialize_row
from leagues.models import HouseBot, League, Pairing, PairingGame, RatedResult, Round, Season
from leagues.ratings import site_bots

FORMAT = "gauntlet-league"
VERSION = 1
MANIFEST = "manifest.json"
PEOPLE, LOG, RATED = "people.jsonl", "log.jsonl", "rated.jsonl"
LEAGUE = ("name", "game", "about", "made_at", "closed_at")
RATED_FIELDS = ("version", "finished_at", "scenario", "bots_only", "void", "counts", "recorded_at", "reason")

JsonDict = dict[str, Any]


def export(*, actor: Actor, league: League, file: IO[bytes]) -> JsonDict:
    """Write the archive into a file that is open for writing. Returns its manifest."""
    require(actor, Permission.ORGANISE, league)
    return write(league, file)


def write(league: League, file: IO[bytes]) -> JsonDict:
    with ZipFile(file, "w", ZIP_DEFLATED) as archive, consistent_read():
        return _Exporter(archive, league).manifest()


class _Exporter:
    """Numbers follow the order of the rows, so the same league makes the same file on any site."""

    def __init__(self, archive: ZipFile, league: League) -> None:
        self.archive, self.league = archive, league
        self.numbers: dict[type[Model], dict[int, int]] = defaultdict(dict)
        self.files: dict[str, JsonDict] = {}

    def number(self, model: type[Model], pk: int) -> int:
        known = self.numbers[model]
        return known.setdefault(pk, len(known) + 1) if is_person(model) else known[pk]

    def manifest(self) -> JsonDict:
        for part in PARTS:
            self.add(part.file, self.rows_of(part))
        self.add("night.jsonl", nights.serialize_nights(self.league, lambda pk: self.number(Pairing, pk)))
        self.add(RATED, self.rated())
        self.add(LOG, self.log())
        self.add(PEOPLE, self.people())
        league_data = {
            field.name: column_value(field, self.league)
            for field in League._meta.concrete_fields
            if field.name in LEAGUE
        }
        manifest = {
            "format": FORMAT,
            "version": VERSION,
            "made_at": datetime.now(UTC).isoformat(timespec="seconds"),
            "club": self.league.club.name,
            "league": league_data,
            "files": self.files,
            "digest": digest(league_data, self.files),
        }
        self.archive.writestr(MANIFEST, json.dumps(manifest, indent=1, ensure_ascii=False))
        return manifest

    def add(self, name: str, rows: Iterable[JsonDict]) -> None:
        count, checksum = 0, hashlib.sha256()
        with self.archive.open(name, "w", force_zip64=True) as file:
            for row in rows:
                line = json.dumps(row, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
                file.write(line)
                checksum.update(line)
                count += 1
        self.files[name] = {"rows": count, "sha256": checksum.hexdigest()}

    def rows_of(self, part: Any) -> Iterator[JsonDict]:
        rows = part.model._base_manager.filter(**{part.path: self.league}).order_by("pk")
        if part.model is CardFile:
            # Several seasons may name the same version.
            rows = rows.distinct()
        if part.model is PairingGame:
            rows = rows.filter(ended_at__isnull=False)
        open_rounds = self._open_rounds() if part.model is Pairing else frozenset()
        for row in rows.iterator(chunk_size=BATCH):
            self.numbers[part.model].setdefault(row.pk, len(self.numbers[part.model]) + 1)
            data = serialize_row(part, row, self.number)
            if part.model is Pairing:
                # The common deal of a duplicate round is secret until its last table is over.
                data["deal"] = "" if row.round_id in open_rounds else data["deal"]
                data["state"] = "scheduled" if data["state"] == "playing" else data["state"]
            yield data

    def _open_rounds(self) -> frozenset[int]:
        rounds = Round.objects.filter(stage__division__season__league=self.league)
        return frozenset(rounds.exclude(status=Round.Status.CLOSED).values_list("pk", flat=True))

    def rated(self) -> Iterator[JsonDict]:
        """The rated results of the league's tables, every version. Online tables are named like any other."""
        tables = Pairing.objects.filter(round__stage__division__season__league=self.league).order_by("pk")
        listed = tables.values_list("pk", "key", "match__key")
        for some in batches(list(listed)):
            sources = {f"match:{match}" if match else f"pairing:{key}": pk for pk, key, match in some}
            results = RatedResult.objects.filter(source__in=sources)
            for row in sorted(results, key=lambda each: (sources[each.source], each.version)):
                seats = [[self.number(User, user), *rest] for user, *rest in row.seats]
                by = None if row.recorded_by_id is None else self.number(User, row.recorded_by_id)
                data = {
                    field.name: column_value(field, row)
                    for field in row._meta.concrete_fields
                    if field.name in RATED_FIELDS
                }
                yield {"pairing": self.number(Pairing, sources[row.source]), "seats": seats, "recorded_by": by, **data}

    def log(self) -> Iterator[JsonDict]:
        seasons = {str(pk): number for pk, number in self.numbers[Season].items()}
        entries = AuditEntry.objects.filter(object_type=models.Season._meta.label_lower, object_id__in=seasons)
        for entry in entries.order_by("pk").iterator(chunk_size=BATCH):
            yield {
                "season": seasons[entry.object_id],
                "action": entry.action,
                "actor": None if entry.actor_id is None else self.number(User, entry.actor_id),
                "person": None if entry.person_id is None else self.number(User, entry.person_id),
                "params": map_people(entry.params, lambda pk: {"user": self.number(User, pk)}),
                "at": entry.at.isoformat(),
            }

    def people(self) -> Iterator[JsonDict]:
        bot_keys = site_bots.keys() if HouseBot.objects.exists() else {}
        for some in batches(self.numbers[User]):
            users = User.objects.in_bulk(list(some))
            for pk in some:
                yield _person(users[pk], bot_keys.get(pk, ""))


def _person(user: User, bot_key: str) -> JsonDict:
    """What the person's table mates know about them, and no more."""
    if user.deleted_at:
        return {"kind": "former", "handle": "", "name": ""}
    kind = "house" if bot_key else "bot" if user.is_bot else "guest" if user.is_guest else "person"
    return {"kind": kind, "handle": bot_key or user.handle, "name": user.display_name}


def digest(league: JsonDict, files: dict[str, JsonDict]) -> str:
    """A checksum of the content, without the time at which the archive was made."""
    return hashlib.sha256(json.dumps([VERSION, league, files], sort_keys=True).encode()).hexdigest()

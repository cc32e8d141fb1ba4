"""Takes a league down to one file, as it was at one moment."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZipFile

from django.db.models import Model

from accounts.access import Actor
from accounts.models import AuditEntry, User
from accounts.rows import BATCH, one_moment, packed
from leagues import models
from leagues.access import Permission, require
from leagues.exchange.archive import nights
from leagues.exchange.archive.parts import PARTS, is_person, written
from leagues.models import HouseBot, League, Pairing, RatedResult, Round, Season
from leagues.ratings import housebots
from leagues.ratings.batches import batches

FORMAT = "gauntlet-league"
VERSION = 1
MANIFEST = "manifest.json"
PEOPLE, LOG, RATED = "people.jsonl", "log.jsonl", "rated.jsonl"
LEAGUE = ("name", "game", "about", "made_at", "closed_at")
RATED_FIELDS = ("version", "finished_at", "scenario", "bots_only", "void", "counts", "recorded_at", "reason")

Told = dict[str, Any]


def export(*, actor: Actor, league: League, file: IO[bytes]) -> Told:
    """Write the archive into a file that is open for writing; its manifest."""
    require(actor, Permission.ORGANISE, league)
    return write(league, file)


def write(league: League, file: IO[bytes]) -> Told:
    with ZipFile(file, "w", ZIP_DEFLATED) as archive, one_moment():
        return _Packing(archive, league).manifest()


class _Packing:
    """Numbers are given in the order rows are met, so the same league makes the same file in any house."""

    def __init__(self, archive: ZipFile, league: League) -> None:
        self.archive, self.league = archive, league
        self.numbers: dict[type[Model], dict[int, int]] = defaultdict(dict)
        self.files: dict[str, Told] = {}

    def number(self, model: type[Model], pk: int) -> int:
        known = self.numbers[model]
        return known.setdefault(pk, len(known) + 1) if is_person(model) else known[pk]

    def manifest(self) -> Told:
        for part in PARTS:
            self.add(part.file, self.rows_of(part))
        self.add("night.jsonl", nights.written(self.league, lambda pk: self.number(Pairing, pk)))
        self.add(RATED, self.rated())
        self.add(LOG, self.log())
        self.add(PEOPLE, self.people())
        told = {
            field.name: packed(field, self.league) for field in League._meta.concrete_fields if field.name in LEAGUE
        }
        manifest = {
            "format": FORMAT,
            "version": VERSION,
            "made_at": datetime.now(UTC).isoformat(timespec="seconds"),
            "club": self.league.club.name,
            "league": told,
            "files": self.files,
            "digest": digest(told, self.files),
        }
        self.archive.writestr(MANIFEST, json.dumps(manifest, indent=1, ensure_ascii=False))
        return manifest

    def add(self, name: str, rows: Iterable[Told]) -> None:
        count, told = 0, hashlib.sha256()
        with self.archive.open(name, "w", force_zip64=True) as file:
            for row in rows:
                line = json.dumps(row, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
                file.write(line)
                told.update(line)
                count += 1
        self.files[name] = {"rows": count, "sha256": told.hexdigest()}

    def rows_of(self, part: Any) -> Iterator[Told]:
        rows = part.model._base_manager.filter(**{part.path: self.league}).order_by("pk")
        open_rounds = self._open_rounds() if part.model is Pairing else frozenset()
        for row in rows.iterator(chunk_size=BATCH):
            self.numbers[part.model].setdefault(row.pk, len(self.numbers[part.model]) + 1)
            told = written(part, row, self.number)
            if part.model is Pairing:
                # What all tables of a duplicate round are dealt is a secret until the last of them is over.
                told["deal"] = "" if row.round_id in open_rounds else told["deal"]
                told["state"] = "scheduled" if told["state"] == "playing" else told["state"]
            yield told

    def _open_rounds(self) -> frozenset[int]:
        rounds = Round.objects.filter(stage__division__season__league=self.league)
        return frozenset(rounds.exclude(status=Round.Status.CLOSED).values_list("pk", flat=True))

    def rated(self) -> Iterator[Told]:
        """What ratings know of the league's tables, every version; a live table is named like any other."""
        tables = Pairing.objects.filter(round__stage__division__season__league=self.league).order_by("pk")
        listed = tables.values_list("pk", "key", "match__key")
        for some in batches(list(listed)):
            sources = {f"match:{match}" if match else f"pairing:{key}": pk for pk, key, match in some}
            found = RatedResult.objects.filter(source__in=sources)
            for row in sorted(found, key=lambda each: (sources[each.source], each.version)):
                seats = [[self.number(User, user), *rest] for user, *rest in row.seats]
                by = None if row.recorded_by_id is None else self.number(User, row.recorded_by_id)
                told = {
                    field.name: packed(field, row) for field in row._meta.concrete_fields if field.name in RATED_FIELDS
                }
                yield {"pairing": self.number(Pairing, sources[row.source]), "seats": seats, "recorded_by": by, **told}

    def log(self) -> Iterator[Told]:
        seasons = {str(pk): number for pk, number in self.numbers[Season].items()}
        entries = AuditEntry.objects.filter(object_type=models.Season._meta.label_lower, object_id__in=seasons)
        for entry in entries.order_by("pk").iterator(chunk_size=BATCH):
            yield {
                "season": seasons[entry.object_id],
                "action": entry.action,
                "actor": None if entry.actor_id is None else self.number(User, entry.actor_id),
                "person": None if entry.person_id is None else self.number(User, entry.person_id),
                "params": entry.params,
                "at": entry.at.isoformat(),
            }

    def people(self) -> Iterator[Told]:
        house = housebots.keys() if HouseBot.objects.exists() else {}
        for some in batches(self.numbers[User]):
            found = User.objects.in_bulk(list(some))
            for pk in some:
                yield _person(found[pk], house.get(pk, ""))


def _person(user: User, house: str) -> Told:
    """As much of somebody as their table mates know."""
    if user.deleted_at:
        return {"kind": "former", "handle": "", "name": ""}
    kind = "house" if house else "bot" if user.is_bot else "guest" if user.is_guest else "person"
    return {"kind": kind, "handle": house or user.handle, "name": user.display_name}


def digest(league: Told, files: dict[str, Told]) -> str:
    """What the archive holds, in short; when it was made is no part of it."""
    return hashlib.sha256(json.dumps([VERSION, league, files], sort_keys=True).encode()).hexdigest()

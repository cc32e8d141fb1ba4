"""Imports a league from its file: all of it in one transaction, or nothing."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import Error, transaction
from django.db.models import Model, Q
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import engine
from accounts import audit
from accounts.infra.batches import batches
from accounts.infra.errors import Refused
from accounts.infra.row_json import BATCH, columns
from accounts.models import AuditEntry, Club, User
from accounts.stored_names import map_people
from games import card_files
from games.models import CardFile
from games.models.card_file import digest_of
from leagues.core import consent, season_effects
from leagues.core.access import Permission, require
from leagues.elo.result_types import SeatResult
from leagues.entries import registration
from leagues.formats import duplicate
from leagues.import_export.archive import nights, people, validation
from leagues.import_export.archive.reader import Archive, file_error
from leagues.import_export.archive.tables import PARTS, InvalidRow, Part, build_row, is_person
from leagues.import_export.archive.writer import LEAGUE, LOG, RATED, RATED_FIELDS
from leagues.models import League, Pairing, RatedResult, Round, Season, SignOff
from leagues.ratings import ledger
from leagues.results.rating_sync import batch_of
from leagues.seasons import final_standings, sign_off
from leagues.seasons.setup import save_under_a_free_slug

BROUGHT = audit.declare_action("leagues.league-imported", _("%(actor)s imported the league %(league)s from a file"))
BROUGHT_SEASON = audit.declare_action("leagues.season-imported", _("%(actor)s imported this season from a file"))

COLUMNS = {model: {field.name: field for field in columns(model)} for model in (League, RatedResult)}


def import_archive(
    *, actor: User, club: Club, archive: Archive, same: Collection[int], with_ratings: bool = False
) -> League:
    """Create the league as it was when the file was made. `same` are the numbers of people who have an account here.

    Anybody can write a file, so its ratings count only if the site's staff or administrator says so.
    """
    require(actor, Permission.ORGANISE, club)
    try:
        with transaction.atomic():
            return _Importer(actor, club, archive, with_ratings or actor.is_staff).run(same)
    except Error:
        raise Refused(gettext("The rows of this file contradict each other. Nothing was imported.")) from None


@dataclass
class _Importer:
    actor: User
    club: Club
    archive: Archive
    with_ratings: bool
    numbers: dict[type[Model], dict[int, int]] = field(default_factory=lambda: defaultdict(dict))
    sources: dict[int, str] = field(default_factory=dict)
    rounds: dict[int, int] = field(default_factory=dict)
    # Tables already rated on this site, because the league was played or imported here before.
    known: set[int] = field(default_factory=set)

    def run(self, same: Collection[int]) -> League:
        everybody = people.people_in(self.archive, self.club)
        self.numbers[User] = people.resolve_people(everybody, club=self.club, actor=self.actor, same=same)
        league = self.create_league()
        for part in PARTS:
            self.import_rows(part, league)
        self.set_deals(league)
        for number, row in self.archive.lines("night.jsonl"):
            try:
                nights.import_night(self.club, row, lambda table: self.local_id(Pairing, table))
            except (KeyError, TypeError, ValueError, AttributeError, ValidationError):
                raise file_error("night.jsonl", number) from None
        validation.check(league)
        self.sign(league)
        self.import_rated(league)
        self.ask_people(league)
        self.import_log()
        for season in Season.objects.filter(league=league).select_related("league__club").order_by("number"):
            season_effects.log_and_refresh(BROUGHT_SEASON, actor=self.actor, season=season)
        audit.record(BROUGHT, actor=self.actor, on=league, club=self.club, league=league.name)
        return league

    def local_id(self, model: type[Model], number: int) -> int:
        return self.numbers[model][number]

    def create_league(self) -> League:
        data = self.archive.manifest["league"]
        league = League(club=self.club)
        try:
            for name in LEAGUE:
                setattr(league, name, COLUMNS[League][name].to_python(data[name]))
            save_under_a_free_slug(league)
        except (KeyError, TypeError, ValueError, ValidationError, Refused):
            raise file_error("manifest.json", 1, "league") from None
        return league

    def import_rows(self, part: Part, league: League) -> None:
        batch: list[tuple[int, Model]] = []
        for number, data in self.archive.lines(part.file):
            try:
                row = build_row(part, data, self.local_id)
            except InvalidRow as wrong:
                raise file_error(part.file, number, str(wrong)) from None
            if isinstance(row, Season):
                row.league = league
            batch.append((number, row))
            if len(batch) == BATCH:
                self.save(part, batch)
                batch = []
        self.save(part, batch)

    def save(self, part: Part, batch: list[tuple[int, Model]]) -> None:
        if part.model is CardFile:
            self.save_card_files([(number, row) for number, row in batch if isinstance(row, CardFile)])
            return
        if part.model is Pairing:
            self.free_keys([(number, row) for number, row in batch if isinstance(row, Pairing)])
        created = part.model._base_manager.bulk_create([row for _number, row in batch])
        if not is_person(part.model):
            self.numbers[part.model].update({number: row.pk for (number, _row), row in zip(batch, created)})

    def save_card_files(self, rows: list[tuple[int, CardFile]]) -> None:
        """The club's own cards, checked as if they were uploaded; a version that the club has is not added again."""
        game = self.archive.manifest["league"]["game"]
        for number, row in rows:
            rules = engine.game(game)
            try:
                source = card_files.decoded(row.source.encode())
                if row.game != game or not rules.card_option or digest_of(source) != row.digest:
                    raise file_error("cardfile.jsonl", number)
                card_files.check(rules, source)
            except (UnicodeEncodeError, Refused):
                raise file_error("cardfile.jsonl", number) from None
            here = CardFile.objects.filter(club=self.club, game=game, digest=row.digest).first()
            if here is None:
                row.club, row.uploaded_by = self.club, self.actor
                row.number = card_files.next_number(self.club, game)
                row.save(force_insert=True)
                here = row
            self.numbers[CardFile][number] = here.pk

    def free_keys(self, tables: list[tuple[int, Pairing]]) -> None:
        """A table keeps its key, which is on printed sheets, unless another table has it."""
        wanted = {row.key for _number, row in tables if row.key}
        taken = set(Pairing.objects.filter(key__in=wanted).values_list("key", flat=True))
        rated = RatedResult.objects.filter(source__in=[f"pairing:{key}" for key in wanted])
        known = set(rated.values_list("source", flat=True))
        known |= {f"pairing:{key}" for key in self.rated_matches(taken)}
        for number, row in tables:
            if f"pairing:{row.key}" in known:
                self.known.add(number)
            if row.key in taken or not (8 <= len(row.key) <= 12 and row.key.isascii() and row.key.isalnum()):
                row.key = Pairing._meta.get_field("key").get_default()
            taken.add(row.key)
            self.sources[number] = f"pairing:{row.key}"
            self.rounds[number] = row.round_id

    @staticmethod
    def sign(league: League) -> None:
        """Sign the standings again: the order is the same, but the ids are new."""
        for signed in SignOff.objects.filter(season__league=league).select_related("season__league__club"):
            signed.seal = sign_off.seal(final_standings.preview(season=signed.season).order)
            signed.save(update_fields=["seal"])

    @staticmethod
    def rated_matches(keys: Collection[str]) -> list[str]:
        """Which of these tables of this site have a rated online match."""
        played = Pairing.objects.filter(key__in=keys, match__rated_results__isnull=False)
        return list(played.values_list("key", flat=True))

    def set_deals(self, league: League) -> None:
        """Give open duplicate rounds the deal that follows from their stage's secret here."""
        tables = Pairing.objects.filter(round__stage__division__season__league=league, reason__code="duplicate")
        open_ones = Round.objects.filter(pairings__in=tables).exclude(status=Round.Status.CLOSED).distinct()
        for round_ in open_ones.select_related("stage"):
            tables.filter(round=round_).update(deal=duplicate.deal(round_.stage.secret, round_.number))

    def import_rated(self, league: League) -> None:
        """Import the rated results, each version. Tables already rated here are not rated twice."""
        pool = None
        rows: list[RatedResult] = []
        for number, data in self.archive.lines(RATED):
            try:
                pool = pool or ledger.pool_for(league.game)
                fact = self.build_fact(data, pool.pk)
                ledger.check(pool.game, _seats(fact.seats))
                if data["pairing"] not in self.known:
                    fact.counts = fact.counts and self.with_ratings
                    rows.append(fact)
            except (KeyError, TypeError, ValueError, IndexError, ValidationError):
                raise file_error(RATED, number) from None
        for some in batches(rows):
            RatedResult.objects.bulk_create(list(some))
        if pool is not None:
            ledger.request_update(pool.pk)

    def build_fact(self, data: dict[str, Any], pool: int) -> RatedResult:
        table = data["pairing"]
        row = RatedResult(pool_id=pool, source=self.sources[table], batch=batch_of(self.rounds[table]))
        for name in RATED_FIELDS:
            value = COLUMNS[RatedResult][name].to_python(data[name])
            COLUMNS[RatedResult][name].run_validators(value)
            setattr(row, name, value)
        row.seats = [[self.local_id(User, who), rank, bool(left), str(role)] for who, rank, left, role in data["seats"]]
        row.recorded_by_id = None if data["recorded_by"] is None else self.local_id(User, data["recorded_by"])
        if row.finished_at > timezone.now():
            raise ValueError("rated before it was played")
        if any(type(rank) is not int or rank > ledger.MOST_PLAYERS for _who, rank, *_rest in row.seats):
            raise ValueError("a place at no table")
        return row

    def ask_people(self, league: League) -> None:
        """People with an account here did not agree to the seasons of a file: they are asked."""
        for season in Season.objects.filter(league=league).select_related("league__club"):
            sits = Q(entries__season=season) | Q(teams__season=season)
            people = User.objects.filter(sits, is_bot=False, is_guest=False, is_active=True).distinct()
            if season.is_closed:
                consent.ask(season, people, by=self.actor)
            else:
                registration.ask_to_play(self.actor, season, list(people))

    def import_log(self) -> None:
        """Import the log of the seasons, and nothing else."""
        known = {action for action in audit.actions() if action.startswith("leagues.")}
        for some in batches(list(self.archive.lines(LOG))):
            AuditEntry.objects.bulk_create(self.build_log_entries(some, known))

    def build_log_entries(self, some: Iterable[tuple[int, dict[str, Any]]], known: Collection[str]) -> list[AuditEntry]:
        entries = []
        for number, data in some:
            try:
                who = {name: data[name] and self.local_id(User, data[name]) for name in ("actor", "person")}
                season = self.local_id(Season, data["season"])
                params = map_people(dict(data["params"]), lambda one: {"user": self.local_id(User, one)})
                at = datetime.fromisoformat(data["at"])
                if data["action"] not in known or at.tzinfo is None or at > timezone.now():
                    raise ValueError(data["action"])
            except (KeyError, TypeError, ValueError):
                raise file_error(LOG, number) from None
            entries.append(
                AuditEntry(
                    action=data["action"],
                    actor_id=who["actor"],
                    person_id=who["person"],
                    object_type=Season._meta.label_lower,
                    object_id=str(season),
                    params=params,
                    at=at,
                )
            )
        return entries


def _seats(rows: list[list[Any]]) -> list[SeatResult]:
    return [SeatResult(index, rank, who, role=role, left=left) for index, (who, rank, left, role) in enumerate(rows)]

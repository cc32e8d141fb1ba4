"""Sets a league up again from its file: all of it in one transaction, or nothing."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import Error, transaction
from django.db.models import Model
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.errors import Refused
from accounts.models import AuditEntry, Club, User
from accounts.rows import BATCH, columns
from leagues import close, log, signoff
from leagues.access import Permission, require
from leagues.competitions import save_under_a_free_slug
from leagues.exchange.archive import crowd, nights, sound
from leagues.exchange.archive.opening import Archive, unfit
from leagues.exchange.archive.pack import LEAGUE, LOG, RATED, RATED_FIELDS
from leagues.exchange.archive.parts import PARTS, Part, Unfit, is_person, read
from leagues.formats import duplicate
from leagues.models import League, Pairing, RatedResult, Round, Season, SignOff
from leagues.rated import batch_of
from leagues.ratings import ledger
from leagues.ratings.batches import batches
from leagues.ratings.kinds import SeatResult

BROUGHT = audit.action("leagues.league-imported", _("%(actor)s brought in the league %(league)s from a file"))
BROUGHT_SEASON = audit.action("leagues.season-imported", _("%(actor)s brought this season in from a file"))

COLUMNS = {model: {field.name: field for field in columns(model)} for model in (League, RatedResult)}


def bring_in(*, actor: User, club: Club, archive: Archive, same: Collection[int]) -> League:
    """The league as it was when the file was made; `same` are the people who are somebody here, by number."""
    require(actor, Permission.ORGANISE, club)
    try:
        with transaction.atomic():
            return _Unpacking(actor, club, archive).run(same)
    except Error:
        raise Refused(gettext("The rows of this file contradict each other. Nothing was imported.")) from None


@dataclass
class _Unpacking:
    actor: User
    club: Club
    archive: Archive
    numbers: dict[type[Model], dict[int, int]] = field(default_factory=lambda: defaultdict(dict))
    sources: dict[int, str] = field(default_factory=dict)
    rounds: dict[int, int] = field(default_factory=dict)
    # Tables whose results are rated in this house already, because the league was played or brought in here before.
    known: set[int] = field(default_factory=set)

    def run(self, same: Collection[int]) -> League:
        everybody = crowd.listed(self.archive, self.club)
        self.numbers[User] = crowd.settled(everybody, club=self.club, actor=self.actor, same=same)
        league = self.league()
        for part in PARTS:
            self.rows_of(part, league)
        self.deals(league)
        for number, told in self.archive.lines("night.jsonl"):
            try:
                nights.read(self.club, told, lambda table: self.own(Pairing, table))
            except (KeyError, TypeError, ValueError, AttributeError, ValidationError):
                raise unfit("night.jsonl", number) from None
        sound.check(league)
        self.sign(league)
        self.rated(league)
        self.log()
        for season in Season.objects.filter(league=league).select_related("league__club").order_by("number"):
            log.note(BROUGHT_SEASON, actor=self.actor, season=season)
        audit.record(BROUGHT, actor=self.actor, on=league, club=self.club, league=league.name)
        return league

    def own(self, model: type[Model], number: int) -> int:
        return self.numbers[model][number]

    def league(self) -> League:
        told = self.archive.manifest["league"]
        league = League(club=self.club)
        try:
            for name in LEAGUE:
                setattr(league, name, COLUMNS[League][name].to_python(told[name]))
            save_under_a_free_slug(league)
        except (KeyError, TypeError, ValueError, ValidationError, Refused):
            raise unfit("manifest.json", 1, "league") from None
        return league

    def rows_of(self, part: Part, league: League) -> None:
        held: list[tuple[int, Model]] = []
        for number, told in self.archive.lines(part.file):
            try:
                row = read(part, told, self.own)
            except Unfit as wrong:
                raise unfit(part.file, number, str(wrong)) from None
            if isinstance(row, Season):
                row.league = league
            held.append((number, row))
            if len(held) == BATCH:
                self.save(part, held)
                held = []
        self.save(part, held)

    def save(self, part: Part, held: list[tuple[int, Model]]) -> None:
        if part.model is Pairing:
            self.free_keys([(number, row) for number, row in held if isinstance(row, Pairing)])
        made = part.model._base_manager.bulk_create([row for _number, row in held])
        if not is_person(part.model):
            self.numbers[part.model].update({number: row.pk for (number, _row), row in zip(held, made)})

    def free_keys(self, tables: list[tuple[int, Pairing]]) -> None:
        """A table keeps its key, which stands on printed sheets, unless another one has it."""
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
        """What was signed off is signed off here, too: the same order under other numbers."""
        for signed in SignOff.objects.filter(season__league=league).select_related("season__league__club"):
            signed.seal = signoff.seal(close.preview(season=signed.season).order)
            signed.save(update_fields=["seal"])

    @staticmethod
    def rated_matches(keys: Collection[str]) -> list[str]:
        """Of these tables of this house those whose live match is rated."""
        played = Pairing.objects.filter(key__in=keys, match__rated_results__isnull=False)
        return list(played.values_list("key", flat=True))

    def deals(self, league: League) -> None:
        """Duplicate rounds that are open get the deal of the secret that their stage has here."""
        sealed = Pairing.objects.filter(round__stage__division__season__league=league, reason__code="duplicate")
        open_ones = Round.objects.filter(pairings__in=sealed).exclude(status=Round.Status.CLOSED).distinct()
        for round_ in open_ones.select_related("stage"):
            sealed.filter(round=round_).update(deal=duplicate.deal(round_.stage.secret, round_.number))

    def rated(self, league: League) -> None:
        """The facts that ratings are folded from, each version; what is rated here already is not rated twice."""
        pool = None
        rows: list[RatedResult] = []
        for number, told in self.archive.lines(RATED):
            try:
                pool = pool or ledger.pool_for(league.game)
                fact = self.fact(told, pool.pk)
                ledger.check(pool.kind, _seats(fact.seats))
                if told["pairing"] not in self.known:
                    rows.append(fact)
            except (KeyError, TypeError, ValueError, IndexError, ValidationError):
                raise unfit(RATED, number) from None
        for some in batches(rows):
            RatedResult.objects.bulk_create(list(some))
        if pool is not None:
            ledger.settle_soon(pool.pk)

    def fact(self, told: dict[str, Any], pool: int) -> RatedResult:
        table = told["pairing"]
        row = RatedResult(pool_id=pool, source=self.sources[table], batch=batch_of(self.rounds[table]))
        for name in RATED_FIELDS:
            value = COLUMNS[RatedResult][name].to_python(told[name])
            COLUMNS[RatedResult][name].run_validators(value)
            setattr(row, name, value)
        row.seats = [[self.own(User, who), rank, bool(left), str(role)] for who, rank, left, role in told["seats"]]
        row.recorded_by_id = None if told["recorded_by"] is None else self.own(User, told["recorded_by"])
        if row.finished_at > timezone.now():
            raise ValueError("rated before it was played")
        if any(type(rank) is not int or rank > ledger.MOST_PLAYERS for _who, rank, *_rest in row.seats):
            raise ValueError("a place at no table")
        return row

    def log(self) -> None:
        """Whatever is written into the log of a season, and nothing else, comes along."""
        known = {action for action in audit.actions() if action.startswith("leagues.")}
        for some in batches(list(self.archive.lines(LOG))):
            AuditEntry.objects.bulk_create(self.entries(some, known))

    def entries(self, some: Iterable[tuple[int, dict[str, Any]]], known: Collection[str]) -> list[AuditEntry]:
        made = []
        for number, told in some:
            try:
                who = {name: told[name] and self.own(User, told[name]) for name in ("actor", "person")}
                season, params = self.own(Season, told["season"]), dict(told["params"])
                at = datetime.fromisoformat(told["at"])
                if told["action"] not in known or at.tzinfo is None or at > timezone.now():
                    raise ValueError(told["action"])
            except (KeyError, TypeError, ValueError):
                raise unfit(LOG, number) from None
            made.append(
                AuditEntry(
                    action=told["action"],
                    actor_id=who["actor"],
                    person_id=who["person"],
                    object_type=Season._meta.label_lower,
                    object_id=str(season),
                    params=params,
                    at=at,
                )
            )
        return made


def _seats(rows: list[list[Any]]) -> list[SeatResult]:
    return [SeatResult(index, rank, who, role=role, left=left) for index, (who, rank, left, role) in enumerate(rows)]

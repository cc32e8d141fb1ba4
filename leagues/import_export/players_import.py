"""Imports players from a spreadsheet into a division: checks each line, then enters everybody by the usual verbs."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from django.db import transaction
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.infra.errors import Refused
from accounts.infra.input import whole_number
from accounts.models import User
from accounts.people import MAX_NAME_LENGTH
from engine.bots import LEVELS
from games.models.record import LEVEL_NAMES
from leagues.core import format_catalogue, season_effects
from leagues.core.access import Permission, require
from leagues.entries import registration, seeding
from leagues.import_export import columns, spreadsheet
from leagues.import_export.name_matching import KnownPeople, SimilarNames, known_people, namesakes, normalize_name
from leagues.import_export.spreadsheet import Line, Problem, Sheet
from leagues.import_export.values import fingerprint_of
from leagues.models import Division, Entrant, Season

IMPORTED = audit.declare_action(
    "leagues.imported-players", _("%(actor)s imported %(count)s players of %(division)s from a file")
)

MAX_PLAYERS = 500


@dataclass(frozen=True)
class Entry:
    """A line that can be entered: a member, a known guest, a new guest or a bot."""

    line: int
    kind: str
    name: str
    user: int | None = None
    level: str = ""
    seed: int | None = None


@dataclass(frozen=True)
class Plan:
    entries: tuple[Entry, ...]
    problems: tuple[Problem, ...]
    warnings: tuple[Problem, ...]

    @property
    def seal(self) -> str:
        return fingerprint_of([asdict(entry) for entry in self.entries], self.problems)

    @property
    def is_empty(self) -> bool:
        return not self.entries


def plan(*, division: Division, content: bytes) -> Plan:
    """What the file would do, in a fixed number of queries. Nothing is written."""
    season = division.season
    if season.is_closed:
        raise Refused(gettext("This season is closed."))
    if any(format_catalogue.FORMATS[stage.format].teams for stage in division.stages.all()):
        raise Refused(gettext("This format is for teams, not for people alone."))
    sheet = spreadsheet.read(content, columns.PLAYERS, max_rows=MAX_PLAYERS)
    known = known_people(season)
    similar = SimilarNames(entrant.name for entrants in known.entered_names.values() for entrant in entrants)
    seen: dict[str, int] = {}
    seeds: dict[int, int] = {}
    entries: list[Entry] = []
    problems, warnings = list(sheet.problems), list(sheet.warnings)
    for line in sheet.lines:
        try:
            entry = _entry(sheet, line, season, known)
            _check_once(sheet, line, entry, seen, seeds)
        except LineError as wrong:
            problems.append(wrong.problem)
            continue
        entries.append(entry)
        warnings += _warnings(sheet, line, entry, known, similar)
        similar.add(entry.name)
    problems.sort(key=lambda each: each.line)
    return Plan(tuple(entries), tuple(problems), tuple(warnings))


class LineError(Exception):
    """This line cannot be imported."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.reason)
        self.problem = problem


def _entry(sheet: Sheet, line: Line, season: Season, known: KnownPeople) -> Entry:
    seed = _seed(sheet, line, season)
    if line["bot"]:
        return _bot(sheet, line, season, seed)
    member = _member(sheet, line, known)
    if member is not None:
        return Entry(line.number, "member", member.name, member.pk, seed=seed)
    return _guest(sheet, line, season, known, seed)


def _seed(sheet: Sheet, line: Line, season: Season) -> int | None:
    if not line["seed"]:
        return None
    seed = whole_number(line["seed"], minimum=1, maximum=MAX_PLAYERS)
    if seed is None:
        raise LineError(sheet.problem(line, "seed", gettext("A seed is a whole number, 1 or more.")))
    if season.has_begun:
        raise LineError(sheet.problem(line, "seed", gettext("The season has started: its seeds are set.")))
    return seed


def _bot(sheet: Sheet, line: Line, season: Season, seed: int | None) -> Entry:
    called = {columns.fold(str(LEVEL_NAMES[level])): level for level in LEVELS} | {level: level for level in LEVELS}
    level = called.get(columns.fold(line["bot"]))
    if level is None:
        levels = ", ".join(LEVELS)
        raise LineError(
            sheet.problem(line, "bot", gettext("There is no such bot: use one of %(levels)s.") % {"levels": levels})
        )
    if season.where == Season.Where.CLUB:
        raise LineError(sheet.problem(line, "bot", gettext("A bot cannot come to the club.")))
    return Entry(line.number, "bot", str(LEVEL_NAMES[level]), level=level, seed=seed)


def _member(sheet: Sheet, line: Line, known: KnownPeople) -> User | None:
    if line["handle"]:
        member = known.members.get(line["handle"].removeprefix("@").casefold())
        if member is None:
            raise LineError(sheet.problem(line, "handle", gettext("No member of the club has this handle.")))
    else:
        member = known.by_mail.get(line["email"].casefold()) if line["email"] else None
        if member is None and line["email"] and not line["name"]:
            raise LineError(sheet.problem(line, "email", gettext("No member of the club has this address.")))
    if member is not None and (entered := known.entered.get(member.pk)) and not entered.is_withdrawn:
        message = gettext("%(name)s has entered this season already.") % {"name": member.name}
        raise LineError(sheet.problem(line, "handle" if line["handle"] else "email", message))
    return member


def _guest(sheet: Sheet, line: Line, season: Season, known: KnownPeople, seed: int | None) -> Entry:
    name = line["name"]
    if not name:
        raise LineError(sheet.problem(line, "name", gettext("Give a name, a handle or a bot’s level.")))
    if len(name) > MAX_NAME_LENGTH:
        message = gettext("A name has 1 to %(most)s letters.") % {"most": MAX_NAME_LENGTH}
        raise LineError(sheet.problem(line, "name", message))
    if season.where == Season.Where.ONLINE:
        message = gettext("A guest has no account to play online with: give the handle of a member.")
        raise LineError(sheet.problem(line, "name", message))
    if any(not each.is_withdrawn for each in known.entered_names.get(normalize_name(name), ())):
        message = gettext("%(name)s has entered this season already.") % {"name": name}
        raise LineError(sheet.problem(line, "name", message))
    before = known.guests.get(normalize_name(name), [])
    if len(before) == 1 and (before[0].pk not in known.entered):
        return Entry(line.number, "known", before[0].name, before[0].pk, seed=seed)
    return Entry(line.number, "guest", name, seed=seed)


def _check_once(sheet: Sheet, line: Line, entry: Entry, seen: dict[str, int], seeds: dict[int, int]) -> None:
    """Refuse the same person or seed twice in one file."""
    key = f"user {entry.user}" if entry.user else f"name {normalize_name(entry.name)}"
    if entry.kind != "bot" and key in seen:
        message = gettext("The same as line %(line)s.") % {"line": seen[key]}
        raise LineError(sheet.problem(line, "handle" if line["handle"] else "name", message))
    if entry.seed is not None and entry.seed in seeds:
        message = gettext("Line %(line)s has this seed already.") % {"line": seeds[entry.seed]}
        raise LineError(sheet.problem(line, "seed", message))
    seen[key] = entry.line
    if entry.seed is not None:
        seeds[entry.seed] = entry.line


def _warnings(sheet: Sheet, line: Line, entry: Entry, known: KnownPeople, similar: SimilarNames) -> list[Problem]:
    """Warnings about what is possible but unusual."""
    warnings = []
    if entry.kind in ("guest", "known") and line["email"]:
        message = gettext("No member of the club has this address: a guest is entered, and the address is not kept.")
        warnings.append(sheet.problem(line, "email", message))
    if entry.kind == "guest" and (message := namesakes(known, entry.name)):
        warnings.append(sheet.problem(line, "name", message))
    if entry.kind != "bot" and (near := similar.near(entry.name)):
        message = gettext("Nearly the same as “%(name)s”.") % {"name": near}
        warnings.append(sheet.problem(line, "name" if line["name"] else "handle", message))
    return warnings


@transaction.atomic
def import_players(*, actor: User, division: Division, plan: Plan) -> list[Entrant]:
    """Enter everybody of a plan that was made under the same lock: all of them or nobody."""
    require(actor, Permission.ORGANISE, division.season)
    people = User.objects.in_bulk([entry.user for entry in plan.entries if entry.user])
    entrants: list[Entrant] = []
    for entry in plan.entries:
        try:
            entrants.append(_enter(actor, division, entry, people))
        except Refused as refused:
            message = gettext("Line %(line)s: %(reason)s") % {"line": entry.line, "reason": refused.message}
            raise Refused(message) from refused
    _seeds(actor, division, plan.entries, entrants)
    season_effects.log_and_refresh(
        IMPORTED, actor=actor, season=division.season, count=len(entrants), division=division.name
    )
    return entrants


def _enter(actor: User, division: Division, entry: Entry, people: dict[int, User]) -> Entrant:
    if entry.kind == "bot":
        return registration.add_bot(actor=actor, division=division, level=entry.level)
    if entry.user is not None:
        return registration.add_person(actor=actor, division=division, person=people[entry.user])
    return registration.add_guest(actor=actor, division=division, name=entry.name)


def _seeds(actor: User, division: Division, entries: Sequence[Entry], entrants: Sequence[Entrant]) -> None:
    """Give entrants the seeds of the file; everybody else follows in their former order."""
    seeds = {entrant.pk: entry.seed for entrant, entry in zip(entrants, entries) if entry.seed is not None}
    if not seeds:
        return
    everybody = seeding.in_order(division)
    last = len(everybody) + MAX_PLAYERS
    order = sorted(everybody, key=lambda each: (seeds.get(each.pk, each.seed or last), each.entered_at, each.pk))
    seeding.by_hand(actor=actor, division=division, order=[each.pk for each in order])

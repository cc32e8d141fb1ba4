"""Players of a spreadsheet into a division: checked line by line, then entered by the verbs that enter anybody."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from django.db import transaction
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.errors import Refused
from accounts.models import User
from accounts.people import LONGEST_NAME
from engine.bots import LEVELS
from games.models.record import LEVEL_NAMES
from leagues import catalogue, enrol, log, seeding
from leagues.access import Permission, require
from leagues.exchange import columns, reading
from leagues.exchange.people import Company, Likeness, company, namesakes, same
from leagues.exchange.reading import Line, Problem, Sheet
from leagues.exchange.values import sealed
from leagues.models import Division, Entrant, Season

IMPORTED = audit.action(
    "leagues.imported-players", _("%(actor)s brought in %(count)s players of %(division)s from a file")
)

MOST = 500


@dataclass(frozen=True)
class Entry:
    """One line that can be entered: a member, a guest known here, a new guest or a bot."""

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
        return sealed([asdict(entry) for entry in self.entries], self.problems)

    @property
    def is_empty(self) -> bool:
        return not self.entries


def plan(*, division: Division, content: bytes) -> Plan:
    """What the file would do, in a fixed number of queries; nothing is written."""
    season = division.season
    if season.is_closed:
        raise Refused(gettext("This season is closed."))
    if any(catalogue.FORMATS[stage.format].teams for stage in division.stages.all()):
        raise Refused(gettext("This format is for teams, not for people alone."))
    sheet = reading.read(content, columns.PLAYERS, most=MOST)
    known = company(season)
    likeness = Likeness(entrant.name for entrants in known.entered_names.values() for entrant in entrants)
    seen: dict[str, int] = {}
    seeds: dict[int, int] = {}
    entries: list[Entry] = []
    problems, warnings = list(sheet.problems), list(sheet.warnings)
    for line in sheet.lines:
        try:
            entry = _entry(sheet, line, season, known)
            _once(sheet, line, entry, seen, seeds)
        except Wrong as wrong:
            problems.append(wrong.problem)
            continue
        entries.append(entry)
        warnings += _doubts(sheet, line, entry, known, likeness)
        likeness.add(entry.name)
    problems.sort(key=lambda each: each.line)
    return Plan(tuple(entries), tuple(problems), tuple(warnings))


class Wrong(Exception):
    """This line cannot be imported."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.reason)
        self.problem = problem


def _entry(sheet: Sheet, line: Line, season: Season, known: Company) -> Entry:
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
    if not (line["seed"].isascii() and line["seed"].isdecimal() and 1 <= int(line["seed"][:6]) <= MOST):
        raise Wrong(sheet.problem(line, "seed", gettext("A seed is a whole number from 1.")))
    if season.has_begun:
        raise Wrong(sheet.problem(line, "seed", gettext("The season has started: its seeds are set.")))
    return int(line["seed"])


def _bot(sheet: Sheet, line: Line, season: Season, seed: int | None) -> Entry:
    called = {columns.fold(str(LEVEL_NAMES[level])): level for level in LEVELS} | {level: level for level in LEVELS}
    level = called.get(columns.fold(line["bot"]))
    if level is None:
        known = ", ".join(LEVELS)
        raise Wrong(sheet.problem(line, "bot", gettext("There is no such bot: one of %(levels)s.") % {"levels": known}))
    if season.where == Season.Where.CLUB:
        raise Wrong(sheet.problem(line, "bot", gettext("A bot cannot come to the club.")))
    return Entry(line.number, "bot", str(LEVEL_NAMES[level]), level=level, seed=seed)


def _member(sheet: Sheet, line: Line, known: Company) -> User | None:
    if line["handle"]:
        member = known.members.get(line["handle"].removeprefix("@").casefold())
        if member is None:
            raise Wrong(sheet.problem(line, "handle", gettext("No member of the club has this handle.")))
    else:
        member = known.by_mail.get(line["email"].casefold()) if line["email"] else None
        if member is None and line["email"] and not line["name"]:
            raise Wrong(sheet.problem(line, "email", gettext("No member of the club has this address.")))
    if member is not None and (entered := known.entered.get(member.pk)) and not entered.is_withdrawn:
        words = gettext("%(name)s has entered this season already.") % {"name": member.name}
        raise Wrong(sheet.problem(line, "handle" if line["handle"] else "email", words))
    return member


def _guest(sheet: Sheet, line: Line, season: Season, known: Company, seed: int | None) -> Entry:
    name = line["name"]
    if not name:
        raise Wrong(sheet.problem(line, "name", gettext("Give a name, a handle or a bot’s level.")))
    if len(name) > LONGEST_NAME:
        words = gettext("A name has 1 to %(most)s letters.") % {"most": LONGEST_NAME}
        raise Wrong(sheet.problem(line, "name", words))
    if season.where == Season.Where.ONLINE:
        words = gettext("A guest has no account to play online with: give the handle of a member.")
        raise Wrong(sheet.problem(line, "name", words))
    if any(not each.is_withdrawn for each in known.entered_names.get(same(name), ())):
        words = gettext("%(name)s has entered this season already.") % {"name": name}
        raise Wrong(sheet.problem(line, "name", words))
    before = known.guests.get(same(name), [])
    if len(before) == 1 and (before[0].pk not in known.entered):
        return Entry(line.number, "known", before[0].name, before[0].pk, seed=seed)
    return Entry(line.number, "guest", name, seed=seed)


def _once(sheet: Sheet, line: Line, entry: Entry, seen: dict[str, int], seeds: dict[int, int]) -> None:
    """The same person or seed twice in one file."""
    whose = f"user {entry.user}" if entry.user else f"name {same(entry.name)}"
    if entry.kind != "bot" and whose in seen:
        words = gettext("The same as line %(line)s.") % {"line": seen[whose]}
        raise Wrong(sheet.problem(line, "handle" if line["handle"] else "name", words))
    if entry.seed is not None and entry.seed in seeds:
        words = gettext("Line %(line)s has this seed already.") % {"line": seeds[entry.seed]}
        raise Wrong(sheet.problem(line, "seed", words))
    seen[whose] = entry.line
    if entry.seed is not None:
        seeds[entry.seed] = entry.line


def _doubts(sheet: Sheet, line: Line, entry: Entry, known: Company, likeness: Likeness) -> list[Problem]:
    """What is possible, and worth a second look."""
    doubts = []
    if entry.kind in ("guest", "known") and line["email"]:
        words = gettext("No member of the club has this address: a guest is entered, and the address is not kept.")
        doubts.append(sheet.problem(line, "email", words))
    if entry.kind == "guest" and (words := namesakes(known, entry.name)):
        doubts.append(sheet.problem(line, "name", words))
    if entry.kind != "bot" and (near := likeness.near(entry.name)):
        words = gettext("Nearly the same as “%(name)s”.") % {"name": near}
        doubts.append(sheet.problem(line, "name" if line["name"] else "handle", words))
    return doubts


@transaction.atomic
def bring_in(*, actor: User, division: Division, plan: Plan) -> list[Entrant]:
    """Enter everybody of a plan that was made just now, under the same lock; all of them or nobody."""
    require(actor, Permission.ORGANISE, division.season)
    people = User.objects.in_bulk([entry.user for entry in plan.entries if entry.user])
    made: list[Entrant] = []
    for entry in plan.entries:
        try:
            made.append(_enter(actor, division, entry, people))
        except Refused as refused:
            words = gettext("Line %(line)s: %(reason)s") % {"line": entry.line, "reason": refused.message}
            raise Refused(words) from refused
    _seeds(actor, division, plan.entries, made)
    log.note(IMPORTED, actor=actor, season=division.season, count=len(made), division=division.name)
    return made


def _enter(actor: User, division: Division, entry: Entry, people: dict[int, User]) -> Entrant:
    if entry.kind == "bot":
        return enrol.add_bot(actor=actor, division=division, level=entry.level)
    if entry.user is not None:
        return enrol.add_person(actor=actor, division=division, person=people[entry.user])
    return enrol.add_guest(actor=actor, division=division, name=entry.name)


def _seeds(actor: User, division: Division, entries: Sequence[Entry], made: Sequence[Entrant]) -> None:
    """Those with a seed in the file take it; everybody else keeps their order after them."""
    given = {entrant.pk: entry.seed for entrant, entry in zip(made, entries) if entry.seed is not None}
    if not given:
        return
    everybody = seeding.in_order(division)
    last = len(everybody) + MOST
    order = sorted(everybody, key=lambda each: (given.get(each.pk, each.seed or last), each.entered_at, each.pk))
    seeding.by_hand(actor=actor, division=division, order=[each.pk for each in order])

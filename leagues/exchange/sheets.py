"""Past results as a spreadsheet tells them: rows become tables and byes, and whatever does not fit is named by line."""

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.translation import gettext

import engine
from accounts.errors import Refused
from accounts.people import LONGEST_NAME
from engine.errors import brief
from leagues import catalogue, scoresheet
from leagues.exchange import columns, reading, scoring
from leagues.exchange.people import Company, Likeness, company, namesakes, same
from leagues.exchange.players import Wrong
from leagues.exchange.reading import Line, Problem, Sheet
from leagues.exchange.values import Cell, Plan, Played, Rest, Who
from leagues.models import Division, Round, Season, Stage

MOST_ROUNDS, MOST_TABLES = 200, 999
# Rounds of one day without an hour still follow each other.
NOON = 12
DAYS = ("%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%d-%m-%Y", "%Y/%m/%d")
HOURS = ("", " %H:%M", " %H:%M:%S", "T%H:%M", "T%H:%M:%S")


@dataclass
class _Reader:
    season: Season
    sheet: Sheet
    divisions: dict[str, int]
    usual: int | None
    known: Company
    likeness: Likeness
    problems: list[Problem] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)
    broken: set[tuple[int, int, int]] = field(default_factory=set)
    met: dict[tuple[int, str], Who] = field(default_factory=dict)


def target(division: Division) -> Stage:
    """The stage that past results become the rounds of; one that cannot take them is refused."""
    stage = Stage.objects.filter(division=division).order_by("position").first()
    if division.season.is_closed:
        raise Refused(gettext("This season is closed."))
    if stage is None:
        raise Refused(gettext("“%(division)s” has no format yet.") % {"division": division.name})
    known = catalogue.FORMATS[stage.format]
    if known.ranks not in ("standings", "marks") or known.teams or known.code == "groups":
        words = gettext("Past results fit a league or Swiss of single players; “%(format)s” is none.")
        raise Refused(words % {"format": known.title})
    if Round.objects.filter(stage=stage).exists() or stage.status == Stage.Status.FINISHED:
        words = gettext("“%(division)s” has rounds already: past results go into a season without any.")
        raise Refused(words % {"division": division.name})
    return stage


def plan(*, season: Season, division: Division | None, content: bytes) -> Plan:
    """What the file would do, in a fixed number of queries; nothing is written."""
    sheet = reading.read(content, columns.RESULTS)
    for column in ("round", "table"):
        if column not in sheet.titles:
            raise Refused(gettext("There is no column “%(column)s”.") % {"column": brief(column)})
    if not {"name", "handle"} & set(sheet.titles):
        raise Refused(gettext("There is no column “%(column)s”.") % {"column": "name"})
    listed = list(Division.objects.filter(season=season))
    usual = division.pk if division else listed[0].pk if len(listed) == 1 else None
    known = company(season)
    names = (entrant.name for entrants in known.entered_names.values() for entrant in entrants)
    reader = _Reader(season, sheet, {same(each.name): each.pk for each in listed}, usual, known, Likeness(names))
    reader.problems += sheet.problems
    reader.warnings += sheet.warnings
    cells = [cell for line in sheet.lines if (cell := _cell(reader, line)) is not None]
    tables, rests = _tables(reader, cells)
    return _plan(reader, listed, tables, rests, cells)


def _plan(
    reader: _Reader, divisions: list[Division], tables: list[Played], rests: list[Rest], cells: list[Cell]
) -> Plan:
    people: dict[int, dict[str, Who]] = defaultdict(dict)
    for (division, key), who in reader.met.items():
        people[division][key] = who
    sat = {(table.division, seat.who) for table in tables for seat in table.seats}
    sat |= {(rest.division, rest.who) for rest in rests}
    named = {
        division: {key: who for key, who in known.items() if (division, key) in sat}
        for division, known in people.items()
    }
    used = {seat.line for table in tables for seat in table.seats} | {rest.line for rest in rests}
    told = {problem.line for problem in reader.problems}
    return Plan(
        people={division: known for division, known in sorted(named.items()) if known},
        tables=tuple(tables),
        rests=tuple(rests),
        problems=tuple(sorted(reader.problems, key=lambda each: each.line)),
        warnings=tuple(sorted(reader.warnings, key=lambda each: each.line)),
        faults=tuple(_faults(reader, divisions, tables)),
        left_out=len({cell.line.number for cell in cells} - used - told),
    )


def _faults(reader: _Reader, divisions: list[Division], tables: list[Played]) -> list[str]:
    faults: list[str] = []
    for division in divisions:
        rounds = {table.round for table in tables if table.division == division.pk}
        if not rounds:
            continue
        division.season = reader.season
        try:
            stage = target(division)
        except Refused as refused:
            faults.append(refused.message)
            continue
        missing = sorted(set(range(1, max(rounds) + 1)) - rounds)
        if missing:
            words = gettext("Round %(round)s of “%(division)s” has no table that can be imported.")
            faults.append(words % {"round": missing[0], "division": division.name})
        if catalogue.FORMATS[stage.format].is_planned:
            words = gettext("“%(division)s” has a plan of its own: rounds drawn after the import follow it.")
            reader.warnings.append(Problem(0, "", "", words % {"division": division.name}))
    return faults


def _cell(reader: _Reader, line: Line) -> Cell | None:
    """The line as values; None when something in it is wrong, and then its whole table is."""
    where: tuple[int, int, int] | None = None
    try:
        division = _division(reader, line)
        number = _number(reader, line, "round", 1, MOST_ROUNDS)
        kind = _kind(reader, line)
        rests = kind not in ("PLAYED", "FW", "FL")
        table = 0 if rests else _number(reader, line, "table", 1, MOST_TABLES)
        where = (division, number, table)
        return Cell(
            line,
            division,
            number,
            table,
            None if rests else _date(reader, line, number),
            _who(reader, line, division),
            kind,
            _number(reader, line, "seat", 1, 12) if line["seat"] and not rests else None,
            _number(reader, line, "place", 1, 12) if line["place"] and not rests else None,
            _number(reader, line, "score", -scoresheet.HIGHEST_SCORE, scoresheet.HIGHEST_SCORE)
            if line["score"]
            else None,
            scoring.role(reader.season.league.game, line["role"]) if line["role"] else "",
        )
    except Wrong as wrong:
        reader.problems.append(wrong.problem)
    except KeyError:
        roles = ", ".join(sorted(scoring.roles(reader.season.league.game)))
        words = gettext("There is no such role: one of %(roles)s.") if roles else gettext("This game has no roles.")
        reader.problems.append(reader.sheet.problem(line, "role", words % {"roles": roles} if roles else words))
    if where is not None:
        reader.broken.add(where)
    return None


def _division(reader: _Reader, line: Line) -> int:
    if not line["division"]:
        if reader.usual is None:
            raise Wrong(reader.sheet.problem(line, "division", gettext("Say which division this is.")))
        return reader.usual
    found = reader.divisions.get(same(line["division"]))
    if found is None:
        raise Wrong(reader.sheet.problem(line, "division", gettext("The season has no division of this name.")))
    return found


def _number(reader: _Reader, line: Line, column: str, least: int, most: int) -> int:
    text = line[column].replace("−", "-").removesuffix(".0")
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal() and len(digits) < 8 and least <= int(text) <= most):
        words = gettext("A whole number from %(least)s to %(most)s is wanted here.")
        raise Wrong(reader.sheet.problem(line, column, words % {"least": least, "most": most}))
    return int(text)


def _kind(reader: _Reader, line: Line) -> str:
    found = columns.KIND_CODES.get(columns.fold(line["kind"]))
    if found is None:
        words = gettext("Unknown. Leave it empty for a game, or write one of %(kinds)s.")
        raise Wrong(reader.sheet.problem(line, "kind", words % {"kinds": "FW, FL, PAB, FPB, HPB, ZPB"}))
    return found


def _date(reader: _Reader, line: Line, number: int) -> datetime | None:
    text = line["date"]
    if not text:
        return None
    zone = ZoneInfo(reader.season.league.club.time_zone)
    for form in (day + hour for day in DAYS for hour in HOURS):
        try:
            found = datetime.strptime(text, form).replace(tzinfo=zone)
        except ValueError:
            continue
        if "%H" not in form:
            found = found.replace(hour=NOON) + timedelta(minutes=number)
        if not found.year >= 1990 or found > timezone.now():
            raise Wrong(reader.sheet.problem(line, "date", gettext("A past date is wanted here.")))
        return found
    raise Wrong(reader.sheet.problem(line, "date", gettext("Write the date as 2026-03-25, or as 25.03.2026.")))


def _who(reader: _Reader, line: Line, division: int) -> Who:
    found = _named(reader, line, division)
    entrant = reader.known.entered.get(found.user or 0)
    if entrant is not None and entrant.division_id != division:
        words = gettext("%(name)s plays in another division.") % {"name": found.name}
        raise Wrong(reader.sheet.problem(line, "handle" if line["handle"] else "name", words))
    first = (division, found.key) not in reader.met
    elsewhere = any(key == found.key and other != division for other, key in reader.met)
    if first and elsewhere:
        words = gettext("%(name)s plays in another division.") % {"name": found.name}
        raise Wrong(reader.sheet.problem(line, "handle" if line["handle"] else "name", words))
    if first:
        reader.warnings += _doubts(reader, line, found)
        reader.likeness.add(found.name)
    return reader.met.setdefault((division, found.key), found)


def _named(reader: _Reader, line: Line, division: int) -> Who:
    sheet, known, name = reader.sheet, reader.known, line["name"]
    if line["handle"]:
        handle = line["handle"].removeprefix("@").casefold()
        user = known.members.get(handle) or next(
            (each.user for each in known.entered.values() if each.user and each.user.handle.casefold() == handle), None
        )
        if user is None:
            raise Wrong(sheet.problem(line, "handle", gettext("No member of the club has this handle.")))
        entrant = known.entered.get(user.pk)
        return Who("entered" if entrant else "member", user.name, user.pk, entrant.pk if entrant else None, line.number)
    if not name:
        raise Wrong(sheet.problem(line, "name", gettext("Say who played.")))
    if len(name) > LONGEST_NAME:
        raise Wrong(sheet.problem(line, "name", gettext("A name has 1 to %(most)s letters.") % {"most": LONGEST_NAME}))
    here = [each for each in known.entered_names.get(same(name), ()) if each.division_id == division]
    if len(here) > 1:
        raise Wrong(sheet.problem(line, "name", gettext("Several have this name: give the handle.")))
    if here:
        return Who("entered", here[0].name, here[0].user_id, here[0].pk, line.number)
    if reader.season.where == Season.Where.ONLINE:
        words = gettext("A guest has no account to play online with: give the handle of a member.")
        raise Wrong(sheet.problem(line, "name", words))
    before = [each for each in known.guests.get(same(name), []) if each.pk not in known.entered]
    if len(before) == 1:
        return Who("known", before[0].name, before[0].pk, line=line.number)
    return Who("guest", name, line=line.number)


def _doubts(reader: _Reader, line: Line, who: Who) -> list[Problem]:
    doubts = []
    if who.kind == "guest" and (words := namesakes(reader.known, who.name)):
        doubts.append(reader.sheet.problem(line, "name", words))
    if who.kind != "entered" and (near := reader.likeness.near(who.name)):
        words = gettext("Nearly the same as “%(name)s”.") % {"name": near}
        doubts.append(reader.sheet.problem(line, "name" if line["name"] else "handle", words))
    return doubts


# -- lines to tables


def _tables(reader: _Reader, cells: list[Cell]) -> tuple[list[Played], list[Rest]]:
    by_table: dict[tuple[int, int, int], list[Cell]] = defaultdict(list)
    rests: list[Rest] = []
    busy: dict[tuple[int, int, str], int] = {}
    for cell in cells:
        where, whose = (cell.division, cell.round, cell.table), (cell.division, cell.round, cell.who.key)
        if whose in busy:
            words = gettext("%(name)s is in this round already, in line %(line)s.")
            known = {"name": cell.who.name, "line": busy[whose]}
            reader.problems.append(reader.sheet.problem(cell.line, "name", words % known))
            reader.broken.add(where)
        elif cell.table:
            by_table[where].append(cell)
        else:
            rests.append(Rest(cell.division, cell.round, cell.who.key, cell.kind, cell.line.number))
        busy.setdefault(whose, cell.line.number)
    tables = []
    for where, those in sorted(by_table.items()):
        if where not in reader.broken and (table := _table(reader, where, those)) is not None:
            tables.append(table)
    rounds = {(table.division, table.round) for table in tables}
    return tables, [rest for rest in rests if (rest.division, rest.round) in rounds]


def _table(reader: _Reader, where: tuple[int, int, int], those: list[Cell]) -> Played | None:
    game = engine.game(reader.season.league.game)
    dates = {cell.at for cell in those if cell.at}
    seats = [cell.seat for cell in those if cell.seat]
    fault, column, first = "", "table", those[0].line
    if len(those) not in game.players:
        least, most = game.players[0], game.players[-1]
        words = gettext("A table of this game has %(least)s to %(most)s players, this one has %(count)s.")
        fault = words % {"least": least, "most": most, "count": len(those)}
    elif len(dates) != 1:
        column = "date"
        fault = gettext("The lines of a table have one date.") if dates else gettext("Say when it was played.")
    elif seats and sorted(seats) != list(range(1, len(those) + 1)):
        column, fault = "seat", gettext("The seats of a table are numbered from 1, each once; or leave them all empty.")
    if not fault:
        ordered = sorted(those, key=lambda cell: cell.seat or 0)
        try:
            sitting, grade = scoring.scored(game, ordered)
            return Played(*where, dates.pop().isoformat(), tuple(sitting), tuple(grade))
        except scoring.Unscored as wrong:
            first, column, fault = wrong.cell.line, wrong.column, wrong.reason
    reader.problems.append(reader.sheet.problem(first, column, fault))
    return None

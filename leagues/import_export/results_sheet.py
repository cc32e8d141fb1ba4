"""Reads past results from a spreadsheet: rows become tables and byes, and every problem is named by its line."""

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.translation import gettext

import engine
from accounts.infra.errors import Refused
from accounts.infra.input import whole_number
from accounts.people import MAX_NAME_LENGTH
from engine.errors import brief
from leagues.core import format_catalogue
from leagues.import_export import columns, score_parsing, spreadsheet
from leagues.import_export.name_matching import KnownPeople, SimilarNames, known_people, namesakes, normalize_name
from leagues.import_export.players_import import LineError
from leagues.import_export.spreadsheet import Line, Problem, Sheet
from leagues.import_export.values import ByeRow, Cell, NamedPerson, Plan, TableRow
from leagues.models import Division, Round, Season, Stage
from leagues.results import recording

MOST_ROUNDS, MOST_TABLES = 200, 999
# Rounds of one day without an hour still need an order.
NOON = 12
DAYS = ("%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%d-%m-%Y", "%Y/%m/%d")
HOURS = ("", " %H:%M", " %H:%M:%S", "T%H:%M", "T%H:%M:%S")


@dataclass
class _Reader:
    season: Season
    sheet: Sheet
    divisions: dict[str, int]
    usual: int | None
    known: KnownPeople
    similar: SimilarNames
    # The first stage of each division.
    stages: dict[int, Stage]
    problems: list[Problem] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)
    broken: set[tuple[int, int, int]] = field(default_factory=set)
    met: dict[tuple[int, str], NamedPerson] = field(default_factory=dict)


def target(division: Division) -> Stage:
    """The stage that the past results belong to; refused if it cannot take them."""
    stage = Stage.objects.filter(division=division).order_by("position").first()
    if division.season.is_closed:
        raise Refused(gettext("This season is closed."))
    if stage is None:
        raise Refused(gettext("“%(division)s” has no format yet.") % {"division": division.name})
    format_ = format_catalogue.FORMATS[stage.format]
    if not format_.takes_imported_results:
        message = gettext(
            "Past results can be imported into a league or Swiss of single players, not into “%(format)s”."
        )
        raise Refused(message % {"format": format_.title})
    if Round.objects.filter(stage=stage).exists() or stage.status == Stage.Status.FINISHED:
        message = gettext("“%(division)s” has rounds already: past results go into a season without any.")
        raise Refused(message % {"division": division.name})
    return stage


def plan(*, season: Season, division: Division | None, content: bytes) -> Plan:
    """What the file would do, in a fixed number of queries. Nothing is written."""
    sheet = spreadsheet.read(content, columns.RESULTS)
    for column in ("round", "table"):
        if column not in sheet.titles:
            raise Refused(gettext("There is no column “%(column)s”.") % {"column": brief(column)})
    if not {"name", "handle"} & set(sheet.titles):
        raise Refused(gettext("There is no column “%(column)s”.") % {"column": "name"})
    listed = list(Division.objects.filter(season=season))
    usual = division.pk if division else listed[0].pk if len(listed) == 1 else None
    known = known_people(season)
    names = (entrant.name for entrants in known.entered_names.values() for entrant in entrants)
    stages = Stage.objects.filter(division__season=season).select_related("division__season__league")
    reader = _Reader(
        season,
        sheet,
        {normalize_name(each.name): each.pk for each in listed},
        usual,
        known,
        SimilarNames(names),
        {stage.division_id: stage for stage in stages.order_by("-position")},
    )
    reader.problems += sheet.problems
    reader.warnings += sheet.warnings
    cells = [cell for line in sheet.lines if (cell := _cell(reader, line)) is not None]
    tables, rests = _tables(reader, cells)
    return _plan(reader, listed, tables, rests, cells)


def _plan(
    reader: _Reader, divisions: list[Division], tables: list[TableRow], rests: list[ByeRow], cells: list[Cell]
) -> Plan:
    people: dict[int, dict[str, NamedPerson]] = defaultdict(dict)
    for (division, key), who in reader.met.items():
        people[division][key] = who
    sat = {(table.division, seat.who) for table in tables for seat in table.seats}
    sat |= {(rest.division, rest.who) for rest in rests}
    named = {
        division: {key: who for key, who in known.items() if (division, key) in sat}
        for division, known in people.items()
    }
    used = {seat.line for table in tables for seat in table.seats} | {rest.line for rest in rests}
    lines_with_problems = {problem.line for problem in reader.problems}
    return Plan(
        people={division: known for division, known in sorted(named.items()) if known},
        tables=tuple(tables),
        rests=tuple(rests),
        problems=tuple(sorted(reader.problems, key=lambda each: each.line)),
        warnings=tuple(sorted(reader.warnings, key=lambda each: each.line)),
        faults=tuple(_faults(reader, divisions, tables)),
        left_out=len({cell.line.number for cell in cells} - used - lines_with_problems),
    )


def _faults(reader: _Reader, divisions: list[Division], tables: list[TableRow]) -> list[str]:
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
            message = gettext("Round %(round)s of “%(division)s” has no table that can be imported.")
            faults.append(message % {"round": missing[0], "division": division.name})
        if format_catalogue.FORMATS[stage.format].is_planned:
            message = gettext("“%(division)s” has a plan of its own: rounds drawn after the import follow it.")
            reader.warnings.append(Problem(0, "", "", message % {"division": division.name}))
    return faults


def _cell(reader: _Reader, line: Line) -> Cell | None:
    """The line as values; None if something is wrong, and then its whole table is left out."""
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
            _number(reader, line, "score", -recording.HIGHEST_SCORE, recording.HIGHEST_SCORE)
            if line["score"]
            else None,
            score_parsing.role(reader.season.league.game, line["role"]) if line["role"] else "",
        )
    except LineError as wrong:
        reader.problems.append(wrong.problem)
    except KeyError:
        roles = ", ".join(sorted(score_parsing.roles(reader.season.league.game)))
        message = (
            gettext("There is no such role: use one of %(roles)s.") if roles else gettext("This game has no roles.")
        )
        reader.problems.append(reader.sheet.problem(line, "role", message % {"roles": roles} if roles else message))
    if where is not None:
        reader.broken.add(where)
    return None


def _division(reader: _Reader, line: Line) -> int:
    if not line["division"]:
        if reader.usual is None:
            raise LineError(reader.sheet.problem(line, "division", gettext("Say which division this is.")))
        return reader.usual
    division = reader.divisions.get(normalize_name(line["division"]))
    if division is None:
        raise LineError(reader.sheet.problem(line, "division", gettext("The season has no division of this name.")))
    return division


def _number(reader: _Reader, line: Line, column: str, minimum: int, maximum: int) -> int:
    text = line[column].replace("−", "-").removesuffix(".0")
    digits = text.removeprefix("-")
    size = whole_number(digits, maximum=9_999_999)
    number = None if size is None else size if text == digits else -size
    if number is None or not minimum <= number <= maximum:
        message = gettext("Enter a whole number from %(least)s to %(most)s.")
        raise LineError(reader.sheet.problem(line, column, message % {"least": minimum, "most": maximum}))
    return number


def _kind(reader: _Reader, line: Line) -> str:
    kind = columns.KIND_CODES.get(columns.fold(line["kind"]))
    if kind is None:
        message = gettext("Unknown. Leave it empty for a game, or write one of %(kinds)s.")
        raise LineError(reader.sheet.problem(line, "kind", message % {"kinds": "FW, FL, PAB, FPB, HPB, ZPB"}))
    return kind


def _date(reader: _Reader, line: Line, number: int) -> datetime | None:
    text = line["date"]
    if not text:
        return None
    zone = ZoneInfo(reader.season.league.club.time_zone)
    for form in (day + hour for day in DAYS for hour in HOURS):
        try:
            moment = datetime.strptime(text, form).replace(tzinfo=zone)
        except ValueError:
            continue
        if "%H" not in form:
            moment = moment.replace(hour=NOON) + timedelta(minutes=number)
        if not moment.year >= 1990 or moment > timezone.now():
            raise LineError(reader.sheet.problem(line, "date", gettext("Enter a date in the past.")))
        return moment
    raise LineError(reader.sheet.problem(line, "date", gettext("Write the date as 2026-03-25, or as 25.03.2026.")))


def _who(reader: _Reader, line: Line, division: int) -> NamedPerson:
    person = _named(reader, line, division)
    entrant = reader.known.entered.get(person.user or 0)
    if entrant is not None and entrant.division_id != division:
        message = gettext("%(name)s plays in another division.") % {"name": person.name}
        raise LineError(reader.sheet.problem(line, "handle" if line["handle"] else "name", message))
    first = (division, person.key) not in reader.met
    elsewhere = any(key == person.key and other != division for other, key in reader.met)
    if first and elsewhere:
        message = gettext("%(name)s plays in another division.") % {"name": person.name}
        raise LineError(reader.sheet.problem(line, "handle" if line["handle"] else "name", message))
    if first:
        reader.warnings += _warnings(reader, line, person)
        reader.similar.add(person.name)
    return reader.met.setdefault((division, person.key), person)


def _named(reader: _Reader, line: Line, division: int) -> NamedPerson:
    sheet, known, name = reader.sheet, reader.known, line["name"]
    if line["handle"]:
        handle = line["handle"].removeprefix("@").casefold()
        user = known.members.get(handle) or next(
            (each.user for each in known.entered.values() if each.user and each.user.handle.casefold() == handle), None
        )
        if user is None:
            raise LineError(sheet.problem(line, "handle", gettext("No member of the club has this handle.")))
        entrant = known.entered.get(user.pk)
        return NamedPerson(
            "entered" if entrant else "member", user.name, user.pk, entrant.pk if entrant else None, line.number
        )
    if not name:
        raise LineError(sheet.problem(line, "name", gettext("Say who played.")))
    if len(name) > MAX_NAME_LENGTH:
        raise LineError(
            sheet.problem(line, "name", gettext("A name has 1 to %(most)s letters.") % {"most": MAX_NAME_LENGTH})
        )
    here = [each for each in known.entered_names.get(normalize_name(name), ()) if each.division_id == division]
    if len(here) > 1:
        raise LineError(sheet.problem(line, "name", gettext("Several have this name: give the handle.")))
    if here:
        return NamedPerson("entered", here[0].name, here[0].user_id, here[0].pk, line.number)
    if reader.season.where == Season.Where.ONLINE:
        message = gettext("A guest has no account to play online with: give the handle of a member.")
        raise LineError(sheet.problem(line, "name", message))
    before = [each for each in known.guests.get(normalize_name(name), []) if each.pk not in known.entered]
    if len(before) == 1:
        return NamedPerson("known", before[0].name, before[0].pk, line=line.number)
    return NamedPerson("guest", name, line=line.number)


def _warnings(reader: _Reader, line: Line, who: NamedPerson) -> list[Problem]:
    warnings = []
    if who.kind == "guest" and (message := namesakes(reader.known, who.name)):
        warnings.append(reader.sheet.problem(line, "name", message))
    if who.kind != "entered" and (near := reader.similar.near(who.name)):
        message = gettext("Nearly the same as “%(name)s”.") % {"name": near}
        warnings.append(reader.sheet.problem(line, "name" if line["name"] else "handle", message))
    return warnings


# -- lines to tables


def _tables(reader: _Reader, cells: list[Cell]) -> tuple[list[TableRow], list[ByeRow]]:
    by_table: dict[tuple[int, int, int], list[Cell]] = defaultdict(list)
    rests: list[ByeRow] = []
    busy: dict[tuple[int, int, str], int] = {}
    for cell in cells:
        table_key, player_key = (cell.division, cell.round, cell.table), (cell.division, cell.round, cell.who.key)
        if player_key in busy:
            message = gettext("%(name)s is in this round already, in line %(line)s.")
            params = {"name": cell.who.name, "line": busy[player_key]}
            reader.problems.append(reader.sheet.problem(cell.line, "name", message % params))
            reader.broken.add(table_key)
        elif cell.table:
            by_table[table_key].append(cell)
        else:
            rests.append(ByeRow(cell.division, cell.round, cell.who.key, cell.kind, cell.line.number))
        busy.setdefault(player_key, cell.line.number)
    tables = []
    for table_key, those in sorted(by_table.items()):
        if table_key not in reader.broken and (table := _table(reader, table_key, those)) is not None:
            tables.append(table)
    rounds = {(table.division, table.round) for table in tables}
    return tables, [rest for rest in rests if (rest.division, rest.round) in rounds]


def _table(reader: _Reader, table_key: tuple[int, int, int], those: list[Cell]) -> TableRow | None:
    game = engine.game(reader.season.league.game)
    dates = {cell.at for cell in those if cell.at}
    seats = [cell.seat for cell in those if cell.seat]
    fault, column, first = "", "table", those[0].line
    if len(those) not in game.players:
        least, most = game.players[0], game.players[-1]
        message = gettext("A table of this game has %(least)s to %(most)s players, this one has %(count)s.")
        fault = message % {"least": least, "most": most, "count": len(those)}
    elif len(dates) != 1:
        column = "date"
        fault = gettext("All lines of a table need the same date.") if dates else gettext("Say when it was played.")
    elif seats and sorted(seats) != list(range(1, len(those) + 1)):
        column, fault = "seat", gettext("The seats of a table are numbered from 1, each once; or leave them all empty.")
    if not fault:
        ordered = sorted(those, key=lambda cell: cell.seat or 0)
        try:
            sitting, grade = score_parsing.score_table(game, ordered, reader.stages.get(table_key[0]))
            return TableRow(*table_key, dates.pop().isoformat(), tuple(sitting), tuple(grade))
        except score_parsing.Unscored as wrong:
            first, column, fault = wrong.cell.line, wrong.column, wrong.reason
    reader.problems.append(reader.sheet.problem(first, column, fault))
    return None

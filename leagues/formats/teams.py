"""Cooperative rounds: a table is a team, nobody has an opponent, and "again" means with the same team-mates."""

from dataclasses import replace
from itertools import combinations

from leagues.formats import table_swiss
from leagues.formats.errors import FormatError
from leagues.formats.reasons import reason
from leagues.formats.score_table import ScoreTable
from leagues.formats.values import History, Round, Seat, Table


def fixed(history: History) -> Round:
    """Entrants are teams: every team has a table of its own."""
    present = history.present()
    if not present:
        raise FormatError("error.too-few", count=0, least=1)
    why = reason("team.fixed")
    tables = tuple(Table(number, (Seat(entrant.id, 1),), why) for number, entrant in enumerate(present, 1))
    return Round(history.next_round, tables, history.absences())


def rotating(history: History, plan: table_swiss.Plan, *, quick: bool = False) -> Round:
    """Entrants are people: new team-mates every round, as long as there are any."""
    field = ScoreTable(history)
    drawn = table_swiss.draw(history, plan, level=True, quick=quick)
    tables = []
    for table in drawn.tables:
        repeats = sum(other in field.company.met[who] for who, other in combinations(table.entrants, 2))
        tables.append(replace(table, reason=reason("team.rotating", repeats=repeats)))
    return replace(drawn, tables=tuple(tables))

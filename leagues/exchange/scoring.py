"""From what a spreadsheet says of a table to the places of a result, game by game."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext

import engine
from games import terms
from leagues import scoresheet, tables
from leagues.exchange.columns import fold
from leagues.exchange.values import Cell, Sitting
from leagues.forms.result import STONES


class Unscored(Exception):
    """The lines of this table do not make a result; `cell` is where that shows."""

    def __init__(self, cell: Cell, column: str, reason: str) -> None:
        super().__init__(reason)
        self.cell, self.column, self.reason = cell, column, reason


def roles(game: str) -> set[str]:
    found = {role for players in engine.game(game).players for role in tables.role_names(game, players)}
    return found - {""}


def role(game: str, text: str) -> str:
    """The code of a role, said as a code or as the reader's language says it; KeyError for none."""
    words = terms.of_game(game)
    called = {fold(str(words.get(code, code))): code for code in roles(game)}
    return (called | {fold(code): code for code in roles(game)})[fold(text)]


def scored(game: engine.Game, cells: Sequence[Cell]) -> tuple[list[Sitting], list[int]]:
    """The seats with their places, and the grade of a team."""
    absent = [cell.kind == "FL" for cell in cells]
    given = _roles(game, cells)
    grade: list[int] = []
    if sum(not away for away in absent) <= 1:
        places = [_without_a_game(away, any(not each for each in absent)) for away in absent]
    elif any(cell.kind == "FW" for cell in cells):
        winner = next(cell for cell in cells if cell.kind == "FW")
        raise Unscored(winner, "kind", gettext("Without a game wins only who sits alone."))
    elif game.cooperative:
        places, grade = _together(cells)
    elif any(given):
        places = _sides(cells, given, absent)
    else:
        places = _order(cells, absent)
    return _seated(cells, given, absent, places), grade


def _seated(
    cells: Sequence[Cell], given: Sequence[str], absent: Sequence[bool], places: Sequence[dict[str, Any]]
) -> list[Sitting]:
    return [
        Sitting(cell.line.number, cell.who.key, role, away, place)
        for cell, role, away, place in zip(cells, given, absent, scoresheet.closed_up(places, absent))
    ]


def _without_a_game(away: bool, somebody: bool) -> dict[str, Any]:
    if away:
        return {"rank": 2 if somebody else 1, "score": None, "kind": "FL"}
    return {"rank": 1, "score": None, "kind": "FW"}


def _roles(game: engine.Game, cells: Sequence[Cell]) -> list[str]:
    usual = tables.role_names(game.name, len(cells))
    if not any(usual):
        if cell := next((cell for cell in cells if cell.role), None):
            raise Unscored(cell, "role", gettext("This game has no roles."))
        return list(usual)
    given = [cell.role or code for cell, code in zip(cells, usual)]
    if any(cell.role for cell in cells) and not all(cell.role for cell in cells):
        raise Unscored(cells[0], "role", gettext("Give the role of everybody at the table, or of nobody."))
    if sorted(given) != sorted(usual):
        words = gettext("A table of %(count)s has these roles: %(roles)s.")
        raise Unscored(cells[0], "role", words % {"count": len(cells), "roles": ", ".join(usual)})
    return given


def _order(cells: Sequence[Cell], absent: Sequence[bool]) -> list[dict[str, Any]]:
    """Places, or scores that make them."""
    here = [cell for cell, away in zip(cells, absent) if not away]
    ranks = {cell.line.number: cell.place for cell in here}
    if not any(ranks.values()) and all(cell.score is not None for cell in here):
        scores = [cell.score or 0 for cell in here]
        ranks = {cell.line.number: 1 + sum(other > (cell.score or 0) for other in scores) for cell in here}
    if missing := next((cell for cell in here if ranks[cell.line.number] is None), None):
        raise Unscored(missing, "place", gettext("Give every player a place, or every player a score."))
    given = [rank for rank in ranks.values() if rank]
    if sorted(given) != sorted(1 + sum(other < rank for other in given) for rank in given):
        words = gettext("The places do not fit together: after two firsts comes a third.")
        raise Unscored(here[0], "place", words)
    return [
        {"rank": ranks.get(cell.line.number) or len(cells), "score": None if away else cell.score, "kind": "PLAYED"}
        for cell, away in zip(cells, absent)
    ]


def _sides(cells: Sequence[Cell], given: Sequence[str], absent: Sequence[bool]) -> list[dict[str, Any]]:
    """One side has place 1, all of it and nobody else."""
    if missing := next((cell for cell, away in zip(cells, absent) if not (away or cell.place)), None):
        raise Unscored(missing, "place", gettext("Give everybody a place: 1 for the side that won."))
    won = {code for cell, code, away in zip(cells, given, absent) if cell.place == 1 and not away}
    lost = {code for cell, code, away in zip(cells, given, absent) if cell.place != 1 and not away}
    if len(won) != 1 or won & lost:
        raise Unscored(cells[0], "place", gettext("One side wins, and all of it: give its players place 1."))
    winners = sum(code in won for code in given)
    return [{"rank": 1 if code in won else 1 + winners, "score": None, "kind": "PLAYED"} for code in given]


def _together(cells: Sequence[Cell]) -> tuple[list[dict[str, Any]], list[int]]:
    """Place 1 for everybody if the team made it, 2 if not; the score counts villains defeated."""
    places = {cell.place for cell in cells if cell.kind != "FL"}
    if places not in ({1}, {2}):
        words = gettext("The team won or lost together: place 1 for everybody, or 2.")
        raise Unscored(cells[0], "place", words)
    defeated = max((cell.score or 0 for cell in cells), default=0)
    return [{"rank": 1, "score": defeated, "kind": "PLAYED"} for _cell in cells], [
        int(places == {1}),
        defeated,
        STONES,
        0,
        0,
    ]

"""Turns the lines of a table into the places of a result, game by game."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext

import engine
from accounts.infra.errors import Refused
from games.catalogue import terms
from games.catalogue.spec import GameSpec, spec
from leagues.core import format_catalogue
from leagues.import_export.columns import fold
from leagues.import_export.values import Cell, SeatRow
from leagues.models import Stage
from leagues.results import game_series, recording
from leagues.rounds import tables


class Unscored(Exception):
    """The lines of this table do not make a result; `cell` and `column` show where."""

    def __init__(self, cell: Cell, column: str, reason: str) -> None:
        super().__init__(reason)
        self.cell, self.column, self.reason = cell, column, reason


def roles(game: str) -> set[str]:
    names = {role for players in engine.game(game).players for role in tables.role_names(game, players)}
    return names - {""}


def role(game: str, text: str) -> str:
    """The code of a role, given as a code or in the reader's language; KeyError if unknown."""
    labels = terms.of_game(game)
    called = {fold(str(labels.get(code, code))): code for code in roles(game)}
    return (called | {fold(code): code for code in roles(game)})[fold(text)]


def score_table(game: engine.Game, cells: Sequence[Cell], stage: Stage | None) -> tuple[list[SeatRow], list[int]]:
    """The seats with their places, and the grade of a team. The stage knows whether several games make a result."""
    absent = [cell.kind == "FL" for cell in cells]
    roles_at_table = _roles(game, cells)
    grade: list[int] = []
    if sum(not away for away in absent) <= 1:
        places = [_without_a_game(away, any(not each for each in absent)) for away in absent]
    elif any(cell.kind == "FW" for cell in cells):
        winner = next(cell for cell in cells if cell.kind == "FW")
        raise Unscored(
            winner, "kind", gettext("A win without a game is only possible for a player who is alone at the table.")
        )
    elif stage is not None and format_catalogue.best_of(stage) > 1:
        places = _series(stage, cells)
    elif game.cooperative:
        places, grade = _together(spec(game.name), cells)
    elif any(roles_at_table):
        places = _sides(cells, roles_at_table, absent)
    else:
        places = _order(cells, absent)
    return _seated(cells, roles_at_table, absent, places), grade


def _seated(
    cells: Sequence[Cell], roles_at_table: Sequence[str], absent: Sequence[bool], places: Sequence[dict[str, Any]]
) -> list[SeatRow]:
    return [
        SeatRow(cell.line.number, cell.who.key, role, away, place)
        for cell, role, away, place in zip(cells, roles_at_table, absent, recording.close_rank_gaps(places, absent))
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
    chosen = [cell.role or code for cell, code in zip(cells, usual)]
    if any(cell.role for cell in cells) and not all(cell.role for cell in cells):
        raise Unscored(cells[0], "role", gettext("Give the role of everybody at the table, or of nobody."))
    if sorted(chosen) != sorted(usual):
        message = gettext("A table of %(count)s has these roles: %(roles)s.")
        raise Unscored(cells[0], "role", message % {"count": len(cells), "roles": ", ".join(usual)})
    return chosen


def _series(stage: Stage, cells: Sequence[Cell]) -> list[dict[str, Any]]:
    """The scores are the games won."""
    if len(cells) != 2:
        message = gettext("A best of %(best_of)s is played by two.")
        raise Unscored(cells[0], "table", message % {"best_of": format_catalogue.best_of(stage)})
    try:
        return game_series.ranked(
            stage, [{"rank": cell.place, "score": cell.score, "kind": "PLAYED"} for cell in cells]
        )
    except Refused as refused:
        raise Unscored(cells[0], "score", refused.message) from refused


def _order(cells: Sequence[Cell], absent: Sequence[bool]) -> list[dict[str, Any]]:
    """Places as given, or from the scores."""
    here = [cell for cell, away in zip(cells, absent) if not away]
    ranks = {cell.line.number: cell.place for cell in here}
    if not any(ranks.values()) and all(cell.score is not None for cell in here):
        scores = [cell.score or 0 for cell in here]
        ranks = {cell.line.number: 1 + sum(other > (cell.score or 0) for other in scores) for cell in here}
    if missing := next((cell for cell in here if ranks[cell.line.number] is None), None):
        raise Unscored(missing, "place", gettext("Give every player a place, or every player a score."))
    given_ranks = [rank for rank in ranks.values() if rank]
    if sorted(given_ranks) != sorted(1 + sum(other < rank for other in given_ranks) for rank in given_ranks):
        message = gettext("The places do not fit together: after two firsts comes a third.")
        raise Unscored(here[0], "place", message)
    return [
        {"rank": ranks.get(cell.line.number) or len(cells), "score": None if away else cell.score, "kind": "PLAYED"}
        for cell, away in zip(cells, absent)
    ]


def _sides(cells: Sequence[Cell], roles_at_table: Sequence[str], absent: Sequence[bool]) -> list[dict[str, Any]]:
    """One whole side has place 1, and nobody else."""
    if missing := next((cell for cell, away in zip(cells, absent) if not (away or cell.place)), None):
        raise Unscored(missing, "place", gettext("Give everybody a place: 1 for the side that won."))
    won = {code for cell, code, away in zip(cells, roles_at_table, absent) if cell.place == 1 and not away}
    lost = {code for cell, code, away in zip(cells, roles_at_table, absent) if cell.place != 1 and not away}
    if len(won) != 1 or won & lost:
        raise Unscored(cells[0], "place", gettext("One side wins, and all of it: give its players place 1."))
    winners = sum(code in won for code in roles_at_table)
    return [{"rank": 1 if code in won else 1 + winners, "score": None, "kind": "PLAYED"} for code in roles_at_table]


def _together(known: GameSpec, cells: Sequence[Cell]) -> tuple[list[dict[str, Any]], list[int]]:
    """Place 1 for everybody if the team won, otherwise 2. The score fills the game's grade."""
    places = {cell.place for cell in cells if cell.kind != "FL"}
    if places not in ({1}, {2}):
        message = gettext("The team won or lost together: place 1 for everybody, or 2.")
        raise Unscored(cells[0], "place", message)
    score = max((cell.score or 0 for cell in cells), default=0)
    grade = known.grade_of(places == {1}, {each.name: score for each in known.grade if each.is_score})
    return [{"rank": 1, "score": score, "kind": "PLAYED"} for _cell in cells], grade

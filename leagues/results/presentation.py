"""Results and score sheets as text. Reads only."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import engine
from engine import Scoring
from games.catalogue import terms
from games.catalogue.spec import spec
from games.models import Match
from games.presentation.result_text import SeatResult
from games.presentation.result_text import side_words as result_of_side
from leagues.core import format_catalogue
from leagues.core.text import join_names
from leagues.models import Pairing, PairingSeat, Result, Round


@dataclass(frozen=True)
class ResultRow:
    seat: PairingSeat
    name: str
    role: str
    rank: int
    score: int | None
    kind: str


def scoring(pairing: Pairing) -> Scoring:
    return engine.game(game_of(pairing)).scoring


def is_series(pairing: Pairing) -> bool:
    """Whether several games decide it; then the scores are the games won."""
    return format_catalogue.best_of(pairing.round.stage) > 1


def game_of(pairing: Pairing) -> str:
    return pairing.round.stage.division.season.league.game


def seats_of(pairing: Pairing) -> list[PairingSeat]:
    return sorted(pairing.seats.all(), key=lambda seat: seat.index)


def role(pairing: Pairing, seat: PairingSeat) -> str:
    """The code of the seat's role; where the draw set none, the game gives roles by seat."""
    if seat.role:
        return seat.role
    game = engine.game(game_of(pairing))
    roles = game.roles(max(game.players[0], len(seats_of(pairing))))
    return roles[seat.index] if seat.index < len(roles) else roles[-1]


def role_words(pairing: Pairing, seat: PairingSeat) -> str:
    """The name of the role, in a series that of the first game; empty where all seats are alike."""
    if scoring(pairing) is not Scoring.SIDES:
        return ""
    code = role(pairing, seat)
    return str(terms.of_game(game_of(pairing)).get(code, code))


def side_words(pairing: Pairing, seats: list[PairingSeat]) -> str:
    """The name of a side: the role of its only seat, or the plural."""
    several = spec(game_of(pairing)).role_plurals.get(role(pairing, seats[0])) if len(seats) > 1 else None
    return str(several or role_words(pairing, seats[0]))


def score_label(pairing: Pairing) -> str:
    """The name of a team's score; empty where the game has none."""
    return next((str(each.label) for each in spec(game_of(pairing)).grade if each.is_score), "")


def grade_words(pairing: Pairing, result: Result) -> str:
    """How far a team came, as a sentence; empty where the game reports no numbers."""
    known = spec(game_of(pairing))
    numbers = known.reported(result.grade)
    return str(known.grade_sentence) % numbers if numbers and known.grade_sentence else ""


def result_rows(pairing: Pairing, result: Result) -> list[ResultRow]:
    """The result seat by seat, the best first."""
    rows = [
        ResultRow(
            seat,
            seat.entrant.name,
            "" if is_series(pairing) else role_words(pairing, seat),
            place.get("rank") or 0,
            place.get("score"),
            place.get("kind", "PLAYED"),
        )
        for seat, place in zip(seats_of(pairing), result.places)
    ]
    return sorted(rows, key=lambda line: (line.rank, line.seat.index))


def result_headline(pairing: Pairing, result: Result) -> str:
    """The result in one sentence."""
    if result.kind == Result.Kind.VOID or not result.places:
        return _("Void: it counts for nobody.")
    rows = result_rows(pairing, result)
    if result.source == Result.Source.FORFEIT:
        here = [line.name for line in rows if line.kind == "FW"]
        words = ngettext("%(names)s won without a game", "%(names)s won without a game", len(here))
        return words % {"names": join_names(here)} if here else _("Nobody came.")
    if scoring(pairing) is Scoring.TEAM:
        won = bool(result.grade and result.grade[0])
        team = [SeatResult(line.name, role(pairing, line.seat), won) for line in rows]
        return capfirst(result_of_side(game_of(pairing), team)) or (_("Won together") if won else _("Lost together"))
    best = [line.name for line in rows if line.rank == 1]
    if is_series(pairing) and all(line.score is not None for line in rows):
        games = {"names": best[0], "games": "–".join(str(line.score) for line in rows)}
        return _("Won by %(names)s, %(games)s") % games if len(best) == 1 else _("A draw, %(games)s") % games
    if len(best) == len(rows):
        return _("A draw between all")
    sides = [SeatResult(line.name, role(pairing, line.seat), line.rank == 1) for line in rows]
    if words := result_of_side(game_of(pairing), sides):
        return capfirst(words)
    return ngettext("Won by %(names)s", "Won by %(names)s", len(best)) % {"names": join_names(best)}


@dataclass(frozen=True)
class GameLine:
    """A game of a series that is played online; `winner` is empty for a draw, and while it is played.

    `match` is None for one that was played on the site from which the league came.
    """

    number: int
    match: Match | None
    winner: str
    is_over: bool


def games_of(pairing: Pairing) -> list[GameLine]:
    """The games of a series so far, with the one that is being played."""
    names = {seat.index: seat.entrant.name for seat in seats_of(pairing)}
    return [
        GameLine(
            game.number,
            game.match,
            "" if game.winner is None else names[game.winner],
            game.ended_at is not None,
        )
        for game in pairing.games.select_related("match").order_by("number")
    ]


@dataclass(frozen=True)
class TableLine:
    """A table of a round in one line: who sits there, and how it ended, best first; without a result by seats."""

    pairing: Pairing
    rows: list[ResultRow]
    names: list[str]
    headline: str


def tables_of_rounds(rounds: Sequence[Round]) -> list[tuple[Round, list[TableLine]]]:
    """Pairings and results of these rounds, in as many queries as one round needs."""
    tables: dict[int, list[TableLine]] = {each.pk: [] for each in rounds}
    rows = (
        Pairing.objects.filter(round__in=tables)
        .select_related("round__stage__division__season__league")
        .prefetch_related("seats__entrant__user", "seats__entrant__members__user", "results")
        .order_by("number")
    )
    for pairing in rows:
        result = next((each for each in pairing.results.all() if each.in_force), None)
        tables[pairing.round_id].append(
            TableLine(
                pairing,
                result_rows(pairing, result) if result else [],
                [seat.entrant.name for seat in seats_of(pairing)],
                result_headline(pairing, result) if result else "",
            )
        )
    for lines in tables.values():
        lines.sort(key=lambda line: (line.pairing.table, line.pairing.number))
    return [(each, tables[each.pk]) for each in rounds]

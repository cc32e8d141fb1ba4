"""How a table of each game is scored on paper, and a result read aloud. Reads only."""

from dataclasses import dataclass
from enum import StrEnum

from django.utils.translation import gettext as _

import engine
from games import terms
from leagues.models import Pairing, PairingSeat, Result
from leagues.names import listed


class Scoring(StrEnum):
    """What a result consists of: an order with scores, a side that won, or a team that made it."""

    ORDER = "order"
    SIDES = "sides"
    TOGETHER = "together"


@dataclass(frozen=True)
class Line:
    seat: PairingSeat
    name: str
    role: str
    rank: int
    score: int | None
    kind: str


def scoring(pairing: Pairing) -> Scoring:
    game = engine.game(game_of(pairing))
    if game.cooperative:
        return Scoring.TOGETHER
    return Scoring.SIDES if len(set(game.roles(2))) > 1 else Scoring.ORDER


def game_of(pairing: Pairing) -> str:
    return pairing.round.stage.division.season.league.game


def seats_of(pairing: Pairing) -> list[PairingSeat]:
    return sorted(pairing.seats.all(), key=lambda seat: seat.index)


def role(pairing: Pairing, seat: PairingSeat) -> str:
    """The code of the seat's role; a table that was drawn without roles gives them by seat."""
    if seat.role:
        return seat.role
    roles = engine.game(game_of(pairing)).roles(max(2, len(seats_of(pairing))))
    return roles[seat.index] if seat.index < len(roles) else roles[-1]


def role_words(pairing: Pairing, seat: PairingSeat) -> str:
    """What the role is called; nothing where all seats are alike."""
    if scoring(pairing) is not Scoring.SIDES:
        return ""
    code = role(pairing, seat)
    return str(terms.of_game(game_of(pairing)).get(code, code))


def side_words(pairing: Pairing, seats: list[PairingSeat]) -> str:
    """What a side is called: its one seat's role, or all of them together."""
    words = terms.of_game(game_of(pairing))
    several = words.get(f"ui-{role(pairing, seats[0])}es") if len(seats) > 1 else None
    return str(several or role_words(pairing, seats[0]))


def lines(pairing: Pairing, result: Result) -> list[Line]:
    """The result seat by seat, the best first."""
    rows = [
        Line(
            seat,
            seat.entrant.name,
            role_words(pairing, seat),
            place.get("rank") or 0,
            place.get("score"),
            place.get("kind", "PLAYED"),
        )
        for seat, place in zip(seats_of(pairing), result.places)
    ]
    return sorted(rows, key=lambda line: (line.rank, line.seat.index))


def headline(pairing: Pairing, result: Result) -> str:
    """The result in one sentence."""
    if result.kind == Result.Kind.VOID or not result.places:
        return _("Void: it counts for nobody.")
    rows = lines(pairing, result)
    if result.source == Result.Source.FORFEIT:
        here = [line.name for line in rows if line.kind == "FW"]
        return _("%(names)s without a game") % {"names": listed(here)} if here else _("Nobody came.")
    if scoring(pairing) is Scoring.TOGETHER:
        return _("Won together") if result.grade and result.grade[0] else _("Lost together")
    best = [line.name for line in rows if line.rank == 1]
    if len(best) == len(rows):
        return _("A draw between all")
    return _("Won by %(names)s") % {"names": listed(best)}

"""Tie-breaks that look at an entrant's own games alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from leagues.formats.field import Game
from leagues.formats.lots import lot
from leagues.formats.tiebreaks.base import Line, Part, Sheet
from leagues.formats.tiebreaks.opponents import per_round
from leagues.formats.values import Kind


@dataclass(frozen=True)
class Wins(Part):
    """Rounds that gave all there was; with `played`, only those won at the table."""

    played: bool = False
    unit: ClassVar[int] = 1

    def lines(self, sheet: Sheet, who: int) -> list[Line]:
        return [
            Line(game.round, game.others[0] if len(game.others) == 1 else None, 1)
            for game in sheet.games[who]
            if game.points == sheet.top and (game.kind is Kind.PLAYED or not self.played)
        ]


@dataclass(frozen=True)
class Placed(Part):
    """How often an entrant came in a given place at the table."""

    rank: int = 1
    unit: ClassVar[int] = 1

    def lines(self, sheet: Sheet, who: int) -> list[Line]:
        return [
            Line(game.round, None, 1)
            for game in sheet.games[who]
            if game.table is not None and game.kind is Kind.PLAYED and rank(game) == self.rank
        ]


@dataclass(frozen=True)
class Progressive(Part):
    """Sum of the running totals: points early count more often. `cut` leaves out the first rounds."""

    cut: int = 0

    def lines(self, sheet: Sheet, who: int) -> list[Line]:
        running, found = 0, []
        for game in sheet.games[who]:
            running += game.points
            found.append(Line(game.round, None, running, cut=game.round <= self.cut))
        return found


@dataclass(frozen=True)
class MeanShare(Part):
    """Own score as a share of the winner's, on average over the games."""

    unit: ClassVar[int] = 1

    def lines(self, sheet: Sheet, who: int) -> list[Line]:
        found = []
        for game in sheet.games[who]:
            own, best = scores(game)
            if own is not None and best is not None and best > 0:
                found.append(Line(game.round, None, Fraction(own, best)))
        return found

    def total(self, sheet: Sheet, who: int, lines: Sequence[Line]) -> int | Fraction:
        return per_round(lines)


@dataclass(frozen=True)
class Margin(Part):
    """Own score minus the best other score at the table, summed."""

    unit: ClassVar[int] = 1

    def lines(self, sheet: Sheet, who: int) -> list[Line]:
        found = []
        for game in sheet.games[who]:
            if game.table is None or game.kind is not Kind.PLAYED:
                continue
            own = game.table.places[game.seat].score
            others = [
                place.score
                for index, place in enumerate(game.table.places)
                if index != game.seat and place.score is not None
            ]
            if own is not None and others:
                found.append(Line(game.round, None, own - max(others)))
        return found


@dataclass(frozen=True)
class SeatAdjusted(Part):
    """Points above what that seat or role gives on average at a table of that size.

    `expected` holds ((size, seat number or role), units of points); without it the event's own averages serve.
    """

    expected: tuple[tuple[tuple[int, int | str], int], ...] = ()
    unit: ClassVar[int] = 120

    def lines(self, sheet: Sheet, who: int) -> list[Line]:
        usual = dict(self.expected) or averages(sheet)
        return [
            Line(game.round, None, game.points - usual.get(chair(game), Fraction(0)), note=str(chair(game)[1]))
            for game in sheet.games[who]
            if game.table is not None and game.kind is Kind.PLAYED
        ]


@dataclass(frozen=True)
class Lot(Part):
    """The lot: a hash of the event's seed and the entrant's, so it is the same whenever and wherever it is drawn."""

    unit: ClassVar[int] = 1

    def lines(self, sheet: Sheet, who: int) -> list[Line]:
        return [Line(0, None, -lot(sheet.field.history.seed, "lot", sheet.field.entrants[who].seed), note="lot")]


def rank(game: Game) -> int:
    assert game.table is not None
    own = game.table.places[game.seat].rank
    return 1 + sum(place.rank < own for place in game.table.places)


def scores(game: Game) -> tuple[int | None, int | None]:
    """Own score and the winner's; None where none was reported."""
    if game.table is None or game.kind is not Kind.PLAYED:
        return None, None
    winner = min(game.table.places, key=lambda place: place.rank)
    return game.table.places[game.seat].score, winner.score


def chair(game: Game) -> tuple[int, int | str]:
    assert game.table is not None
    seat = game.table.seats[game.seat]
    return len(game.table.seats), seat.role or seat.number


def averages(sheet: Sheet) -> dict[tuple[int, int | str], Fraction]:
    """Mean points of each chair over the event so far; worked out once a sheet."""
    if sheet.chairs is None:
        sums: dict[tuple[int, int | str], tuple[int, int]] = {}
        for games in sheet.games.values():
            for game in games:
                if game.table is not None and game.kind is Kind.PLAYED:
                    total, count = sums.get(chair(game), (0, 0))
                    sums[chair(game)] = (total + game.points, count + 1)
        sheet.chairs = {key: Fraction(total, count) for key, (total, count) in sums.items()}
    return sheet.chairs

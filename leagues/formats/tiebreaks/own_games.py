"""Tie-breaks about an entrant's own games."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import attrgetter
from typing import ClassVar

from leagues.formats.lots import lot
from leagues.formats.score_table import Game
from leagues.formats.tiebreaks.base import Contribution, TieBreak, TieBreakInput
from leagues.formats.tiebreaks.opponents import per_round
from leagues.formats.values import Kind, Table

RANK = attrgetter("rank")


@dataclass(frozen=True)
class Wins(TieBreak):
    """Rounds with full points; with `played`, only those won at the table."""

    played: bool = False
    unit: ClassVar[int] = 1

    def lines(self, sheet: TieBreakInput, who: int) -> list[Contribution]:
        return [
            Contribution(game.round, game.others[0] if len(game.others) == 1 else None, 1)
            for game in sheet.games[who]
            if game.points == sheet.top and (game.kind is Kind.PLAYED or not self.played)
        ]


@dataclass(frozen=True)
class Placed(TieBreak):
    """How often an entrant came in a given place at the table."""

    rank: int = 1
    unit: ClassVar[int] = 1

    def lines(self, sheet: TieBreakInput, who: int) -> list[Contribution]:
        return [
            Contribution(game.round, None, 1)
            for game in sheet.games[who]
            if game.table is not None and game.kind is Kind.PLAYED and rank(game) == self.rank
        ]


@dataclass(frozen=True)
class Progressive(TieBreak):
    """Sum of the running totals: points early count more often. `cut` leaves out the first rounds."""

    cut: int = 0

    def lines(self, sheet: TieBreakInput, who: int) -> list[Contribution]:
        running, contributions = 0, []
        for game in sheet.games[who]:
            running += game.points
            contributions.append(Contribution(game.round, None, running, cut=game.round <= self.cut))
        return contributions


@dataclass(frozen=True)
class ScorePart(TieBreak):
    """A tie-break by the game's own scores, which are optional in results."""

    unit: ClassVar[int] = 1
    needs_scores: ClassVar[bool] = True

    def of_table(self, table: Table, seat: int) -> int | Fraction | None:
        """What one game contributes to a seat; None where it lacks the scores."""
        raise NotImplementedError

    def is_enough(self, known: int, games: int) -> bool:
        """Whether somebody with scores in `known` of their games can be compared."""
        raise NotImplementedError

    def is_given(self, sheet: TieBreakInput, who: int) -> bool:
        if sheet.rules.missing_scores_are_zero:
            return True
        # Computing the value also counts the games with scores.
        sheet.total(self, who)
        return sheet.given[self.code, who]

    def split(self, sheet: TieBreakInput, tied: Sequence[int]) -> list[list[int]]:
        """In order, or all together if one of them cannot be compared."""
        if not all(self.is_given(sheet, who) for who in tied):
            return [list(tied)]
        return super().split(sheet, tied)

    def lines(self, sheet: TieBreakInput, who: int) -> list[Contribution]:
        contributions, games = [], 0
        for game in sheet.games[who]:
            if game.table is not None and game.kind is Kind.PLAYED:
                games += 1
                amount = self.of_table(game.table, game.seat)
                if amount is not None:
                    contributions.append(Contribution(game.round, None, amount))
        sheet.given[self.code, who] = self.is_enough(len(contributions), games)
        return contributions


@dataclass(frozen=True)
class MeanShare(ScorePart):
    """Own score as a share of the winner's, on average over the games with scores."""

    def of_table(self, table: Table, seat: int) -> int | Fraction | None:
        own = table.places[seat].score
        best = min(table.places, key=RANK).score
        return Fraction(own, best) if own is not None and best is not None and best > 0 else None

    def is_enough(self, known: int, games: int) -> bool:
        return known > 0

    def total(self, sheet: TieBreakInput, who: int, lines: Sequence[Contribution]) -> int | Fraction:
        return per_round(lines)


@dataclass(frozen=True)
class Margin(ScorePart):
    """Own score minus the best other score at the table, summed.

    It needs the scores of all games: a sum without one would count that game as level.
    """

    def of_table(self, table: Table, seat: int) -> int | Fraction | None:
        own = table.places[seat].score
        others = [place.score for at, place in enumerate(table.places) if at != seat and place.score is not None]
        return own - max(others) if own is not None and others else None

    def is_enough(self, known: int, games: int) -> bool:
        return games > 0 and known == games


@dataclass(frozen=True)
class SeatAdjusted(TieBreak):
    """Points above what that seat or role gives on average at a table of that size.

    `expected` holds ((size, seat number or role), units of points); without it the event's own averages serve.
    """

    expected: tuple[tuple[tuple[int, int | str], int], ...] = ()
    unit: ClassVar[int] = 120

    def lines(self, sheet: TieBreakInput, who: int) -> list[Contribution]:
        usual = dict(self.expected) or averages(sheet)
        return [
            Contribution(game.round, None, game.points - usual.get(chair(game), Fraction(0)), note=str(chair(game)[1]))
            for game in sheet.games[who]
            if game.table is not None and game.kind is Kind.PLAYED
        ]


@dataclass(frozen=True)
class Lot(TieBreak):
    """The lot: a hash of the event's seed and the entrant's, so it is the same whenever and wherever it is drawn."""

    unit: ClassVar[int] = 1
    hide_value: ClassVar[bool] = True

    def lines(self, sheet: TieBreakInput, who: int) -> list[Contribution]:
        return [
            Contribution(0, None, -lot(sheet.field.history.seed, "lot", sheet.field.entrants[who].seed), note="lot")
        ]


def rank(game: Game) -> int:
    assert game.table is not None
    own = game.table.places[game.seat].rank
    return 1 + sum(place.rank < own for place in game.table.places)


def chair(game: Game) -> tuple[int, int | str]:
    assert game.table is not None
    seat = game.table.seats[game.seat]
    return len(game.table.seats), seat.role or seat.number


def averages(sheet: TieBreakInput) -> dict[tuple[int, int | str], Fraction]:
    """Mean points of each seat or role over the event so far; computed once an input."""
    if sheet.chairs is None:
        sums: dict[tuple[int, int | str], tuple[int, int]] = {}
        for games in sheet.games.values():
            for game in games:
                if game.table is not None and game.kind is Kind.PLAYED:
                    total, count = sums.get(chair(game), (0, 0))
                    sums[chair(game)] = (total + game.points, count + 1)
        sheet.chairs = {key: Fraction(total, count) for key, (total, count) in sums.items()}
    return sheet.chairs

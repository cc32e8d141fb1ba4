"""Tie-breaks about the opponents: how well they did, the results against them, their ratings."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from leagues.formats.errors import FormatError
from leagues.formats.tiebreaks.base import (
    MEAN,
    Contribution,
    TieBreak,
    TieBreakInput,
    by_round,
    exact,
    exact_sum,
    missed,
    seated_with,
    trimmed,
    without_rounds,
)
from leagues.formats.values import POINT

NO_ROUNDS: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Buchholz(TieBreak):
    """Sum of the opponents' adjusted scores. `fore` counts the games of the last planned round as drawn."""

    cut: int = 0
    median: int = 0
    fore: bool = False
    unit: ClassVar[int] = POINT * MEAN

    def lines(self, sheet: TieBreakInput, who: int) -> list[Contribution]:
        if self.fore and sheet.field.history.planned is None:
            raise FormatError("error.rounds", part=self.code)
        scores, own, last = sheet.adjusted, sheet.score[who], NO_ROUNDS
        if self.fore:
            scores = sheet.fore
            last = frozenset(game.round for game in sheet.games[who] if sheet.is_fore_drawn(game))
            if last or sheet.rules.fore_always_adjusted:
                own = scores[who]
        contributions = []
        for game in sheet.games[who]:
            number = game.round
            others = seated_with(game) if last and number in last else game.others
            if others:
                share = MEAN // len(others)
                for other in others:
                    contributions.append(Contribution(number, other, scores[other] * share))
            elif missed(sheet, game):
                score, note = sheet.dummy(who, game, scores, own)
                contributions.append(Contribution(number, None, score, note=note))
        if not self.cut and not self.median:
            return contributions
        return trimmed(contributions, sheet.by_choice(who) - last, self.cut + self.median, self.median)


@dataclass(frozen=True)
class OpponentsBuchholz(TieBreak):
    """The average Buchholz of the opponents met at the table."""

    unit: ClassVar[int] = 1

    def lines(self, sheet: TieBreakInput, who: int) -> list[Contribution]:
        plain = Buchholz("buchholz")
        return [
            Contribution(game.round, other, sheet.value(plain, other) / len(game.others))
            for game in sheet.games[who]
            for other in game.others
        ]

    def total(self, sheet: TieBreakInput, who: int, lines: Sequence[Contribution]) -> int | Fraction:
        return per_round(lines)


@dataclass(frozen=True)
class SonnebornBerger(TieBreak):
    """What was taken from each opponent times that opponent's adjusted score."""

    cut: int = 0
    unit: ClassVar[int] = 2 * POINT * MEAN

    def lines(self, sheet: TieBreakInput, who: int) -> list[Contribution]:
        contributions = []
        faced: dict[int, int] = {}
        for game in sheet.games[who]:
            if game.others:
                share = MEAN // len(game.others)
                for other, took in zip(game.others, game.took):
                    contributions.append(Contribution(game.round, other, took * sheet.adjusted[other] * share))
                faced[game.round] = sum([sheet.adjusted[other] for other in game.others]) * share
            elif missed(sheet, game):
                score, note = sheet.dummy(who, game, sheet.adjusted, sheet.score[who])
                faced[game.round] = score
                contributions.append(
                    Contribution(game.round, None, exact(2 * game.points * score, sheet.top), note=note)
                )
        if not self.cut:
            return contributions
        if sheet.rules.cut_by_product:
            return trimmed(contributions, sheet.by_choice(who), self.cut)
        return without_rounds(contributions, self._cut(contributions, faced, sheet.by_choice(who)))

    def _cut(self, lines: Sequence[Contribution], faced: Mapping[int, int], chosen: Set[int]) -> set[int]:
        """The round with the lowest-scored opponent, or one missed by choice that contributes at least as much."""
        gone: set[int] = set()
        products = by_round(lines)
        for _ in range(self.cut):
            left = [number for number in products if number not in gone]
            if not left:
                break
            weakest = min(left, key=lambda number: (faced[number], products[number], number))
            missed_rounds = [number for number in left if number in chosen]
            first = min(missed_rounds, key=lambda number: (products[number], number), default=weakest)
            gone.add(first if products[first] >= products[weakest] else weakest)
        return gone


@dataclass(frozen=True)
class Koya(TieBreak):
    """The results against opponents with at least half of the maximum score."""

    unit: ClassVar[int] = 2 * MEAN

    def lines(self, sheet: TieBreakInput, who: int) -> list[Contribution]:
        contributions = []
        for game in sheet.games[who]:
            for other, took in zip(game.others, game.took):
                below = 2 * sheet.score[other] < sheet.most[other]
                amount = took * (MEAN // len(game.others))
                contributions.append(Contribution(game.round, other, amount, cut=below, note="below" if below else ""))
        return contributions


@dataclass(frozen=True)
class AverageRating(TieBreak):
    """Mean rating of the opponents played."""

    cut: int = 0
    unit: ClassVar[int] = MEAN

    def lines(self, sheet: TieBreakInput, who: int) -> list[Contribution]:
        return trimmed(rated(sheet, who), sheet.by_choice(who), self.cut)

    def total(self, sheet: TieBreakInput, who: int, lines: Sequence[Contribution]) -> int | Fraction:
        return per_round(lines)


# Rating difference for a score of 50, 51, ... 100 per cent; below a half the same with the sign changed.
GAINS = (
    *(0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158, 166, 175, 184),
    *(193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366, 383, 401, 422, 444, 470, 501),
    *(538, 589, 677, 800),
)


@dataclass(frozen=True)
class Performance(TieBreak):
    """The rating at which the score against these opponents is what one would expect."""

    unit: ClassVar[int] = MEAN

    def lines(self, sheet: TieBreakInput, who: int) -> list[Contribution]:
        return rated(sheet, who)

    def total(self, sheet: TieBreakInput, who: int, lines: Sequence[Contribution]) -> int | Fraction:
        counted = {line.round for line in lines if not line.cut}
        if not counted:
            return Fraction(0)
        halves = Fraction(0)
        for game in sheet.games[who]:
            if game.round in counted:
                halves += Fraction(sum(game.took), len(game.others))
        # In whole per cent, a half rounded up.
        per_cent = int(halves * 50 / len(counted) + Fraction(1, 2))
        gain = GAINS[per_cent - 50] if per_cent >= 50 else -GAINS[50 - per_cent]
        return per_round(lines) + gain * self.unit


@dataclass(frozen=True)
class LinearPerformance(TieBreak):
    """Mean of the opponents' ratings, 500 more for each beaten and 500 less for each lost to."""

    unit: ClassVar[int] = MEAN

    def lines(self, sheet: TieBreakInput, who: int) -> list[Contribution]:
        games = {game.round: game for game in sheet.games[who]}
        contributions = []
        for line in rated(sheet, who):
            if line.opponent is None or line.cut:
                continue
            game = games[line.round]
            took = game.took[game.others.index(line.opponent)]
            swing = 500 * (took - 1) * (MEAN // len(game.others))
            contributions.append(line._replace(amount=line.amount + swing))
        return contributions

    def total(self, sheet: TieBreakInput, who: int, lines: Sequence[Contribution]) -> int | Fraction:
        return per_round(lines)


@dataclass(frozen=True)
class OpponentsShare(TieBreak):
    """Mean over the opponents of the share of points they took in their own games, but never less than a third."""

    unit: ClassVar[int] = 1

    def lines(self, sheet: TieBreakInput, who: int) -> list[Contribution]:
        own = Share("share")
        least = Fraction(1, 3)
        contributions = []
        for game in sheet.games[who]:
            for other in game.others:
                share = sheet.value(own, other)
                contributions.append(
                    Contribution(game.round, other, max(least, share), note="third" if share < least else "")
                )
        return contributions

    def total(self, sheet: TieBreakInput, who: int, lines: Sequence[Contribution]) -> int | Fraction:
        return Fraction(exact_sum([line.amount for line in lines]), max(1, len(lines)))


@dataclass(frozen=True)
class Share(TieBreak):
    """The share of points in games played."""

    unit: ClassVar[int] = 1

    def lines(self, sheet: TieBreakInput, who: int) -> list[Contribution]:
        return [
            Contribution(game.round, None, Fraction(game.points, sheet.top)) for game in sheet.games[who] if game.others
        ]

    def total(self, sheet: TieBreakInput, who: int, lines: Sequence[Contribution]) -> int | Fraction:
        taken = sum(game.points for game in sheet.games[who] if game.others)
        return Fraction(taken, sheet.top * max(1, len(lines)))


def rated(sheet: TieBreakInput, who: int) -> list[Contribution]:
    """The opponents' ratings; those without one are listed but do not count."""
    contributions = []
    for game in sheet.games[who]:
        known = [other for other in game.others if sheet.field.entrants[other].rating is not None]
        for other in game.others:
            rating = sheet.field.entrants[other].rating
            if rating is None:
                contributions.append(Contribution(game.round, other, 0, cut=True, note="unrated"))
            else:
                contributions.append(Contribution(game.round, other, rating * (MEAN // len(known))))
    return contributions


def per_round(lines: Sequence[Contribution]) -> int | Fraction:
    """The sum of what counts, divided by the number of rounds it comes from."""
    rounds = {line.round for line in lines if not line.cut}
    return Fraction(exact_sum([line.amount for line in lines if not line.cut]), max(1, len(rounds)))

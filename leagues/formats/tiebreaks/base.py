"""The base class of tie-breaks, and the input that all of them read."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from math import lcm
from types import MappingProxyType
from typing import ClassVar, NamedTuple

from leagues.formats.editions import Edition
from leagues.formats.score_table import Game, ScoreTable
from leagues.formats.values import POINT, Kind

MEAN = 60
"""Amounts over an opponent are kept in sixtieths, so that the mean over up to six opponents is exact."""


class Contribution(NamedTuple):
    """One contribution: in units of the part's `unit`, from this opponent in this round. `cut` ones do not count.

    `note` says what is unusual: `own`, `as-opponent` and `as-draws` for the dummy opponent of an unplayed round,
    `unrated`, `below` and so on.
    """

    round: int
    opponent: int | None
    amount: int | Fraction
    cut: bool = False
    note: str = ""


STAYED_AWAY = frozenset({Kind.HPB, Kind.ZPB, Kind.NP, Kind.WD})
"""Rounds that an entrant missed by request for less than a win, or by absence."""

PAIRED = frozenset({Kind.PLAYED, Kind.FW, Kind.FL})
"""Rounds with opponents from the draw, whether or not they came."""


@dataclass(frozen=True)
class EditionRules:
    """How an edition counts rounds without a game; article numbers are those of FIDE Handbook C.07.

    `by_choice`: the rounds that cuts take first (16.5). `trailing`: at the end of an event these count as drawn in the
    score that opponents sum (16.3); rounds of `passed_over` in between count as they are. `capped`: the dummy opponent
    that stands in for a round scores no more than the opponents who were drawn, or where none were, no more than a
    draw in every round (16.4). `fore_drawn`: the games that Fore Buchholz counts as drawn in the last round; its
    dummies take the own score of a participant without such a game as it is, unless `fore_always_adjusted` (8.3).
    `cut_by_product`: a cut Sonneborn-Berger leaves out the smallest product, otherwise the product with the opponent
    who has the lowest score (14.1). `missing_scores_are_zero`: so they count in tie-breaks by scores; otherwise a
    tie-break is skipped between people if one of them lacks the scores that it needs.
    """

    by_choice: frozenset[Kind]
    trailing: frozenset[Kind]
    passed_over: frozenset[Kind]
    capped: bool
    fore_drawn: frozenset[Kind]
    fore_always_adjusted: bool
    cut_by_product: bool
    missing_scores_are_zero: bool


_EARLIER_CHOICE = STAYED_AWAY | {Kind.FPB, Kind.FL}
RULES: Mapping[Edition, EditionRules] = MappingProxyType(
    {
        Edition.EARLIER: EditionRules(
            by_choice=_EARLIER_CHOICE,
            trailing=_EARLIER_CHOICE,
            passed_over=frozenset(),
            capped=False,
            fore_drawn=frozenset({Kind.PLAYED}),
            fore_always_adjusted=True,
            cut_by_product=True,
            missing_scores_are_zero=True,
        ),
        Edition.MARCH_2026: EditionRules(
            by_choice=STAYED_AWAY | {Kind.FL},
            trailing=STAYED_AWAY,
            passed_over=frozenset({Kind.FL}),
            capped=True,
            fore_drawn=PAIRED,
            fore_always_adjusted=False,
            cut_by_product=False,
            missing_scores_are_zero=False,
        ),
    }
)


class TieBreakInput:
    """A score table with values that several tie-breaks need, computed once."""

    def __init__(self, field: ScoreTable) -> None:
        self.field = field
        self.rules = RULES[field.edition]
        self.games = field.games
        self.score = field.score
        self.top = field.scheme.top
        self.half = field.scheme.half
        self.adjusted = self.adjust()
        self.known: dict[tuple[str, int], int | Fraction] = {}
        self.given: dict[tuple[str, int], bool] = {}
        self.chairs: dict[tuple[int, int | str], Fraction] | None = None

    def adjust(self, last_drawn: int | None = None) -> dict[int, int]:
        """Scores as opponents' tie-breaks count them: missed rounds at the end count as drawn.

        With `last_drawn`, the games of that round count as drawn too.
        """
        rules, scores = self.rules, {}
        ends = rules.trailing | rules.passed_over
        for who, games in self.games.items():
            if last_drawn is None and (not games or games[-1].kind not in ends):
                # The usual case: no missed rounds at the end.
                scores[who] = self.score[who]
                continue
            worth: list[int] = []
            trailing = not self.field.round_robin
            for game in reversed(games):
                kind = game.kind
                if game.round == last_drawn and kind in rules.fore_drawn:
                    trailing, drawn = False, True
                else:
                    trailing = trailing and kind in ends
                    drawn = trailing and kind in rules.trailing
                worth.append(self.half if drawn else game.points)
            scores[who] = self.field.scheme.total(worth)
        return scores

    @cached_property
    def fore(self) -> dict[int, int]:
        """Scores with the games of the last planned round as drawn; empty unless the rounds were declared."""
        planned = self.field.history.planned
        return {} if planned is None else self.adjust(planned)

    def is_fore_drawn(self, game: Game) -> bool:
        """Whether Fore Buchholz counts this game as drawn."""
        return game.round == self.field.history.planned and game.kind in self.rules.fore_drawn

    def dummy(self, who: int, game: Game, scores: Mapping[int, int], own: int) -> tuple[int, str]:
        """The score, in sixtieths, of the dummy opponent that stands in for a round without a game; and a note."""
        mine = own * MEAN
        if not self.rules.capped:
            return mine, "own"
        drawn = seated_with(game)
        if drawn:
            most, note = sum([scores[other] for other in drawn]) * MEAN // len(drawn), "as-opponent"
        else:
            most, note = self.half * self._counted(len(self.games[who])) * MEAN, "as-draws"
        return (most, note) if most < mine else (mine, "own")

    @cached_property
    def most(self) -> dict[int, int]:
        """The maximum score of each; the free round of an odd round robin gives nothing."""
        return {
            who: self.top * self._counted(sum([game.kind is not Kind.PAB for game in games]))
            for who, games in self.games.items()
        }

    def _counted(self, rounds: int) -> int:
        """How many of so many rounds count."""
        return min(rounds, self.field.scheme.best or rounds)

    def by_choice(self, who: int) -> set[int]:
        """The rounds that somebody missed by choice: cuts remove these first."""
        return {game.round for game in self.games[who] if game.kind in self.rules.by_choice}

    def total(self, part: "TieBreak", who: int) -> int | Fraction:
        """A tie-break's value in its own unit: an int where possible, because ints sort ten times faster."""
        key = (part.code, who)
        value = self.known.get(key)
        if value is None:
            value = self.known[key] = part.total(self, who, part.lines(self, who))
        return value

    def value(self, part: "TieBreak", who: int) -> Fraction:
        return Fraction(self.total(part, who), part.unit)


@dataclass(frozen=True)
class TieBreak:
    """A tie-break. `lines` are the contributions; the value is `total` of them, by default their sum.

    All amounts are in units of 1/`unit`. `title` is the name in "decided by ...", `short` the heading of its
    column; both are English, and the site translates them.
    """

    code: str
    title: str = ""
    short: str = ""
    unit: ClassVar[int] = POINT
    hide_value: ClassVar[bool] = False
    """Whether its number is meaningless to people, so that pages do not show it."""
    needs_tied_group: ClassVar[bool] = False
    """Whether it is computed only among those level in the tie-breaks before it."""
    needs_scores: ClassVar[bool] = False
    """Whether it needs the scores of games."""

    def lines(self, sheet: TieBreakInput, who: int) -> list[Contribution]:
        raise NotImplementedError

    def total(self, sheet: TieBreakInput, who: int, lines: Sequence[Contribution]) -> int | Fraction:
        return exact_sum([amount for _, _, amount, cut, _ in lines if not cut])

    def is_given(self, sheet: TieBreakInput, who: int) -> bool:
        """Whether somebody has a value."""
        return True

    def split(self, sheet: TieBreakInput, tied: Sequence[int]) -> list[list[int]]:
        """The tied entrants in order, in groups of those still level."""
        total = {who: sheet.total(self, who) for who in tied}
        ranked = sorted(tied, key=total.__getitem__, reverse=True)
        return [list(group) for _, group in groupby(ranked, key=total.__getitem__)]


def exact_sum(amounts: Sequence[int | Fraction]) -> int | Fraction:
    """The sum. Over one common denominator: adding fractions one by one is ten times slower."""
    if {*map(type, amounts)} <= {int}:
        return sum(amounts)
    common = lcm(*{amount.denominator for amount in amounts})
    if common == 1:
        return sum([amount.numerator for amount in amounts])
    return Fraction(sum([amount.numerator * (common // amount.denominator) for amount in amounts]), common)


def exact(amount: int, parts: int) -> int | Fraction:
    """A quotient, as a whole number where it is one."""
    whole, rest = divmod(amount, parts)
    return Fraction(amount, parts) if rest else whole


def missed(sheet: TieBreakInput, game: Game) -> bool:
    """Whether a virtual opponent stands in for this round. A free round of a round robin needs none."""
    return not game.others and not sheet.field.round_robin


def seated_with(game: Game) -> tuple[int, ...]:
    """The others of the table, whether or not they came; nobody for a round without one."""
    if game.table is None:
        return ()
    return tuple([seat.entrant for at, seat in enumerate(game.table.seats) if at != game.seat])


def trimmed(lines: list[Contribution], chosen: Set[int], lowest: int, highest: int = 0) -> list[Contribution]:
    """The lines with the rounds of the smallest (and largest) contributions cut; `chosen` rounds are cut first."""
    if not lowest and not highest:
        return lines
    sums = by_round(lines)
    ranked = sorted(sums, key=lambda number: (number not in chosen, sums[number], number))
    gone = set(ranked[:lowest])
    rest = sorted(ranked[lowest:], key=lambda number: (sums[number], number))
    gone.update(rest[len(rest) - highest :] if highest else ())
    return without_rounds(lines, gone)


def by_round(lines: Sequence[Contribution]) -> dict[int, int | Fraction]:
    """What each round contributes."""
    sums: dict[int, int | Fraction] = {}
    for line in lines:
        sums[line.round] = sums.get(line.round, 0) + line.amount
    return sums


def without_rounds(lines: Sequence[Contribution], gone: Set[int]) -> list[Contribution]:
    """The lines with those of the given rounds marked as cut."""
    return [line._replace(cut=True) if line.round in gone else line for line in lines]

"""Dice odds for Thanos Rising: how likely a card gets all its symbols from so many dice of each colour.

The exact probability is a tree of re-rolls, too big to compute for every decision. A formula of a few features of the
missing symbols and the dice, fitted to simulated throws for the cards of the box, is off by about 6 points.

Compiled by mypyc; see `engine.build`.
"""

from math import exp, log
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from engine.thanos_rising.card_tables import COLOURS, FACES, LANE, SYMBOLS, CardSet, lane, total, unit

REMEMBERED: Final = 4096
"""How many odds are kept; a power of two. One that falls on the place of another takes it."""


class Odds:
    """The dice of one card set, and the odds already worked out."""

    def __init__(self, cards: CardSet) -> None:
        self.cards: CardSet = cards
        self.hits: vec[i64] = vec[i64]([0] * (COLOURS * SYMBOLS))  # faces of a colour that show a symbol
        self.yields: vec[i64] = vec[i64]([0] * (COLOURS * SYMBOLS))  # how often all of them together show it
        self.keys: vec[i64] = vec[i64]([0] * REMEMBERED)
        self.known: vec[float] = vec[float]([0.0] * REMEMBERED)
        colour: i64 = 0
        while colour < COLOURS:
            face: i64 = 0
            while face < FACES:
                kind: i64 = cards.face[colour * FACES + face]
                place: i64 = colour * SYMBOLS + cards.kind_symbol[kind]
                self.hits[place] += 1
                self.yields[place] += cards.kind_value[kind]
                face += 1
            colour += 1

    def chance(self, missing: i64, dice: i64) -> float:
        """How likely these dice, thrown again as long as any is left, bring all the missing symbols."""
        if missing == 0:
            return 1.0
        if dice == 0:
            return 0.0
        key: i64 = missing << (COLOURS * LANE) | dice
        place: i64 = (key ^ (key >> 11) ^ (key >> 23)) & (REMEMBERED - 1)
        if self.keys[place] != key:
            self.keys[place] = key
            self.known[place] = self.estimate(missing, dice)
        return self.known[place]

    def estimate(self, missing: i64, dice: i64) -> float:
        doubles: i64 = 0
        fitting: i64 = 0
        pairs: i64 = 0
        colour: i64 = 0
        while colour < COLOURS:
            count: i64 = lane(dice, colour)
            symbol: i64 = self.cards.double[colour]
            if symbol >= 0 and lane(missing, symbol) >= 2:
                doubles += count
                pairs += count if count < lane(missing, symbol) // 2 else lane(missing, symbol) // 2
            symbol = 0
            while symbol < SYMBOLS:
                if lane(missing, symbol):
                    fitting += count * self.hits[colour * SYMBOLS + symbol]
                symbol += 1
            colour += 1
        number: i64 = total(dice)
        need: i64 = total(missing)
        if need > number + pairs:
            return 0.0
        kinds: i64 = 0
        rarest = 1000.0
        symbol = 0
        while symbol < SYMBOLS:
            if lane(missing, symbol):
                kinds += 1
                supply = self.supply(symbol, dice) / float(lane(missing, symbol))
                if supply < rarest:
                    rarest = supply
            symbol += 1
        spare = float(number - need)
        fit = float(fitting) / float(FACES * number)
        lean: i64 = need - number if need > number else 0
        merit = (
            -2.13
            + 0.51 * spare
            + 3.41 * fit
            - 0.97 * float(kinds)
            + 0.17 * float(doubles)
            + 1.04 * log(float(number) / float(need))
            + 2.15 * rarest
            + 0.72 * spare * fit
            - 0.23 * float(doubles if doubles < lean else lean)
        )
        return 1.0 / (1.0 + exp(-merit))

    def supply(self, symbol: i64, dice: i64) -> float:
        """How much of a symbol one throw brings on average."""
        shown: i64 = 0
        colour: i64 = 0
        while colour < COLOURS:
            shown += lane(dice, colour) * self.yields[colour * SYMBOLS + symbol]
            colour += 1
        return float(shown) / FACES

    def fit(self, missing: i64, colour: i64) -> i64:
        """How many faces of a colour show a missing symbol; a double counts twice where two are missing."""
        faces: i64 = 0
        symbol: i64 = 0
        while symbol < SYMBOLS:
            if lane(missing, symbol) >= 2:
                faces += self.yields[colour * SYMBOLS + symbol]
            elif lane(missing, symbol):
                faces += self.hits[colour * SYMBOLS + symbol]
            symbol += 1
        return faces


def fewer(dice: i64, count: i64) -> i64:
    """The dice without `count` of them, taken in turn from the colour there is most of."""
    while count > 0 and dice:
        most: i64 = 0
        colour: i64 = 1
        while colour < COLOURS:
            if lane(dice, colour) > lane(dice, most):
                most = colour
            colour += 1
        dice -= unit(most)
        count -= 1
    return dice

"""The chance of each seat to win a position of Splendor: Marvel, fitted to matches between bots.

Each seat is described by numbers from about 0 to 1, larger being better for it: its own, the best of each that a rival
has, and how far the match is. A small network turns them into a merit, and the chances are in proportion to its
exponential. So they sum to 1, and who sits where matters only as far as it decides who plays next. `fit_value` makes
the weights.

Compiled by mypyc; see `engine.build`.
"""

from math import exp
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from engine.splendor_marvel.components import LEVEL_3, NEEDS
from engine.splendor_marvel.legal_moves import PAY, PAY_NOW, TAKE
from engine.splendor_marvel.packed_counts import ONES, minus, present, total
from engine.splendor_marvel.player_board import COST
from engine.splendor_marvel.state import BONUS, POINTS, TAGS, TILE_POINTS, TOKEN_LIMIT, SplendorState

OWN: Final = 44
"""How many numbers describe a seat."""

OF_RIVALS: Final = 21
"""The first so many of them are also looked up among the others: the best of each."""

INPUTS: Final = OWN + OF_RIVALS + 1
HIDDEN: Final = 8
WEIGHTS: Final = INPUTS * HIDDEN + HIDDEN + HIDDEN + INPUTS
"""Of the hidden layer, its thresholds, the weights of its outputs, and of the inputs directly."""

MOST_PLAYERS: Final = 4
FAR: Final = 9
REACH: Final = vec[float]([1.0, 0.72, 0.5, 0.34, 0.22, 0.14, 0.08, 0.04, 0.02, 0.0])
"""How near a card is when this many tokens are missing."""


class FittedValue:
    """The chances of a position, by weights that are a list of `WEIGHTS` numbers for each number of players from 2."""

    def __init__(self, weights: list[list[float]]) -> None:
        self.weights = [vec[float](some) for some in weights]
        self.own = vec[float]([0.0] * (MOST_PLAYERS * OWN))
        self.input = vec[float]([0.0] * INPUTS)
        self.chances = vec[float]([0.0] * MOST_PLAYERS)

    def evaluate(self, state: SplendorState) -> None:
        """Write the chance of each seat into `chances`. A card that is being paid for is paid for first."""
        if state.phase == PAY:
            state.apply(PAY_NOW)
        players: i64 = state.players
        seat: i64 = 0
        if state.over:
            while seat < players:
                self.chances[seat] = state.reward(seat)
                seat += 1
            return
        self.describe(state)
        largest = -1e9
        while seat < players:
            merit = self.merit(state, seat)
            self.chances[seat] = merit
            if merit > largest:
                largest = merit
            seat += 1
        total_weight = 0.0
        seat = 0
        while seat < players:
            weight = exp(self.chances[seat] - largest)
            self.chances[seat] = weight
            total_weight += weight
            seat += 1
        seat = 0
        while seat < players:
            self.chances[seat] = self.chances[seat] / total_weight
            seat += 1

    def merit(self, state: SplendorState, seat: i64) -> float:
        """By the network; `describe` was called before. The hidden layer is written out: most time is spent here."""
        self.gather(state, seat)
        w = self.weights[state.players - 2]
        b: i64 = INPUTS * HIDDEN
        h0, h1, h2, h3 = w[b], w[b + 1], w[b + 2], w[b + 3]
        h4, h5, h6, h7 = w[b + 4], w[b + 5], w[b + 6], w[b + 7]
        merit = 0.0
        direct: i64 = b + 2 * HIDDEN
        k: i64 = 0
        while k < INPUTS:
            x = self.input[k]
            if x != 0.0:
                row: i64 = k * HIDDEN
                h0 += x * w[row]
                h1 += x * w[row + 1]
                h2 += x * w[row + 2]
                h3 += x * w[row + 3]
                h4 += x * w[row + 4]
                h5 += x * w[row + 5]
                h6 += x * w[row + 6]
                h7 += x * w[row + 7]
                merit += x * w[direct + k]
            k += 1
        b += HIDDEN
        merit += positive(h0) * w[b] + positive(h1) * w[b + 1] + positive(h2) * w[b + 2] + positive(h3) * w[b + 3]
        return (
            merit
            + positive(h4) * w[b + 4]
            + positive(h5) * w[b + 5]
            + positive(h6) * w[b + 6]
            + positive(h7) * w[b + 7]
        )

    def gather(self, state: SplendorState, seat: i64) -> None:
        """What the network looks at for a seat."""
        k: i64 = 0
        while k < OWN:
            self.input[k] = self.own[seat * OWN + k]
            k += 1
        k = 0
        while k < OF_RIVALS:
            best = -9.0
            other: i64 = 0
            while other < state.players:
                if other != seat and self.own[other * OWN + k] > best:
                    best = self.own[other * OWN + k]
                other += 1
            self.input[OWN + k] = best
            k += 1
        self.input[OWN + OF_RIVALS] = 0.04 * float(state.rounds if state.rounds < 50 else 50)

    def describe(self, state: SplendorState) -> None:
        """Write the numbers of every seat into `own`."""
        seat: i64 = 0
        while seat < state.players:
            self.describe_seat(state, seat)
            seat += 1

    def describe_seat(self, state: SplendorState, seat: i64) -> None:
        me = state.teams[seat]
        own = self.own
        at: i64 = seat * OWN
        need: i64 = state.goal - me.points if me.points < state.goal else 0
        means: i64 = me.tokens + me.bonuses
        colours: i64 = present(me.bonuses)
        missing: i64 = ONES - colours
        held: i64 = me.held()
        rival_tags: i64 = 0
        other: i64 = 0
        while other < state.players:
            if other != seat and state.teams[other].tags > rival_tags:
                rival_tags = state.teams[other].tags
            other += 1

        # Cards in the market and in hand, by how many tokens are missing.
        within_0: i64 = 0
        within_1: i64 = 0
        within_2: i64 = 0
        within_3: i64 = 0
        best_0: i64 = 0
        best_1: i64 = 0
        best_2: i64 = 0
        best_3: i64 = 0
        best_5: i64 = 0
        to_colour: i64 = FAR if missing != 0 else 0
        to_stone: i64 = FAR if me.green == 0 else 0
        to_finish: i64 = FAR
        free: i64 = 0
        near_points = 0.0
        lasting_points = 0.0
        in_hand = 0.0
        hand_distance: i64 = FAR
        count: i64 = len(state.offer)
        i: i64 = 0
        while i < count + me.reserved:
            card: i64 = state.offer[i] if i < count else me.card_at(i - count)
            points: i64 = POINTS[card]
            price: i64 = minus(COST[card], me.bonuses)
            short: i64 = total(minus(price, me.tokens)) - me.grey
            if short < 0:
                short = 0
            if short > FAR:
                short = FAR
            lasting: i64 = total(price)
            if lasting == 0:
                free += 1
            if short <= 5:
                if points > best_5:
                    best_5 = points
                if short <= 3:
                    within_3 += 1
                    if points > best_3:
                        best_3 = points
                    if short <= 2:
                        within_2 += 1
                        if points > best_2:
                            best_2 = points
                        if short <= 1:
                            within_1 += 1
                            if points > best_1:
                                best_1 = points
                            if short == 0:
                                within_0 += 1
                                if points > best_0:
                                    best_0 = points
            if BONUS[card] & missing and short < to_colour:
                to_colour = short
            if card >= LEVEL_3 and short < to_stone:
                to_stone = short
            near_points += float(points) * REACH[short]
            lasting_points += float(points) * REACH[lasting if lasting < FAR else FAR]
            if i >= count:
                in_hand += (1.0 + float(points)) * REACH[short]
                if short < hand_distance:
                    hand_distance = short
            if short < to_finish and (me.green == 1 or card >= LEVEL_3) and missing & ~BONUS[card] == 0:
                gain: i64 = points
                if state.owner != seat and me.tags + TAGS[card] >= 3 and me.tags + TAGS[card] > rival_tags:
                    gain += TILE_POINTS
                if gain < need and me.cards >= 7:
                    gain += self.visits_with(state, me.bonuses + BONUS[card])
                if gain >= need:
                    to_finish = short
            i += 1

        # Locations still to be had, by how many bonuses are missing.
        first_site: i64 = 8
        second_site: i64 = 8
        i = 0
        while i < state.players:
            site: i64 = state.sites[i]
            if (state.locations >> site) & 1:
                away: i64 = total(minus(NEEDS[site], me.bonuses))
                if away < first_site:
                    second_site = first_site
                    first_site = away
                elif away < second_site:
                    second_site = away
            i += 1

        own[at] = 1.0 - float(need) / 16.0
        own[at + 1] = 1.0 if need == 0 else 0.0
        own[at + 2] = 1.0 if need <= 3 else 0.0
        own[at + 3] = float(total(me.bonuses)) / 15.0
        own[at + 4] = float(total(colours)) / 5.0
        own[at + 5] = float(me.green)
        own[at + 6] = float(me.tags if me.tags < 6 else 6) / 6.0
        own[at + 7] = 1.0 if state.owner == seat else 0.0
        own[at + 8] = float(total(me.tokens)) / 10.0
        own[at + 9] = float(me.grey) / 3.0
        own[at + 10] = float(within_0) / 5.0
        own[at + 11] = float(best_0) / 5.0
        own[at + 12] = float(best_2) / 5.0
        own[at + 13] = near_points / 8.0
        own[at + 14] = REACH[to_colour]
        own[at + 15] = REACH[to_stone]
        own[at + 16] = 1.0 - float(first_site) / 8.0
        own[at + 17] = 1.0 if to_finish == 0 else 0.0
        own[at + 18] = REACH[to_finish]
        own[at + 19] = 1.0 if me.assembles(state.goal) else 0.0
        own[at + 20] = 1.0 if seat >= state.seat else 0.0
        # From here on not looked up among rivals.
        own[at + 21] = 1.0 if seat == state.seat else 0.0
        own[at + 22] = 1.0 if need <= 6 else 0.0
        own[at + 23] = 1.0 if missing == 0 else 0.0
        own[at + 24] = float(10 - total(minus(2 * ONES, me.bonuses))) / 10.0
        own[at + 25] = float(15 - total(minus(3 * ONES, me.bonuses))) / 15.0
        own[at + 26] = float(20 - total(minus(4 * ONES, me.bonuses))) / 20.0
        own[at + 27] = float(clipped(me.tags - rival_tags, 3)) / 3.0
        own[at + 28] = float(total(present(me.tokens))) / 5.0
        own[at + 29] = float(me.reserved) / 3.0
        own[at + 30] = float(TOKEN_LIMIT - held) / 3.0 if held > TOKEN_LIMIT else 0.0
        own[at + 31] = float(within_1) / 6.0
        own[at + 32] = float(within_2) / 8.0
        own[at + 33] = float(within_3) / 10.0
        own[at + 34] = float(best_1) / 5.0
        own[at + 35] = float(best_3) / 5.0
        own[at + 36] = float(best_5) / 5.0
        own[at + 37] = float(free) / 5.0
        own[at + 38] = lasting_points / 8.0
        own[at + 39] = in_hand / 4.0
        own[at + 40] = REACH[hand_distance]
        own[at + 41] = 1.0 - float(second_site) / 8.0
        own[at + 42] = float(total(means)) / 25.0
        own[at + 43] = float(total(state.taken)) / 2.0 if seat == state.seat and state.phase == TAKE else 0.0

    def visits_with(self, state: SplendorState, bonuses: i64) -> i64:
        """The points of the location that these bonuses would earn; one a turn."""
        i: i64 = 0
        while i < state.players:
            site: i64 = state.sites[i]
            if (state.locations >> site) & 1 and minus(NEEDS[site], bonuses) == 0:
                return 3
            i += 1
        return 0


def positive(number: float) -> float:
    return number if number > 0.0 else 0.0


def clipped(number: i64, most: i64) -> i64:
    """Between -most and most."""
    if number > most:
        return most
    return number if number > -most else -most

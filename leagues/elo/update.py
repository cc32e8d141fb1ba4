"""Updates ratings by results, with one class for each kind of table. Compiled by mypyc; the same numbers without it.

Players and scenarios are indices into flat lists. Every change is computed in floating point from whole thousandths and
rounded to them at once, half to even: errors do not add up, and results applied one by one give exactly the same as all
at once.

Every number has a variance. It decides how much a result moves the number (K = q × variance), shrinks with the
information of each result, and grows with the days without a game.

`rate` computes and collects the changes of a table; `close` applies all that were collected. So the tables of a batch
all start from the same numbers, and their order does not matter.

The loops over seats are written for speed: they inline what they could call.
"""

from typing import Final

from leagues.elo.result_types import FIRST_COVARIANCE, FIRST_VARIANCE, GROWTH, LEAST_VARIANCE, SCALE, START
from leagues.elo.tables import BIAS, GAP, GAP_BITS, HIGH, LOW, LOW_BITS, LOW_MASK, TOP

ANCHORED: Final = 200
"""Games after which a bot's rating no longer moves, so that it anchors the scale."""

Q: Final = 0.005756462732485115
"""ln 10 / 400: a variance times this is the K of the number."""
INFORMATION: Final = Q * Q / SCALE
"""q², for a variance in thousandths."""

FIRST: Final = FIRST_VARIANCE
FIRST_TOGETHER: Final = FIRST_COVARIANCE
LEAST: Final = LEAST_VARIANCE
A_DAY: Final = GROWTH

ENTRY_SHARE: Final = 20
"""The share of a newcomer's change by which the rating of newcomers moves."""
ENTRY_GAMES: Final = 10
"""In how many of their first games."""

FIRST_OFFSET: Final = 75 * 75 * SCALE
LEAST_OFFSET: Final = 15 * 15 * SCALE
FIRST_DIFFICULTY: Final = 200 * 200 * SCALE
LEAST_DIFFICULTY: Final = 30 * 30 * SCALE

# Adding and subtracting 3 * 2**51 rounds a floating-point number to the nearest whole one, half to even.
ROUND: Final = 6755399441055744.0


def strength(rating: int) -> float:
    """10 ** (rating / 400 points)."""
    place = rating + BIAS
    if place < 0:
        place = 0
    elif place > TOP:
        place = TOP
    return HIGH[place >> LOW_BITS] * LOW[place & LOW_MASK]


def chance(difference: int) -> float:
    """The chance of winning with a lead of `difference` thousandths."""
    mine = strength(difference)
    return mine / (mine + 1.0)


def gap(variance: int) -> float:
    """The weight of a difference with this variance."""
    return GAP[variance >> GAP_BITS]


def expected(difference: int, variance: int) -> float:
    """The chance of winning with a lead of `difference` thousandths that has this variance."""
    return chance(whole(gap(variance) * difference))


def whole(change: float) -> int:
    return int((change + ROUND) - ROUND)


def mean(total: int, count: int) -> int:
    """To the nearest thousandth, half upwards."""
    return (2 * total + count) // (2 * count)


def table_weight(seats: int) -> float:
    """The weight of a pair where everyone plays against everyone, because the pairs of a table are not independent."""
    return 3.0 / (seats + 1.0)


def seat_k(tables: int) -> float:
    """The K of a seat's offset, in thousandths, after so many tables."""
    return max(1.0, 8.0 / (1.0 + tables / 50.0)) * SCALE


def grown(variance: int, days: int, ceiling: int) -> int:
    """A variance after days without a game."""
    later = variance + A_DAY * days
    if later <= ceiling:
        return later
    return variance if variance > ceiling else ceiling


def learned(variance: int, observed: float, least: int) -> int:
    """A variance after a result with this information."""
    after = whole(variance / (1.0 + INFORMATION * variance * observed))
    return after if after > least else least


class RatingUpdater:
    """The part that all kinds of tables share: players with a rating, its variance and a number of games.

    `entry` is the rating of newcomers, in twentieths of a thousandth. `days` are those up to which variances grew.
    """

    def __init__(self) -> None:
        self.rating: list[int] = []
        self.variance: list[int] = []
        self.games: list[int] = []
        self.days: list[int] = []
        self.bot: list[bool] = []
        self.entry: int = START * ENTRY_SHARE
        # By seat, the variances after the last rated table.
        self.after: list[int] = []
        # The changes since the last `close`, seat by seat.
        self.rated: list[int] = []
        self.moved: list[int] = []
        self.surer: list[int] = []
        self.entered: int = 0

    def join(self, bot: bool, heir_of: int = -1) -> int:
        """Add a player; returns the index. A bot's next version starts with the numbers of the last one."""
        begin = START if bot else mean(self.entry, ENTRY_SHARE)
        if heir_of >= 0 and self.games[heir_of] > 0:
            begin = self.rating[heir_of]
        self.rating.append(begin)
        self.variance.append(FIRST)
        self.games.append(0)
        self.days.append(0)
        self.bot.append(bot)
        return len(self.rating) - 1

    def idle(self, player: int, day: int) -> int:
        """Days since the last game; none for a bot, which does not change."""
        if self.bot[player] or self.games[player] == 0 or day < self.days[player]:
            return 0
        return day - self.days[player]

    def grow(self, player: int, day: int) -> None:
        """Grow the variance up to this day. The tables of a batch are all of the same day."""
        days = day - self.days[player]
        if days > 0 and self.games[player] and not self.bot[player]:
            self.variance[player] = grown(self.variance[player], days, FIRST)
        self.days[player] = day

    def close(self) -> None:
        """Apply the collected changes. A site bot in several seats moves by all of them."""
        rating, variance, games = self.rating, self.variance, self.games
        moved, surer = self.moved, self.surer
        for at, player in enumerate(self.rated):
            rating[player] += moved[at]
            games[player] += 1
            after = variance[player] - surer[at]
            variance[player] = after if after > LEAST else LEAST
        self.entry += self.entered
        self.entered = 0
        self.rated, self.moved, self.surer = [], [], []


class FreeForAll(RatingUpdater):
    """Everyone against everyone: each pair is a game."""

    def __init__(self) -> None:
        super().__init__()
        # By the number of players, then by seat; they always sum to zero.
        self.offsets: list[list[int]] = [[0] * players for players in range(13)]
        self.learned: list[int] = [0] * 13
        # The offsets' changes since the last `close`: the number of players, then the change of each seat.
        self.taught: list[list[int]] = []

    def play(self, who: list[int], ranks: list[int], learn: bool, day: int = 0) -> list[int]:
        """One table that is a batch of its own."""
        moved = self.rate(who, ranks, learn, day)
        self.close()
        return moved

    def rate(self, who: list[int], ranks: list[int], learn: bool, day: int) -> list[int]:
        """Rate one table, players and ranks in the order of the seats; returns the change of each seat's player.

        `learn` says whether the seats' offsets change too.
        """
        gaps, high, low = GAP, HIGH, LOW
        bias, top, gap_bits, low_bits, low_mask = BIAS, TOP, GAP_BITS, LOW_BITS, LOW_MASK
        rating, variance, days = self.rating, self.variance, self.days
        seats = len(who)
        offsets = self.offsets[seats]
        shown: list[int] = []
        unsure: list[int] = []
        for seat, player in enumerate(who):
            if days[player] != day:
                self.grow(player, day)
            shown.append(rating[player] + offsets[seat])
            unsure.append(variance[player])
        beyond = [0.0] * seats
        gathered = [0.0] * seats
        for seat in range(seats - 1):
            number, mine, rank = shown[seat], unsure[seat], ranks[seat]
            total, own = beyond[seat], gathered[seat]
            for other in range(seat + 1, seats):
                theirs, their_rank = unsure[other], ranks[other]
                counts = gaps[(mine + theirs) >> gap_bits]
                place = int((counts * (number - shown[other]) + ROUND) - ROUND) + bias
                if place < 0:
                    place = 0
                elif place > top:
                    place = top
                likely = high[place >> low_bits] * low[place & low_mask]
                likely /= likely + 1.0
                more = counts * ((1.0 if rank < their_rank else 0.5 if rank == their_rank else 0.0) - likely)
                observed = counts * counts * (likely - likely * likely)
                # A result against an opponent with a larger variance counts less.
                if mine < theirs:
                    part = mine / theirs
                    total += part * more
                    own += part * observed
                    beyond[other] -= more
                    gathered[other] += observed
                else:
                    part = theirs / mine
                    total += more
                    own += observed
                    beyond[other] -= part * more
                    gathered[other] += part * observed
            beyond[seat] = total
            gathered[seat] = own
        weight = 3.0 / (seats + 1.0)
        step, information = Q * weight, INFORMATION * weight
        moved: list[int] = []
        afterwards: list[int] = []
        for seat, player in enumerate(who):
            before, games = unsure[seat], self.games[player]
            if games >= ANCHORED and self.bot[player]:
                change, after = 0, before
            else:
                after = int((before / (1.0 + information * before * gathered[seat]) + ROUND) - ROUND)
                if after < LEAST:
                    after = LEAST
                change = int((step * after * beyond[seat] + ROUND) - ROUND)
            moved.append(change)
            afterwards.append(after)
            self.surer.append(before - after)
            if games < ENTRY_GAMES and not self.bot[player]:
                self.entered += change
        self.rated += who
        self.moved += moved
        self.after = afterwards
        if learn:
            k = seat_k(self.learned[seats]) / (seats - 1.0)
            self.taught.append([seats, *[whole(k * beyond[seat]) for seat in range(seats - 1)]])
        return moved

    def close(self) -> None:
        super().close()
        for taught in self.taught:
            seats, rest = taught[0], 0
            offsets = self.offsets[seats]
            for seat in range(seats - 1):
                offsets[seat] += taught[seat + 1]
                rest -= offsets[seat]
            offsets[seats - 1] = rest
            self.learned[seats] += 1
        self.taught = []


class OneVsMany(RatingUpdater):
    """One against a team: a rating for each role, their covariance, and an offset for the size of the team.

    The rating is the mean of the two numbers.
    """

    def __init__(self) -> None:
        super().__init__()
        self.solo: list[int] = []
        self.team: list[int] = []
        self.solo_variance: list[int] = []
        self.team_variance: list[int] = []
        self.covariance: list[int] = []
        self.solo_games: list[int] = []
        # By the number of players at the table.
        self.offsets: list[int] = [0] * 13
        self.offset_variance: list[int] = [FIRST_OFFSET] * 13
        self.learned: list[int] = [0] * 13
        # By seat, after the table that was rated last: the variance of the role not played, and the covariance.
        self.after_other: list[int] = []
        self.after_together: list[int] = []
        # The changes since the last `close`, table by table; the seat that plays alone comes first.
        self.tables: list[int] = []
        self.moved_other: list[int] = []
        self.surer_other: list[int] = []
        self.surer_together: list[int] = []
        self.taught: list[list[int]] = []

    def join(self, bot: bool, heir_of: int = -1) -> int:
        number = super().join(bot, heir_of)
        inherits = heir_of >= 0 and self.games[heir_of] > 0
        self.solo.append(self.solo[heir_of] if inherits else self.rating[number])
        self.team.append(self.team[heir_of] if inherits else self.rating[number])
        self.solo_variance.append(FIRST)
        self.team_variance.append(FIRST)
        self.covariance.append(FIRST_TOGETHER)
        self.solo_games.append(0)
        return number

    def grow(self, player: int, day: int) -> None:
        days = day - self.days[player]
        if days > 0 and self.games[player] and not self.bot[player]:
            self.solo_variance[player] = grown(self.solo_variance[player], days, FIRST)
            self.team_variance[player] = grown(self.team_variance[player], days, FIRST)
            self.covariance[player] = grown(self.covariance[player], days, FIRST_TOGETHER)
        self.days[player] = day

    def play(self, who: list[int], ranks: list[int], learn: bool, day: int = 0) -> list[int]:
        """One table that is a batch of its own."""
        moved = self.rate(who, ranks, learn, day)
        self.close()
        return moved

    def rate(self, who: list[int], ranks: list[int], learn: bool, day: int) -> list[int]:
        """Rate one table; the one who plays alone comes first. Returns each seat's change in the role played, then each
        seat's change in the other role.

        A result in one role also changes the other, as far as the two are correlated.
        """
        days, solo_variance, team_variance = self.days, self.solo_variance, self.team_variance
        many, rank = len(who) - 1, ranks[0]
        against = theirs = 0
        won = 0.0
        # Each hero's result minus a tie; for the one who plays alone the mean of these, negated.
        results = [0.0]
        for seat, player in enumerate(who):
            if days[player] != day:
                self.grow(player, day)
            if seat:
                against += self.team[player]
                theirs += team_variance[player]
                their_rank = ranks[seat]
                result = 0.0 if rank < their_rank else 0.5 if rank == their_rank else 1.0
                won += 1.0 - result
                results.append(result)
        mine, offset = solo_variance[who[0]], self.offset_variance[many + 1]
        counts = GAP[(mine + theirs // (many * many) + offset) >> GAP_BITS]
        likely = chance(whole(counts * (self.solo[who[0]] - mean(against, many) + self.offsets[many + 1])))
        share = 1.0 / many
        beyond = counts * (won * share - likely)
        observed = counts * counts * (likely - likely * likely)
        # For a hero: the share of the result, and its information.
        shared, shared_observed = counts * share, share * share * observed
        moved: list[int] = []
        moved_other: list[int] = []
        afterwards: list[int] = []
        after_other: list[int] = []
        after_together: list[int] = []
        for seat, player in enumerate(who):
            together, games = self.covariance[player], self.games[player]
            if seat:
                played, other = team_variance[player], solo_variance[player]
                part = played / mine if played < mine else 1.0
                more, information = part * shared * (results[seat] - 1.0 + likely), INFORMATION * part * shared_observed
            else:
                played, other = mine, team_variance[player]
                part = played * many / theirs if played * many < theirs else 1.0
                more, information = part * beyond, INFORMATION * part * observed
            if games >= ANCHORED and self.bot[player]:
                change = change_other = 0
                after, other_after, together_after = played, other, together
            else:
                less = 1.0 + information * played
                after = int((played / less + ROUND) - ROUND)
                if after < LEAST:
                    after = LEAST
                together_after = int((together / less + ROUND) - ROUND)
                other_after = int((other - information * together * together / less + ROUND) - ROUND)
                if other_after < LEAST:
                    other_after = LEAST
                change = int((Q * after * more + ROUND) - ROUND)
                change_other = int((Q * together_after * more + ROUND) - ROUND)
            moved.append(change)
            moved_other.append(change_other)
            afterwards.append(after)
            after_other.append(other_after)
            after_together.append(together_after)
            self.surer.append(played - after)
            self.surer_other.append(other - other_after)
            self.surer_together.append(together - together_after)
            if games < ENTRY_GAMES and not self.bot[player]:
                both = self.solo[player] + self.team[player]
                self.entered += mean(both + change + change_other, 2) - mean(both, 2)
        self.rated += who
        self.moved += moved
        self.moved_other += moved_other
        self.after, self.after_other, self.after_together = afterwards, after_other, after_together
        self.tables.append(many + 1)
        if learn:
            after = learned(offset, observed, LEAST_OFFSET)
            self.taught.append([many + 1, whole(Q * after * beyond), offset - after])
        return moved + moved_other

    def close(self) -> None:
        solo, team, games = self.solo, self.team, self.games
        solo_variance, team_variance, covariance = self.solo_variance, self.team_variance, self.covariance
        at = 0
        for seats in self.tables:
            for seat in range(seats):
                player = self.rated[at]
                if seat:
                    team[player] += self.moved[at]
                    solo[player] += self.moved_other[at]
                    team_after = team_variance[player] - self.surer[at]
                    solo_after = solo_variance[player] - self.surer_other[at]
                else:
                    solo[player] += self.moved[at]
                    team[player] += self.moved_other[at]
                    solo_after = solo_variance[player] - self.surer[at]
                    team_after = team_variance[player] - self.surer_other[at]
                    self.solo_games[player] += 1
                solo_variance[player] = solo_after if solo_after > LEAST else LEAST
                team_variance[player] = team_after if team_after > LEAST else LEAST
                covariance[player] -= self.surer_together[at]
                self.rating[player] = (solo[player] + team[player] + 1) >> 1
                games[player] += 1
                at += 1
        self.entry += self.entered
        self.entered = 0
        self.tables, self.rated, self.moved, self.surer = [], [], [], []
        self.moved_other, self.surer_other, self.surer_together = [], [], []
        for taught in self.taught:
            players = taught[0]
            self.offsets[players] += taught[1]
            self.offset_variance[players] = max(LEAST_OFFSET, self.offset_variance[players] - taught[2])
            self.learned[players] += 1
        self.taught = []


class Cooperative(RatingUpdater):
    """A team against a scenario, whose difficulty is a rating on the same scale."""

    def __init__(self) -> None:
        super().__init__()
        self.difficulty: list[int] = []
        self.difficulty_variance: list[int] = []
        self.learned: list[int] = []
        # The scenarios' changes since the last `close`: scenario, change, decrease of its variance.
        self.taught: list[list[int]] = []

    def add_scenario(self, difficulty: int, variance: int = FIRST_DIFFICULTY) -> int:
        """Add a scenario; returns its index."""
        self.difficulty.append(difficulty)
        self.difficulty_variance.append(variance)
        self.learned.append(0)
        return len(self.difficulty) - 1

    def play(self, who: list[int], ranks: list[int], scenario: int, learn: bool, day: int = 0) -> list[int]:
        """One table that is a batch of its own."""
        moved = self.rate(who, ranks, scenario, learn, day)
        self.close()
        return moved

    def rate(self, who: list[int], ranks: list[int], scenario: int, learn: bool, day: int) -> list[int]:
        """Rate one table, rank 1 for those who beat the scenario and 2 for the others; returns the change of each seat.

        The rating of newcomers does not change here: the scenarios would drift with it.
        """
        rating, variance, days = self.rating, self.variance, self.days
        seats = len(who)
        total = theirs = 0
        for player in who:
            if days[player] != day:
                self.grow(player, day)
            total += rating[player]
            theirs += variance[player]
        difficulty = self.difficulty_variance[scenario]
        counts = GAP[(theirs // (seats * seats) + difficulty) >> GAP_BITS]
        likely = chance(whole(counts * (mean(total, seats) - self.difficulty[scenario])))
        observed = counts * counts * (likely - likely * likely)
        share = 1.0 / seats
        step, information = Q * share * counts, INFORMATION * share * share * observed
        beyond = 0.0
        moved: list[int] = []
        afterwards: list[int] = []
        for seat, player in enumerate(who):
            before = variance[player]
            more = (1.0 if ranks[seat] == 1 else 0.0) - likely
            beyond += more
            if self.games[player] >= ANCHORED and self.bot[player]:
                change, after = 0, before
            else:
                after = int((before / (1.0 + information * before) + ROUND) - ROUND)
                if after < LEAST:
                    after = LEAST
                change = int((step * after * more + ROUND) - ROUND)
            moved.append(change)
            afterwards.append(after)
            self.surer.append(before - after)
        self.rated += who
        self.moved += moved
        self.after = afterwards
        if learn:
            after = learned(difficulty, observed, LEAST_DIFFICULTY)
            self.taught.append([scenario, -whole(Q * after * counts * share * beyond), difficulty - after])
        return moved

    def close(self) -> None:
        super().close()
        for taught in self.taught:
            scenario = taught[0]
            self.difficulty[scenario] += taught[1]
            variance = self.difficulty_variance[scenario] - taught[2]
            self.difficulty_variance[scenario] = variance if variance > LEAST_DIFFICULTY else LEAST_DIFFICULTY
            self.learned[scenario] += 1
        self.taught = []

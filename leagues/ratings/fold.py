"""The fold of results into ratings, one class a kind of table. Compiled by mypyc; the same numbers without it.

Players and scenarios are numbers here, and their state lies in flat lists. Every change is computed in floating point
from whole thousandths of a point and rounded to them at once, half to even: nothing can add up to a drift, and one
result after another gives exactly what all of them at once give.
"""

from typing import Final

from leagues.ratings.curve import BIAS, HIGH, K16, K32, LOW, LOW_BITS, LOW_MASK, SETTLED, TOP
from leagues.ratings.kinds import SCALE, START

ANCHORED: Final = 200
"""Games after which a bot's rating stands still: what all others are measured by."""

SEAT_K: Final = 2.0 * SCALE

# Adding and taking away 3 * 2**51 leaves a floating-point number at the nearest whole one, half to even.
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
    """The chance of winning with so many thousandths more than the other side."""
    mine = strength(difference)
    return mine / (mine + 1.0)


def weight(table: list[float], games: int) -> float:
    return table[games if games < SETTLED else SETTLED]


def whole(change: float) -> int:
    return int((change + ROUND) - ROUND)


def mean(total: int, count: int) -> int:
    """To the nearest thousandth, half upwards."""
    return (2 * total + count) // (2 * count)


class Fold:
    """What every kind of table has: players with a rating and a number of games; bots among them become anchors."""

    def __init__(self) -> None:
        self.rating: list[int] = []
        self.games: list[int] = []
        self.bot: list[bool] = []

    def join(self, bot: bool, heir_of: int = -1) -> int:
        """A player who was not here before: their number. A bot's next version begins where the last one stands."""
        inherits = heir_of >= 0 and self.games[heir_of] > 0
        self.rating.append(self.rating[heir_of] if inherits else START)
        self.games.append(0)
        self.bot.append(bot)
        return len(self.rating) - 1

    def step(self, player: int, table: list[float], beyond: float) -> int:
        """How far a player moves who did so much better than expected; an anchor does not."""
        games = self.games[player]
        if self.bot[player] and games >= ANCHORED:
            return 0
        return whole(table[games if games < SETTLED else SETTLED] * beyond)

    def take(self, who: list[int], moved: list[int]) -> None:
        """All seats at once, because a house bot may sit in several: each counts from where the table found it."""
        for seat in range(len(who)):
            player = who[seat]
            self.rating[player] += moved[seat]
            self.games[player] += 1


class FreeForAll(Fold):
    """Everyone against everyone: each pair is a game, and one table is worth one game whatever its size."""

    def __init__(self) -> None:
        super().__init__()
        # By the number of players, then by seat; they always sum to nought.
        self.offsets: list[list[int]] = [[0] * players for players in range(13)]
        self.learned: list[int] = [0] * 13

    def play(self, who: list[int], ranks: list[int], learn: bool) -> list[int]:
        """One table, players and ranks in the order of the seats: by how much each seat moves its player.

        `learn` says whether the seats' offsets learn from it.
        """
        rating, seats = self.rating, len(who)
        offsets = self.offsets[seats]
        strengths = [strength(rating[who[seat]] + offsets[seat]) for seat in range(seats)]
        beyond = [0.0] * seats
        for seat in range(seats - 1):
            mine, rank, total = strengths[seat], ranks[seat], beyond[seat]
            for other in range(seat + 1, seats):
                found = ranks[other]
                actual = 1.0 if rank < found else 0.5 if rank == found else 0.0
                more = actual - mine / (mine + strengths[other])
                total += more
                beyond[other] -= more
            beyond[seat] = total
        others = float(seats - 1)
        moved = [self.step(who[seat], K32, beyond[seat] / others) for seat in range(seats)]
        self.take(who, moved)
        if learn:
            rest = 0
            for seat in range(seats - 1):
                offsets[seat] += whole(SEAT_K * beyond[seat] / others)
                rest -= offsets[seat]
            offsets[seats - 1] = rest
            self.learned[seats] += 1
        return moved


class OneVsMany(Fold):
    """One against a team: a shared skill, what each role adds to it, and an offset for the size of the team."""

    def __init__(self) -> None:
        super().__init__()
        self.solo: list[int] = []
        self.solo_games: list[int] = []
        self.team: list[int] = []
        # By the number of players at the table.
        self.offsets: list[int] = [0] * 13
        self.learned: list[int] = [0] * 13

    def join(self, bot: bool, heir_of: int = -1) -> int:
        inherits = heir_of >= 0 and self.games[heir_of] > 0
        self.solo.append(self.solo[heir_of] if inherits else 0)
        self.team.append(self.team[heir_of] if inherits else 0)
        self.solo_games.append(0)
        return super().join(bot, heir_of)

    def expected(self, who: list[int]) -> float:
        """The chance that the first of these players, alone, beats the others."""
        total = 0
        for player in who[1:]:
            total += self.rating[player] + self.team[player]
        alone = self.rating[who[0]] + self.solo[who[0]]
        return chance(alone - mean(total, len(who) - 1) + self.offsets[len(who)])

    def play(self, who: list[int], ranks: list[int], learn: bool) -> list[int]:
        """One table, whoever plays alone first: by how much each seat moves its player, then its role's part."""
        many = len(who) - 1
        share = float(many)
        expected = self.expected(who)
        beyond = 0.0
        moved, role_moved = [0], [0]
        for seat in range(1, many + 1):
            actual = 1.0 if ranks[0] < ranks[seat] else 0.5 if ranks[0] == ranks[seat] else 0.0
            more = actual - expected
            beyond += more
            player = who[seat]
            moved.append(self.step(player, K16, -more / share))
            role_moved.append(self.role_step(player, self.games[player] - self.solo_games[player], -more / share))
        beyond /= share
        alone = who[0]
        moved[0] = self.step(alone, K16, beyond)
        role_moved[0] = self.role_step(alone, self.solo_games[alone], beyond)
        self.take(who, moved)
        self.solo[alone] += role_moved[0]
        self.solo_games[alone] += 1
        for seat in range(1, many + 1):
            self.team[who[seat]] += role_moved[seat]
        if learn:
            self.offsets[many + 1] += whole(team_k(self.learned[many + 1]) * beyond)
            self.learned[many + 1] += 1
        return moved + role_moved

    def role_step(self, player: int, games: int, beyond: float) -> int:
        if self.bot[player] and self.games[player] >= ANCHORED:
            return 0
        return whole(weight(K16, games) * beyond)


class Cooperative(Fold):
    """A team against a scenario, whose difficulty is a number on the same scale."""

    def __init__(self) -> None:
        super().__init__()
        self.difficulty: list[int] = []
        self.learned: list[int] = []

    def lay(self, difficulty: int) -> int:
        """A scenario that was not here before: its number."""
        self.difficulty.append(difficulty)
        self.learned.append(0)
        return len(self.difficulty) - 1

    def expected(self, who: list[int], scenario: int) -> float:
        total = 0
        for player in who:
            total += self.rating[player]
        return chance(mean(total, len(who)) - self.difficulty[scenario])

    def play(self, who: list[int], ranks: list[int], scenario: int, learn: bool) -> list[int]:
        """One table, rank 1 for those who beat the scenario and 2 for the others: by how much each seat moves."""
        share = float(len(who))
        expected = self.expected(who, scenario)
        beyond = 0.0
        moved = []
        for seat in range(len(who)):
            more = (1.0 if ranks[seat] == 1 else 0.0) - expected
            beyond += more
            moved.append(self.step(who[seat], K32, more / share))
        self.take(who, moved)
        if learn:
            self.difficulty[scenario] -= whole(scenario_k(self.learned[scenario]) * beyond / share)
            self.learned[scenario] += 1
        return moved


def team_k(learned: int) -> float:
    """How much a result moves the offset of a team's size, in thousandths."""
    return SCALE * max(2.0, 32.0 / (1.0 + learned / 25.0))


def scenario_k(learned: int) -> float:
    """How much a result moves the difficulty of a scenario, in thousandths."""
    return SCALE * max(6.0, 96.0 / (1.0 + learned / 10.0))

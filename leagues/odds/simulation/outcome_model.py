"""How a table may end, by the same curve as the ratings.

At a table of two the difference in rating gives the chance. At larger tables places are filled from the top, each by
one of the remaining players in proportion to strength (Plackett-Luce), so that of any two the better one is ahead with
exactly the chance that the ratings expect. One against many, and a team against a scenario, have one chance a table.

A rating is only an estimate. Each simulated season draws everybody's true strength once, from the rating and its
variance: a player who is better than their rating is so in every game. Where all endings are weighed instead, a table's
chances are the mean over all strengths (`blurred`), which is right only for people who play once more.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from math import sqrt
from typing import TypeVar

from leagues.elo.result_types import START
from leagues.elo.result_types import RatingKind as Rated
from leagues.elo.update import chance, mean, strength
from leagues.formats.values import Kind, Place, Seat, Table
from leagues.odds.simulation import unsure_strengths
from leagues.odds.simulation.random_source import RandomSource
from leagues.odds.simulation.values import Estimates, Strengths

Key = TypeVar("Key")


class PlaysAgain(Exception):
    """Somebody of uncertain strength plays twice, so their results are not independent."""


class OutcomeModel:
    def __init__(self, strengths: Strengths, roles: Callable[[int], tuple[str, ...]]) -> None:
        self.known = strengths
        self.roles = roles
        self.together = strengths.kind is Rated.COOPERATIVE
        self.weights = [each.weight for each in strengths.estimates]
        self.seat_factors = {
            (size, int(seat) + 1): strength(offset)
            for (size, seat), offset in strengths.offsets.items()
            if strengths.kind is Rated.FREE_FOR_ALL
        }
        self._integrate = lru_cache(maxsize=None)(unsure_strengths.orders)
        self.begin(None, strengths.estimates[0])

    # -- true strengths

    def begin(self, luck: RandomSource | None, estimates: Estimates | None = None) -> None:
        """Start a new season: draw everybody's true strength, or use the estimates if every ending is weighed."""
        if estimates is None:
            assert luck is not None
            several = len(self.weights) > 1
            estimates = self.known.estimates[luck.choose(self.weights) if several else 0]
        self.estimates = estimates
        self.weighs = luck is not None and luck.weighs
        self.seated: set[object] = set()
        self.rating, self.alone, self.among = estimates.rating, estimates.alone, estimates.among
        self.offsets: Mapping[tuple[int, str], int] = self.known.offsets
        if luck is not None and not luck.weighs:
            self._draw(luck, estimates)
        if self.known.kind is Rated.FREE_FOR_ALL:
            self.strong = {who: strength(rating) for who, rating in self.rating.items()}

    def _draw(self, luck: RandomSource, estimates: Estimates) -> None:
        if self.known.kind is Rated.ONE_VS_MANY:
            self._draw_roles(luck, estimates)
        else:
            self.rating = _drawn(estimates.rating, estimates.variance, luck)
        if self.known.offset_variance:
            self.offsets = _drawn(self.known.offsets, self.known.offset_variance, luck)

    def _draw_roles(self, luck: RandomSource, estimates: Estimates) -> None:
        """Draw both role ratings of a person together, because they are correlated."""
        alone, among = dict(estimates.alone), dict(estimates.among)
        for who, variance in estimates.alone_variance.items():
            shared, own = luck.normal(), luck.normal()
            covariance = estimates.covariance.get(who, 0)
            slope = covariance / variance if variance else 0.0
            left = max(0.0, estimates.among_variance.get(who, 0) - slope * covariance)
            deviation = _deviation(variance)
            alone[who] += round(deviation * shared)
            among[who] += round(slope * deviation * shared + _deviation(left) * own)
        self.alone, self.among = alone, among

    def _once(self, parties: Sequence[tuple[object, int]]) -> None:
        """Raise PlaysAgain for a second table of anybody (or of any offset) whose number is uncertain."""
        for party, variance in parties:
            if variance:
                if party in self.seated:
                    raise PlaysAgain
                self.seated.add(party)

    # -- tables

    def places(
        self, table: Table, absent: Collection[int], luck: RandomSource, *, decisive: bool = False
    ) -> tuple[Place, ...]:
        """Draw the result of a table. `decisive`: a level match is played again, so it cannot end level."""
        if self.is_duel(table, absent):
            return DUEL_PLACES[self.duel(table.seats, luck, decisive=decisive)]
        here = [seat for seat in table.seats if seat.entrant not in absent]
        if len(here) <= 1 and len(here) < len(table.seats):
            return tuple(_unplayed(seat.entrant in absent, bool(here)) for seat in table.seats)
        ranks = dict(zip((seat.entrant for seat in here), self._ranks(here, len(table.seats), luck, decisive)))
        return tuple(
            _PLACES[ranks[seat.entrant]] if seat.entrant in ranks else Place(len(here) + 1, kind=Kind.FL)
            for seat in table.seats
        )

    def is_duel(self, table: Table, absent: Collection[int]) -> bool:
        """Whether two play each other, both are there, and no roles or teams matter."""
        return not absent and len(table.seats) == 2 and self.known.kind is Rated.FREE_FOR_ALL

    def duel(self, seats: Sequence[Seat], luck: RandomSource, *, size: int = 2, decisive: bool = False) -> int:
        """0 if the first wins, 1 if they end level, 2 if the second wins."""
        one, other = seats
        if self.weighs:
            won, level, lost = self._blurred_duel(one, other, size)
            return luck.choose((won, 0.0 if decisive else level, lost))
        mine, theirs = self._strength(one, size), self._strength(other, size)
        expected = mine / (mine + theirs)
        if not self.known.draws:
            return luck.choose((expected, 0.0, 1 - expected))
        won, level, lost = unsure_strengths.with_draws(expected, self.known.draws)
        return luck.choose((won, 0.0 if decisive else level, lost))

    def _blurred_duel(self, one: Seat, other: Seat, size: int) -> tuple[float, float, float]:
        (mine, variance), (theirs, other_variance) = self._estimated(one, size), self._estimated(other, size)
        self._once([(one.entrant, variance), (other.entrant, other_variance)])
        return unsure_strengths.duel(mine - theirs, variance + other_variance, self.known.draws)

    def _ranks(self, seats: Sequence[Seat], size: int, luck: RandomSource, decisive: bool) -> Sequence[int]:
        if self.together or len(seats) == 1:
            return [1] * len(seats)
        if self.known.kind is Rated.ONE_VS_MANY:
            return self._sides(seats, size, luck)
        if len(seats) == 2:
            return _DUEL[self.duel(seats, luck, size=size, decisive=decisive)]
        if self.weighs:
            estimated = [self._estimated(seat, size) for seat in seats]
            if any(variance for _, variance in estimated):
                self._once([(seat.entrant, variance) for seat, (_, variance) in zip(seats, estimated)])
                ways = self._integrate(tuple(estimated))
                return ways[luck.choose([weight for weight, _ in ways])][1]
        return _order([self._strength(seat, size) for seat in seats], luck)

    def _strength(self, seat: Seat, size: int) -> float:
        return self.strong.get(seat.entrant, AVERAGE) * self.seat_factors.get((size, seat.number), 1.0)

    def _estimated(self, seat: Seat, size: int) -> tuple[int, int]:
        """The rating with the seat's offset, and its variance."""
        rating = self.rating.get(seat.entrant, START) + self.offsets.get((size, str(seat.number - 1)), 0)
        return rating, self.estimates.variance.get(seat.entrant, 0)

    def _sides(self, seats: Sequence[Seat], size: int, luck: RandomSource) -> Sequence[int]:
        """The winning side shares the first place, the others the next."""
        usual = self.roles(size)
        alone = [(seat.role or usual[seat.number - 1]) == self.known.solo_role for seat in seats]
        many = [seat.entrant for seat, solo in zip(seats, alone) if not solo]
        one = next((seat.entrant for seat, solo in zip(seats, alone) if solo), None)
        if one is None or not many:
            return [1] * len(seats)
        mine = self.alone.get(one, START)
        theirs = mean(sum(self.among.get(who, START) for who in many), len(many))
        difference = mine - theirs + self.offsets.get((size, ""), 0)
        if self.weighs:
            now = self.estimates
            team = {who: now.among_variance.get(who, 0) for who in many}
            solo, offset = now.alone_variance.get(one, 0), self.known.offset_variance.get((size, ""), 0)
            self._once([*team.items(), (one, solo), (("offset", size), offset)])
            variance = sum(team.values()) / len(many) ** 2 + solo + offset
            wins = unsure_strengths.duel(difference, variance, 0.0)[0]
        else:
            wins = chance(difference)
        solo_won = luck.choose((wins, 1 - wins)) == 0
        return [1 if solo == solo_won else 2 if solo_won else len(many) + 1 for solo in alone]

    def grades(self, tables: Sequence[Table], luck: RandomSource) -> list[tuple[int, ...]]:
        """For cooperative games: which teams beat the scenario, and how well."""
        if self.weighs and (any(self.estimates.variance.values()) or any(self.known.offset_variance.values())):
            # All teams play the same scenario; a strong team is likelier to win, and to win well.
            raise PlaysAgain
        teams = [self._team(table) for table in tables]
        won = [luck.choose((wins, 1 - wins)) == 0 for wins, _ in teams]
        grades: list[tuple[int, ...]] = [()] * len(tables)
        for outcome in (True, False):
            alike = [at for at in range(len(tables)) if won[at] == outcome]
            for at, rank in zip(alike, _order([teams[each][1] for each in alike], luck)):
                grades[at] = (int(outcome), -rank)
        return grades

    def _team(self, table: Table) -> tuple[float, float]:
        """A team's chance against the scenario, and its strength compared with other teams."""
        members, rating = self.known.members, self.rating
        people = sum(members.get(seat.entrant, 1) for seat in table.seats)
        total = sum(rating.get(seat.entrant, START) * members.get(seat.entrant, 1) for seat in table.seats)
        average = mean(total, people)
        return chance(average - self.offsets.get((people, self.known.scenario), START)), strength(average)


AVERAGE = strength(START)
_PLACES = {rank: Place(rank) for rank in range(1, 17)}
_DUEL = ((1, 2), (1, 1), (2, 1))
DUEL_PLACES = tuple((_PLACES[one], _PLACES[other]) for one, other in _DUEL)
"""The places of a duel: first wins, level, second wins."""


def _deviation(variance: float) -> float:
    """In thousandths of a point, from thousandths of a squared point."""
    return sqrt(1000 * variance)


def _drawn(means: Mapping[Key, int], variances: Mapping[Key, int], luck: RandomSource) -> dict[Key, int]:
    """In whole thousandths, so that the last digit of a square root changes nothing."""
    return {
        key: value + round(_deviation(variances[key]) * luck.normal()) if variances.get(key) else value
        for key, value in means.items()
    }


def _order(strengths: Sequence[float], luck: RandomSource) -> list[int]:
    """Draw ranks: each place goes to one of the remaining seats."""
    ranks = [0] * len(strengths)
    left = list(range(len(strengths)))
    for rank in range(1, len(strengths) + 1):
        at = luck.choose([strengths[each] for each in left]) if len(left) > 1 else 0
        ranks[left.pop(at)] = rank
    return ranks


def _unplayed(absent: bool, somebody: bool) -> Place:
    """The places of a table with at most one player, as `leagues.results.recording.forfeits` decides it."""
    if not absent:
        return Place(1, kind=Kind.FW)
    return Place(2 if somebody else 1, kind=Kind.FL)

"""How a table may end, by the curve that ratings are made with.

Two seats win with the chance that their difference gives. At larger tables places are filled from the top, each by
whoever is left in proportion to their strength (Plackett-Luce), so that of any two the better one is ahead with exactly
the chance the ratings expect. One against many, and a team against a scenario, have one chance a table.
"""

from collections.abc import Callable, Collection, Sequence

from leagues.formats.values import Kind, Place, Seat, Table
from leagues.odds.luck import Luck
from leagues.odds.values import Strengths
from leagues.ratings.fold import chance, mean, strength
from leagues.ratings.kinds import SOLO, START
from leagues.ratings.kinds import Kind as Rated


class Oracle:
    def __init__(self, strengths: Strengths, roles: Callable[[int], tuple[str, ...]]) -> None:
        self.known = strengths
        self.roles = roles
        self.together = strengths.kind is Rated.COOPERATIVE
        self._duels: dict[tuple[int, int, int, bool], tuple[float, ...]] = {}
        self._strong: dict[tuple[int, int, int], float] = {}

    def places(self, table: Table, absent: Collection[int], luck: Luck, *, decisive: bool = False) -> tuple[Place, ...]:
        """One way this table ends. `decisive`: level is not an end here, it is played again."""
        if not absent and len(table.seats) == 2 and self.known.kind is Rated.FREE_FOR_ALL:
            return _DUELS[luck.choose(self._duel(table.seats, decisive))]
        here = [seat for seat in table.seats if seat.entrant not in absent]
        if len(here) <= 1 and len(here) < len(table.seats):
            return tuple(_unplayed(seat.entrant in absent, bool(here)) for seat in table.seats)
        ranks = dict(zip((seat.entrant for seat in here), self._ranks(here, len(table.seats), luck, decisive)))
        return tuple(
            _PLACES[ranks[seat.entrant]] if seat.entrant in ranks else Place(len(here) + 1, kind=Kind.FL)
            for seat in table.seats
        )

    def _ranks(self, seats: Sequence[Seat], size: int, luck: Luck, decisive: bool) -> Sequence[int]:
        if self.together or len(seats) == 1:
            return [1] * len(seats)
        if self.known.kind is Rated.ONE_VS_MANY:
            return self._sides(seats, size, luck)
        if len(seats) == size == 2:
            return _DUEL[luck.choose(self._duel(seats, decisive))]
        strengths = [self._strength(seat, size) for seat in seats]
        if len(seats) == 2:
            return _DUEL[luck.choose(self._weighed(strengths[0] / (strengths[0] + strengths[1]), decisive))]
        return _order(strengths, luck)

    def _strength(self, seat: Seat, size: int) -> float:
        key = (seat.entrant, seat.number, size)
        found = self._strong.get(key)
        if found is None:
            offset = self.known.offsets.get((size, str(seat.number - 1)), 0)
            found = self._strong[key] = strength(self.known.rating.get(seat.entrant, START) + offset)
        return found

    def _duel(self, seats: Sequence[Seat], decisive: bool) -> tuple[float, ...]:
        one, other = seats
        key = (one.entrant, one.number, other.entrant, decisive)
        found = self._duels.get(key)
        if found is None:
            mine, theirs = self._strength(one, 2), self._strength(other, 2)
            found = self._duels[key] = self._weighed(mine / (mine + theirs), decisive)
        return found

    def _weighed(self, expected: float, decisive: bool) -> tuple[float, ...]:
        """The expected score stays what the ratings say, however often the game ends level."""
        level = min(self.known.draws, 2 * expected, 2 - 2 * expected)
        won, lost = expected - level / 2, 1 - expected - level / 2
        return won, 0.0 if decisive else level, lost

    def _sides(self, seats: Sequence[Seat], size: int, luck: Luck) -> Sequence[int]:
        """Whoever wins as a side shares the first place, the others the one after."""
        usual = self.roles(size)
        alone = [(seat.role or usual[seat.number - 1]) == SOLO for seat in seats]
        many = [seat.entrant for seat, solo in zip(seats, alone) if not solo]
        one = next((seat.entrant for seat, solo in zip(seats, alone) if solo), None)
        if one is None or not many:
            return [1] * len(seats)
        mine = self.known.alone.get(one, START)
        theirs = mean(sum(self.known.among.get(who, START) for who in many), len(many))
        wins = chance(mine - theirs + self.known.offsets.get((size, ""), 0))
        solo_won = luck.choose((wins, 1 - wins)) == 0
        return [1 if solo == solo_won else 2 if solo_won else len(many) + 1 for solo in alone]

    def grades(self, tables: Sequence[Table], luck: Luck) -> list[tuple[int, ...]]:
        """Where all play together: which teams beat the scenario, and who of those did it better."""
        teams = [self._team(table) for table in tables]
        won = [luck.choose((wins, 1 - wins)) == 0 for wins, _ in teams]
        grades: list[tuple[int, ...]] = [()] * len(tables)
        for outcome in (True, False):
            alike = [at for at in range(len(tables)) if won[at] == outcome]
            for at, rank in zip(alike, _order([teams[each][1] for each in alike], luck)):
                grades[at] = (int(outcome), -rank)
        return grades

    def _team(self, table: Table) -> tuple[float, float]:
        """A team's chance against the scenario, and its strength beside other teams."""
        known = self.known
        people = sum(known.members.get(seat.entrant, 1) for seat in table.seats)
        total = sum(known.rating.get(seat.entrant, START) * known.members.get(seat.entrant, 1) for seat in table.seats)
        rating = mean(total, people)
        return chance(rating - known.offsets.get((people, known.scenario), START)), strength(rating)


_PLACES = {rank: Place(rank) for rank in range(1, 17)}
_DUEL = ((1, 2), (1, 1), (2, 1))
_DUELS = tuple((_PLACES[one], _PLACES[other]) for one, other in _DUEL)


def _order(strengths: Sequence[float], luck: Luck) -> list[int]:
    """Ranks: each place goes to one of those who are left."""
    ranks = [0] * len(strengths)
    left = list(range(len(strengths)))
    for rank in range(1, len(strengths) + 1):
        at = luck.choose([strengths[each] for each in left]) if len(left) > 1 else 0
        ranks[left.pop(at)] = rank
    return ranks


def _unplayed(absent: bool, somebody: bool) -> Place:
    """A table that at most one came to, as `leagues.scoresheet` decides it."""
    if not absent:
        return Place(1, kind=Kind.FW)
    return Place(2 if somebody else 1, kind=Kind.FL)

"""A rating pool in memory: applies results by account and scenario, and returns one entry a seat."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from itertools import groupby
from typing import Any, NamedTuple

from leagues.elo import pool_spread
from leagues.elo.deviation import first_variance, overall
from leagues.elo.pool_spread import Moments, Spread
from leagues.elo.result_types import FIRST_COVARIANCE, FIRST_VARIANCE, START, RatingKind
from leagues.elo.update import ENTRY_SHARE, FIRST_DIFFICULTY, Cooperative, FreeForAll, OneVsMany, mean

MOST_OF_BOTS = 100
"""How many results between bots alone count a day, so that bots do not dominate the pool."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One rated result; `seats` has user, rank, whether they left and role for each seat in order.

    `at` is when it counts. Results with the same `batch` (those of one round of a league) count at the same moment,
    that of the first of them, and none of them sees what another one did.
    """

    id: int
    source: str
    at: datetime
    seats: Sequence[Sequence[Any]]
    scenario: str
    bots_only: bool
    batch: str = ""

    @property
    def together(self) -> str:
        """The key of its batch: results without one are a batch of their own."""
        return self.batch or self.source

    @property
    def order(self) -> tuple[datetime, str, str]:
        return self.at, self.together, self.source

    @property
    def day(self) -> date:
        return self.at.astimezone(UTC).date()


class Entry(NamedTuple):
    """The effect of a fact on one seat: the columns of a rating change."""

    result_id: int
    user_id: int
    at: datetime
    seat: int
    players: int
    role: str
    rank: int
    left: bool
    won: bool
    met_people: int
    took_people: int
    met_bots: int
    took_bots: int
    before: int
    after: int
    games: int
    variance: int
    variance_after: int
    idle_days: int
    entry: int
    offset: int
    offset_games: int
    offset_variance: int
    role_before: int = 0
    role_after: int = 0
    role_games: int = 0
    other_before: int = 0
    other_after: int = 0
    other_variance: int = 0
    other_variance_after: int = 0
    covariance: int = 0
    covariance_after: int = 0


@dataclass(frozen=True, slots=True)
class Numbers:
    """A player's numbers; `day` is that of the last game.

    The last six only where one plays against many: what each role adds, and the variances. `variance` is then that of
    the rating, which follows from theirs.
    """

    rating: int
    games: int
    variance: int = FIRST_VARIANCE
    day: int = 0
    solo: int = 0
    solo_games: int = 0
    team: int = 0
    solo_variance: int = FIRST_VARIANCE
    team_variance: int = FIRST_VARIANCE
    covariance: int = FIRST_COVARIANCE


@dataclass(frozen=True, slots=True)
class Offset:
    """The offset of a seat, of a size of table, or the difficulty of a scenario at a size of table."""

    players: int
    name: str
    value: int
    games: int
    variance: int = 0


def blank(kind: RatingKind) -> FreeForAll | OneVsMany | Cooperative:
    if kind is RatingKind.FREE_FOR_ALL:
        return FreeForAll()
    return OneVsMany() if kind is RatingKind.ONE_VS_MANY else Cooperative()


def batches(facts: Iterable[Fact]) -> Iterator[list[Fact]]:
    """Facts in their order, those of a batch together."""
    for _key, batch in groupby(facts, key=lambda fact: (fact.at, fact.together)):
        yield list(batch)


class PoolState:
    """A pool to which results are applied. `restore` loads the past; without it the pool starts empty.

    `solo_role` is the role that plays alone, where one plays against many.
    """

    def __init__(self, kind: RatingKind, seeds: Mapping[str, int], solo_role: str = "") -> None:
        self.kind = kind
        self.solo_role = solo_role
        self.seeds = seeds
        self.numbers: dict[int, int] = {}
        self.bots: set[int] = set()
        self.earlier_versions: dict[int, Sequence[int]] = {}
        self.scenarios: dict[tuple[int, str], int] = {}
        self.bots_on: tuple[date | None, int] = (None, 0)
        self.updater = blank(kind)
        for key, value in seeds.items():
            players, _, name = key.partition(":")
            if self.kind is not RatingKind.COOPERATIVE:
                self.restore_offset(Offset(int(players), name, value, 0))

    # -- loading and reading

    def register_bots(self, bots: Iterable[int], earlier_versions: Mapping[int, Sequence[int]]) -> None:
        """Register which accounts are bots, and each bot's earlier versions, the latest first."""
        self.bots.update(bots)
        self.earlier_versions.update(earlier_versions)

    def restore(self, user: int, past: Numbers) -> None:
        updater = self.updater
        number = self.numbers[user] = updater.join(user in self.bots)
        updater.rating[number], updater.games[number], updater.days[number] = past.rating, past.games, past.day
        updater.variance[number] = past.variance
        if isinstance(updater, OneVsMany):
            updater.solo[number], updater.solo_games[number] = past.rating + past.solo, past.solo_games
            updater.team[number] = past.rating + past.team
            updater.solo_variance[number], updater.team_variance[number] = past.solo_variance, past.team_variance
            updater.covariance[number] = past.covariance

    def restore_entry(self, entry: int) -> None:
        """The rating of newcomers, in twentieths of a thousandth."""
        self.updater.entry = entry

    def restore_offset(self, offset: Offset) -> None:
        updater = self.updater
        if isinstance(updater, FreeForAll):
            updater.offsets[offset.players][int(offset.name)] = offset.value
            updater.learned[offset.players] = offset.games
        elif isinstance(updater, OneVsMany):
            updater.offsets[offset.players] = offset.value
            updater.learned[offset.players] = offset.games
            if offset.games:
                updater.offset_variance[offset.players] = offset.variance
        else:
            variance = offset.variance if offset.games else FIRST_DIFFICULTY
            number = self.scenarios[offset.players, offset.name] = updater.add_scenario(offset.value, variance)
            updater.learned[number] = offset.games

    @property
    def entry(self) -> int:
        """The rating of newcomers, in thousandths."""
        return mean(self.updater.entry, ENTRY_SHARE)

    def numbers_of(self, user: int) -> Numbers | None:
        """A player's present numbers; None for one who has never played."""
        number = self.numbers.get(user)
        updater = self.updater
        if number is None or not updater.games[number]:
            return None
        rating, games, day = updater.rating[number], updater.games[number], updater.days[number]
        if not isinstance(updater, OneVsMany):
            return Numbers(rating, games, updater.variance[number], day)
        solo, team, together = updater.solo_variance[number], updater.team_variance[number], updater.covariance[number]
        return Numbers(
            rating,
            games,
            overall(solo, team, together),
            day,
            solo=updater.solo[number] - rating,
            solo_games=updater.solo_games[number],
            team=updater.team[number] - rating,
            solo_variance=solo,
            team_variance=team,
            covariance=together,
        )

    def moments(self) -> Moments:
        """The sums from which the spread of all people is estimated."""
        known = (self.numbers_of(user) for user in self.numbers if user not in self.bots)
        first = first_variance(self.kind)
        return pool_spread.changed(
            [], (), (pool_spread.moments(now.rating, now.variance, first) for now in known if now)
        )

    def spread(self) -> Spread:
        """The centre and spread of all people's strengths."""
        return pool_spread.estimate(self.moments(), self.kind)

    def offsets(self) -> Iterator[Offset]:
        """Every offset that results have changed."""
        updater = self.updater
        if isinstance(updater, Cooperative):
            for (players, name), number in self.scenarios.items():
                if games := updater.learned[number]:
                    yield Offset(players, name, updater.difficulty[number], games, updater.difficulty_variance[number])
            return
        for players, games in enumerate(updater.learned):
            if games and isinstance(updater, OneVsMany):
                yield Offset(players, "", updater.offsets[players], games, updater.offset_variance[players])
            elif games and isinstance(updater, FreeForAll):
                for seat, value in enumerate(updater.offsets[players]):
                    yield Offset(players, str(seat), value, games)

    # -- applying results

    def play(self, fact: Fact) -> list[Entry]:
        """Apply one fact that is a batch of its own."""
        return self.play_batch([fact])

    def play_batch(self, facts: Sequence[Fact]) -> list[Entry]:
        """Apply facts that count at the same moment, all from the numbers before it."""
        entries = [entry for fact in facts for entry in self._rate(fact)]
        self.updater.close()
        return entries

    def _rate(self, fact: Fact) -> list[Entry]:
        """The effect of one fact; none for a table of bots beyond the daily limit."""
        if fact.bots_only and not self._room_for_bots(fact):
            return []
        learn = not fact.bots_only and not any(left for _user, _rank, left, _role in fact.seats)
        if self.kind is RatingKind.FREE_FOR_ALL:
            return self._free_for_all(fact, learn)
        if self.kind is RatingKind.ONE_VS_MANY:
            return self._one_vs_many(fact, learn)
        return self._cooperative(fact, learn)

    def _room_for_bots(self, fact: Fact) -> bool:
        day, played = self.bots_on
        self.bots_on = (fact.day, played + 1 if fact.day == day else 1)
        return self.bots_on[1] <= MOST_OF_BOTS

    def _number(self, user: int) -> int:
        number = self.numbers.get(user)
        if number is None:
            known = (self.numbers.get(each, -1) for each in self.earlier_versions.get(user, ()))
            heir_of = next((each for each in known if each >= 0 and self.updater.games[each]), -1)
            number = self.numbers[user] = self.updater.join(user in self.bots, heir_of)
        return number

    def _free_for_all(self, fact: Fact, learn: bool) -> list[Entry]:
        updater = self.updater
        assert isinstance(updater, FreeForAll)
        who = [self._number(seat[0]) for seat in fact.seats]
        players, day = len(who), fact.day.toordinal()
        before = self._before(who, day)
        moved = updater.rate(who, [seat[1] for seat in fact.seats], learn, day)
        return [
            self._entry(
                fact,
                seat,
                [other for other in range(players) if other != seat],
                after=before[seat]["before"] + moved[seat],
                variance_after=updater.after[seat],
                offset=updater.offsets[players][seat],
                offset_games=updater.learned[players],
                offset_variance=0,
                **before[seat],
            )
            for seat in range(players)
        ]

    def _one_vs_many(self, fact: Fact, learn: bool) -> list[Entry]:
        updater = self.updater
        assert isinstance(updater, OneVsMany)
        alone = next(place for place, seat in enumerate(fact.seats) if seat[3] == self.solo_role)
        team = [place for place in range(len(fact.seats)) if place != alone]
        order = [alone, *team]
        who = [self._number(fact.seats[place][0]) for place in order]
        players, day = len(who), fact.day.toordinal()
        before = self._before(who, day)
        for place, number in enumerate(who):
            before[place] |= self._roles_before(updater, number, alone=place == 0)
        moved = updater.rate(who, [fact.seats[place][1] for place in order], learn, day)
        entries = []
        for place, seat in enumerate(order):
            was = before[place]
            role = was["before"] + was["role_before"] + moved[place]
            other = was["before"] + was["other_before"] + moved[players + place]
            after = mean(role + other, 2)
            entries.append(
                self._entry(
                    fact,
                    seat,
                    team if seat == alone else [alone],
                    after=after,
                    role_after=role - after,
                    other_after=other - after,
                    variance_after=updater.after[place],
                    other_variance_after=updater.after_other[place],
                    covariance_after=updater.after_together[place],
                    offset=updater.offsets[players],
                    offset_games=updater.learned[players],
                    offset_variance=updater.offset_variance[players],
                    **was,
                )
            )
        return sorted(entries, key=lambda entry: entry.seat)

    @staticmethod
    def _roles_before(updater: OneVsMany, number: int, *, alone: bool) -> dict[str, int]:
        rating, solo_games = updater.rating[number], updater.solo_games[number]
        adds = (updater.solo[number] - rating, updater.team[number] - rating)
        variances = (updater.solo_variance[number], updater.team_variance[number])
        played, other = (0, 1) if alone else (1, 0)
        return {
            "role_before": adds[played],
            "other_before": adds[other],
            "variance": variances[played],
            "other_variance": variances[other],
            "covariance": updater.covariance[number],
            "role_games": solo_games if alone else updater.games[number] - solo_games,
        }

    def _cooperative(self, fact: Fact, learn: bool) -> list[Entry]:
        updater = self.updater
        assert isinstance(updater, Cooperative)
        who = [self._number(seat[0]) for seat in fact.seats]
        scenario, day = self._scenario(len(who), fact.scenario), fact.day.toordinal()
        before = self._before(who, day)
        moved = updater.rate(who, [seat[1] for seat in fact.seats], scenario, learn, day)
        return [
            self._entry(
                fact,
                seat,
                [],
                after=before[seat]["before"] + moved[seat],
                variance_after=updater.after[seat],
                offset=updater.difficulty[scenario],
                offset_games=updater.learned[scenario],
                offset_variance=updater.difficulty_variance[scenario],
                **before[seat],
            )
            for seat in range(len(who))
        ]

    def _scenario(self, players: int, name: str) -> int:
        number = self.scenarios.get((players, name))
        if number is None:
            assert isinstance(self.updater, Cooperative)
            # With a club's own cards ("hero+1a2b3c4d") it starts where the same scenario with the usual cards does.
            usual = name.partition("+")[0]
            number = self.updater.add_scenario(self.seeds.get(f"{players}:{usual}", START))
            self.scenarios[players, name] = number
        return number

    def _before(self, who: Sequence[int], day: int) -> list[dict[str, int]]:
        """The numbers of these players before a table of this day; variances as after their last game."""
        updater = self.updater
        return [
            {
                "before": updater.rating[number],
                "games": updater.games[number],
                "variance": updater.variance[number],
                "idle_days": updater.idle(number, day),
                "entry": updater.entry,
            }
            for number in who
        ]

    def _entry(self, fact: Fact, place: int, against: Sequence[int], **numbers: int) -> Entry:
        user, rank, left, role_name = fact.seats[place]
        met, took = [0, 0], [0, 0]
        for other in against:
            kind = fact.seats[other][0] in self.bots
            met[kind] += 1
            took[kind] += (rank <= fact.seats[other][1]) + (rank < fact.seats[other][1])
        return Entry(
            result_id=fact.id,
            user_id=user,
            at=fact.at,
            seat=place,
            players=len(fact.seats),
            role=role_name,
            rank=rank,
            left=left,
            won=rank == 1 and not left,
            met_people=met[0],
            took_people=took[0],
            met_bots=met[1],
            took_bots=took[1],
            **numbers,
        )

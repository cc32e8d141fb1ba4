"""Accounts and scenarios around the fold: facts in, one entry a seat out."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from itertools import groupby
from typing import Any, NamedTuple

from leagues.ratings import spread
from leagues.ratings.deviation import first_variance, overall
from leagues.ratings.fold import ENTRY_SHARE, FIRST_DIFFICULTY, Cooperative, FreeForAll, OneVsMany, mean
from leagues.ratings.kinds import FIRST_COVARIANCE, FIRST_VARIANCE, SOLO, START, Kind
from leagues.ratings.spread import Moments, Spread

MOST_OF_BOTS = 100
"""Results a day in which only bots took part that count: a machine must not drown the pool."""


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
        """What it is folded together with: its batch, or only itself."""
        return self.batch or self.source

    @property
    def order(self) -> tuple[datetime, str, str]:
        return self.at, self.together, self.source

    @property
    def day(self) -> date:
        return self.at.astimezone(UTC).date()


class Entry(NamedTuple):
    """What a fact did in one seat: the columns of a rating change."""

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
    """Where a player stands; `day` is that of the last game.

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


def blank(kind: Kind) -> FreeForAll | OneVsMany | Cooperative:
    if kind is Kind.FREE_FOR_ALL:
        return FreeForAll()
    return OneVsMany() if kind is Kind.ONE_VS_MANY else Cooperative()


def batches(facts: Iterable[Fact]) -> Iterator[list[Fact]]:
    """Facts in their order, those of a batch together."""
    for _key, batch in groupby(facts, key=lambda fact: (fact.at, fact.together)):
        yield list(batch)


class Book:
    """A pool while it is being folded. Give it the past by `restore`, or nothing to begin at the beginning."""

    def __init__(self, kind: Kind, seeds: Mapping[str, int]) -> None:
        self.kind = kind
        self.seeds = seeds
        self.numbers: dict[int, int] = {}
        self.bots: set[int] = set()
        self.forebears: dict[int, Sequence[int]] = {}
        self.scenarios: dict[tuple[int, str], int] = {}
        self.bots_on: tuple[date | None, int] = (None, 0)
        self.fold = blank(kind)
        for key, value in seeds.items():
            players, _, name = key.partition(":")
            if self.kind is not Kind.COOPERATIVE:
                self.restore_offset(Offset(int(players), name, value, 0))

    # -- who and what is known

    def meet(self, bots: Iterable[int], forebears: Mapping[int, Sequence[int]]) -> None:
        """Which accounts are bots, and of which earlier versions, the latest first, a bot is the next."""
        self.bots.update(bots)
        self.forebears.update(forebears)

    def restore(self, user: int, past: Numbers) -> None:
        fold = self.fold
        number = self.numbers[user] = fold.join(user in self.bots)
        fold.rating[number], fold.games[number], fold.days[number] = past.rating, past.games, past.day
        fold.variance[number] = past.variance
        if isinstance(fold, OneVsMany):
            fold.solo[number], fold.solo_games[number] = past.rating + past.solo, past.solo_games
            fold.team[number] = past.rating + past.team
            fold.solo_variance[number], fold.team_variance[number] = past.solo_variance, past.team_variance
            fold.covariance[number] = past.covariance

    def restore_entry(self, entry: int) -> None:
        """Where people begin, in twentieths of a thousandth."""
        self.fold.entry = entry

    def restore_offset(self, offset: Offset) -> None:
        fold = self.fold
        if isinstance(fold, FreeForAll):
            fold.offsets[offset.players][int(offset.name)] = offset.value
            fold.learned[offset.players] = offset.games
        elif isinstance(fold, OneVsMany):
            fold.offsets[offset.players] = offset.value
            fold.learned[offset.players] = offset.games
            if offset.games:
                fold.offset_variance[offset.players] = offset.variance
        else:
            variance = offset.variance if offset.games else FIRST_DIFFICULTY
            number = self.scenarios[offset.players, offset.name] = fold.lay(offset.value, variance)
            fold.learned[number] = offset.games

    @property
    def entry(self) -> int:
        """Where people begin, in thousandths."""
        return mean(self.fold.entry, ENTRY_SHARE)

    def standing(self, user: int) -> Numbers | None:
        """Where a player stands now; None for somebody who has never played."""
        number = self.numbers.get(user)
        fold = self.fold
        if number is None or not fold.games[number]:
            return None
        rating, games, day = fold.rating[number], fold.games[number], fold.days[number]
        if not isinstance(fold, OneVsMany):
            return Numbers(rating, games, fold.variance[number], day)
        solo, team, together = fold.solo_variance[number], fold.team_variance[number], fold.covariance[number]
        return Numbers(
            rating,
            games,
            overall(solo, team, together),
            day,
            solo=fold.solo[number] - rating,
            solo_games=fold.solo_games[number],
            team=fold.team[number] - rating,
            solo_variance=solo,
            team_variance=team,
            covariance=together,
        )

    def moments(self) -> Moments:
        """What the spread of all people is estimated from."""
        known = (self.standing(user) for user in self.numbers if user not in self.bots)
        first = first_variance(self.kind)
        return spread.changed([], (), (spread.moments(now.rating, now.variance, first) for now in known if now))

    def spread(self) -> Spread:
        """Around which number people stand, and by how much their true strengths spread."""
        return spread.estimate(self.moments(), self.kind)

    def offsets(self) -> Iterator[Offset]:
        """Every offset that has been learned from something."""
        fold = self.fold
        if isinstance(fold, Cooperative):
            for (players, name), number in self.scenarios.items():
                if games := fold.learned[number]:
                    yield Offset(players, name, fold.difficulty[number], games, fold.difficulty_variance[number])
            return
        for players, games in enumerate(fold.learned):
            if games and isinstance(fold, OneVsMany):
                yield Offset(players, "", fold.offsets[players], games, fold.offset_variance[players])
            elif games and isinstance(fold, FreeForAll):
                for seat, value in enumerate(fold.offsets[players]):
                    yield Offset(players, str(seat), value, games)

    # -- the fold itself

    def play(self, fact: Fact) -> list[Entry]:
        """Fold one fact that is a batch of its own."""
        return self.play_batch([fact])

    def play_batch(self, facts: Sequence[Fact]) -> list[Entry]:
        """Fold facts that count at the same moment, all from the numbers that stood before it."""
        entries = [entry for fact in facts for entry in self._rate(fact)]
        self.fold.close()
        return entries

    def _rate(self, fact: Fact) -> list[Entry]:
        """What one fact does; nothing comes of a table of bots beyond the day's measure."""
        if fact.bots_only and not self._room_for_bots(fact):
            return []
        learn = not fact.bots_only and not any(left for _user, _rank, left, _role in fact.seats)
        if self.kind is Kind.FREE_FOR_ALL:
            return self._free_for_all(fact, learn)
        if self.kind is Kind.ONE_VS_MANY:
            return self._one_vs_many(fact, learn)
        return self._cooperative(fact, learn)

    def _room_for_bots(self, fact: Fact) -> bool:
        day, played = self.bots_on
        self.bots_on = (fact.day, played + 1 if fact.day == day else 1)
        return self.bots_on[1] <= MOST_OF_BOTS

    def _number(self, user: int) -> int:
        number = self.numbers.get(user)
        if number is None:
            known = (self.numbers.get(each, -1) for each in self.forebears.get(user, ()))
            heir_of = next((each for each in known if each >= 0 and self.fold.games[each]), -1)
            number = self.numbers[user] = self.fold.join(user in self.bots, heir_of)
        return number

    def _free_for_all(self, fact: Fact, learn: bool) -> list[Entry]:
        fold = self.fold
        assert isinstance(fold, FreeForAll)
        who = [self._number(seat[0]) for seat in fact.seats]
        players, day = len(who), fact.day.toordinal()
        before = self._before(who, day)
        moved = fold.rate(who, [seat[1] for seat in fact.seats], learn, day)
        return [
            self._entry(
                fact,
                seat,
                [other for other in range(players) if other != seat],
                after=before[seat]["before"] + moved[seat],
                variance_after=fold.after[seat],
                offset=fold.offsets[players][seat],
                offset_games=fold.learned[players],
                offset_variance=0,
                **before[seat],
            )
            for seat in range(players)
        ]

    def _one_vs_many(self, fact: Fact, learn: bool) -> list[Entry]:
        fold = self.fold
        assert isinstance(fold, OneVsMany)
        alone = next(place for place, seat in enumerate(fact.seats) if seat[3] == SOLO)
        team = [place for place in range(len(fact.seats)) if place != alone]
        order = [alone, *team]
        who = [self._number(fact.seats[place][0]) for place in order]
        players, day = len(who), fact.day.toordinal()
        before = self._before(who, day)
        for place, number in enumerate(who):
            before[place] |= self._roles_before(fold, number, alone=place == 0)
        moved = fold.rate(who, [fact.seats[place][1] for place in order], learn, day)
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
                    variance_after=fold.after[place],
                    other_variance_after=fold.after_other[place],
                    covariance_after=fold.after_together[place],
                    offset=fold.offsets[players],
                    offset_games=fold.learned[players],
                    offset_variance=fold.offset_variance[players],
                    **was,
                )
            )
        return sorted(entries, key=lambda entry: entry.seat)

    @staticmethod
    def _roles_before(fold: OneVsMany, number: int, *, alone: bool) -> dict[str, int]:
        rating, solo_games = fold.rating[number], fold.solo_games[number]
        adds = (fold.solo[number] - rating, fold.team[number] - rating)
        variances = (fold.solo_variance[number], fold.team_variance[number])
        played, other = (0, 1) if alone else (1, 0)
        return {
            "role_before": adds[played],
            "other_before": adds[other],
            "variance": variances[played],
            "other_variance": variances[other],
            "covariance": fold.covariance[number],
            "role_games": solo_games if alone else fold.games[number] - solo_games,
        }

    def _cooperative(self, fact: Fact, learn: bool) -> list[Entry]:
        fold = self.fold
        assert isinstance(fold, Cooperative)
        who = [self._number(seat[0]) for seat in fact.seats]
        scenario, day = self._scenario(len(who), fact.scenario), fact.day.toordinal()
        before = self._before(who, day)
        moved = fold.rate(who, [seat[1] for seat in fact.seats], scenario, learn, day)
        return [
            self._entry(
                fact,
                seat,
                [],
                after=before[seat]["before"] + moved[seat],
                variance_after=fold.after[seat],
                offset=fold.difficulty[scenario],
                offset_games=fold.learned[scenario],
                offset_variance=fold.difficulty_variance[scenario],
                **before[seat],
            )
            for seat in range(len(who))
        ]

    def _scenario(self, players: int, name: str) -> int:
        number = self.scenarios.get((players, name))
        if number is None:
            assert isinstance(self.fold, Cooperative)
            number = self.fold.lay(self.seeds.get(f"{players}:{name}", START))
            self.scenarios[players, name] = number
        return number

    def _before(self, who: Sequence[int], day: int) -> list[dict[str, int]]:
        """Where each of these players stands before a table of this day; the variance as the last game left it."""
        fold = self.fold
        return [
            {
                "before": fold.rating[number],
                "games": fold.games[number],
                "variance": fold.variance[number],
                "idle_days": fold.idle(number, day),
                "entry": fold.entry,
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

"""Accounts and scenarios around the fold: facts in, one entry a seat out."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, NamedTuple

from leagues.ratings.fold import Cooperative, FreeForAll, OneVsMany
from leagues.ratings.kinds import SOLO, START, Kind

MOST_OF_BOTS = 100
"""Results a day in which only bots took part that count: a machine must not drown the pool."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One rated result; `seats` has user, rank, whether they left and role for each seat in order."""

    id: int
    source: str
    at: datetime
    seats: Sequence[Sequence[Any]]
    scenario: str
    bots_only: bool

    @property
    def order(self) -> tuple[datetime, str]:
        return self.at, self.source

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
    role_before: int = 0
    role_after: int = 0
    role_games: int = 0
    offset: int = 0
    offset_games: int = 0


@dataclass(frozen=True, slots=True)
class Numbers:
    """Where a player stands; the last three only where one plays against many."""

    rating: int
    games: int
    solo: int = 0
    solo_games: int = 0
    team: int = 0


@dataclass(frozen=True, slots=True)
class Offset:
    """The offset of a seat, of a size of table, or the difficulty of a scenario at a size of table."""

    players: int
    name: str
    value: int
    games: int


def blank(kind: Kind) -> FreeForAll | OneVsMany | Cooperative:
    if kind is Kind.FREE_FOR_ALL:
        return FreeForAll()
    return OneVsMany() if kind is Kind.ONE_VS_MANY else Cooperative()


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
        number = self.numbers[user] = self.fold.join(user in self.bots)
        self.fold.rating[number], self.fold.games[number] = past.rating, past.games
        if isinstance(self.fold, OneVsMany):
            self.fold.solo[number], self.fold.solo_games[number] = past.solo, past.solo_games
            self.fold.team[number] = past.team

    def restore_offset(self, offset: Offset) -> None:
        fold = self.fold
        if isinstance(fold, FreeForAll):
            fold.offsets[offset.players][int(offset.name)] = offset.value
            fold.learned[offset.players] = offset.games
        elif isinstance(fold, OneVsMany):
            fold.offsets[offset.players] = offset.value
            fold.learned[offset.players] = offset.games
        else:
            number = self.scenarios[offset.players, offset.name] = fold.lay(offset.value)
            fold.learned[number] = offset.games

    def standing(self, user: int) -> Numbers | None:
        """Where a player stands now; None for somebody who has never played."""
        number = self.numbers.get(user)
        if number is None or not self.fold.games[number]:
            return None
        rating, games = self.fold.rating[number], self.fold.games[number]
        if isinstance(self.fold, OneVsMany):
            fold = self.fold
            return Numbers(rating, games, fold.solo[number], fold.solo_games[number], fold.team[number])
        return Numbers(rating, games)

    def offsets(self) -> Iterator[Offset]:
        """Every offset that has been learned from something."""
        fold = self.fold
        if isinstance(fold, Cooperative):
            for (players, name), number in self.scenarios.items():
                if fold.learned[number]:
                    yield Offset(players, name, fold.difficulty[number], fold.learned[number])
            return
        for players, games in enumerate(fold.learned):
            if games and isinstance(fold, OneVsMany):
                yield Offset(players, "", fold.offsets[players], games)
            elif games and isinstance(fold, FreeForAll):
                for seat, value in enumerate(fold.offsets[players]):
                    yield Offset(players, str(seat), value, games)

    # -- the fold itself

    def play(self, fact: Fact) -> list[Entry]:
        """Fold one fact; nothing comes of a table of bots beyond the day's measure."""
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
        players = len(who)
        before = [(fold.rating[number], fold.games[number]) for number in who]
        offsets, learned = list(fold.offsets[players]), fold.learned[players]
        moved = fold.play(who, [seat[1] for seat in fact.seats], learn)
        return [
            self._entry(
                fact,
                seat,
                [other for other in range(players) if other != seat],
                before=before[seat],
                moved=moved[seat],
                offset=(offsets[seat], learned),
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
        before = [(fold.rating[number], fold.games[number]) for number in who]
        roles = [(fold.team[number], fold.games[number] - fold.solo_games[number]) for number in who]
        roles[0] = (fold.solo[who[0]], fold.solo_games[who[0]])
        offset = (fold.offsets[len(who)], fold.learned[len(who)])
        moved = fold.play(who, [fact.seats[place][1] for place in order], learn)
        entries = [
            self._entry(
                fact,
                seat,
                team if seat == alone else [alone],
                before=before[place],
                moved=moved[place],
                offset=offset,
                role=(*roles[place], moved[len(who) + place]),
            )
            for place, seat in enumerate(order)
        ]
        return sorted(entries, key=lambda entry: entry.seat)

    def _cooperative(self, fact: Fact, learn: bool) -> list[Entry]:
        fold = self.fold
        assert isinstance(fold, Cooperative)
        who = [self._number(seat[0]) for seat in fact.seats]
        scenario = self._scenario(len(who), fact.scenario)
        before = [(fold.rating[number], fold.games[number]) for number in who]
        offset = (fold.difficulty[scenario], fold.learned[scenario])
        moved = fold.play(who, [seat[1] for seat in fact.seats], scenario, learn)
        return [
            self._entry(fact, seat, [], before=before[seat], moved=moved[seat], offset=offset)
            for seat in range(len(who))
        ]

    def _scenario(self, players: int, name: str) -> int:
        number = self.scenarios.get((players, name))
        if number is None:
            assert isinstance(self.fold, Cooperative)
            number = self.fold.lay(self.seeds.get(f"{players}:{name}", START))
            self.scenarios[players, name] = number
        return number

    def _entry(
        self,
        fact: Fact,
        place: int,
        against: Sequence[int],
        *,
        before: tuple[int, int],
        moved: int,
        offset: tuple[int, int],
        role: tuple[int, int, int] = (0, 0, 0),
    ) -> Entry:
        user, rank, left, role_name = fact.seats[place]
        met, took = [0, 0], [0, 0]
        for other in against:
            kind = fact.seats[other][0] in self.bots
            met[kind] += 1
            took[kind] += (rank <= fact.seats[other][1]) + (rank < fact.seats[other][1])
        return Entry(
            fact.id,
            user,
            fact.at,
            place,
            len(fact.seats),
            role_name,
            rank,
            left,
            rank == 1 and not left,
            met[0],
            took[0],
            met[1],
            took[1],
            before[0],
            before[0] + moved,
            before[1],
            role[0],
            role[0] + role[2],
            role[1],
            *offset,
        )

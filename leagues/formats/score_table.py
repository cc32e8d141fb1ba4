"""Every entrant's games, score, opponents, seats and roles, computed once from the history. All formats use it."""

from collections.abc import Iterable
from copy import copy
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import NamedTuple

from leagues.formats.editions import CURRENT, Edition
from leagues.formats.points import NORMAL, Scheme, points, unplayed
from leagues.formats.values import Bye, Entrant, History, Kind, Place, Round, Table, TableState


class Game(NamedTuple):
    """One entrant's round. `others` are the opponents it counts as played against; `seat` indexes `table.seats`.

    `took` is the result against each of them, in halves: 2 placed ahead, 1 level, 0 behind.
    """

    round: int
    kind: Kind
    points: int
    others: tuple[int, ...] = ()
    took: tuple[int, ...] = ()
    table: Table | None = None
    seat: int = 0


class SeatingHistory:
    """Who sat where with whom, in which role. All tables count that were not voided, open ones too.

    The players of an open game must not be drawn again; those of a forfeited game have not met, and did not use their
    seats.
    """

    def __init__(self, history: History) -> None:
        everybody = [entrant.id for entrant in history.entrants]
        self.met: dict[int, dict[int, int]] = {who: {} for who in everybody}
        self.seats: dict[int, dict[int, int]] = {who: {} for who in everybody}
        self.roles: dict[int, dict[str, int]] = {who: {} for who in everybody}
        self.last_seat: dict[int, int] = {}
        self.seat_streak: dict[int, int] = {}
        """How many games in a row somebody has had their last seat."""
        self.last_role: dict[tuple[int, str], int] = {}
        for each in history.rounds:
            self._sit_down(each)

    def followed_by(self, each: Round) -> "SeatingHistory":
        """With one more round."""
        other = copy(self)
        other.met = {who: dict(met) for who, met in self.met.items()}
        other.seats = {who: dict(seats) for who, seats in self.seats.items()}
        other.roles = {who: dict(roles) for who, roles in self.roles.items()}
        other.last_seat = dict(self.last_seat)
        other.seat_streak = dict(self.seat_streak)
        other.last_role = dict(self.last_role)
        other._sit_down(each)
        return other

    def _sit_down(self, each: Round) -> None:
        for table in each.tables:
            if table.state is not TableState.VOID:
                self._remember(table, each.number)

    def _remember(self, table: Table, number: int) -> None:
        sitting = list(table.seats)
        if table.places:
            sitting = [seat for seat, place in zip(table.seats, table.places) if place.kind is Kind.PLAYED]
        for seat in sitting:
            who = seat.entrant
            seats = self.seats[who]
            seats[seat.number] = seats.get(seat.number, 0) + 1
            again = self.last_seat.get(who) == seat.number
            self.seat_streak[who] = self.seat_streak[who] + 1 if again else 1
            self.last_seat[who] = seat.number
            if seat.role:
                roles = self.roles[who]
                roles[seat.role] = roles.get(seat.role, 0) + 1
                self.last_role[who, seat.role] = number
            met = self.met[who]
            for other in sitting:
                if other.entrant != who:
                    met[other.entrant] = met.get(other.entrant, 0) + 1


class ScoreTable:
    """The scores of a history under a points scheme. Only confirmed tables count.

    In a round robin a forfeited game counts as played, and the free round of an odd field gives nothing. `edition`
    says by which rules tie-breaks count rounds without a game.
    """

    def __init__(
        self,
        history: History,
        scheme: Scheme = NORMAL,
        *,
        round_robin: bool = False,
        edition: Edition = CURRENT,
    ) -> None:
        self.history = history
        self.scheme = scheme
        self.round_robin = round_robin
        self.edition = edition
        self._before: ScoreTable | None = None
        self.entrants: dict[int, Entrant] = {entrant.id: entrant for entrant in history.entrants}
        self.games: dict[int, list[Game]] = {who: [] for who in self.entrants}
        for each in history.rounds:
            self._read(each)
        self.score: dict[int, int] = self._scores()

    @cached_property
    def company(self) -> SeatingHistory:
        before, self._before = self._before, None
        return before.company.followed_by(self.history.rounds[-1]) if before else SeatingHistory(self.history)

    def followed_by(self, each: Round) -> "ScoreTable":
        """The score table after one more round: the same as for the longer history."""
        other = copy(self)
        other.history = replace(self.history, rounds=(*self.history.rounds, each))
        other.games = {who: list(games) for who, games in self.games.items()}
        other._read(each)
        other.score = other._scores()
        other.__dict__.pop("company", None)
        other._before = self
        return other

    def with_games(self, games: dict[int, list[Game]]) -> "ScoreTable":
        """The same entrants and rules with other games, for simulations."""
        other = copy(self)
        other.__dict__.pop("company", None)
        other._before = None
        other.games = games
        other.score = other._scores()
        return other

    def _scores(self) -> dict[int, int]:
        total = self.scheme.total
        return {who: total([game.points for game in games]) for who, games in self.games.items()}

    def dropped_rounds(self, who: int) -> set[int]:
        """The rounds that do not count, where only the best of everybody do."""
        games = self.games[who]
        return {games[at].round for at in self.scheme.dropped([game.points for game in games])}

    def _read(self, each: Round) -> None:
        absent = dict.fromkeys(self.entrants)
        for table in each.tables:
            for seat in table.seats:
                absent.pop(seat.entrant, None)
            if table.counts:
                self._count(table, each.number)
        for bye in each.byes:
            absent.pop(bye.entrant, None)
            self._bye(bye, each.number)
        for who in absent:
            away = self.entrants[who].absence(each.number)
            if away is not None:
                self._bye(Bye(who, away), each.number)

    def _bye(self, bye: Bye, number: int) -> None:
        # In an odd round robin everybody is free once. It gives no points, or leaving early would be an advantage.
        free = self.round_robin and bye.kind is Kind.PAB
        self.games[bye.entrant].append(Game(number, bye.kind, 0 if free else unplayed(self.scheme, bye.kind)))

    def _count(self, table: Table, number: int) -> None:
        ranks = tuple([place.rank for place in table.places])
        entrants = tuple([seat.entrant for seat in table.seats])
        worth = points(self.scheme, ranks)
        if self.scheme.sides or any(place.kind is not Kind.PLAYED for place in table.places):
            self._count_uneven(table, number, entrants, worth)
            return
        took = _takes(ranks)
        for index, who in enumerate(entrants):
            others = entrants[:index] + entrants[index + 1 :]
            self.games[who].append(Game(number, Kind.PLAYED, worth[index], others, took[index], table, index))

    def _count_uneven(self, table: Table, number: int, entrants: tuple[int, ...], worth: tuple[int, ...]) -> None:
        """A table with forfeits, or of two sides: not everybody there is an opponent."""
        seats, places = table.seats, table.places
        for index, own in enumerate(places):
            kind = own.kind
            faced = [
                at
                for at, place in enumerate(places)
                if at != index
                and (self.round_robin or (kind is Kind.PLAYED and place.kind is Kind.PLAYED))
                and not (self.scheme.sides and seats[at].role == seats[index].role)
            ]
            alone = kind is Kind.PLAYED and not any(
                place.kind is Kind.PLAYED for at, place in enumerate(places) if at != index
            )
            if alone and len(places) > 1:
                kind = Kind.FW
            gained = worth[index] if kind is Kind.PLAYED else unplayed(self.scheme, kind)
            others = tuple([entrants[at] for at in faced])
            took = tuple([_took(own, places[at]) for at in faced])
            self.games[entrants[index]].append(Game(number, kind, gained, others, took, table, index))

    def unplayed_rounds(self, who: int) -> int:
        return sum(game.kind is not Kind.PLAYED for game in self.games[who])

    def had(self, who: int, kinds: Iterable[Kind]) -> bool:
        return any(game.kind in kinds for game in self.games[who])

    def order(self, who: Iterable[int]) -> list[int]:
        """By score, then seed: the order in which a round is drawn."""
        return sorted(who, key=lambda each: (-self.score[each], self.entrants[each].seed))


def _took(own: Place, other: Place) -> int:
    if own.kind is Kind.FL:
        return 0
    if other.kind is Kind.FL or own.rank < other.rank:
        return 2
    return 1 if own.rank == other.rank else 0


@lru_cache(maxsize=4096)
def _takes(ranks: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    return tuple(
        tuple(2 if own < other else 1 if own == other else 0 for at, other in enumerate(ranks) if at != index)
        for index, own in enumerate(ranks)
    )

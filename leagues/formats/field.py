"""The history, read once: every entrant's games, score, opponents, seats and roles. All formats start here."""

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from leagues.formats.points import NORMAL, Scheme, points, unplayed
from leagues.formats.values import Bye, Entrant, History, Kind, Round, Table, TableState


class Game(NamedTuple):
    """One entrant's round. `others` are the opponents it counts as played against; `seat` indexes `table.seats`."""

    round: int
    kind: Kind
    points: int
    others: tuple[int, ...] = ()
    table: Table | None = None
    seat: int = 0


class Field:
    """What follows from a history under a points scheme.

    Only confirmed tables count for scores. For meetings, seats and roles every table counts that was not voided,
    because a game still open must not be drawn again. In a round robin a forfeited game counts as played.
    """

    def __init__(self, history: History, scheme: Scheme = NORMAL, *, round_robin: bool = False) -> None:
        self.history = history
        self.scheme = scheme
        self.round_robin = round_robin
        self.entrants: dict[int, Entrant] = {entrant.id: entrant for entrant in history.entrants}
        self.games: dict[int, list[Game]] = {who: [] for who in self.entrants}
        self.met: dict[int, dict[int, int]] = {who: {} for who in self.entrants}
        self.seats: dict[int, dict[int, int]] = {who: {} for who in self.entrants}
        self.last_seat: dict[int, int] = {}
        self.roles: dict[int, dict[str, int]] = {who: {} for who in self.entrants}
        self.last_role: dict[tuple[int, str], int] = {}
        for each in history.rounds:
            self._read(each)
        self.score: dict[int, int] = {who: sum(game.points for game in games) for who, games in self.games.items()}

    def _read(self, each: Round) -> None:
        listed: set[int] = set()
        for table in each.tables:
            listed.update(seat.entrant for seat in table.seats)
            if table.state is TableState.VOID:
                continue
            self._remember(table, each.number)
            if table.counts:
                self._count(table, each.number)
        for bye in each.byes:
            listed.add(bye.entrant)
            self._bye(bye, each.number)
        for who, entrant in self.entrants.items():
            if who not in listed:
                away = entrant.absence(each.number)
                if away is not None:
                    self._bye(Bye(who, away), each.number)

    def _bye(self, bye: Bye, number: int) -> None:
        # Everybody is free once in an odd round robin: worth nothing, or leaving early would pay.
        free = self.round_robin and bye.kind is Kind.PAB
        self.games[bye.entrant].append(Game(number, bye.kind, 0 if free else unplayed(self.scheme, bye.kind)))

    def _remember(self, table: Table, number: int) -> None:
        """Who sat where with whom. Seats of a forfeited game were not sat in, and its players have not met."""
        sitting = list(table.seats)
        if table.places:
            sitting = [seat for seat, place in zip(table.seats, table.places) if place.kind is Kind.PLAYED]
        for seat in sitting:
            who = seat.entrant
            seats = self.seats[who]
            seats[seat.number] = seats.get(seat.number, 0) + 1
            self.last_seat[who] = seat.number
            if seat.role:
                roles = self.roles[who]
                roles[seat.role] = roles.get(seat.role, 0) + 1
                self.last_role[who, seat.role] = number
            met = self.met[who]
            for other in sitting:
                if other.entrant != who:
                    met[other.entrant] = met.get(other.entrant, 0) + 1

    def _count(self, table: Table, number: int) -> None:
        worth = points(self.scheme, tuple(place.rank for place in table.places))
        if self.round_robin:
            sat = table.entrants
        else:
            sat = tuple(seat.entrant for seat, place in zip(table.seats, table.places) if place.kind is Kind.PLAYED)
        for index, (seat, place) in enumerate(zip(table.seats, table.places)):
            who, kind = seat.entrant, place.kind
            gained = worth[index] if kind is Kind.PLAYED else unplayed(self.scheme, kind)
            others = tuple(other for other in sat if other != who) if kind is Kind.PLAYED or self.round_robin else ()
            if kind is Kind.PLAYED and not others:
                kind = Kind.FW
            self.games[who].append(Game(number, kind, gained, others, table, index))

    def unplayed_rounds(self, who: int) -> int:
        return sum(game.kind is not Kind.PLAYED for game in self.games[who])

    def had(self, who: int, kinds: Iterable[Kind]) -> bool:
        return any(game.kind in kinds for game in self.games[who])

    def order(self, who: Iterable[int]) -> list[int]:
        """By score, then seed: the order in which a round is drawn."""
        return sorted(who, key=lambda each: (-self.score[each], self.entrants[each].seed))


def pairs_seen(rounds: Iterable[Round]) -> dict[frozenset[int], int]:
    """How often each two have sat together in these rounds."""
    seen: dict[frozenset[int], int] = defaultdict(int)
    for each in rounds:
        for table in each.tables:
            for index, who in enumerate(table.entrants):
                for other in table.entrants[index + 1 :]:
                    seen[frozenset((who, other))] += 1
    return seen

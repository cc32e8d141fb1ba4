"""A stage in which every table is known before it is played: the short way through a run.

The seats never change, so what each outcome of an open table means is worked out once; a run picks one for each, adds
up points, and asks the tie-breaks only where points leave somebody level.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from leagues.formats.field import Field, Game
from leagues.formats.standings import entered, levels
from leagues.formats.tiebreaks.base import Part, Sheet
from leagues.formats.values import History, Kind, Place, Round, Table, TableState
from leagues.odds.luck import Luck
from leagues.odds.oracle import DUEL_PLACES, Oracle
from leagues.odds.values import Position

OPEN = frozenset({TableState.SCHEDULED, TableState.PLAYING, TableState.REPORTED, TableState.DISPUTED})
"""Nothing counts yet, and something will."""


@dataclass(frozen=True, slots=True)
class Finish:
    """How a run ends: entrants from first to last, those who are level together; points and games, where it has any."""

    levels: list[list[int]]
    score: Mapping[int, int]
    played: Mapping[int, int]


@dataclass(frozen=True)
class Outcome:
    """What one end of a table means: the game of each who sat there, and where it stands among their games."""

    games: tuple[tuple[int, int, Game], ...]


@dataclass(frozen=True)
class Left:
    """A table that is still open. `duel` are its outcomes where two play each other, in the oracle's order.

    The outcomes of other tables are worked out when they first happen: a large table has hundreds.
    """

    table: Table
    number: int
    absent: frozenset[int]
    gaps: Mapping[int, int]
    duel: tuple[Outcome, ...] = ()
    outcomes: dict[tuple[Place, ...], Outcome] = field(default_factory=dict)


class Laid:
    """One list of standings: a stage, or one group of it."""

    def __init__(self, stage: Position, field: Field, oracle: Oracle, parts: Sequence[Part]) -> None:
        self.parts = parts
        self.field = field
        self.oracle = oracle
        self.everybody = sorted(entered(self.field), key=lambda who: self.field.entrants[who].seed)
        # Each entrant's games with a gap for every open table, in order of rounds.
        self.games: dict[int, list[Game]] = {who: [] for who in self.field.entrants}
        self.left: list[Left] = []
        self._lay(stage)
        self.score = {who: sum(game.points for game in games) for who, games in self.games.items()}
        self.played = {who: sum(game.kind is Kind.PLAYED for game in games) for who, games in self.games.items()}

    def _lay(self, stage: Position) -> None:
        known = {who: {game.round: game for game in games} for who, games in self.field.games.items()}
        for each in self.field.history.rounds:
            tables = [table for table in each.tables if table.state in OPEN]
            playing = {who for table in tables for who in table.entrants}
            for who, games in self.games.items():
                if who in playing:
                    games.append(Game(each.number, Kind.NP, 0))
                elif each.number in known[who]:
                    games.append(known[who][each.number])
            for table in tables:
                absent = {who for at, of, who in stage.absent if (at, of) == (each.number, table.number)}
                self.left.append(self._open(table, each.number, absent))

    def _open(self, table: Table, number: int, absent: Collection[int]) -> Left:
        gaps = {who: len(self.games[who]) - 1 for who in table.entrants}
        left = Left(table, number, frozenset(absent), gaps)
        if not self.oracle.is_duel(table, absent):
            return left
        return replace(left, duel=tuple(self._outcome(left, places) for places in DUEL_PLACES))

    def _outcome(self, left: Left, places: tuple[Place, ...]) -> Outcome:
        found = left.outcomes.get(places)
        if found is None:
            ended = replace(left.table, state=TableState.CONFIRMED, places=places)
            alone = History("", self.field.history.entrants, (Round(1, (ended,)),))
            read = Field(alone, self.field.scheme, round_robin=self.field.round_robin).games
            games = [(who, left.gaps[who], read[who][0]._replace(round=left.number)) for who in left.table.entrants]
            found = left.outcomes[places] = Outcome(tuple(games))
        return found

    def play(self, luck: Luck) -> Finish:
        score, played = dict(self.score), dict(self.played)
        ended = []
        oracle = self.oracle
        for left in self.left:
            if left.duel:
                outcome = left.duel[oracle.duel(left.table.seats, luck)]
            else:
                outcome = self._outcome(left, oracle.places(left.table, left.absent, luck))
            ended.append(outcome)
            for who, _, game in outcome.games:
                score[who] += game.points
                played[who] += game.kind is Kind.PLAYED
        if len({score[who] for who in self.everybody}) == len(self.everybody):
            return Finish([[who] for who in sorted(self.everybody, key=lambda who: -score[who])], score, played)
        return Finish(levels(Sheet(self._field(ended)), self.parts)[0], score, played)

    def _field(self, ended: Sequence[Outcome]) -> Field:
        games = {who: list(each) for who, each in self.games.items()}
        for outcome in ended:
            for who, gap, game in outcome.games:
                games[who][gap] = game
        return self.field.with_games(games)

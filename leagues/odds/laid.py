"""A stage in which every table is known before it is played: the short way through a run.

The seats never change, so each open table's every outcome is worked out once; a run picks one for each, adds up points,
and asks the tie-breaks only where points leave somebody level.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from leagues.formats.field import Field, Game
from leagues.formats.standings import entered, levels
from leagues.formats.tiebreaks.base import Part, Sheet
from leagues.formats.values import History, Kind, Round, Table, TableState
from leagues.odds.luck import Luck, every
from leagues.odds.oracle import Oracle
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
    """A table that is still open."""

    weights: tuple[float, ...]
    outcomes: tuple[Outcome, ...]


class Laid:
    """One list of standings: a stage, or one group of it."""

    def __init__(self, stage: Position, field: Field, oracle: Oracle, parts: Sequence[Part]) -> None:
        self.parts = parts
        self.field = field
        self.everybody = sorted(entered(self.field), key=lambda who: self.field.entrants[who].seed)
        # Each entrant's games with a gap for every open table, in order of rounds.
        self.games: dict[int, list[Game]] = {who: [] for who in self.field.entrants}
        self.left: list[Left] = []
        self._lay(stage, oracle)
        self.score = {who: sum(game.points for game in games) for who, games in self.games.items()}
        self.played = {who: sum(game.kind is Kind.PLAYED for game in games) for who, games in self.games.items()}

    def _lay(self, stage: Position, oracle: Oracle) -> None:
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
                self.left.append(self._open(table, each.number, absent, oracle))

    def _open(self, table: Table, number: int, absent: Collection[int], oracle: Oracle) -> Left:
        gaps = {who: len(self.games[who]) - 1 for who in table.entrants}
        weights: list[float] = []
        outcomes: list[Outcome] = []
        for weight, places in every(lambda luck: oracle.places(table, absent, luck)):
            ended = replace(table, state=TableState.CONFIRMED, places=places)
            alone = History("", self.field.history.entrants, (Round(1, (ended,)),))
            read = Field(alone, self.field.scheme, round_robin=self.field.round_robin).games
            games = [(who, gaps[who], read[who][0]._replace(round=number)) for who in table.entrants]
            weights.append(weight)
            outcomes.append(Outcome(tuple(games)))
        return Left(tuple(weights), tuple(outcomes))

    def play(self, luck: Luck) -> Finish:
        score, played = dict(self.score), dict(self.played)
        ended = []
        for left in self.left:
            outcome = left.outcomes[luck.choose(left.weights)]
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

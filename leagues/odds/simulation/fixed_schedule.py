"""A stage in which every table is known in advance, which makes a run much faster.

The seats never change, so the effect of each outcome of an open table is computed once. A run picks an outcome for each
table, adds up the points, and computes tie-breaks only if somebody is level on points.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from leagues.formats.score_table import Game, ScoreTable
from leagues.formats.standings import entered, levels
from leagues.formats.tiebreaks.base import TieBreak, TieBreakInput
from leagues.formats.values import History, Kind, Place, Round, Table, TableState
from leagues.odds.simulation.outcome_model import DUEL_PLACES, OutcomeModel
from leagues.odds.simulation.random_source import RandomSource
from leagues.odds.simulation.values import Position

OPEN = frozenset({TableState.SCHEDULED, TableState.PLAYING, TableState.REPORTED, TableState.DISPUTED})
"""Without a confirmed result, and still to be decided."""


@dataclass(frozen=True, slots=True)
class Finish:
    """The end of a run: entrants from first to last, level ones together; points and games, where there are any."""

    levels: list[list[int]]
    score: Mapping[int, int]
    played: Mapping[int, int]


@dataclass(frozen=True)
class Outcome:
    """One outcome of a table: for each entrant the game, and its index among their games."""

    games: tuple[tuple[int, int, Game], ...]


@dataclass(frozen=True)
class OpenTable:
    """A table that is still open. `duel` has its outcomes where two play each other, in the order of DUEL_PLACES.

    The outcomes of other tables are computed when they first happen: a large table has hundreds.
    """

    table: Table
    number: int
    absent: frozenset[int]
    gaps: Mapping[int, int]
    duel: tuple[Outcome, ...] = ()
    outcomes: dict[tuple[Place, ...], Outcome] = field(default_factory=dict)


class FixedScheduleStage:
    """A stage, or one of its groups, with all tables known."""

    def __init__(self, stage: Position, field: ScoreTable, model: OutcomeModel, parts: Sequence[TieBreak]) -> None:
        self.parts = parts
        self.field = field
        self.model = model
        self.everybody = sorted(entered(self.field), key=lambda who: self.field.entrants[who].seed)
        # Each entrant's games in order of rounds, with a placeholder for every open table.
        self.games: dict[int, list[Game]] = {who: [] for who in self.field.entrants}
        self.left: list[OpenTable] = []
        self._collect_games(stage)
        self.score = {who: sum(game.points for game in games) for who, games in self.games.items()}
        self.played = {who: sum(game.kind is Kind.PLAYED for game in games) for who, games in self.games.items()}

    def _collect_games(self, stage: Position) -> None:
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

    def _open(self, table: Table, number: int, absent: Collection[int]) -> OpenTable:
        gaps = {who: len(self.games[who]) - 1 for who in table.entrants}
        left = OpenTable(table, number, frozenset(absent), gaps)
        if not self.model.is_duel(table, absent):
            return left
        return replace(left, duel=tuple(self._outcome(left, places) for places in DUEL_PLACES))

    def _outcome(self, left: OpenTable, places: tuple[Place, ...]) -> Outcome:
        outcome = left.outcomes.get(places)
        if outcome is None:
            ended = replace(left.table, state=TableState.CONFIRMED, places=places)
            alone = History("", self.field.history.entrants, (Round(1, (ended,)),))
            read = ScoreTable(alone, self.field.scheme, round_robin=self.field.round_robin).games
            games = [(who, left.gaps[who], read[who][0]._replace(round=left.number)) for who in left.table.entrants]
            outcome = left.outcomes[places] = Outcome(tuple(games))
        return outcome

    def play(self, luck: RandomSource) -> Finish:
        score, played = dict(self.score), dict(self.played)
        ended = []
        model = self.model
        for left in self.left:
            if left.duel:
                outcome = left.duel[model.duel(left.table.seats, luck)]
            else:
                outcome = self._outcome(left, model.places(left.table, left.absent, luck))
            ended.append(outcome)
            for who, _, game in outcome.games:
                score[who] += game.points
                played[who] += game.kind is Kind.PLAYED
        if self.field.scheme.best:
            # Which rounds count is known only at the end.
            field = self._field(ended)
            return Finish(levels(TieBreakInput(field), self.parts)[0], field.score, played)
        if len({score[who] for who in self.everybody}) == len(self.everybody):
            return Finish([[who] for who in sorted(self.everybody, key=lambda who: -score[who])], score, played)
        return Finish(levels(TieBreakInput(self._field(ended)), self.parts)[0], score, played)

    def _field(self, ended: Sequence[Outcome]) -> ScoreTable:
        games = {who: list(each) for who, each in self.games.items()}
        for outcome in ended:
            for who, gap, game in outcome.games:
                games[who][gap] = game
        return self.field.with_games(games)

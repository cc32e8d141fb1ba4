"""Simulates the rest of a division's season, any number of times."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, takewhile

from leagues.formats import groups, order_rules
from leagues.formats.adapters import DrawInput, DrawResult, dealt_groups, largest_table
from leagues.formats.errors import FormatError
from leagues.formats.points import Scheme
from leagues.formats.reasons import reason
from leagues.formats.score_table import ScoreTable
from leagues.formats.standings import Row, levels
from leagues.formats.tiebreaks.base import TieBreakInput
from leagues.formats.tiebreaks.registry import parse
from leagues.formats.values import Entrant, History, Kind, Ranking, Round, Table, TableState
from leagues.odds.simulation.fixed_schedule import OPEN, Finish, FixedScheduleStage
from leagues.odds.simulation.outcome_model import OutcomeModel
from leagues.odds.simulation.random_source import RandomSource
from leagues.odds.simulation.values import Estimates, NoOdds, Position, RemainingSeason, Rules

MOST_ROUNDS = 400
REMEMBERED = 4000
"""Draws that are cached for runs with the same results so far, which is common in the first rounds."""
OVER = frozenset({"error.no-more-rounds", "error.bracket-over"})
WHY = reason("place.shared")


class SeasonSimulation:
    def __init__(self, rest: RemainingSeason) -> None:
        self.rest = rest
        self.parts = parse(rest.tie_breaks)
        self.model = OutcomeModel(rest.strengths, rest.roles)
        self.entrants = {each.id: each for each in rest.stage.history.entrants}
        self._draws: dict[object, DrawResult | None] = {}
        self._base: tuple[list[Round], ScoreTable] | None = None
        self._plans: dict[tuple[str, int], Sequence[Round]] = {}
        if len(self.entrants) + len(rest.fallen) < 2:
            raise NoOdds("too-few")
        for rules in (rest.stage.rules, *rest.later):
            if not (rules.fixed or rules.knock_out) and rules.planned is None:
                raise NoOdds("rounds-unknown")
        self.stage = self._with_plan(rest.stage) if rest.stage.rules.fixed else rest.stage
        self.fixed_schedules = self._fixed_schedules(self.stage)
        if not rest.later and self._is_over():
            raise NoOdds("over")

    def _is_over(self) -> bool:
        stage = self.stage
        if any(_has_open(each, stage.rules) for each in stage.history.rounds):
            return False
        return self._next(stage, stage.history.rounds, stage.slots, None) is None

    # -- what is known from the start

    def _with_plan(self, stage: Position) -> Position:
        """The stage with all rounds of its plan; those who have left are absent."""
        rules, rounds, absent = stage.rules, list(stage.history.rounds), set(stage.absent)
        for drawn in self._planned(stage)[len(rounds) : rules.planned]:
            rounds.append(drawn)
            gone = {each.id for each in stage.history.entrants if each.absence(drawn.number) is Kind.WD}
            absent |= {
                (drawn.number, table.number, who) for table in drawn.tables for who in table.entrants if who in gone
            }
        return replace(stage, history=replace(stage.history, rounds=tuple(rounds)), absent=frozenset(absent))

    def _planned(self, stage: Position) -> Sequence[Round]:
        now = self._draw_input(stage, (), {})
        if stage.rules.plan is not None:
            return stage.rules.plan(now)
        rounds: list[Round] = []
        while len(rounds) < MOST_ROUNDS:
            drawn = _draw_round(stage.rules, self._draw_input(stage, rounds, {}))
            if drawn is None:
                break
            rounds.append(drawn.round)
        return rounds

    def _fixed_schedules(self, stage: Position) -> dict[int, FixedScheduleStage] | None:
        """Fixed schedules by group, if every table is known and the order is by points."""
        if not stage.rules.fixed or stage.rules.ranking is not Ranking.STANDINGS:
            return None
        return {
            group: FixedScheduleStage(stage, self._field(history, stage.rules), self.model, self.parts)
            for group, history in by_group(stage).items()
        }

    # -- one run

    def play(self, luck: RandomSource, estimates: Estimates | None = None) -> list[list[int]]:
        """Simulate the division: entrants from first to last, level ones together.

        One of the estimates of the strengths is drawn at random, unless one is given.
        """
        self.model.begin(luck, estimates)
        if self.fixed_schedules is not None:
            finish = {group: schedule.play(luck) for group, schedule in self.fixed_schedules.items()}
        else:
            finish = self._finish(self.stage, luck)
        rules, above = self.stage.rules, [[who] for who in self.rest.fallen]
        for after in self.rest.later:
            going = self._going_on(rules, after, finish, luck)
            staying = set(going)
            listed = [[who for who in level if who not in staying] for level in self._order(rules, finish)]
            above = [level for level in listed if level] + above
            finish = self._finish(self._begun(after, going), luck)
            rules = after
        return self._order(rules, finish) + above

    def _begun(self, rules: Rules, going: Sequence[int]) -> Position:
        """A later stage with these entrants, strongest first."""
        entrants = tuple(Entrant(who, seed, self.entrants[who].rating) for seed, who in enumerate(going, 1))
        stage = Position(
            rules,
            History(rules.seed, entrants, planned=rules.planned),
            group=dealt_groups(entrants, rules.settings) if rules.grouped else {},
        )
        if not rules.fixed:
            return stage
        rounds = [_renamed(each, going) for each in self._plan_by_seed(stage)[: rules.planned]]
        return replace(stage, history=replace(stage.history, rounds=tuple(rounds)))

    def _plan_by_seed(self, stage: Position) -> Sequence[Round]:
        """The plan by seed numbers: it depends only on how many entrants there are. Each run fills in the entrants."""
        key = (stage.rules.seed, len(stage.history.entrants))
        if key not in self._plans:
            numbered = tuple(Entrant(each.seed, each.seed) for each in stage.history.entrants)
            group = dealt_groups(numbered, stage.rules.settings) if stage.rules.grouped else {}
            blank = replace(stage, history=replace(stage.history, entrants=numbered), group=group)
            self._plans[key] = self._planned(blank)
        return self._plans[key]

    def _finish(self, stage: Position, luck: RandomSource) -> dict[int, Finish]:
        """Play the drawn rounds, then draw and play the others; results by group, 0 where there are none."""
        rounds, field = self._behind(stage)
        grades = dict(stage.grades)
        path: list[object] = [stage.rules.seed, tuple(each.id for each in stage.history.entrants)]
        for each in stage.history.rounds[len(rounds) :]:
            rounds.append(self._played(stage, each, luck, stage.absent, grades, path))
            field = field and field.followed_by(rounds[-1])
        slots = dict(stage.slots)
        while not stage.rules.fixed and len(rounds) < (stage.rules.planned or MOST_ROUNDS):
            drawn = self._next(stage, rounds, slots, tuple(path), field)
            if drawn is None:
                break
            number = drawn.round.number
            gone = {each.id for each in stage.history.entrants if each.absence(number) is Kind.WD}
            empty = frozenset(
                (number, table.number, who) for table in drawn.round.tables for who in table.entrants if who in gone
            )
            rounds.append(self._played(stage, drawn.round, luck, empty, grades, path))
            field = field and field.followed_by(rounds[-1])
            slots |= {(number, table): slot for table, slot in drawn.slots.items()}
        if field is not None:
            return {0: self._by_points(field)}
        ended = replace(stage, history=replace(stage.history, rounds=tuple(rounds)), slots=slots, grades=grades)
        return self._ranked(ended)

    def _behind(self, stage: Position) -> tuple[list[Round], ScoreTable | None]:
        """The rounds before the first open table, and their score table if draws and places need nothing else.

        The score table is extended during the run: reading the whole history for every round would be much slower.
        """
        rules = stage.rules
        if rules.ranking is not Ranking.STANDINGS or rules.fixed or rules.round_robin or rules.grouped:
            return [], None
        if stage is not self.stage:
            return [], self._field(stage.history, rules)
        if self._base is None:
            done = list(takewhile(lambda each: not _has_open(each, rules), stage.history.rounds))
            self._base = done, self._field(replace(stage.history, rounds=tuple(done)), rules)
        return list(self._base[0]), self._base[1]

    def _next(
        self,
        stage: Position,
        rounds: Sequence[Round],
        slots: Mapping[tuple[int, int], str],
        path: object,
        field: ScoreTable | None = None,
    ) -> DrawResult | None:
        if stage.rules.fixed or (stage.rules.planned is not None and len(rounds) >= stage.rules.planned):
            return None
        if path in self._draws:
            return self._draws[path]
        drawn = _draw_round(stage.rules, self._draw_input(stage, rounds, slots, field))
        if len(self._draws) < REMEMBERED:
            self._draws[path] = drawn
        return drawn

    def _played(
        self,
        stage: Position,
        each: Round,
        luck: RandomSource,
        absent: Collection[tuple[int, int, int]],
        grades: dict[tuple[int, int], Sequence[int]],
        path: list[object],
    ) -> Round:
        left = [table for table in each.tables if _is_open(table, stage.rules)]
        if not left:
            return each
        ended: dict[int, Table] = {}
        for table in left:
            empty = {who for at, of, who in absent if (at, of) == (each.number, table.number)}
            places = self.model.places(table, empty, luck, decisive=stage.rules.knock_out)
            path.append(tuple(place.rank for place in places))
            ended[table.number] = Table(
                table.number, table.seats, table.reason, TableState.CONFIRMED, places, table.deal
            )
        played = Round(each.number, tuple(ended.get(table.number, table) for table in each.tables), each.byes)
        return self._graded(played, left, luck, grades) if stage.rules.ranking is Ranking.MARKS else played

    def _graded(
        self, each: Round, left: Sequence[Table], luck: RandomSource, grades: dict[tuple[int, int], Sequence[int]]
    ) -> Round:
        """Tables of one deal are compared; with real results only by what simulated ones have too."""
        if self.model.together:
            for table in each.tables:
                grades[each.number, table.number] = tuple(grades.get((each.number, table.number), ()))[:1]
            whole = len(left) == len(each.tables)
            for table, grade in zip(left, self.model.grades(left, luck)):
                grades[each.number, table.number] = grade if whole else grade[:1]
            return each
        bare = [replace(table, places=tuple(replace(place, score=None) for place in table.places))
                for table in each.tables]  # fmt: skip
        return replace(each, tables=tuple(bare))

    # -- the order

    def _ranked(self, stage: Position) -> dict[int, Finish]:
        rules = stage.rules
        if rules.ranking is Ranking.STANDINGS:
            return {group: self._by_points(self._field(history, rules)) for group, history in by_group(stage).items()}
        if rules.order is not None:
            fields = {group: self._field(history, rules) for group, history in by_group(stage).items()}
            return {
                group: Finish(_levels(rules.order(field)), field.score, order_rules.games_played(field))
                for group, field in fields.items()
            }
        if rules.ranking is Ranking.MARKS:
            field = self._field(stage.history, rules)
            rows = order_rules.by_marks(field, stage.grades, together=self.model.together)
        else:
            order = order_rules.by_bracket if rules.ranking is Ranking.BRACKET else order_rules.by_heats
            rows = order(self._draw_input(stage, stage.history.rounds, stage.slots))
        return {0: Finish(_levels(rows), {}, {})}

    def _field(self, history: History, rules: Rules) -> ScoreTable:
        return ScoreTable(history, self._scheme(rules), round_robin=rules.round_robin, edition=self.rest.edition)

    def _scheme(self, rules: Rules) -> Scheme:
        """The season's points scheme for the table size of this stage; in groups all rounds count."""
        best = 0 if rules.grouped else self.rest.scheme.best
        return replace(self.rest.scheme, table=largest_table(rules.settings), best=best)

    def _by_points(self, field: ScoreTable) -> Finish:
        return Finish(levels(TieBreakInput(field), self.parts)[0], field.score, order_rules.games_played(field))

    def _order(self, rules: Rules, finish: Mapping[int, Finish]) -> list[list[int]]:
        if not rules.grouped:
            return finish[0].levels
        return _levels(order_rules.across_groups(row for each in finish.values() for row in _rows(each.levels, each)))

    def _going_on(self, rules: Rules, after: Rules, finish: Mapping[int, Finish], luck: RandomSource) -> list[int]:
        """Who plays in the next stage, as `leagues.rounds.stage_start` decides; a lot replaces a play-off."""
        if rules.grouped:
            advance = rules.settings["advance"]
            tables = {
                group: _rows(_parted(self._staying(each.levels), advance, luck), each) for group, each in finish.items()
            }
            filled = groups.qualify(tables, groups.usual_slots(len(tables), advance))
            return [each.entrant for each in filled if each.entrant is not None]
        order = self._staying(finish[0].levels)
        if after.take is not None:
            order = _cut(order, after.take, luck)
        return [who for level in order for who in level]

    def _staying(self, order: Sequence[Sequence[int]]) -> list[list[int]]:
        listed = [[who for who in level if who not in self.rest.gone] for level in order]
        return [level for level in listed if level]

    def _draw_input(
        self,
        stage: Position,
        rounds: Sequence[Round],
        slots: Mapping[tuple[int, int], str],
        field: ScoreTable | None = None,
    ) -> DrawInput:
        return DrawInput(
            history=field.history if field else replace(stage.history, rounds=tuple(rounds)),
            settings=stage.rules.settings,
            scheme=self._scheme(stage.rules),
            roles=self.rest.roles,
            group=stage.group,
            slots=[
                (slots[each.number, table.number], table)
                for each in rounds
                for table in each.tables
                if (each.number, table.number) in slots
            ],
            deals="odds",
            known=field,
            quick=True,
        )


def _draw_round(rules: Rules, now: DrawInput) -> DrawResult | None:
    """The next round by the real rules; None if there is none."""
    try:
        return rules.draw(now)
    except FormatError as error:
        if error.reason.code in OVER:
            return None
        raise


def _is_open(table: Table, rules: Rules) -> bool:
    """Whether a table is still to be played; a voided heat is."""
    return table.state in OPEN or (rules.void_needs_replay and table.state is TableState.VOID)


def _has_open(each: Round, rules: Rules) -> bool:
    return any(_is_open(table, rules) for table in each.tables)


def by_group(stage: Position) -> dict[int, History]:
    """The history of each group; 0 for a stage without groups."""
    if not stage.rules.grouped:
        return {0: stage.history}
    histories = {}
    for group in sorted(set(stage.group.values())):
        members = {who for who, where in stage.group.items() if where == group}
        rounds = tuple(
            Round(
                each.number,
                tuple(table for table in each.tables if table.entrants[0] in members),
                tuple(bye for bye in each.byes if bye.entrant in members),
            )
            for each in stage.history.rounds
        )
        entrants = tuple(each for each in stage.history.entrants if each.id in members)
        histories[group] = replace(stage.history, entrants=entrants, rounds=rounds)
    return histories


def _renamed(each: Round, going: Sequence[int]) -> Round:
    """A round of a plan with entrants instead of seed numbers."""
    tables = tuple(
        replace(table, seats=tuple(replace(seat, entrant=going[seat.entrant - 1]) for seat in table.seats))
        for table in each.tables
    )
    return Round(each.number, tables, tuple(replace(bye, entrant=going[bye.entrant - 1]) for bye in each.byes))


def _levels(rows: Sequence[Row]) -> list[list[int]]:
    return [[row.entrant for row in level] for _, level in groupby(rows, key=lambda row: row.place)]


def _rows(order: Sequence[Sequence[int]], finish: Finish) -> list[Row]:
    rows: list[Row] = []
    for level in order:
        place = len(rows) + 1
        rows += [
            Row(place, who, finish.score.get(who, 0), finish.played.get(who, 0), (), len(level), WHY) for who in level
        ]
    return rows


def _parted(order: Sequence[Sequence[int]], most: int, luck: RandomSource) -> list[list[int]]:
    """Draw lots between those who share one of the first places."""
    parted: list[list[int]] = []
    for level in order:
        left = list(level)
        while len(left) > 1 and len(parted) < most:
            parted.append([left.pop(luck.choose([1.0] * len(left)))])
        if left:
            parted.append(left)
    return parted


def _cut(order: Sequence[Sequence[int]], take: int, luck: RandomSource) -> list[list[int]]:
    """The first `take` entrants; lots decide between those level at the cut."""
    kept: list[list[int]] = []
    room = take
    for level in order:
        if len(level) > room:
            left = list(level)
            drawn = [left.pop(luck.choose([1.0] * len(left))) for _ in range(room)]
            level = [who for who in level if who in drawn]
        if level:
            kept.append(list(level))
        room -= len(level)
    return kept

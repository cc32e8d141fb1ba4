"""Puzzles of Thanos Rising: a whole turn, from its first question to its end.

One question rarely matters there, the turn does. Every answer is judged by what the seat could know when it was asked:
paired worlds, in which the rest of the turn is played well and then everybody goes on by habit. So what can still be
done later in the turn is not lost, and what the answers of a turn give away adds up. The dice between two answers are
those of the record, the same for everybody: a roll depends on the turn and its number alone, however one plays.

A turn is a puzzle if the Regular bot's gives away a mistake's worth in each of its thoughts, and again by ten times the
worlds and other random numbers. It is solved by a turn that gives away less than an inaccuracy. All positions that such
turns can reach are judged beforehand.
"""

import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from math import sqrt
from typing import Any

from engine import transcript
from engine.analysis.futures import ThanosTurnFuture
from engine.analysis.judge import Table
from engine.analysis.judges import PUZZLE_VERSION, TURNS_AHEAD, Budget, Method
from engine.analysis.report import KINDS, Progress
from engine.analysis.steps import standing_moves, steps
from engine.bots import Situation
from engine.bots.levels import level_of
from engine.kernel import Match
from engine.rng import stream
from engine.thanos_rising.state import ThanosState

DEEPER = 10
"""A candidate is confirmed with so many times the worlds."""

MISSER = "regular"
THOUGHTS = 3
"""So often the bot is asked, each time with other random numbers, and it must miss every time."""

MISTAKE = next(least for least, kind in KINDS if kind == "mistake")
INACCURACY = next(least for least, kind in KINDS if kind == "inaccuracy")

PART_OF_THE_WORLDS = 2
"""A judge that plays turns well takes long, so it has fewer worlds than that of the report: one for each two."""

SEARCHED_PLAYOUTS = 16
"""For each answer of the rest of the turn in one world."""

MOST_POSITIONS = 250
"""A turn with more positions that are still fine is no puzzle: all of them are judged. The same dice in another order
are other positions, so a turn with a single idea easily has a hundred."""

CHANCES = (0.02, 0.99)
"""A turn that cannot save the table any more is no puzzle, nor one that wins anyway."""

END = -1


@dataclass
class Position:
    """A question of the turn: what each answer gives away and where it leads."""

    match: Match
    table: Table
    actions: list[int]
    missed: list[str]
    lost: float
    leads_to: dict[int, int] = field(default_factory=dict)

    def loss(self, place: int) -> float:
        return float(self.table.largest_loss(place))


def find(
    match: Match, method: Method, budget: Budget, seed: str, progress: Progress | None = None
) -> Iterator[dict[str, Any]]:
    """The first turn of a match that is a puzzle, if there is one."""
    total, turn = len(standing_moves(match)), -1
    for done, (live, step) in enumerate(steps(match), start=1):
        if step.turn != turn and not step.aside and not step.forced and live.game.turn(live.state)[0] == step.seat:
            turn = step.turn
            on_table = partial(progress, done - 1, total) if progress is not None else None
            puzzle = puzzle_at(live, step.seat, method, budget, seed, on_table)
            if puzzle is not None:
                yield {**puzzle, "played": step.move, "document": transcript.transcript(live)}
                return  # one of a match: each takes minutes
        if progress is not None:
            progress(done, total)


def puzzle_at(
    match: Match, seat: int, method: Method, budget: Budget, seed: str, on_table: Callable[[], object] | None = None
) -> dict[str, Any] | None:
    """The turn that begins here as a puzzle, if it is one. `on_table` is called before each question that is judged."""
    here, worlds = f"{seed} {match.ply}", max(1, budget.worlds // PART_OF_THE_WORLDS)
    first = Turn(match, seat, method, worlds, f"{here} candidate", on_table)
    # The quick judge of the report sees more losses than this one: a chance that is kept for later counts as lost.
    if first.given_away_quickly(budget.worlds) < MISTAKE or not first.is_missed(surely=0.0):
        return None
    turn = Turn(match, seat, method, DEEPER * worlds, f"{here} confirmed", on_table)
    if not turn.is_missed(surely=1.0) or not turn.explore():
        return None
    start = turn.positions[0]
    best = float(start.table.mean(start.table.best()))
    if not CHANCES[0] <= best <= CHANCES[1]:
        return None
    nodes = [turn.summary(position) for position in turn.positions]
    moves, lost = turn.missed_turn(0)
    return {
        "game": match.game.name,
        "players": match.players,
        "ply": match.ply,
        "seat": seat,
        "version": PUZZLE_VERSION,
        "seed": seed,
        "worlds": turn.worlds,
        "answers": [
            {"move": each["move"], "chance": each["chance"], "right": each["loss"] < INACCURACY}
            for each in nodes[0]["answers"]
        ],
        "missed": nodes[0]["missed"],
        "turn": {"positions": nodes, "missed": {"moves": moves, "loss": round(lost, 4)}},
    }


def holds(puzzle: dict[str, Any], match: Match, method: Method, seed: str) -> bool:
    """Whether the bot's turn is a mistake again and the best one is fine, by as many worlds and other numbers."""
    turn = Turn(match, puzzle["seat"], method, puzzle["worlds"], seed)
    moves = iter(puzzle["turn"]["missed"]["moves"])
    _, lost, _ = turn.played(lambda live: live.parse(next(moves), puzzle["seat"]))
    if lost < MISTAKE:
        return False
    positions, number, best = puzzle["turn"]["positions"], 0, []
    while number != END:
        answer = min(positions[number]["answers"], key=lambda each: each["loss"])
        best.append(answer["move"])
        number = answer["to"]
    moves = iter(best)
    _, lost, _ = turn.played(lambda live: live.parse(next(moves), puzzle["seat"]))
    return lost < INACCURACY


class Turn:
    """One turn of a seat, judged as far as somebody asks."""

    def __init__(
        self,
        match: Match,
        seat: int,
        method: Method,
        worlds: int,
        seed: str,
        on_table: Callable[[], object] | None = None,
    ) -> None:
        self.match, self.seat, self.method, self.worlds, self.seed = match, seat, method, worlds, seed
        self.on_table = on_table
        self.turn = match.game.turn(match.state)
        self.tables: dict[tuple[int, ...], Table] = {}
        self.positions: list[Position] = []
        self._thoughts: dict[int, tuple[list[str], float, float]] = {}

    def is_asked(self, match: Match) -> bool:
        """Whether the turn still waits for an answer of its seat."""
        return match.to_act == self.seat and match.game.turn(match.state) == self.turn

    def after(self, match: Match, action: int) -> Match:
        """The match after an answer and all that follow from it, as `answered`."""
        return answered(match, self.seat, match.notation(action, self.seat))

    def judged(self, match: Match) -> Table:
        """Every answer of a position in the same worlds; the rest of the turn is played well."""
        key = tuple(match.state.ints())
        if key not in self.tables:
            if self.on_table is not None:
                self.on_table()
            seen = Situation(match, self.seat)
            assert isinstance(match.state, ThanosState)
            future = ThanosTurnFuture(self.seat, match.state.turn, TURNS_AHEAD, SEARCHED_PLAYOUTS)
            table = Table(self._worlds_of(seen), future, stream(f"{self.seed} {match.ply}", "turn"), seen.legal)
            table.run(self.worlds)
            self.tables[key] = table
        return self.tables[key]

    def _worlds_of(self, seen: Situation) -> Any:
        assert self.method.worlds_of is not None
        return self.method.worlds_of(seen)

    def thought(self, match: Match, number: int) -> int:
        """What the Regular bot answers."""
        seen = Situation(match, self.seat)
        misser = level_of(match.game.name, MISSER)
        return int(misser.bot.choose(seen, misser.budget, f"{self.seed} {match.ply} {number}"))

    def given_away_quickly(self, worlds: int) -> float:
        """What the bot's turn gives away at least, by the judge of the report."""
        assert self.method.judged_future is not None
        match, lost, variance = self.match.clone(), 0.0, 0.0
        while self.is_asked(match):
            seen, action = Situation(match, self.seat), self.thought(match, 0)
            rng = stream(f"{self.seed} {match.ply}", "quick")
            table = Table(self._worlds_of(seen), self.method.judged_future(), rng, seen.legal)
            table.run(worlds)
            place = seen.legal.index(action)
            lost += float(table.loss(place))
            variance += float(table.error(place)) ** 2
            match = self.after(match, action)
        return lost - sqrt(variance)

    def missed_turn(self, number: int) -> tuple[list[str], float]:
        """The answers of the bot's turn in one of its thoughts, and what they give away together."""
        moves, lost, _ = self._missed_turn(number)
        return moves, lost

    def is_missed(self, surely: float) -> bool:
        """Whether the bot's turn is a mistake in each of its thoughts, with so many standard errors taken off."""
        for number in range(THOUGHTS):
            _, lost, variance = self._missed_turn(number)
            if lost - surely * sqrt(variance) < MISTAKE:
                return False
        return True

    def _missed_turn(self, number: int) -> tuple[list[str], float, float]:
        if number not in self._thoughts:
            self._thoughts[number] = self.played(lambda match: self.thought(match, number))
        return self._thoughts[number]

    def played(self, choose: Callable[[Match], int]) -> tuple[list[str], float, float]:
        """The answers of a turn that is played so, what they give away together, and the variance of that."""
        match, moves, lost, variance = self.match.clone(), [], 0.0, 0.0
        while self.is_asked(match):
            action, table = choose(match), self.judged(match)
            place = match.legal().index(action)
            moves.append(match.notation(action, self.seat))
            lost += float(table.loss(place))
            variance += float(table.error(place)) ** 2
            match = self.after(match, action)
        return moves, lost, variance

    def explore(self) -> bool:
        """Judge every position that a fine turn can reach, the best ones first; False if there are too many."""
        known: dict[tuple[int, ...], int] = {}
        waiting: list[tuple[float, int]] = []
        self._add(self.match, 0.0, known, waiting)
        while waiting:
            lost, number = heapq.heappop(waiting)
            position = self.positions[number]
            if lost > position.lost:
                continue  # it was reached in a better way since
            for place, action in enumerate(position.actions):
                total = position.lost + position.loss(place)
                if total >= INACCURACY:
                    continue
                after = self.after(position.match, action)
                position.leads_to[place] = self._add(after, total, known, waiting) if self.is_asked(after) else END
            if len(self.positions) > MOST_POSITIONS:
                return False
        return True

    def _add(self, match: Match, lost: float, known: dict[tuple[int, ...], int], waiting: list[Any]) -> int:
        key = tuple(match.state.ints())
        number = known.get(key)
        if number is None:
            number = known[key] = len(self.positions)
            actions = match.legal()
            missed = {match.notation(self.thought(match, each), self.seat) for each in range(THOUGHTS)}
            self.positions.append(Position(match, self.judged(match), actions, sorted(missed), lost))
        elif lost >= self.positions[number].lost:
            return number
        self.positions[number].lost = lost
        heapq.heappush(waiting, (lost, number))
        return number

    def summary(self, position: Position) -> dict[str, Any]:
        """A position as it is stored. An answer that leads nowhere gives away too much, whatever came before it."""
        return {
            "answers": [
                {
                    "move": position.match.notation(action, self.seat),
                    "chance": round(float(position.table.mean(place)), 4),
                    "loss": round(position.loss(place), 4),
                    "to": position.leads_to.get(place),
                }
                for place, action in enumerate(position.actions)
            ],
            "missed": position.missed,
        }


def answered(match: Match, seat: int, move: str) -> Match:
    """The match after an answer of a turn, and after those that follow because there is no other."""
    after, turn = match.clone(), match.game.turn(match.state)
    after.play(move, seat)
    while after.to_act == seat and after.game.turn(after.state) == turn and len(after.legal()) == 1:
        after.play(after.legal()[0], seat)
    return after

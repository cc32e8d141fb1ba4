"""Puzzles: choices of recorded matches with one right answer, which the Regular bot misses.

Right is what wins most of the worlds that the seat could not tell from the real one; in Splendor: Marvel a second judge
has to agree. A candidate is confirmed with ten times the worlds and other random numbers. What is found is a function
of the record, the version of the puzzles, the seed and the budget; two tables that differ only in what the seat cannot
know give the same puzzle. In Thanos Rising a puzzle is a whole turn: see `engine.analysis.turn_puzzles`.
"""

from dataclasses import dataclass, field
from math import sqrt
from typing import Any

from engine import build, transcript
from engine.analysis import turn_puzzles
from engine.analysis.judge import SAME, Table
from engine.analysis.judges import PUZZLE_VERSION, Budget, Method, budget_here, possible_worlds
from engine.analysis.report import Progress, method_of
from engine.analysis.splendor_future import SearchedSplendorFuture
from engine.analysis.steps import NotAnalysed, finished_match, standing_moves, steps
from engine.analysis.turn_puzzles import DEEPER, MISSER, THOUGHTS
from engine.bots import Situation
from engine.bots.levels import level_of
from engine.bots.runner import bots_in_every_seat
from engine.bots.splendor_marvel import EXPLORE
from engine.bots.splendor_marvel.fitted_value import FittedValue
from engine.bots.splendor_marvel.weights import FITTED
from engine.games import game as game_named
from engine.kernel import Match
from engine.rng import stream


@dataclass(frozen=True)
class BotTables:
    """Tables of quick bots who make mistakes, where puzzles are sought: sizes, levels by lot, and options.

    The first seat has levels of its own where its mistakes matter more than those of others.
    """

    sizes: tuple[int, ...]
    levels: tuple[str, ...]
    first: tuple[str, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)
    # Whether it needs the compiled engine: interpreted, one match would take an hour.
    compiled_only: bool = True


TABLES = {
    # Larger tables have more choices, and where Thanos is careless matches take turns that Regular misjudges.
    "infinity-gauntlet": BotTables((4, 5, 6), ("rookie", "regular"), ("rookie",), compiled_only=False),
    # Rookies lose so early that nothing is left to choose.
    "thanos-rising": BotTables((2, 3), ("regular",), options={"preset": "recruit"}),
    "splendor-marvel": BotTables((2,), ("regular",)),
}

GAMES = tuple(TABLES)
WHOLE_TURNS = ("thanos-rising",)
"""Games in which one question rarely matters, so that a puzzle is a whole turn."""

TWO_JUDGES = ("splendor-marvel",)
"""Games whose judge takes a fitted value for the end: an answer is right if results of strong players say so too."""

JUDGED_WORLDS = 100
"""For a game whose report judges no answers."""

STRONG = 20
"""Iterations that those players search for an answer: as the Guardian level."""

WORLDS_PLAYED_OUT = 2
"""For each world of the first judge: a result says less than a chance."""

LEAST_GAP = 0.15
"""How much better than the second the best answer is, in chances to win."""

DOUBT = 1.0
"""So many standard errors a candidate may lack at the first look: a choice that is just clear enough would else be
passed over every other time. With two judges none, since each look of the second takes long."""

SURE = 0.99
"""A best answer that wins more often is a sure win: no puzzle."""


def find_puzzles(
    document: dict[str, Any],
    *,
    seed: str = "1",
    budget: tuple[str, Budget] | None = None,
    ended: bool = False,
    progress: Progress | None = None,
) -> list[dict[str, Any]]:
    """The puzzles of a record, JSON-able. `NotAnalysed` and `TranscriptError` say why it is not looked at.

    Each has the `document` of its own match: the moves that stood before the choice, and nothing later.
    """
    match = finished_match(document, ended=ended)
    method = method_of(match)
    if match.game.name not in GAMES:
        raise NotAnalysed("game", f"{match.game.title} has no puzzles")
    if budget is None and TABLES[match.game.name].compiled_only and build.name() != "compiled":
        raise NotAnalysed("interpreted", f"{match.game.title} has no puzzles where the engine is not compiled")
    name, spent = budget or budget_here(method)
    if match.game.name in WHOLE_TURNS:
        return [{**puzzle, "budget": name} for puzzle in turn_puzzles.find(match, method, spent, seed, progress)]
    total, found = len(standing_moves(match)), []
    for done, (live, step) in enumerate(steps(match), start=1):
        if not step.aside and not step.forced:
            puzzle = puzzle_at(live, step.seat, method, spent, seed)
            if puzzle is not None:
                found.append({**puzzle, "budget": name, "played": step.move, "document": transcript.transcript(live)})
        if progress is not None:
            progress(done, total)
    return found


def puzzle_at(match: Match, seat: int, method: Method, budget: Budget, seed: str) -> dict[str, Any] | None:
    """The choice before this seat as a puzzle, if it is one. Only what the seat can know is looked at."""
    seen = Situation(match, seat)
    misser = level_of(match.game.name, MISSER)
    thoughts = {
        int(misser.bot.choose(seen, misser.budget, f"{seed} {match.ply} {number}")) for number in range(THOUGHTS)
    }
    here, worlds = f"{seed} {match.ply}", budget.worlds or JUDGED_WORLDS
    doubt = 0.0 if match.game.name in TWO_JUDGES else DOUBT
    first = right_answers(seen, method, worlds, thoughts, f"{here} candidate", surely=-doubt)
    if first is None:
        return None
    # What is on the edge by this judge would be no puzzle by the next one: one standard error is taken off.
    sure = right_answers(seen, method, DEEPER * worlds, thoughts, f"{here} confirmed", surely=1.0)
    if sure is None or sure[1] != first[1]:
        return None
    table, best = sure
    notations = [seen.imagined.notation(action, seat) for action in seen.legal]
    return {
        "game": match.game.name,
        "players": match.players,
        "ply": match.ply,
        "seat": seat,
        "version": PUZZLE_VERSION,
        "seed": seed,
        "worlds": int(table.worlds),
        "answers": [
            {"move": notation, "chance": round(float(table.mean(place)), 4), "right": place in best}
            for place, notation in enumerate(notations)
        ],
        # What the bot thought first; it did not find the answer in any of its thoughts.
        "missed": sorted(notations[seen.legal.index(action)] for action in thoughts),
    }


def holds(puzzle: dict[str, Any], seed: str) -> bool:
    """Whether a puzzle is one again, with the same right answers, by as many worlds and other random numbers."""
    match = transcript.replay(puzzle["document"])
    method = method_of(match)
    if match.game.name in WHOLE_TURNS:
        return turn_puzzles.holds(puzzle, match, method, seed)
    again = right_answers(Situation(match, puzzle["seat"]), method, puzzle["worlds"], set(), seed)
    return again is not None and again[1] == {
        place for place, answer in enumerate(puzzle["answers"]) if answer["right"]
    }


def right_answers(
    seen: Situation, method: Method, worlds: int, thoughts: set[int], seed: str, surely: float = 0.0
) -> tuple[Table, set[int]] | None:
    """All answers in so many worlds and the places of the right ones, if this is a puzzle."""
    table = tried(seen, method, worlds, seed)
    if not is_puzzle(table, seen.legal, thoughts, surely):
        return None
    best = equals_of_best(table)
    return (table, best) if is_agreed(seen, best, worlds, seed, surely) else None


def tried(seen: Situation, method: Method, worlds: int, seed: str) -> Table:
    """Every answer of the seat in the same worlds."""
    worlds_of, future = method.worlds_of or possible_worlds, method.judged_future or method.future
    table = Table(worlds_of(seen), future(), stream(seed, "puzzle"), seen.legal)
    table.run(worlds)
    return table


def is_agreed(seen: Situation, best: set[int], worlds: int, seed: str, surely: float) -> bool:
    """Whether the second judge, where a game has one, clearly prefers the same answers."""
    if seen.imagined.game.name not in TWO_JUDGES:
        return True
    table = played_out(seen, WORLDS_PLAYED_OUT * worlds, seed)
    return leads(table, best, surely)


def played_out(seen: Situation, worlds: int, seed: str) -> Table:
    """Every answer in the same worlds, which strong players play to their end."""
    future = SearchedSplendorFuture(FittedValue(FITTED), STRONG, EXPLORE)
    table = Table(seen.sampler, future, stream(seed, "second judge"), seen.legal)
    table.run(worlds)
    return table


def leads(table: Table, right: set[int], surely: float) -> bool:
    """Whether the best of these answers is better than every other, with so many standard errors taken off."""
    best = max(right, key=lambda place: float(table.mean(place)))
    for other in range(int(table.count)):
        if other not in right:
            error = sqrt(float(table.variance(0, best, other) + table.variance(1, best, other))) / 2
            if float(table.mean(best) - table.mean(other)) - surely * error < LEAST_GAP:
                return False
    return len(right) < int(table.count)


def equals_of_best(table: Table) -> set[int]:
    """The places of the best answer and of those that came to the same in every world."""
    best = int(table.best())
    return {
        place
        for place in range(int(table.count))
        if table.squares(0, best, place) + table.squares(1, best, place) < SAME
    }


def is_puzzle(table: Table, actions: list[int], thoughts: set[int], surely: float = 0.0) -> bool:
    """Whether one answer is clearly best, does not simply win, and is none of these thoughts."""
    right = equals_of_best(table)
    if float(table.mean(table.best())) > SURE or not leads(table, right, surely):
        return False
    return thoughts.isdisjoint(actions[place] for place in right)


def bot_match(name: str, players: int, seed: str) -> dict[str, Any]:
    """The record of a match between quick bots."""
    match = game_named(name).start(players, seed, TABLES[name].options)
    playing = [level_of(name, level) for level in levels_of(name, players, seed)]
    bots_in_every_seat([(level.bot, level.budget) for level in playing], seed).play_out(match)
    return transcript.transcript(match)


def levels_of(name: str, players: int, seed: str) -> list[str]:
    """The level of each seat, by lot."""
    tables, rng = TABLES[name], stream(seed, "levels")
    choices = [tables.first or tables.levels, *[tables.levels] * (players - 1)]
    return [levels[int(rng.below(len(levels)))] for levels in choices]

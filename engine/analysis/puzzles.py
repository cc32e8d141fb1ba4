"""Puzzles: choices of recorded matches with one right answer, which the Regular bot misses.

Right is what wins most of the worlds that the seat could not tell from the real one; in Splendor: Marvel a tree search
has to agree. A candidate is confirmed with ten times the worlds and other random numbers. What is found is a function
of the record, the version of the judge, the seed and the budget; two tables that differ only in what the seat cannot
know give the same puzzle. In Thanos Rising a puzzle is a whole turn: see `engine.analysis.turn_puzzles`.
"""

from dataclasses import dataclass, field
from typing import Any

from engine import build, transcript
from engine.analysis import turn_puzzles
from engine.analysis.judge import SAME, Table
from engine.analysis.judges import VERSION, Budget, Method, budget_here, possible_worlds
from engine.analysis.report import Progress, method_of
from engine.analysis.steps import NotAnalysed, finished_match, standing_moves, steps
from engine.analysis.turn_puzzles import DEEPER, MISSER, THOUGHTS
from engine.bots import Situation
from engine.bots.levels import level_of
from engine.bots.runner import bots_in_every_seat
from engine.bots.splendor_marvel.policies import Eager
from engine.bots.tree_search import Search
from engine.games import game as game_named
from engine.kernel import Match
from engine.rng import stream


@dataclass(frozen=True)
class BotTables:
    """Tables of quick bots who make mistakes, where puzzles are sought: sizes, levels by lot, and options."""

    sizes: tuple[int, ...]
    levels: tuple[str, ...]
    options: dict[str, Any] = field(default_factory=dict)
    # Whether it needs the compiled engine: interpreted, one match would take an hour.
    compiled_only: bool = True


TABLES = {
    # Larger tables have more choices.
    "infinity-gauntlet": BotTables((4, 5, 6), ("rookie", "regular"), compiled_only=False),
    # Rookies lose so early that nothing is left to choose.
    "thanos-rising": BotTables((2, 3), ("regular",), {"preset": "recruit"}),
    "splendor-marvel": BotTables((2,), ("regular",)),
}

GAMES = tuple(TABLES)
WHOLE_TURNS = ("thanos-rising",)
"""Games in which one question rarely matters, so that a puzzle is a whole turn."""

TWO_JUDGES = ("splendor-marvel",)
"""Games whose judges err in different ways: an answer is right if playouts and a tree search both say so."""

JUDGED_WORLDS = 100
"""For a game whose report judges no answers."""

ITERATIONS_A_WORLD = 40
"""How long the tree search looks, for each world of the playouts."""

LEAST_GAP = 0.15
"""How much better than the second the best answer is, in chances to win."""

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
    worlds = budget.worlds or JUDGED_WORLDS
    table = tried(seen, method, worlds, f"{seed} {match.ply} candidate")
    if not is_puzzle(table, seen.legal, thoughts):
        return None
    best = equals_of_best(table)
    if not is_agreed(seen, best, worlds, f"{seed} {match.ply} candidate"):
        return None
    table = tried(seen, method, DEEPER * worlds, f"{seed} {match.ply} confirmed")
    if not is_puzzle(table, seen.legal, thoughts) or equals_of_best(table) != best:
        return None
    if not is_agreed(seen, best, DEEPER * worlds, f"{seed} {match.ply} confirmed"):
        return None
    notations = [seen.imagined.notation(action, seat) for action in seen.legal]
    return {
        "game": match.game.name,
        "players": match.players,
        "ply": match.ply,
        "seat": seat,
        "version": VERSION,
        "seed": seed,
        "worlds": int(table.worlds),
        "answers": [
            {"move": notation, "chance": round(float(table.mean(place)), 4), "right": place in best}
            for place, notation in enumerate(notations)
        ],
        # What the bot thought first; it did not find the answer in any of its thoughts.
        "missed": sorted(notations[seen.legal.index(action)] for action in thoughts),
    }


def tried(seen: Situation, method: Method, worlds: int, seed: str) -> Table:
    """Every answer of the seat in the same worlds."""
    worlds_of, future = method.worlds_of or possible_worlds, method.judged_future or method.future
    table = Table(worlds_of(seen), future(), stream(seed, "puzzle"), seen.legal)
    table.run(worlds)
    return table


def is_agreed(seen: Situation, best: set[int], worlds: int, seed: str) -> bool:
    """Whether the second judge, where a game has one, clearly prefers the same answers."""
    if seen.imagined.game.name not in TWO_JUDGES:
        return True
    chances = searched(seen, ITERATIONS_A_WORLD * worlds, seed)
    others = [chance for place, chance in enumerate(chances) if place not in best]
    return bool(others) and max(chances[place] for place in best) - max(others) >= LEAST_GAP


def searched(seen: Situation, iterations: int, seed: str) -> list[float]:
    """The chance of each answer by the tree of the Expert bot, every world played on by its habits."""
    search = Search(seen.sampler, Eager(), stream(seed, "second judge"))
    search.run(iterations, 0.0)
    value = {int(child.action): float(child.total) / int(child.visits) for child in search.root.children}
    return [value.get(action, 0.0) for action in seen.legal]


def equals_of_best(table: Table) -> set[int]:
    """The places of the best answer and of those that came to the same in every world."""
    best = int(table.best())
    return {
        place
        for place in range(int(table.count))
        if table.squares(0, best, place) + table.squares(1, best, place) < SAME
    }


def is_puzzle(table: Table, actions: list[int], thoughts: set[int]) -> bool:
    """Whether one answer is clearly best, does not simply win, and is none of these thoughts."""
    right = equals_of_best(table)
    others = [float(table.mean(place)) for place in range(int(table.count)) if place not in right]
    chance = float(table.mean(int(table.best())))
    if not others or chance > SURE or chance - max(others) < LEAST_GAP:
        return False
    return thoughts.isdisjoint(actions[place] for place in right)


def bot_match(name: str, players: int, seed: str) -> dict[str, Any]:
    """The record of a match between quick bots, their levels by lot."""
    tables = TABLES[name]
    match = game_named(name).start(players, seed, tables.options)
    rng = stream(seed, "levels")
    levels = [tables.levels[int(rng.below(len(tables.levels)))] for _ in range(players)]
    playing = [level_of(name, level) for level in levels]
    bots_in_every_seat([(level.bot, level.budget) for level in playing], seed).play_out(match)
    return transcript.transcript(match)

"""Puzzles: choices of recorded matches with one right answer, which the Regular bot misses.

Right is what wins most of the worlds that the seat could not tell from the real one. A candidate is confirmed with ten
times the worlds and other random numbers. What is found is a function of the record, the version of the judge, the seed
and the budget; two tables that differ only in what the seat cannot know give the same puzzle.
"""

from typing import Any

from engine import transcript
from engine.analysis.judge import SAME, Table
from engine.analysis.judges import VERSION, Budget, Method, budget_here
from engine.analysis.report import Progress, method_of
from engine.analysis.steps import NotAnalysed, finished_match, standing_moves, steps
from engine.bots import Situation, bot, level_of
from engine.bots.runner import bots_in_every_seat
from engine.games import game as game_named
from engine.kernel import Match
from engine.rng import stream

GAMES = ("infinity-gauntlet",)
"""Games whose single choices make puzzles. In Thanos Rising one question rarely matters: it would be a whole turn.
Splendor: Marvel has no judge."""

LEAST_GAP = 0.15
"""How much better than the second the best answer is, in chances to win."""

SURE = 0.99
"""A best answer that wins more often is a sure win: no puzzle."""

DEEPER = 10
"""A candidate is confirmed with so many times the worlds."""

MISSER = "regular"
THOUGHTS = 3
"""So often the bot is asked, each time with other random numbers, and it must miss the best answer every time."""

PLAYED_BY = ("rookie", "regular")
"""The levels of bots that sit at a table where puzzles are sought: quick ones, who make mistakes."""


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
    name, spent = budget or budget_here(method)
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
    table = tried(seen, method, budget.worlds, f"{seed} {match.ply} candidate")
    if not is_puzzle(table, seen.legal, thoughts):
        return None
    best = equals_of_best(table)
    table = tried(seen, method, DEEPER * budget.worlds, f"{seed} {match.ply} confirmed")
    if not is_puzzle(table, seen.legal, thoughts) or equals_of_best(table) != best:
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
    if method.worlds_of is None or method.judged_future is None:
        raise NotAnalysed("game", "this game has no judge")
    table = Table(method.worlds_of(seen), method.judged_future(), stream(seed, "puzzle"), seen.legal)
    table.run(worlds)
    return table


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
    """The record of a match between quick bots of mixed levels."""
    match = game_named(name).start(players, seed)
    rng = stream(seed, "levels")
    levels = [PLAYED_BY[int(rng.below(len(PLAYED_BY)))] for _ in range(players)]
    bots_in_every_seat([(bot(name, level), level_of(name, level).budget) for level in levels], seed).play_out(match)
    return transcript.transcript(match)

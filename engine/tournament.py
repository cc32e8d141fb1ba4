"""Tournaments of bots: seats rotated, deals shared, so that luck and seat cancel out and only strength is left.

Every line-up plays every deal. Where all play against all, the bots sit round the table in turn and the order rotates;
one against many, each bot plays each role against each other bot; in a cooperative game each bot plays the deal with a
team of its own, and the deals are compared by the grade of their results.
"""

import math
import multiprocessing
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from engine.bots import LADDER, Budget, bot, budget
from engine.bots.runner import bots_in_every_seat
from engine.errors import OptionError, quoted
from engine.games import game as game_named
from engine.kernel import Game
from engine.progress import Progress


@dataclass(frozen=True)
class Entrant:
    """A bot level with its thinking time: `expert`, or `expert@500` for a fixed 500 iterations a move.

    The ladder's levels have a fixed number of iterations a turn, and `titan@500` has 500 of them.
    """

    name: str
    level: str
    budget: Budget


@dataclass(frozen=True)
class Pairing:
    """One match to be played: which entrant sits where, on which deal."""

    game: str
    players: int
    options: Mapping[str, Any]
    seats: tuple[Entrant, ...]
    deal: str


@dataclass(frozen=True)
class Played:
    """The result of one match."""

    pairing: Pairing
    ranks: tuple[int, ...]
    winners: tuple[int, ...]
    grade: tuple[int, ...]
    moves: int
    seconds: tuple[float, ...]
    answers: tuple[int, ...]
    slowest: tuple[float, ...]


def entrant(name: str, game: str, text: str, iterations: int = 0) -> Entrant:
    """`level` or `level@iterations`."""
    level, at, count = text.partition("@")
    bot(game, level)
    if at and not (count.isdigit() and int(count)):
        raise OptionError("bots", f"{quoted(text)}: after @ comes a whole number of iterations")
    fixed, usual = int(count) if at else iterations, budget(game, level)
    if level in LADDER:  # without the limit in seconds, so that the result is the same on every machine
        return Entrant(name, level, Budget(fixed or usual.iterations, share=usual.share))
    return Entrant(name, level, Budget(iterations=fixed) if fixed else usual)


def entrants(game: str, texts: Sequence[str], iterations: int = 0) -> list[Entrant]:
    names = [text if texts.count(text) == 1 else f"{text} {number}" for number, text in enumerate(texts, 1)]
    return [entrant(name, game, text, iterations) for name, text in zip(names, texts)]


def line_ups(game: Game, players: int, bots: Sequence[Entrant]) -> list[tuple[Entrant, ...]]:
    """Who sits where, over all the matches that share one deal. A solo role sits in seat 0."""
    roles = game.roles(players)
    if game.cooperative:
        return [(one,) * players for one in bots]
    if len(set(roles)) > 1:
        return [
            tuple(solo if role == roles[0] else team for role in roles)
            for solo in bots
            for team in bots
            if solo != team
        ] or [tuple(bots[0] for _ in roles)]
    return [tuple(bots[(seat + shift) % len(bots)] for seat in range(players)) for shift in range(len(bots))]


def play(pairing: Pairing) -> Played:
    match = game_named(pairing.game).start(pairing.players, pairing.deal, pairing.options)
    table = bots_in_every_seat([(bot(pairing.game, one.level), one.budget) for one in pairing.seats], pairing.deal)
    table.play_out(match)
    outcome, seated = match.outcome, [table.seats[seat] for seat in range(pairing.players)]
    assert outcome is not None
    return Played(
        pairing,
        outcome.ranks,
        outcome.winners,
        outcome.grade,
        match.ply,
        tuple(one.seconds for one in seated),
        tuple(one.moves for one in seated),
        tuple(one.slowest for one in seated),
    )


def tournament(
    name: str, players: int, bots: Sequence[Entrant], games: int, seed: str, jobs: int, options: Mapping[str, Any]
) -> Iterator[Played]:
    """Play at least `games` matches, always whole deals, on `jobs` processes; in order, whatever the number of jobs."""
    game = game_named(name)
    game.start(players, seed, options)  # bad arguments are refused here, with a clear message
    seatings = line_ups(game, players, bots)
    deals = math.ceil(games / len(seatings))
    pairings = [
        Pairing(name, players, options, seating, f"{seed} {deal}") for deal in range(deals) for seating in seatings
    ]
    with Progress("Playing", len(pairings)) as bar:
        if jobs == 1:
            for done, pairing in enumerate(pairings, 1):
                yield play(pairing)
                bar.at(done)
            return
        with multiprocessing.get_context("spawn").Pool(jobs) as pool:
            for done, played in enumerate(pool.imap(play, pairings), 1):
                yield played
                bar.at(done)


# -- evaluation


@dataclass
class Tally:
    """Duels won and lost by one entrant against another; a draw is half of each."""

    won: float = 0.0
    games: int = 0

    def add(self, score: float) -> None:
        self.won += score
        self.games += 1

    @property
    def share(self) -> float:
        return self.won / self.games if self.games else math.nan

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval for the share."""
        return wilson(self.won, self.games)


@dataclass
class Table:
    """The crosstable: duels between entrants, wins by role, time spent."""

    names: list[str]
    duels: dict[tuple[str, str], Tally] = field(default_factory=dict)
    roles: dict[tuple[str, str], Tally] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    answers: dict[str, int] = field(default_factory=dict)
    slowest: dict[str, float] = field(default_factory=dict)
    matches: int = 0

    def duel(self, one: str, other: str, score: float) -> None:
        self.duels.setdefault((one, other), Tally()).add(score)
        self.duels.setdefault((other, one), Tally()).add(1 - score)


def crosstable(game: Game, bots: Sequence[Entrant], matches: Sequence[Played]) -> Table:
    table = Table([one.name for one in bots])
    shared: dict[str, list[Played]] = {}
    for played in matches:
        table.matches += 1
        seats, roles = played.pairing.seats, game.roles(played.pairing.players)
        for seat, one in enumerate(seats):
            alone = roles[seat] == "player" and not game.cooperative
            if seat == 0 or alone or roles[seat] != roles[seat - 1]:  # a team counts once
                table.roles.setdefault((one.name, roles[seat]), Tally()).add(float(seat in played.winners))
            table.seconds[one.name] = table.seconds.get(one.name, 0.0) + played.seconds[seat]
            table.answers[one.name] = table.answers.get(one.name, 0) + played.answers[seat]
            table.slowest[one.name] = max(table.slowest.get(one.name, 0.0), played.slowest[seat])
        if game.cooperative:
            shared.setdefault(played.pairing.deal, []).append(played)
        else:
            for i, j in sides(roles):
                if seats[i] != seats[j]:
                    table.duel(seats[i].name, seats[j].name, better(played.ranks[i], played.ranks[j]))
    for deal in shared.values():
        for mine, theirs in combinations(deal, 2):
            score = 0.5 if mine.grade == theirs.grade else float(mine.grade > theirs.grade)
            table.duel(mine.pairing.seats[0].name, theirs.pairing.seats[0].name, score)
    return table


def sides(roles: Sequence[str]) -> list[tuple[int, int]]:
    """The duels of one match: every pair of seats, or the solo seat against the team."""
    return list(combinations(range(len(roles)), 2)) if len(set(roles)) == 1 else [(0, 1)]


def better(mine: float, theirs: float) -> float:
    """1, 1/2 or 0 for the lower number."""
    return 0.5 if mine == theirs else float(mine < theirs)


def wilson(won: float, games: int, z: float = 1.96) -> tuple[float, float]:
    if not games:
        return 0.0, 1.0
    share, spread = won / games, z * z / games
    middle = (share + spread / 2) / (1 + spread)
    half = z * math.sqrt(share * (1 - share) / games + spread / (4 * games)) / (1 + spread)
    return middle - half, middle + half


def elo(table: Table) -> dict[str, tuple[float, float]]:
    """Bradley-Terry strengths on the Elo scale with their 95 % error, mean 0, from all duels.

    Half a drawn duel is added to each pair that met, so that an entrant who won everything has a finite strength.
    """
    names = table.names
    strength = dict.fromkeys(names, 1.0)
    met = {pair: (tally.won + 0.25, tally.games + 0.5) for pair, tally in table.duels.items()}
    for _ in range(2000):
        for one in names:
            won = sum(score for (first, _), (score, _) in met.items() if first == one)
            load = sum(
                games / (strength[one] + strength[other]) for (first, other), (_, games) in met.items() if first == one
            )
            if load:
                strength[one] = won / load
        mean = math.exp(sum(math.log(strength[one]) for one in names) / len(names))
        strength = {one: value / mean for one, value in strength.items()}
    ratings = {}
    for one in names:
        information = 0.0
        for (first, other), (_, games) in met.items():
            if first == one:
                chance = strength[one] / (strength[one] + strength[other])
                information += games * chance * (1 - chance)
        error = 1.96 * 400 / math.log(10) / math.sqrt(information) if information else math.inf
        ratings[one] = (400 * math.log10(strength[one]), error)
    return ratings

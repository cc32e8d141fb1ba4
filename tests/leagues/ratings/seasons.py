"""Made-up histories: results that arrive late, are corrected and voided, the same for the same seed."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from leagues.models import RatedResult, Rating, RatingChange, RatingOffset, RatingPool
from leagues.ratings import ledger
from leagues.ratings.book import Book, Entry, Fact
from leagues.ratings.kinds import SOLO, Ended, SeatResult

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
GAMES = {
    "splendor-marvel": range(2, 5),
    "infinity-gauntlet": range(2, 7),
    "thanos-rising": range(2, 5),
}
BOTS = ("rookie:1", "regular:1", "rookie:2", "expert:1")


@dataclass(frozen=True)
class Said:
    """Something that is said to the ledger: a result, its correction, or that it never happened."""

    verb: str
    source: str
    game: str = ""
    finished_at: datetime | None = None
    seats: tuple[SeatResult, ...] = ()
    scenario: str = ""


def seats_of(
    game: str, rng: random.Random, people: Sequence[int], bots: Sequence[str] = BOTS
) -> tuple[SeatResult, ...]:
    players = rng.choice(GAMES[game])
    company = rng.choices(range(4), (10, 4, 2, 1))[0]
    sitting: list[tuple[int | None, str]] = [(user, "") for user in rng.sample(people, players)]
    for place in rng.sample(range(players), players if company == 3 else min(company, players - 1)):
        sitting[place] = (None, rng.choice(bots))
    left = [rng.random() < 0.03 for _ in sitting]
    ranks = ranked(game, players, left, rng)
    roles = (SOLO, *("hero",) * (players - 1)) if game == "infinity-gauntlet" else ("player",) * players
    return tuple(
        SeatResult(index, ranks[index], user, bot, roles[index], left[index])
        for index, (user, bot) in enumerate(sitting)
    )


def ranked(game: str, players: int, left: Sequence[bool], rng: random.Random) -> list[int]:
    if game == "splendor-marvel":
        points = [(gone, rng.randrange(8)) for gone in left]
        return [1 + sum(other < mine for other in points) for mine in points]
    won = rng.random() < 0.5
    if game == "thanos-rising":
        return [2 if gone or not won else 1 for gone in left]
    ranks = [1 if won else 2, *(2 if won else 1 for _ in range(players - 1))]
    return [players if gone else rank for gone, rank in zip(left, ranks)]


def season(count: int, people: Sequence[int], seed: int, games: Sequence[str] = tuple(GAMES)) -> list[Said]:
    """Results in the order in which they are told, some late, with corrections and voids among them."""
    rng = random.Random(seed)
    told: list[tuple[float, Said]] = []
    for number in range(count):
        game = rng.choice(games)
        # Sometimes two end at the same moment; the source decides then.
        at = BEGIN + timedelta(minutes=number // 2 * 2 if rng.random() < 0.1 else number)
        first = Said(
            "record", f"match:{number}", game, at, seats_of(game, rng, people), rng.choice(("hero", "avenger"))
        )
        heard = number + (rng.expovariate(1 / 40) if rng.random() < 0.02 else 0)
        told.append((heard, first))
        while rng.random() < 0.03:
            # Most mistakes are found soon; a few only after a long while.
            heard += 1 + rng.expovariate(1 / 200 if rng.random() < 0.99 else 1 / 20_000)
            told.append((heard, put_right(first, rng, people)))
    return [said for _at, said in sorted(told, key=lambda each: each[0])]


def put_right(first: Said, rng: random.Random, people: Sequence[int]) -> Said:
    if rng.random() < 0.4:
        return Said("void", first.source)
    assert first.finished_at
    moved = first.finished_at + timedelta(minutes=rng.randrange(-90, 90)) if rng.random() < 0.2 else None
    return Said("correct", first.source, first.game, moved, seats_of(first.game, rng, people), first.scenario)


def tell_all(said: Sequence[Said]) -> None:
    """A handful at once: the results together, then what was put right."""
    new = [each for each in said if each.verb == "record"]
    ledger.record_all(
        tables=[Ended(each.source, each.game, each.finished_at or BEGIN, each.seats, each.scenario) for each in new]
    )
    for each in said:
        if each.verb != "record":
            tell(each)


def tell(said: Said) -> None:
    if said.verb == "void":
        ledger.void(source=said.source)
    elif said.verb == "correct":
        ledger.correct(source=said.source, seats=said.seats, finished_at=said.finished_at, scenario=said.scenario)
    else:
        assert said.finished_at
        ledger.record(
            source=said.source,
            game=said.game,
            finished_at=said.finished_at,
            seats=said.seats,
            scenario=said.scenario,
        )


def refolded(pool: RatingPool, bots: set[int], forebears: Mapping[int, Sequence[int]]) -> tuple[Book, list[Entry]]:
    """The pool folded by the pure book alone, from the facts that count."""
    facts = [
        Fact(*row)
        for row in RatedResult.objects.filter(pool=pool, counts=True).values_list(
            "pk", "source", "finished_at", "seats", "scenario", "bots_only"
        )
    ]
    book = Book(pool.kind, pool.seeds)
    book.meet(bots, forebears)
    return book, [entry for fact in sorted(facts, key=lambda fact: fact.order) for entry in book.play(fact)]


def stored(pool: RatingPool) -> list[Entry]:
    rows = RatingChange.objects.standing().filter(pool=pool).values_list("result__source", *Entry._fields)
    return [Entry(*row[1:]) for row in sorted(rows, key=lambda row: (row[3], row[0], row[4]))]


def numbers(pool: RatingPool) -> dict[int, tuple[int, ...]]:
    columns = ("user_id", "rating", "games", "solo_delta", "solo_games", "team_delta")
    return {row[0]: row[1:] for row in Rating.objects.filter(pool=pool).values_list(*columns)}


def offsets(pool: RatingPool) -> set[tuple[int, str, int, int]]:
    return set(RatingOffset.objects.filter(pool=pool).values_list("players", "name", "value", "games"))

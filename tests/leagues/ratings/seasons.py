"""Made-up histories: results that arrive late, are corrected and voided, the same for the same seed."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from leagues.models import RatedResult, Rating, RatingChange, RatingOffset, RatingPool
from leagues.ratings import ledger
from leagues.ratings.book import Book, Entry, Fact, Numbers, Offset, batches
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
    batch: str = ""


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
        at = BEGIN + timedelta(minutes=20 * (number // 2 * 2 if rng.random() < 0.1 else number))
        # Some belong to a round of a league. Here, unlike there, somebody may sit at several of its tables.
        batch = f"round:{game}-{number // 12}" if rng.random() < 0.4 else ""
        seats, scenario = seats_of(game, rng, people), rng.choice(("hero", "avenger"))
        first = Said("record", f"match:{number}", game, at, seats, scenario, batch)
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
        tables=[
            Ended(each.source, each.game, each.finished_at or BEGIN, each.seats, each.scenario, batch=each.batch)
            for each in new
        ]
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
            batch=said.batch,
        )


def refolded(pool: RatingPool, bots: set[int], forebears: Mapping[int, Sequence[int]]) -> tuple[Book, list[Entry]]:
    """The pool folded by the pure book alone, from the facts that count."""
    facts = [
        Fact(*row)
        for row in RatedResult.objects.filter(pool=pool, counts=True).values_list(
            "pk", "source", "finished_at", "seats", "scenario", "bots_only", "batch"
        )
    ]
    # When a batch counts is worked out here once more, without the site's help.
    first: dict[str, datetime] = {}
    for fact in facts:
        first[fact.together] = min(fact.at, first.get(fact.together, fact.at))
    facts = [replace(fact, at=first[fact.together]) for fact in facts]
    book = Book(pool.kind, pool.seeds)
    book.meet(bots, forebears)
    in_order = sorted(facts, key=lambda fact: fact.order)
    return book, [entry for batch in batches(in_order) for entry in book.play_batch(batch)]


def stored(pool: RatingPool) -> list[Entry]:
    rows = RatingChange.objects.standing().filter(pool=pool)
    found = rows.values_list("at", "result__batch", "result__source", "seat", *Entry._fields)
    return [Entry(*row[4:]) for row in sorted(found, key=lambda row: (row[0], row[1] or row[2], row[2], row[3]))]


def numbers(pool: RatingPool) -> dict[int, Numbers]:
    """Where everybody stands by the stored rows."""
    return {
        row.user_id: Numbers(
            row.rating,
            row.games,
            row.variance,
            row.last_at.astimezone(UTC).date().toordinal(),
            solo=row.solo_delta,
            solo_games=row.solo_games,
            team=row.team_delta,
            solo_variance=row.solo_variance,
            team_variance=row.team_variance,
            covariance=row.covariance,
        )
        for row in Rating.objects.filter(pool=pool)
    }


def offsets(pool: RatingPool) -> set[Offset]:
    rows = RatingOffset.objects.filter(pool=pool).values_list("players", "name", "value", "games", "variance")
    return {Offset(*row) for row in rows}

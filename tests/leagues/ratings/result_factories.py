"""Made-up histories: results that arrive late, are corrected and voided, the same for the same seed."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from leagues.elo.pool_state import Entry, Fact, Numbers, Offset, PoolState, batches
from leagues.elo.result_types import FinishedTable, SeatResult
from leagues.models import RatedResult, Rating, RatingChange, RatingOffset, RatingPool
from leagues.ratings import ledger

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
GAMES = {
    "splendor-marvel": range(2, 5),
    "infinity-gauntlet": range(2, 7),
    "thanos-rising": range(2, 5),
}
BOTS = ("rookie:1", "regular:1", "rookie:2", "expert:1")


@dataclass(frozen=True)
class LedgerCall:
    """A call of the ledger: a result, its correction, or its voiding."""

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
    roles = ("thanos", *("hero",) * (players - 1)) if game == "infinity-gauntlet" else ("player",) * players
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


def season(count: int, people: Sequence[int], seed: int, games: Sequence[str] = tuple(GAMES)) -> list[LedgerCall]:
    """Calls in the order in which they are made, some late, with corrections and voids among them."""
    rng = random.Random(seed)
    calls: list[tuple[float, LedgerCall]] = []
    for number in range(count):
        game = rng.choice(games)
        # Sometimes two end at the same moment; the source decides then.
        at = BEGIN + timedelta(minutes=20 * (number // 2 * 2 if rng.random() < 0.1 else number))
        # Some belong to a round of a league. Here, unlike there, somebody may sit at several of its tables.
        batch = f"round:{game}-{number // 12}" if rng.random() < 0.4 else ""
        seats, scenario = seats_of(game, rng, people), rng.choice(("hero", "avenger"))
        first = LedgerCall("record", f"match:{number}", game, at, seats, scenario, batch)
        arrives = number + (rng.expovariate(1 / 40) if rng.random() < 0.02 else 0)
        calls.append((arrives, first))
        while rng.random() < 0.03:
            # Most mistakes are found soon; a few only after a long while.
            arrives += 1 + rng.expovariate(1 / 200 if rng.random() < 0.99 else 1 / 20_000)
            calls.append((arrives, put_right(first, rng, people)))
    return [call for _at, call in sorted(calls, key=lambda each: each[0])]


def put_right(first: LedgerCall, rng: random.Random, people: Sequence[int]) -> LedgerCall:
    if rng.random() < 0.4:
        return LedgerCall("void", first.source)
    assert first.finished_at
    moved = first.finished_at + timedelta(minutes=rng.randrange(-90, 90)) if rng.random() < 0.2 else None
    return LedgerCall("correct", first.source, first.game, moved, seats_of(first.game, rng, people), first.scenario)


def tell_all(call: Sequence[LedgerCall]) -> None:
    """Several calls at once: the results together, then corrections and voids."""
    new = [each for each in call if each.verb == "record"]
    ledger.record_all(
        tables=[
            FinishedTable(
                each.source, each.game, each.finished_at or BEGIN, each.seats, each.scenario, batch=each.batch
            )
            for each in new
        ]
    )
    for each in call:
        if each.verb != "record":
            apply_call(each)


def apply_call(call: LedgerCall) -> None:
    if call.verb == "void":
        ledger.void(source=call.source)
    elif call.verb == "correct":
        ledger.correct(source=call.source, seats=call.seats, finished_at=call.finished_at, scenario=call.scenario)
    else:
        assert call.finished_at
        ledger.record(
            source=call.source,
            game=call.game,
            finished_at=call.finished_at,
            seats=call.seats,
            scenario=call.scenario,
            batch=call.batch,
        )


def refolded(
    pool: RatingPool, bots: set[int], earlier_versions: Mapping[int, Sequence[int]]
) -> tuple[PoolState, list[Entry]]:
    """The pool computed in memory from the results that count."""
    facts = [
        Fact(*row)
        for row in RatedResult.objects.filter(pool=pool, counts=True).values_list(
            "pk", "source", "finished_at", "seats", "scenario", "bots_only", "batch"
        )
    ]
    # When a batch counts is computed here independently.
    first: dict[str, datetime] = {}
    for fact in facts:
        first[fact.together] = min(fact.at, first.get(fact.together, fact.at))
    facts = [replace(fact, at=first[fact.together]) for fact in facts]
    state = PoolState(pool.kind, pool.seeds, pool.solo_role)
    state.register_bots(bots, earlier_versions)
    in_order = sorted(facts, key=lambda fact: fact.order)
    return state, [entry for batch in batches(in_order) for entry in state.play_batch(batch)]


def stored(pool: RatingPool) -> list[Entry]:
    rows = RatingChange.objects.standing().filter(pool=pool)
    found = rows.values_list("at", "result__batch", "result__source", "seat", *Entry._fields)
    return [Entry(*row[4:]) for row in sorted(found, key=lambda row: (row[0], row[1] or row[2], row[2], row[3]))]


def numbers(pool: RatingPool) -> dict[int, Numbers]:
    """The stored numbers of everybody."""
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

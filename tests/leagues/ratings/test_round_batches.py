"""Results of one round of a league: the order in which they come in moves no rating."""

import random
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from leagues.elo.result_types import SeatResult
from leagues.models import League, Pairing, RatedResult, Rating, RatingChange, RatingOffset, RatingPool
from leagues.ratings import ledger, pending
from leagues.results import reporting
from tests.factories import give_accounts, next_round, running_stage
from tests.leagues.ratings import result_factories
from tests.leagues.ratings.test_pending import apply_all, check_exact, crowd

GAMES = ("splendor-marvel", "infinity-gauntlet", "thanos-rising")
ROUNDS, TABLES = 3, 3


@pytest.fixture
def people(db: None) -> list[int]:
    return crowd(12)


def play(game: str, people: list[int], orders: list[list[int]], *, at_once: bool) -> dict[str, object]:
    """A small league whose tables of a round end in this order, with other games in between; where all stand then."""
    luck = random.Random(game)
    for number in range(ROUNDS):
        begin = result_factories.BEGIN + timedelta(days=10 * number)
        waiting = luck.sample(people, len(people))
        tables = [waiting[4 * table : 4 * table + 4] for table in range(TABLES)]
        results = [ranked(game, table, luck) for table in tables]
        between = [ranked(game, luck.sample(people, 4), luck) for _ in range(TABLES)]
        for place, table in enumerate(orders[number]):
            say(game, f"pairing:{number}-{table}", begin + timedelta(days=place), results[table], f"round:{number}")
            say(game, f"match:{number}-{place}", begin + timedelta(days=place, hours=1), between[place])
            if not at_once:
                apply_all()
    apply_all()
    check_exact()
    return standing()


def ranked(game: str, table: list[int], luck: random.Random) -> list[SeatResult]:
    left = [False] * len(table)
    ranks = result_factories.ranked(game, len(table), left, luck)
    roles = ("thanos", "hero", "hero", "hero") if game == "infinity-gauntlet" else ("",) * 4
    return [SeatResult(at, ranks[at], user, role=roles[at]) for at, user in enumerate(table)]


def say(game: str, source: str, at: datetime, seats: list[SeatResult], batch: str = "") -> None:
    ledger.record(source=source, game=game, finished_at=at, seats=seats, scenario="hero", batch=batch)


def standing() -> dict[str, object]:
    columns = ("user_id", "rating", "solo_delta", "team_delta", "variance", "covariance", "games", "last_at")
    return {
        "ratings": list(Rating.objects.order_by("user_id").values_list(*columns)),
        "offsets": list(RatingOffset.objects.order_by("players", "name").values_list("name", "value", "variance")),
        "pool": list(RatingPool.objects.values_list("entry_twentieths", "centre", "spread")),
    }


@pytest.mark.parametrize("game", GAMES)
def test_the_order_within_a_round_moves_no_rating(people: list[int], game: str) -> None:
    luck = random.Random(1)
    ends = []
    for turn in range(3):
        orders = [luck.sample(range(TABLES), TABLES) for _ in range(ROUNDS)]
        with transaction.atomic():
            ends.append(play(game, people, orders, at_once=turn == 0))
            # The log of changes cannot be deleted: the next turn begins as if this one had not been.
            transaction.set_rollback(True)
    assert ends[0] == ends[1] == ends[2]


def test_a_late_result_counts_with_its_round(people: list[int]) -> None:
    ana, ben, cat, dan = people[:4]
    pair = [SeatResult(0, 1, ana), SeatResult(1, 2, ben)]
    late = [SeatResult(0, 1, cat), SeatResult(1, 2, dan)]
    say(GAMES[0], "pairing:1", result_factories.BEGIN, pair, "round:1")
    say(GAMES[0], "match:1", result_factories.BEGIN + timedelta(days=1), [SeatResult(0, 1, ana), SeatResult(1, 2, cat)])
    apply_all()
    say(GAMES[0], "pairing:2", result_factories.BEGIN + timedelta(days=9), late, "round:1")
    apply_all()
    check_exact()
    first = RatingChange.objects.standing().get(user=cat, result__source="pairing:2")
    assert (first.at, first.games) == (result_factories.BEGIN, 0)
    # Both tables of the round were worth the same, because neither knew of the other.
    assert first.moved == RatingChange.objects.standing().get(user=ana, result__source="pairing:1").moved

    # Without its first result the round counts from the second on.
    ledger.void(source="pairing:1")
    apply_all()
    check_exact()
    moved = RatingChange.objects.standing().get(user=cat, result__source="pairing:2")
    assert moved.at == result_factories.BEGIN + timedelta(days=9)
    assert moved.games == 1


def test_a_pool_of_the_first_method_is_folded_again(people: list[int]) -> None:
    """As after an upgrade: results and changes of the first method, a pool with that method, and nothing pending."""
    for number in range(6):
        say(GAMES[0], f"match:{number}", result_factories.BEGIN + timedelta(days=number), pair_of(number, people))
    apply_all()
    right = standing()
    pool = RatingPool.objects.get()
    RatingChange.objects.update(variance=0, variance_after=0, entry=0, idle_days=0)
    for change in RatingChange.objects.all():
        RatingChange.objects.filter(pk=change.pk).update(after=change.before + 2 * change.moved)
    Rating.objects.update(variance=30_625_000, sure_until=None)
    RatingPool.objects.filter(pk=pool.pk).update(method=1, moments=[], spread=175, centre=1_500_000)
    assert pending.pools_with_pending_results() == [pool.pk]
    apply_all()
    assert standing() == right
    check_exact()
    old = RatingChange.objects.filter(variance=0)
    assert old.count() == 12
    refold = old[0].superseded_by
    assert refold is not None
    assert (refold.method, refold.since) == (2, None)
    assert set(old.values_list("superseded_by", flat=True)) == {refold.pk}


def pair_of(number: int, people: list[int]) -> list[SeatResult]:
    first, second = random.Random(number).sample(people, 2)
    return [SeatResult(0, 1, first), SeatResult(1, 2, second)]


def test_the_tables_of_a_leagues_round_are_a_batch(league: League, alice: User, time_machine: Any) -> None:
    stage = running_stage(league, alice, "round-robin", 8)
    give_accounts(stage.division.season)
    rounds = [next_round(alice, stage) for _ in range(3)]
    ends, begin = [], timezone.now()
    for backwards in (False, True):
        with transaction.atomic():
            for round_ in rounds:
                tables = sorted(Pairing.objects.filter(round=round_), key=lambda table: table.number)
                for table in reversed(tables) if backwards else tables:
                    time_machine.move_to(
                        begin + timedelta(days=round_.number, minutes=RatedResult.objects.count()), tick=False
                    )
                    ranks = (1, 2) if table.number % 2 else (2, 1)
                    reporting.enter_result(actor=alice, pairing=table, places=[{"rank": rank} for rank in ranks])
                    apply_all()
                batch = f"round:{round_.pk}"
                assert RatedResult.objects.filter(batch=batch).count() == len(tables) == 4
                assert RatingChange.objects.standing().filter(result__batch=batch).values("at").distinct().count() == 1
            check_exact()
            ends.append(standing())
            transaction.set_rollback(True)
    assert ends[0] == ends[1]

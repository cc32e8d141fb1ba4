"""The demo's past: some months of rated evenings, so that leaderboards, charts and records have something to show."""

import random
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

import engine
from accounts.models import Club, User
from leagues.elo.result_types import SCALE, SeatResult
from leagues.elo.update import chance
from leagues.models import RatedResult
from leagues.ratings import ledger, pending

EVENINGS = 36
DAYS_APART = 4
# The true strength of the demo's people; everybody else has 1500.
STRENGTH = {
    "tomek": 1690,
    "hana": 1640,
    "marta": 1600,
    "niamh": 1570,
    "desmond": 1530,
    "giulia_f": 1490,
    "ettore": 1450,
    "ola-k": 1430,
    "kuba": 1400,
    "sandro": 1340,
    "zofia": 1380,
    "brass-wren": 1560,
    "tin-magpie": 1480,
    "copper-owl": 1360,
}
# As hard as the engine's own statistics say; most evenings choose the two easier ones.
SCENARIOS = {"recruit": 1480, "hero": 1720, "avenger": 1950, "infinity": 2450}
ASKED_FOR = (6, 5, 2, 1)


@transaction.atomic
def seed() -> None:
    """Write the past once, in order; a second call changes nothing."""
    club = Club.objects.open().order_by("pk").first()
    if club is None or RatedResult.objects.exists():
        return
    rng = random.Random("the lantern table")
    members = list(User.objects.filter(memberships__club=club).order_by("pk"))
    start = timezone.now() - timedelta(days=EVENINGS * DAYS_APART)
    pools = set()
    for evening in range(EVENINGS):
        at = start + timedelta(days=evening * DAYS_APART, hours=rng.randrange(4))
        present = [person for person in members if person.joined_at <= at and rng.random() < 0.75]
        for number, table in enumerate(_tables(rng, present)):
            ended = at + timedelta(minutes=35 + 50 * number)
            pools.add(_play(rng, f"demo:{evening}-{number}", table, ended).pool_id)
    for pool_id in sorted(pools):
        pending.apply_pending_results(pool_id=pool_id)


def _tables(rng: random.Random, present: list[User]) -> list[list[User]]:
    """Three rounds with everyone at tables of two to four, without tables of bots alone."""
    tables = []
    for _round in range(3):
        waiting = rng.sample(present, len(present))
        while len(waiting) > 1:
            size = min(len(waiting), rng.choice((2, 3, 4, 4)))
            tables.append([waiting.pop() for _ in range(size)])
    return [table for table in tables if not all(person.is_bot for person in table)]


def _play(rng: random.Random, source: str, table: list[User], ended: datetime) -> RatedResult:
    game = rng.choice(("splendor-marvel", "splendor-marvel", "infinity-gauntlet", "thanos-rising"))
    scenario = rng.choices(list(SCENARIOS), ASKED_FOR)[0] if game == "thanos-rising" else ""
    if game == "splendor-marvel":
        ranks = _race(rng, table)
    elif game == "infinity-gauntlet":
        ranks = _duel(rng, table)
    else:
        ranks = [1 if rng.random() < _chance(_mean(table) - SCENARIOS[scenario]) else 2] * len(table)
    rules = engine.game(game)
    roles = rules.roles(len(table)) if rules.solo_role else [""] * len(table)
    seats = [
        SeatResult(index, rank, user_id=person.pk, role=role)
        for index, (person, rank, role) in enumerate(zip(table, ranks, roles))
    ]
    return ledger.record(source=source, game=game, finished_at=ended, seats=seats, scenario=scenario)


def _race(rng: random.Random, table: Sequence[User]) -> list[int]:
    """Places by strength and luck, with a small handicap for the first seat."""
    form = [strength(person) + 20 * seat + rng.gauss(0, 200) for seat, person in enumerate(table)]
    return [1 + sum(other > mine for other in form) for mine in form]


def _duel(rng: random.Random, table: Sequence[User]) -> list[int]:
    alone = rng.random() < _chance(strength(table[0]) - _mean(table[1:]) + 40 - 30 * (len(table) - 2))
    return [1, *[2] * (len(table) - 1)] if alone else [2, *[1] * (len(table) - 1)]


def strength(person: User | None) -> int:
    return STRENGTH.get(person.handle, 1500) if person else 1500


def _mean(table: Sequence[User]) -> float:
    return sum(strength(person) for person in table) / len(table)


def _chance(difference: float) -> float:
    return chance(round(difference * SCALE))

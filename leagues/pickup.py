"""Finished matches become facts of the leagues: each is taken up once, by everyone who wants to know."""

from collections.abc import Callable
from datetime import timedelta

import structlog
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from games import fairness, rated
from games.models import Match, Seat
from leagues import results
from leagues.models import Pairing, PickUp
from leagues.rated import batch_of
from leagues.ratings import housebots, ledger
from leagues.ratings.kinds import Kind, SeatResult, kind_of

# The task that was sent when the match ended has this long before the sweep sends another.
LOST_AFTER = timedelta(seconds=10)
# How far back the sweep looks; the nightly one looks at everything.
LATELY = timedelta(days=2)
MOST_ATTEMPTS = 5
A_SWEEP = 500

log = structlog.get_logger("gauntlet.pickup")

Taker = Callable[[Match], object]


def rate(match: Match) -> None:
    """A rated match is a fact for the ratings."""
    if not match.rated:
        return
    seats = Seat.objects.filter(match=match).select_related("user").order_by("index")
    pairing = Pairing.objects.filter(match=match).first()
    ledger.record(
        source=f"match:{match.key}",
        game=match.game,
        finished_at=match.finished_at,  # type: ignore[arg-type]
        seats=[_seat(match, seat) for seat in seats],
        scenario=rated.scenario(match.game, match.options),
        match=match,
        batch=batch_of(pairing.round_id) if pairing else "",
    )


TAKERS: list[Taker] = [rate, results.arrive]
"""All of them run in the pick-up's own transaction, with a match whose record replays to its result."""


def pick_up(*, match_id: int) -> bool:
    """Take up a finished match; False when that is done already, or cannot be. Safe to run twice, or at once."""
    match = Match.objects.filter(pk=match_id, status=Match.Status.FINISHED).first()
    if match is None:
        return False
    # Counted first and on its own: a match that nobody can take up must not be tried for ever.
    PickUp.objects.get_or_create(match=match)
    PickUp.objects.filter(match=match).update(attempts=F("attempts") + 1)
    verdict = fairness.verify(match=match)
    with transaction.atomic():
        noted = PickUp.objects.select_for_update().get(match=match)
        if noted.done_at is not None:
            return False
        if verdict.is_fair:
            for take in TAKERS:
                take(match)
        else:
            noted.fault = (verdict.fault or "the record does not lead to the result")[:300]
            log.error("a finished match does not replay and counts nowhere", match=match.key, fault=noted.fault)
        noted.done_at = timezone.now()
        noted.save(update_fields=["done_at", "fault"])
    return verdict.is_fair


def sweep(*, everything: bool = False) -> int:
    """Take up what a lost task has left behind; how many were."""
    taken = 0
    for match_id in owed(everything=everything).values_list("pk", flat=True)[:A_SWEEP]:
        try:
            taken += pick_up(match_id=match_id)
        except Exception:
            # One poisonous match must not keep the others from being counted.
            log.exception("a match was not taken up", match=match_id)
    return taken


def owed(*, everything: bool = False) -> "QuerySet[Match]":
    now = timezone.now()
    ended = Match.objects.filter(status=Match.Status.FINISHED, finished_at__lte=now - LOST_AFTER)
    if not everything:
        ended = ended.filter(finished_at__gte=now - LATELY)
    tried = Q(pick_up__done_at=None, pick_up__attempts__lt=MOST_ATTEMPTS)
    return ended.filter(Q(pick_up=None) | tried).order_by("finished_at")


def _seat(match: Match, seat: Seat) -> SeatResult:
    """Whose seat it was: a bot that sits in for somebody is not rated, and a house bot is rated by its level."""
    rank = seat.rank or 1
    if kind_of(match.game) is Kind.COOPERATIVE:
        rank = 1 if seat.won else 2
    house = seat.is_bot
    return SeatResult(
        index=seat.index,
        rank=rank,
        user_id=None if house else seat.user_id,
        bot_key=housebots.key_of(seat.bot_level) if house else "",
        role=seat.role,
        left=bool(seat.left),
    )

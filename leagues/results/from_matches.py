"""Takes finished matches into ratings and leagues, each exactly once."""

from collections.abc import Callable, Iterable
from datetime import timedelta

import structlog
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

import engine
from games import fairness
from games.catalogue import ratability
from games.models import Match, OwnBot, Seat
from leagues.elo.result_types import SeatResult
from leagues.models import Pairing, PickUp
from leagues.ratings import ledger, site_bots
from leagues.results import game_series, reporting
from leagues.results.rating_sync import batch_of

# The task that was sent when the match ended has this long before the sweep sends another.
LOST_AFTER = timedelta(seconds=10)
# How far back the sweep looks; the nightly one looks at everything.
LATELY = timedelta(days=2)
MOST_ATTEMPTS = 5
A_SWEEP = 500

log = structlog.get_logger("gauntlet.pickup")

Taker = Callable[[Match], object]


def rate(match: Match) -> None:
    """Record a rated match in the ledger, unless a player left before everyone had moved.

    A series is one result: of its games only the one that decides it is recorded.
    """
    if not match.rated or match.is_called_off or not game_series.is_rated_by(match):
        return
    seats = Seat.objects.filter(match=match).select_related("user").order_by("index")
    if _plays_with_own_bot(seats):
        return
    pairing = Pairing.objects.filter(match=match).first()
    ledger.record(
        source=f"match:{match.key}",
        game=match.game,
        finished_at=match.finished_at,  # type: ignore[arg-type]
        seats=[_seat(match, seat) for seat in seats],
        scenario=ratability.scenario(match.game, match.options, match.card_file.code if match.card_file else ""),
        match=match,
        batch=batch_of(pairing.round_id) if pairing else "",
    )


def _plays_with_own_bot(seats: Iterable[Seat]) -> bool:
    """Whether somebody sits there with a bot of their own, which would lose to them whenever they like."""
    users = [seat.user_id for seat in seats if seat.user_id]
    return OwnBot.objects.filter(user__in=users, owner__in=users).exists()


MATCH_HANDLERS: list[Taker] = [game_series.end_game, rate, reporting.accept_match_result]
"""They run in one transaction, for a match whose record replays to its result. `leagues.rounds` adds one at the end."""


def take_in_match(*, match_id: int) -> bool:
    """Take in a finished match; False if that was done already or is impossible. Safe to run twice or concurrently."""
    match = Match.objects.filter(pk=match_id, status=Match.Status.FINISHED).first()
    if match is None:
        return False
    # The attempt is counted in its own transaction, so that a match that always fails is not tried for ever.
    PickUp.objects.get_or_create(match=match)
    PickUp.objects.filter(match=match).update(attempts=F("attempts") + 1)
    verdict = fairness.verify(match=match)
    with transaction.atomic():
        noted = PickUp.objects.select_for_update().get(match=match)
        if noted.done_at is not None:
            return False
        if verdict.is_fair:
            for take in MATCH_HANDLERS:
                take(match)
        else:
            noted.fault = (verdict.fault or "the record does not lead to the result")[:300]
            log.error("a finished match does not replay and counts nowhere", match=match.key, fault=noted.fault)
        noted.done_at = timezone.now()
        noted.save(update_fields=["done_at", "fault"])
    return verdict.is_fair


def sweep(*, everything: bool = False) -> int:
    """Take in matches whose task was lost; returns how many."""
    taken = 0
    for match_id in pending_matches(everything=everything).values_list("pk", flat=True)[:A_SWEEP]:
        try:
            taken += take_in_match(match_id=match_id)
        except Exception:
            # One broken match must not stop the others.
            log.exception("a match was not taken in", match=match_id)
    return taken


def pending_matches(*, everything: bool = False) -> "QuerySet[Match]":
    now = timezone.now()
    ended = Match.objects.filter(status=Match.Status.FINISHED, finished_at__lte=now - LOST_AFTER)
    if not everything:
        ended = ended.filter(finished_at__gte=now - LATELY)
    tried = Q(pick_up__done_at=None, pick_up__attempts__lt=MOST_ATTEMPTS)
    return ended.filter(Q(pick_up=None) | tried).order_by("finished_at")


def _seat(match: Match, seat: Seat) -> SeatResult:
    """The player to rate: for a stand-in the person it replaces, for a site bot its level and version."""
    rank = seat.rank or 1
    if engine.game(match.game).cooperative:
        rank = 1 if seat.won else 2
    return SeatResult(
        index=seat.index,
        rank=rank,
        user_id=None if seat.is_bot else seat.user_id,
        bot_key=site_bots.key_of(seat.bot_level) if seat.is_bot else "",
        role=seat.role,
        left=bool(seat.left),
    )

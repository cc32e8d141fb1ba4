"""How a match ends: ranks for every seat, players who left after those who stayed.

A match counts once every seat has had two turns. When a player leaves earlier, by resigning or on time, a match of two
rivals is called off: nobody won, and nothing is rated. With more players the others play on, but the match is not
rated any more. (For the table of a league an early end is a forfeit; that is decided there.)
"""

from collections.abc import Sequence
from datetime import datetime

from django.db.models import F
from django.utils import timezone

import engine
from games import minimum_play, webhook_events
from games.models import Match, Seat
from games.models.match import CALLED_OFF
from games.play import dispatch
from games.user_bots import events

STAND_IN = "regular"


def remove_player(*, match: Match, seat: Seat, left: str) -> None:
    """A player leaves, inside the caller's transaction. A match of two rivals ends; elsewhere a bot takes the seat.

    A tutorial is there for this player alone, and is called off.
    """
    game = engine.game(match.game)
    seat.left = left
    if match.is_tutorial:
        seat.save(update_fields=["left"])
        seats = list(Seat.objects.filter(match=match).select_related("user").order_by("index"))
        call_off(match=match, seats=seats, cause=Match.Cause.RESIGNED)
        return
    early = left != Seat.Left.AWAY and minimum_play.is_early(match)
    if left != Seat.Left.AWAY and match.players == 2 and not game.cooperative:
        seat.save(update_fields=["left"])
        cause = Match.Cause.RESIGNED if left == Seat.Left.RESIGNED else Match.Cause.TIMEOUT
        seats = list(Seat.objects.filter(match=match).select_related("user").order_by("index"))
        if early:
            _close(match, seats, cause, None, timezone.now())
        else:
            ranks = tuple(1 + (other == seat.index) for other in range(match.players))
            _close(match, seats, cause, engine.Outcome(ranks, (1 - seat.index,), (), str(left)), timezone.now())
        return
    if early:
        match.rated = False
        match.save(update_fields=["rated"])
    seat.bot_level = STAND_IN
    seat.save(update_fields=["left", "bot_level"])
    Match.objects.filter(pk=match.pk).update(seat_changes=F("seat_changes") + 1)
    dispatch.mark_bot_due(match, timezone.now())


def finish_match(*, match: Match, seats: list[Seat], outcome: engine.Outcome, now: datetime) -> None:
    """Write down the result of a match that was played to its end, inside the caller's transaction."""
    if match.rated and minimum_play.hardly_played(match, seats):
        match.rated = False
    _close(match, seats, Match.Cause.PLAYED, outcome, now)


def call_off(*, match: Match, seats: list[Seat], cause: str) -> None:
    """End a match without a result, inside the caller's transaction: nobody won, and nothing is rated."""
    _close(match, seats, cause, None, timezone.now())


def _close(match: Match, seats: list[Seat], cause: str, outcome: engine.Outcome | None, now: datetime) -> None:
    """End the match; without an outcome it is called off."""
    ranks = [None] * len(seats) if outcome is None else final_ranks(outcome.ranks, [bool(seat.left) for seat in seats])
    for seat, rank in zip(seats, ranks):
        seat.rank = rank
        seat.score = outcome.scores[seat.index] if outcome and outcome.scores else None
        seat.won = outcome is not None and seat.index in outcome.winners and not seat.left
    Seat.objects.bulk_update(seats, ["rank", "score", "won"])
    match.status, match.cause, match.finished_at = Match.Status.FINISHED, cause, now
    match.reason, match.grade = (outcome.reason, list(outcome.grade)) if outcome else (CALLED_OFF, [])
    match.bot_due = match.deadline = match.to_act = None
    match.save(
        update_fields=[
            "status", "cause", "reason", "grade", "rated", "finished_at", "bot_due", "deadline", "to_act",
        ]
    )  # fmt: skip
    dispatch.enqueue_match_finished(match)
    webhook_events.emit_match_finished(match)
    events.append_match_over(match, seats)


def final_ranks(ranks: Sequence[int], gone: Sequence[bool]) -> list[int]:
    """Ranks from 1, ties shared. Players who left share the last place, after all who stayed."""
    stayed = [rank for rank, left in zip(ranks, gone) if not left]
    return [len(stayed) + 1 if left else 1 + sum(other < rank for other in stayed) for rank, left in zip(ranks, gone)]

"""How a match ends: ranks for every seat, those who left behind those who stayed.

A match counts once every seat has had two turns. When somebody leaves earlier, by resigning or on time, a match of two
rivals is called off: nobody won, and nothing is rated. Where the others play on it stays their match, but it is not
rated any more. (What an early end means for the table of a league is decided there: it is a forfeit.)
"""

from collections.abc import Sequence
from datetime import datetime

from django.utils import timezone

import engine
from games import botevents, news, queue, rated
from games.models import Match, Seat
from games.models.match import CALLED_OFF

STAND_IN = "regular"


def leave(*, match: Match, seat: Seat, left: str) -> None:
    """A player goes, inside the caller's transaction: the match ends if nobody is left to play it, else a bot sits in.

    At a table of two rivals nobody is left to play against. Elsewhere the others' match goes on.
    """
    game = engine.game(match.game)
    seat.left = left
    early = left != Seat.Left.AWAY and rated.is_early(match)
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
    queue.owe(match, timezone.now())


def conclude(*, match: Match, seats: list[Seat], outcome: engine.Outcome, now: datetime) -> None:
    """Write down the result of a match that was played to its end, inside the caller's transaction."""
    if match.rated and rated.hardly_played(match, seats):
        match.rated = False
    _close(match, seats, Match.Cause.PLAYED, outcome, now)


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
    queue.tell_of_end(match)
    news.tell_finished(match)
    botevents.tell_over(match, seats)


def final_ranks(ranks: Sequence[int], gone: Sequence[bool]) -> list[int]:
    """Ranks from 1, ties shared; whoever left comes after everyone who stayed, all of them on one place."""
    stayed = [rank for rank, left in zip(ranks, gone) if not left]
    return [len(stayed) + 1 if left else 1 + sum(other < rank for other in stayed) for rank, left in zip(ranks, gone)]

"""A bot's turn: think outside any transaction, then play by the same verb as everyone."""

import time
from datetime import timedelta

import structlog
from django.db.models import F, Q
from django.utils import timezone

import engine
from accounts import meters
from engine import transcript
from engine.bots import BUDGETS
from engine.thinker import ThinkError, thinker
from games import fairness, referee
from games.errors import Illegal, Stale
from games.models import Match, Move, Seat
from games.play import Played, play

# Plies that one task plays, and seconds that it takes, before it lets other matches have their turn.
SLICE = 8
SLICE_SECONDS = 2.0
# A bot that failed so often at one ply is not asked again.
MOST_ATTEMPTS = 3
# Seconds beyond its budget after which a thinking process is killed.
PATIENCE = 5.0

log = structlog.get_logger("gauntlet.bots")


def take_turn(*, match_id: int) -> int:
    """Answer for the bots of a match, a few plies at most; how many were played. Safe to run twice, or at once."""
    match = Match.objects.filter(pk=match_id).first()
    if match is None:
        return 0
    seats = list(Seat.objects.filter(match=match).select_related("user").order_by("index"))
    played, until, held = 0, time.monotonic() + SLICE_SECONDS, False
    while match.is_playing and match.bot_due is not None and match.is_current:
        goes_on = not match.pace and played + 1 < SLICE and time.monotonic() < until
        try:
            answer = _answer(match, seats, held=held, goes_on=goes_on)
        except Stale:
            # Another worker or a person came first, and has sent for what is owed now.
            return played
        except ThinkError as error:
            log.warning("a bot gave no move", match=match.key, ply=match.ply, error=str(error))
            _let_go(match)
            match.refresh_from_db()
            held = False
            continue
        if answer is None:
            return played
        played += 1
        if not goes_on:
            return played
        match, seats, held = answer.match, answer.seats, True
    return played


def _answer(match: Match, seats: list[Seat], *, held: bool, goes_on: bool) -> Played | None:
    """Play one bot's move; None when every bot waits for somebody else."""
    current = referee.at(match)
    asked = _askable(current, seats)
    if not held:
        _hold(match, asked)
    gave_up = match.attempts > MOST_ATTEMPTS
    for seat in asked:
        move = _fallback(current, seat.index) if gave_up else _thought(match, current, seat)
        if move is not None:
            meters.FALLBACKS.inc(gave_up)
            return _play(match, seat, move, Move.By.FALLBACK if gave_up else Move.By.BOT, goes_on)
    # Every bot that could act aside has left it: nothing is owed until something changes.
    Match.objects.filter(pk=match.pk, ply=match.ply).update(bot_due=None, bot_held=None, attempts=0)
    return None


def _hold(match: Match, asked: list[Seat]) -> None:
    """Claim this ply for as long as the bots may think, and count the attempt.

    Counted before thinking, so that a bot which kills its worker is counted too; held, so that the same task
    delivered twice does not think twice.
    """
    now = timezone.now()
    free = Q(bot_held=None) | Q(bot_held__lte=now)
    claimed = Match.objects.filter(free, pk=match.pk, ply=match.ply, status=Match.Status.PLAYING).update(
        attempts=F("attempts") + 1, bot_held=now + _longest(asked)
    )
    if not claimed:
        raise Stale(match.ply)
    match.attempts += 1


def _hold_next(played: engine.Match, seats: list[Seat]) -> timedelta:
    """The same for the ply after a move, in the transaction of the move."""
    return _longest(_askable(played, seats))


def _longest(asked: list[Seat]) -> timedelta:
    return timedelta(seconds=sum(BUDGETS[seat.bot_level].seconds + PATIENCE for seat in asked))


def _let_go(match: Match) -> None:
    Match.objects.filter(pk=match.pk, ply=match.ply).update(bot_held=None)


def _askable(current: engine.Match, seats: list[Seat]) -> list[Seat]:
    """The bots that may act now, those aside first: once the seat to act has answered, their moment is gone."""
    bots = [seat for seat in seats if seat.bot_level and current.legal(seat.index)]
    return sorted(bots, key=lambda seat: seat.index == current.to_act)


def _thought(match: Match, current: engine.Match, seat: Seat) -> str | None:
    budget = BUDGETS[seat.bot_level]
    with meters.BOTS.labels(match.game, seat.bot_level).time():
        return thinker().think(
            transcript.transcript(current),
            seat=seat.index,
            level=seat.bot_level,
            budget=budget,
            seed=fairness.bot_seed(match, current.ply, seat.index),
            deadline=budget.seconds + PATIENCE,
        )


def _fallback(current: engine.Match, seat: int) -> str | None:
    """In place of a bot that failed: the first legal move, where the match waits for it; else nothing."""
    return current.notation(current.legal(seat)[0], seat) if seat == current.to_act else None


def _play(match: Match, seat: Seat, move: str, by: str, goes_on: bool) -> Played:
    hold = _hold_next if goes_on else None
    try:
        return play(match=match, ply=match.ply, seat=seat.index, move=move, by=by, hold=hold)
    except Illegal as error:
        raise ThinkError(f"the bot chose {move!r}: {error}") from error

"""A bot's turn: think outside any transaction, then write the whole turn at once."""

import time
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import Any

import structlog
from django.utils import timezone

import engine
from accounts.infra import metrics
from accounts.infra.plain_sql import update_where
from engine import transcript
from engine.bot_process import Chosen, Order, ThinkError, is_over, shared_pool
from engine.bots import Budget, budget
from games import coach, engine_match, help_state
from games.errors import Stale
from games.loading import with_seats_by_id
from games.models import Match, Move, Seat
from games.play import fair_share, help_window, pace
from games.play.moves import Played, commit, hold_act

# Plies (but never in the middle of a turn) and seconds after which a task stops, so that other matches get their turn.
SLICE = 24
SLICE_SECONDS = 2.0
# So many moves in one request at most, however long the turn.
MOST_PLIES = 200
# A task may come this much before its time.
EARLY = timedelta(milliseconds=50)
# After so many failures at one ply the bot is not asked again.
MAX_ATTEMPTS = 3
# Seconds beyond its budget after which a thinking process is killed.
KILL_MARGIN = 5.0
# So many tables a free worker tries before it takes the next task.
MOST_TRIED = 4

log = structlog.get_logger("gauntlet.bots")


def serve_next(*, match_id: int) -> int:
    """Let the bots of the table move whose turn it fairly is, which need not be the one that sent the task.

    Every table that is due has sent a task, so each gets its turn; the sweep sends those that were lost.
    """
    for chosen in fair_share.next_matches(match_id)[:MOST_TRIED]:
        # Nothing was played if another worker took the same table at this moment: then the next one.
        if played := take_bot_turns(match_id=chosen):
            return played
    return 0


def take_bot_turns(*, match_id: int) -> int:
    """Play for the bots of a match, a few turns at most; returns how many plies. Safe to run twice or in parallel.

    A bot's turn is one transaction. Where a person plays, the next turn of a bot waits until this one has been seen.
    """
    match = with_seats_by_id(match_id)
    if match is None:
        return 0
    seats = list(match.seats.all())
    played, until, claimed = 0, time.monotonic() + SLICE_SECONDS, False
    while match.is_playing and match.bot_due is not None and match.is_current:
        if not match.pace and match.bot_due > timezone.now() + EARLY:
            return played
        window = help_state.window_of(match)
        try:
            if window is not None:
                return played + _end_window(match, seats, window)
            before = match.ply
            answer = _play_turn(match, seats, claimed=claimed, until=until, room=SLICE - played)
        except Stale:
            # Another worker or a person was first, and has sent the next task.
            return played
        except ThinkError as error:
            log.warning("a bot gave no move", match=match.key, ply=match.ply, error=str(error))
            _release_claim(match)
            match.refresh_from_db()
            claimed = False
            continue
        if answer is None:
            return played
        played += answer.ply - before
        if answer.waits or answer.match.bot_held is None:
            return played
        match, seats, claimed = answer.match, answer.seats, True
    return played


def _play_turn(match: Match, seats: list[Seat], *, claimed: bool, until: float, room: int) -> Played | None:
    """Play for the bots until the turn is over or others must act; None when every bot waits for another player."""
    current = engine_match.load(match)
    turn, before = help_state.turn_of(current), current.to_act
    if not claimed:
        _claim_ply(match, seats)
    if match.attempts > MAX_ATTEMPTS:
        return _play_fallback(match, seats, current, turn, before)
    # Alone, bots play several turns at once: nobody could respond in between.
    alone = not match.pace and all(seat.bot_level for seat in seats)
    order = Order(
        bots=_bots(match, seats),
        seed=match.secret,
        plies=room if alone else 0,
        # After a failure one move at a time: those before it count, and the one that fails is found.
        most=1 if match.attempts > 1 else MOST_PLIES,
        asked=tuple(seat.index for seat in seats if seat.is_played_by_person),
    )
    began, waiting_act, chosen = current.game.turn(current.state), "", Chosen([], asks=True)
    while chosen.asks and not waiting_act and current.outcome is None:
        try:
            chosen = _choose(match, current, seats, replace(order, seconds=max(until - time.monotonic(), 0.0)))
        except ThinkError:
            if current.ply == match.ply:
                raise
            break  # what was played before it failed counts
        for index, notation, _ in chosen.moves:
            if index == current.to_act and current.closes(notation):
                waiting = help_state.people_to_ask(match, seats, current)
                if waiting:
                    waiting_act = notation
                    break
            try:
                current.play(notation, index)
            except engine.IllegalAction as error:
                raise ThinkError(f"the bot chose {notation!r}: {error}") from error
        if is_over(current, began, current.ply - match.ply, order.plies, order.bots) or time.monotonic() > until:
            break
    if current.ply == match.ply:
        if waiting_act:
            return hold_act(match, seats, current, waiting_act, Move.By.BOT, waiting)
        # Every bot that could act out of turn has declined: nothing to do until something changes.
        Match.objects.filter(pk=match.pk, ply=match.ply).update(bot_due=None, bot_held=None, attempts=0)
        return None
    fast = not match.pace and not pace.applies(match, seats)
    goes_on = bool(waiting_act) or (fast and current.ply - match.ply < room and time.monotonic() < until)
    answer = commit(
        match=match,
        seats=seats,
        played=current,
        by=Move.By.BOT,
        turn=turn,
        before=before,
        claim=_claim_time(match, seats) if goes_on else None,
    )
    if waiting_act and answer.match.is_playing:
        return hold_act(answer.match, answer.seats, current, waiting_act, Move.By.BOT, waiting)
    return answer


def _play_fallback(
    match: Match, seats: list[Seat], current: engine.Match, turn: list[int], before: int | None
) -> Played | None:
    """The first legal move, in place of a bot that failed."""
    if before is None or not seats[before].bot_level:
        Match.objects.filter(pk=match.pk, ply=match.ply).update(bot_due=None, bot_held=None, attempts=0)
        return None
    metrics.FALLBACKS.inc()
    current.play(current.legal(before)[0], before)
    return commit(match=match, played=current, by=Move.By.FALLBACK, turn=turn, before=before)


def _end_window(match: Match, seats: list[Seat], window: dict[str, Any]) -> int:
    """Ask the bots whose answer an act waits for, and play it once nobody is left to answer or the time is up."""
    current = engine_match.load(match)
    turn, before = help_state.turn_of(current), current.to_act
    bots = [seats[index] for index in window["waiting"] if seats[index].bot_level]
    if bots:
        order = Order(_bots(match, bots), match.secret, most=1)
        with suppress(ThinkError):
            for index, notation, _ in _choose(match, current, seats, order).moves:
                current.play(notation, index)
                answer = commit(match=match, played=current, by=Move.By.BOT, turn=turn, before=before)
                return answer.ply - match.ply
    match = help_window.drop_bots(match, seats, [seat.index for seat in bots])
    ended = help_window.end_if_answered(match)
    return ended.ply - match.ply if ended else 0


def _claim_ply(match: Match, seats: list[Seat]) -> None:
    """Claim this ply for as long as the bots may think, and count the attempt.

    It is counted before thinking, so that a bot that kills its worker is counted too. The claim keeps a task that is
    delivered twice from thinking twice.
    """
    now = timezone.now()
    if match.bot_held is not None and match.bot_held > now:
        raise Stale(match.ply)
    # Compare and set: whoever has claimed it since the row was read has changed one of these.
    here = {"id": match.pk, "ply": match.ply, "status": Match.Status.PLAYING}
    here |= {"bot_held": match.bot_held, "attempts": match.attempts}
    claim = {"attempts": match.attempts + 1, "bot_held": now + _claim_time(match, seats)}
    if not update_where(Match, here, claim):
        raise Stale(match.ply)
    match.attempts += 1


def _bots(match: Match, seats: list[Seat]) -> dict[int, tuple[str, Budget]]:
    """The level and the budget of each of these seats that a bot plays."""
    return {seat.index: (seat.bot_level, budget(match.game, seat.bot_level)) for seat in seats if seat.bot_level}


def _claim_time(match: Match, seats: list[Seat]) -> timedelta:
    """How long a turn may take: its slice, a last move of every bot, and what a process is late at most."""
    thinking = sum(spent.seconds for _level, spent in _bots(match, seats).values())
    return timedelta(seconds=SLICE_SECONDS + thinking + KILL_MARGIN)


def _release_claim(match: Match) -> None:
    Match.objects.filter(pk=match.pk, ply=match.ply).update(bot_held=None)


def _choose(match: Match, current: engine.Match, seats: list[Seat], order: Order) -> Chosen:
    """Ask the bots, in one request to a bot process, and charge the time to whoever opened the table.

    In the guided part of a tutorial they follow its script, a move at a time.
    """
    if match.is_tutorial and (scripted := coach.replies(match, current)) is not None:
        return Chosen([(index, notation, 0.0) for index, notation in scripted], asks=bool(scripted))
    began = time.monotonic()
    try:
        chosen = shared_pool().play(transcript.transcript(current), order, margin=KILL_MARGIN)
    finally:
        fair_share.charge(match, time.monotonic() - began)
    for index, _, seconds in chosen.moves:
        metrics.BOTS.labels(match.game, seats[index].bot_level).observe(seconds)
    if chosen.error:
        log.warning("a bot gave no move", match=match.key, ply=current.ply + len(chosen.moves), error=chosen.error)
    return chosen

"""Sends tasks: bots' turns and finished matches. A task may be lost; the sweep finds the row."""

from datetime import datetime, timedelta

from celery import current_app

from accounts.infra.on_commit import after_commit
from games import help_state
from games.models import Match

BOT_TURN = "games.tasks.bot_turn"
# The task for finished matches. It is in another app, which this one does not import.
ENDED = "leagues.tasks.pick_up"


def due_at(match: Match, now: datetime, pause: timedelta = timedelta(0)) -> datetime:
    """When the bot should move: a match for spectators waits a little before each move, a table of people and bots
    until the turn before has been seen."""
    return now + (timedelta(seconds=match.pace) if match.pace else pause)


def mark_bot_due(match: Match, now: datetime) -> None:
    """Record that a bot is to move, inside the caller's transaction; an act that waited is decided again."""
    match.bot_due = due_at(match, now)
    match.responses = help_state.without_window(match.responses)
    Match.objects.filter(pk=match.pk).update(
        bot_due=match.bot_due, bot_held=None, attempts=0, deadline=None, responses=match.responses
    )
    send_after_commit(match, now)


def send_after_commit(match: Match, now: datetime) -> None:
    """Send the task for a match of which a bot is due, at its time. The sweep sends those of exhibitions."""
    if match.pace or match.bot_due is None:
        return
    wait = (match.bot_due - now).total_seconds()
    if wait > 0:
        after_commit(enqueue_bot_turn_later, match.pk, wait)
    else:
        after_commit(enqueue_bot_turn, match.pk)


def enqueue_bot_turn(match_id: int) -> None:
    # No retry: a person waits for the response to their move, and the sweep finds the row.
    current_app.send_task(BOT_TURN, [match_id], queue="bots", ignore_result=True, retry=False)


def enqueue_bot_turn_later(match_id: int, seconds: float) -> None:
    current_app.send_task(BOT_TURN, [match_id], queue="bots", ignore_result=True, retry=False, countdown=seconds)


def enqueue_match_finished(match: Match) -> None:
    """After commit, send the task for a finished match. If it is lost, the finished row is found later."""
    after_commit(_send_end, match.pk)


def _send_end(match_id: int) -> None:
    current_app.send_task(ENDED, [match_id], queue="league", ignore_result=True, retry=False)

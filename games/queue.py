"""Bots' turns as tasks. The row's `bot_due` is the truth; a task is only a hint that may be lost."""

from datetime import datetime, timedelta

from celery import current_app

from accounts.effects import after_commit
from games.models import Match

BOT_TURN = "games.tasks.bot_turn"


def due_at(match: Match, now: datetime) -> datetime:
    """A match paced for those who watch waits a little before each move."""
    return now + timedelta(seconds=match.pace)


def owe(match: Match, now: datetime) -> None:
    """Note that a bot owes an answer, inside the caller's transaction."""
    match.bot_due = due_at(match, now)
    Match.objects.filter(pk=match.pk).update(bot_due=match.bot_due, bot_held=None, attempts=0, deadline=None)
    send_after_commit(match)


def send_after_commit(match: Match) -> None:
    if not match.pace:
        after_commit(send, match.pk)


def send(match_id: int) -> None:
    # Not tried again: whoever waits here is a person whose move has just been made, and the sweeper finds the row.
    current_app.send_task(BOT_TURN, [match_id], queue="bots", ignore_result=True, retry=False)

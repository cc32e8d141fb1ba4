"""What is owed, as tasks: bots' turns, and word of a match's end. The row is the truth; a task may be lost."""

from datetime import datetime, timedelta

from celery import current_app

from accounts.effects import after_commit
from games.models import Match

BOT_TURN = "games.tasks.bot_turn"
# Whoever builds on finished matches listens for this; here nobody knows who that is.
ENDED = "leagues.tasks.pick_up"


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


def tell_of_end(match: Match) -> None:
    """After commit, say that a match has ended; whoever misses it finds the finished row."""
    after_commit(_send_end, match.pk)


def _send_end(match_id: int) -> None:
    current_app.send_task(ENDED, [match_id], queue="league", ignore_result=True, retry=False)

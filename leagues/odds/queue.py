"""Odds as a task, sent after whatever the log takes down. It may be lost; a sweep finds what is out of date."""

from celery import current_app

from accounts.effects import after_commit
from leagues.models import Season

ODDS = "leagues.tasks.odds"


def ask(season: Season) -> None:
    """After commit. Whether anything that matters has changed is for the task to see."""
    if season.is_running and season.odds:
        after_commit(send, season.pk)


def send(season_id: int) -> None:
    current_app.send_task(ODDS, [season_id], queue="league", ignore_result=True, retry=False)

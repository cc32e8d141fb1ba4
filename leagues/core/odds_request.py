"""Requests a task that computes the odds, after every change of a season. A lost task is repeated by a sweep."""

from celery import current_app

from accounts.infra.on_commit import after_commit
from leagues.models import Season

ODDS = "leagues.tasks.odds"


def request_odds(season: Season) -> None:
    """Send the task after commit. The task itself checks whether anything relevant has changed."""
    if season.is_running and season.odds:
        after_commit(send, season.pk)


def send(season_id: int) -> None:
    current_app.send_task(ODDS, [season_id], queue="league", ignore_result=True, retry=False)

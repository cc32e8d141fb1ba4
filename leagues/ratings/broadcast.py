"""Notifies pages that show ratings, after commit, that a game's ratings have changed."""

from accounts.infra.on_commit import after_commit
from accounts.infra.realtime.publish import frame, publish
from leagues.models import RatingPool


def group(game: str) -> str:
    return f"ratings.{game}"


def ratings_changed(pool: RatingPool) -> None:
    after_commit(_send, pool.game)


def _send(game: str) -> None:
    publish(group(game), frame("ratings", game=game))

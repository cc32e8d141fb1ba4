"""After commit: pages that show ratings hear that a game's numbers have moved, and ask again."""

from accounts.effects import after_commit
from accounts.live.publish import frame, publish
from leagues.models import RatingPool


def group(game: str) -> str:
    return f"ratings.{game}"


def ratings_changed(pool: RatingPool) -> None:
    after_commit(_send, pool.game)


def _send(game: str) -> None:
    publish(group(game), frame("ratings", game=game))

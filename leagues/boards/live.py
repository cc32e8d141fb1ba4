"""A finished match moves the rows of an open leaderboard: who listens, and what they hear."""

from collections.abc import Collection

import engine
from accounts.access import Actor
from accounts.effects import after_commit
from accounts.live.publish import frame, publish
from accounts.live.topics import Audience, Refused, Topic
from games.live import groups

MOST_PEOPLE = 24


class BoardPage(Topic):
    """`board.<game>`: the ratings of a game have moved. Everyone may know."""

    def audience(self, visitor: Actor, argument: str) -> Audience:
        if argument not in engine.GAMES:
            raise Refused
        return Audience(f"board.{argument}")


def moved(game: str, users: Collection[int]) -> None:
    """Called by whoever folds, inside their transaction: open pages ask again once it is committed.

    A refold may move everybody; then only the boards are told, and a player's open page waits for their next game.
    """
    after_commit(publish, f"board.{game}", frame("board", game=game))
    if len(users) <= MOST_PEOPLE:
        for user in users:
            after_commit(publish, groups.person(user), frame("ratings", game=game))

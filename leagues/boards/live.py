"""A finished match moves the rows of an open leaderboard: who may listen."""

import engine
from accounts.access import Actor
from accounts.live.topics import Audience, Refused, Topic
from leagues.ratings import announce


class RatingsPage(Topic):
    """`ratings.<game>`: the numbers of a game have moved. Everyone may know."""

    def audience(self, visitor: Actor, argument: str) -> Audience:
        if argument not in engine.GAMES:
            raise Refused
        return Audience(announce.group(argument))

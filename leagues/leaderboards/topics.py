"""The live topic that updates open leaderboards after a match."""

import engine
from accounts.access import Actor
from accounts.infra.realtime.topics import Audience, Topic, TopicDenied
from leagues.ratings import broadcast


class RatingsPage(Topic):
    """`ratings.<game>`: ratings of a game have changed. Public."""

    def audience(self, visitor: Actor, argument: str) -> Audience:
        if argument not in engine.GAMES:
            raise TopicDenied
        return Audience(broadcast.group(argument))

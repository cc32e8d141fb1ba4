"""Tables, matches and what is said at them: fields, constraints, cheap properties."""

from games.models.match import Match, MatchQuerySet
from games.models.ownbot import BotChallenge, BotEvent, BotFault, OwnBot
from games.models.record import Move, Seat
from games.models.talk import ChatLine, Mute, Report

__all__ = [
    "BotChallenge",
    "BotEvent",
    "BotFault",
    "ChatLine",
    "Match",
    "MatchQuerySet",
    "Move",
    "Mute",
    "OwnBot",
    "Report",
    "Seat",
]

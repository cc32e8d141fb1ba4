"""Models of tables, matches, chat and users' bots: fields, constraints, cheap properties."""

from games.models.analysis import Analysis
from games.models.card_file import CardFile
from games.models.chat import ChatLine, Mute, Report
from games.models.hint import Hint
from games.models.match import Match, MatchQuerySet
from games.models.meeting import PairingWish, PersonChallenge
from games.models.puzzle import Puzzle, PuzzleLine, PuzzleQuerySet, PuzzleTry
from games.models.record import Move, Seat
from games.models.user_bot import BotChallenge, BotEvent, BotFault, OwnBot

__all__ = [
    "Analysis",
    "BotChallenge",
    "BotEvent",
    "BotFault",
    "CardFile",
    "ChatLine",
    "Hint",
    "Match",
    "MatchQuerySet",
    "Move",
    "Mute",
    "OwnBot",
    "PairingWish",
    "PersonChallenge",
    "Puzzle",
    "PuzzleLine",
    "PuzzleQuerySet",
    "PuzzleTry",
    "Report",
    "Seat",
]

"""Everything the app stores, one module a subject."""

from leagues.models.competition import Division, League, Movement, Round, Season, Stage, Undoable
from leagues.models.entrant import Challenge, Entrant, EntrantStep, RequestedBye, Starter, TeamMember, Waiting
from leagues.models.pairing import Bye, Pairing, PairingSeat, Presence, Result, ResultAnswer, StandingsSnapshot
from leagues.models.pickup import PickUp
from leagues.models.rating import HouseBot, RatedResult, Rating, RatingChange, RatingOffset, RatingPool, Refold

__all__ = [
    "Bye",
    "Challenge",
    "Division",
    "Entrant",
    "EntrantStep",
    "HouseBot",
    "League",
    "Movement",
    "Pairing",
    "PairingSeat",
    "PickUp",
    "Presence",
    "RatedResult",
    "Rating",
    "RatingChange",
    "RatingOffset",
    "RatingPool",
    "Refold",
    "RequestedBye",
    "Result",
    "ResultAnswer",
    "Round",
    "Season",
    "Stage",
    "StandingsSnapshot",
    "Starter",
    "TeamMember",
    "Undoable",
    "Waiting",
]

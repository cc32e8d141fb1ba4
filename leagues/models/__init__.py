"""Everything the app stores, one module a subject."""

from leagues.models.calendar import Answer, Availability, ClubNight, Habit, Placement, Plan, Series, Slot, Venue
from leagues.models.competition import Division, League, Movement, Round, Season, Stage, Undoable
from leagues.models.entrant import Challenge, Entrant, EntrantStep, RequestedBye, Starter, TeamMember, Waiting
from leagues.models.exchange import Upload
from leagues.models.pairing import Bye, Pairing, PairingSeat, Presence, Result, ResultAnswer, StandingsSnapshot
from leagues.models.pickup import PickUp
from leagues.models.rating import HouseBot, RatedResult, Rating, RatingChange, RatingOffset, RatingPool, Refold

__all__ = [
    "Answer",
    "Availability",
    "Bye",
    "Challenge",
    "ClubNight",
    "Division",
    "Entrant",
    "EntrantStep",
    "Habit",
    "HouseBot",
    "League",
    "Movement",
    "Pairing",
    "PairingSeat",
    "PickUp",
    "Placement",
    "Plan",
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
    "Series",
    "Slot",
    "Stage",
    "StandingsSnapshot",
    "Starter",
    "TeamMember",
    "Undoable",
    "Upload",
    "Venue",
    "Waiting",
]

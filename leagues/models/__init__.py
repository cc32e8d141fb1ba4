"""Everything the app stores, one module a subject."""

from leagues.models.calendar import Answer, Availability, ClubNight, Habit, Placement, Plan, Series, Slot, Venue
from leagues.models.closing import PlaceOffer, ReturnCall, ReturnQuestion, SignOff
from leagues.models.competition import Division, League, Movement, Round, Season, Stage, Undoable
from leagues.models.entrant import Challenge, Entrant, EntrantStep, RequestedBye, Starter, TeamMember, Waiting
from leagues.models.exchange import Upload
from leagues.models.feed import Feed
from leagues.models.odds import Odds, OddsAfter
from leagues.models.pairing import Bye, Pairing, PairingSeat, Presence, Result, ResultAnswer, StandingsSnapshot
from leagues.models.pickup import PickUp
from leagues.models.rating import HouseBot, RatedResult, Rating, RatingChange, RatingOffset, RatingPool, Refold
from leagues.models.window import Extension, ProposedTime, Reminder, TimeAnswer, TimeProposal

__all__ = [
    "Answer",
    "Availability",
    "Bye",
    "Challenge",
    "ClubNight",
    "Division",
    "Entrant",
    "EntrantStep",
    "Extension",
    "Feed",
    "Habit",
    "HouseBot",
    "League",
    "Movement",
    "Odds",
    "OddsAfter",
    "Pairing",
    "PairingSeat",
    "PickUp",
    "PlaceOffer",
    "Placement",
    "Plan",
    "Presence",
    "ProposedTime",
    "RatedResult",
    "Rating",
    "RatingChange",
    "RatingOffset",
    "RatingPool",
    "Refold",
    "Reminder",
    "RequestedBye",
    "Result",
    "ResultAnswer",
    "ReturnCall",
    "ReturnQuestion",
    "Round",
    "Season",
    "Series",
    "SignOff",
    "Slot",
    "Stage",
    "StandingsSnapshot",
    "Starter",
    "TeamMember",
    "TimeAnswer",
    "TimeProposal",
    "Undoable",
    "Upload",
    "Venue",
    "Waiting",
]

"""The models of the app, one module for each subject."""

from leagues.models.announcement import Announcement
from leagues.models.calendar import (
    Answer,
    Availability,
    ClubNight,
    Habit,
    Placement,
    Plan,
    RoundNight,
    Series,
    Slot,
    Venue,
)
from leagues.models.competition import Division, League, Movement, Round, Season, Stage, Undoable
from leagues.models.entrant import (
    Challenge,
    Entrant,
    EntrantStep,
    MeetingRule,
    RequestedBye,
    RoundAttendance,
    Starter,
    TeamMember,
    Waiting,
)
from leagues.models.exchange import Upload
from leagues.models.feed import Feed
from leagues.models.integrity import EntryConsent, GuestJoin, GuestWitness, Objection, RatingFlag
from leagues.models.match_intake import PickUp
from leagues.models.odds import Odds, OddsAfter
from leagues.models.pairing import Bye, Pairing, PairingSeat, Presence, Result, ResultAnswer, StandingsSnapshot
from leagues.models.rating import (
    BoardDigest,
    HouseBot,
    RatedResult,
    Rating,
    RatingChange,
    RatingOffset,
    RatingPool,
    Refold,
)
from leagues.models.renewal import PlaceOffer, ReturnCall, ReturnQuestion, SignOff
from leagues.models.time_proposal import Extension, ProposedTime, Reminder, TimeAnswer, TimeProposal

__all__ = [
    "Announcement",
    "Answer",
    "Availability",
    "BoardDigest",
    "Bye",
    "Challenge",
    "ClubNight",
    "Division",
    "Entrant",
    "EntrantStep",
    "EntryConsent",
    "Extension",
    "Feed",
    "GuestJoin",
    "GuestWitness",
    "Habit",
    "HouseBot",
    "League",
    "MeetingRule",
    "Movement",
    "Objection",
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
    "RatingFlag",
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
    "RoundAttendance",
    "RoundNight",
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

"""Everything the app stores, one module a subject."""

from leagues.models.competition import Division, League, Movement, Round, Season, Stage, Undoable
from leagues.models.entrant import Challenge, Entrant, EntrantStep, RequestedBye, Starter, TeamMember, Waiting
from leagues.models.pairing import Bye, Pairing, PairingSeat, Presence, Result, ResultAnswer, StandingsSnapshot

__all__ = [
    "Bye",
    "Challenge",
    "Division",
    "Entrant",
    "EntrantStep",
    "League",
    "Movement",
    "Pairing",
    "PairingSeat",
    "Presence",
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

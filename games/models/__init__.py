"""Tables, matches and what is said at them: fields, constraints, cheap properties."""

from games.models.match import Match, MatchQuerySet
from games.models.record import Move, Seat
from games.models.talk import ChatLine, Mute, Report

__all__ = ["ChatLine", "Match", "MatchQuerySet", "Move", "Mute", "Report", "Seat"]

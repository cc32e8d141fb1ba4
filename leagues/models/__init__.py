"""Ratings and competitions: fields, constraints, cheap properties."""

from leagues.models.pickup import PickUp
from leagues.models.rating import HouseBot, RatedResult, Rating, RatingChange, RatingOffset, RatingPool, Refold

__all__ = ["HouseBot", "PickUp", "RatedResult", "Rating", "RatingChange", "RatingOffset", "RatingPool", "Refold"]

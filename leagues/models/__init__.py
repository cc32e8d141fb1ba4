"""Ratings and competitions: fields, constraints, cheap properties."""

from leagues.models.rating import HouseBot, RatedResult, Rating, RatingChange, RatingOffset, RatingPool, Refold

__all__ = ["HouseBot", "RatedResult", "Rating", "RatingChange", "RatingOffset", "RatingPool", "Refold"]

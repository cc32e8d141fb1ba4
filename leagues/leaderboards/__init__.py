"""Leaderboards, player records and explained rating changes. Reads ratings; writes only a cache of counts."""

"""Leaderboards, player records and explained rating changes. Reads ratings, writes nothing."""

"""Leaderboards, players' records and explained changes: all that is read from ratings, and nothing written."""

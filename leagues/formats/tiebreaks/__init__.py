"""Tie-breaks: named parts that compose into a list, exact, and each value open to the last contribution."""

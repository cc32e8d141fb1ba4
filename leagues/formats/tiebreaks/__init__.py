"""Tie-breaks: each has a code; a season uses a list of them. Values are exact, with all their contributions."""

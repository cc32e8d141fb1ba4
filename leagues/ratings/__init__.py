"""Ratings: `kinds`, `fold` and `explain` are pure; `ledger` writes, `read` reads."""

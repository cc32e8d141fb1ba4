"""Ratings in the database: `ledger` records results, `pending` applies them with the arithmetic of `leagues.elo`.

May import: elo, models, core. Entry points: ledger.record, pending.apply_pending_results, queries."""

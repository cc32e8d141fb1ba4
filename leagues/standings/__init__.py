"""Standings with reasons, now or after an earlier round.

May import: core, formats, models. Entry points: ranking, presentation.standings_tables, snapshots.snapshot_round.
"""

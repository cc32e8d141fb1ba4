"""Who plays in a season: entries, withdrawals, byes, seeds.

May import: core, rounds. Entry points: registration, withdrawal, bye_requests, seeding.
"""

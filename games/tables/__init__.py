"""From an open table to a started match: set-up, seats, start, leaving, exhibition matches.

May import: play, realtime, user_bots. Entry points: setup.open_table, seating.sit, start.start.
"""

"""People who look for each other: challenges from person to person, and quick pairing by strength.

May import tables, seats and `accounts.follows`; pages and API call its verbs.
"""

"""A season's life: set-up, presets, next steps, closing, sign-off, the next season, undo.

May import: every other domain package of leagues. Entry points:
setup.create_league, closing, rollover.start_next_season.
"""

"""Results: reported, confirmed, corrected, taken from matches on this site, and everything that a result causes.

May import: standings, ratings, core, placement, seasons. Entry points: recording.record_result, reporting, corrections.
"""

"""When a table is played and what happens if it is not: agreed times, extensions, deadlines.

May import: core, results, rounds. Entry points: time_proposals, deadlines.
"""

"""Title odds: the rest of a season simulated many times, from the ratings and by the season's own rules.

`simulation` is pure and runs as a separate program (`subprocess_runner`). `inputs` reads the database, `refresh` is the
task, and `presentation` prepares pages. May import: standings, ratings, core, formats, elo.
"""

"""How a competition is drawn and ranked: pure functions over frozen values, one file a format.

Nothing here uses a database, a clock or a random generator. The same input always gives the same output; what looks
like chance is a hash of the event's seed (`lots`). Points are integers in units of 1/120
(`values.POINT`), tie-breaks exact fractions. Every table, bye and place says why in a `Reason` the site can translate.
"""

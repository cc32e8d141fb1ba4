"""What the site knows of each game beyond its rules: names, option labels, what may be rated.

One module a game, each with a `SPEC`. May import: engine. Entry points: spec, terms, option_labels, ratability.
"""

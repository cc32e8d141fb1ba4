"""The rules of each game for people, in words of ours: one module a game, each with a `RULEBOOK`.

What is on cards and dice is read from the engine's own data, so that the pages cannot differ from what is played.
May import: engine, games.catalogue. Entry points: page.rules_of, contents.rulebook.
"""

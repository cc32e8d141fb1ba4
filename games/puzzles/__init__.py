"""Puzzles: choices from finished public matches and from matches of bots, tried by people and rated against them.

The arithmetic is in `engine.analysis.puzzles`; nothing here judges a move. Enter at `making.make_some`,
`choosing.puzzle_of_day` and `tries.answer`.
"""

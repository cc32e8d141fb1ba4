"""The first match of each game with a coach: a fixed deal, what the coach says and asks, and what the others play.

A game has one in the module of this folder named after it; `contents.py` says what it consists of. It is played by the
rules: `tests/games/test_tutorials.py` plays each through, so that a deal which changes breaks the test and not the
reader.
"""

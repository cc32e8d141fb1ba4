"""Numbers of the log's events, and of the ways a match can end. `event_text.py` lists the operands.

Compiled by mypyc; see `engine.build`.
"""

from typing import Final

DREW: Final = 1
DREW_CARD: Final = 2
PLAYED: Final = 3
PASSED: Final = 4
TARGETED: Final = 5
GUESSED_THANOS: Final = 6
MISSED: Final = 7
DEFEATED: Final = 8
SHUFFLED_IN: Final = 9
REBUILT: Final = 10
PEEKED: Final = 11
PEEKED_CARD: Final = 12
DECLINED: Final = 13
FOUGHT: Final = 14
FOUGHT_CARDS: Final = 15
TIED: Final = 16
TOOK_POWER: Final = 17
LOOKED: Final = 18
LOOKED_CARDS: Final = 19
ARRANGED: Final = 20
BOTTOMED: Final = 22
BOTTOMED_CARD: Final = 23
COPIED: Final = 24
SNAPPED: Final = 25
SPARED: Final = 26
GUESSED_HERO: Final = 27
GUESSED_ALL: Final = 28
ENDED: Final = 29  # + how

# How a match ends.
SNAP_ENDING: Final = 1
HEROES_OUT: Final = 2
THANOS_OUT: Final = 3

"""Editions of the rules that a season is ranked by.

A season stores the code of its edition, so that a change of the rules never changes a season that has begun.
"""

from enum import StrEnum


class Edition(StrEnum):
    """Which rules for rounds without a game a season follows.

    `MARCH_2026` is FIDE Handbook C.07 as in force since 1 March 2026. `EARLIER` are the rules of this site before
    there were editions. `docs/formats.md` lists the differences.
    """

    EARLIER = "before-2026-03"
    MARCH_2026 = "2026-03"


CURRENT = Edition.MARCH_2026
"""The edition of new seasons."""

"""How fast bots play where a person sits: one turn at a time, and then as long a pause as it takes to see it.

The server keeps the pace, so that every screen shows the same and others can respond. Bots alone, and matches by
correspondence, where nobody looks on, are played as fast as they can be.
"""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.conf import settings

import engine
from games.models import Match, Seat

FACTORS = {Match.Tempo.QUICK: 0.5, Match.Tempo.NORMAL: 1.0, Match.Tempo.SLOW: 1.6}
# Milliseconds at the normal tempo. What is not named here goes by with what it belongs to.
BEFORE_A_TURN = 500
LONGEST = 12_000
SHOWN = {
    "took": 1200, "returned": 900, "reserved": 900, "reserved-unseen": 900, "recruited": 1200, "location": 1000,
    "got-tile": 900, "won-tile": 1000, "passed": 600, "time-stone": 600, "assembled": 1000,
    "played": 900, "guessed-thanos": 1600, "guessed-hero": 1600, "guessed-all": 1600, "missed": 500, "spared": 500,
    "defeated": 1600, "fought": 1600, "peeked": 700, "looked": 700, "took-power": 500, "copied": 700, "snapped": 1600,
    "deployed": 700, "stone-rolled": 900, "counter-added": 400, "counter-removed": 500, "stone-power": 600,
    "thanos-rolled": 900, "thanos-turned": 900, "thanos-attacked": 1400, "villain-acted": 1200, "damaged": 400,
    "healed": 400, "rolled": 1100, "assigned": 500, "forfeited": 400, "ability-used": 600, "token-played": 900,
    "villain-defeated": 1100, "hero-lost": 900, "stone-collected": 1200, "team-ability": 500,
}  # fmt: skip
SEEN_TOGETHER = {"rolled": "ply", "took": "seat", "returned": "seat"}
"""The dice of a roll and the tokens of a turn are one picture: what they have in common."""


def applies(match: Match, seats: Sequence[Seat]) -> bool:
    """Whether a person plays here who wants to see what the bots do."""
    if match.clock == Match.Clock.DAYS or not settings.BOT_PACE:
        return False
    return any(seat.is_played_by_person and not seat.is_own_bot for seat in seats)


def pause_after(match: Match, seats: Sequence[Seat], played: engine.Match, since: int) -> timedelta:
    """How long the next turn of a bot waits, so that what happened after ply `since` can be seen."""
    if not applies(match, seats):
        return timedelta(0)
    beats = {_beat(number, event): SHOWN.get(event["event"], 0)
             for number, event in enumerate(played.events(None, since + 1))}  # fmt: skip
    milliseconds = (BEFORE_A_TURN + min(sum(beats.values()), LONGEST)) * FACTORS[Match.Tempo(match.tempo)]
    return timedelta(milliseconds=milliseconds * settings.BOT_PACE / 100)


def _beat(number: int, event: Mapping[str, Any]) -> tuple[Any, ...]:
    """What it is shown with: events of one beat have the same."""
    same = SEEN_TOGETHER.get(event["event"])
    return (event["event"], event[same]) if same else (number,)

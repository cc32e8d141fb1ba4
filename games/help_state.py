"""The response window: who can help the player on turn, who passes, and the act that waits for their answers.

In Thanos Rising a bonus token may be played in anyone's turn. Before an act that ends the chance (a roll, the end of
the turn) those who could play one are asked: the act is written down and waits. `Match.responses` holds:

- `passing`: by seat, the turn that this player passes, or "match" until they say otherwise;
- `asked`: the turn in which the player on turn asked for help;
- `window`: the act that waits: `ply`, `seat`, `act`, `by`, whose answers it waits for (`waiting`), `until`, `total`
  milliseconds, `held` (somebody asked for more time) and `spent`, the time the player had thought.

All of it is public, as the tokens are. The verbs are in `games.play.help_window`.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import engine
from games import presence
from games.models import Match, Seat

TURN, MATCH, OFF = "turn", "match", "off"

JsonDict = dict[str, Any]


def turn_of(played: engine.Match) -> list[int]:
    """A name for the present turn that no other turn has."""
    return list(played.game.turn(played.state))


def passes(match: Match, seat: int, turn: list[int]) -> str:
    """Whether this seat passes: "" (it wants to be asked), "turn" or "match"."""
    said = match.responses.get("passing", {}).get(str(seat))
    return MATCH if said == MATCH else TURN if said == turn else ""


def window_of(match: Match) -> JsonDict | None:
    """The act that waits now; one of an earlier ply is over."""
    window = match.responses.get("window")
    return window if window and match.is_playing and window["ply"] == match.ply else None


def people_to_ask(match: Match, seats: Sequence[Seat], played: engine.Match) -> list[int]:
    """People at their pages who can help now and have not passed.

    By correspondence nobody waits: tokens can be played at any time.
    """
    if match.clock == Match.Clock.DAYS:
        return []
    turn = turn_of(played)
    able = [
        index
        for index in played.helpers()
        if seats[index].is_played_by_person and not seats[index].is_own_bot and not passes(match, index, turn)
    ]
    return sorted(presence.seats_here(match).intersection(able)) if able else []


def with_passes(responses: JsonDict, seats: Sequence[int], said: Any) -> JsonDict:
    """The responses once these seats have passed; `said` is a turn, "match", or None to be asked again."""
    passing = {**responses.get("passing", {}), **{str(seat): said for seat in seats}}
    return {**responses, "passing": {seat: each for seat, each in passing.items() if each is not None}}


def without_window(responses: JsonDict) -> JsonDict:
    return {name: value for name, value in responses.items() if name != "window"}


def serialize(match: Match, played: engine.Match | None, now: datetime) -> JsonDict | None:
    """What every page is told; None for games without such help and for matches that are over."""
    if played is None or not played.game.has_asides or not match.is_playing or played.to_act is None:
        return None
    turn, window = turn_of(played), window_of(match)
    passing = {str(seat): how for seat in range(match.players) if (how := passes(match, seat, turn))}
    return {
        "active": played.to_act,
        "can": played.helpers(),
        "passing": passing,
        "asked": match.responses.get("asked") == turn,
        "window": window
        and {
            "act": window["act"],
            "waiting": window["waiting"],
            "ends_in": max(int((datetime.fromisoformat(window["until"]) - now).total_seconds() * 1000), 0),
            "total": window["total"],
            "held": window["held"],
        },
    }

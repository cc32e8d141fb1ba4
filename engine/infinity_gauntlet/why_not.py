"""Why a card, a player or the snap cannot be chosen: reasons for the seat that is asked, from what it knows itself."""

from typing import Any, Final

from engine.infinity_gauntlet import cards
from engine.infinity_gauntlet.knowledge import STONES
from engine.infinity_gauntlet.legal_moves import (
    BOTTOM,
    CHALLENGE,
    COPY,
    PLAY,
    TARGET,
    TEAMMATE_PEEKS,
    TIME_STONE,
    UNPLAYABLE,
)
from engine.infinity_gauntlet.state import GauntletState

REASONS: Final = {
    "never-played": "This card is never played.",
    "stones-missing": "Infinity Stones still missing: {count}.",
    "after-this-card": "First finish the effect of this card.",
    "not-yourself": "Choose another player.",
    "other-hero": "The second fight is against another hero.",
    "not-itself": "The Time Stone does not copy itself.",
}

Reason = dict[str, Any]


def reasons(state: GauntletState, seat: int) -> dict[str, Reason]:
    """By notation."""
    if state.over or state.seat != seat:
        return {}
    found: dict[str, Reason] = {}
    if seat == 0 and state.turn == 0:
        missing = int(STONES & ~(state.faceup[0] | state.hands[0])).bit_count()
        if missing:
            found["snap"] = {"code": "stones-missing", "count": missing}
        elif state.phase == BOTTOM:
            found["snap"] = {"code": "after-this-card"}
    if state.phase == PLAY and seat == 0 and state.hands[0] & UNPLAYABLE:
        found["play thanos"] = {"code": "never-played"}
    elif state.phase == TARGET and state.turn and state.effect() == TEAMMATE_PEEKS:
        found[f"peek {int(state.turn)}"] = {"code": "not-yourself"}
    elif state.phase == CHALLENGE and state.count and state.players > 2:
        found[f"fight {int(state.target)}"] = {"code": "other-hero"}
    elif state.phase == COPY and state.faceup[0] & TIME_STONE:
        found[f"copy {cards.THANOS_IDS[int(TIME_STONE).bit_length() - 1]}"] = {"code": "not-itself"}
    return found

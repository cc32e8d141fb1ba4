"""Why a die, an ability or a token cannot be used now. All of it lies open on the table."""

from typing import Any, Final

from engine.thanos_rising import card_tables as t
from engine.thanos_rising.state import ThanosState
from engine.thanos_rising.turn import ABILITY, FORFEIT_MADE
from engine.thanos_rising.view import symbols

REASONS: Final = {
    "other-sector": "Your team is in another sector.",
    "complete": "All its symbols are there.",
    "other-card": "The dice of this roll go to {card}.",
    "forfeited": "A die of this roll was forfeited: roll again.",
    "no-die-fits": "No die shows what it still needs: {symbols}.",
    "assign-first": "First put a die of this roll on a card.",
    "no-dice": "There are no dice left to roll.",
    "can-complete": "Your dice could still complete a card.",
    "used": "Already used in this turn.",
    "new": "Joined just now: ready in your next turn.",
    "before-assigning": "Only before the first die of a roll is assigned.",
    "unpaid": "Its cost is not paid yet: {symbols}.",
    "no-effect": "It would change nothing now, or its condition is not met.",
    "other-time": "Not at this point of the turn.",
    "token-new": "Drawn in this turn: ready when it is over.",
    "token-no-target": "There is nothing it could be played on now.",
}

Reason = dict[str, Any]


def reasons(state: ThanosState, seat: int) -> dict[str, Reason]:
    """By notation: `use …`, `roll`, `stop`, `play …` with the token alone, and `on …` for dice on a card."""
    found = tokens(state, seat)
    if state.seat != seat or state.over or seat != state.active:
        return found
    if state.phase == t.THROW:
        found |= dice(state) | {"roll": {"code": "no-dice" if state.dice == 0 else "assign-first"}}
        found["stop"] = {"code": "can-complete"}
    if state.phase in (t.READY, t.THROW, t.RESOLVING):
        found |= abilities(state)
    return found


def dice(state: ThanosState) -> dict[str, Reason]:
    """The cards of the table on which no die can go."""
    found: dict[str, Reason] = {}
    for slot in range(t.SLOTS):
        card = int(state.slots[slot])
        if card >= 0 and (reason := no_die(state, slot, card)):
            found[f"on {state.cards.ids[card]}"] = reason
    return found


def no_die(state: ThanosState, slot: int, card: int) -> Reason | None:
    target, missing = int(state.target), state.remaining_cost(card)
    if slot // 3 != state.deployed:
        return {"code": "other-sector"}
    if missing == 0:
        return {"code": "complete"}
    if target == FORFEIT_MADE:
        return {"code": "forfeited"}
    if target >= ABILITY:
        return {"code": "other-card", "card": state.cards.ids[target - ABILITY]}
    if target >= 0 and target != slot % 3:
        other = int(state.slots[int(state.deployed) * 3 + target])
        return {"code": "other-card", "card": state.cards.ids[other]} if other >= 0 else {"code": "forfeited"}
    return None if state.fitting(missing) else {"code": "no-die-fits", "symbols": symbols(missing)}


def abilities(state: ThanosState) -> dict[str, Reason]:
    """The own heroes whose ability is not offered."""
    ready = state.resolvable() if state.phase == t.RESOLVING else state.abilities() if state.phase == t.THROW else 0
    team = int(state.teams[state.active]) & ~int(ready)
    return {
        f"use {state.cards.ids[card]}": unused(state, card) for card in range(state.cards.assets) if team >> card & 1
    }


def unused(state: ThanosState, card: int) -> Reason:
    cards, bit = state.cards, 1 << card
    if state.used & bit:
        return {"code": "used"}
    if state.recruits & bit:
        return {"code": "new"}
    if cards.at[t.ASSIGN] & bit:
        unpaid = state.unpaid(card)
        if unpaid:
            return {"code": "unpaid", "symbols": symbols(unpaid)}
        return {"code": "other-time" if state.phase != t.RESOLVING else "no-effect"}
    due = t.AFTER_ROLL if state.phase == t.THROW else t.RESOLVE
    if not cards.at[due] & bit or state.phase == t.READY:
        return {"code": "other-time"}
    if state.phase == t.THROW and state.touched and cards.before_assigning & bit:
        return {"code": "before-assigning"}
    return {"code": "no-effect"}


def tokens(state: ThanosState, seat: int) -> dict[str, Reason]:
    """The tokens of this seat that cannot be played."""
    cards, found = state.cards, {}
    for kind in range(cards.tokens):
        if state.tokens[seat * cards.tokens + kind] and (reason := unplayed(state, seat, kind)):
            found[f"play {cards.ids[int(cards.first_token) + kind]}"] = reason
    return found


def unplayed(state: ThanosState, seat: int, kind: int) -> Reason | None:
    if state.over or not state.token_time():
        return {"code": "other-time"}
    if state.usable_tokens(seat, kind) <= 0:
        return {"code": "token-new"}
    return None if state.token_targets(seat, kind) else {"code": "token-no-target"}

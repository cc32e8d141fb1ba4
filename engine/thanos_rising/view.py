"""The view of the table. Only the order of the deck and of the face-down tokens is hidden: all seats see the same."""

from typing import Any

from engine.thanos_rising import card_tables as t
from engine.thanos_rising.board import FRESH, USED
from engine.thanos_rising.event_text import QUESTIONS, face
from engine.thanos_rising.state import ThanosState
from engine.thanos_rising.turn import ABILITY
from engine.thanos_rising.vocabulary import COLOUR_WORDS, SYMBOL_WORDS


def view(state: ThanosState) -> dict[str, Any]:
    cards = state.cards
    return {
        "question": QUESTIONS[state.phase],
        "asking": asking(state),
        "turn": int(state.turn) + 1,
        "active": int(state.active),
        "first": int(state.first),
        "goal": int(state.goal),
        "heroes_lost_limit": int(state.lost_limit),
        "stones_to_lose": int(state.stones_to_lose),
        "defeated": named(state, state.defeated),
        "lost": named(state, state.lost),
        "thanos": int(state.thanos),
        "deployed": None if state.deployed < 0 else int(state.deployed),
        "sectors": [[card(state, int(state.slots[s * 3 + i])) for i in range(3)] for s in range(t.SECTORS)],
        "teams": [team(state, seat) for seat in range(state.players)],
        "stones": [
            {
                "id": cards.ids[int(cards.first_stone) + stone],
                "counters": int(state.counters[stone]),
                "collected": bool(state.collected >> stone & 1),
            }
            for stone in range(t.STONES)
        ],
        "stone_limit": int(cards.stone_limit),
        "healing_forbidden": bool(state.healing_forbidden),
        "villain_damage": int(state.villain_damage),
        "dice": dice(state),
        "deck": len(state.deck) - int(state.revealed) if state.stage >= 0 else None,
        "tokens": {
            "face_down": len(state.supply) - int(state.drawn),
            "discarded": tokens(state, USED),
            "looked_at": {
                cards.ids[int(cards.first_token) + kind]: int(state.looked >> (kind * 3) & 7)
                for kind in range(cards.tokens)
                if state.looked >> (kind * 3) & 7
            },
        },
    }


def asking(state: ThanosState) -> str | None:
    """The card, base, stone or kind of token whose effect is asked about."""
    if t.PICK_HURT <= state.phase <= t.PICK_TOKEN and state.phase != t.PICK_LOSS:
        return state.cards.ids[state.asked >> 8 & 255]
    return None


def named(state: ThanosState, mask: int) -> list[str]:
    return [state.cards.ids[card] for card in range(state.cards.assets) if mask >> card & 1]


def symbols(packed: int) -> dict[str, int]:
    return {name: int(t.lane(packed, symbol)) for symbol, name in enumerate(SYMBOL_WORDS) if t.lane(packed, symbol)}


def card(state: ThanosState, number: int) -> dict[str, Any] | None:
    if number < 0:
        return None
    hero_type = int(state.cards.hero_type[number])
    return {
        "id": state.cards.ids[number],
        "type": None if hero_type < 0 else SYMBOL_WORDS[hero_type],
        "damage": int(state.damage[number]),
        "spaces": int(state.cards.capacity[number]),
        "symbols": symbols(state.cards.symbols[number]),
        "assigned": symbols(state.paid[number]),
    }


def hero(state: ThanosState, number: int) -> dict[str, Any]:
    return {
        "id": state.cards.ids[number],
        "type": SYMBOL_WORDS[state.cards.hero_type[number]],
        "damage": int(state.damage[number]),
        "spaces": int(state.cards.capacity[number]),
        "symbols": symbols(state.cards.cost_symbols[number]),
        "assigned": symbols(state.paid[number]),
        "used": bool(state.used >> number & 1),
        "new": bool(state.recruits >> number & 1),
    }


def team(state: ThanosState, seat: int) -> dict[str, Any]:
    base = int(state.bases[seat])
    return {
        "base": None if base < 0 else state.cards.ids[int(state.cards.first_base) + base],
        "heroes": [hero(state, number) for number in range(state.cards.assets) if state.teams[seat] >> number & 1],
        "tokens": tokens(state, seat),
        "new_tokens": tokens(state, FRESH) if seat == state.active else {},
    }


def tokens(state: ThanosState, row: int) -> dict[str, int]:
    kinds = int(state.cards.tokens)
    first = int(state.cards.first_token)
    return {
        state.cards.ids[first + kind]: int(state.tokens[row * kinds + kind])
        for kind in range(kinds)
        if state.tokens[row * kinds + kind]
    }


def dice(state: ThanosState) -> dict[str, Any]:
    target = int(state.target)
    on: str | None = None
    if target >= ABILITY:
        on = state.cards.ids[target - ABILITY]
    elif target >= 0:
        held = int(state.slots[int(state.deployed) * 3 + target])
        on = None if held < 0 else state.cards.ids[held]
    return {
        "hand": {name: int(t.lane(state.hand, colour)) for colour, name in enumerate(COLOUR_WORDS)},
        "box": {name: int(state.cards.box[colour]) for colour, name in enumerate(COLOUR_WORDS)},
        "rolls": int(state.rolls),
        "unassigned": [
            {"colour": COLOUR_WORDS[kind // t.FACES], "face": face(state.cards, kind), "count": int(state.pool[kind])}
            for kind in range(t.KINDS)
            if state.pool[kind]
        ],
        "this_roll_on": on,
        "to_lose": int(state.to_lose & 255) + int(state.to_lose >> 8),
    }

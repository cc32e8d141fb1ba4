"""Why a card, a token or a deck cannot be chosen: reasons for people, made from what their own seat knows."""

from functools import lru_cache
from typing import Any, Final

from engine.splendor_marvel.cards import CARD_IDS, COLOURS
from engine.splendor_marvel.components import FULL_DECKS
from engine.splendor_marvel.legal_moves import CHOOSE, PILE_FOR_TWO, RESERVE_LIMIT, TAKE
from engine.splendor_marvel.packed_counts import lane, minus, total
from engine.splendor_marvel.player_board import COST
from engine.splendor_marvel.state import SplendorState

REASONS: Final = {
    "short": "Short of: {short}.",
    "short-with-grey": "Short of: {short}, even with your grey tokens ({grey}).",
    "reserve-full": "You already hold {count} reserved cards.",
    "deck-empty": "This deck is empty.",
    "none-left": "There is no such token left.",
    "pile-too-small": "You may take two of one colour only if at least {count} of it lie in the supply.",
    "one-of-each": "After two different tokens, each must be of another colour.",
    "tokens-first": "First finish taking tokens.",
    "take-more": "You can still take a token.",
}

Reason = dict[str, Any]


def reasons(state: SplendorState, seat: int) -> dict[str, Reason]:
    """By notation. What a card lacks is told in others' turns too; the rest while this seat is asked."""
    found = {
        f"recruit {CARD_IDS[card]}": lack for card in cards_in_reach(state, seat) if (lack := short(state, seat, card))
    }
    if state.seat != seat or state.over:
        return found
    if state.phase == CHOOSE:
        return found | reserving(state, seat) | empty_piles(state)
    if state.phase == TAKE:
        first: Reason = {"code": "tokens-first"}
        busy = {f"{verb} {CARD_IDS[card]}": first for verb in ("recruit", "reserve") for card in state.offer}
        return (
            busy
            | {f"reserve deck {level}": first for level in (1, 2, 3)}
            | second_tokens(state)
            | {"stop": {"code": "take-more"}}
        )
    return found


def cards_in_reach(state: SplendorState, seat: int) -> list[int]:
    """The market, and the cards that this seat has reserved."""
    team = state.teams[seat]
    return [*state.offer, *(int(team.card_at(place)) for place in range(team.reserved))]


def short(state: SplendorState, seat: int, card: int) -> Reason | None:
    team = state.teams[seat]
    if team.affords(card):
        return None
    lacking = dict(by_colour(int(minus(COST[card], team.tokens + team.bonuses))))
    if team.grey:
        return {"code": "short-with-grey", "short": lacking, "grey": int(team.grey)}
    return {"code": "short", "short": lacking}


@lru_cache(maxsize=4096)
def by_colour(missing: int) -> tuple[tuple[str, int], ...]:
    """What is missing of each colour. Every view of a table asks this for a dozen cards, with the same few answers."""
    return tuple((name, int(lane(missing, colour))) for colour, name in enumerate(COLOURS) if lane(missing, colour))


def reserving(state: SplendorState, seat: int) -> dict[str, Reason]:
    decks = {f"reserve deck {level + 1}": lane(FULL_DECKS - state.drawn, level) for level in range(3)}
    if state.teams[seat].reserved >= RESERVE_LIMIT:
        full: Reason = {"code": "reserve-full", "count": int(RESERVE_LIMIT)}
        return {f"reserve {CARD_IDS[card]}": full for card in state.offer} | dict.fromkeys(decks, full)
    return {deck: {"code": "deck-empty"} for deck, left in decks.items() if not left}


def empty_piles(state: SplendorState) -> dict[str, Reason]:
    return {
        f"take {name}": {"code": "none-left"} for colour, name in enumerate(COLOURS) if not lane(state.bank, colour)
    }


def second_tokens(state: SplendorState) -> dict[str, Reason]:
    """Why the next token of a turn cannot be of this colour."""
    found: dict[str, Reason] = {}
    for colour, name in enumerate(COLOURS):
        if not lane(state.bank, colour):
            found[f"take {name}"] = {"code": "none-left"}
        elif lane(state.taken, colour):
            only = total(state.taken) == 1
            found[f"take {name}"] = (
                {"code": "pile-too-small", "count": int(PILE_FOR_TWO)} if only else {"code": "one-of-each"}
            )
    return found

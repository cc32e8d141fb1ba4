"""What a seat may know of the table, as JSON-able values with ids for cards and locations."""

from typing import Any

from engine.splendor_marvel.cards import CARD_IDS, COLOURS, LEVELS, SITE_IDS
from engine.splendor_marvel.components import level_of
from engine.splendor_marvel.legal_moves import CHOOSE, PAY, RETURN, TAKE, VISIT
from engine.splendor_marvel.packed_counts import lane
from engine.splendor_marvel.player_board import Team
from engine.splendor_marvel.state import SplendorState

QUESTIONS = {CHOOSE: "choose", TAKE: "take", PAY: "pay", RETURN: "return", VISIT: "location"}


def view(state: SplendorState, seat: int | None) -> dict[str, Any]:
    """All is open but the order of the decks and the cards that others reserved from them."""
    return {
        "goal": state.goal,
        "round": state.rounds + 1,
        "rounds_without_recruit": state.rounds_without_recruit(),
        "stall_rounds": state.stall_rounds,
        "question": question(state),
        "supply": by_colour(state.bank) | {"green": state.green, "grey": state.grey},
        "decks": [size - lane(state.drawn, level) for level, size in enumerate(LEVELS)],
        "market": [[card_id(card) for card in state.market[4 * level : 4 * level + 4]] for level in range(3)],
        "locations": site_ids(state.locations),
        "avengers": None if state.owner < 0 else state.owner,
        "teams": [team_view(state, team, at == seat) for at, team in enumerate(state.teams)],
    }


def question(state: SplendorState) -> dict[str, Any] | None:
    """What is asked of the seat to act, and what it has answered so far in this turn."""
    if state.over:
        return None
    asked: dict[str, Any] = {"ask": QUESTIONS[state.phase]}
    if state.phase == TAKE:
        asked["taken"] = by_colour(state.taken)
    elif state.phase == PAY:
        asked["card"] = card_id(state.card)
        asked["price"] = by_colour(state.price) | {"grey": state.greys}
    return asked


def team_view(state: SplendorState, team: Team, own: bool) -> dict[str, Any]:
    return {
        "tokens": by_colour(team.tokens) | {"green": team.green, "grey": team.grey},
        "bonuses": by_colour(team.bonuses),
        "points": team.points,
        "tags": team.tags,
        "cards": recruited(team),
        "locations": site_ids(team.locations),
        "reserved": [reserved(team, place, own) for place in range(team.reserved)],
        "assembled": team.assembles(state.goal),
    }


def recruited(team: Team) -> list[str]:
    """The recruited cards in the order of all cards; only they are looked at, since a view is made after every move."""
    found, left = [], int(team.recruits_low) | int(team.recruits_high) << 60
    while left:
        found.append(CARD_IDS[(left & -left).bit_length() - 1])
        left &= left - 1
    return found


def reserved(team: Team, place: int, own: bool) -> dict[str, Any]:
    card, hidden = team.card_at(place), team.hides(place)
    return {"level": level_of(card) + 1, "card": card_id(card) if own or not hidden else None, "hidden": hidden}


def by_colour(counts: int) -> dict[str, int]:
    return {name: lane(counts, colour) for colour, name in enumerate(COLOURS)}


def card_id(card: int) -> str | None:
    return None if card < 0 else CARD_IDS[card]


def site_ids(mask: int) -> list[str]:
    return [name for site, name in enumerate(SITE_IDS) if mask >> site & 1]

"""The table as text for the terminal."""

from collections.abc import Mapping
from typing import Any

from engine.thanos_rising.cards import card_texts


def render(view: Mapping[str, Any]) -> str:
    """A seat's whole view: the stones, the three sectors, the teams, the dice."""
    table = view["table"]
    lines = [
        f"Turn {table['turn']}: {len(table['defeated'])} of {table['goal']} villains defeated, "
        f"{len(table['lost'])} of {table['heroes_lost_limit']} heroes lost, "
        f"{sum(shown['collected'] for shown in table['stones'])} of {table['stones_to_lose']} stones collected",
        "Stones: " + ", ".join(stone(shown, table["stone_limit"]) for shown in table["stones"]),
    ]
    for number, sector in enumerate(table["sectors"]):
        who = ["Thanos"] if table["thanos"] == number else []
        if table["deployed"] == number:
            who.append(seat_name(table["active"], view["seat"]))
        lines.append(f"Sector {number + 1}" + (f", {' and '.join(who)} here" if who else ""))
        lines += [f"  {card(shown)}" if shown else "  (empty)" for shown in sector]
    for seat, team in enumerate(table["teams"]):
        lines.append(f"{seat_name(seat, view['seat'])}: {named(team['base']) if team['base'] else 'no base yet'}")
        lines += [f"  {hero(shown)}" for shown in team["heroes"]]
        if team["tokens"]:
            lines.append(f"  tokens: {listed(team['tokens'])}")
    if table["dice"]["unassigned"]:
        lines.append("Dice: " + ", ".join(map(dice, table["dice"]["unassigned"])))
    if table["healing_forbidden"]:
        lines.append("No damage may be removed this turn.")
    return "\n".join(lines)


def seat_name(seat: int, own: int | None) -> str:
    return f"Seat {seat + 1}{' (you)' if seat == own else ''}"


def stone(shown: Mapping[str, Any], limit: int) -> str:
    """By its colour, which is what moves call it, and its name."""
    counters = "taken" if shown["collected"] else f"{shown['counters']}/{limit}"
    return f"{shown['id']} {named(shown['id'])} {counters}"


def card(shown: Mapping[str, Any]) -> str:
    """A card of a sector: damage and spaces, symbols on it of those it wants, and what it does."""
    wants = ", ".join(f"{shown['assigned'].get(name, 0)}/{count} {name}" for name, count in shown["symbols"].items())
    health = f"{shown['damage']}/{shown['spaces']} damage"
    return f"{named(shown['id']):<20}{health}  {shown['type'] or 'villain':<11} {wants}: {summary(shown)}"


def hero(shown: Mapping[str, Any]) -> str:
    """A hero of a team: damage and spaces, and what it does."""
    health = f"{shown['damage']}/{shown['spaces']} damage"
    return f"{named(shown['id']):<20}{health}  {shown['type']:<11} {summary(shown)}{' (used)' if shown['used'] else ''}"


def named(word: str) -> str:
    """The name of a card, base, stone or token; the Outriders, who share theirs, by the letter that moves call them."""
    names = card_texts("name")
    name = names.get(word, word)
    if list(names.values()).count(name) > 1:
        return f"{name} {word[-1].upper()}"
    return name.replace("-", " ") if name == word else name


def summary(shown: Mapping[str, Any]) -> str:
    return card_texts("summary").get(shown["id"], "an ability of this card set")


def dice(shown: Mapping[str, Any]) -> str:
    return f"{shown['count']} {shown['colour']} {shown['face']}"


def listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {named(word)}" for word, count in counts.items())


def explain_move(move: str) -> str:
    """A move with the name of the card it is about, and of an ability or a token what it does."""
    verb, _, rest = move.partition(" ")
    if verb in ("take", "lose"):  # a colour, here of a die and not of a stone
        return move
    used, _, card = rest.rpartition(" on ")
    parts = [named(card)] if card_texts("name").get(card, card) != card else []
    if verb in ("use", "play", "keep") and (used or card) in card_texts("summary"):
        parts.append(card_texts("summary")[used or card])
    return f"{move}: {'. '.join(parts)}" if parts else move

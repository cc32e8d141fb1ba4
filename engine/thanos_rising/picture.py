"""The table as text for the terminal."""

from collections.abc import Mapping
from typing import Any

from engine.thanos_rising.cards import said


def picture(view: Mapping[str, Any]) -> str:
    """A seat's whole view: the stones, the three sectors, the teams, the dice."""
    table = view["table"]
    lines = [
        f"Turn {table['turn']}: {len(table['defeated'])} of {table['goal']} villains defeated, "
        f"{len(table['lost'])} of {table['heroes_lost_limit']} heroes lost",
        "Stones: " + ", ".join(stone(held, table["stone_limit"]) for held in table["stones"]),
    ]
    for number, sector in enumerate(table["sectors"]):
        who = ["Thanos"] if table["thanos"] == number else []
        if table["deployed"] == number:
            who.append(seat_name(table["active"], view["seat"]))
        lines.append(f"Sector {number + 1}" + (f", {' and '.join(who)} here" if who else ""))
        lines += [f"  {card(held)}" if held else "  (empty)" for held in sector]
    for seat, team in enumerate(table["teams"]):
        lines.append(f"{seat_name(seat, view['seat'])}: {team['base'] or 'no base yet'}")
        lines += [f"  {hero(held)}" for held in team["heroes"]]
        if team["tokens"]:
            lines.append(f"  tokens: {listed(team['tokens'])}")
    if table["dice"]["unassigned"]:
        lines.append("Dice: " + ", ".join(map(dice, table["dice"]["unassigned"])))
    if table["healing_forbidden"]:
        lines.append("No damage may be removed this turn.")
    return "\n".join(lines)


def seat_name(seat: int, own: int | None) -> str:
    return f"Seat {seat + 1}{' (you)' if seat == own else ''}"


def stone(held: Mapping[str, Any], limit: int) -> str:
    return f"{held['id']} taken" if held["collected"] else f"{held['id']} {held['counters']}/{limit}"


def card(held: Mapping[str, Any]) -> str:
    """A card of a sector: damage and spaces, symbols on it of those it wants, and what it does."""
    wants = ", ".join(f"{held['assigned'].get(name, 0)}/{count} {name}" for name, count in held["symbols"].items())
    health = f"{held['damage']}/{held['spaces']} damage"
    return f"{held['id']:<20}{health}  {held['type'] or 'villain':<11} {wants}: {summary(held)}"


def hero(held: Mapping[str, Any]) -> str:
    """A hero of a team: damage and spaces, and what it does."""
    health = f"{held['damage']}/{held['spaces']} damage"
    return f"{held['id']:<20}{health}  {held['type']:<11} {summary(held)}{' (used)' if held['used'] else ''}"


def summary(held: Mapping[str, Any]) -> str:
    return said("summary").get(held["id"], "an ability of this card set")


def dice(held: Mapping[str, Any]) -> str:
    return f"{held['count']} {held['colour']} {held['face']}"


def listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items())


def gloss(move: str) -> str:
    """A move that names an ability or a token, with what that does."""
    verb, _, rest = move.partition(" ")
    words = said("summary").get(rest if verb == "use" else rest.partition(" on ")[0])
    return f"{move}: {words}" if words and verb in ("use", "play", "keep") else move

"""The table as text for the terminal."""

from collections.abc import Mapping
from typing import Any

from engine.splendor_marvel.cards import FACTS

CARDS: dict[str, dict[str, Any]] = {card["id"]: card for card in FACTS["cards"]}
SITES: dict[str, dict[str, Any]] = {site["id"]: site for site in FACTS["locations"]}


def render(view: Mapping[str, Any]) -> str:
    """A seat's whole view, the market as on the table with the highest level on top."""
    table = view["table"]
    lines = [f"Round {table['round']}; {table['goal']} points, every colour and the Time Stone assemble the Gauntlet"]
    lines += [f"Location {site_line(site)}" for site in table["locations"]]
    for level in (3, 2, 1):
        lines.append(f"Level {level}, {table['decks'][level - 1]} in the deck")
        lines += [f"  {card_line(card) if card else '(empty)'}" for card in table["market"][level - 1]]
    lines.append(f"Supply: {listed(table['supply'])}")
    for seat, team in enumerate(table["teams"]):
        lines += team_lines(seat, team, seat == view["seat"], table["avengers"] == seat)
    return "\n".join(lines)


def team_lines(seat: int, team: Mapping[str, Any], own: bool, tile: bool) -> list[str]:
    """Who, how far, and with what; empty parts are left out."""
    head = (
        f"Seat {seat + 1}{' (you)' if own else ''}: {counted(team['points'], 'point')}, {counted(team['tags'], 'tag')}"
    )
    parts = [head + (", Avengers Assemble tile" if tile else "")]
    for name in ("tokens", "bonuses"):
        if any(team[name].values()):
            parts.append(f"  {name}: {listed(team[name])}")
    parts += [f"  location: {SITES[site]['name']}" for site in team["locations"]]
    for reserve in team["reserved"]:
        known = card_line(reserve["card"]) if reserve["card"] else f"a card of level {reserve['level']}"
        parts.append(f"  reserved{' unseen by others' if own and reserve['hidden'] else ''}: {known}")
    return parts


def explain_move(move: str) -> str:
    """A move with what it is about: the card or the location behind an id."""
    verb, _, ident = move.rpartition(" ")
    if ident in CARDS:
        return f"{verb} {card_line(ident)}"
    return f"{verb} {site_line(ident)}" if ident in SITES else move


def card_line(ident: str) -> str:
    card = CARDS[ident]
    gains = [card["bonus"]]
    if card["points"]:
        gains.append(counted(card["points"], "point"))
    if card["avengers"]:
        gains.append(counted(card["avengers"], "tag"))
    return f"{ident:<5}{card['name']:<16} {', '.join(gains):<24} for {listed(card['cost'])}"


def site_line(ident: str) -> str:
    return f"{ident} {SITES[ident]['name']}, for bonuses {listed(SITES[ident]['requires'])}"


def listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items() if count) or "nothing"


def counted(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"

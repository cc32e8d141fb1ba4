"""A running match at a glance: the open cards as coloured tiles and how the players stand, small enough for any page.

It is made from the public snapshot of the match alone, so it shows no more than a spectator sees.
"""

from typing import Any

from games.catalogue import texts
from games.models import Match, Seat

# The stone whose colour a tile has.
TONES = {
    "yellow": "mind", "blue": "space", "purple": "power", "red": "reality", "orange": "soul", "green": "time",
    "battle": "reality", "technology": "space", "mystic": "time", "cosmic": "power",
}  # fmt: skip


def glance(match: Match) -> dict[str, Any]:
    """Tiles in rows, and the seats with their scores, of a match with its people loaded."""
    table: dict[str, Any] = (match.snapshot or {}).get("table", {}) if match.is_current else {}
    seats = list(match.seats.all())
    return {
        "match": match,
        "rows": _rows(match.game, table),
        "seats": [{"seat": seat, "score": _score(match, seat, table)} for seat in seats],
    }


def _rows(game: str, table: dict[str, Any]) -> list[list[dict[str, str]]]:
    known = texts.cards(texts.built_in(game)) if table else {}
    if "market" in table:
        return [[_card(known.get(key or "", {})) for key in row] for row in reversed(table["market"])]
    if "sectors" in table:
        return [[_target(card) for card in sector] for sector in table["sectors"]]
    if "seats" in table:
        faceup = [[known.get(key, {}) for key in seat.get("faceup", [])] for seat in table["seats"]]
        return [[_numbered(card) for card in row] for row in faceup if row]
    return []


def _card(card: dict[str, Any]) -> dict[str, str]:
    return {"tone": TONES.get(card.get("bonus", ""), ""), "mark": str(card.get("points") or "")}


def _target(card: dict[str, Any] | None) -> dict[str, str]:
    """A hero or villain: what it can still bear."""
    if not card:
        return {"tone": "", "mark": ""}
    return {"tone": TONES.get(card.get("type") or "", "villain"), "mark": str(card["spaces"] - card["damage"])}


def _numbered(card: dict[str, Any]) -> dict[str, str]:
    return {"tone": "power", "mark": str(card.get("number", ""))}


def _score(match: Match, seat: Seat, table: dict[str, Any]) -> int | None:
    """What one counts at this table: points, or the lives of one's side."""
    teams = table.get("teams") or []
    if seat.index < len(teams) and "points" in teams[seat.index]:
        return int(teams[seat.index]["points"])
    if "life" in table:
        return int(table["life"]["thanos" if seat.role == "thanos" else "heroes"])
    return None

"""The components, read from `cards.json` and checked: a file that was edited wrongly is refused with the reason."""

import json
from collections import Counter
from pathlib import Path
from typing import Any, Final

FILE = Path(__file__).with_name("cards.json")
STATUSES = ("confirmed", "partial", "reconstructed")

LEVELS: Final = (40, 30, 20)
"""How many cards each level has."""


class CardsError(ValueError):
    """The data file does not describe this game's components."""


def checked(facts: dict[str, Any]) -> dict[str, Any]:
    """The same facts, when counts and totals are those of the box."""
    colours, cards, locations = facts["colours"], facts["cards"], facts["locations"]
    expect("ids of cards", [card["id"] for card in cards], ids())
    expect(
        "ids of locations", [site["id"] for site in locations], [f"{tile}{side}" for tile in "1234" for side in "ab"]
    )
    for kind in (cards, locations):
        expect("distinct names", len({thing["name"] for thing in kind}), len(kind))
        for thing in kind:
            if thing["status"] not in STATUSES:
                raise CardsError(f"{thing['id']}: status must be one of {', '.join(STATUSES)}, not {thing['status']}")
            if "repair" in thing and thing["status"] == "confirmed":
                raise CardsError(f"{thing['id']}: what is confirmed needs no repair")
            for colour, count in thing.get("cost", thing.get("requires")).items():
                if colour not in colours or type(count) is not int or not 1 <= count <= 7:
                    raise CardsError(f"{thing['id']}: {count!r} of {colour!r} cannot be asked for")
    bonuses = Counter((card["id"][0], card["bonus"]) for card in cards)
    expect("bonuses", bonuses, {(level, c): n for level, n in zip("123", (8, 6, 4), strict=True) for c in colours})
    for level, tags, points, demand in (("1", 10, 5, 164), ("2", 10, 55, 205), ("3", 15, 80, 215)):
        these = [card for card in cards if card["id"][0] == level]
        expect(f"Avengers tags of level {level}", sum(card["avengers"] for card in these), tags)
        expect(f"points of level {level}", sum(card["points"] for card in these), points)
        expect(f"demand of level {level}", sum(sum(card["cost"].values()) for card in these), demand)
    for site in locations:
        asked = sorted(site["requires"].values())
        if asked not in ([4, 4], [3, 3, 3]) or site["points"] != 3:
            raise CardsError(f"location {site['id']}: must ask for 4 and 4 or 3, 3 and 3, and be worth 3 points")
    for players, setup in facts["setup"].items():
        expect(f"green tokens and locations for {players}", (setup["green"], setup["locations"]), (int(players),) * 2)
    return facts


def expect(what: str, actual: object, expected: object) -> None:
    if actual != expected:
        raise CardsError(f"{what}: {actual}, not {expected}")


def ids() -> list[str]:
    """Level and number of each card, in the order of the file: a card's place here is its number in the engine."""
    return [f"{level}-{number}" for level, size in enumerate(LEVELS, 1) for number in range(1, size + 1)]


def packed(counts: dict[str, int]) -> int:
    """Counts by colour as one number; see `lanes`."""
    return sum(count << 6 * COLOURS.index(colour) for colour, count in counts.items())


FACTS: Final[dict[str, Any]] = checked(json.loads(FILE.read_text(encoding="utf-8")))

COLOURS: Final[list[str]] = FACTS["colours"]
CARD_IDS: Final[list[str]] = ids()
CARD_NAMES: Final[list[str]] = [card["name"] for card in FACTS["cards"]]
COSTS: Final[list[int]] = [packed(card["cost"]) for card in FACTS["cards"]]
BONUSES: Final[list[int]] = [packed({card["bonus"]: 1}) for card in FACTS["cards"]]
CARD_POINTS: Final[list[int]] = [card["points"] for card in FACTS["cards"]]
CARD_TAGS: Final[list[int]] = [card["avengers"] for card in FACTS["cards"]]
SITE_IDS: Final[list[str]] = [site["id"] for site in FACTS["locations"]]
SITE_NAMES: Final[list[str]] = [site["name"] for site in FACTS["locations"]]
SITE_NEEDS: Final[list[int]] = [packed(site["requires"]) for site in FACTS["locations"]]
TOKENS: Final[dict[int, int]] = {int(players): setup["each colour"] for players, setup in FACTS["setup"].items()}
GREYS: Final[dict[int, int]] = {int(players): setup["grey"] for players, setup in FACTS["setup"].items()}

"""Cards, dice and tables of numbers for the pages of rules, read from the data that the engine plays with."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from typing import Any

from django.utils.translation import gettext, pgettext

from engine.thanos_rising.game import KNOBS, PRESETS
from games.catalogue import stand_ins, terms, texts
from games.catalogue.spec import spec

Row = dict[str, Any]
Terms = Mapping[str, str]
GAUNTLET, MARVEL, RISING = "infinity-gauntlet", "splendor-marvel", "thanos-rising"

PIECES = {"locations": "place", "bases": "base", "stones": "gem", "bonus_tokens": "coin"}
"""How the things of a part are drawn; all others are cards."""


def card_parts(game: str, document: texts.Document, language: str) -> list[Row]:
    """Everything in the box that has a name, part by part; cards that do the same share a row."""
    words, called, doubts = terms.of_game(game), texts.names(document, language), stand_ins.in_words(document)
    rows: dict[str, list[Row]] = {}
    for key, card in texts.cards(document).items():
        part = card["part"]
        name = called.get(key) or _capital(words.get(key, key))
        row = {
            "cards": [{"id": key, "name": name, "piece": f"{PIECES.get(part, 'card')} {key}"}],
            "facts": list(_facts(game, card, words, called)),
            "text": texts.translate_card_text(document, card, language),
            "stand_in": doubts.get(key, {}).get("text", ""),
        }
        rows.setdefault(_title(game, card, words), []).append(row)
    return [{"title": title, "rows": _together(listed)} for title, listed in rows.items()]


def _together(rows: list[Row]) -> list[Row]:
    def same(row: Row) -> Any:
        return (row["text"], row["facts"], row["stand_in"]) if row["text"] else row["cards"][0]["id"]

    groups = [list(group) for _same, group in groupby(rows, same)]
    return [{**group[0], "cards": [card for row in group for card in row["cards"]]} for group in groups]


def _title(game: str, card: Mapping[str, Any], words: Terms) -> str:
    if (game, card["part"]) == (MARVEL, "cards"):
        return words["ui-level"].format(level=card["id"][0])
    if (game, card["part"]) == (RISING, "assets"):
        return gettext("Villains") if card.get("kind") == "villain" else gettext("Heroes")
    return stand_ins.part_title(card["part"])


def _facts(game: str, card: Mapping[str, Any], words: Terms, called: Terms) -> Iterator[str]:
    """What is printed on a card beside its name and its text; nothing for a game that is not ours."""
    facts = FACTS.get((game, card["part"]))
    return facts(card, words, called) if facts else iter(())


def _deck_card(card: Mapping[str, Any], words: Terms, called: Terms) -> Iterator[str]:
    yield gettext("number: %(number)s") % {"number": card["number"]}
    if card.get("copies", 1) > 1:
        yield gettext("in the deck: %(count)s") % {"count": card["copies"]}
    if card.get("returns"):
        yield gettext("when defeated it is shuffled back into the deck")


def _character(card: Mapping[str, Any], words: Terms, called: Terms) -> Iterator[str]:
    if card["points"]:
        yield words["ui-points"].format(count=card["points"])
    yield words["ui-gives"].format(colour=words[card["bonus"]])
    yield words["ui-costs"].format(cost=_counted(card["cost"], words))
    if card["avengers"]:
        yield words["ui-tags"].format(count=card["avengers"])
    if card["id"].startswith("3"):
        yield words["ui-time-stone"]


def _location(card: Mapping[str, Any], words: Terms, called: Terms) -> Iterator[str]:
    yield words["ui-points"].format(count=card["points"])
    yield words["ui-needs"].format(cost=_counted(card["requires"], words))


def _asset(card: Mapping[str, Any], words: Terms, called: Terms) -> Iterator[str]:
    yield words["ui-hero"].format(symbol=words[card["type"]]) if card.get("type") else words["ui-villain"]
    yield gettext("spaces for damage: %(count)s") % {"count": card["damage"]}
    if card["symbols"]:
        yield words["ui-needs"].format(symbols=_counted(card["symbols"], words))


def _base(card: Mapping[str, Any], words: Terms, called: Terms) -> Iterator[str]:
    yield gettext("leader: %(name)s") % {"name": called.get(card["leader"], card["leader"])}
    yield gettext("dice: %(dice)s") % {"dice": _counted(card["dice"], words)}


def _bonus_token(card: Mapping[str, Any], words: Terms, called: Terms) -> Iterator[str]:
    yield _in_the_box(card["count"])


FACTS: Mapping[tuple[str, str], Callable[[Mapping[str, Any], Terms, Terms], Iterator[str]]] = {
    (GAUNTLET, "hero_deck"): _deck_card,
    (GAUNTLET, "thanos_deck"): _deck_card,
    (MARVEL, "cards"): _character,
    (MARVEL, "locations"): _location,
    (RISING, "assets"): _asset,
    (RISING, "bases"): _base,
    (RISING, "bonus_tokens"): _bonus_token,
}


def _counted(counts: Mapping[str, int], words: Terms) -> str:
    return ", ".join(
        words["counted"].format(count=count, what=words.get(what, what)) for what, count in counts.items() if count
    )


def _in_the_box(count: int) -> str:
    return gettext("in the box: %(count)s") % {"count": count}


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


# -- dice


def dice(game: str, document: texts.Document, language: str) -> list[Row]:
    """Every die with its faces, and how often each is on it."""
    if game != RISING:
        return []
    words, called, doubts = terms.of_game(game), texts.names(document, language), stand_ins.in_words(document)
    found = []
    for one in document["power_dice"]:
        key = f"power_dice {one['colour']}"
        faces = Counter(_face(face) for face in one["faces"])
        found.append({
            "title": stand_ins.part_title(key),
            "count": _in_the_box(one["count"]),
            "faces": _faces(f"die {one['colour']}", faces, words),
            "stand_in": doubts.get(key, {}).get("text", ""),
        })  # fmt: skip
    for kind, title, names in (
        ("thanos_die", gettext("Thanos die"), words),
        ("stone_die", gettext("Stone die"), called),
    ):
        faces = Counter(_face(face) for face in document[kind]["faces"])
        found.append({"title": title, "faces": _faces(kind.replace("_", "-"), faces, names), "stand_in": ""})
    return found


def _face(face: str) -> str:
    """A face as the table calls it: the file writes a double symbol with its number."""
    return f"double-{face.removesuffix('_x2')}" if face.endswith("_x2") else face.replace("_", "-")


def _faces(die: str, faces: Mapping[str, int], words: Terms) -> list[Row]:
    return [
        {"piece": f"{die} {face}", "name": _capital(words.get(face, face)), "count": count}
        for face, count in faces.items()
    ]


# -- tables of numbers


def tables(game: str, document: texts.Document) -> list[Row]:
    """What depends on the number of players, and what each difficulty sets."""
    if game == GAUNTLET:
        return [_table_of_life(document["life"])]
    if game == MARVEL:
        return [_table_of_setup(document["setup"])]
    return [_table_of_presets(game)] if game == RISING else []


def _table_of_life(life: Mapping[str, Any]) -> Row:
    return {
        "title": stand_ins.part_title("life"),
        "head": [gettext("Players"), pgettext("Infinity Gauntlet", "Heroes"), pgettext("role", "Thanos")],
        "rows": [[size, life["heroes"][size], life["thanos"][size]] for size in life["heroes"]],
        "note": stand_ins.sentence([stand_ins.WHOLE]) if life.get("status") == stand_ins.STAND_IN else "",
    }


def _table_of_setup(setup: Mapping[str, Mapping[str, int]]) -> Row:
    heads = {
        "each colour": gettext("Tokens of each colour"),
        "green": gettext("Time Stones"),
        "grey": gettext("Grey tokens"),
        "locations": pgettext("Splendor table", "Locations"),
    }
    known = [name for name in heads if all(name in row for row in setup.values())]
    return {
        "title": gettext("At the start"),
        "head": [gettext("Players"), *(heads[name] for name in known)],
        "rows": [[size, *(row[name] for name in known)] for size, row in setup.items()],
    }


def _table_of_presets(game: str) -> Row:
    labels = spec(game).options
    names = labels["preset"].choices

    def cell(knob: str, value: Any) -> Any:
        return labels[knob].choices.get(value, value) if isinstance(value, bool) else value

    return {
        "title": labels["preset"].label,
        "head": [labels["preset"].label, *(labels[knob].label for knob in KNOBS)],
        "rows": [
            [names.get(name, name), *(cell(knob, preset[knob]) for knob in KNOBS)] for name, preset in PRESETS.items()
        ],
    }

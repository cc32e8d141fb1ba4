"""Builds the `CardSet` that the rules use from a card file, and checks every word of it.

`standard()` is the set in `cards.json`. A club may bring its own: as the option `card_set` (the whole document), or
as text through `load_text`, which also names the line at fault.
"""

import json
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from librt.vecs import append

from engine.bitset import bit
from engine.errors import OptionError, quoted
from engine.state import MAX_ACTIONS
from engine.thanos_rising import card_tables
from engine.thanos_rising.card_parser import (
    CardError,
    amounts,
    check_words,
    fields,
    items,
    line_of,
    located,
    number,
    unknown,
    word,
    words,
)
from engine.thanos_rising.card_tables import CardSet
from engine.thanos_rising.vocabulary import (
    COLOUR_WORDS,
    CONDITION_FIELDS,
    CONDITIONS,
    COSTS,
    FACE_WORDS,
    FIXED_WORDS,
    OPS,
    PICKS,
    SCOPES,
    SECTOR_OF_A_VILLAIN,
    SYMBOL_WORDS,
    THANOS_FACES,
    TIMINGS,
    TIMINGS_OF,
)

FILE = Path(__file__).with_name("cards.json")
ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
MAX_EFFECTS = 4
MIN_ASSETS = card_tables.SLOTS + card_tables.BASES


@cache
def standard() -> CardSet:
    """The cards of the box, as far as they are known."""
    return load_text(FILE.read_text(encoding="utf-8"))


@cache
def card_texts(field: str) -> dict[str, str]:
    """A field for people (`name` or `summary`) of all that the standard set names, by id."""
    document = json.loads(FILE.read_text(encoding="utf-8"))
    words = {}
    for part in ("assets", "bases", "stones", "bonus_tokens"):
        for node in document[part]:
            words[node["id"]] = node.get(field) or node.get("ability", {}).get(field) or node["id"]
    return words


def load_text(text: str) -> CardSet:
    """The card set of a file's text; `OptionError` names the card and the line."""
    document, starts = located(text)
    try:
        return load(document)
    except CardError as error:
        raise with_line(error, text, starts) from error


def read_file(text: str) -> dict[str, Any]:
    """The document of a card file that people will read and play with; `OptionError` names the card and the line."""
    document, starts = located(text)
    try:
        load(document)
        check_words(document, "the file")
    except CardError as error:
        raise with_line(error, text, starts) from error
    return dict(document)


def with_line(error: CardError, text: str, starts: dict[int, int]) -> OptionError:
    return OptionError("card_set", f"line {line_of(error, text, starts)}: {error.owner}: {error.detail}")


def given(document: Mapping[str, Any]) -> CardSet:
    """The card set of an option; many matches from one file read it once."""
    try:
        return remembered(json.dumps(document))
    except (TypeError, ValueError, RecursionError) as error:
        if isinstance(error, OptionError):
            raise
        raise OptionError("card_set", f"must be valid as JSON: {error}") from error


@lru_cache(maxsize=8)
def remembered(text: str) -> CardSet:
    return load(json.loads(text))


def check(document: Mapping[str, Any]) -> None:
    given(document)


def load(document: Any) -> CardSet:
    """The card set of a document; `OptionError` names the card."""
    whole = "the file"
    parts = ("assets", "bases", "power_dice", "thanos_die", "stone_die", "stones", "bonus_tokens")
    fields(document, whole, ("schema", *parts, "stone_counters_to_collect"))
    number(document, "schema", whole, 1, 1)
    assets = items(document, "assets", whole, MIN_ASSETS, card_tables.MAX_ASSETS)
    bases = items(document, "bases", whole, card_tables.BASES, card_tables.BASES)
    stones = items(document, "stones", whole, card_tables.STONES, card_tables.STONES)
    tokens = items(document, "bonus_tokens", whole, 1, card_tables.MAX_TOKENS)
    ids = [name for part in ("assets", "bases", "stones", "bonus_tokens") for name in identified(document, part)]
    limit = number(document, "stone_counters_to_collect", whole, 1, 30)
    made = CardSet(ids, len(assets), len(tokens), limit)
    for card, node in enumerate(assets):
        add_asset(made, card, node)
    add_dice(made, document)
    for base, node in enumerate(bases):
        add_base(made, base, node, ids[: len(assets)])
    for stone, node in enumerate(stones):
        fields(node, f"stone {node['id']}", ("id", "ability"))
        add_ability(made, int(made.first_stone) + stone, node, "stone")
    add_tokens(made, tokens)
    for effect in range(len(made.op)):
        if made.op[effect] == card_tables.DAMAGE_HEROES:
            types = [hero_type for hero_type in range(card_tables.SYMBOLS) if made.among[effect] >> hero_type & 1]
            made.among[effect] = sum(made.of_type[hero_type] for hero_type in types)
    return made


def identified(document: Mapping[str, Any], part: str) -> list[str]:
    """The ids of all in one part of the file: words that notation can use, each once."""
    names: list[str] = []
    for place, node in enumerate(document[part], 1):
        owner = f"{part}, number {place}"
        if not isinstance(node, dict) or "id" not in node:
            raise CardError(owner, "must be an object with an id", node)
        name = node["id"]
        if type(name) is not str or not ID.fullmatch(name):
            raise CardError(owner, f"id: {quoted(name)} must be lower-case letters, digits and hyphens", node, "id")
        if name in names:
            raise CardError(owner, f"id: {quoted(name)} is already taken", node, "id")
        names.append(name)
    return names


def add_asset(made: CardSet, card: int, node: Mapping[str, Any]) -> None:
    owner = f"card {node['id']}"
    kind = word(node, "kind", owner, ("hero", "villain")) if "kind" in node else "hero"
    fields(node, owner, ("id", "kind", *(["type"] if kind == "hero" else []), "damage", "symbols", "ability"))
    made.capacity[card] = number(node, "damage", owner, 1, 15)
    made.symbols[card] = amounts(node, "symbols", owner, SYMBOL_WORDS)
    if kind == "villain":
        made.villains |= bit(card)
    else:
        made.heroes |= bit(card)
        hero_type = SYMBOL_WORDS.index(word(node, "type", owner, SYMBOL_WORDS))
        made.hero_type[card] = hero_type
        made.of_type[hero_type] |= bit(card)
    timing = add_ability(made, card, node, kind)
    made.at[timing] |= bit(card)
    if any(effect["op"] in ("reroll", "change_face") for effect in node["ability"]["effects"]):
        made.before_assigning |= bit(card)


def add_base(made: CardSet, base: int, node: Mapping[str, Any], cards: list[str]) -> None:
    owner = f"base {node['id']}"
    fields(node, owner, ("id", "leader", "dice", "ability"))
    heroes = [name for card, name in enumerate(cards) if made.heroes >> card & 1]
    made.leader[base] = cards.index(word(node, "leader", owner, heroes))
    if made.leader[base] in [made.leader[other] for other in range(base)]:
        raise CardError(owner, f"leader: {quoted(node['leader'])} already leads another base", node, "leader")
    made.pool[base] = amounts(node, "dice", owner, COLOUR_WORDS)
    for colour, name in enumerate(COLOUR_WORDS):
        if card_tables.lane(made.pool[base], colour) > made.box[colour]:
            raise CardError(owner, f"dice: the box has only {made.box[colour]} {name} dice", node, "dice")
    add_ability(made, int(made.first_base) + base, node, "base")


def add_ability(made: CardSet, ability: int, node: Mapping[str, Any], kind: str) -> int:
    owner = f"{'card' if kind in ('hero', 'villain') else kind} {node['id']}"
    ability_node = node["ability"]
    fields(ability_node, owner, ("timing", "effects"), ("condition", "cost"))
    timing = word(ability_node, "timing", owner, TIMINGS_OF[kind])
    made.timing[ability] = TIMINGS[timing]
    if "condition" in ability_node:
        add_condition(made, ability, ability_node["condition"], owner)
    if "cost" in ability_node:
        add_cost(made, ability, ability_node, timing, owner)
    elif timing == "assign":
        raise CardError(owner, "cost is missing: an ability with the timing assign is paid in symbols", ability_node)
    effects = items(ability_node, "effects", owner, 1, MAX_EFFECTS)
    made.first[ability] = len(made.op)
    made.many[ability] = len(effects)
    for effect in effects:
        add_effect(made, effect, timing, owner)
    return TIMINGS[timing]


def add_condition(made: CardSet, ability: int, node: Any, owner: str) -> None:
    fields(node, owner, ("if",), ("type", "other_than_self", "min", "symbol"))
    name = word(node, "if", owner, CONDITIONS)
    fields(node, owner, ("if", *CONDITION_FIELDS[name]))
    made.condition[ability] = CONDITIONS[name]
    if name == "team_has_type":
        made.condition_a[ability] = SYMBOL_WORDS.index(word(node, "type", owner, SYMBOL_WORDS))
        if type(node["other_than_self"]) is not bool:
            raise CardError(owner, "other_than_self: must be true or false", node, "other_than_self")
        made.condition_b[ability] = int(node["other_than_self"])
    if name == "opening_roll_symbols":
        made.condition_a[ability] = SYMBOL_WORDS.index(word(node, "symbol", owner, SYMBOL_WORDS))
    if "min" in CONDITION_FIELDS[name]:
        made.condition_b[ability] = number(node, "min", owner, 1, 30)


def add_cost(made: CardSet, ability: int, ability_node: Mapping[str, Any], timing: str, owner: str) -> None:
    cost = ability_node["cost"]
    allowed = tuple(name for name, timings in COSTS.items() if timing in timings)
    if not allowed:
        raise CardError(owner, f"cost: an ability with the timing {timing} has none", ability_node, "cost")
    fields(cost, owner, allowed)
    if "symbols" in cost:
        made.cost_symbols[ability] = amounts(cost, "symbols", owner, SYMBOL_WORDS)
    if "self_damage" in cost:
        made.cost_damage[ability] = number(cost, "self_damage", owner, 1, 9)


def add_effect(made: CardSet, node: Any, timing: str, owner: str) -> None:
    """One effect as a row of the effect tables; `CardSet` lists the columns."""
    if not isinstance(node, dict) or "op" not in node:
        raise CardError(owner, f"an effect must be an object with an op; allowed: {', '.join(OPS)}", node)
    fitting = tuple(name for name, op in OPS.items() if timing in op.timings)
    if node["op"] in tuple(OPS) and node["op"] not in fitting:
        reason = f"op: {quoted(node['op'])} does not go with the timing {timing}; allowed: {', '.join(fitting)}"
        raise CardError(owner, reason, node, "op")
    op = OPS[word(node, "op", owner, fitting)]
    fields(node, owner, ("op", *op.fields), op.optional)
    amount, count, scope, pick, among = 1, 1, 0, card_tables.EVERY_ONE, 0
    if "amount" in node:
        amount = number(node, "amount", owner, 1, 9)
    if "count" in node:
        count = number(node, "count", owner, 1, 9)
    if "targets" in node:
        count = 0 if node["targets"] == "all" else number(node, "targets", owner, 1, 9)
    if "scope" in node:
        known = tuple(s for s in op.scopes if timing != "stone_trigger" or s not in SECTOR_OF_A_VILLAIN)
        scope = SCOPES.get(word(node, "scope", owner, known), 0)
    if "pick" in node:
        pick = PICKS[word(node, "pick", owner, op.picks)]
    for key, allowed in FIXED_WORDS.items():
        if key in node:
            word(node, key, owner, allowed)
    if "choose_one" in node:
        among = words(node, "choose_one", owner, COLOUR_WORDS)
    if "colour" in node:
        among = 1 << COLOUR_WORDS.index(word(node, "colour", owner, COLOUR_WORDS))
        amount = number(node, "per", owner, 1, 9)
    if "showing" in node:
        among = words(node, "showing", owner, SYMBOL_WORDS)
    if "symbol" in node:
        among = 1 << SYMBOL_WORDS.index(word(node, "symbol", owner, SYMBOL_WORDS))
    if "filter" in node:
        among = int(node["filter"] == "undamaged")
    if "look" in node:
        amount, count = number(node, "look", owner, 1, 6), number(node, "keep", owner, 1, 6)
        if count > amount:
            raise CardError(owner, f"keep: must be at most look, {amount}", node, "keep")
    if op.number == card_tables.DAMAGE_HEROES:
        if ("count" in node) != ("pick" in node):
            raise CardError(owner, "count and pick go together: how many heroes, and who picks them", node)
        count = node.get("count", 0)
        among = words(node, "types", owner, SYMBOL_WORDS) if "types" in node else (1 << card_tables.SYMBOLS) - 1
    made.op = append(made.op, op.number)
    made.amount = append(made.amount, amount)
    made.count = append(made.count, count)
    made.scope = append(made.scope, scope)
    made.pick = append(made.pick, pick)
    made.among = append(made.among, among)


def add_dice(made: CardSet, document: Mapping[str, Any]) -> None:
    whole = "the file"
    seen: list[str] = []
    for node in items(document, "power_dice", whole, card_tables.COLOURS, card_tables.COLOURS):
        fields(node, "power dice", ("colour", "count", "faces"))
        name = word(node, "colour", "power dice", [colour for colour in COLOUR_WORDS if colour not in seen])
        seen.append(name)
        colour, owner = COLOUR_WORDS.index(name), f"power dice {name}"
        made.box[colour] = number(node, "count", owner, 1, 15)
        faces = items(node, "faces", owner, card_tables.FACES, card_tables.FACES)
        for place, face in enumerate(faces):
            if face not in FACE_WORDS:
                unknown(owner, node, "faces", face, FACE_WORDS)
            if faces.count(face) == card_tables.FACES:
                raise CardError(owner, f"faces: all six are {face!r}; at least two must differ", node, "faces")
            kind = colour * card_tables.FACES + place
            made.face[kind] = colour * card_tables.FACES + faces.index(face)
            made.kind_symbol[kind] = FACE_WORDS.index(face) % card_tables.SYMBOLS
            made.showing[made.kind_symbol[kind]] |= bit(kind)
            made.kind_value[kind] = 1 + FACE_WORDS.index(face) // card_tables.SYMBOLS
            if made.kind_value[kind] == 2:
                made.double[colour] = made.kind_symbol[kind]
    stone_ids = [node["id"] for node in document["stones"]]
    for part, known, table in (
        ("thanos_die", list(THANOS_FACES), made.thanos_face),
        ("stone_die", stone_ids, made.stone_face),
    ):
        node = document[part]
        fields(node, part, ("faces",))
        for place, face in enumerate(items(node, "faces", part, card_tables.FACES, card_tables.FACES)):
            if face not in known:
                unknown(part, node, "faces", face, known)
            table[place] = known.index(face)


def add_tokens(made: CardSet, tokens: list[Any]) -> None:
    """Give every kind of token its actions, one for each target it could have."""
    action = card_tables.FIRST_TOKEN_ACTION
    for kind, node in enumerate(tokens):
        owner = f"bonus token {node['id']}"
        fields(node, owner, ("id", "count", "effects"))
        made.token_count[kind] = number(node, "count", owner, 0, 60)
        ability = int(made.first_token) + kind
        made.first[ability] = len(made.op)
        made.many[ability] = 1
        add_effect(made, items(node, "effects", owner, 1, 1)[0], "token", owner)
        effect = node["effects"][0]
        if effect.get("targets", 1) != 1:
            raise CardError(owner, "targets: a bonus token has one target", effect, "targets")
        made.token_action[kind] = action
        action += target_count(made, int(made.first[ability]))
        if action > MAX_ACTIONS:
            raise CardError(owner, "too many kinds of bonus token that remove damage", node)


def target_count(made: CardSet, effect: int) -> int:
    if made.op[effect] == card_tables.ASSIGN_SYMBOL:
        return card_tables.SECTORS
    if made.op[effect] == card_tables.EXTRA_DIE:
        return int(made.among[effect]).bit_count()
    if made.op[effect] == card_tables.REMOVE_STONE_COUNTER:
        return card_tables.STONES
    return int(made.assets)

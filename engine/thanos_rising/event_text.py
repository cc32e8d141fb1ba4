"""Rows of the log as events, and events as English sentences; the templates are a table, for translation."""

from typing import Any, Final

from engine.thanos_rising import card_tables as t
from engine.thanos_rising.card_tables import CardSet
from engine.thanos_rising.cards import card_texts
from engine.thanos_rising.vocabulary import COLOUR_WORDS, SYMBOL_WORDS, THANOS_FACES

EVENTS: Final[dict[int, tuple[str, tuple[str, ...], str]]] = {
    t.FIRST_PLAYER: ("first-player", ("seat",), "{seat} goes first."),
    t.BASE: ("base", ("seat", "base"), "{seat} leads the team of {base}."),
    t.REVEALED: ("revealed", ("card", "slot"), "{card} appears in sector {sector}."),
    t.DEPLOYED: ("deployed", ("seat", "sector"), "{seat} deploys to sector {sector}."),
    t.STONE_ROLLED: ("stone-rolled", ("stone",), "The stone die shows {stone}."),
    t.COUNTER_ADDED: (
        "counter-added",
        ("stone", "amount", "count"),
        "Counters on the {stone} stone: {amount} more, {count} in all.",
    ),
    t.COUNTER_REMOVED: (
        "counter-removed",
        ("stone", "amount", "count"),
        "Counters on the {stone} stone: {amount} fewer, {count} left.",
    ),
    t.STONE_POWER: ("stone-power", ("stone",), "Thanos uses the {stone} stone."),
    t.THANOS_ROLLED: ("thanos-rolled", ("face",), "The Thanos die shows {face}."),
    t.THANOS_TURNED: ("thanos-turned", ("sector",), "Thanos turns to sector {sector}."),
    t.THANOS_ATTACKED: ("thanos-attacked", ("sector",), "Thanos attacks sector {sector}."),
    t.VILLAIN_ACTED: ("villain-acted", ("card",), "{card} acts."),
    t.DAMAGED: ("damaged", ("card", "amount", "count"), "{card} takes {amount} damage: {count} in all."),
    t.HEALED: ("healed", ("card", "amount", "count"), "{card} is healed by {amount}: {count} damage left."),
    t.HEALING_FORBIDDEN: ("healing-forbidden", (), "No damage may be removed this turn."),
    t.DIE_GAINED: ("die-gained", ("seat", "colour"), "{seat} takes an extra {colour} die."),
    t.DIE_LOST: ("die-lost", ("seat", "colour"), "{seat} loses a {colour} die."),
    t.ROLLED: ("rolled", ("seat", "die", "count"), "{seat} rolls {count} x {die}."),
    t.TEAM_ABILITY: ("team-ability", ("seat", "base"), "The opening roll wakes the ability of {base}."),
    t.ASSIGNED: ("assigned", ("seat", "die", "card"), "{seat} puts {die} on {card}."),
    t.FORFEITED: ("forfeited", ("seat", "die"), "{seat} forfeits {die}."),
    t.ABILITY_USED: ("ability-used", ("seat", "card"), "{seat} uses the ability of {card}."),
    t.REROLLED: ("re-rolled", ("seat", "die", "now"), "{seat} re-rolls {die} into {now}."),
    t.TURNED: ("turned", ("seat", "die", "now"), "{seat} turns {die} to {now}."),
    t.TOKEN_PLAYED: ("token-played", ("seat", "token"), "{seat} plays a {token} token."),
    t.SYMBOL_PLAYED: ("symbol-played", ("seat", "token", "card"), "It goes to {card}."),
    t.TOKEN_DRAWN: ("token-drawn", ("seat", "token"), "{seat} draws a {token} token."),
    t.TOKEN_DISCARDED: ("token-discarded", ("seat", "token"), "{seat} discards a {token} token."),
    t.TOKENS_SHUFFLED: ("tokens-shuffled", (), "The used tokens are shuffled into a new supply."),
    t.RECRUITED: ("recruited", ("seat", "card"), "{seat} recruits {card}."),
    t.VILLAIN_DEFEATED: ("villain-defeated", ("card",), "{card} is defeated."),
    t.HERO_LOST: ("hero-lost", ("owner", "card"), "{card} falls."),
    t.STONE_COLLECTED: ("stone-collected", ("stone",), "Thanos collects the {stone} stone."),
    t.WON: ("won", (), "The heroes win."),
    t.LOST: ("lost", ("reason",), "Thanos wins: {reason}."),
}
"""By kind of log row: the event's name, its fields (in the order of the operands, without seats), its sentence."""

SENTENCES: Final = {name: sentence for name, _, sentence in EVENTS.values()}

REASONS: Final = {
    t.VILLAINS_DEFEATED: "villains-defeated",
    t.STONES_COLLECTED: "stones-collected",
    t.HEROES_LOST: "heroes-lost",
    t.TEAM_LOST: "team-lost",
}

QUESTIONS: Final = {
    t.CHOOSE_BASE: "choose-base",
    t.DEPLOY: "deploy",
    t.READY: "ready",
    t.THROW: "assign",
    t.RESOLVING: "resolve",
    t.PICK_HURT: "damage-hero",
    t.PICK_HEAL: "heal-hero",
    t.PICK_VILLAIN: "damage-villain",
    t.PICK_STONE: "remove-counter",
    t.PICK_COLOUR: "extra-die",
    t.PICK_LOSS: "lose-die",
    t.PICK_REROLL: "re-roll",
    t.PICK_DIE: "turn-die",
    t.PICK_FACE: "turn-to",
    t.PICK_TOKEN: "keep-token",
    t.OVER: "over",
}


def face(cards: CardSet, kind: int) -> str:
    """What a die of this kind shows: `battle`, or `double-battle`."""
    symbol = SYMBOL_WORDS[cards.kind_symbol[kind]]
    return f"double-{symbol}" if cards.kind_value[kind] == 2 else symbol


def die(cards: CardSet, kind: int) -> str:
    return f"{COLOUR_WORDS[kind // t.FACES]} {face(cards, kind)}"


def event_of(cards: CardSet, row: tuple[int, int, int, int, int, int]) -> dict[str, Any]:
    """A row of the log as a JSON-able event."""
    kind, seat, _, *operands = row
    name, fields, _ = EVENTS[kind]
    event: dict[str, Any] = {"event": name}
    for field in fields:
        if field == "seat":
            event["seat"] = seat
        elif field == "owner":
            event["owner"] = None if seat < 0 else seat
        else:
            number = operands.pop(0)
            event[field] = value(cards, field, number)
            if field in ("die", "now"):
                event |= shown_on(cards, field, number)
    if name == "revealed":
        event["sector"] = event["slot"] // 3
    return event


def shown_on(cards: CardSet, field: str, kind: int) -> dict[str, Any]:
    """What a die shows, taken apart for pictures: its colour, its symbol and how many of it."""
    symbol, many = SYMBOL_WORDS[cards.kind_symbol[kind]], int(cards.kind_value[kind])
    if field == "now":
        return {"now_symbol": symbol, "now_symbols": many}
    return {"colour": COLOUR_WORDS[kind // t.FACES], "symbol": symbol, "symbols": many}


def value(cards: CardSet, field: str, number: int) -> Any:
    if field == "card":
        return cards.ids[number]
    if field == "base":
        return cards.ids[int(cards.first_base) + number]
    if field == "stone":
        return cards.ids[int(cards.first_stone) + number]
    if field == "token":
        return cards.ids[int(cards.first_token) + number]
    if field in ("die", "now"):
        return die(cards, number)
    if field == "colour":
        return COLOUR_WORDS[number]
    if field == "face":
        return list(THANOS_FACES)[number].replace("_", "-")
    if field == "reason":
        return REASONS[number]
    return number


def sentence(event: dict[str, Any]) -> str:
    """An event in plain English."""
    shown = dict(event)
    for field in ("seat", "owner"):
        if shown.get(field) is not None:
            shown[field] = f"seat {shown[field] + 1}"
    if "sector" in shown:
        shown["sector"] += 1
    for field in ("card", "base"):
        if field in shown:
            shown[field] = card_texts("name").get(shown[field], shown[field])
    text = SENTENCES[event["event"]].format(**shown)
    return text[:1].upper() + text[1:]

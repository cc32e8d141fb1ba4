"""Every card that the vocabulary can describe is playable: random card files, played at random."""

import json
from itertools import islice
from random import Random

import pytest

import engine
from engine.thanos_rising.cards import FILE
from engine.thanos_rising.vocabulary import (
    COLOUR_WORDS,
    CONDITION_FIELDS,
    FACE_WORDS,
    FIXED_WORDS,
    OPS,
    SECTOR_OF_A_VILLAIN,
    SYMBOL_WORDS,
    THANOS_FACES,
    TIMINGS_OF,
)
from engine.transcript import dumps
from tests.engine.random_play import MAX_MOVES, walk
from tests.engine.thanos_rising.invariants import check


def some(luck, words):
    return luck.sample(words, luck.randint(1, len(words)))


def field(luck, name, op, timing):
    """A random value for one field of an effect."""
    if name in FIXED_WORDS:
        return luck.choice(FIXED_WORDS[name])
    homeless = SECTOR_OF_A_VILLAIN if timing == "stone_trigger" else ()
    return {
        "choose_one": lambda: some(luck, COLOUR_WORDS),
        "colour": lambda: luck.choice(COLOUR_WORDS),
        "showing": lambda: some(luck, SYMBOL_WORDS),
        "types": lambda: some(luck, SYMBOL_WORDS),
        "symbol": lambda: luck.choice(SYMBOL_WORDS),
        "scope": lambda: luck.choice([scope for scope in op.scopes if scope not in homeless]),
        "pick": lambda: luck.choice(op.picks),
        "targets": lambda: luck.choice([1, 2, "all"]),
        "look": lambda: luck.randint(2, 4),
        "keep": lambda: luck.randint(1, 2),
    }.get(name, lambda: luck.randint(1, 3))()  # fmt: skip


def effect(luck, timing):
    name = luck.choice([name for name, op in OPS.items() if timing in op.timings])
    op = OPS[name]
    chosen = [*op.fields, *(op.optional if luck.random() < 0.7 else ())]
    return {"op": name, **{part: field(luck, part, op, timing) for part in chosen}}


def condition(luck):
    name = luck.choice(list(CONDITION_FIELDS))
    values = {
        "type": luck.choice(SYMBOL_WORDS),
        "symbol": luck.choice(SYMBOL_WORDS),
        "other_than_self": luck.random() < 0.5,
        "min": luck.randint(1, 3),
    }
    return {"if": name, **{part: values[part] for part in CONDITION_FIELDS[name]}}


def ability(luck, kind):
    timing = luck.choice(TIMINGS_OF[kind])
    made = {"timing": timing, "effects": [effect(luck, timing) for _ in range(luck.choice([1, 1, 2, 4]))]}
    if luck.random() < 0.3:
        made["condition"] = condition(luck)
    if timing == "assign":
        made["cost"] = {"symbols": {luck.choice(SYMBOL_WORDS): luck.randint(1, 2)}}
    elif timing in ("after_roll", "resolve") and luck.random() < 0.3:
        made["cost"] = {"self_damage": luck.randint(1, 2)}
    return made


def card_file(number):
    luck = Random(number)
    doc = json.loads(FILE.read_text(encoding="utf-8"))
    for node in doc["assets"]:
        node["ability"] = ability(luck, node["kind"])
        node["symbols"] = {symbol: luck.randint(0, 2) for symbol in SYMBOL_WORDS} | {luck.choice(SYMBOL_WORDS): 1}
    for node in doc["bases"]:
        node["ability"] = ability(luck, "base")
    for node in doc["stones"]:
        node["ability"] = ability(luck, "stone")
    for node in doc["power_dice"]:
        node["faces"] = [luck.choice(SYMBOL_WORDS) + luck.choice(["", "", "_x2"]) for _ in range(6)]
    for node in doc["bonus_tokens"][:-2]:
        node["effects"] = [effect(luck, "token")]
        node["effects"][0].update({"targets": 1} if "targets" in node["effects"][0] else {})
        if node["effects"][0]["op"] == "remove_damage":
            node["effects"] = [{"op": "remove_stone_counter", "count": luck.randint(1, 3)}]
    doc["stone_counters_to_collect"] = 3
    return doc


def odd_file(number):
    """A file whose every number is at or near an end of what the check lets through: tiny boxes and decks, dice that
    show hardly more than one symbol, cards that want more than dice can give, abilities that reach for everything."""
    luck = Random(f"odd {number}")
    doc = card_file(number)
    leaders = [node["leader"] for node in doc["bases"]]
    others = [node for node in doc["assets"] if node["id"] not in leaders]
    kept = luck.sample(others, luck.choice([9, 10, 20, len(others)]))
    kept.append(next(node for node in others if node["kind"] == "villain"))
    doc["assets"] = [node for node in doc["assets"] if node["id"] in leaders or node in kept]
    for node in doc["assets"]:
        node["damage"] = luck.choice([1, 1, 2, 15])
        if luck.random() < 0.3:
            node["symbols"] = {luck.choice(SYMBOL_WORDS): luck.choice([1, 15])}
    for node in (*doc["assets"], *doc["bases"], *doc["stones"]):
        if "cost" in node["ability"]:
            for cost in node["ability"]["cost"].values():
                if isinstance(cost, dict):
                    cost.update({luck.choice(SYMBOL_WORDS): luck.choice([1, 15])})
        for part in node["ability"]["effects"]:
            for key in ("count", "amount", "per"):
                if key in part:
                    part[key] = luck.choice([1, 9])
            if "look" in part:
                part["look"] = luck.choice([1, 6])
                part["keep"] = luck.choice([1, part["look"]])
            if "targets" in part:
                part["targets"] = luck.choice([1, 9, "all"])
    for node in doc["power_dice"]:
        node["count"] = luck.choice([1, 2, 15])
        usual = luck.choice(FACE_WORDS)
        node["faces"] = [usual] * 5 + [luck.choice([face for face in FACE_WORDS if face != usual])]
        luck.shuffle(node["faces"])
    box = {node["colour"]: node["count"] for node in doc["power_dice"]}
    for node in doc["bases"]:
        node["dice"] = {colour: luck.randint(1, box[colour]) for colour in some(luck, COLOUR_WORDS)}
    for node in doc["bonus_tokens"]:
        node["count"] = luck.choice([0, 1, 60])
    doc["thanos_die"]["faces"] = [luck.choice(list(THANOS_FACES)) for _ in range(6)]
    doc["stone_counters_to_collect"] = luck.choice([1, 2, 30])
    doc["stone_die"]["faces"] = [luck.choice([node["id"] for node in doc["stones"]]) for _ in range(6)]
    return doc


def play(doc, number, players, decisions=MAX_MOVES):
    villains = sum(node["kind"] == "villain" for node in doc["assets"])
    options = {
        "card_set": doc,
        "preset": "recruit",
        "villains_to_defeat": min(7, villains),
        "stones_to_lose": len(set(doc["stone_die"]["faces"])),
    }
    match = engine.game("thanos-rising").start(players, f"vocabulary {number}", options)
    for _ in islice(walk(match, match.seed), decisions):
        check(match.state)
        assert match.to_act is None or match.legal()
    return match


@pytest.mark.parametrize("number", range(12))
def test_whatever_the_vocabulary_says_can_be_played(number):
    match = play(card_file(number), number, 2 + number % 3)
    assert match.outcome is not None
    replayed = engine.replay(json.loads(dumps(match)))
    assert replayed.hash() == match.hash()


@pytest.mark.parametrize("number", range(12))
def test_every_file_that_passes_the_check_has_a_legal_answer_to_each_question(number):
    play(odd_file(number), number, 2 + number % 3, decisions=400)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(12, 600))
def test_so_have_many_more_files(number):
    play(odd_file(number), number, 2 + number % 3, decisions=2000)

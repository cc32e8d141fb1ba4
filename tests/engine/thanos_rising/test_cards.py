"""The card file: what it holds, what a club may change in it, and how a slip is refused."""

import json
import re
from collections import Counter

import pytest

import engine
from engine.errors import OptionError
from engine.thanos_rising import card_tables as t
from engine.thanos_rising.cards import FILE, load, load_text, standard
from engine.thanos_rising.vocabulary import OPS
from tests.engine.thanos_rising.scripted_table import QUIET, Table

TEXT = FILE.read_text(encoding="utf-8")


def document():
    return json.loads(TEXT)


def card(doc, name):
    return next(node for node in doc["assets"] if node["id"] == name)


def refusal(doc):
    with pytest.raises(OptionError) as error:
        engine.game("thanos-rising").start(2, "cards", {"card_set": doc})
    assert error.value.field == "card_set"
    return error.value.reason


# -- the box


def test_there_are_42_assets_32_heroes_and_10_villains():
    cards = standard()
    assert (cards.assets, cards.heroes.bit_count(), cards.villains.bit_count()) == (42, 32, 10)


def test_villains_have_two_or_three_spaces_and_leaders_six():
    cards = standard()
    assert Counter(cards.capacity[card] for card in range(42) if cards.villains >> card & 1) == {2: 6, 3: 4}
    assert [cards.capacity[cards.leader[base]] for base in range(4)] == [6, 6, 6, 6]


def test_there_are_fifteen_power_dice_and_every_base_starts_with_four():
    cards = standard()
    assert list(cards.box) == [6, 3, 3, 3]
    assert [t.total(cards.pool[base]) for base in range(4)] == [4, 4, 4, 4]


def test_there_are_thirty_bonus_tokens():
    cards = standard()
    assert sum(cards.token_count) == 30
    assert Counter(cards.ids[int(cards.first_token) :]).total() == 10


def test_the_thanos_die_turns_him_on_four_of_six_faces():
    assert Counter(standard().thanos_face) == {
        t.ROTATE_CCW: 2,
        t.ROTATE_CW: 2,
        t.ACTIVATE_OTHER_VILLAINS: 1,
        t.ROLL_STONE_DIE_AGAIN: 1,
    }


def test_the_stone_die_has_every_stone_once():
    assert sorted(standard().stone_face) == [0, 1, 2, 3, 4, 5]


def test_every_fact_carries_its_status():
    doc = document()
    for part in ("assets", "bases", "stones", "bonus_tokens", "power_dice"):
        for node in doc[part]:
            status = node["status"] if isinstance(node["status"], dict) else {"all": node["status"]}
            assert set(status.values()) <= set(doc["status"])


def test_what_something_speaks_against_is_not_called_confirmed_and_says_what_the_row_would_be():
    doubted = {node["id"]: node for part in ("assets", "bases", "stones", "bonus_tokens") for node in document()[part]}
    doubted = {name: node for name, node in doubted.items() if "repair" in node}
    assert set(doubted) == {"outrider-a", "falcon", "the-collector"}
    for node in doubted.values():
        status = node["status"]
        assert node["note"]
        assert all((status[key] if isinstance(status, dict) else status) == "partial" for key in node["repair"])
        assert all(node[key] != value for key, value in node["repair"].items())


def test_with_the_repairs_the_box_fits_its_patterns_and_without_any_one_of_them_not():
    """The rulebook's Outrider, eight heroes of each type, and every hero asks for the symbol of its own type."""
    doubted = [node["id"] for node in document()["assets"] if "repair" in node]
    assert patterns(doubted)
    assert not any(patterns([name for name in doubted if name != left_out]) for left_out in doubted)


def patterns(repaired):
    assets = document()["assets"]
    for node in assets:
        if node["id"] in repaired:
            node.update(node["repair"])
    heroes = [node for node in assets if node["kind"] == "hero"]
    outriders = [node["symbols"] for node in assets if node["id"].startswith("outrider")]
    eight_each = set(Counter(hero["type"] for hero in heroes).values()) == {8}
    return {"technology": 1, "battle": 2} in outriders and eight_each and all(h["type"] in h["symbols"] for h in heroes)


def test_a_repair_plays_once_the_club_puts_it_in():
    doc = document()
    card(doc, "outrider-a").update(card(doc, "outrider-a")["repair"])
    sectors = (("hawkeye", "mantis", "outrider-a"), *QUIET[1:])
    table = Table(sectors=sectors, card_set=doc).deploy(1).throw("red double-battle", "red technology")
    table.play("red double-battle on outrider-a", "red technology on outrider-a")
    assert table.damage("outrider-a") == 1


def test_no_rule_knows_a_card_by_its_name():
    cards = standard()
    names = set(cards.ids[: int(cards.assets)])
    for file in FILE.parent.glob("*.py"):
        words = set(re.findall(r"[\"']([a-z0-9-]+)[\"']", file.read_text(encoding="utf-8")))
        assert not words & names, file.name


# -- a club's own file


def test_the_standard_file_given_as_an_option_plays_the_same_match():
    game = engine.game("thanos-rising")
    ours, theirs = game.start(3, "same"), game.start(3, "same", {"card_set": document()})
    assert ours.view(0)["table"] == theirs.view(0)["table"]


def test_editing_an_ability_changes_play():
    """Hawkeye made to re-roll two dice asks for a second one; Cull Obsidian's owner picks when the file says so."""
    doc = document()
    card(doc, "hawkeye")["ability"]["effects"][0]["count"] = 2
    sectors = (("wong", "mantis", "thor"), *QUIET[1:])
    table = Table(teams={0: ["hawkeye"]}, sectors=sectors, card_set=doc).deploy(1)
    table.throw("red battle", "red battle").play("use hawkeye", "re-roll red battle")
    assert table.question == "re-roll"
    assert table.may()[-1] == "pass"

    doc = document()
    card(doc, "cull-obsidian")["ability"]["effects"][0].update(count=1, pick="owner")
    sectors = (("cull-obsidian", "hawkeye", "wong"), *QUIET[1:])
    table = Table(sectors=sectors, teams={0: ["thor"], 1: ["drax"]}, thanos=1, card_set=doc)
    table.deploy(3, thanos="activate_other_villains")
    assert (table.match.to_act, table.may()) == (0, ["damage captain-america", "damage thor"])
    table.play("damage thor")
    assert (table.match.to_act, table.may()) == (1, ["damage black-panther", "damage drax"])
    assert table.may(0) == []
    table.play("damage drax", seat=1)
    assert (table.damage("thor"), table.damage("drax")) == (1, 1)
    assert table.match.to_act == 0


def test_symbols_spaces_and_dice_can_be_corrected():
    doc = document()
    card(doc, "the-collector")["symbols"] = {"battle": 2, "cosmic": 2}
    card(doc, "hulk")["damage"] = 9
    doc["bases"][1]["dice"] = {"blue": 3, "green": 1}
    cards = load(doc)
    assert cards.symbols[cards.ids.index("the-collector")] == 2 + 2 * t.unit(3)
    assert cards.capacity[cards.ids.index("hulk")] == 9
    assert cards.pool[1] == 3 * t.unit(1) + t.unit(2)


def test_a_second_kind_of_healing_token_fits():
    doc = document()
    doc["bonus_tokens"].append(
        {
            "id": "bandage",
            "count": 2,
            "effects": [{"op": "remove_damage", "amount": 1, "targets": 1, "scope": "any_hero"}],
        }
    )
    table = Table(card_set=doc, tokens={0: ["bandage"]}, damage={"thor": 3}, teams={1: ["thor"]})
    table.deploy(1, thanos="rotate_cw").play("play bandage on thor")
    assert table.damage("thor") == 2


def test_cards_can_be_renamed_and_the_log_follows():
    doc = json.loads(TEXT.replace('"hawkeye"', '"clint"'))
    table = Table(sectors=(("clint", "wong", "mantis"), *QUIET[1:]), card_set=doc).deploy(1)
    table.throw("red battle").play("red battle on clint")
    assert {"event": "assigned", "card": "clint"}.items() <= table.events("assigned")[0].items()


# -- slips


def test_a_typo_in_an_op_names_the_card_and_the_allowed_words():
    doc = document()
    card(doc, "hawkeye")["ability"]["effects"][0]["op"] = "rerol"
    reason = refusal(doc)
    assert "card hawkeye" in reason
    assert "'rerol'" in reason
    assert "reroll, change_face" in reason


def test_from_a_file_the_line_is_named_too():
    line = next(number for number, text in enumerate(TEXT.splitlines(), 1) if '"op": "reroll"' in text)
    with pytest.raises(OptionError, match=rf"line {line}: card hawkeye: op: 'rerol' .* allowed: .*reroll"):
        load_text(TEXT.replace('"op": "reroll"', '"op": "rerol"', 1))


def test_a_file_that_is_not_json_names_the_line():
    with pytest.raises(OptionError, match="line 3: not JSON"):
        load_text('{\n "schema": 1,\n oops\n}')


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        (("timing",), "whenever", ("timing", "before_roll, after_roll")),
        (("effects", 0, "count"), 0, ("count", "1 to 9")),
        (("effects", 0, "count"), True, ("count", "1 to 9")),
        (("effects", 0, "many"), 1, ("unknown field 'many'",)),
        (("effects",), [], ("effects", "1 to 4")),
        (("effects", 0), "reroll", ("an effect must be an object",)),
        (("effects", 0, "op"), ["reroll"], ("op", "allowed")),
        (("effects", 0, "op"), "assign_symbol", ("does not go with the timing after_roll",)),
        (("cost",), {"symbols": {"battle": 1}}, ("unknown field 'symbols'", "self_damage")),
        (("condition",), {"if": "raining"}, ("raining", "team_has_type")),
        (("condition",), {"if": "team_has_type", "type": "battle"}, ("other_than_self is missing",)),
    ],
)
def test_every_word_of_an_ability_is_checked(path, value, words):
    doc = document()
    node = card(doc, "hawkeye")["ability"]
    for step in path[:-1]:
        node = node[step]
    node[path[-1]] = value
    reason = refusal(doc)
    assert reason.startswith("card hawkeye: ")
    for text in words:
        assert text in reason


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda doc: doc.pop("stones"), "stones is missing"),
        (lambda doc: doc["assets"].append(doc["assets"][0]), "already taken"),
        (lambda doc: doc["assets"][0].update(id="General Outrider"), "lower-case"),
        (lambda doc: doc["assets"][0].update(damage="two"), "damage"),
        (lambda doc: doc["assets"][0].update(symbols={"batle": 2}), "battle, technology, mystic, cosmic"),
        (lambda doc: doc["assets"][0].update(kind="ally"), "hero, villain"),
        (lambda doc: doc["bases"][0].update(leader="ebony-maw"), "leader"),
        (lambda doc: doc["bases"][0].update(dice={"red": 9}), "the box has only 6 red dice"),
        (lambda doc: doc["power_dice"][0].update(colour="pink"), "red, blue, green, purple"),
        (lambda doc: doc["power_dice"][0]["faces"].pop(), "list of 6"),
        (lambda doc: doc["power_dice"][0]["faces"].__setitem__(0, "batle"), "battle_x2"),
        (lambda doc: doc["power_dice"][0].update(faces=["battle"] * 6), "at least two must differ"),
        (lambda doc: doc["thanos_die"]["faces"].__setitem__(0, "spin"), "rotate_ccw, rotate_cw"),
        (lambda doc: doc["stone_die"]["faces"].__setitem__(0, "pink"), "red, orange"),
        (lambda doc: doc["bonus_tokens"][8]["effects"][0].update(targets="all"), "one target"),
        (lambda doc: doc["stones"][2]["ability"]["effects"][0].update(scope="own_sector"), "deployed_sector"),
        (lambda doc: doc.update(assets=doc["assets"][:5]), "list of 13 to 48"),
        (lambda doc: doc.update(schema=2), "schema"),
        (lambda doc: doc.update(about={1, 2}), "must be valid as JSON"),
        (lambda doc: doc.update(notes=1), "unknown field 'notes'"),
    ],
)  # fmt: skip
def test_every_other_part_is_checked(change, words):
    doc = document()
    change(doc)
    assert words in refusal(doc)


def test_a_die_of_one_face_is_refused_with_its_line():
    doc = json.loads(TEXT)
    text = TEXT.replace(json.dumps(doc["power_dice"][1]["faces"]), json.dumps(["technology"] * 6))
    assert text != TEXT
    line = next(n for n, row in enumerate(text.splitlines(), 1) if row.count('"technology"') == 6)
    with pytest.raises(OptionError, match=f"line {line}: power dice blue: faces: all six are 'technology'"):
        load_text(text)


def test_more_stones_than_the_stone_die_shows_cannot_be_asked_for():
    """Thanos could never collect them, and the match might never end."""
    doc = document()
    doc["stone_die"]["faces"] = ["red", "red", "red", "blue", "blue", "blue"]
    engine.game("thanos-rising").start(2, "two", {"card_set": doc, "stones_to_lose": 2})
    with pytest.raises(OptionError, match="stones_to_lose: the stone die of the card set shows only 2 stones"):
        engine.game("thanos-rising").start(2, "two", {"card_set": doc})


def test_more_villains_to_defeat_than_the_file_has_are_refused():
    doc = document()
    doc["assets"] = [node for node in doc["assets"] if node["id"] not in ("outrider-a", "outrider-b")]
    engine.game("thanos-rising").start(2, "few", {"card_set": doc, "villains_to_defeat": 8})
    with pytest.raises(OptionError, match="villains_to_defeat: the card set has only 8 villains"):
        engine.game("thanos-rising").start(2, "few", {"card_set": doc, "villains_to_defeat": 9})


def test_every_op_of_the_vocabulary_is_used_by_the_box():
    cards = standard()
    assert set(cards.op) == {op.number for op in OPS.values()}

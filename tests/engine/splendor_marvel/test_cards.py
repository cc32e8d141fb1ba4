"""The data file and the packed counts."""

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.splendor_marvel.cards import COLOURS, FACTS, FILE, CardsError, checked, packed
from engine.splendor_marvel.packed_counts import lane, minus, one, present, total

counts = st.lists(st.integers(0, 12), min_size=5, max_size=5)


def edited(change):
    facts = copy.deepcopy(FACTS)
    change(facts)
    return facts


def test_the_file_is_that_of_the_box():
    assert checked(json.loads(FILE.read_text(encoding="utf-8"))) == FACTS
    assert (len(FACTS["cards"]), len(FACTS["locations"])) == (90, 8)


def test_what_the_rulebook_prints():
    by_name = {thing["name"]: thing for thing in FACTS["cards"] + FACTS["locations"]}
    assert by_name["Rocket"]["cost"] == {"yellow": 1, "red": 2}
    rider = by_name["Ghost Rider"]
    assert (rider["cost"], rider["bonus"], rider["points"]) == ({"yellow": 2, "blue": 4, "purple": 1}, "red", 2)
    assert (by_name["Wasp"]["avengers"], by_name["Captain America"]["avengers"]) == (1, 2)
    assert by_name["Knowhere"]["requires"] == {"yellow": 3, "blue": 3, "red": 3}


def demand(level, repaired=()):
    """How many of each colour the cards of a level ask for, those named taken as their repair has them."""
    asked = dict.fromkeys(COLOURS, 0)
    for card in FACTS["cards"]:
        if card["id"].startswith(f"{level}-"):
            cost = card["repair"]["cost"] if card["id"] in repaired else card["cost"]
            asked = {colour: asked[colour] + cost.get(colour, 0) for colour in COLOURS}
    return asked


@pytest.mark.parametrize(("level", "each"), [(1, 33), (2, 41), (3, 43)])
def test_every_level_asks_for_every_colour_alike_but_for_the_doubts_that_are_noted(level, each):
    """Exactly the cards with a repair break the balance: with all of them repaired it holds, with one missing not."""
    doubted = [card["id"] for card in FACTS["cards"] if "repair" in card and card["id"].startswith(f"{level}-")]
    assert set(demand(level, doubted).values()) == {each}
    for left_out in doubted:
        assert len(set(demand(level, [card for card in doubted if card != left_out]).values())) > 1


def test_what_is_in_doubt_is_called_partial_and_says_why():
    doubted = {card["id"] for card in FACTS["cards"] if "repair" in card}
    assert doubted == {card["id"] for card in FACTS["cards"] if card["status"] != "confirmed"} == {"1-13", "1-35"}
    for card in FACTS["cards"]:
        assert "repair" not in card or card["note"]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda facts: facts["cards"].pop(), "ids of cards"),
        (lambda facts: facts["cards"].reverse(), "ids of cards"),
        (lambda facts: facts["cards"][3].update(name="Rocket"), "distinct names"),
        (lambda facts: facts["cards"][3].update(bonus="red"), "bonuses"),
        (lambda facts: facts["cards"][3].update(points=9), "points of level 1: 14, not 5"),
        (lambda facts: facts["cards"][3].update(avengers=2), "Avengers tags of level 1: 12, not 10"),
        (lambda facts: facts["cards"][3].update(cost={"pink": 1}), "1-4: 1 of 'pink' cannot be asked for"),
        (lambda facts: facts["cards"][3].update(cost={"red": 0}), "1-4: 0 of 'red' cannot be asked for"),
        (lambda facts: facts["cards"][3].update(cost={"red": 2}), "demand of level 1: 162, not 164"),
        (lambda facts: facts["cards"][3].update(status="guessed"), "1-4: status must be one of"),
        (lambda facts: facts["cards"][3].update(repair={"cost": {"red": 4}}), "1-4: what is confirmed needs no repair"),
        (lambda facts: facts["locations"][2].update(requires={"red": 4}), "location 2a: must ask"),
        (lambda facts: facts["setup"]["3"].update(green=4), "green tokens and locations for 3"),
    ],
)
def test_an_edited_file_is_refused_with_the_reason(change, reason):
    with pytest.raises(CardsError, match=reason):
        checked(edited(change))


@given(mine=counts, others=counts)
def test_packed_counts_do_what_lists_do(mine, others):
    pack = packed(dict(zip(COLOURS, mine, strict=True)))
    other = packed(dict(zip(COLOURS, others, strict=True)))
    assert [lane(pack, colour) for colour in range(5)] == mine
    assert total(pack) == sum(mine)
    left = minus(pack, other)
    assert [lane(left, colour) for colour in range(5)] == [max(0, a - b) for a, b in zip(mine, others, strict=True)]
    assert [lane(present(pack), colour) for colour in range(5)] == [int(count > 0) for count in mine]
    assert sum(one(colour) * count for colour, count in enumerate(mine)) == pack

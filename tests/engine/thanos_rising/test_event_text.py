"""What the log says of damage and counters: how much came or went, and how much there is then."""

import pytest

import engine
from engine.thanos_rising.event_text import SENTENCES
from tests.engine.random_play import walk
from tests.engine.thanos_rising.scripted_table import QUIET, Table

TOTALS = {"damaged": 1, "healed": -1, "counter-added": 1, "counter-removed": -1}
"""Events with an amount and the total after it; whether the total grows."""


def test_damage_is_told_with_its_amount_and_the_total():
    table = Table(thanos=2, damage={"vision": 2}).deploy(1)
    event = next(event for event in table.events("damaged") if event["card"] == "vision")
    assert (event["amount"], event["count"]) == (1, 3)
    assert table.match.game.sentence(event) == "Vision takes 1 damage: 3 in all."


def test_healing_is_told_with_its_amount_and_the_rest():
    table = Table(teams={1: ["hulk"]}, damage={"hulk": 3}, tokens={0: ["heal"]}).deploy(1, thanos="rotate_cw")
    event = table.play("play heal on hulk").events("healed")[0]
    assert (event["amount"], event["count"]) == (2, 1)
    assert table.match.game.sentence(event) == "Hulk is healed by 2: 1 damage left."


def test_so_are_counters():
    table = Table(sectors=QUIET, counters={"red": 2}, tokens={0: ["stone"]}).deploy(1, thanos="rotate_cw")
    added = table.events("counter-added")[0]
    assert (added["amount"], added["count"]) == (1, 3)
    assert table.match.game.sentence(added) == "Counters on the red stone: 1 more, 3 in all."
    removed = table.play("play stone on red").events("counter-removed")[0]
    assert table.match.game.sentence(removed) == "Counters on the red stone: 1 fewer, 2 left."


def test_every_sentence_with_a_total_tells_the_amount_too():
    assert {name for name, sentence in SENTENCES.items() if "{amount}" in sentence} == set(TOTALS)
    counted = {name for name, sentence in SENTENCES.items() if "{count}" in sentence}
    assert counted == set(TOTALS) | {"rolled"}, "dice rolled are an amount"


@pytest.mark.parametrize("players", [2, 4])
def test_in_random_play_the_amounts_add_up_to_the_totals(players):
    """Kept by hand from the events alone: each total is the one before it, more or less by the amount."""
    for deal in range(6):
        match = engine.game("thanos-rising").start(players, f"sums {deal}", {"preset": "recruit"})
        for _ in walk(match, match.seed):
            pass
        totals = {}
        for event in match.events(None):
            if event["event"] == "recruited":
                totals[event["card"]] = 0
            elif event["event"] in TOTALS:
                key = event.get("card") or event["stone"]
                totals[key] = totals.get(key, 0) + TOTALS[event["event"]] * event["amount"]
                assert totals[key] == event["count"], event

"""Reasons for what cannot be chosen: a sentence each, never about what is legal, made from the seat's own knowledge."""

import string

import pytest

import engine
from games.catalogue import texts
from tests.engine.random_play import TABLES, walk

EVERY = 7  # plies between two looks


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_reasons_fit_their_sentences_and_reveal_nothing(name, players):
    sentences = texts.reasons(name)
    match = engine.game(name).start(players, seed="why not")
    for ply, _ in enumerate(walk(match, f"{name} {players}")):
        for seat in range(players) if ply % EVERY == 0 else ():
            view = match.view(seat)
            assert not set(view["why_not"]) & set(view["legal"])
            assert view["why_not"] == match.imagine(seat, f"{ply}").why_not(seat)
            for reason in view["why_not"].values():
                wanted = {field for _, field, _, _ in string.Formatter().parse(sentences[reason["code"]]) if field}
                assert wanted == set(reason) - {"code"}
    assert match.why_not(0) == {}
    assert match.view(None)["why_not"] == {}


def test_a_card_says_what_it_lacks():
    match = engine.game("splendor-marvel").start(2, seed="why not")
    reasons = match.why_not(0)
    card, reason = next((move, each) for move, each in reasons.items() if move.startswith("recruit"))
    assert reason["code"] == "short"
    assert sum(reason["short"].values()) >= 3, card
    match.play("take red")
    assert match.why_not(0)["stop"] == {"code": "take-more"}
    assert match.why_not(0)[card] == {"code": "tokens-first"}


def test_thanos_is_never_played_and_a_roll_needs_a_die_first():
    for number in range(40):
        match = engine.game("infinity-gauntlet").start(3, seed=f"thanos {number}")
        if "thanos" in match.view(0)["table"]["seats"][0]["cards"]:
            break
    assert match.why_not(0)["play thanos"] == {"code": "never-played"}
    assert match.why_not(0)["snap"]["code"] == "stones-missing"
    rising = engine.game("thanos-rising").start(2, seed="roll", options={"first_player": 1})
    while rising.view(0)["table"]["question"] != "assign":
        rising.play(rising.legal()[0])
    assert rising.why_not(0)["roll"] == {"code": "assign-first"}
    assert {"code": "other-sector"} in rising.why_not(0).values()

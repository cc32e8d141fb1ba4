"""The bots of Infinity Gauntlet: what they know, what they deduce, and that they keep to the rules."""

import pytest

from engine.bots import Budget, Situation, bot
from engine.bots.runner import bots_in_every_seat
from engine.infinity_gauntlet import cards
from tests.engine.infinity_gauntlet.positions import GAME, hand, play, position, seen

FEW = Budget(iterations=10)
SOME = Budget(iterations=120)
# Those that never slip: the lower levels of the ladder choose at random now and then.
STEADY = ("rookie", "regular", "expert", "master", "guardian", "sage", "titan")
levels = pytest.mark.parametrize("level", STEADY)
thinking = pytest.mark.parametrize("level", STEADY[1:])


def answer(match, level, seed="a seed", budget=FEW):
    """What a bot answers to the question being asked, in words."""
    action = bot(GAME.name, level).choose(Situation(match, match.to_act), budget, seed)
    assert action in match.legal()
    return match.notation(action)


def answers(match, level, budget=FEW):
    return {answer(match, level, f"seed {number}", budget) for number in range(4)}


# -- what a bot knows


@levels
def test_cards_swapped_behind_a_seat_change_nothing(level):
    """Two tables set up apart: other hands and other decks, the same sight of them for the hero who must play."""
    one = position(
        turn=1, heroes={1: ["nebula", "hulk"], 2: ["thor"]}, deck=["vision", "gamora", "falcon", "iron-man"],
        thanos=["time-stone", "outrider"], thanos_deck=["thanos", "soul-stone", "ebony-maw"],
    )  # fmt: skip
    other = position(
        turn=1, heroes={1: ["nebula", "hulk"], 2: ["iron-man"]}, deck=["falcon", "thor", "vision", "gamora"],
        thanos=["ebony-maw", "thanos"], thanos_deck=["outrider", "time-stone", "soul-stone"],
    )  # fmt: skip
    assert one.view(1) == other.view(1)
    assert answer(one, level, budget=SOME) == answer(other, level, budget=SOME)


# -- that it plays by the rules, and the same every time


@pytest.mark.parametrize("level", ["expert", "master"])
def test_one_legal_action_costs_no_thought(level):
    match = position(turn=0, thanos=["thanos"], thanos_deck=["outrider", "mind-stone"])
    assert answer(match, level, budget=Budget(iterations=10**9)) == "pass"


@pytest.mark.parametrize("level", ["expert", "master"])
def test_a_budget_of_time_is_kept(level):
    match = GAME.start(4, "clock")
    table = bots_in_every_seat([(bot(GAME.name, level), Budget(seconds=0.05))] * 4, "clock")
    for _ in range(6):
        table.move(match)
    assert sum(seated.moves for seated in table.seats.values()) == 6


# -- what it deduces


@levels
def test_thanos_snaps_when_he_can(level):
    stones = ["mind-stone", "soul-stone", "space-stone", "power-stone"]
    match = position(thanos=["reality-stone", "time-stone", "outrider"], thanos_faceup=stones)
    assert answers(match, level) == {"snap"}


@thinking
def test_a_hero_who_saw_a_card_guesses_it(level):
    match = position(
        players=2, turn=1, heroes={1: ["gamora", "nebula"]}, deck=["vision", "thor", "hulk"],
        thanos=["time-stone", "thanos"],
    )  # fmt: skip
    play(match, "play gamora")
    number = cards.THANOS_NUMBERS[cards.THANOS_IDS.index(seen(match, 1, 0)["cards"][0])]
    assert "nebula" in hand(match, 1)
    assert answers(match, level, SOME) == {"play nebula"}
    play(match, "play nebula")
    assert answers(match, level, SOME) == {f"guess {number}"}


@levels
def test_a_number_ruled_out_is_never_guessed(level):
    match = position(
        turn=1, heroes={1: ["nebula", "hulk"], 2: ["star-lord"]}, thanos=["time-stone", "corvus-glaive"],
        thanos_faceup=["thanos"],
    )  # fmt: skip
    play(match, "play nebula", "guess 1", "play star-lord")
    assert not answers(match, level) & {"guess 1", "guess 7"}


@thinking
def test_thanos_who_saw_a_card_in_a_fight_names_it(level):
    match = position(
        thanos=["black-dwarf", "power-stone", "outrider"], heroes={1: ["falcon"], 2: ["hulk"]},
        deck=["thor", "vision", "gamora", "nebula", "iron-man", "star-lord", "doctor-strange"], heroes_life=1,
    )  # fmt: skip
    play(match, "play black-dwarf", "fight 1", "with power-stone")  # a tie: both keep their cards
    play(match, "play thor", "hold", "play vision", "top gamora", "next nebula")
    play(match, "play outrider")
    assert answers(match, level, SOME) == {"target 1"}
    play(match, "target 1")
    assert answers(match, level, SOME) == {"guess 4"}


@levels
def test_no_hero_with_a_one_goes_to_fight_a_hand_of_high_cards(level):
    match = position(
        players=2,
        turn=1,
        heroes={1: ["hulk", "nebula"]},
        thanos=["time-stone", "thanos"],
        thanos_deck=["reality-stone"],
    )
    play(match, "play hulk")
    assert answers(match, level, SOME) == {"hold"}


@thinking
def test_a_sure_winner_fights(level):
    match = position(
        players=2, turn=1, heroes={1: ["hulk", "iron-man"]}, thanos=["outrider", "mind-stone"],
        thanos_deck=["corvus-glaive"],
    )  # fmt: skip
    play(match, "play hulk")
    assert answers(match, level, SOME) == {"fight"}

"""The bots of Thanos Rising: what they know, how they help each other, and that they keep to the rules."""

import time

import pytest

import engine
from engine.bots import LEAVE, LEVELS, Budget, Situation, bot
from engine.bots.runner import bots_in_every_seat
from engine.bots.thanos_rising.probabilities import Odds, fewer
from engine.rng import stream
from engine.thanos_rising import card_tables as t
from engine.thanos_rising.cards import standard
from tests.engine.thanos_rising.scripted_table import QUIET, Table, sector_with

GAME = engine.game("thanos-rising")
FEW = Budget(iterations=6)
SOME = Budget(iterations=400)
levels = pytest.mark.parametrize("level", LEVELS)
thinking = pytest.mark.parametrize("level", [level for level in LEVELS if level != "rookie"])
searching = pytest.mark.parametrize("level", ["expert", "master"])


def answer(match, level, seed="a seed", budget=FEW, seat=None):
    """What a bot answers, in words; None when it leaves things as they are."""
    seat = match.to_act if seat is None else seat
    action = bot(GAME.name, level).choose(Situation(match, seat), budget, seed)
    if action == LEAVE:
        assert seat != match.to_act
        return None
    assert action in match.legal(seat)
    return match.notation(action, seat)


# -- what a bot knows


@levels
def test_piles_swapped_behind_the_table_change_nothing(level):
    """Two tables whose deck, tokens face down and dice to come differ in truth."""
    one, other = Table(players=3), Table(players=3)
    state = other.state
    state.deck = t.table(list(reversed(list(state.deck))))
    state.supply = t.table(list(reversed(list(state.supply))))
    state.rng = stream("other", "dice")
    assert one.match.view(0) == other.match.view(0)
    assert one.match.hash() != other.match.hash()
    assert answer(one.match, level, budget=SOME) == answer(other.match, level, budget=SOME)


# -- that it plays by the rules, and the same every time


@searching
def test_one_legal_action_costs_no_thought(level):
    table = Table(sectors=sector_with("friday", None, None)).deploy(1).throw("red battle", "red battle")
    assert table.may() == ["forfeit red battle"]
    assert answer(table.match, level, budget=Budget(iterations=10**9)) == "forfeit red battle"


@searching
def test_a_budget_of_time_is_kept(level):
    match = GAME.start(4, "clock")
    table = bots_in_every_seat([(bot(GAME.name, level), Budget(seconds=0.2))] * 4, "clock")
    began = time.process_time()
    for _ in range(8):
        table.move(match)
    answers = sum(seated.moves for seated in table.seats.values())
    assert answers >= 8
    assert time.process_time() - began < 0.4 * answers


# -- how it plays


@thinking
def test_a_die_that_completes_a_card_goes_there(level):
    table = Table(sectors=sector_with("hawkeye", "hulk", "thor")).deploy(1)
    table.throw("red double-battle", "red battle")
    played = []
    while table.question == "assign" and table.state.dice:
        played.append(answer(table.match, level, budget=SOME))
        table.play(played[-1])
    assert sorted(played) == ["red battle on hawkeye", "red double-battle on hawkeye"]


@thinking
def test_a_token_out_of_turn_completes_a_recruit(level):
    table = Table(players=4, tokens={2: ["battle"], 3: ["technology"]}).deploy(1).throw("red double-battle")
    assert answer(table.match, level, seat=2, budget=SOME) is None  # the die may still fall on another card
    table.play("red double-battle on hawkeye")
    assert answer(table.match, level, seat=3, budget=SOME) is None
    assert answer(table.match, level, seat=2, budget=SOME) == "play battle on hawkeye"


@thinking
def test_company_plays_that_token_and_the_hero_joins(level):
    table = Table(players=3, tokens={1: ["battle"]}).deploy(1).throw("red double-battle")
    table.play("red double-battle on hawkeye")
    seated = bots_in_every_seat([(bot(GAME.name, level), SOME)] * 3, "help")
    while table.match.state.turn == 0:
        seated.move(table.match)
    assert "hawkeye" in table.team(0)
    assert [entry.seat for entry in table.match.entries if entry.move == "play battle on hawkeye"] == [1]


@pytest.mark.parametrize("level", ["regular"])
def test_two_players_tokens_together_complete_a_villains_need(level):
    sectors = sector_with("outrider-a", None, None)
    table = Table(players=3, sectors=sectors, thanos=1, tokens={1: ["battle"], 2: ["technology"]})
    table.deploy(1).throw("red battle", "red technology")
    table.play("red battle on outrider-a", "red technology on outrider-a")
    assert answer(table.match, level, seat=1) == "play battle on outrider-a"
    table.play("play battle on outrider-a", seat=1)
    assert answer(table.match, level, seat=2) == "play technology on outrider-a"


@thinking
def test_a_token_out_of_turn_saves_a_hero_about_to_fall(level):
    table = Table(players=2, tokens={1: ["heal"]}, teams={0: ["hulkbuster"]}, thanos=1).deploy(1)
    table.throw("red double-battle").play("red double-battle on hawkeye")
    assert answer(table.match, level, seat=1, budget=SOME) is None
    table.state.damage[table.card("hulkbuster")] = 5
    assert answer(table.match, level, seat=1, budget=SOME) == "play heal on hulkbuster"


@thinking
def test_a_stone_about_to_be_taken_is_held_off(level):
    table = Table(counters={"green": 4}, tokens={1: ["stone"]}).deploy(1, stones=("green",), thanos="rotate_cw")
    table.throw("red double-battle").play("red double-battle on hawkeye")
    assert answer(table.match, level, seat=1, budget=SOME) == "play stone on green"


@levels
def test_a_heal_goes_to_who_would_fall(level):
    table = Table(teams={0: ["quinjet", "hulk"]}, damage={"hulk": 7, "captain-america": 1}, sectors=QUIET).deploy(1)
    table.throw("red battle").play("red battle on hawkeye")
    while table.question == "assign":
        table.play("stop")
    table.play("use quinjet")
    assert answer(table.match, level, budget=SOME) == "heal hulk"


# -- the odds of the dice


def test_the_odds_of_dice_are_near_those_of_real_throws():
    cards = standard()
    odds, rng = Odds(cards), stream("odds", "throws")
    for need, dice in [
        ({0: 3}, {0: 4}),
        ({0: 2, 1: 2}, {0: 4}),
        ({0: 2, 1: 2}, {0: 2, 1: 4}),
        ({0: 1, 1: 1, 2: 1}, {0: 2, 1: 2}),
        ({2: 3, 3: 2}, {0: 2, 2: 2, 3: 2}),
    ]:
        owed = sum(number * t.unit(symbol) for symbol, number in need.items())
        pool = sum(number * t.unit(colour) for colour, number in dice.items())
        real = sum(completes(cards, owed, pool, rng) for _ in range(1500)) / 1500
        assert abs(odds.chance(owed, pool) - real) < 0.15


def completes(cards, owed, dice, rng):
    """Whether one series of throws brings all symbols, when every die that fits is kept."""
    while owed and dice:
        left = 0
        for colour in range(t.COLOURS):
            for _ in range(t.lane(dice, colour)):
                kind = cards.face[colour * t.FACES + rng.below(t.FACES)]
                symbol = cards.kind_symbol[kind]
                if t.lane(owed, symbol):
                    owed -= min(cards.kind_value[kind], t.lane(owed, symbol)) << symbol * t.LANE
                else:
                    left += t.unit(colour)
        dice = fewer(left, 1) if left == dice else left
    return owed == 0


def test_too_few_dice_have_no_chance_and_no_need_is_sure():
    odds = Odds(standard())
    assert odds.chance(0, 0) == 1.0
    assert odds.chance(3 * t.unit(0), 0) == 0.0
    assert odds.chance(3 * t.unit(0), t.unit(0)) == 0.0
    assert odds.chance(3 * t.unit(1), 2 * t.unit(0)) == 0.0

"""How a match is won and lost, in the order of the rulebook's "End of the game" and "Difficulty variants"."""

import pytest

import engine
from engine.bots import Budget, bot
from engine.bots.runner import bots_in_every_seat
from engine.errors import OptionError
from engine.thanos_rising.game import PRESETS
from tests.engine.random_play import walk
from tests.engine.thanos_rising.scripted_table import QUIET, Table

FOES = (("hawkeye", "outrider-a", "wong"), *QUIET[1:])
SIX_DOWN = ("outrider-b", "outrider-c", "outrider-d", "outrider-e", "outrider-f", "ebony-maw")


def about_to_win(**more):
    """One damage short of the seventh villain, dice before the active player that can deal it."""
    table = Table(sectors=FOES, damage={"outrider-a": 1, **more.pop("damage", {})}, **more)
    downed(table, *SIX_DOWN)
    return table


def downed(table, *names):
    """Take cards out of the deck: defeated, or lost."""
    state = table.state
    for name in names:
        card = table.card(name)
        state.deck = type(state.deck)([other for other in state.deck[state.revealed :] if other != card])
        state.revealed = 0
        if state.cards.villains >> card & 1:
            state.defeated |= 1 << card
        else:
            state.lost |= 1 << card


def win(table):
    table.throw("red double-battle", "blue double-technology")
    return table.play("red double-battle on outrider-a", "blue double-technology on outrider-a")


def test_defeating_seven_of_ten_villains_wins():
    table = win(about_to_win().deploy(1))
    outcome = table.match.outcome
    assert outcome.winners == (0, 1)
    assert outcome.ranks == (1, 1)
    assert outcome.reason == "villains-defeated"
    assert table.match.events(None)[-1]["event"] == "won"


def test_six_are_not_enough():
    table = Table(sectors=FOES, damage={"outrider-a": 1})
    downed(table, *SIX_DOWN[:5])
    win(table.deploy(1))
    assert table.match.outcome is None


@pytest.mark.parametrize("goal", [8, 9, 10])
def test_more_villains_make_it_harder(goal):
    table = win(about_to_win(villains_to_defeat=goal).deploy(1))
    assert table.match.outcome is None


def test_six_collected_stones_lose():
    table = Table(collected=["red", "orange", "yellow", "green", "blue"], counters={"purple": 4})
    table.deploy(1, stones=("purple",), thanos="rotate_cw").finish()
    assert table.match.outcome.reason == "stones-collected"
    assert table.match.outcome.winners == ()


@pytest.mark.parametrize(("needed", "over"), [(1, True), (2, True), (3, False)])
def test_the_number_of_stones_is_an_option(needed, over):
    """One stone is collected, another is about to be."""
    table = Table(collected=["red"], counters={"purple": 4}, stones_to_lose=needed)
    table.deploy(1, stones=("purple",), thanos="rotate_cw").finish()
    assert (table.match.outcome is not None) == over
    if over:
        assert table.match.outcome.reason == "stones-collected"


@pytest.mark.parametrize("goal", [1, 4])
def test_fewer_villains_make_it_easier(goal):
    table = Table(sectors=FOES, damage={"outrider-a": 1}, villains_to_defeat=goal)
    downed(table, *SIX_DOWN[: goal - 1])
    assert win(table.deploy(1)).match.outcome.winners == (0, 1)


def test_the_first_hero_may_be_one_too_many():
    table = Table(damage={"vision": 3}, thanos=2, heroes_lost_limit=1).deploy(1).finish()
    assert table.match.outcome.reason == "heroes-lost"


EXTREMES = [
    {"villains_to_defeat": villains, "heroes_lost_limit": heroes, "stones_to_lose": stones, "team_loss": heroes < 31}
    for villains in (1, 10)
    for heroes in (1, 31)
    for stones in (1, 6)
]


@pytest.mark.parametrize("options", EXTREMES)
def test_matches_at_the_extremes_end_as_the_options_say(options):
    """Random matches, and one of each level of bot: the end is the first condition that the options name."""
    game = engine.game("thanos-rising")
    for deal in range(3):
        match = game.start(2 + deal, f"extreme {deal}", options)
        for _ in walk(match, match.seed):
            pass
        ended_by(match, options)
    for level in ("rookie", "regular", "expert"):
        match = game.start(2, f"extreme {level}", options)
        bots_in_every_seat([(bot(match.game.name, level), Budget(iterations=2))] * 2, "extreme").play_out(match)
        ended_by(match, options)


def ended_by(match, options):
    table, reason = match.view(None)["table"], match.outcome.reason
    won = len(table["defeated"]) >= options["villains_to_defeat"]
    stones = sum(stone["collected"] for stone in table["stones"]) >= options["stones_to_lose"]
    heroes = len(table["lost"]) >= options["heroes_lost_limit"]
    wiped_out = options["team_loss"] and any(not team["heroes"] for team in table["teams"])
    reasons = [
        ("villains-defeated", won),
        ("stones-collected", stones),
        ("heroes-lost", heroes),
        ("team-lost", wiped_out),
    ]
    assert reason == next(name for name, holds in reasons if holds)


def test_ten_defeated_heroes_lose_those_in_sectors_count_too():
    table = Table(damage={"vision": 3}, thanos=2)
    downed(table, "hulk", "thor", "drax", "nebula", "falcon", "friday", "iron-man", "heimdall", "quinjet")
    table.deploy(1)
    assert table.match.outcome is None
    table.finish()
    assert table.match.outcome.reason == "heroes-lost"
    assert len(table.seen["lost"]) == 10


def test_the_number_of_heroes_is_an_option():
    table = Table(damage={"vision": 3}, thanos=2, heroes_lost_limit=11)
    downed(table, "hulk", "thor", "drax", "nebula", "falcon", "friday", "iron-man", "heimdall", "quinjet")
    table.deploy(1).finish()
    assert table.match.outcome is None


def test_one_team_wiped_out_loses_for_all():
    table = Table(players=3, damage={"captain-america": 5}, thanos=0).deploy(1).finish()
    assert table.match.outcome.reason == "team-lost"
    assert table.match.outcome.winners == ()
    assert table.match.outcome.ranks == (1, 1, 1)


def test_a_team_wiped_out_out_of_turn_loses_too():
    sectors = (("hawkeye", "cull-obsidian", "wong"), *QUIET[1:])
    table = Table(sectors=sectors, damage={"black-panther": 5}, thanos=0).deploy(2).finish()
    assert table.match.outcome.reason == "team-lost"


def test_by_option_a_team_without_heroes_plays_on_with_the_dice_of_its_base():
    table = Table(damage={"captain-america": 5}, thanos=0, team_loss=False).deploy(1).finish()
    assert table.match.outcome is None
    assert table.team(0) == set()
    table.deploy(2).finish().deploy(3)
    assert table.match.to_act == 0
    assert sum(table.seen["dice"]["hand"].values()) == 4


def test_win_and_loss_together_are_a_win():
    table = about_to_win(
        collected=["red", "orange", "yellow", "green", "blue"],
        counters={"purple": 4},
        damage={"captain-america": 5},
        thanos=0,
    )
    win(table.deploy(1, stones=("purple",), thanos="roll_stone_die_again"))
    assert table.state.collected == 63
    assert table.team(0) == set()
    assert table.match.outcome.reason == "villains-defeated"


def test_starting_with_a_counter_on_each_stone_is_an_option():
    assert list(Table(starting_counters=1).state.counters) == [1] * 6


# -- graded results


def test_the_grade_is_won_villains_stones_heroes_turns():
    outcome = win(about_to_win(collected=["red"]).deploy(1, stones=("blue",), thanos="rotate_cw")).match.outcome
    assert outcome.grade == (1, 7, 5, 0, -1)
    assert outcome.scores == (7, 7)


def test_of_two_losses_the_one_held_off_longer_is_better():
    def lost(turns):
        table = Table(damage={"captain-america": 5}, thanos=0)
        table.state.turn = turns - 1
        return table.deploy(1).finish().match.outcome.grade

    assert lost(5) > lost(3)
    assert lost(3) == (0, 0, 6, -1, 3)


def test_a_win_comes_before_any_loss_and_more_villains_before_all_else():
    assert (1, 7, 0, -9, -40) > (0, 6, 6, 0, 40)
    won = win(about_to_win().deploy(1)).match.outcome.grade
    lost = Table(damage={"captain-america": 5}, thanos=0).deploy(1).finish().match.outcome.grade
    assert won > lost


def test_everyone_gets_the_same_reward():
    table = win(about_to_win().deploy(1))
    assert [table.state.reward(seat) for seat in range(2)] == [1.0, 1.0]


# -- presets and options


@pytest.mark.parametrize("preset", list(PRESETS))
def test_a_preset_sets_the_difficulty(preset):
    state = engine.game("thanos-rising").start(2, "preset", {"preset": preset}).state
    assert state.goal == PRESETS[preset]["villains_to_defeat"]
    assert state.lost_limit == PRESETS[preset]["heroes_lost_limit"]
    assert state.stones_to_lose == 6
    assert bool(state.team_loss) == PRESETS[preset]["team_loss"]
    assert list(state.counters) == [PRESETS[preset]["starting_counters"]] * 6


def test_the_default_is_the_first_game_of_the_rulebook():
    state = engine.game("thanos-rising").start(2, "default").state
    assert (state.goal, state.lost_limit, sum(state.counters)) == (7, 10, 0)


def test_an_explicit_value_overrides_the_preset():
    options = {"preset": "infinity", "villains_to_defeat": 8}
    state = engine.game("thanos-rising").start(2, "mixed", options).state
    assert state.goal == 8
    assert list(state.counters) == [PRESETS["infinity"]["starting_counters"]] * 6


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"villains_to_defeat": 0}, "villains_to_defeat"),
        ({"villains_to_defeat": 11}, "villains_to_defeat"),
        ({"heroes_lost_limit": 0}, "heroes_lost_limit"),
        ({"heroes_lost_limit": 32}, "heroes_lost_limit"),
        ({"stones_to_lose": 0}, "stones_to_lose"),
        ({"stones_to_lose": 7}, "stones_to_lose"),
        ({"preset": "easy"}, "preset"),
        ({"bases": "wakanda"}, "bases"),
        ({"bases": "wakanda,wakanda"}, "bases"),
        ({"bases": "wakanda,gotham"}, "bases"),
        ({"first_player": 3}, "first_player"),
        ({"starting_counters": 5}, "starting_counters"),
        ({"team_loss": 1}, "team_loss"),
        ({"card_set": {}}, "card_set"),
        ({"card_set": "cards"}, "card_set"),
    ],
)
def test_bad_options_are_refused_by_name(options, field):
    with pytest.raises(OptionError) as error:
        engine.game("thanos-rising").start(2, "bad", options)
    assert error.value.field == field

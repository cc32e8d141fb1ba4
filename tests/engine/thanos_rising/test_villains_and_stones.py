"""What villains and stones do."""

import pytest

from tests.engine.thanos_rising.scripted_table import QUIET, Table, sector_with

HOT = ("hawkeye", "outrider-a", "wong")


# -- villains


@pytest.mark.parametrize(
    ("outrider", "types"),
    [
        ("outrider-a", {"hawkeye", "captain-america", "falcon"}),
        ("outrider-b", {"falcon", "nebula"}),
        ("outrider-c", {"falcon", "heimdall"}),
        ("outrider-d", {"hawkeye", "captain-america", "nebula"}),
        ("outrider-e", {"hawkeye", "captain-america", "heimdall"}),
        ("outrider-f", {"heimdall", "nebula"}),
    ],
)
def test_an_outrider_damages_the_heroes_of_two_types_present_in_its_sector(outrider, types):
    sectors = sector_with(outrider, "hawkeye", "falcon")
    table = Table(sectors=sectors, teams={0: ["nebula", "heimdall"]}, thanos=1)
    table.deploy(1, thanos="activate_other_villains")
    team = {"captain-america", "nebula", "heimdall", "hawkeye", "falcon"}
    assert {hero for hero in team if table.damage(hero)} == types


def test_cull_obsidian_damages_two_heroes_of_each_team():
    table = Table(
        sectors=sector_with("cull-obsidian", "hawkeye", "wong"),
        teams={0: ["thor", "drax", "hulk"], 1: ["falcon"]},
        thanos=1,
    )
    table.deploy(3, thanos="activate_other_villains")
    assert sum(table.damage(hero) for hero in ("captain-america", "thor", "drax", "hulk")) == 2
    assert max(table.damage(hero) for hero in ("captain-america", "thor", "drax", "hulk")) == 1
    assert (table.damage("black-panther"), table.damage("falcon")) == (1, 1)


def test_cull_obsidian_hits_a_lone_hero_once():
    table = Table(sectors=sector_with("cull-obsidian", "hawkeye", "wong"), thanos=1)
    table.deploy(3, thanos="activate_other_villains")
    assert (table.damage("captain-america"), table.damage("black-panther")) == (1, 1)


def test_random_picks_reach_every_pair():
    pairs = set()
    for number in range(60):
        table = Table(sectors=sector_with("cull-obsidian", "hawkeye", "wong"), teams={0: ["thor", "drax"]}, thanos=1)
        team = ("captain-america", "thor", "drax")
        table.state.turn = number
        table.deploy(3, thanos="activate_other_villains")
        pairs.add(tuple(table.damage(hero) for hero in team))
    assert pairs == {(1, 1, 0), (1, 0, 1), (0, 1, 1)}


def test_proxima_midnight_damages_the_active_team_wherever_it_is():
    table = Table(sectors=sector_with("proxima-midnight", "hawkeye", "wong"), teams={0: ["hulk"]}, thanos=0)
    table.deploy(2)
    assert (table.damage("captain-america"), table.damage("hulk"), table.damage("black-panther")) == (1, 1, 0)


def test_ebony_maw_rolls_the_stone_die_once_more():
    table = Table(sectors=sector_with("ebony-maw", "hawkeye", "wong"), thanos=1)
    table.deploy(2, stones=("red", "blue"), thanos="rotate_ccw")
    assert (table.counters("red"), table.counters("blue")) == (1, 1)


def test_an_extra_roll_of_a_taken_stone_triggers_its_power_again():
    table = Table(sectors=sector_with("ebony-maw", "hawkeye", "wong"), thanos=1, collected=["orange"])
    table.deploy(2, stones=("orange", "orange"), thanos="rotate_ccw")
    assert table.damage("captain-america") == 2


def test_corvus_glaive_damages_all_heroes_in_the_next_sector_clockwise():
    table = Table(sectors=sector_with("corvus-glaive", "hawkeye", "wong"), thanos=0)
    table.deploy(2)
    assert [table.damage(hero) for hero in QUIET[1]] == [1, 1, 1]
    assert table.damage("captain-america") == 1
    assert table.damage("vision") == 0


# -- stones


def test_red_forbids_removing_damage_this_turn():
    table = Table(
        collected=["red"],
        teams={0: ["quinjet"]},
        damage={"hulk": 3},
        tokens={1: ["heal"]},
        sectors=sector_with("hulk", "wong", "mantis"),
    )
    table.deploy(2, stones=("red",), thanos="rotate_cw")
    assert table.seen["healing_forbidden"]
    assert table.may(1) == []
    table.finish()
    assert table.damage("hulk") == 3
    assert not table.seen["healing_forbidden"]


def test_red_does_not_keep_a_recruit_from_leaving_its_damage():
    table = Table(collected=["red"], damage={"hawkeye": 2}).deploy(1, stones=("red",), thanos="rotate_cw")
    table.throw("red battle", "red double-battle").play("red battle on hawkeye", "red double-battle on hawkeye")
    assert table.damage("hawkeye") == 0


def test_green_adds_a_counter_to_every_uncollected_stone_tied_for_fewest():
    table = Table(collected=["green"], counters={"red": 2, "blue": 1, "orange": 1, "yellow": 1, "purple": 3})
    table.deploy(1, stones=("green",), thanos="rotate_cw")
    assert list(table.state.counters) == [2, 2, 2, 0, 2, 3]


def test_purple_damages_the_healthiest_hero_of_the_active_team():
    table = Table(collected=["purple"], teams={0: ["hulk"]}).deploy(1, stones=("purple",), thanos="rotate_cw")
    assert (table.damage("captain-america"), table.damage("hulk")) == (0, 1)


def test_orange_damages_the_weakest_hero_of_the_active_team():
    table = Table(collected=["orange"], teams={0: ["hulk"]}, damage={"hulk": 5})
    table.deploy(1, stones=("orange",), thanos="rotate_cw")
    assert (table.damage("captain-america"), table.damage("hulk")) == (0, 6)


def test_the_active_player_chooses_between_equals():
    table = Table(collected=["orange"], teams={0: ["drax", "thor"]})
    table.deploy(1, stones=("orange",), thanos="rotate_cw")
    assert table.question == "damage-hero"
    assert table.seen["asking"] == "orange"
    assert table.may() == ["damage thor", "damage drax"]
    table.play("damage thor")
    assert table.damage("thor") == 1
    assert table.question == "assign"


def test_a_hero_without_a_free_space_cannot_be_picked():
    table = Table(collected=["orange"], teams={0: ["drax", "thor"]}, damage={"drax": 5})
    table.deploy(1, stones=("orange",), thanos="rotate_cw")
    assert table.damage("thor") == 1


def test_yellow_heals_every_villain_in_play():
    table = Table(
        sectors=(HOT, ("okoye", "outrider-b", "shuri"), QUIET[2]),
        collected=["yellow"],
        damage={"outrider-a": 1, "outrider-b": 1, "okoye": 1},
    )
    table.deploy(3, stones=("yellow",), thanos="rotate_ccw")
    assert (table.damage("outrider-a"), table.damage("outrider-b"), table.damage("okoye")) == (0, 0, 1)


def test_blue_takes_a_die_of_the_players_choice():
    table = Table(bases=("wakanda", "knowhere"), collected=["blue"])
    table.deploy(1, stones=("blue",), thanos="rotate_cw")
    assert table.question == "lose-die"
    assert table.may() == ["lose red", "lose blue"]
    table.play("lose red")
    assert table.seen["dice"]["hand"] == {"red": 1, "blue": 2, "green": 0, "purple": 0}
    assert sum(table.state.pool) == 3


def test_blue_never_takes_the_last_die():
    table = Table(collected=["blue"], sectors=sector_with("ebony-maw", "hawkeye", "wong"), thanos=0)
    table.deploy(2, stones=("blue", "blue", "blue"))  # the roll, the Thanos die, and Ebony Maw
    assert sum(table.state.pool) == 1
    table = Table(collected=["blue"], sectors=sector_with("ebony-maw", "hawkeye", "wong"), thanos=0)
    table.state.to_lose = 2
    table.deploy(2, stones=("blue", "blue", "blue"))
    assert sum(table.state.pool) == 1

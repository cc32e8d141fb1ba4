"""The turn, sentence by sentence in the order of the rulebook ("Set up" and "Game play")."""

import pytest

import engine
from engine.thanos_rising import card_tables as t
from tests.engine.thanos_rising.scripted_table import QUIET, Table

STEVE = (
    ("hawkeye", "mantis", "outrider-a"),
    ("hulk", "proxima-midnight", "wong"),
    ("okoye", "groot", "shuri"),
)


# -- set up


def test_thanos_faces_a_random_sector():
    game = engine.game("thanos-rising")
    assert {game.start(2, str(seed)).state.thanos for seed in range(30)} == {0, 1, 2}


def test_each_player_chooses_a_team():
    match = engine.game("thanos-rising").start(3, "choice", {"bases": "choose", "first_player": 2})
    assert [match.notation(action) for action in match.legal()] == [
        "choose avengers-compound",
        "choose wakanda",
        "choose sanctum-sanctorum",
        "choose knowhere",
    ]
    match.play("choose wakanda", 1)
    assert "choose wakanda" not in [match.notation(action) for action in match.legal()]
    match.play("choose knowhere", 2)
    match.play("choose avengers-compound", 0)
    teams = match.view(None)["table"]["teams"]
    assert [team["base"] for team in teams] == ["avengers-compound", "wakanda", "knowhere"]
    assert match.to_act == 1
    assert match.view(1)["table"]["question"] == "deploy"


def test_or_teams_are_assigned_at_random():
    game = engine.game("thanos-rising")
    assert len({tuple(game.start(4, str(seed)).state.bases) for seed in range(60)}) > 12


def test_the_base_card_names_the_starting_hero():
    table = Table(players=4)
    assert [table.team(seat) for seat in range(4)] == [
        {"captain-america"},
        {"black-panther"},
        {"doctor-strange"},
        {"gamora"},
    ]


def test_the_deck_holds_all_other_heroes_and_ten_villains_unused_leaders_too():
    state = engine.game("thanos-rising").start(2, "deck", {"bases": "wakanda,knowhere"}).state
    in_deck = set(state.deck)
    assert len(in_deck) == 40
    assert sum(state.cards.villains >> card & 1 for card in in_deck) == 10
    assert {state.cards.ids[card] for card in in_deck} >= {"captain-america", "doctor-strange"}
    assert not {state.cards.ids[card] for card in in_deck} & {"black-panther", "gamora"}


def test_nine_cards_are_dealt_face_up_three_for_each_sector():
    view = engine.game("thanos-rising").start(2, "nine").view(None)["table"]
    assert [len([card for card in sector if card]) for sector in view["sectors"]] == [3, 3, 3]
    assert view["deck"] == 42 - 2 - 9


def test_the_first_player_is_random_and_play_proceeds_clockwise():
    game = engine.game("thanos-rising")
    assert {game.start(3, str(seed)).to_act for seed in range(40)} == {0, 1, 2}
    table = Table(players=3, first_player=3)
    order = []
    for _ in range(4):
        order.append(table.match.to_act)
        table.deploy(1).finish()
    assert order == [2, 0, 1, 2]


# -- 1. deploy


def test_the_active_player_places_the_token_in_one_of_the_three_sectors():
    table = Table()
    assert table.may() == ["deploy 1", "deploy 2", "deploy 3"]
    table.deploy(2)
    assert table.seen["deployed"] == 1


def test_only_the_cards_of_that_sector_can_be_given_dice():
    table = Table().deploy(2).throw("red battle", "red mystic", "red cosmic")
    targets = {move.split(" on ")[1] for move in table.may() if " on " in move}
    assert targets == {"okoye", "groot", "shuri"}


# -- 2. stone die and Thanos die


def test_a_counter_is_added_to_the_stone_of_the_colour_rolled():
    table = Table().deploy(1, stones=("green",), thanos="rotate_cw")
    assert table.counters("green") == 1
    assert sum(table.state.counters) == 1


@pytest.mark.parametrize(("face", "sector"), [("rotate_cw", 1), ("rotate_ccw", 2)])
def test_the_thanos_die_turns_him_clockwise_or_counter_clockwise(face, sector):
    table = Table(thanos=0).deploy(1, thanos=face)
    assert table.seen["thanos"] == sector
    assert [table.damage(card) for card in QUIET[sector]] == [1, 1, 1]
    assert [table.damage(card) for card in QUIET[0]] == [0, 0, 0]


def test_the_thanos_die_forces_another_roll_of_the_stone_die_and_he_still_attacks_where_he_is():
    table = Table(thanos=2).deploy(1, stones=("blue", "red"), thanos="roll_stone_die_again")
    assert (table.counters("blue"), table.counters("red")) == (1, 1)
    assert table.seen["thanos"] == 2
    assert [table.damage(card) for card in QUIET[2]] == [1, 1, 1]


def test_the_thanos_die_triggers_the_villains_not_in_his_sector_first_and_then_those_with_him():
    sectors = (("hawkeye", "proxima-midnight", "wong"), ("okoye", "outrider-a", "shuri"), ("vision", "hulk", "loki"))
    table = Table(sectors=sectors, thanos=0).deploy(3, thanos="activate_other_villains")
    acted = [event["card"] for event in table.events("villain-acted")]
    assert acted == ["outrider-a", "proxima-midnight"]
    assert table.seen["thanos"] == 0
    names = [event["event"] for event in table.events("villain-acted", "thanos-attacked")]
    assert names == ["villain-acted", "thanos-attacked", "villain-acted"]
    assert (table.damage("okoye"), table.damage("shuri")) == (1, 1)


def test_villains_elsewhere_act_clockwise_from_thanos():
    sectors = (("ebony-maw", "groot", "wong"), ("okoye", "outrider-a", "shuri"), ("vision", "hulk", "loki"))
    table = Table(sectors=sectors, thanos=2).deploy(3, thanos="activate_other_villains")
    assert [event["card"] for event in table.events("villain-acted")] == ["ebony-maw", "outrider-a"]


def test_thanos_attacks_each_hero_in_the_sector_he_faces_after_his_die():
    table = Table(sectors=STEVE).deploy(3, thanos="rotate_cw")
    assert (table.damage("hulk"), table.damage("wong"), table.damage("proxima-midnight")) == (1, 1, 0)
    assert table.damage("hawkeye") == 0


def test_the_active_team_is_attacked_too_when_its_token_is_there():
    table = Table(
        teams={0: ["hulk", "thor"], 1: ["loki"]},
        sectors=(("hawkeye", "wong", "mantis"), *QUIET[1:2], ("vision", "rocket", "drax")),
    )
    table.deploy(2, thanos="rotate_cw")
    assert [table.damage(card) for card in ("captain-america", "hulk", "thor")] == [1, 1, 1]
    assert [table.damage(card) for card in ("black-panther", "loki")] == [0, 0]


def test_and_not_when_it_is_elsewhere():
    table = Table(teams={0: ["hulk"]}).deploy(1, thanos="rotate_cw")
    assert (table.damage("captain-america"), table.damage("hulk")) == (0, 0)


def test_villains_in_thanos_resulting_sector_act_after_the_attack():
    table = Table(sectors=STEVE).deploy(3, thanos="rotate_cw")
    names = [event["event"] for event in table.events("thanos-turned", "thanos-attacked", "villain-acted")]
    assert names == ["thanos-turned", "thanos-attacked", "villain-acted"]


def test_the_worked_example_of_the_dice():
    """Steve deploys beside Hawkeye, Mantis and an Outrider; the Aether and a clockwise turn are rolled."""
    table = Table(sectors=STEVE, thanos=0).deploy(1, stones=("red",), thanos="rotate_cw")
    assert table.counters("red") == 1
    assert table.seen["thanos"] == 1
    assert table.damage("hulk") == 1
    assert table.damage("captain-america") == 1  # Proxima Midnight, wherever Steve's team is
    assert [table.damage(card) for card in ("hawkeye", "mantis", "outrider-a")] == [0, 0, 0]


# -- 3. power dice


def test_the_pool_is_the_four_dice_of_the_base():
    table = Table().deploy(1)
    assert table.seen["dice"]["hand"] == {"red": 4, "blue": 0, "green": 0, "purple": 0}
    assert sum(die["count"] for die in table.seen["dice"]["unassigned"]) == 4


def test_plus_extra_dice_from_heroes_and_tokens():
    table = Table(teams={0: ["hulkbuster"]}, tokens={0: ["green-die"], 1: ["blue-die"]}).deploy(1)
    assert table.question == "extra-die"
    table.play("take blue", "play green-die")
    table.play("play blue-die", seat=1)
    assert table.seen["dice"]["hand"] == {"red": 4, "blue": 2, "green": 1, "purple": 0}
    assert table.question == "ready"
    table.play("roll")
    assert sum(die["count"] for die in table.seen["dice"]["unassigned"]) == 7


def test_the_team_ability_is_checked_on_the_opening_roll_first():
    table = Table(sectors=STEVE).deploy(1, opening=lambda s: t.lane(s.opening, 0) >= 6)
    assert table.events("team-ability")[0]["base"] == "avengers-compound"
    assert table.damage("outrider-a") == 1
    assert table.question == "assign"


def test_at_least_one_die_must_be_assigned_when_one_fits():
    table = Table(sectors=STEVE).deploy(1).throw("red battle", "red cosmic")
    assert set(table.may()) == {
        "red battle on hawkeye",
        "red battle on outrider-a",
        "red cosmic on mantis",
    }


def test_dice_of_one_roll_go_to_one_card_only():
    table = Table(sectors=STEVE).deploy(1).throw("red battle", "red battle", "red mystic", "red technology")
    table.play("red battle on hawkeye")
    assert set(table.may()) == {"red battle on hawkeye", "roll"}


def test_dice_once_assigned_cannot_be_moved_or_rolled_again():
    table = Table(sectors=STEVE).deploy(1).throw("red battle", "red battle", "red mystic")
    table.play("red battle on hawkeye", "red battle on hawkeye", "roll")
    assert table.assigned("hawkeye") == [2, 0, 0, 0]
    assert sum(die["count"] for die in table.seen["dice"]["unassigned"]) == 1


def test_who_cannot_assign_forfeits_one_die():
    table = Table(sectors=(("hulk", "bucky-barnes", "black-widow"), *QUIET[1:])).deploy(1)
    table.throw("red mystic", "red mystic", "red cosmic", "blue technology")
    assert set(table.may()) >= {"forfeit red mystic", "forfeit red cosmic", "forfeit blue technology"}
    table.play("forfeit red mystic")
    assert not [move for move in table.may() if move.startswith("forfeit") or " on " in move]
    assert "roll" in table.may()


def test_after_assigning_the_remaining_dice_are_rolled():
    table = Table(sectors=STEVE).deploy(1).throw("red battle", "red mystic", "red technology", "red cosmic")
    assert "roll" not in table.may()
    table.play("red battle on hawkeye", "roll")
    assert table.seen["dice"]["rolls"] == 2
    assert sum(die["count"] for die in table.seen["dice"]["unassigned"]) == 3


def test_the_next_roll_may_go_to_any_card_of_the_sector():
    table = Table(sectors=STEVE).deploy(1).throw("red battle", "red mystic")
    table.play("red battle on hawkeye").load_roll("red technology").play("roll")
    assert table.may() == ["red technology on outrider-a"]


def test_the_worked_example_of_the_power_dice():
    """Two battle on Hawkeye, a technology on the Outrider, and a double battle that completes Hawkeye."""
    table = Table(sectors=STEVE, damage={"hawkeye": 2}).deploy(1)
    table.throw("red battle", "red battle", "red mystic", "red technology")
    table.play("red battle on hawkeye", "red battle on hawkeye")
    table.load_roll("red mystic", "red technology").play("roll", "red technology on outrider-a")
    table.load_roll("red double-battle").play("roll")
    assert "red double-battle on outrider-a" in table.may()
    table.play("red double-battle on hawkeye")
    assert "hawkeye" in table.team(0)
    assert table.damage("hawkeye") == 0
    assert table.damage("outrider-a") == 0
    assert table.match.to_act == 1


def test_rolling_goes_on_until_no_dice_remain():
    table = Table(sectors=STEVE).deploy(1).throw("red battle", "red battle", "red battle")
    table.play("red battle on hawkeye")
    assert "stop" not in table.may()
    table.play("red battle on hawkeye", "red battle on hawkeye")
    assert table.seen["turn"] == 2


def test_or_until_no_card_of_the_sector_can_be_completed():
    table = Table(sectors=(("hulk", "thor", "captain-america"), *QUIET[1:]), bases=("wakanda", "knowhere")).deploy(1)
    table.throw("red battle", "red mystic")
    assert "stop" in table.may()
    table.throw("red battle", "red mystic", "green mystic")
    assert "stop" not in table.may()  # a double battle, a double mystic and a cosmic would bring Thor


# -- 4. resolve


def test_heroes_with_all_their_symbols_join_and_lose_their_damage():
    table = Table(sectors=STEVE, damage={"hawkeye": 3}).deploy(1).throw("red battle", "red double-battle")
    table.play("red battle on hawkeye", "red double-battle on hawkeye")
    assert "hawkeye" in table.team(0)
    assert table.damage("hawkeye") == 0


def test_several_heroes_can_be_recruited_in_one_turn():
    table = Table().deploy(1).throw("red double-battle", "red battle", "green double-mystic")
    table.play("red double-battle on hawkeye", "red battle on hawkeye")
    table.load_roll("green double-mystic").play("roll", "green double-mystic on wong")
    assert table.team(0) == {"captain-america", "hawkeye", "wong"}


def test_a_villain_with_all_its_symbols_takes_one_damage_and_the_player_a_bonus_token():
    table = Table(sectors=STEVE).deploy(1).throw("red double-battle", "blue double-technology")
    table.stack_tokens("heal")
    table.play("red double-battle on outrider-a")
    table.load_roll("blue double-technology").play("roll", "blue double-technology on outrider-a")
    assert table.damage("outrider-a") == 1
    assert table.tokens(0) == {"heal": 1}


def test_symbols_do_not_stay_on_a_card_for_the_next_turn():
    table = Table(sectors=STEVE).deploy(1).throw("red battle", "red battle")
    table.play("red battle on hawkeye", "red battle on hawkeye")
    assert table.match.to_act == 1
    assert table.assigned("hawkeye") == [0, 0, 0, 0]


def test_abilities_of_new_recruits_are_not_usable_this_turn():
    sectors = (("falcon", "outrider-a", "outrider-b"), *QUIET[1:])
    table = Table(sectors=sectors).deploy(1).throw("red double-battle", "red double-battle", "blue technology")
    table.play("red double-battle on falcon", "red double-battle on falcon", "blue technology on falcon")
    assert "falcon" in table.team(0)
    table = Table(sectors=sectors).deploy(1)
    table.throw(
        "red double-battle", "red double-battle", "blue technology", "red double-battle", "blue double-technology"
    )
    table.play("red double-battle on falcon", "red double-battle on falcon", "blue technology on falcon")
    table.load_roll("red double-battle", "blue double-technology").play("roll")
    table.play("red double-battle on outrider-a", "blue double-technology on outrider-a")
    assert table.damage("outrider-a") == 1
    assert "falcon" in table.team(0)
    assert sum(table.tokens(0).values()) == 1


def test_bonus_tokens_are_not_usable_in_the_turn_they_are_drawn():
    table = Table(teams={0: ["black-widow"]}, counters={"red": 2}).deploy(1).throw("red double-battle", "red battle")
    table.stack_tokens("stone")
    table.play("use black-widow", "red double-battle on black-widow", "roll").throw("red battle")
    table.play("red battle on hawkeye")
    assert table.question == "resolve"
    table.play("use black-widow")
    assert table.tokens(0) == {"stone": 1}
    assert not [move for move in table.may() if move.startswith("play")]


def test_abilities_come_first_then_recruits_then_damage_on_villains_then_discards_stones_and_new_cards():
    table = Table(sectors=STEVE, teams={0: ["quinjet"]}, counters={"red": 5}, damage={"outrider-a": 1, "okoye": 3})
    table.deploy(1, thanos="rotate_ccw")
    table.throw("red double-battle", "red battle", "red double-battle", "blue double-technology")
    table.play("red double-battle on hawkeye", "red battle on hawkeye")
    table.load_roll("red double-battle", "blue double-technology").play("roll")
    table.play("red double-battle on outrider-a", "blue double-technology on outrider-a", "use quinjet", "heal groot")
    names = [event["event"] for event in table.events()]
    assert names == [
        "healed",
        "recruited",
        "damaged",
        "token-drawn",
        "villain-defeated",
        "hero-lost",
        "stone-collected",
        "revealed",
        "revealed",
        "revealed",
    ]


# -- 5. discard, replace, recall


def test_recruited_and_defeated_cards_are_replaced_from_the_deck():
    table = Table(sectors=STEVE, damage={"outrider-a": 2, "mantis": 4}).deploy(1, thanos="rotate_cw")
    expected = [table.cards.ids[card] for card in table.state.deck[:3]]
    table.throw("red battle", "red double-battle").play("red battle on hawkeye", "red double-battle on hawkeye")
    assert [card["id"] for card in table.seen["sectors"][0]] == expected


def test_the_token_is_collected_and_the_next_player_deploys():
    table = Table().deploy(1).throw("red battle").play("red battle on hawkeye")
    assert table.seen["deployed"] is None
    assert table.match.to_act == 1
    assert table.may() == ["deploy 1", "deploy 2", "deploy 3"]


def test_an_empty_deck_leaves_gaps_and_play_goes_on():
    table = Table(deck=[], heroes_lost_limit=30, villains_to_defeat=10, sectors=STEVE).deploy(1)
    table.throw("red battle", "red double-battle").play("red battle on hawkeye", "red double-battle on hawkeye")
    assert table.seen["sectors"][0][0] is None
    assert table.match.to_act == 1


def test_a_sector_without_cards_can_be_deployed_to():
    sectors = ((None, None, None), QUIET[1], ("vision", "outrider-a", None))
    table = Table(sectors=sectors, deck=[], heroes_lost_limit=30, villains_to_defeat=10, thanos=1).deploy(1)
    assert "stop" in table.may()
    table.play("stop")
    assert table.match.to_act == 1

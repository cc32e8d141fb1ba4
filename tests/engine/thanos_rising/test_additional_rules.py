"""Heroes, damage, villains, bonus tokens and stones, in the order of the rulebook's "Additional rules"."""

import pytest

import engine
from engine.errors import IllegalAction
from engine.rng import stream
from engine.thanos_rising import card_tables as t
from tests.engine.random_play import walk
from tests.engine.thanos_rising.scripted_table import QUIET, Table

FOES = (("hawkeye", "outrider-a", "outrider-b"), *QUIET[1:])


# -- heroes


def test_a_hero_ability_is_for_its_own_players_turns_only():
    table = Table(teams={1: ["wong"]}, sectors=(("hawkeye", "thor", "mantis"), *QUIET[1:]))
    table.deploy(1).throw("red battle", "red battle")
    assert "use wong" not in table.may()
    table = Table(teams={0: ["wong"]}, sectors=(("hawkeye", "thor", "mantis"), *QUIET[1:]))
    table.deploy(1).throw("red battle", "red battle")
    assert "use wong" in table.may()


@pytest.mark.parametrize(("friend", "dice"), [("hulkbuster", 5), ("nebula", 4)])
def test_some_abilities_depend_on_the_type_of_other_heroes_of_the_team(friend, dice):
    """Black Panther adds a die beside another technology hero."""
    table = Table(bases=("wakanda", "knowhere"), teams={0: [friend]}, sectors=FOES).deploy(2)
    while table.question == "extra-die":
        table.play("take blue")
    assert sum(table.seen["dice"]["hand"].values()) == dice + (friend == "hulkbuster")


def test_a_leader_is_not_its_own_companion():
    table = Table(bases=("wakanda", "knowhere")).deploy(1)
    assert sum(table.seen["dice"]["hand"].values()) == 4


def test_some_heroes_change_the_face_of_a_die_before_assigning():
    table = Table(teams={0: ["rocket"]}, sectors=FOES).deploy(1).throw("red technology", "red mystic")
    table.play("use rocket")
    assert table.may() == ["turn red technology"]
    table.play("turn red technology")
    assert set(table.may()) == {"to battle", "to mystic", "to cosmic", "to double-battle"}
    table.play("to double-battle")
    assert "red double-battle on hawkeye" in table.may()


def test_some_heroes_re_roll_a_die_before_assigning():
    table = Table(teams={0: ["wong"]}, sectors=FOES).deploy(1).throw("red mystic", "red cosmic")
    table.play("use wong", "re-roll red mystic")
    assert table.events("re-rolled")[0]["die"] == "red mystic"
    assert sum(table.state.pool) == 2
    assert "use wong" not in table.may()


@pytest.mark.parametrize("hero", ["wong", "rocket"])
def test_neither_is_offered_once_a_die_of_the_roll_is_assigned_but_on_the_next_roll_it_is(hero):
    table = Table(teams={0: [hero]}, sectors=FOES).deploy(1)
    table.throw("red battle", "red technology", "red technology")
    assert f"use {hero}" in table.may()
    table.play("red battle on hawkeye")
    assert f"use {hero}" not in table.may()
    table.load_roll("red technology", "red mystic").play("roll")
    assert f"use {hero}" in table.may()


def test_nor_once_a_die_was_forfeited_or_put_on_an_own_hero():
    table = Table(teams={0: ["wong"]}, sectors=(("hulk", "bucky-barnes", "black-widow"), *QUIET[1:])).deploy(1)
    table.throw("red mystic", "red cosmic").play("forfeit red mystic")
    assert "use wong" not in table.may()
    table = Table(teams={0: ["wong", "groot"]}, sectors=FOES).deploy(1).throw("red cosmic", "red mystic")
    table.play("use groot", "red cosmic on groot")
    assert "use wong" not in table.may()


def test_a_die_that_makes_a_roll_of_its_own_may_be_rolled_again():
    table = Table(teams={0: ["wong"]}, sectors=FOES, tokens={0: ["purple-die"]}).deploy(1).play("roll")
    table.throw("red battle").play("red battle on hawkeye")
    assert "use wong" not in table.may()
    table.play("play purple-die")
    assert "use wong" in table.may()


@pytest.mark.parametrize("players", [2, 4])
def test_in_random_play_dice_are_rolled_again_or_turned_only_before_assigning(players):
    """Read from the log alone: between a roll and the use of such an ability no die was assigned or forfeited."""
    used = 0
    for deal in range(25):
        match = engine.game("thanos-rising").start(players, f"before assigning {deal}", {"preset": "recruit"})
        for _ in walk(match, match.seed):
            pass
        untouched = False
        for event in match.events(None):
            if event["event"] == "rolled":
                untouched = True
            elif event["event"] in ("assigned", "forfeited", "deployed"):
                untouched = False
            elif event["event"] in ("re-rolled", "turned"):
                assert untouched, f"deal {deal}, ply {event['ply']}"
                used += 1
    assert used > 20


def test_some_abilities_are_activated_by_dice_and_that_counts_as_assigning():
    table = (
        Table(teams={0: ["groot"]}, sectors=(("hawkeye", "outrider-a", "hulk"), *QUIET[1:]), damage={"groot": 3})
        .deploy(1)
        .throw("red cosmic", "red mystic")
    )
    assert set(table.may()) >= {"use groot", "forfeit red cosmic", "forfeit red mystic"}
    table.play("use groot")
    assert table.may() == ["red cosmic on groot"]
    table.play("red cosmic on groot")
    assert table.may()[0] == "roll"
    assert not [move for move in table.may() if move.startswith("forfeit")]


def test_dice_for_an_ability_go_nowhere_else_on_that_roll():
    table = Table(teams={0: ["groot"]}).deploy(1).throw("red cosmic", "red battle", "red mystic")
    table.play("use groot", "red cosmic on groot")
    assert not [move for move in table.may() if " on " in move]


def test_an_ability_can_be_paid_over_several_rolls():
    table = Table(teams={0: ["black-widow"]}, damage={"hulk": 1}, sectors=(("hawkeye", "hulk", "wong"), *QUIET[1:]))
    table.deploy(1).throw("red battle", "red battle").play("use black-widow", "red battle on black-widow")
    table.load_roll("red battle").play("roll", "use black-widow", "red battle on black-widow")
    assert table.question == "resolve"
    assert table.may() == ["use black-widow", "stop"]


def test_and_only_when_it_is_paid_in_full():
    table = Table(teams={0: ["black-widow"]}, damage={"hawkeye": 1}).deploy(1).throw("red battle")
    table.play("use black-widow", "red battle on black-widow")
    assert table.seen["turn"] == 2
    assert table.tokens(0) == {}


def test_an_ability_is_paid_for_once_per_turn():
    table = Table(teams={0: ["groot"]}).deploy(1).throw("red cosmic", "red cosmic", "red cosmic")
    table.play("use groot", "red cosmic on groot")
    table.load_roll("red cosmic", "red cosmic").play("roll")
    assert "use groot" not in table.may()


def test_the_worked_example_of_mantis_heals_any_hero_by_two():
    table = Table(
        teams={0: ["mantis"]},
        sectors=(("hawkeye", "thor", "wong"), *QUIET[1:]),
        damage={"thor": 3, "mantis": 1, "black-panther": 4},
    )
    table.deploy(2, thanos="rotate_cw").throw("red mystic").play("use mantis", "red mystic on mantis", "use mantis")
    assert set(table.may()) >= {"heal thor", "heal mantis", "heal black-panther"}
    table.play("heal thor")
    assert table.damage("thor") == 1


# -- damage


def test_damage_never_goes_beyond_the_spaces():
    table = Table(damage={"vision": 4}, thanos=2).deploy(1)
    assert table.damage("vision") == 4


def test_a_full_card_is_defeated_only_at_the_end_of_the_turn():
    table = Table(damage={"vision": 3}, thanos=2).deploy(1)
    assert table.damage("vision") == 4
    assert "vision" in [card["id"] for card in table.seen["sectors"][2]]
    table.finish()
    assert "vision" in table.seen["lost"]


def test_a_full_hero_may_still_be_healed():
    table = Table(damage={"vision": 3}, thanos=2, tokens={0: ["heal"]}).deploy(1)
    table.play("play heal on vision").finish()
    assert table.damage("vision") == 2
    assert table.seen["lost"] == []


def test_a_full_hero_may_still_be_recruited():
    table = Table(damage={"hawkeye": 3}, thanos=0).deploy(1)
    table.throw("red battle", "red double-battle").play("red battle on hawkeye", "red double-battle on hawkeye")
    assert "hawkeye" in table.team(0)
    assert table.seen["lost"] == []


def test_a_defeated_hero_of_a_team_is_out_of_the_game():
    table = Table(teams={0: ["hulk"]}, damage={"hulk": 6}, thanos=0).deploy(1).finish()
    assert table.team(0) == {"captain-america"}
    assert table.seen["lost"] == ["hulk"]


# -- villains


def test_villain_abilities_are_triggered_only_where_thanos_is():
    sectors = (("hawkeye", "proxima-midnight", "wong"), *QUIET[1:])
    table = Table(sectors=sectors, thanos=1).deploy(3)
    assert table.events("villain-acted") == []
    assert table.damage("captain-america") == 0


def test_dice_add_only_one_damage_to_a_villain_per_turn():
    table = Table(sectors=FOES).deploy(1)
    table.throw("red double-battle", "blue double-technology", "red double-battle", "blue double-technology")
    table.play("red double-battle on outrider-a", "blue double-technology on outrider-a")
    assert [move for move in table.may() if "on outrider-a" in move] == []
    table.load_roll("red mystic", "blue mystic").play("roll").finish()
    assert table.damage("outrider-a") == 1


def test_a_team_ability_may_add_more():
    table = Table(sectors=(("hawkeye", "outrider-a", "wong"), *QUIET[1:]))
    table.deploy(1, opening=lambda s: t.lane(s.opening, 0) >= 6)
    table.throw("red double-battle", "blue double-technology")
    table.play("red double-battle on outrider-a", "blue double-technology on outrider-a")
    assert table.seen["defeated"] == ["outrider-a"]
    assert sum(table.tokens(0).values()) == 2


def test_every_damage_on_a_villain_draws_a_token_for_the_active_player():
    table = Table(sectors=FOES).deploy(1, opening=lambda s: t.lane(s.opening, 0) >= 6)
    assert table.question == "damage-villain"
    assert set(table.may()) == {"hit outrider-a", "hit outrider-b"}
    table.play("hit outrider-b")
    assert sum(table.tokens(0).values()) == 1
    assert table.tokens(1) == {}


def test_a_villain_with_enough_damage_is_discarded_at_the_end_of_the_turn_and_counted():
    table = Table(sectors=FOES, damage={"outrider-a": 1}).deploy(1)
    table.throw("red double-battle", "blue double-technology")
    table.play("red double-battle on outrider-a", "blue double-technology on outrider-a")
    assert table.seen["defeated"] == ["outrider-a"]
    assert "outrider-a" not in [card["id"] for card in table.seen["sectors"][0]]


# -- bonus tokens


def test_tokens_may_be_used_on_any_players_turn():
    table = Table(players=3, tokens={1: ["battle"], 2: ["cosmic"]}).deploy(1)
    assert set(table.may(1)) == {"play battle on hawkeye"}
    assert set(table.may(2)) == {"play cosmic on mantis"}
    table.play("play cosmic on mantis", seat=2)
    assert table.assigned("mantis") == [0, 0, 0, 1]
    assert table.tokens(2) == {}
    assert table.match.to_act == 0


def test_but_not_before_the_stone_die_and_the_thanos_die():
    table = Table(tokens={0: ["heal"], 1: ["heal"]}, damage={"hawkeye": 1})
    assert table.may(1) == []
    assert table.may() == ["deploy 1", "deploy 2", "deploy 3"]
    with pytest.raises(IllegalAction):
        table.play("play heal on hawkeye", seat=1)


def test_a_symbol_token_counts_on_any_card_of_the_sector_beside_the_dice_of_the_roll():
    table = Table(tokens={0: ["mystic"]}).deploy(1).throw("red battle", "red battle")
    table.play("red battle on hawkeye", "play mystic on wong")
    assert table.assigned("wong") == [0, 0, 1, 0]
    assert "red battle on hawkeye" in table.may()


def test_a_token_cannot_go_where_its_symbol_is_not_needed_or_to_another_sector():
    table = Table(tokens={0: ["technology"]}).deploy(1)
    assert not [move for move in table.may() if move.startswith("play technology")]


def test_a_token_does_not_stand_for_the_die_that_each_roll_must_give():
    table = Table(tokens={0: ["mystic"]}).deploy(1).throw("red battle", "red cosmic")
    table.play("play mystic on wong")
    assert "roll" not in table.may()
    assert "red battle on hawkeye" in table.may()


def test_an_extra_die_token_is_rolled_at_once():
    table = Table(tokens={0: ["purple-die"]}).deploy(1).play("roll").throw("red battle", "red battle")
    table.play("play purple-die")
    assert table.seen["dice"]["hand"]["purple"] == 1
    assert sum(table.state.pool) == 3


def test_an_extra_die_may_come_after_all_dice_are_used_and_makes_a_new_roll():
    table = Table(tokens={1: ["green-die"]}).deploy(1).throw("red battle")
    table.play("red battle on hawkeye")
    assert table.may() == ["stop"]
    table.play("play green-die", seat=1)
    assert sum(table.state.pool) == 1
    assert table.seen["dice"]["this_roll_on"] is None


def test_other_tokens_remove_damage_or_stone_counters():
    table = Table(tokens={0: ["heal", "stone"]}, damage={"hulk": 3}, teams={1: ["hulk"]}, counters={"blue": 2})
    table.deploy(1, thanos="rotate_cw").play("play heal on hulk", "play stone on blue")
    assert table.damage("hulk") == 1
    assert table.counters("blue") == 1


def test_a_player_can_wait_until_all_dice_are_assigned_before_using_tokens():
    table = Table(tokens={0: ["battle"]}).deploy(1).throw("red double-battle").play("red double-battle on hawkeye")
    assert table.may() == ["stop", "play battle on hawkeye"]
    table.play("play battle on hawkeye", "stop")
    assert "hawkeye" in table.team(0)


def test_a_token_may_still_be_played_after_the_last_resolve_ability():
    """Quinjet heals somebody else, and then a team-mate sees that Vision falls: the heal is not too late."""
    table = Table(teams={0: ["quinjet"], 1: ["thor"]}, damage={"vision": 3, "thor": 1}, thanos=2, tokens={1: ["heal"]})
    table.deploy(1).throw("red battle").play("red battle on hawkeye", "stop")
    table.play("use quinjet", "heal thor")
    assert (table.question, table.may()) == ("resolve", ["stop"])
    table.play("play heal on vision", seat=1)
    table.play("stop")
    assert table.seen["turn"] == 2
    assert table.damage("vision") == 2


def test_a_symbol_token_too_while_it_can_still_complete_a_card():
    table = Table(teams={0: ["quinjet"]}, damage={"okoye": 1}, tokens={1: ["battle"]}).deploy(1)
    table.throw("red double-battle").play("red double-battle on hawkeye", "stop", "use quinjet", "heal okoye")
    table.play("play battle on hawkeye", seat=1)
    table.play("stop")
    assert "hawkeye" in table.team(0)


def test_nobody_is_asked_once_more_when_no_token_could_be_used():
    table = Table(teams={0: ["quinjet"]}, damage={"okoye": 1}, tokens={1: ["technology", "blue-die"]}).deploy(1)
    table.throw("red battle").play("red battle on hawkeye", "stop", "use quinjet", "heal okoye")
    assert table.seen["turn"] == 2


def test_nor_when_no_ability_was_resolved_since_they_were_asked():
    table = Table(damage={"okoye": 1}, tokens={1: ["heal"]}).deploy(1)
    table.throw("red battle").play("red battle on hawkeye", "stop")
    assert table.seen["turn"] == 2


def test_and_after_the_abilities_that_answer_damage_on_villains():
    """Iron Spider's heal goes elsewhere; then symbols are of no use any more, a heal is."""
    table = Table(
        teams={0: ["iron-spider", "hulk"]},
        sectors=(("hawkeye", "outrider-a", "wong"), *QUIET[1:]),
        damage={"hulk": 4, "captain-america": 2},
        tokens={1: ["heal", "battle"]},
    )
    table.deploy(1, thanos="rotate_cw").throw("red double-battle", "blue double-technology")
    table.play("red double-battle on outrider-a", "blue double-technology on outrider-a", "stop", "heal hulk")
    assert (table.question, table.may()) == ("resolve", ["stop"])
    assert {move.rsplit(" on ")[0] for move in table.may(1)} == {"play heal"}
    table.play("play heal on captain-america", seat=1)
    assert table.damage("captain-america") == 0
    table.play("stop")
    assert table.match.to_act == 1


@pytest.mark.parametrize("players", [2, 3, 4])
def test_in_random_play_the_last_window_opens_exactly_when_a_token_could_be_used(players):
    """Everyone keeps their tokens, all else is random. Told by the views alone: a `resolve` without abilities is asked
    only while somebody has a token to play, and no turn ends on an ability while one could have been played."""
    helpers = (["quinjet", "iron-spider"], ["nebula", "falcon"], ["royal-talon-fighter"], ["statesman", "heimdall"])
    tokens = {0: ["heal"], 1: ["stone", "battle"]}
    windows = ended = 0
    for deal in range(30):
        hands = {seat: kinds for seat, kinds in tokens.items() if deal % 3}
        table = Table(players, teams=dict(enumerate(helpers[:players])), tokens=hands, heroes_lost_limit=18)
        table.state.rng = stream(f"window {deal}", "table")
        rng = stream(f"window {deal}", "walk")
        seen = table.seen
        while table.match.to_act is not None and seen["turn"] < 15:
            moves = [move for move in table.may() if not move.startswith("play")]
            table.match.play(moves[rng.below(len(moves))])
            before, seen = seen, table.seen
            new_question = (seen["question"], seen["turn"]) != (before["question"], before["turn"])
            if new_question and seen["question"] == "resolve" and table.may()[0] == "stop":
                windows += 1
                assert any(move.startswith("play") for seat in range(players) for move in table.may(seat))
            if seen["turn"] > before["turn"] and before["asking"] is not None:
                ended += 1
                assert not playable(seen, usable_tokens(before)), f"deal {deal}, ply {table.match.ply}"
    assert windows > 20
    assert ended > 20


def usable_tokens(table):
    """The kinds of token that some seat holds and may use in this turn."""
    kinds = set()
    for team in table["teams"]:
        kinds |= {kind for kind, count in team["tokens"].items() if count > team["new_tokens"].get(kind, 0)}
    return kinds - {"heal"} if table["healing_forbidden"] else kinds


def playable(table, kinds):
    """Whether one of these tokens has something to act on: the end of a turn never adds damage or counters."""
    cards = [card for sector in table["sectors"] for card in sector if card and card["type"]]
    hurt = any(hero["damage"] for hero in cards + [hero for team in table["teams"] for hero in team["heroes"]])
    return ("heal" in kinds and hurt) or ("stone" in kinds and any(stone["counters"] for stone in table["stones"]))


def test_used_tokens_are_discarded():
    table = Table(tokens={0: ["battle"]}).deploy(1).play("play battle on hawkeye")
    assert table.seen["tokens"]["discarded"] == {"battle": 1}


def test_a_token_of_a_player_not_on_turn_decides_a_recruit():
    """Four players: the active one is a battle short of Hawkeye; the third plays it out of turn; Hawkeye joins."""
    table = Table(players=4, tokens={2: ["battle"], 3: ["technology"]}, damage={"hawkeye": 1}).deploy(1)
    assert table.question == "ready"
    table.play("roll").throw("red battle", "red battle", "red mystic", "red cosmic")
    table.play("red battle on hawkeye", "red battle on hawkeye")
    table.load_roll("red mystic", "red cosmic").play("roll", "red mystic on mantis", "red cosmic on mantis")
    assert table.question == "assign"
    assert table.may() == ["stop"]
    assert table.may(1) == table.may(3) == []
    assert table.may(2) == ["play battle on hawkeye"]
    without = table.state.clone()
    without.apply(t.STOP)
    assert not without.teams[0] >> table.card("hawkeye") & 1
    table.play("play battle on hawkeye", seat=2)
    table.play("stop")
    assert table.team(0) == {"captain-america", "hawkeye"}
    assert table.damage("hawkeye") == 0
    assert table.match.to_act == 1
    played = [event for event in table.match.events(None) if event["event"] == "token-played"]
    assert [(event["seat"], event["token"]) for event in played] == [(2, "battle")]


# -- stones


def test_a_stone_with_five_counters_is_collected_at_the_end_of_the_turn():
    table = Table(counters={"green": 4}).deploy(1, stones=("green",), thanos="rotate_cw")
    assert table.counters("green") == 5
    assert not table.seen["stones"][3]["collected"]
    table.finish()
    assert table.seen["stones"][3] == {"id": "green", "counters": 0, "collected": True}


def test_a_collected_stone_shows_its_power_when_rolled_instead_of_a_counter():
    table = Table(collected=["orange"]).deploy(1, stones=("orange",), thanos="rotate_cw")
    assert table.counters("orange") == 0
    assert table.damage("captain-america") == 1
    assert table.events("stone-power")[0]["stone"] == "orange"


def test_not_on_the_turn_it_is_collected_even_when_rolled_again():
    table = Table(counters={"orange": 4}, thanos=1).deploy(1, stones=("orange", "orange"))
    assert table.counters("orange") == 6
    assert table.events("stone-power") == []
    assert table.damage("captain-america") == 0


def test_a_counter_may_still_be_removed_before_the_stone_is_collected():
    table = Table(counters={"green": 4}, tokens={1: ["stone"]}).deploy(1, stones=("green",), thanos="rotate_cw")
    table.play("play stone on green", seat=1)
    table.finish()
    assert table.counters("green") == 4
    assert not table.state.collected


# -- legends: faces of the power dice


@pytest.mark.parametrize("colour", range(4))
def test_a_power_die_shows_its_own_symbol_on_three_faces_one_of_them_double(colour):
    cards = Table().cards
    faces = [cards.face[colour * 6 + face] for face in range(6)]
    shown = [(cards.kind_symbol[kind], cards.kind_value[kind]) for kind in faces]
    assert sorted(shown) == sorted([(symbol, 1) for symbol in range(4)] + [(colour, 1), (colour, 2)])

"""What heroes and bases do, and the rulings about abilities."""

import pytest

from engine.thanos_rising import card_tables as t
from tests.engine.thanos_rising.scripted_table import QUIET, Table, sector_with

HOT = ("hawkeye", "outrider-a", "wong")


# -- heroes: extra dice


def test_the_box_is_a_hard_limit():
    table = Table(
        teams={0: ["war-machine", "drax", "hulk", "hawkeye"]},
        damage={"hulk": 6},
        sectors=sector_with("outrider-a", "wong", "mantis"),
    )
    table.deploy(1, thanos="rotate_cw")
    assert table.seen["dice"]["hand"] == {"red": 6, "blue": 1, "green": 0, "purple": 0}


def test_single_colours_are_taken_before_a_choice_is_asked():
    table = Table(teams={0: ["hulkbuster", "war-machine", "hawkeye"]}).deploy(1, thanos="rotate_cw")
    assert table.question == "extra-die"
    assert table.seen["dice"]["hand"]["red"] == 5
    assert table.may() == ["take red", "take blue"]


@pytest.mark.parametrize(("damage", "extra"), [(0, 0), (1, 0), (2, 1), (3, 1), (4, 2)])
def test_hulk_adds_a_red_die_for_each_two_damage(damage, extra):
    bases = ("sanctum-sanctorum", "wakanda")
    table = Table(bases=bases, teams={0: ["hulk"]}, damage={"hulk": damage}).deploy(2, thanos="rotate_ccw")
    assert table.seen["dice"]["hand"]["red"] == 2 + extra


def test_drax_needs_a_villain_in_the_deployed_sector():
    bases = ("wakanda", "knowhere")
    with_villain = Table(bases=bases, teams={0: ["drax"]}, sectors=(HOT, *QUIET[1:])).deploy(1, thanos="rotate_cw")
    assert with_villain.seen["dice"]["hand"]["red"] == 3
    without = Table(bases=bases, teams={0: ["drax"]}, sectors=(HOT, *QUIET[1:])).deploy(3, thanos="rotate_cw")
    assert without.seen["dice"]["hand"]["red"] == 2


# -- heroes: on the roll


def test_a_re_roll_is_used_once_per_turn():
    table = Table(teams={0: ["hawkeye"]}, sectors=sector_with("wong", "mantis", "thor")).deploy(1)
    table.throw("red battle", "red battle").play("use hawkeye", "re-roll red battle")
    assert "use hawkeye" not in table.may()


def test_a_face_change_works_on_a_double_face_too_but_only_on_its_symbols():
    table = Table(teams={0: ["okoye"]}, sectors=sector_with("wong", "mantis", "thor")).deploy(1)
    table.throw("red double-battle", "red mystic").play("use okoye")
    assert table.may() == ["turn red double-battle"]


def test_assigned_dice_are_not_changed_any_more():
    table = Table(teams={0: ["okoye"]}, sectors=sector_with("hawkeye", "mantis", "thor")).deploy(1)
    table.throw("red battle", "red mystic").play("red battle on hawkeye")
    assert "use okoye" not in table.may()


def test_who_names_an_ability_to_pay_for_puts_a_die_on_it_first():
    table = Table(teams={0: ["groot", "wong"]}).deploy(1).throw("red cosmic", "red cosmic")
    table.play("use groot")
    assert table.may() == ["red cosmic on groot"]


# -- heroes: at the end of the turn


def test_a_free_ability_at_the_end_of_the_turn_is_used_once():
    table = Table(teams={0: ["quinjet"]}, damage={"thor": 3}, sectors=sector_with("hawkeye", "wong", "thor"))
    table.deploy(2, thanos="rotate_cw").throw("red battle").play("red battle on okoye")
    assert table.may() == ["use quinjet", "stop"]
    table.play("use quinjet", "heal thor")
    assert table.damage("thor") == 2
    assert table.match.to_act == 1


def test_what_was_paid_for_need_not_be_used():
    table = Table(teams={0: ["groot"]}, damage={"groot": 3}).deploy(1, thanos="rotate_cw").throw("red cosmic")
    table.play("use groot", "red cosmic on groot", "stop")
    assert table.damage("groot") == 3


def test_black_widow_draws_a_token_and_heals():
    table = Table(teams={0: ["black-widow"]}, damage={"black-widow": 2}).deploy(2, thanos="rotate_ccw")
    table.stack_tokens("heal")
    table.throw("red double-battle").play("use black-widow", "red double-battle on black-widow", "use black-widow")
    assert table.tokens(0) == {"heal": 1}
    assert table.may()[0] == "heal black-widow"
    assert table.may()[-1] == "pass"
    table.play("heal black-widow")
    assert table.damage("black-widow") == 1


def test_iron_man_removes_a_stone_counter_for_two_technology():
    table = Table(teams={0: ["iron-man"]}, counters={"red": 1, "blue": 2}).deploy(
        1, stones=("red",), thanos="rotate_cw"
    )
    table.throw("blue double-technology").play("use iron-man", "blue double-technology on iron-man", "use iron-man")
    assert table.may() == ["clear red", "clear blue"]
    table.play("clear blue")
    assert table.counters("blue") == 1


def test_shuri_keeps_one_of_two_tokens_and_the_other_is_discarded():
    table = Table(teams={0: ["shuri"]}).deploy(1)
    table.stack_tokens("heal", "stone")
    table.throw("red technology").play("use shuri", "red technology on shuri", "use shuri")
    assert table.question == "keep-token"
    assert table.seen["tokens"]["looked_at"] == {"heal": 1, "stone": 1}
    table.play("keep stone")
    assert table.tokens(0) == {"stone": 1}
    assert table.seen["tokens"]["discarded"] == {"heal": 1}


def test_shuri_is_not_asked_between_two_of_a_kind():
    table = Table(teams={0: ["shuri"]}).deploy(1)
    table.stack_tokens("heal", "heal")
    table.throw("red technology").play("use shuri", "red technology on shuri", "use shuri")
    assert table.tokens(0) == {"heal": 1}
    assert table.seen["tokens"]["discarded"] == {"heal": 1}


def test_nebula_takes_a_damage_to_remove_a_counter():
    table = Table(teams={0: ["nebula"]}, counters={"red": 3}).deploy(1, stones=("red",), thanos="rotate_cw")
    table.throw("red battle").play("red battle on hawkeye", "use nebula", "clear red")
    assert table.damage("nebula") == 1
    assert table.counters("red") == 3


def test_nebula_cannot_without_a_free_space():
    table = Table(teams={0: ["nebula"]}, counters={"red": 3}, damage={"nebula": 4})
    table.deploy(1, stones=("red",), thanos="rotate_cw").throw("red battle").play("red battle on hawkeye")
    assert table.seen["turn"] == 2
    assert table.seen["lost"] == ["nebula"]


def test_heimdall_damages_an_undamaged_villain_anywhere():
    sectors = (("hawkeye", "outrider-a", "wong"), ("outrider-b", "groot", "shuri"), ("outrider-c", "loki", "vision"))
    table = Table(teams={0: ["heimdall"]}, sectors=sectors, damage={"outrider-a": 1}).deploy(1, thanos="rotate_cw")
    table.throw("green double-mystic").play("use heimdall", "green double-mystic on heimdall", "use heimdall")
    assert table.may() == ["hit outrider-b", "hit outrider-c"]
    table.play("hit outrider-c")
    assert table.damage("outrider-c") == 1
    assert sum(table.tokens(0).values()) == 1


def test_dice_and_an_ability_may_both_damage_a_villain_in_one_turn():
    table = Table(teams={0: ["heimdall"]}, sectors=sector_with("hawkeye", "outrider-a", "wong"))
    table.deploy(1, thanos="rotate_cw")
    table.throw("green double-mystic", "red double-battle", "blue double-technology")
    table.play("use heimdall", "green double-mystic on heimdall")
    table.load_roll("red double-battle", "blue double-technology").play("roll")
    table.play("red double-battle on outrider-a", "blue double-technology on outrider-a", "use heimdall")
    assert table.seen["defeated"] == ["outrider-a"]
    assert sum(table.tokens(0).values()) == 2


def test_falcon_draws_one_extra_token_when_villains_were_damaged():
    table = Table(teams={0: ["falcon"]}, sectors=sector_with("hawkeye", "outrider-a", "outrider-e"))
    table.deploy(1, thanos="rotate_cw")
    table.throw("red double-battle", "blue double-technology", "red double-battle", "green double-mystic")
    table.play("red double-battle on outrider-a", "blue double-technology on outrider-a")
    table.load_roll("red double-battle", "green double-mystic").play("roll")
    table.play("red double-battle on outrider-e", "green double-mystic on outrider-e")
    assert (table.damage("outrider-a"), table.damage("outrider-e")) == (1, 1)
    assert sum(table.tokens(0).values()) == 3


def test_iron_spider_heals_once_for_each_damage_dealt_the_same_hero_or_others():
    table = Table(
        teams={0: ["iron-spider"]},
        sectors=sector_with("hawkeye", "outrider-a", "outrider-e"),
        damage={"captain-america": 2, "hawkeye": 1},
    )
    table.deploy(1, thanos="rotate_cw")
    table.throw("red double-battle", "blue double-technology", "red double-battle", "green double-mystic")
    table.play("red double-battle on outrider-a", "blue double-technology on outrider-a")
    table.load_roll("red double-battle", "green double-mystic").play("roll")
    table.play("red double-battle on outrider-e", "green double-mystic on outrider-e")
    assert table.question == "heal-hero"
    assert "pass" in table.may()
    table.play("heal captain-america", "heal captain-america")
    assert table.damage("captain-america") == 0
    assert table.match.to_act == 1


def test_healing_after_damage_can_be_declined():
    table = Table(
        teams={0: ["iron-spider", "hulk"]}, sectors=sector_with("hawkeye", "outrider-a", "wong"), damage={"hulk": 4}
    )
    table.deploy(1, thanos="rotate_cw").throw("red double-battle", "blue double-technology")
    table.play("red double-battle on outrider-a", "blue double-technology on outrider-a", "pass")
    assert table.damage("hulk") == 4


# -- bases


@pytest.mark.parametrize(
    ("base", "symbol"),
    [("wakanda", 1), ("sanctum-sanctorum", 2), ("knowhere", 3)],
)
def test_a_base_ability_needs_four_of_its_symbol_on_the_opening_roll(base, symbol):
    other = "avengers-compound"
    woken = Table(bases=(base, other), counters={"red": 2}, teams={0: ["hulk"]}, damage={"hulk": 1})
    woken.deploy(2, thanos="rotate_ccw", opening=lambda s: t.lane(s.opening, symbol) >= 4)
    assert woken.events("team-ability")[0]["base"] == base
    if base == "wakanda":
        assert sum(woken.tokens(0).values()) == 1
    elif base == "sanctum-sanctorum":
        assert woken.question == "remove-counter"
        woken.play("clear red")
        assert woken.counters("red") == 2
    else:
        assert woken.damage("hulk") == 0


def test_the_opening_roll_counts_as_rolled_before_any_change():
    table = Table(bases=("wakanda", "knowhere"), teams={0: ["friday", "wong"]})
    table.deploy(2, thanos="rotate_ccw")
    assert table.events("team-ability") == []


# -- rulings


def test_a_double_face_may_be_wasted_in_part():
    table = Table(sectors=sector_with("nebula", "wong", "mantis")).deploy(1).throw("red double-battle", "red cosmic")
    table.play("red double-battle on nebula")
    assert table.assigned("nebula") == [1, 0, 0, 0]


def test_the_discard_pile_is_shuffled_when_the_supply_is_empty():
    table = Table(teams={0: ["black-widow"]}, damage={"black-widow": 1}).deploy(2, thanos="rotate_ccw")
    state = table.state
    kinds = state.cards.tokens
    for kind in state.supply[state.drawn :]:
        state.tokens[5 * kinds + kind] += 1
    state.supply, state.drawn = t.table([]), 0
    table.throw("red double-battle").play("use black-widow", "red double-battle on black-widow", "use black-widow")
    assert table.events("tokens-shuffled")
    assert sum(table.tokens(0).values()) == 1
    assert table.seen["tokens"]["face_down"] == 29


def test_an_exhausted_token_supply_gives_nothing():
    table = Table(teams={0: ["black-widow"]}, damage={"black-widow": 1}).deploy(2, thanos="rotate_ccw")
    state = table.state
    for kind in state.supply[state.drawn :]:
        state.tokens[1 * state.cards.tokens + kind] += 1
        state.held += 1
    state.supply, state.drawn = t.table([]), 0
    table.throw("red double-battle").play(
        "use black-widow", "red double-battle on black-widow", "stop", "use black-widow"
    )
    assert table.tokens(0) == {}

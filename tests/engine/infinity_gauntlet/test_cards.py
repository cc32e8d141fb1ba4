"""Every card, in the rulebook's order. Positions are made up."""

import pytest

from engine.infinity_gauntlet.cards import DOCUMENT, CardError, check
from engine.infinity_gauntlet.knowledge import HEROES_OF
from tests.engine.infinity_gauntlet.positions import event_names, hand, moves, play, position, seen, table


def test_the_decks_are_those_of_the_box():
    check(DOCUMENT)
    assert [bin(HEROES_OF[number]).count("1") for number in range(1, 7)] == [3, 3, 3, 3, 2, 2]


@pytest.mark.parametrize(
    ("deck", "place", "field", "value", "word"),
    [
        ("hero_deck", 0, "number", 2, "numbered 1"),
        ("hero_deck", 0, "name", {"en": "Nebula"}, "needs a name"),
        ("hero_deck", 1, "id", "nebula", "listed twice"),
        ("thanos_deck", 0, "copies", 3, "numbered 1"),
        ("thanos_deck", 1, "stone", False, "stones"),
        ("thanos_deck", 0, "returns", True, "return to the deck"),
        ("thanos_deck", 0, "effect", "dance", "unknown effect"),
    ],
)
def test_a_slip_in_the_data_file_is_named(deck, place, field, value, word):
    document = {**DOCUMENT, deck: [dict(card) for card in DOCUMENT[deck]]}
    document[deck][place][field] = value
    with pytest.raises(CardError, match=word):
        check(document)


# -- hero 1


def hero_plays(*texts, heroes, **rest):
    match = position(turn=1, heroes=heroes, **{"thanos": ["corvus-glaive", "thanos"], **rest})
    play(match, *texts)
    return match


@pytest.mark.parametrize("card", ["nebula", "spider-man", "star-lord"])
def test_1_guesses_any_number_from_1_to_7(card):
    match = hero_plays(f"play {card}", heroes={1: [card, "hulk"]})
    assert moves(match) == [f"guess {number}" for number in range(1, 8)]


def test_1_a_miss_does_nothing_but_all_know_it():
    match = hero_plays("play nebula", "guess 3", heroes={1: ["nebula", "hulk"]})
    assert table(match)["life"]["thanos"] == 5
    assert [seen(match, seat, 0)["ruled_out"] for seat in (0, 1, 2, None)] == [[3]] * 4


@pytest.mark.parametrize("second", ["soul-stone", "thanos"])
def test_1_of_two_matching_cards_thanos_picks_one_and_being_asked_tells_nothing(second):
    match = hero_plays("play nebula", "guess 2", heroes={1: ["nebula", "hulk"]}, thanos=["corvus-glaive", second])
    assert (match.to_act, table(match, 1)["phase"], table(match, 2)["number"]) == (0, "lose", 2)
    assert moves(match) == ["lose corvus-glaive", "lose soul-stone"][: 2 if second == "soul-stone" else 1]
    play(match, "lose corvus-glaive")
    assert seen(match, 1, 0)["cards"] == []
    assert seen(match, 1, 0)["ruled_out"] == []


def test_1_nothing_is_asked_when_the_table_sees_that_there_is_but_one_such_card():
    match = hero_plays("play nebula", "guess 7", heroes={1: ["nebula", "hulk"]})
    assert (match.to_act, table(match)["life"]["thanos"]) == (2, 4)
    match = hero_plays(
        "play nebula", "guess 2", heroes={1: ["nebula", "hulk"]}, thanos_faceup=["soul-stone"], thanos_life=3
    )
    assert (match.to_act, table(match)["life"]["thanos"]) == (2, 2)


def test_1_two_outriders_are_the_same_card_twice():
    match = hero_plays("play nebula", "guess 1", heroes={1: ["nebula", "hulk"]}, thanos=["outrider", "outrider"])
    assert moves(match) == ["lose outrider"]


# -- hero 2


@pytest.mark.parametrize("card", ["black-widow", "gamora", "ant-man-wasp"])
def test_2_another_hero_looks_at_a_random_card(card):
    match = position(players=4, turn=1, heroes={1: [card, "hulk"]}, thanos=["outrider", "thanos"])
    play(match, f"play {card}")
    assert moves(match) == ["peek 2", "peek 3"]
    play(match, "peek 3")
    assert len(seen(match, 3, 0)["cards"]) == 1
    assert [seen(match, seat, 0)["cards"] for seat in (1, 2, None)] == [[], [], []]
    assert "peeked" in event_names(match, None)
    assert "peeked-card" not in event_names(match, 1)
    assert "peeked-card" in event_names(match, 0)


def test_2_with_three_players_the_other_hero_looks_without_a_question():
    match = hero_plays("play gamora", heroes={1: ["gamora", "hulk"]})
    assert len(seen(match, 2, 0)["cards"]) == 1


def test_2_with_two_players_the_hero_looks():
    match = hero_plays("play gamora", heroes={1: ["gamora", "hulk"]}, players=2)
    assert len(seen(match, 1, 0)["cards"]) == 1


# -- hero 3


@pytest.mark.parametrize("card", ["captain-america", "hulk", "thor"])
def test_3_may_fight(card):
    match = hero_plays(f"play {card}", heroes={1: [card, "gamora"]}, thanos=["outrider", "mind-stone"])
    assert moves(match) == ["fight", "hold"]
    play(match, "fight")
    assert table(match)["life"]["thanos"] == 4


def test_3_may_hold():
    match = hero_plays("play hulk", "hold", heroes={1: ["hulk", "gamora"]})
    assert (match.to_act, table(match)["life"]) == (2, {"heroes": 6, "thanos": 5})
    assert "declined" in event_names(match, None)


# -- hero 4


@pytest.mark.parametrize("card", ["black-panther", "falcon", "doctor-strange"])
def test_4_any_hero_takes_a_token(card):
    match = hero_plays(f"play {card}", heroes={1: [card, "hulk"]})
    assert moves(match) == ["power 1", "power 2"]
    play(match, "power 2")
    assert [seen(match, None, seat)["power"] for seat in range(3)] == [0, 0, 1]


# -- hero 5


@pytest.mark.parametrize("card", ["scarlet-witch", "vision"])
def test_5_looks_at_three_and_puts_them_back_in_any_order(card):
    match = hero_plays(f"play {card}", heroes={1: [card, "hulk"]}, deck=["thor", "gamora", "nebula", "falcon"])
    assert table(match, 1)["decks"]["heroes"]["top"] == ["thor", "gamora", "nebula"]
    assert table(match, 2)["decks"]["heroes"]["top"] == []
    assert moves(match) == ["top nebula", "top gamora", "top thor"]
    play(match, "top nebula")
    assert moves(match) == ["next gamora", "next thor"]
    play(match, "next thor")
    assert "nebula" in hand(match, 2)
    assert table(match, 1)["decks"]["heroes"]["top"] == ["thor", "gamora"]
    assert "nebula" in seen(match, 1, 2)["cards"]
    assert seen(match, 0, 2)["cards"] == []


def test_5_the_order_can_be_taken_back_while_it_is_being_made():
    match = hero_plays("play vision", "top thor", heroes={1: ["vision", "hulk"]}, deck=["thor", "gamora", "nebula"])
    assert match.can_undo(1)
    match.undo(1)
    assert moves(match) == ["top nebula", "top gamora", "top thor"]
    assert not match.can_undo(1)


def test_5_with_exactly_three_left_nothing_is_reshuffled():
    match = hero_plays("play vision", heroes={1: ["vision", "hulk"]}, deck=["thor", "gamora", "nebula"])
    assert table(match)["decks"]["heroes"]["rebuilt"] == 0
    assert seen(match, None, 1)["faceup"] == ["vision"]


@pytest.mark.parametrize("left", [["thor"], ["thor", "gamora"]])
def test_5_with_fewer_takes_what_is_left_and_tops_up_from_a_new_deck_that_holds_the_5_itself(left):
    match = hero_plays("play vision", heroes={1: ["vision", "hulk"], 2: ["iron-man"]}, deck=left)
    deck = table(match, 1)["decks"]["heroes"]
    assert deck["left"] == 16 - 2
    assert deck["rebuilt"] == 1
    assert deck["top"][: len(left)] == left
    assert len(deck["top"]) == 3
    assert seen(match, None, 1)["faceup"] == []


# -- hero 6


@pytest.mark.parametrize("card", ["captain-marvel", "iron-man"])
def test_6_the_chosen_hero_decides_and_fights_with_the_own_card(card):
    match = hero_plays(
        f"play {card}", heroes={1: [card, "hulk"], 2: ["gamora"]}, thanos=["outrider", "mind-stone"], power={1: 1}
    )
    assert moves(match) == ["send 1", "send 2"]
    play(match, "send 2")
    assert (match.to_act, moves(match)) == (2, ["fight", "hold"])
    play(match, "fight")
    assert table(match)["life"]["thanos"] == 4
    assert seen(match, None, 1)["power"] == 1
    assert len(seen(match, 2, 0)["cards"]) == 0


def test_6_may_choose_oneself_and_may_hold():
    match = hero_plays("play iron-man", "send 1", "hold", heroes={1: ["iron-man", "hulk"]})
    assert match.to_act == 2


def test_6_with_two_players_only_asks_whether_to_fight():
    match = hero_plays("play iron-man", heroes={1: ["iron-man", "hulk"]}, players=2)
    assert moves(match) == ["fight", "hold"]


@pytest.mark.parametrize("card", ["nebula", "gamora", "thor", "iron-man"])
def test_against_an_empty_hand_guess_peek_and_fight_do_nothing(card):
    match = hero_plays(f"play {card}", heroes={1: [card, "falcon"]}, thanos=[], thanos_deck=["thanos"])
    assert match.to_act == 2
    assert table(match)["life"] == {"heroes": 6, "thanos": 5}


# -- Thanos 1


def thanos_plays(*texts, hand=("outrider", "thanos"), **rest):
    match = position(thanos=[texts[0].removeprefix("play "), *hand], **rest)
    play(match, *texts)
    return match


def test_outrider_hits_one_hero():
    match = thanos_plays("play outrider", heroes={1: ["gamora"], 2: ["black-widow"]})
    assert moves(match) == ["target 1", "target 2"]
    play(match, "target 2")
    assert moves(match) == [f"guess {number}" for number in range(1, 7)]
    play(match, "guess 2")
    assert table(match)["life"]["heroes"] == 5
    assert seen(match, None, 2)["faceup"] == ["black-widow"]


def test_outrider_misses_and_all_know_what_the_hero_does_not_hold():
    match = thanos_plays("play outrider", "target 2", "guess 5", heroes={2: ["black-widow"]})
    assert table(match)["life"]["heroes"] == 6
    assert seen(match, 1, 2)["ruled_out"] == [5]


def test_mind_stone_defeats_every_match_one_life_each_and_redraws_in_play_order():
    match = thanos_plays(
        "play mind-stone", "guess 2", players=5,
        heroes={1: ["gamora"], 2: ["hulk"], 3: ["black-widow"], 4: ["ant-man-wasp"]},
        deck=["nebula", "spider-man", "star-lord", "thor", "falcon"],
    )  # fmt: skip
    assert table(match)["life"]["heroes"] == 3
    assert hand(match, 1) == ["nebula", "thor"]
    assert [hand(match, seat) for seat in (2, 3, 4)] == [["hulk"], ["spider-man"], ["star-lord"]]


def test_mind_stone_tells_all_who_does_not_hold_the_number():
    match = thanos_plays("play mind-stone", "guess 2", heroes={1: ["gamora"], 2: ["hulk"]})
    assert [seen(match, None, seat)["ruled_out"] for seat in (1, 2)] == [[], [2]]


def test_mind_stone_stops_when_the_heroes_have_no_life_left():
    match = thanos_plays("play mind-stone", "guess 2", heroes={1: ["gamora"], 2: ["black-widow"]}, heroes_life=1)
    assert match.outcome.reason == "heroes-out"
    assert table(match)["life"]["heroes"] == 0
    assert hand(match, 2) == ["black-widow"]


# -- Thanos 2


@pytest.mark.parametrize(("card", "falls"), [("corvus-glaive", range(1, 4)), ("soul-stone", range(3, 7))])
def test_2_defeats_three_or_lower_or_three_or_higher(card, falls):
    by_number = {1: "nebula", 2: "gamora", 3: "hulk", 4: "falcon", 5: "vision", 6: "iron-man"}
    for number, held in by_number.items():
        match = thanos_plays(f"play {card}", "target 2", heroes={2: [held]})
        assert table(match)["life"]["heroes"] == (5 if number in falls else 6)
        if number not in falls:
            assert seen(match, 1, 2)["ruled_out"] == list(falls)


# -- Thanos 3


def test_black_dwarf_may_hold():
    match = thanos_plays("play black-dwarf", players=4)
    assert moves(match) == ["fight 1", "fight 2", "fight 3", "hold"]
    play(match, "hold")
    assert match.to_act == 1


def test_space_stone_fights_two_different_heroes_and_the_first_fight_is_over_before_the_second():
    match = thanos_plays(
        "play space-stone", "fight 1", "with outrider", hand=("outrider", "power-stone"), players=4,
        heroes={1: ["gamora"], 2: ["hulk"]}, thanos_deck=["thanos", "ebony-maw"],
    )  # fmt: skip
    assert table(match)["life"]["thanos"] == 4
    assert sorted(hand(match, 0)) == ["power-stone", "thanos"]
    assert table(match)["second_fight"]
    assert [move for move in moves(match) if move != "snap"] == ["fight 2", "fight 3", "hold"]
    play(match, "fight 2", "with power-stone")
    assert table(match)["life"] == {"heroes": 5, "thanos": 4}


def test_space_stone_ends_with_the_first_hold():
    assert thanos_plays("play space-stone", "hold").to_act == 1
    assert thanos_plays("play space-stone", "fight 1", "with thanos", "hold").to_act == 1


def test_space_stone_with_two_players_may_fight_the_same_hero_twice():
    match = thanos_plays("play space-stone", "fight 1", "with thanos", players=2, heroes={1: ["gamora"]})
    assert moves(match) == ["fight 1", "hold"]
    play(match, "fight 1", "with thanos")
    assert table(match)["life"]["heroes"] == 4


# -- Thanos 4


@pytest.mark.parametrize(("card", "tokens"), [("proxima-midnight", 1), ("power-stone", 3)])
def test_4_takes_tokens(card, tokens):
    assert seen(thanos_plays(f"play {card}"), None, 0)["power"] == tokens


# -- Thanos 5


def test_ebony_maw_draws_one_and_puts_one_of_three_under_the_deck():
    match = thanos_plays("play ebony-maw", thanos_deck=["mind-stone", "soul-stone", "black-dwarf"])
    assert moves(match) == ["bottom outrider", "bottom mind-stone", "bottom thanos"]
    play(match, "bottom thanos")
    assert hand(match, 0) == ["outrider", "mind-stone"]
    assert table(match, 0)["decks"]["thanos"] == {"left": 3, "bottom": ["thanos"]}
    assert table(match, 1)["decks"]["thanos"] == {"left": 3, "bottom": []}
    assert "bottomed-card" not in event_names(match, 1)


def test_ebony_maw_with_an_empty_deck_does_nothing():
    match = thanos_plays("play ebony-maw", thanos_deck=[])
    assert hand(match, 0) == ["outrider", "thanos"]
    assert table(match)["decks"]["thanos"]["left"] == 0


def test_reality_stone_draws_two_and_puts_two_under_the_deck_the_last_one_lowest():
    match = thanos_plays("play reality-stone", thanos_deck=["mind-stone", "soul-stone", "black-dwarf"])
    play(match, "bottom thanos", "bottom outrider")
    assert hand(match, 0) == ["mind-stone", "soul-stone"]
    assert table(match, 0)["decks"]["thanos"] == {"left": 3, "bottom": ["outrider", "thanos"]}


def test_reality_stone_with_one_card_left_draws_and_returns_one():
    match = thanos_plays("play reality-stone", thanos_deck=["mind-stone"])
    play(match, "bottom thanos")
    assert table(match)["decks"]["thanos"]["left"] == 1
    assert table(match)["phase"] != "bottom"


@pytest.mark.parametrize("card", ["ebony-maw", "reality-stone"])
def test_5_the_sixth_stone_drawn_allows_a_snap_only_when_the_effect_is_complete(card):
    stones = ["mind-stone", "soul-stone", "space-stone", "power-stone", "reality-stone", "time-stone"]
    stones.remove("mind-stone")
    if card == "reality-stone":
        stones.remove(card)
    match = thanos_plays(f"play {card}", thanos_faceup=stones, thanos_deck=["mind-stone", "black-dwarf"])
    assert "snap" not in moves(match)
    play(match, "bottom thanos")
    if card == "reality-stone":
        assert "snap" not in moves(match)
        play(match, "bottom outrider")
    assert moves(match) == ["end turn", "snap"]


# -- Thanos 6


def test_time_stone_copies_any_other_faceup_card_played_or_defeated():
    match = thanos_plays("play time-stone", thanos_faceup=["power-stone", "black-dwarf", "outrider"])
    assert moves(match) == ["copy outrider", "copy black-dwarf", "copy power-stone"]
    play(match, "copy power-stone")
    assert seen(match, None, 0)["power"] == 3


def test_time_stone_does_nothing_with_nothing_to_copy():
    assert thanos_plays("play time-stone").to_act == 1


def test_time_stone_copies_the_only_card_without_asking_and_its_option_stays():
    match = thanos_plays("play time-stone", thanos_faceup=["space-stone"])
    assert moves(match) == ["fight 1", "fight 2", "hold"]
    play(match, "fight 2", "with thanos")
    assert moves(match) == ["fight 1", "hold"]


# -- Thanos 7


def test_thanos_himself_is_never_played():
    match = position(thanos=["thanos", "outrider", "ebony-maw"])
    assert moves(match) == ["play outrider", "play ebony-maw"]


def test_with_nothing_but_thanos_in_hand_he_passes_and_all_know_why():
    match = position(thanos=["thanos"], thanos_faceup=["ebony-maw"], thanos_deck=None)
    assert moves(match) == ["pass"]
    play(match, "pass")
    assert (match.to_act, seen(match, None, 0)["cards"]) == (1, ["thanos"])


def test_with_no_card_at_all_he_passes():
    match = position(thanos=[], thanos_deck=["mind-stone"])
    assert moves(match) == ["pass"]

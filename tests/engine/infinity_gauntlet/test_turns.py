"""The rulebook, page by page: set-up, turns, defeats, fights, tokens, decks, endings. Positions are made up."""

from collections import Counter

import pytest

import engine
from engine.infinity_gauntlet import cards
from tests.engine.infinity_gauntlet.positions import GAME, event_names, hand, moves, play, position, seen, table

SIX = ["mind-stone", "soul-stone", "space-stone", "power-stone", "reality-stone", "time-stone"]


# -- set-up


@pytest.mark.parametrize("players", range(2, 7))
def test_set_up_one_card_each_hero_two_for_thanos_who_has_drawn_his_third(players):
    match = GAME.start(players, "set-up")
    shown = table(match)
    assert [seat["hand"] for seat in shown["seats"]] == [3, *[1] * (players - 1)]
    assert shown["decks"]["heroes"]["left"] == 16 - (players - 1)
    assert shown["decks"]["thanos"]["left"] == 10
    assert shown["life"] == {"heroes": 6, "thanos": {2: 4, 3: 4, 4: 5, 5: 6, 6: 7}[players]}
    assert [seat["power"] for seat in shown["seats"]] == [0] * players
    assert match.to_act == 0


def test_roles_are_thanos_and_heroes():
    assert GAME.roles(4) == ("thanos", "hero", "hero", "hero")


def test_life_totals_are_options():
    match = GAME.start(3, "life", {"heroes_life": 9, "thanos_life": 2})
    assert table(match)["life"] == {"heroes": 9, "thanos": 2}


@pytest.mark.parametrize("options", [{"heroes_life": 0}, {"thanos_life": 31}, {"thanos_life": "4"}, {"lives": 3}])
def test_bad_options_are_refused_by_name(options):
    with pytest.raises(engine.OptionError) as error:
        GAME.start(3, "bad", options)
    assert error.value.field == next(iter(options))


@pytest.mark.parametrize("players", [1, 7, "3", None, True])
def test_wrong_player_counts_are_refused(players):
    with pytest.raises(engine.OptionError):
        GAME.start(players, "count")


# -- player turn


def test_thanos_starts_and_play_goes_clockwise():
    match = GAME.start(4, "order")
    order = []
    while len(order) < 9 and match.to_act is not None:
        turn = table(match)["turn"]
        if not order or order[-1] != turn:
            order.append(turn)
        match.play(match.legal()[-1] if "fight" not in moves(match) else "hold")
    assert order[:5] == [0, 1, 2, 3, 0]


def test_draw_one_play_one_keep_the_rest():
    match = position(turn=1, heroes={1: ["falcon", "hulk"]}, thanos=["thanos", "outrider"])
    assert moves(match) == ["play hulk", "play falcon"]
    play(match, "play falcon", "power 1")
    assert seen(match, None, 1)["faceup"] == ["falcon"]
    assert hand(match, 1) == ["hulk"]
    assert (match.to_act, seen(match, None, 2)["hand"]) == (2, 2)


def test_thanos_keeps_two():
    match = position(thanos=["proxima-midnight", "outrider", "thanos"])
    play(match, "play proxima-midnight")
    assert seen(match, None, 0)["hand"] == 2
    assert seen(match, None, 0)["faceup"] == ["proxima-midnight"]


# -- defeats and life


def test_a_defeated_hero_loses_a_life_discards_faceup_and_redraws():
    match = position(
        thanos=["outrider", "thanos", "black-dwarf"], heroes={1: ["gamora"]}, deck=["hulk", "thor", "vision"]
    )
    play(match, "play outrider", "target 1", "guess 2")
    assert table(match)["life"]["heroes"] == 5
    assert seen(match, None, 1)["faceup"] == ["gamora"]
    assert hand(match, 1) == ["hulk", "thor"]  # the redraw, then the draw of the turn that follows


def test_nobody_is_ever_out_of_the_round():
    match = position(players=2, thanos=["outrider", "thanos", "black-dwarf"], heroes={1: ["gamora"]})
    play(match, "play outrider", "guess 2")
    assert match.to_act == 1


def test_a_plain_thanos_card_falls_faceup_and_is_replaced():
    match = position(
        turn=1, heroes={1: ["nebula", "hulk"]}, thanos=["corvus-glaive", "thanos"], thanos_deck=["outrider"]
    )
    play(match, "play nebula", "guess 2")
    assert table(match)["life"]["thanos"] == 4
    assert "corvus-glaive" in seen(match, None, 0)["faceup"]
    assert hand(match, 0) == ["outrider", "thanos"]


@pytest.mark.parametrize("card", [*SIX, "thanos"])
def test_a_returning_card_is_shuffled_in_after_the_redraw_so_it_is_never_redrawn_at_once(card):
    number = str(next(each["number"] for each in cards.THANOS if each["id"] == card))
    for _ in range(5):
        match = position(turn=1, heroes={1: ["nebula", "hulk"]}, thanos=[card, "outrider"], thanos_deck=["ebony-maw"])
        play(match, "play nebula", f"guess {number}")
        if match.to_act == 0:
            play(match, f"lose {card}")
        assert sorted(hand(match, 0)) == ["ebony-maw", "outrider"]
        assert card not in seen(match, None, 0)["faceup"]
        assert table(match)["decks"]["thanos"]["left"] == 1
        assert card in seen(match, None, 0)["not_held"]


def test_with_an_empty_deck_the_returning_card_becomes_the_deck_and_is_not_drawn_now():
    match = position(turn=1, heroes={1: ["nebula", "hulk"]}, thanos=["thanos", "outrider"], thanos_deck=[])
    play(match, "play nebula", "guess 7")
    assert hand(match, 0) == ["outrider"]
    assert table(match)["decks"]["thanos"]["left"] == 1


# -- fights


def fight(thanos_card, hero_card, power=None, players=3):
    """Black Dwarf: Thanos fights seat 1 with a card of his choice."""
    match = position(
        players=players, thanos=["black-dwarf", thanos_card, "thanos"], heroes={1: [hero_card]}, power=power
    )
    play(match, "play black-dwarf", "fight 1", f"with {thanos_card}")
    return match


def test_the_lower_card_is_defeated_and_the_winner_keeps_his():
    match = fight("outrider", "gamora")
    assert table(match)["life"] == {"heroes": 6, "thanos": 4}
    assert "gamora" in hand(match, 1)
    match = fight("power-stone", "gamora")
    assert table(match)["life"] == {"heroes": 5, "thanos": 5}
    assert "power-stone" in hand(match, 0)


def test_a_tie_defeats_neither_and_stays_secret():
    match = fight("soul-stone", "gamora")
    assert table(match)["life"] == {"heroes": 6, "thanos": 5}
    assert "tied" in event_names(match, 2)
    assert "fought-cards" not in event_names(match, 2)
    assert "gamora" in table(match, 2)["unseen"]["heroes"]


def test_thanos_chooses_the_card_he_starts_a_fight_with():
    match = position(thanos=["black-dwarf", "outrider", "thanos"])
    play(match, "play black-dwarf", "fight 1")
    assert moves(match) == ["with outrider", "with thanos"]


def test_a_hero_fights_a_random_card_of_thanos():
    fallen = Counter()
    for number in range(200):
        match = position(turn=1, heroes={1: ["thor", "iron-man"]}, thanos=["outrider", "corvus-glaive"])
        match.state.rng = match.state.rng.fork(number)
        play(match, "play thor", "fight")
        fallen += Counter(seen(match, None, 0)["faceup"])
    assert set(fallen) == {"outrider", "corvus-glaive"}
    assert min(fallen.values()) > 70


def test_both_fighters_learn_both_cards_and_nobody_else_does():
    match = fight("soul-stone", "gamora", players=4)
    assert seen(match, 1, 0)["cards"] == ["soul-stone"]
    assert "gamora" in seen(match, 0, 1)["cards"]
    for other in (2, 3, None):
        assert seen(match, other, 0)["cards"] == []
        assert seen(match, other, 1)["cards"] == []
    assert seen(match, 0, 0)["seen_by"] == [[1], []]
    assert [0] in seen(match, 1, 1)["seen_by"]


# -- power tokens


@pytest.mark.parametrize(
    ("power", "life", "left"),
    [
        ({0: 1}, {"heroes": 5, "thanos": 5}, [0, 0]),  # 2+2 against 3
        ({1: 1}, {"heroes": 6, "thanos": 4}, [0, 0]),  # 2 against 3+2
        ({0: 1, 1: 1}, {"heroes": 6, "thanos": 4}, [0, 0]),  # 2+2 against 3+2
        ({0: 3, 1: 2}, {"heroes": 6, "thanos": 4}, [2, 1]),  # one a fight, the rest stays
    ],
)
def test_whoever_has_a_token_must_spend_exactly_one_for_plus_two(power, life, left):
    match = fight("corvus-glaive", "hulk", power)
    assert table(match)["life"] == life
    assert [seen(match, None, seat)["power"] for seat in (0, 1)] == left


def test_the_rulebooks_example_a_5_with_a_token_counts_as_7():
    match = fight("time-stone", "vision", {1: 1})  # 5+2 beats 6
    assert table(match)["life"] == {"heroes": 6, "thanos": 4}


def test_tokens_are_spent_in_a_tie_too():
    match = fight("corvus-glaive", "gamora", {0: 1, 1: 1})
    assert [seen(match, None, seat)["power"] for seat in (0, 1)] == [0, 0]
    assert table(match)["life"] == {"heroes": 6, "thanos": 5}


def test_tokens_never_run_out():
    match = position(thanos=["power-stone", "outrider", "thanos"], power={1: 9, 2: 9})
    play(match, "play power-stone")
    assert seen(match, None, 0)["power"] == 3


# -- decks run out


def test_the_hero_deck_is_rebuilt_as_soon_as_it_is_empty_before_the_drawn_card_is_played():
    match = position(
        turn=1, heroes={1: ["falcon", "hulk"], 2: ["thor"]}, thanos=["thanos", "outrider"], deck=["gamora"]
    )
    play(match, "play falcon", "power 1")
    assert match.to_act == 2
    assert sorted(hand(match, 2)) == ["gamora", "thor"]
    deck = table(match)["decks"]["heroes"]
    assert {name: deck[name] for name in ("left", "rebuilt", "top", "among")} == {
        "left": 13, "rebuilt": 1, "top": [], "among": [],
    }  # fmt: skip
    held, new = deck["shuffles"]
    assert (sorted(held["cards"]), held["hands"], held["deck"]) == (["gamora", "hulk", "thor"], [1, 2, 2], [])
    assert (len(new["cards"]), new["hands"], new["deck"]) == (13, [], list(range(13)))
    assert [seen(match, None, seat)["faceup"] for seat in (1, 2)] == [[], []]
    assert "falcon" in table(match, 2)["unseen"]["heroes"]


def test_a_card_defeated_before_the_last_draw_goes_into_the_new_deck():
    match = position(thanos=["outrider", "thanos", "black-dwarf"], heroes={1: ["gamora"]}, deck=["hulk"])
    play(match, "play outrider", "target 1", "guess 2")
    assert seen(match, None, 1)["faceup"] == []
    assert "gamora" not in hand(match, 1)[:1]
    assert table(match)["decks"]["heroes"]["rebuilt"] == 1


def test_thanos_skips_the_draw_with_an_empty_deck_and_plays_on_with_fewer_cards():
    match = position(turn=2, heroes={2: ["falcon", "hulk"]}, thanos=["outrider", "thanos"], thanos_deck=[])
    play(match, "play falcon", "power 1")
    assert match.to_act == 0
    assert moves(match) == ["play outrider", "snap"]  # all else lies faceup here
    play(match, "play outrider", "target 1", "guess 6", "end turn")
    assert hand(match, 0) == ["thanos"]


def test_all_know_the_hand_of_thanos_once_his_deck_is_empty():
    match = position(thanos=["ebony-maw", "outrider", "thanos"], thanos_deck=["corvus-glaive", "mind-stone"])
    play(match, "play ebony-maw", "bottom thanos")
    assert seen(match, 1, 0)["cards"] == []
    match = position(turn=2, heroes={2: ["falcon", "hulk"]}, thanos=["outrider", "thanos"], thanos_deck=["mind-stone"])
    play(match, "play falcon", "power 1")
    assert seen(match, 1, 0)["cards"] == seen(match, None, 0)["cards"] == ["outrider", "mind-stone", "thanos"]


# -- the end


def test_heroes_win_the_moment_thanos_has_no_life_left():
    match = position(turn=1, heroes={1: ["nebula", "hulk"]}, thanos=["outrider", "thanos"], thanos_life=1)
    play(match, "play nebula", "guess 7")
    assert match.to_act is None
    assert match.outcome == engine.Outcome((2, 1, 1), (1, 2), (0, 6, 6), "thanos-out")
    assert [match.state.reward(seat) for seat in range(3)] == [0, 1, 1]


def test_thanos_wins_the_moment_the_heroes_have_no_life_left():
    match = position(thanos=["outrider", "thanos", "mind-stone"], heroes={1: ["gamora"]}, heroes_life=1)
    play(match, "play outrider", "target 1", "guess 2")
    assert match.outcome == engine.Outcome((1, 2, 2), (0,), (5, 0, 0), "heroes-out")
    assert [match.state.reward(seat) for seat in range(3)] == [1, 0, 0]


def test_the_rulebooks_example_four_stones_faceup_and_two_in_hand_snap():
    match = position(thanos=["mind-stone", "time-stone", "thanos"], thanos_faceup=SIX[1:5])
    assert moves(match) == ["play mind-stone", "play time-stone", "snap"]
    play(match, "snap")
    assert match.outcome.reason == "snap"
    assert match.outcome.winners == (0,)
    assert seen(match, None, 0)["cards"] == ["mind-stone", "time-stone", "thanos"]


def test_no_snap_with_a_stone_missing():
    match = position(thanos=["mind-stone", "outrider", "thanos"], thanos_faceup=SIX[1:5])
    assert "snap" not in moves(match)


def test_snap_is_a_choice_and_stays_open_through_the_turn():
    match = position(thanos=["outrider", "mind-stone", "time-stone"], thanos_faceup=SIX[1:5])
    play(match, "play outrider")
    assert moves(match)[-1] == "snap"
    play(match, "target 1")
    assert moves(match)[-1] == "snap"
    play(match, "guess 6")
    assert moves(match) == ["end turn", "snap"]
    play(match, "end turn")
    assert match.to_act == 1


def test_no_snap_outside_thanoss_own_turn():
    match = position(turn=1, heroes={1: ["nebula", "hulk"]}, thanos=["mind-stone", "soul-stone"], thanos_faceup=SIX[2:])
    play(match, "play nebula", "guess 1")
    assert moves(match) == ["lose mind-stone"]


@pytest.mark.parametrize("stone", ["mind-stone", "outrider"])
def test_the_last_question_of_a_turn_does_not_tell_whether_thanos_can_snap(stone):
    match = position(thanos=["proxima-midnight", stone, "time-stone"], thanos_faceup=SIX[1:5])
    play(match, "play proxima-midnight")
    assert (match.to_act, table(match)["phase"]) == (0, "end")
    assert moves(match) == (["end turn", "snap"] if stone == "mind-stone" else ["end turn"])
    match = position(thanos=["proxima-midnight", stone, "time-stone"], thanos_faceup=SIX[1:4])
    play(match, "play proxima-midnight")
    assert match.to_act == 1


# -- two players


def test_with_two_players_the_hero_takes_two_turns_with_one_hand():
    match = position(players=2, turn=1, heroes={1: ["falcon", "doctor-strange"]}, thanos=["thanos", "outrider"])
    play(match, "play falcon")
    assert match.to_act == 1
    assert table(match)["turns_left"] == 1
    assert len(hand(match, 1)) == 2
    play(match, "play doctor-strange")
    assert match.to_act == 0
    assert seen(match, None, 1)["power"] == 2

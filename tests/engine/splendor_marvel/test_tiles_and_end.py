"""Locations, Time Stone, Avengers Assemble tile, the Infinity Gauntlet and its tie-breaks, in rulebook order."""

import pytest

import engine
from engine.splendor_marvel.cards import BONUSES, CARD_IDS, CARD_POINTS, CARD_TAGS, COLOURS
from engine.splendor_marvel.components import FULL_DECKS
from tests.engine.splendor_marvel.positions import Position, ident, number

YELLOW = ("Baron Zemo", "Rocket", "Grandmaster", "M.O.D.O.K.")
BLUE = ("Moon Knight", "Spider-Man 2099", "Elektra", "Lockjaw")
RED = ("Electro", "Mysterio", "Crystal", "Triton")
PURPLE = ("Kraven", "Lizard", "Gorgon", "Rhino")
# Three ways to sixteen points with every colour, a Time Stone and no tag.
SIXTEEN = ("Gamora", "Green Goblin", "Drax", "Venom", "Kingpin")
SIXTEEN_TOO = ("Luke Cage", "Loki", "Iron Fist", "Punisher", "Baron Zemo")
SIXTEEN_WITH_SIX = ("Spider-Man", "Doctor Octopus", "Hela", "Miles Morales", "Ronan", "Electro")
# Thirteen points and three tags: sixteen with the tile.
WITH_TILE = ("Gamora", "Green Goblin", "Red Skull", "Wasp", "Quake", "Kate Bishop", "Lizard")


def turn(at):
    """A turn that changes nothing that counts."""
    before = at.match.to_act
    while at.match.to_act == before:
        at.play(next(move for move in at.legal if move.startswith(("take", "return"))))
    return at


# -- locations


def test_peter_takes_the_matching_location():
    """3 yellow, 3 blue and 3 red bonuses: the location is his, with 3 points."""
    at = Position(sites=["Knowhere", "Asgard"]).recruits(0, *YELLOW[:3], *BLUE[:3], *RED[:2]).market("Crystal")
    at.tokens(0, purple=2, orange=2).play(f"recruit {ident('Crystal')}")
    assert at.seat(0)["locations"] == ["1a"]
    assert at.seat(0)["points"] == 3
    assert at.table["locations"] == ["3a"]
    assert at.match.to_act == 1, "taking it is not an action and is not asked"


def test_tokens_do_not_count_for_a_location():
    at = Position(sites=["Knowhere", "Asgard"]).recruits(0, *YELLOW[:3], *BLUE[:3], *RED[:2]).tokens(0, red=2)
    assert turn(at).seat(0)["locations"] == []


def test_a_location_is_taken_at_the_end_of_any_turn():
    at = Position(sites=["Knowhere", "Asgard"]).recruits(0, *YELLOW[:3], *BLUE[:3], *RED[:3])
    assert turn(at).seat(0)["locations"] == ["1a"]


def test_one_location_a_turn_of_the_player_s_choice():
    at = Position(sites=["Avengers Tower, NYC", "Wakanda"]).recruits(0, *YELLOW, *BLUE, *RED)
    at.play("take red", "take blue", "take yellow")
    assert at.match.to_act == 0
    assert at.table["question"] == {"ask": "location"}
    assert at.legal == ["location 2a", "location 3b"]
    at.play("location 3b")
    assert at.seat(0)["locations"] == ["3b"]
    assert at.match.to_act == 1
    turn(at)
    assert turn(at).seat(0)["locations"] == ["2a", "3b"], "the other one at the end of the next turn"


def test_only_the_seat_whose_turn_ends_takes_a_location():
    at = Position(sites=["Knowhere", "Asgard"]).recruits(1, *YELLOW[:3], *BLUE[:3], *RED[:3])
    assert turn(at).seat(1)["locations"] == []
    assert turn(at).seat(1)["locations"] == ["1a"]


def test_tokens_are_returned_before_a_location_is_chosen():
    at = Position(sites=["Avengers Tower, NYC", "Wakanda"]).recruits(0, *YELLOW, *BLUE, *RED)
    at.tokens(0, purple=3, orange=4, grey=1).play("take red", "take blue", "take yellow", "return orange")
    assert at.legal == ["location 2a", "location 3b"]


# -- the Time Stone


def test_the_first_level_three_card_brings_a_green_token():
    at = Position(4).market("Doctor Octopus").tokens(0, blue=7).play(f"recruit {ident('Doctor Octopus')}")
    assert at.seat(0)["tokens"]["green"] == 1
    assert at.table["supply"]["green"] == 3
    assert at.events("time-stone") == [{"ply": 1, "event": "time-stone", "seat": 0}]


def test_the_second_level_three_card_brings_none():
    at = Position(4).recruits(0, "Gamora").market("Doctor Octopus").tokens(0, blue=7)
    at.play(f"recruit {ident('Doctor Octopus')}")
    assert at.seat(0)["tokens"]["green"] == 1
    assert at.events("time-stone") == []


def test_lower_levels_bring_none():
    at = Position(4).market("Venom").tokens(0, blue=5).play(f"recruit {ident('Venom')}")
    assert at.seat(0)["tokens"]["green"] == 0


# -- the Avengers Assemble tile


def test_the_first_with_three_tags_takes_the_tile():
    at = Position().recruits(0, "Wasp").market("Quake").tokens(0, blue=1, purple=1, orange=3)
    at.play(f"recruit {ident('Quake')}")
    assert at.table["avengers"] is None
    at = Position().recruits(0, "Wasp", "Valkyrie").market("Quake").tokens(0, blue=1, purple=1, orange=3)
    at.play(f"recruit {ident('Quake')}")
    assert at.table["avengers"] == 0
    assert at.seat(0)["points"] == 3


def test_hannah_keeps_the_tile_in_a_draw_and_peter_takes_it_with_more():
    at = Position(3).recruits(0, "Hawkeye", "Kate Bishop", "Quake", "Ms. Marvel").tile(0)
    at.recruits(1, "Valkyrie", "Spider-Woman", "Squirrel Girl").recruits(2, "Winter Soldier", "Shuri", "Falcon")
    at.market("Wasp", "Captain America").tokens(1, yellow=1, orange=2, blue=1)
    at.recruits(2, "Baron Zemo").tokens(2, yellow=3, blue=3, purple=2, orange=2)
    at.to_act(1).play(f"recruit {ident('Wasp')}")
    assert (at.seat(1)["tags"], at.table["avengers"]) == (4, 0)
    points = at.seat(2)["points"]
    at.play(f"recruit {ident('Captain America')}")
    assert (at.seat(2)["tags"], at.table["avengers"]) == (5, 2)
    assert at.seat(2)["points"] == points + 3 + 3
    assert at.seat(0)["points"] == 0, "the points went with the tile"
    assert at.events("won-tile")[0] == {"ply": 2, "event": "won-tile", "seat": 2, "loser": 0}


def test_more_tags_for_the_owner_change_nothing():
    at = Position().recruits(0, "Wasp", "Valkyrie", "Hawkeye").tile(0).market("Quake")
    at.tokens(0, blue=1, purple=1, orange=3).play(f"recruit {ident('Quake')}")
    assert (at.table["avengers"], at.seat(0)["points"]) == (0, 3)


# -- the Infinity Gauntlet


def ends(at):
    """Play both seats' harmless turns; whether the game is over then."""
    while at.match.to_act is not None and at.state.rounds == 0:
        turn(at)
    return at.match.outcome is not None


def test_sixteen_points_every_colour_and_the_time_stone_assemble_the_gauntlet():
    at = Position().recruits(0, *SIXTEEN)
    assert (at.seat(0)["points"], at.seat(0)["assembled"]) == (16, True)
    assert ends(at)
    assert at.match.outcome == engine.Outcome((1, 2), (0,), (16, 0), "gauntlet")


@pytest.mark.parametrize(
    "cards",
    [
        ("Gamora", "Green Goblin", "Drax", "Electro", "Kingpin"),  # fourteen points
        ("Gamora", "Green Goblin", "Luke Cage", "Venom"),  # no orange
        ("Red Skull", "Nebula", "Jessica Jones", "Hela", "Daredevil", "Vulture"),  # no Time Stone
    ],
)
def test_each_condition_is_needed(cards):
    at = Position().recruits(0, *cards)
    assert not at.seat(0)["assembled"]
    assert not ends(at)


def test_neither_tile_nor_location_is_needed():
    at = Position().recruits(0, *SIXTEEN)
    assert ends(at)
    assert at.table["avengers"] is None
    assert at.seat(0)["locations"] == []


def test_the_round_is_completed():
    at = Position(3).recruits(0, *SIXTEEN)
    assert turn(at).match.to_act == 1
    assert at.events("assembled") == [{"ply": at.match.ply, "event": "assembled", "seat": 0}]
    assert turn(at).match.to_act == 2
    assert turn(at).match.to_act is None


def test_the_last_player_of_the_round_wins_at_once():
    at = Position(3).recruits(2, *SIXTEEN).to_act(2)
    assert turn(at).match.outcome.winners == (2,)


def test_a_player_who_meets_the_conditions_in_the_last_turn_competes():
    at = Position().recruits(0, *SIXTEEN).recruits(1, *SIXTEEN_TOO[:4]).market("Vulture").tokens(1, red=4)
    turn(at).play(f"recruit {ident('Vulture')}")
    assert at.match.outcome.winners == (1,), "seventeen points against sixteen"


def test_most_points_among_those_who_meet_the_conditions():
    at = Position().recruits(0, *SIXTEEN).recruits(1, *SIXTEEN_TOO, "Vulture")
    assert ends(at)
    assert at.match.outcome == engine.Outcome((2, 1), (1,), (16, 17), "gauntlet")
    assert [at.state.reward(seat) for seat in (0, 1)] == [0.0, 1.0]


def test_points_of_those_who_do_not_are_not_compared():
    at = Position().recruits(0, *SIXTEEN).recruits(1, "Luke Cage", "Loki", "Spider-Man", "Hela")
    assert at.seat(1)["points"] == 18
    assert ends(at)
    assert at.match.outcome.ranks == (1, 2)


def test_then_the_owner_of_the_tile():
    at = Position().recruits(0, *WITH_TILE).tile(0).recruits(1, *SIXTEEN_TOO)
    assert [at.seat(seat)["points"] for seat in (0, 1)] == [16, 16]
    assert ends(at)
    assert at.match.outcome.ranks == (1, 2), "although it took seven cards against five"


def test_then_the_fewest_cards():
    at = Position().recruits(0, *SIXTEEN_WITH_SIX).recruits(1, *SIXTEEN_TOO)
    assert [at.seat(seat)["points"] for seat in (0, 1)] == [16, 16]
    assert ends(at)
    assert at.match.outcome.ranks == (2, 1)


def test_then_the_victory_is_shared():
    at = Position(3).recruits(0, *SIXTEEN).recruits(1, *SIXTEEN_TOO)
    assert ends(at)
    assert at.match.outcome == engine.Outcome((1, 1, 3), (0, 1), (16, 16, 0), "gauntlet")
    assert [at.state.reward(seat) for seat in range(3)] == [0.5, 0.5, 0.0]


def test_those_who_did_not_assemble_it_are_ranked_alike_after_the_others():
    at = Position(4).recruits(0, *SIXTEEN).recruits(1, "Vulture").recruits(2, "Taskmaster").recruits(3, "Red Skull")
    assert ends(at)
    assert at.match.outcome.ranks == (1, 3, 3, 2)


def test_a_trigger_lapses_with_the_tile():
    at = Position().recruits(0, *WITH_TILE).tile(0).recruits(1, "Valkyrie", "Hawkeye", "America Chavez")
    at.market("Spider-Woman").tokens(1, yellow=1, blue=1, red=3)
    turn(at)
    assert at.events("assembled")[0]["seat"] == 0
    at.play(f"recruit {ident('Spider-Woman')}")
    assert at.events("lapsed")[0]["seat"] == 0
    assert at.match.outcome is None
    assert (at.match.to_act, at.table["round"]) == (0, 2)


def test_after_a_lapse_another_player_may_still_end_it_in_the_same_round():
    at = Position().recruits(0, *WITH_TILE).tile(0).market("Spider-Woman").tokens(1, yellow=1, blue=1, red=3)
    at.recruits(1, "Valkyrie", "Hawkeye", "America Chavez", "Luke Cage", "Loki", "Hela")
    turn(at).play(f"recruit {ident('Spider-Woman')}")
    assert at.match.outcome == engine.Outcome((2, 1), (1,), (13, 16), "gauntlet")


def test_reserved_cards_at_the_end_cost_nothing():
    at = Position().recruits(0, *SIXTEEN).reserves(0, "Nova", "Thor", "Hulk")
    assert ends(at)
    assert at.match.outcome.scores == (16, 0)


def test_with_every_card_recruited_and_nobody_there_the_game_ends_by_points():
    """Seat 1 has every orange card, seat 0 all others: neither will ever have all colours."""
    at = Position(sites=["Avengers Tower, NYC", "Hell's Kitchen, NYC"])
    orange, last = COLOURS.index("orange"), number("Yondu")
    for card in range(90):
        team = at.state.teams[1 if BONUSES[card] >> 6 * orange else 0]
        if card != last:
            team.enlist(card)
            team.bonuses += BONUSES[card]
            team.points += CARD_POINTS[card]
            team.tags += CARD_TAGS[card]
            team.green = max(team.green, int(card >= 70))
    at.state.green, at.state.drawn = 0, FULL_DECKS
    for place in range(12):
        at.state.market[place] = -1
    at.state.market[1] = last
    at.sort_offer()
    at.tile(0).to_act(1).tokens(1, purple=4).play(f"recruit {CARD_IDS[last]}")
    assert at.match.outcome is None, "seat 0 has earned a location and takes it in its next turn"
    turn(at)
    assert at.seat(0)["locations"] == ["2a"]
    turn(at)
    assert at.match.outcome.reason == "stalemate"
    assert at.match.outcome.ranks == (1, 2), "seat 0 has far more points"


# -- options


def test_the_points_to_reach_are_an_option():
    at = Position(points=10).recruits(0, "Gamora", "Green Goblin", "Kraven", "Electro", "Kingpin")
    assert at.table["goal"] == 10
    assert ends(at)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"points": 9}, "points: must be at least 10, not 9"),
        ({"points": 31}, "points: must be at most 30, not 31"),
        ({"points": "16"}, "points: must be int, not str"),
        ({"stall_rounds": 4}, "stall_rounds: must be at least 5, not 4"),
        ({"stall_rounds": 101}, "stall_rounds: must be at most 100, not 101"),
        ({"goal": 16}, "goal: unknown option; this game has points"),
    ],
)
def test_bad_options_are_refused(options, reason):
    with pytest.raises(engine.OptionError, match=reason):
        engine.game("splendor-marvel").start(2, "any", options)


@pytest.mark.parametrize("players", [1, 5, "2", True])
def test_two_to_four_play(players):
    with pytest.raises(engine.OptionError, match="players: Splendor: Marvel is for 2 to 4"):
        engine.game("splendor-marvel").start(players, "any")

"""Set-up, the four actions and the token limit, in the order of the rulebook."""

import pytest

import engine
from engine.splendor_marvel.cards import COLOURS
from tests.engine.splendor_marvel.positions import Position, counts, ident

GAME = engine.game("splendor-marvel")


# -- set-up


@pytest.mark.parametrize(("players", "each"), [(2, 4), (3, 5), (4, 7)])
def test_tokens_and_locations_by_number_of_players(players, each):
    table = GAME.start(players, "set-up").view(None)["table"]
    assert table["supply"] == dict.fromkeys(COLOURS, each) | {"green": players, "grey": 5}
    assert len(table["locations"]) == players
    assert len({site[0] for site in table["locations"]}) == players, "no tile shows both its sides"


def test_four_cards_of_each_level_are_dealt_from_their_deck():
    table = GAME.start(4, "set-up").view(None)["table"]
    assert table["decks"] == [36, 26, 16]
    for level, row in enumerate(table["market"], 1):
        assert len(set(row)) == 4
        assert all(card.startswith(f"{level}-") for card in row)


def test_locations_and_their_sides_are_random():
    seen = {site for number in range(60) for site in GAME.start(2, f"{number}").view(None)["table"]["locations"]}
    assert seen == {"1a", "1b", "2a", "2b", "3a", "3b", "4a", "4b"}


def test_each_deck_has_luck_of_its_own():
    """The same seed deals the same cards whatever was decided before: duplicate play rests on it."""
    one, other = (GAME.start(2, "duplicate") for _ in range(2))
    one.play("reserve deck 1")
    top, market = one.view(0)["table"]["teams"][0]["reserved"][0]["card"], one.view(0)["table"]["market"]
    other.play(f"reserve {market[2][0]}")
    other.play("reserve deck 1")
    assert other.view(1)["table"]["teams"][1]["reserved"][0]["card"] == top


def test_nobody_starts_with_anything_and_the_first_seat_begins():
    match = GAME.start(3, "set-up")
    assert match.to_act == 0
    for team in match.view(None)["table"]["teams"]:
        assert team["tokens"] == counts(green=0, grey=0)
        assert (team["points"], team["tags"], team["cards"], team["reserved"]) == (0, 0, [], [])


# -- take three tokens of different colours


def test_three_different_tokens():
    at = Position().play("take blue", "take red", "take yellow")
    assert at.seat(0)["tokens"] == counts(blue=1, red=1, yellow=1, green=0, grey=0)
    assert at.table["supply"] == counts(blue=3, red=3, yellow=3, purple=4, orange=4, green=2, grey=5)
    assert at.match.to_act == 1


def test_no_grey_or_green_token_is_taken():
    assert Position().may("take") == COLOURS


def test_with_three_colours_left_three_must_be_taken():
    at = Position().tokens(1, yellow=4, blue=4).play("take red")
    assert at.legal == ["take purple", "take red", "take orange"]
    at.play("take purple")
    assert at.seat(0)["tokens"] == counts(red=1, purple=1, orange=1, green=0, grey=0), "the third is taken unasked"


def test_a_third_token_alike_is_not_offered():
    at = Position().play("take blue", "take red")
    assert at.legal == ["take yellow", "take purple", "take orange"]


def test_with_two_colours_left_two_or_one_may_be_taken():
    at = Position().tokens(1, yellow=4, blue=4).tokens(0, orange=4, purple=1, red=1)
    assert at.may("take") == ["purple", "red"]
    at.play("take purple")
    assert at.legal == ["take red", "stop"]
    at.play("stop")
    assert at.match.to_act == 1
    assert at.seat(0)["tokens"] == counts(orange=4, purple=2, red=1, green=0, grey=0)


def test_the_second_of_two_colours_ends_the_turn():
    at = Position().tokens(1, yellow=4, blue=4).tokens(0, orange=4, red=2).play("take purple", "take red")
    assert at.match.to_act == 1


def test_with_one_colour_left_one_is_taken():
    at = Position().tokens(1, yellow=4, blue=4, red=2).tokens(0, orange=4, red=2, purple=2)
    assert at.may("take") == ["purple"]
    assert at.play("take purple").match.to_act == 1


def test_with_one_full_colour_left_the_twin_is_a_choice():
    at = Position().tokens(1, yellow=4, blue=4).tokens(0, orange=4, red=4).play("take purple")
    assert at.legal == ["take purple", "stop"]


# -- take two tokens of the same colour


def test_two_alike_need_four_before_taking():
    at = Position().tokens(1, blue=1)
    assert "take blue" not in at.play("take blue").legal
    at = Position().play("take blue")
    assert "take blue" in at.legal
    at.play("take blue")
    assert at.seat(0)["tokens"] == counts(blue=2, green=0, grey=0)
    assert at.match.to_act == 1


# -- token limit


def test_more_than_ten_tokens_during_a_turn_are_returned_at_its_end():
    at = Position().tokens(0, yellow=3, blue=3, purple=3).play("take red", "take orange", "take yellow")
    assert at.match.to_act == 0
    assert at.legal == ["return yellow", "return blue", "return purple", "return red", "return orange"]
    at.play("return red")
    assert at.match.to_act == 0, "one at a time"
    at.play("return blue")
    assert sum(at.seat(0)["tokens"].values()) == 10
    assert at.match.to_act == 1


def test_ten_tokens_are_kept():
    at = Position().tokens(0, yellow=3, blue=3, purple=1).play("take red", "take orange", "take yellow")
    assert at.match.to_act == 1
    assert sum(at.seat(0)["tokens"].values()) == 10


def test_grey_counts_and_can_be_returned():
    at = Position().tokens(0, yellow=4, blue=4, grey=2).play("reserve deck 1")
    assert at.legal == ["return yellow", "return blue", "return grey"]
    at.play("return grey")
    assert at.table["supply"]["grey"] == 3


def test_green_counts_and_cannot_be_returned():
    at = Position().recruits(0, "Gamora").tokens(0, yellow=4, blue=4, grey=1).play("reserve deck 1")
    assert at.legal == ["return yellow", "return blue", "return grey"]
    at.play("return yellow")
    assert at.seat(0)["tokens"] == counts(yellow=3, blue=4, grey=2, green=1)


def test_a_time_stone_gained_with_a_free_recruit_can_be_one_too_many():
    blues = ["Moon Knight", "Spider-Man 2099", "Elektra", "Lockjaw", "Bullseye", "Valkyrie", "Wasp"]
    at = Position(sites=["Attilan", "Triskelion"]).recruits(0, *blues).market("Doctor Octopus")
    at.tokens(0, yellow=4, purple=4, red=2).play(f"recruit {ident('Doctor Octopus')}")
    assert at.legal == ["return yellow", "return purple", "return red"]


# -- reserve


def test_reserve_face_up_takes_the_card_and_a_grey_token():
    at = Position().market("Rocket")
    at.play(f"reserve {ident('Rocket')}")
    for viewer in (0, 1, None):
        assert at.seat(0, viewer)["reserved"] == [{"level": 1, "card": ident("Rocket"), "hidden": False}]
    assert at.seat(0)["tokens"]["grey"] == 1
    assert at.table["supply"]["grey"] == 4
    assert at.match.to_act == 1


def test_reserve_from_a_deck_shows_the_card_to_its_owner_alone():
    at = Position().play("reserve deck 3")
    card = at.seat(0, 0)["reserved"][0]["card"]
    assert card.startswith("3-")
    for viewer in (1, None):
        assert at.seat(0, viewer)["reserved"] == [{"level": 3, "card": None, "hidden": True}]
        assert at.events("drew", viewer) == []
        assert at.events("reserved-unseen", viewer) == [{"ply": 1, "event": "reserved-unseen", "seat": 0, "level": 3}]
    assert at.events("drew", 0) == [{"ply": 1, "event": "drew", "seat": 0, "card": card}]
    assert at.table["decks"] == [36, 26, 15]


def test_no_fourth_card_is_reserved():
    at = Position().reserves(0, "Rocket", "Gamora", "Venom")
    assert at.may("reserve") == []


def test_reserved_cards_leave_the_hand_only_by_recruiting():
    at = Position().reserves(0, "Rocket").tokens(0, yellow=1, red=2)
    assert not any("discard" in move for move in at.legal)
    at.play(f"recruit {ident('Rocket')}")
    assert at.seat(0)["reserved"] == []
    assert at.seat(0)["cards"] == [ident("Rocket")]


def test_reserving_without_grey_tokens_left():
    at = Position().tokens(1, grey=5).play("reserve deck 1")
    assert len(at.seat(0)["reserved"]) == 1
    assert at.seat(0)["tokens"]["grey"] == 0
    assert at.events("got-grey") == []


def test_an_empty_deck_cannot_be_reserved_from():
    at = Position().empty_decks(3, to=1)
    assert at.may("reserve deck") == ["1", "2"]


def test_a_reserved_card_is_replaced_at_once():
    at = Position().tokens(0, yellow=4, blue=4, purple=2).market("Rocket")
    at.play(f"reserve {ident('Rocket')}")
    assert at.match.to_act == 0, "a token is still to be returned"
    assert at.table["decks"] == [35, 26, 16]
    assert at.table["market"][0][0] == at.events("revealed")[0]["card"] != ident("Rocket")


# -- recruit


def test_hannah_recruits_rocket():
    """With a yellow and a red bonus and one red token, a cost of 1 yellow and 2 red is one red token."""
    at = Position().recruits(0, "Baron Zemo", "Electro").tokens(0, red=1).market("Rocket")
    at.play(f"recruit {ident('Rocket')}")
    assert at.seat(0)["tokens"] == counts(green=0, grey=0)
    assert at.table["supply"]["red"] == 4, "the red token is spent"
    assert ident("Rocket") in at.seat(0)["cards"]


def test_paul_recruits_a_card_for_its_full_cost():
    """2 yellow, 4 blue and 1 purple token bring 2 points and 1 red bonus."""
    at = Position().tokens(0, yellow=2, blue=4, purple=1).market("Ghost Rider")
    at.play(f"recruit {ident('Ghost Rider')}")
    assert at.seat(0)["tokens"] == counts(green=0, grey=0)
    assert at.seat(0)["points"] == 2
    assert at.seat(0)["bonuses"] == counts(red=1)
    assert at.events("paid")[0]["price"] == counts(yellow=2, blue=4, purple=1)


def test_a_card_that_cannot_be_paid_for_is_not_offered():
    at = Position().tokens(0, yellow=1, red=1).market("Rocket")
    assert at.may("recruit") == []
    with pytest.raises(engine.IllegalAction, match="not legal now"):
        at.play(f"recruit {ident('Rocket')}")


def test_bonuses_alone_can_pay():
    at = Position().recruits(0, "Baron Zemo", "Electro", "Mysterio").tokens(0, red=2).market("Rocket")
    at.play(f"recruit {ident('Rocket')}")
    assert at.seat(0)["tokens"]["red"] == 2
    assert at.events("paid") == []


def test_a_bonus_beyond_the_cost_pays_for_no_other_colour():
    at = Position().recruits(0, "Electro", "Mysterio", "Crystal").market("Rocket")
    assert at.may("recruit") == []


def test_a_green_token_never_pays():
    at = Position().recruits(0, "Gamora").tokens(0, yellow=2).market("Moon Knight")
    assert ident("Moon Knight") not in at.may("recruit")


def test_a_reserved_card_is_recruited_from_the_hand_and_the_market_stays():
    at = Position().reserves(0, "Rocket").tokens(0, yellow=1, red=2)
    market = at.table["market"]
    assert at.play(f"recruit {ident('Rocket')}").table["market"] == market


def test_the_cards_of_others_are_not_recruited():
    at = Position().reserves(1, "Rocket").tokens(0, yellow=1, red=2)
    assert ident("Rocket") not in at.may("recruit")


def test_the_place_of_a_recruited_card_is_filled_from_its_deck():
    at = Position().tokens(0, red=3).market("Rocket", "Baron Zemo", "Vulture")
    at.play(f"recruit {ident('Baron Zemo')}")
    row = at.table["market"][0]
    assert (row[0], row[2]) == (ident("Rocket"), ident("Vulture")), "the others stay where they are"
    assert row[1] == at.events("revealed")[0]["card"]


def test_a_place_stays_empty_when_its_deck_is_depleted():
    at = Position().empty_decks(1, to=1).tile(1)
    card = at.table["market"][0][2]
    at.play(f"reserve {card}")
    assert at.table["market"][0][2] is None
    assert len([card for card in at.table["market"][0] if card]) == 3
    assert at.events("revealed") == []

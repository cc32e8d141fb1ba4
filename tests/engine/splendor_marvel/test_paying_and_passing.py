"""Grey tokens, taking answers back, and what happens when nothing can be done."""

import engine
from tests.engine.splendor_marvel.positions import Position, counts, ident

# -- grey tokens


def test_grey_replaces_any_colour():
    at = Position().tokens(0, yellow=1, grey=2).market("Rocket")
    at.play(f"recruit {ident('Rocket')}")
    assert at.seat(0)["tokens"] == counts(green=0, grey=0)
    assert at.table["supply"]["grey"] == 5
    assert at.told("paid")[0]["grey"] == 2


def test_nothing_is_asked_without_a_grey_token_to_spare():
    at = Position().tokens(0, yellow=1, red=1, grey=1).market("Rocket").play(f"recruit {ident('Rocket')}")
    assert at.match.to_act == 1


def test_nothing_is_asked_when_bonuses_pay_for_all_colours_held():
    at = Position().recruits(0, "Baron Zemo", "Electro", "Mysterio").tokens(0, red=2, grey=2).market("Rocket")
    assert at.play(f"recruit {ident('Rocket')}").match.to_act == 1
    assert at.seat(0)["tokens"]["grey"] == 2


def test_a_spare_grey_token_may_stand_in_for_a_coloured_one():
    at = Position().tokens(0, yellow=1, red=2, grey=2).market("Rocket").play(f"recruit {ident('Rocket')}")
    assert at.legal == ["grey for yellow", "grey for red", "pay"]
    assert at.table["question"] == {
        "ask": "pay",
        "card": ident("Rocket"),
        "price": counts(yellow=1, red=2, grey=0),
    }
    at.play("grey for red")
    assert at.legal == ["grey for yellow", "grey for red", "pay"]
    at.play("grey for red")
    assert at.match.to_act == 1
    assert at.seat(0)["tokens"] == counts(red=2, green=0, grey=0)


def test_coloured_tokens_are_spent_first_by_default():
    at = Position().tokens(0, yellow=1, red=2, grey=2).market("Rocket").play(f"recruit {ident('Rocket')}", "pay")
    assert at.seat(0)["tokens"] == counts(green=0, grey=2)


# -- taking answers back


def test_tokens_can_be_put_back_until_the_turn_ends():
    at = Position().play("take blue", "take red")
    at.match.undo(0)
    assert at.match.view(0)["table"]["question"]["taken"] == counts(blue=1)
    at = Position().play("take blue", "take blue")
    assert at.match.to_act == 1
    assert not at.match.can_undo(0)
    at.play("take red")
    assert not at.match.can_undo(0)
    assert at.match.can_undo(1)


def test_a_reveal_cannot_be_taken_back():
    at = Position().market("Rocket").play(f"reserve {ident('Rocket')}")
    assert not at.match.can_undo(0)
    assert not Position().play("reserve deck 2").match.can_undo(0)


def test_showing_a_hidden_card_cannot_be_taken_back():
    at = Position().reserves(0, "Rocket", hidden=True).tokens(0, yellow=1, red=2, grey=1)
    at.play(f"recruit {ident('Rocket')}")
    assert at.seat(0, 1)["reserved"] == [{"level": 1, "card": ident("Rocket"), "hidden": False}]
    assert not at.match.can_undo(0)
    at.play("grey for red")
    assert at.seat(0)["cards"] == [ident("Rocket")]


# -- passing


def stuck(**hidden):
    """Neither seat sees anything it could do: no coloured tokens in the supply, full hands, nothing affordable."""
    at = Position(sites=["Knowhere", "Asgard"])
    at.tokens(0, yellow=4, blue=4, purple=2).tokens(1, purple=2, red=4, orange=4)
    at.reserves(0, "Baron Zemo", "Mysterio").reserves(0, hidden.get("card", "Vulture"), hidden="card" in hidden)
    at.reserves(1, "Moon Knight", "Kraven", "Taskmaster")
    return at.market(
        "Prowler", "Bullseye", "Lockjaw", "Rhino", "Maria Hill", "Maximus", "Karnak", "Star-Lord",
        "Iron Man", "Vision", "Black Widow", "Hulk",
    )  # fmt: skip


def test_a_player_who_can_do_nothing_passes():
    at = stuck()
    assert at.legal == ["pass"]
    assert at.play("pass").match.to_act == 1


def test_nobody_passes_who_can_act():
    for seat in (0, 1):
        assert "pass" not in Position().to_act(seat).legal


def test_a_hidden_card_does_not_forbid_to_pass_so_that_a_pass_tells_nothing():
    at = stuck(card="Elektra")
    assert at.legal == [f"recruit {ident('Elektra')}", "pass"]


def test_a_seen_card_that_can_be_recruited_forbids_to_pass():
    at = stuck()
    at.state.teams[0].release(7)
    at.reserves(0, "Elektra")
    assert at.legal == [f"recruit {ident('Elektra')}"]


def test_when_all_pass_in_one_round_the_game_ends_shared():
    at = stuck().play("pass", "pass")
    assert at.match.outcome == engine.Outcome((1, 1), (0, 1), (0, 0), "stalemate")
    assert [at.state.reward(seat) for seat in (0, 1)] == [0.5, 0.5]
    assert at.table["question"] is None


def test_one_pass_does_not_end_the_game():
    at = stuck(card="Elektra").to_act(1).play("pass")
    assert at.match.outcome is None
    assert at.match.to_act == 0

"""Grey tokens, taking answers back, and what happens when nothing can be done."""

import pytest

import engine
from engine.bots.splendor_marvel.policies import Eager, ValuePlay
from engine.bots.tree_search import Policy
from engine.playout import buffer
from engine.rng import stream
from engine.splendor_marvel.cards import CARD_IDS, COLOURS, FACTS
from engine.splendor_marvel.legal_moves import CHOOSE, PASS
from engine.splendor_marvel.player_board import HIDDEN
from tests.engine.splendor_marvel.positions import Position, counts, ident, number

# -- grey tokens


def test_grey_replaces_any_colour():
    at = Position().tokens(0, yellow=1, grey=2).market("Rocket")
    at.play(f"recruit {ident('Rocket')}")
    assert at.seat(0)["tokens"] == counts(green=0, grey=0)
    assert at.table["supply"]["grey"] == 5
    assert at.events("paid")[0]["grey"] == 2


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


def test_whoever_can_pay_for_a_hidden_card_must_recruit_it_when_nothing_else_can_be_done():
    """The owner knows the card, and recruiting it is an action: there is nothing to pass."""
    at = stuck(card="Elektra")
    assert at.legal == [f"recruit {ident('Elektra')}"]
    with pytest.raises(engine.IllegalAction):
        at.play("pass")


def test_a_seen_card_that_can_be_recruited_forbids_to_pass():
    at = stuck()
    at.state.teams[0].release(7)
    at.reserves(0, "Elektra")
    assert at.legal == [f"recruit {ident('Elektra')}"]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_pass_is_the_only_answer_wherever_it_is_one(players):
    """Random play: `pass` is legal exactly where no token, card or deck is within reach."""
    passes = 0
    for deal in range(60):
        match = engine.game("splendor-marvel").start(players, f"pass {deal}")
        state, acts, rng = match.state, buffer(), stream(f"pass {deal}", "walk")
        while not state.over:
            actions = list(acts[: state.legal(acts)])
            if state.phase == CHOOSE:
                assert (actions == [PASS]) == (not within_reach(match.game.view(state, state.seat), state.seat))
            assert actions == [PASS] or PASS not in actions
            passes += actions == [PASS]
            state.apply(actions[rng.below(len(actions))])
    assert passes or players == 2, "random play of three and four gets stuck now and then"


def within_reach(table, seat):
    """What a reader of the rulebook sees in the player's own view: whether any of the four actions can be done."""
    me = table["teams"][seat]
    if any(table["supply"][colour] for colour in COLOURS):
        return True
    if len(me["reserved"]) < 3 and (any(table["decks"]) or any(card for row in table["market"] for card in row)):
        return True
    cards = [card for row in table["market"] for card in row if card] + [held["card"] for held in me["reserved"]]
    for card in cards:
        cost = FACTS["cards"][CARD_IDS.index(card)]["cost"]
        short = sum(max(0, cost.get(c, 0) - me["tokens"][c] - me["bonuses"][c]) for c in COLOURS)
        if short <= me["tokens"]["grey"]:
            return True
    return False


def test_a_pass_tells_that_no_hidden_card_could_be_paid_for():
    """Whoever imagines the passer's hidden card draws none that the passer would have had to recruit."""
    at = stuck(card="Vulture")
    before = {at.match.imagine(1, str(seed)).state.teams[0].card_at(2) for seed in range(200)}
    able = {card for card in before if at.state.teams[0].affords(card)}
    assert able, "before the pass some of the cards that it may be could be paid for"
    at.play("pass")
    after = {at.match.imagine(1, str(seed)).state.teams[0].card_at(2) for seed in range(200)}
    assert after == before - able


def test_what_a_pass_told_holds_for_the_card_and_not_for_a_younger_one():
    """Three cards are hidden at the pass; the middle one goes, and another is reserved unseen in its stead."""
    at = stuck()
    me = at.state.teams[0]
    for name in ("Baron Zemo", "Mysterio", "Vulture"):
        me.release(number(name))
        me.keep(number(name) | HIDDEN)
    at.play("pass")
    assert [me.excludes(place, number("Elektra")) for place in range(3)] == [True, True, True]
    me.release(number("Mysterio"))
    me.keep(number("Elektra") | HIDDEN)
    assert [me.card_at(place) for place in range(3)] == [number(n) for n in ("Baron Zemo", "Vulture", "Elektra")]
    assert [me.excludes(place, number("Elektra")) for place in range(3)] == [True, True, False]
    assert not me.excludes(0, number("Vulture")), "what could not be paid for stays possible"


# -- matches that end without the Gauntlet


def test_when_all_pass_in_one_round_nothing_can_change_and_the_match_ends():
    at = stuck().play("pass", "pass")
    assert at.match.outcome == engine.Outcome((1, 1), (0, 1), (0, 0), "stalemate")
    assert [at.state.reward(seat) for seat in (0, 1)] == [0.5, 0.5]
    assert at.table["question"] is None


def test_a_stalemate_is_ranked_by_points():
    at = stuck()
    at.state.teams[0].points = 15
    at.state.teams[1].points = 2
    at.match.play("pass")
    at.match.play("pass")
    assert at.match.outcome == engine.Outcome((1, 2), (0,), (15, 2), "stalemate")
    assert [at.state.reward(seat) for seat in (0, 1)] == [1.0, 0.0]


@pytest.mark.parametrize(("owner", "cards", "ranks"), [(1, (0, 5), (2, 1)), (-1, (3, 2), (2, 1)), (-1, (3, 3), (1, 1))])
def test_then_by_the_tile_then_by_the_fewest_cards(owner, cards, ranks):
    at = stuck()
    at.state.owner = owner
    for team, count in zip(at.state.teams, cards, strict=True):
        team.points, team.cards = 7, count
    at.match.play("pass")
    at.match.play("pass")
    assert at.match.outcome.ranks == ranks


def stallers(**options):
    """Two players who hold all grey tokens, so that the supply of colours never runs out however long they stall."""
    return Position(2, **options).recruits(1, "Red Skull").tokens(0, grey=3).tokens(1, grey=2)


def idle(at, turns):
    """So many turns of taking tokens and giving them back."""
    for _ in range(turns):
        seat = at.match.to_act
        while at.match.to_act == seat:
            at.play(next(move for move in at.legal if move.startswith(("take", "return"))))


def test_rounds_without_a_recruit_end_the_match_by_points():
    at = stallers(stall_rounds=9)
    idle(at, 17)
    assert at.match.outcome is None
    assert (at.table["rounds_without_recruit"], at.table["stall_rounds"]) == (8, 9)
    idle(at, 1)
    assert at.match.outcome == engine.Outcome((2, 1), (1,), (0, at.state.teams[1].points), "no-recruits")
    assert at.events("no-recruits") == [{"ply": at.match.ply, "event": "no-recruits", "rounds": 9}]
    assert [at.state.reward(seat) for seat in range(2)] == [0.0, 1.0]


def test_a_recruit_starts_the_count_anew():
    at = stallers(stall_rounds=5)
    idle(at, 9)
    assert at.table["rounds_without_recruit"] == 4
    at.play(next(move for move in at.legal if move.startswith("recruit")))
    while at.table["question"]["ask"] == "pay":
        at.play("pay")
    assert at.match.outcome is None
    assert at.table["rounds_without_recruit"] == 0
    idle(at, 9)
    assert at.match.outcome is None
    idle(at, 1)
    assert at.match.outcome.reason == "no-recruits"


def test_the_gauntlet_comes_before_the_count():
    at = stallers(stall_rounds=5).recruits(0, "Gamora", "Green Goblin", "Drax", "Venom", "Kingpin")
    at.state.rounds = 4
    idle(at, 2)
    assert at.match.outcome.reason == "gauntlet"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_play_that_means_anything_never_gets_near_the_usual_limit(players):
    limit = next(option.default for option in engine.game("splendor-marvel").options if option.name == "stall_rounds")
    for policy, matches in ((Policy(), 40), (Eager(), 40), (ValuePlay(), 4)):
        for deal in range(matches):
            state, acts = engine.game("splendor-marvel").start(players, f"pace {deal}").state, buffer()
            rng = stream(f"pace {deal}", "policy")
            while not state.over:
                state.apply(policy.choose(state, rng, acts))
                assert state.rounds_without_recruit() < limit - 4


def test_one_pass_does_not_end_the_game():
    at = stuck(card="Elektra").to_act(1).play("pass")
    assert at.match.outcome is None
    assert at.match.to_act == 0

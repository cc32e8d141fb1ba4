"""The house bots of Splendor: Marvel: what they know, and what they do not miss."""

import pytest

from engine.bots import LEVELS, Budget, Situation, bot
from engine.splendor_marvel.cards import CARD_NAMES
from tests.engine.splendor_marvel.positions import Position, ident
from tests.engine.splendor_marvel.test_tiles_and_end import SIXTEEN

SOME = Budget(iterations=150)
levels = pytest.mark.parametrize("level", LEVELS)
searching = pytest.mark.parametrize("level", ["expert", "master"])


def answer(at, level, seed="a seed", budget=SOME):
    action = bot(at.match.game.name, level).choose(Situation(at.match, at.match.to_act), budget, seed)
    return at.match.notation(action)


@levels
def test_decks_and_a_hidden_reserve_swapped_change_nothing(level):
    """Two tables set up apart: another card in the opponent's hidden reserve, the decks in another order."""
    one = Position().reserves(1, "Venom", hidden=True).tokens(0, red=2, blue=1)
    other = Position().reserves(1, "Kingpin", hidden=True).tokens(0, red=2, blue=1)
    other.exchange(CARD_NAMES.index("Electro"), other.top(0))
    other.sort_offer()
    for at in (one, other):
        at.market("Kraven", "Lizard", "Gorgon", "Rhino", "Rocket", "Triton", "Hela", "Loki", "Luke Cage", "Ronan")
    assert one.match.view(0) == other.match.view(0)
    assert one.match.hash() != other.match.hash()
    assert answer(one, level) == answer(other, level)


@levels
def test_the_gauntlet_is_taken_when_it_lies_there(level):
    *mine, last = SIXTEEN
    at = Position().recruits(0, *mine).market(last).recruits(1, "Hela").to_act(0)
    at.tokens(0, red=3, blue=3, yellow=2, purple=1, orange=1)
    assert f"recruit {ident(last)}" in at.legal
    assert {answer(at, level, f"seed {number}") for number in range(3)} == {f"recruit {ident(last)}"}


@searching
def test_the_opponents_last_card_is_taken_away(level):
    """The other seat needs one card to win and can pay for it: reserve it, or lose."""
    *theirs, last = SIXTEEN
    at = Position().recruits(1, *theirs).market(last).to_act(0)
    at.tokens(1, red=3, blue=3, yellow=2, purple=1, orange=1)
    assert {answer(at, level, f"seed {number}", Budget(iterations=600)) for number in range(2)} == {
        f"reserve {ident(last)}"
    }


@searching
def test_one_legal_action_costs_no_thought(level):
    at = Position().tokens(0, red=4, blue=4, yellow=2)
    at.play(next(move for move in at.legal if move.startswith("take")))
    while len(at.legal) > 1:
        at.play(at.legal[0])
    assert answer(at, level, budget=Budget(iterations=10**9)) == at.legal[0]

"""The bots of Splendor: Marvel: what they know, and what they do not miss."""

import pytest

from engine.bots import LEVELS, Budget, Situation, bot
from engine.splendor_marvel.cards import CARD_NAMES
from engine.splendor_marvel.packed_counts import lane
from tests.engine.random_play import walk
from tests.engine.splendor_marvel.positions import Position, ident
from tests.engine.splendor_marvel.test_tiles_and_end import SIXTEEN

SOME = Budget(iterations=100)
levels = pytest.mark.parametrize("level", LEVELS)
searching = pytest.mark.parametrize("level", ["expert", "master"])


def answer(at, level, seed="a seed", budget=SOME):
    action = bot(at.match.game.name, level).choose(Situation(at.match, at.match.to_act), budget, seed)
    return at.match.notation(action)


@levels
def test_decks_and_a_hidden_reserve_swapped_change_nothing(level):
    """Two tables set up apart: another card in the opponent's hidden reserve, another one on top of the deck."""
    tables = []
    for deep in (0, 7):
        at = Position().tokens(0, red=2, blue=1)
        card = at.state.deck[lane(at.state.drawn, 0) + deep]
        tables.append(at.reserves(1, CARD_NAMES[card], hidden=True))
    one, other = tables
    assert one.match.view(0) == other.match.view(0)
    assert one.match.view(1) != other.match.view(1)
    assert answer(one, level) == answer(other, level)


@levels
def test_the_gauntlet_is_taken_when_it_lies_there(level):
    *mine, last = SIXTEEN
    for number in range(3):
        at = Position().recruits(0, *mine).market(last).tokens(0, red=3, blue=3, yellow=2, purple=1, orange=1)
        assert f"recruit {ident(last)}" in at.legal
        at.play(answer(at, level, f"seed {number}", Budget(iterations=1000)))
        assert at.seat(0)["assembled"]


@searching
def test_one_legal_action_costs_no_thought(level):
    at = Position()
    for _ in walk(at.match, "forced"):
        if len(at.legal) == 1:
            break
    assert [answer(at, level, budget=Budget(iterations=10**9))] == at.legal

"""What holds in every state of Infinity Gauntlet."""

from engine.infinity_gauntlet import cards
from engine.infinity_gauntlet.knowledge import ANYWHERE, HALF, LOW
from engine.infinity_gauntlet.legal_moves import ARRANGE, BOTTOM, PLAY


def bits(mask):
    return [card for card in range(64) if mask >> card & 1]


def check(state):
    """Every card is in one place, nothing is negative, and whatever anybody knows is true."""
    seats = range(1, state.players)
    hero_deck = [state.hero_deck >> 4 * place & 15 for place in range(state.hero_left)]
    thanos_deck = [state.thanos_deck >> 4 * place & 15 for place in range(state.thanos_left)]
    heroes = hero_deck + [card for seat in seats for card in bits(state.hands[seat]) + bits(state.faceup[seat])]
    assert sorted(heroes) == list(range(16))
    assert sorted(thanos_deck + bits(state.hands[0]) + bits(state.faceup[0])) == list(range(13))
    assert state.hero_deck >> 4 * state.hero_left == 0
    assert state.thanos_deck >> 4 * state.thanos_left == 0
    assert state.hero_left > 0
    assert min(state.power) >= 0
    assert min(state.heroes_life, state.thanos_life) >= 0
    assert state.over == (state.ending > 0)
    for seat in seats:
        drew = not state.over and state.phase == PLAY and state.turn == seat
        assert state.over or len(bits(state.hands[seat])) == (2 if drew else 1)
    most = 4 if state.phase == BOTTOM else 3 if state.turn == 0 and state.phase == PLAY else 2
    assert len(bits(state.hands[0])) <= most
    knowledge_is_true(state, thanos_deck)
    assert state.phase != ARRANGE or state.over or state.hero_left >= 3


def knowledge_is_true(state, thanos_deck):
    for seat in range(state.players):
        assert not state.hands[seat] & state.ruled[seat] & LOW
        assert len(bits(state.hands[seat] & state.ruled[seat] >> HALF)) <= 1
        for card in range(13):
            deep = state.depth[seat] >> 4 * card & 15
            bottom = thanos_deck[::-1][:deep]
            assert deep == ANYWHERE or state.hands[0] >> card & 1 or card in bottom
        if seat:
            tie = state.ties >> 4 * seat & 15
            fought = bits(state.shed[seat] | (state.hands[seat] if tie < 8 else 0))
            reached = {cards.HERO_NUMBERS[card] + (tie & 7) - 4 for card in fought}
            assert not tie or reached & {
                cards.THANOS_NUMBERS[card] for card in bits(state.hands[0] | state.left_since_tie)
            }
            assert not state.loose[seat] & LOW & ~(state.jumble | state.jumble_before) & ~opened(state)
    assert state.holds == 0 or state.holds & state.hands[0]
    assert not state.placed & ~sum(1 << card for card in thanos_deck)


def opened(state):
    return sum(state.faceup[seat] for seat in range(1, state.players))

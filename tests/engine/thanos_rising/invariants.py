"""What must hold in every state of Thanos Rising: cards, tokens and dice are all there, nothing negative, no excess."""

from engine.thanos_rising import card_tables as t
from engine.thanos_rising.board import FRESH, USED


def check(state):
    cards = state.cards
    check_cards(state, cards)
    check_tokens(state, cards)
    check_dice(state, cards)
    assert 0 <= state.thanos < t.SECTORS
    assert -1 <= state.deployed < t.SECTORS
    for stone in range(t.STONES):
        assert state.counters[stone] >= 0
        assert not (state.collected >> stone & 1 and state.counters[stone])


def check_cards(state, cards):
    places = [*state.deck[state.revealed :]] + [card for card in state.slots if card >= 0]
    for mask in (*state.teams, state.defeated, state.lost):
        places += [card for card in range(cards.assets) if mask >> card & 1]
    if state.stage == t.CHOOSING:
        places = [card for card in places if not any(team >> card & 1 for team in state.teams)] + [
            card for card in range(cards.assets) if any(team >> card & 1 for team in state.teams)
        ]
    assert sorted(places) == list(range(cards.assets))
    for card in range(cards.assets):
        assert 0 <= state.damage[card] <= cards.capacity[card]
        wanted = cards.cost_symbols[card] if any(team >> card & 1 for team in state.teams) else cards.symbols[card]
        assert all(t.lane(state.paid[card], symbol) <= t.lane(wanted, symbol) for symbol in range(t.SYMBOLS))
    for card in state.deck[state.revealed :]:
        assert state.damage[card] == state.paid[card] == 0
    assert state.defeated & ~cards.villains == 0
    assert state.lost & ~cards.heroes == 0


def check_tokens(state, cards):
    face_down = list(state.supply[state.drawn :])
    for kind in range(cards.tokens):
        rows = [state.tokens[row * cards.tokens + kind] for row in range(USED + 1)]
        assert all(count >= 0 for count in rows)
        assert rows[FRESH] <= rows[state.active] or state.over
        seats = sum(rows[:FRESH])
        looked = state.looked >> (kind * 3) & 7
        assert seats + rows[USED] + looked + face_down.count(kind) == cards.token_count[kind]
    assert state.held == sum(state.tokens[: FRESH * cards.tokens])
    assert state.fresh == sum(state.tokens[FRESH * cards.tokens : USED * cards.tokens])


def check_dice(state, cards):
    assert state.dice == sum(state.pool)
    assert state.up == sum(1 << kind for kind in range(t.KINDS) if state.pool[kind])
    for colour in range(t.COLOURS):
        hand = t.lane(state.hand, colour)
        assert sum(state.pool[colour * t.FACES : (colour + 1) * t.FACES]) <= hand <= cards.box[colour]

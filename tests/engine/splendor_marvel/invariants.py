"""What never changes: ninety cards and every token are somewhere, once; nothing is negative; totals add up."""

from engine.splendor_marvel.cards import BONUSES, CARD_POINTS, CARD_TAGS, GREYS, LEVELS, TOKENS
from engine.splendor_marvel.components import DECK_START
from engine.splendor_marvel.packed_counts import ONES, lane


def check(state):
    tokens = [lane(state.bank, colour) + sum(lane(team.tokens, colour) for team in state.teams) for colour in range(5)]
    assert tokens == [TOKENS[state.players]] * 5
    assert state.bank + sum(team.tokens for team in state.teams) == ONES * TOKENS[state.players]
    assert state.grey + sum(team.grey for team in state.teams) == GREYS[state.players]
    assert state.green + sum(team.green for team in state.teams) == state.players
    assert min(state.grey, state.green, *(team.grey for team in state.teams)) >= 0

    offered = sorted(card for card in state.market if card >= 0)
    assert list(state.offer) == offered
    cards = list(offered)
    for level, (start, size) in enumerate(zip(DECK_START, LEVELS, strict=True)):
        left = list(state.deck)[start + lane(state.drawn, level) : start + size]
        assert not left or -1 not in list(state.market)[4 * level : 4 * level + 4]
        cards += left
    for team in state.teams:
        cards += [team.card_at(place) for place in range(team.reserved)] + recruited(team)
    assert sorted(cards) == list(range(90))

    for seat, team in enumerate(state.teams):
        mine = recruited(team)
        tiles = team.locations.bit_count() + (state.owner == seat)
        assert team.cards == len(mine)
        assert team.bonuses == sum(BONUSES[card] for card in mine)
        assert team.tags == sum(CARD_TAGS[card] for card in mine)
        assert team.points == sum(CARD_POINTS[card] for card in mine) + 3 * tiles
        assert team.green == any(card >= 70 for card in mine)
        assert team.reserved <= 3
        assert team.held() <= 10 or seat == state.seat
    sites = [state.locations, *(team.locations for team in state.teams)]
    assert sum(mask.bit_count() for mask in sites) == state.players
    assert sum(sites) == sum(1 << site for site in state.sites)
    most = max(team.tags for team in state.teams)
    assert (state.owner < 0) == (most < 3)
    assert state.owner < 0 or state.teams[state.owner].tags == most


def recruited(team):
    return [card for card in range(90) if team.recruited(card)]

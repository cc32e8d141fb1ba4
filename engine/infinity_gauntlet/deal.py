"""Set-up: both decks shuffled, a card for each hero, two for Thanos, and Thanos's first draw.

Compiled by mypyc; see `engine.build`.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from engine.infinity_gauntlet.knowledge import HERO_CARDS, NOTHING_SEEN, SEATS, THANOS_CARDS, shuffled
from engine.infinity_gauntlet.state import GauntletState
from engine.rng import Rng

NOBODY: Final = vec[i64]([0] * SEATS)
FIRST_CYCLE: Final = vec[i64]([0] * HERO_CARDS)
NOTHING_KNOWN: Final = vec[i64]([NOTHING_SEEN] * SEATS)
HERO_PACK: Final[i64] = sum(card << (4 * card) for card in range(HERO_CARDS - 1))
THANOS_PACK: Final[i64] = sum(card << (4 * card) for card in range(THANOS_CARDS))


def deal(players: i64, heroes_life: i64, thanos_life: i64, luck: Rng) -> GauntletState:
    """A match at its first decision. `luck` is the root of its streams: random picks, hero deck, Thanos deck."""
    state = GauntletState(
        players, luck.fork(1), luck.fork(2), luck.fork(3),
        NOBODY[:], NOBODY[:], NOBODY[:], NOBODY[:], NOBODY[:], NOTHING_KNOWN[:], NOBODY[:], NOBODY[:],
        FIRST_CYCLE[:],
    )  # fmt: skip
    state.heroes_life = heroes_life
    state.thanos_life = thanos_life
    # Sixteen cards do not fit a packed deck, so the first hero's card is taken out before the shuffle.
    first: i64 = state.hero_luck.below(16)
    pack: i64 = HERO_PACK
    if first < 15:
        pack ^= (first ^ 15) << (4 * first)
    state.hands[1] = i64(1) << first
    state.hero_deck = shuffled(pack, 15, state.hero_luck)
    state.hero_left = 15
    seat: i64 = 2
    while seat < players:
        state.draw_hero(seat)
        seat += 1
    state.thanos_deck = shuffled(THANOS_PACK, THANOS_CARDS, state.thanos_luck)
    state.thanos_left = THANOS_CARDS
    state.draw_thanos()
    state.draw_thanos()
    state.begin_turn(0)
    return state

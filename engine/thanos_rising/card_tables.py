"""The data that the rules read: the words of a card file as numbers, with one table for each fact.

A `CardSet` is built by `cards.py` from a checked card file and never changes: all states of a match share one.
Abilities are numbered: assets first, then bases, stones and kinds of bonus token; each owns a run of effects.

Compiled by mypyc; see `engine.build`.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from engine.bitset import bit

SYMBOLS: Final = 4
COLOURS: Final = 4
BASES: Final = 4
STONES: Final = 6
SECTORS: Final = 3
SLOTS: Final = 9
FACES: Final = 6
KINDS: Final = COLOURS * FACES
"""A die as it lies: its colour and which of its faces is up; equal faces count as the first of them."""

MAX_ASSETS: Final = 48
MAX_TOKENS: Final = 16

# -- actions while dice are thrown; where a single thing is asked, an action is simply its number, or PASS
FORFEIT: Final = SECTORS * KINDS  # below it: a die (24) on a card of the sector (3)
USE: Final = FORFEIT + KINDS
ROLL: Final = USE + MAX_ASSETS
STOP: Final = ROLL + 1
FIRST_TOKEN_ACTION: Final = STOP + 1
PASS: Final = 64

# -- timings
VILLAIN_TRIGGER: Final = 0
STONE_TRIGGER: Final = 1
BEFORE_ROLL: Final = 2
OPENING_ROLL: Final = 3
AFTER_ROLL: Final = 4
ASSIGN: Final = 5
RESOLVE: Final = 6
AFTER_DAMAGE: Final = 7
TOKEN: Final = 8

# -- conditions
ALWAYS: Final = 0
TEAM_HAS_TYPE: Final = 1
VILLAIN_IN_DEPLOYED_SECTOR: Final = 2
VILLAIN_DAMAGE_DEALT: Final = 3
OPENING_ROLL_SYMBOLS: Final = 4

# -- ops
EXTRA_DIE: Final = 0
EXTRA_DIE_PER_SELF_DAMAGE: Final = 1
LOSE_DIE: Final = 2
REROLL: Final = 3
CHANGE_FACE: Final = 4
ASSIGN_SYMBOL: Final = 5
REMOVE_DAMAGE: Final = 6
REMOVE_DAMAGE_PER_VILLAIN_DAMAGE: Final = 7
FORBID_REMOVE_DAMAGE: Final = 8
DRAW_BONUS_TOKEN: Final = 9
CHOOSE_BONUS_TOKEN: Final = 10
REMOVE_STONE_COUNTER: Final = 11
ADD_STONE_COUNTER: Final = 12
ROLL_STONE_DIE: Final = 13
DAMAGE_VILLAIN: Final = 14
HEAL_VILLAINS: Final = 15
DAMAGE_HEROES: Final = 16

# -- scopes
OWN_SECTOR: Final = 0
CLOCKWISE_SECTOR: Final = 1
DEPLOYED_SECTOR: Final = 2
ALL_SECTORS: Final = 3
ANY_SECTOR: Final = 4
ACTIVE_TEAM: Final = 5
OWN_TEAM: Final = 6
EACH_TEAM: Final = 7
ANY_HERO: Final = 8

# -- picks
EVERY_ONE: Final = 0
RANDOM: Final = 1
OWNER: Final = 2
ACTIVE_PLAYER: Final = 3
MOST_REMAINING_HEALTH: Final = 4
LEAST_REMAINING_HEALTH: Final = 5

# -- faces of the Thanos die
ROTATE_CCW: Final = 0
ROTATE_CW: Final = 1
ACTIVATE_OTHER_VILLAINS: Final = 2
ROLL_STONE_DIE_AGAIN: Final = 3

# -- what is being asked
CHOOSE_BASE: Final = 0
DEPLOY: Final = 1
READY: Final = 2
THROW: Final = 3
RESOLVING: Final = 4
PICK_HURT: Final = 5
PICK_HEAL: Final = 6
PICK_VILLAIN: Final = 7
PICK_STONE: Final = 8
PICK_COLOUR: Final = 9
PICK_LOSS: Final = 10
PICK_REROLL: Final = 11
PICK_DIE: Final = 12
PICK_FACE: Final = 13
PICK_TOKEN: Final = 14
OVER: Final = 15

# -- where the turn stands, in the order of the rulebook
CHOOSING: Final = -1
DEPLOYING: Final = 0
STONE_DIE: Final = 1
THANOS_DIE: Final = 2
THANOS_ATTACK: Final = 3
VILLAINS_ACT: Final = 4
COLLECT_DICE: Final = 5
LOSE_DICE: Final = 6
BEFORE_OPENING: Final = 7
THROWING: Final = 8
RESOLVE_ABILITIES: Final = 9
RECRUIT: Final = 10
DAMAGE_VILLAINS: Final = 11
REWARDS: Final = 12
LAST_TOKENS: Final = 13
DISCARD: Final = 14

# -- how a match ends
VILLAINS_DEFEATED: Final = 1
STONES_COLLECTED: Final = 2
HEROES_LOST: Final = 3
TEAM_LOST: Final = 4

# -- what happened, for the log; operands after the colon
FIRST_PLAYER: Final = 0
BASE: Final = 1  # base
REVEALED: Final = 2  # card, slot
DEPLOYED: Final = 3  # sector
STONE_ROLLED: Final = 4  # stone
COUNTER_ADDED: Final = 5  # stone, how many, counters now
COUNTER_REMOVED: Final = 6  # stone, how many, counters now
STONE_POWER: Final = 7  # stone
THANOS_ROLLED: Final = 8  # face
THANOS_TURNED: Final = 9  # sector
THANOS_ATTACKED: Final = 10  # sector
VILLAIN_ACTED: Final = 11  # card
DAMAGED: Final = 12  # card, how much, damage now
HEALED: Final = 13  # card, how much, damage now
HEALING_FORBIDDEN: Final = 14
DIE_GAINED: Final = 15  # colour
DIE_LOST: Final = 16  # colour
ROLLED: Final = 17  # kind of die, how many
TEAM_ABILITY: Final = 18  # base
ASSIGNED: Final = 19  # kind of die, card
FORFEITED: Final = 20  # kind of die
ABILITY_USED: Final = 21  # card
REROLLED: Final = 22  # kind before, kind after
TURNED: Final = 23  # kind before, kind after
TOKEN_PLAYED: Final = 24  # kind of token
SYMBOL_PLAYED: Final = 25  # kind of token, card
TOKEN_DRAWN: Final = 26  # kind of token
TOKEN_DISCARDED: Final = 27  # kind of token
TOKENS_SHUFFLED: Final = 28
RECRUITED: Final = 29  # card
VILLAIN_DEFEATED: Final = 30  # card
HERO_LOST: Final = 31  # card
STONE_COLLECTED: Final = 32  # stone
WON: Final = 33
LOST: Final = 34  # reason

# -- sources of luck: each has its own stream, and each turn its own stretch of it
FIRST_LUCK: Final = 1 << 32
BASES_LUCK: Final = 2 << 32
FACING_LUCK: Final = 3 << 32
DECK_LUCK: Final = 4 << 32
TOKENS_LUCK: Final = 5 << 32
STONE_LUCK: Final = 6 << 32
THANOS_LUCK: Final = 7 << 32
DICE_LUCK: Final = 8 << 32
PICK_LUCK: Final = 9 << 32

LANE: Final = 6
"""Four symbols (or four colours) packed in one number, six bits each: `battle` in the lowest lane."""


def lane(packed: i64, index: i64) -> i64:
    return (packed >> (index * LANE)) & 63


def total(packed: i64) -> i64:
    """All symbols or dice together."""
    return (packed & 63) + (packed >> 6 & 63) + (packed >> 12 & 63) + (packed >> 18)


def unit(index: i64) -> i64:
    """One of symbol or colour `index`, packed."""
    return bit(index * LANE)


def table(numbers: list[int]) -> vec[i64]:
    made = vec[i64]([0] * len(numbers))
    for i, number in enumerate(numbers):
        made[i] = number
    return made


class CardSet:
    """One card file, ready for play. Masks have a bit a card; `ids` has a word for every ability number."""

    def __init__(self, ids: list[str], assets: i64, tokens: i64, stone_limit: i64) -> None:
        abilities = len(ids)
        self.ids: list[str] = ids
        self.assets: i64 = assets
        self.tokens: i64 = tokens  # how many kinds
        self.stone_limit: i64 = stone_limit
        self.first_base: i64 = assets
        self.first_stone: i64 = assets + BASES
        self.first_token: i64 = assets + BASES + STONES

        self.heroes: i64 = 0
        self.villains: i64 = 0
        self.capacity: vec[i64] = table([0] * int(assets))
        self.symbols: vec[i64] = table([0] * int(assets))
        self.hero_type: vec[i64] = table([-1] * int(assets))
        self.of_type: vec[i64] = table([0] * SYMBOLS)

        self.timing: vec[i64] = table([TOKEN] * abilities)
        self.at: vec[i64] = table([0] * (TOKEN + 1))  # the cards whose ability has that timing
        self.before_assigning: i64 = 0  # the cards that roll or turn dice again: for rolls of which none is assigned
        self.condition: vec[i64] = table([ALWAYS] * abilities)
        self.condition_a: vec[i64] = table([0] * abilities)
        self.condition_b: vec[i64] = table([0] * abilities)
        self.cost_symbols: vec[i64] = table([0] * abilities)
        self.cost_damage: vec[i64] = table([0] * abilities)
        self.first: vec[i64] = table([0] * abilities)
        self.many: vec[i64] = table([0] * abilities)

        self.op: vec[i64] = vec[i64]()
        self.amount: vec[i64] = vec[i64]()
        self.count: vec[i64] = vec[i64]()  # 0: all of them
        self.scope: vec[i64] = vec[i64]()
        self.pick: vec[i64] = vec[i64]()
        self.among: vec[i64] = vec[i64]()  # cards (damage_heroes), colours (extra_die), symbols (change_face): a mask

        self.leader: vec[i64] = table([0] * BASES)
        self.pool: vec[i64] = table([0] * BASES)

        self.box: vec[i64] = table([0] * COLOURS)
        self.face: vec[i64] = table([0] * KINDS)  # the kind a rolled face counts as
        self.kind_symbol: vec[i64] = table([0] * KINDS)
        self.showing: vec[i64] = table([0] * SYMBOLS)  # the kinds that show it, once or twice
        self.kind_value: vec[i64] = table([0] * KINDS)
        self.double: vec[i64] = table([-1] * COLOURS)  # the symbol that a die of this colour can show twice
        self.thanos_face: vec[i64] = table([0] * FACES)
        self.stone_face: vec[i64] = table([0] * FACES)

        self.token_count: vec[i64] = table([0] * int(tokens))
        self.token_action: vec[i64] = table([0] * int(tokens))  # the first of its actions, one a target

"""The closed vocabulary of card files: every word that an ability may use, where it may stand, and its number."""

from typing import Final, NamedTuple

from engine.thanos_rising import card_tables

SYMBOL_WORDS: Final = ("battle", "technology", "mystic", "cosmic")
COLOUR_WORDS: Final = ("red", "blue", "green", "purple")
FACE_WORDS: Final = (*SYMBOL_WORDS, *(f"{symbol}_x2" for symbol in SYMBOL_WORDS))

TIMINGS: Final = {
    "villain_trigger": card_tables.VILLAIN_TRIGGER,
    "stone_trigger": card_tables.STONE_TRIGGER,
    "before_roll": card_tables.BEFORE_ROLL,
    "opening_roll": card_tables.OPENING_ROLL,
    "after_roll": card_tables.AFTER_ROLL,
    "assign": card_tables.ASSIGN,
    "resolve": card_tables.RESOLVE,
    "after_damage": card_tables.AFTER_DAMAGE,
}
TIMINGS_OF: Final = {
    "villain": ("villain_trigger",),
    "hero": ("before_roll", "after_roll", "assign", "resolve", "after_damage"),
    "base": ("opening_roll",),
    "stone": ("stone_trigger",),
}

CONDITIONS: Final = {
    "team_has_type": card_tables.TEAM_HAS_TYPE,
    "villain_in_deployed_sector": card_tables.VILLAIN_IN_DEPLOYED_SECTOR,
    "villain_damage_dealt_this_turn": card_tables.VILLAIN_DAMAGE_DEALT,
    "opening_roll_symbols": card_tables.OPENING_ROLL_SYMBOLS,
}
CONDITION_FIELDS: Final = {
    "team_has_type": ("type", "other_than_self"),
    "villain_in_deployed_sector": (),
    "villain_damage_dealt_this_turn": ("min",),
    "opening_roll_symbols": ("symbol", "min"),
}

COSTS: Final = {"symbols": ("assign",), "self_damage": ("after_roll", "resolve")}
"""Each kind of cost, and the timings it goes with."""

SCOPES: Final = {
    "own_sector": card_tables.OWN_SECTOR,
    "clockwise_sector": card_tables.CLOCKWISE_SECTOR,
    "deployed_sector": card_tables.DEPLOYED_SECTOR,
    "all_sectors": card_tables.ALL_SECTORS,
    "any_sector": card_tables.ANY_SECTOR,
    "active_team": card_tables.ACTIVE_TEAM,
    "own_team": card_tables.OWN_TEAM,
    "each_team": card_tables.EACH_TEAM,
    "any_hero": card_tables.ANY_HERO,
}

PICKS: Final = {
    "random": card_tables.RANDOM,
    "owner": card_tables.OWNER,
    "active_player": card_tables.ACTIVE_PLAYER,
    "most_remaining_health": card_tables.MOST_REMAINING_HEALTH,
    "least_remaining_health": card_tables.LEAST_REMAINING_HEALTH,
}

THANOS_FACES: Final = {
    "rotate_ccw": card_tables.ROTATE_CCW,
    "rotate_cw": card_tables.ROTATE_CW,
    "activate_other_villains": card_tables.ACTIVATE_OTHER_VILLAINS,
    "roll_stone_die_again": card_tables.ROLL_STONE_DIE_AGAIN,
}


class Op(NamedTuple):
    """One verb of the vocabulary: when it may act, and its required and optional fields."""

    number: int
    timings: tuple[str, ...]
    fields: tuple[str, ...]
    optional: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()
    picks: tuple[str, ...] = ()


FOES: Final = ("villain_trigger", "stone_trigger")
TEAM: Final = ("before_roll", "opening_roll", "after_roll", "assign", "resolve", "after_damage")

OPS: Final = {
    "extra_die": Op(card_tables.EXTRA_DIE, ("before_roll", "opening_roll", "after_roll", "token"), ("choose_one",)),
    "extra_die_per_self_damage": Op(card_tables.EXTRA_DIE_PER_SELF_DAMAGE, ("before_roll",), ("colour", "per")),
    "lose_die": Op(card_tables.LOSE_DIE, FOES, ("count", "pick"), picks=("active_player", "random")),
    "reroll": Op(card_tables.REROLL, ("after_roll",), ("count",)),
    "change_face": Op(card_tables.CHANGE_FACE, ("after_roll",), ("showing", "count", "to")),
    "assign_symbol": Op(card_tables.ASSIGN_SYMBOL, ("token",), ("symbol", "count")),
    "remove_damage": Op(
        card_tables.REMOVE_DAMAGE,
        (*TEAM, "token"),
        ("amount", "targets", "scope"),
        scopes=("any_hero", "own_team"),
    ),
    "remove_damage_per_villain_damage": Op(
        card_tables.REMOVE_DAMAGE_PER_VILLAIN_DAMAGE,
        ("assign", "resolve", "after_damage"),
        ("amount", "scope"),
        scopes=("any_hero", "own_team"),
    ),
    "forbid_remove_damage": Op(card_tables.FORBID_REMOVE_DAMAGE, FOES, ("scope",), scopes=("this_turn",)),
    "draw_bonus_token": Op(card_tables.DRAW_BONUS_TOKEN, TEAM, ("count",)),
    "choose_bonus_token": Op(card_tables.CHOOSE_BONUS_TOKEN, TEAM, ("look", "keep")),
    "remove_stone_counter": Op(card_tables.REMOVE_STONE_COUNTER, (*TEAM, "token"), ("count",)),
    "add_stone_counter": Op(card_tables.ADD_STONE_COUNTER, FOES, ("count", "target")),
    # not for stones: powers that roll for powers might never end
    "roll_stone_die": Op(card_tables.ROLL_STONE_DIE, ("villain_trigger",), ("count",)),
    "damage_villain": Op(
        card_tables.DAMAGE_VILLAIN,
        TEAM,
        ("amount", "targets", "scope", "filter"),
        scopes=("deployed_sector", "any_sector"),
    ),
    "heal_villains": Op(
        card_tables.HEAL_VILLAINS,
        FOES,
        ("amount", "scope"),
        scopes=("own_sector", "deployed_sector", "all_sectors"),
    ),
    "damage_heroes": Op(
        card_tables.DAMAGE_HEROES,
        FOES,
        ("amount", "scope"),
        optional=("types", "count", "pick"),
        scopes=("own_sector", "clockwise_sector", "deployed_sector", "all_sectors", "active_team", "each_team"),
        picks=tuple(PICKS),
    ),
}

SECTOR_OF_A_VILLAIN: Final = ("own_sector", "clockwise_sector")
"""Scopes that need a card in a sector: a stone has none."""

FIXED_WORDS: Final = {
    "to": ("any_face_of_same_die",),
    "target": ("all_uncollected_tied_for_fewest",),
    "filter": ("any", "undamaged"),
}

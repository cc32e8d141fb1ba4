"""Thanos Rising: options, notation and results. The rules of the turn are in `turn.py`.

Graded results rank teams that played the same deal. The grade is a tuple, compared from the left, higher is better:
won (1) or lost (0); villains defeated; stones not collected by Thanos; heroes not lost (minus the number lost); turns:
a win is the better the sooner it comes, a loss the longer it was held off.

All seats win or lose together: a win is rank 1 and a winner for everyone, a loss rank 1 for everyone and no winner.
"""

from collections.abc import Mapping
from typing import Any, Final, cast

from librt.vecs import vec
from mypy_extensions import i64

from engine.errors import OptionError, quoted
from engine.kernel import Game, Outcome
from engine.options import Option
from engine.rng import stream
from engine.state import GameState, Row
from engine.thanos_rising import card_tables, cards, event_text, terminal_view, view, why_not
from engine.thanos_rising.state import ThanosState, deal
from engine.thanos_rising.turn import ABILITY
from engine.thanos_rising.vocabulary import COLOUR_WORDS

KNOBS: Final = ("villains_to_defeat", "heroes_lost_limit", "stones_to_lose", "team_loss", "starting_counters")
PRESETS: Final = {
    name: dict(zip(KNOBS, values, strict=True))
    for name, values in {
        "recruit": (7, 18, 6, False, 0),
        "hero": (7, 10, 6, True, 0),
        "avenger": (8, 10, 6, True, 0),
        "infinity": (10, 10, 6, True, 1),
    }.items()
}
"""Named difficulties. `hero` is the rulebook's first game."""


def check_bases(text: str) -> None:
    """Either a word, or base ids with commas between; which ids there are depends on the card set."""
    if text not in ("random", "choose") and len(set(text.split(","))) != len(text.split(",")):
        raise OptionError("bases", f"every base can be taken once only, not {quoted(text)}")


class ThanosRising(Game):
    name = "thanos-rising"
    title = "Thanos Rising"
    players = range(2, 5)
    rules_version = 2
    cooperative = True
    has_asides = True
    scenario_option = "preset"
    grade_names = ("won", "defeated", "stones", "lost", "turns")
    card_option = "card_set"
    options = (
        Option(
            "preset",
            str,
            "hero",
            "named difficulty; sets the five values below unless they are given",
            choices=tuple(PRESETS),
            tried=("recruit", "avenger", "infinity"),
        ),
        Option("villains_to_defeat", int, None, "villains that must fall to win (default: preset)", least=1, most=10),
        Option("heroes_lost_limit", int, None, "fallen heroes that lose the match (default: preset)", least=1, most=31),
        Option("stones_to_lose", int, None, "stones in the gauntlet that lose it (default: preset)", least=1, most=6),
        Option("team_loss", bool, None, "whether a team without heroes loses the match (default: preset)"),
        Option("starting_counters", int, None, "counters on each stone at first (default: preset)", least=0, most=4),
        Option(
            "bases",
            str,
            "random",
            "random, choose (each player in turn), or one base id a seat with commas between",
            check=check_bases,
        ),
        Option("first_player", int, 0, "seat that goes first, counted from 1; 0 for a random one", least=0, most=4),
        Option("card_set", dict, None, "a whole card file in place of our own (see docs)", check=cards.check),
    )

    def deal(self, players: int, seed: str, options: Mapping[str, Any]) -> GameState:
        knobs = dict(PRESETS[options["preset"]])
        knobs.update({name: options[name] for name in knobs if options[name] is not None})
        card_set = cards.standard() if options["card_set"] is None else cards.given(options["card_set"])
        villains = int(card_set.villains).bit_count()
        if knobs["villains_to_defeat"] > villains:
            raise OptionError("villains_to_defeat", f"the card set has only {villains} villains")
        stones = len(set(card_set.stone_face))
        if knobs["stones_to_lose"] > stones:
            raise OptionError("stones_to_lose", f"the stone die of the card set shows only {stones} stones")
        if knobs["starting_counters"] >= card_set.stone_limit:
            raise OptionError("starting_counters", f"must be below {card_set.stone_limit}, the count that collects")
        if options["first_player"] > players:
            raise OptionError("first_player", f"there are only {players} players")
        return deal(
            players,
            stream(seed, self.name),
            card_set,
            knobs["villains_to_defeat"],
            knobs["heroes_lost_limit"],
            knobs["stones_to_lose"],
            int(knobs["team_loss"]),
            knobs["starting_counters"],
            options["first_player"] - 1,
            options["bases"] == "choose",
            chosen_bases(card_set, players, options["bases"]),
        )

    def read_card_file(self, text: str) -> dict[str, Any]:
        return cards.read_file(text)

    def own_card_file(self) -> str:
        return cards.FILE.read_text(encoding="utf-8")

    def announce(self, state: GameState) -> None:
        dealt = cast(ThanosState, state)
        dealt.log_event(card_tables.FIRST_PLAYER, dealt.first)
        for seat in range(dealt.players):
            if dealt.bases[seat] >= 0:
                dealt.log_event(card_tables.BASE, seat, dealt.bases[seat])
        for slot in range(card_tables.SLOTS):
            if dealt.slots[slot] >= 0:
                dealt.log_event(card_tables.REVEALED, dealt.first, dealt.slots[slot], slot)

    def turn(self, state: GameState) -> tuple[int, int]:
        played = cast(ThanosState, state)
        return -1 if played.stage == card_tables.CHOOSING else int(played.active), int(played.turn)

    def closes(self, state: GameState, action: int) -> bool:
        asked = cast(ThanosState, state).phase in (card_tables.READY, card_tables.THROW, card_tables.RESOLVING)
        return bool(asked) and action in (card_tables.ROLL, card_tables.STOP)

    def notation(self, state: GameState, seat: int, action: int) -> str:
        return notation(cast(ThanosState, state), action)

    def view(self, state: GameState, seat: int | None) -> dict[str, Any]:
        return view.view(cast(ThanosState, state))

    def why_not(self, state: GameState, seat: int) -> dict[str, dict[str, Any]]:
        return why_not.reasons(cast(ThanosState, state), seat)

    def outcome(self, state: GameState) -> Outcome:
        ended = cast(ThanosState, state)
        won = ended.reason == card_tables.VILLAINS_DEFEATED
        defeated, lost = int(ended.defeated).bit_count(), int(ended.lost).bit_count()
        stones, turns = card_tables.STONES - int(ended.collected).bit_count(), int(ended.turn) + 1
        seats = range(ended.players)
        return Outcome(
            ranks=tuple(1 for _ in seats),
            winners=tuple(seats) if won else (),
            scores=tuple(defeated for _ in seats),
            reason=event_text.REASONS[ended.reason],
            grade=(int(won), defeated, stones, -lost, -turns if won else turns),
        )

    def event_in(self, state: GameState, row: Row, known: bool) -> dict[str, Any] | None:
        return event_text.event_of(cast(ThanosState, state).cards, row)

    def sentence(self, event: Mapping[str, Any]) -> str:
        return event_text.sentence(dict(event))

    def terminal_view(self, view: Mapping[str, Any]) -> str:
        return terminal_view.render(view)

    def explain_move(self, move: str) -> str:
        return terminal_view.explain_move(move)


def chosen_bases(card_set: card_tables.CardSet, players: int, text: str) -> vec[i64]:
    """The bases an option names, by seat; none when they are random or still to be chosen."""
    if text in ("random", "choose"):
        return vec[i64]()
    first = int(card_set.first_base)
    known = card_set.ids[first : first + card_tables.BASES]
    named = text.split(",")
    for name in named:
        if name not in known:
            raise OptionError("bases", f"there is no {quoted(name)}; there are {', '.join(known)}, random and choose")
    if len(named) != players:
        raise OptionError("bases", f"must name {players} bases for {players} players, not {len(named)}")
    return vec[i64]([known.index(name) for name in named])


# -- notation

ANSWERS: Final = {
    card_tables.PICK_HURT: "damage {}",
    card_tables.PICK_HEAL: "heal {}",
    card_tables.PICK_VILLAIN: "hit {}",
    card_tables.PICK_STONE: "clear {}",
    card_tables.PICK_COLOUR: "take {}",
    card_tables.PICK_LOSS: "lose {}",
    card_tables.PICK_REROLL: "re-roll {}",
    card_tables.PICK_DIE: "turn {}",
    card_tables.PICK_FACE: "to {}",
    card_tables.PICK_TOKEN: "keep {}",
    card_tables.CHOOSE_BASE: "choose {}",
    card_tables.DEPLOY: "deploy {}",
}


def notation(state: ThanosState, action: int) -> str:
    """`deploy 2`, `red battle on hawkeye`, `roll`, `use mantis`, `play heal on hulk`: sectors are counted from 1."""
    if state.phase in ANSWERS:
        return "pass" if action == card_tables.PASS else ANSWERS[state.phase].format(answer(state, action))
    card_set, ids = state.cards, state.cards.ids
    if action < card_tables.FORFEIT:
        card = state.slots[int(state.deployed) * 3 + action // card_tables.KINDS]
        return f"{event_text.die(card_set, action % card_tables.KINDS)} on {ids[card]}"
    if action < card_tables.USE:
        die = event_text.die(card_set, action - card_tables.FORFEIT)
        return f"{die} on {ids[state.target - ABILITY]}" if state.target >= ABILITY else f"forfeit {die}"
    if action < card_tables.ROLL:
        return f"use {ids[action - card_tables.USE]}"
    if action == card_tables.ROLL:
        return "roll"
    if action == card_tables.STOP:
        return "stop"
    return token_notation(state, action)


def answer(state: ThanosState, number: int) -> str:
    card_set, phase = state.cards, state.phase
    if phase == card_tables.DEPLOY:
        return str(number + 1)
    if phase == card_tables.CHOOSE_BASE:
        return card_set.ids[int(card_set.first_base) + number]
    if phase == card_tables.PICK_STONE:
        return card_set.ids[int(card_set.first_stone) + number]
    if phase == card_tables.PICK_TOKEN:
        return card_set.ids[int(card_set.first_token) + number]
    if phase in (card_tables.PICK_COLOUR, card_tables.PICK_LOSS):
        return COLOUR_WORDS[number]
    if phase in (card_tables.PICK_REROLL, card_tables.PICK_DIE):
        return event_text.die(card_set, number)
    if phase == card_tables.PICK_FACE:
        return event_text.face(card_set, number)
    return card_set.ids[number]


def token_notation(state: ThanosState, action: int) -> str:
    card_set = state.cards
    kind = int(state.token_kind(action))
    token = card_set.ids[int(card_set.first_token) + kind]
    target = action - int(card_set.token_action[kind])
    effect = card_set.first[int(card_set.first_token) + kind]
    if card_set.op[effect] == card_tables.EXTRA_DIE:
        colours = [name for colour, name in enumerate(COLOUR_WORDS) if card_set.among[effect] >> colour & 1]
        return f"play {token}" if len(colours) == 1 else f"play {token} for {colours[target]}"
    if card_set.op[effect] == card_tables.ASSIGN_SYMBOL:
        return f"play {token} on {card_set.ids[state.slots[int(state.deployed) * 3 + target]]}"
    if card_set.op[effect] == card_tables.REMOVE_STONE_COUNTER:
        return f"play {token} on {card_set.ids[int(card_set.first_stone) + target]}"
    return f"play {token} on {card_set.ids[target]}"


GAME = ThanosRising()

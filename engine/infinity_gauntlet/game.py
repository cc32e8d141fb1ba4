"""Infinity Gauntlet: A Love Letter Game: options, notation, views and results. The rules are in `state.py`."""

from collections.abc import Mapping
from typing import Any, Final

from engine.infinity_gauntlet import cards, event_text, terminal_view, why_not
from engine.infinity_gauntlet.deal import deal
from engine.infinity_gauntlet.event_kinds import HEROES_OUT, SNAP_ENDING, THANOS_OUT
from engine.infinity_gauntlet.legal_moves import (
    A_NUMBER,
    A_SEAT,
    ARRANGE,
    BOTTOM,
    CHALLENGE,
    CHOSEN_MAY_FIGHT,
    COPY,
    DONE,
    GIVE_POWER,
    LOSE,
    NO,
    PLAY,
    SNAP,
    TEAMMATE_PEEKS,
    THANOS_CARD,
    WITH,
    YES,
)
from engine.infinity_gauntlet.state import GauntletState
from engine.infinity_gauntlet.view import view
from engine.kernel import Game, Outcome
from engine.options import Option
from engine.rng import stream
from engine.state import GameState, Row

MAX_LIFE: Final = 30

REASONS: Final = {SNAP_ENDING: "snap", HEROES_OUT: "heroes-out", THANOS_OUT: "thanos-out"}

CARD_VERBS: Final = {PLAY: "play", LOSE: "lose", WITH: "with", BOTTOM: "bottom", COPY: "copy"}
AIMS: Final = {TEAMMATE_PEEKS: "peek", GIVE_POWER: "power", CHOSEN_MAY_FIGHT: "send"}


class InfinityGauntlet(Game):
    name = "infinity-gauntlet"
    title = "Infinity Gauntlet: A Love Letter Game"
    short_title = "Infinity Gauntlet"
    players = range(2, 7)
    rules_version = 1
    solo_role = "thanos"
    options = (
        Option("heroes_life", int, None, "Life of the hero team; empty: 6.", least=1, most=MAX_LIFE),
        Option(
            "thanos_life",
            int,
            None,
            "Life of Thanos; empty: by player count, 4, 4, 5, 6, 7 for 2 to 6 players.",
            least=1,
            most=MAX_LIFE,
        ),
    )

    def deal(self, players: int, seed: str, options: Mapping[str, Any]) -> GauntletState:
        heroes_life, thanos_life = options["heroes_life"], options["thanos_life"]
        return deal(
            players,
            cards.HEROES_LIFE[players] if heroes_life is None else heroes_life,
            cards.THANOS_LIFE[players] if thanos_life is None else thanos_life,
            stream(seed, self.name),
        )

    def turn(self, state: GameState) -> tuple[int, int]:
        assert isinstance(state, GauntletState)
        return int(state.turn), int(state.turns_left)

    def roles(self, players: int) -> tuple[str, ...]:
        return (self.solo_role, *("hero",) * (players - 1))

    def notation(self, state: GameState, seat: int, action: int) -> str:
        assert isinstance(state, GauntletState)
        if action == SNAP:
            return "snap"
        if action == DONE:
            return "pass" if state.phase == PLAY else "end turn"
        if action in (YES, NO):
            return "fight" if action == YES else "hold"
        if action > A_SEAT:
            verb = "fight" if state.phase == CHALLENGE else AIMS.get(int(state.effect()), "target")
            return f"{verb} {action - A_SEAT}"
        if action > A_NUMBER:
            return f"guess {action - A_NUMBER}"
        if action >= THANOS_CARD:
            return f"{CARD_VERBS[int(state.phase)]} {cards.THANOS_IDS[action - THANOS_CARD]}"
        if state.phase == ARRANGE:
            return f"{'next' if state.count else 'top'} {cards.HERO_IDS[action]}"
        return f"play {cards.HERO_IDS[action]}"

    def view(self, state: GameState, seat: int | None) -> dict[str, Any]:
        assert isinstance(state, GauntletState)
        return view(state, seat)

    def why_not(self, state: GameState, seat: int) -> dict[str, dict[str, Any]]:
        assert isinstance(state, GauntletState)
        return why_not.reasons(state, seat)

    def outcome(self, state: GameState) -> Outcome:
        assert isinstance(state, GauntletState)
        heroes, thanos = state.players - 1, state.thanos_won()
        return Outcome(
            ranks=(1, *(2,) * heroes) if thanos else (2, *(1,) * heroes),
            winners=(0,) if thanos else tuple(range(1, state.players)),
            scores=(int(state.thanos_life), *(int(state.heroes_life),) * heroes),
            reason=REASONS[int(state.ending)],
        )

    def event(self, row: Row, known: bool) -> dict[str, Any] | None:
        return event_text.event_of(row, known)

    def sentence(self, event: Mapping[str, Any]) -> str:
        return event_text.sentence(event)

    def terminal_view(self, view: Mapping[str, Any]) -> str:
        return terminal_view.render(view)

    def explain_move(self, move: str) -> str:
        return terminal_view.explain_move(move)


GAME = InfinityGauntlet()

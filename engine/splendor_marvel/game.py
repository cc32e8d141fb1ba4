"""Splendor: Marvel for the referee: options, deal, notation, outcome."""

from collections.abc import Mapping
from typing import Any

from engine.kernel import Game, Outcome
from engine.options import Option
from engine.rng import stream
from engine.splendor_marvel import components, event_text, legal_moves, terminal_view, why_not
from engine.splendor_marvel.cards import CARD_IDS, COLOURS, SITE_IDS
from engine.splendor_marvel.state import SplendorState, deal
from engine.splendor_marvel.view import view
from engine.state import GameState, Row

MOVES: dict[int, str] = {
    **{legal_moves.RECRUIT + card: f"recruit {name}" for card, name in enumerate(CARD_IDS)},
    **{legal_moves.RESERVE + card: f"reserve {name}" for card, name in enumerate(CARD_IDS)},
    **{legal_moves.RESERVE_BLIND + level: f"reserve deck {level + 1}" for level in range(3)},
    **{legal_moves.TAKE_TOKEN + colour: f"take {name}" for colour, name in enumerate(COLOURS)},
    legal_moves.STOP: "stop",
    **{legal_moves.SPEND_GREY + colour: f"grey for {name}" for colour, name in enumerate(COLOURS)},
    legal_moves.PAY_NOW: "pay",
    **{legal_moves.GIVE_BACK + kind: f"return {name}" for kind, name in enumerate((*COLOURS, "grey"))},
    **{legal_moves.TAKE_LOCATION + site: f"location {name}" for site, name in enumerate(SITE_IDS)},
    legal_moves.PASS: "pass",
}
"""Every action's notation: an action is the same words in every state."""

REASONS = {components.ENDED: "gauntlet", components.STALLED: "stalemate", components.NO_RECRUITS: "no-recruits"}


class SplendorMarvel(Game):
    name = "splendor-marvel"
    title = "Splendor: Marvel"
    players = range(2, 5)
    rules_version = 2
    options = (
        Option("points", int, 16, "Infinity Points that the Infinity Gauntlet asks for", least=10, most=30),
        Option("stall_rounds", int, 15, "rounds in a row without a recruit that end the match", least=5, most=100),
    )

    def deal(self, players: int, seed: str, options: Mapping[str, Any]) -> SplendorState:
        return deal(players, options["points"], options["stall_rounds"], stream(seed, self.name))

    def notation(self, state: GameState, seat: int, action: int) -> str:
        return MOVES[action]

    def view(self, state: GameState, seat: int | None) -> dict[str, Any]:
        return view(own(state), seat)

    def why_not(self, state: GameState, seat: int) -> dict[str, dict[str, Any]]:
        return why_not.reasons(own(state), seat)

    def outcome(self, state: GameState) -> Outcome:
        """Everyone is ranked: who assembled the Gauntlet first, then by points, Avengers tile and fewest cards.

        A match that ends without the Gauntlet is ranked alike. Scores are the points.
        """
        state = own(state)
        seats = range(state.players)
        scores = tuple(int(team.points) for team in state.teams)
        standings = [state.standing(seat) for seat in seats]
        ranks = tuple(1 + sum(other > mine for other in standings) for mine in standings)
        winners = tuple(seat for seat in seats if ranks[seat] == 1)
        return Outcome(ranks, winners, scores, REASONS[state.ending])

    def event(self, row: Row, known: bool) -> dict[str, Any] | None:
        return event_text.event(row, known)

    def sentence(self, event: Mapping[str, Any]) -> str:
        return event_text.sentence(event)

    def terminal_view(self, view: Mapping[str, Any]) -> str:
        return terminal_view.render(view)

    def explain_move(self, move: str) -> str:
        return terminal_view.explain_move(move)


def own(state: GameState) -> SplendorState:
    assert isinstance(state, SplendorState)
    return state


GAME = SplendorMarvel()

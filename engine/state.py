"""The fast side of the engine: what every game's state is, for simulation and search.

Compiled by mypyc from this same source (see `engine.build`); style notes are in docs/engine.md.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr

from engine.rng import Rng

MAX_ACTIONS: Final = 256
"""Actions are numbers below this: CPython keeps those ready-made, and every buffer of legal actions has this size."""

EVERYONE: Final = -1
"""As the knowers of an event: nothing in it is secret."""


Row = tuple[int, int, int, int, int, int]


class Log:
    """What happened, in order. Only a `Match` keeps a log; states cloned by a search have none and pay nothing for it.

    A `Row` is (kind, seat, knowers, a, b, c). `kind` and `seat` are public; `knowers` is a bit mask of the seats that
    may know the operands `a`, `b`, `c` (`EVERYONE` for all, spectators included). What is public and what is secret
    about one event are two rows, so that no reader has to split a row.
    """

    __slots__ = ("rows",)

    def __init__(self) -> None:
        self.rows: list[Row] = []

    def append(self, kind: i64, seat: i64, knowers: i64 = -1, a: i64 = -1, b: i64 = -1, c: i64 = -1) -> None:
        self.rows.append((kind, seat, knowers, a, b, c))


@mypyc_attr(allow_interpreted_subclasses=True)
class GameState:
    """The full state of a match, hidden cards included. Only the `Match` has it; bots copy it after `determinise`."""

    __slots__ = ("log", "luck", "over", "players", "rng", "seat")

    def __init__(self, players: i64, rng: Rng) -> None:
        self.players: i64 = players
        self.seat: i64 = 0  # who decides next; the rules set it
        self.over: bool = False
        self.rng: Rng = rng
        self.luck: i64 = 0  # counts every reveal, draw, roll and random pick: what lies before one cannot be undone
        self.log: Log | None = None

    def legal(self, acts: vec[i64]) -> i64:
        """Write the legal actions of `self.seat`, ascending, into `acts`; returns how many there are."""
        raise NotImplementedError

    def apply(self, action: i64) -> None:
        """Play one legal action and every forced consequence, up to the next decision."""
        raise NotImplementedError

    def legal_aside(self, seat: i64, acts: vec[i64]) -> i64:
        """The same as `legal` for a seat that the match does not wait for but that may act all the same."""
        return 0

    def apply_aside(self, seat: i64, action: i64) -> None:
        """Play one of `legal_aside`."""
        raise NotImplementedError

    def clone(self) -> "GameState":
        """A copy that shares nothing mutable with this one, and keeps no log."""
        raise NotImplementedError

    def determinise(self, seat: i64, rng: Rng) -> None:
        """Redraw all that this seat cannot know (hidden cards, decks, every stream of luck to come), in accord with
        all that it has seen. A seat of -1 is a spectator."""
        raise NotImplementedError

    def redraw(self, rng: Rng) -> None:
        """Draw only the luck to come anew: the order of what nobody has seen, and every stream of random numbers.

        All that any seat has drawn, seen or placed stays, so that what is drawn is as likely as what really came.
        """
        raise NotImplementedError

    def reward(self, seat: i64) -> float:
        """When over: 1 for a win, 0 for a loss, shares between; team-mates get the same."""
        raise NotImplementedError

    def ints(self) -> tuple[int, ...]:
        """The canonical form: equality, hashes and golden files rest on it. Holds every fact that can still matter."""
        raise NotImplementedError

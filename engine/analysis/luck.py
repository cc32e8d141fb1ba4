"""The chances of a position, and what they would have been on average with other luck.

Each playout has its own redraw of the luck to come, and everything that anyone has drawn or seen stays. So the luck of
an event is 0 on average, whoever plays and however well the playouts predict.

Compiled by mypyc; see `engine.build`.
"""

from mypy_extensions import i64

from engine.analysis.futures import Future
from engine.rng import Rng
from engine.state import GameState


class Chances:
    """The chances to win of some seats: sums over playouts."""

    def __init__(self, seats: list[int]) -> None:
        self.seats = seats
        self.count: i64 = 0
        self.totals: list[float] = [0.0 for _ in seats]
        self.squares: list[float] = [0.0 for _ in seats]

    def add(self, state: GameState, future: Future) -> None:
        for place, seat in enumerate(self.seats):
            value = future.chance(state, seat)
            self.totals[place] += value
            self.squares[place] += value * value
        self.count += 1

    def mean(self, place: i64) -> float:
        return self.totals[place] / float(self.count)

    def variance(self, place: i64) -> float:
        """Of the mean."""
        mean = self.mean(place)
        spread = self.squares[place] / float(self.count) - mean * mean
        return spread / float(self.count - 1) if spread > 0.0 and self.count > 1 else 0.0


def chances_of(
    state: GameState, future: Future, rng: Rng, playouts: i64, seats: list[int], answer: i64, answered: Chances
) -> Chances:
    """From this position, with the luck to come unknown.

    Playouts that begin with `answer` are counted in `answered` as well. Where the habits choose without regard to what
    is still to be drawn, they are a fair sample of what comes after that answer; elsewhere there are none.
    """
    chances = Chances(seats)
    while chances.count < playouts:
        world = state.clone()
        world.redraw(rng)
        first: i64 = -1
        if answer >= 0:
            first = future.first_answer(world, rng)
            if first >= 0:
                world.apply(first)
        future.play(world, rng)
        chances.add(world, future)
        if first >= 0 and first == answer:
            answered.add(world, future)
    return chances


def play_after(
    chances: Chances, state: GameState, seat: i64, action: i64, future: Future, rng: Rng, playouts: i64
) -> None:
    """Add playouts after an answer to this position, the luck that the answer brings drawn anew each time."""
    while chances.count < playouts:
        world = state.clone()
        world.redraw(rng)
        if seat == world.seat:
            world.apply(action)
        else:
            world.apply_aside(seat, action)
        future.play(world, rng)
        chances.add(world, future)

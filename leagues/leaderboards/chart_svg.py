"""Rating charts as SVG: where the line and its marks are. Pure geometry."""

from collections.abc import Sequence
from dataclasses import dataclass

SPARK_WIDTH, SPARK_HEIGHT, SPARK_EDGE = 96, 28, 3
WIDE, NARROW = (720, 220), (340, 150)
"""About the size at which a chart is shown, so that its text has the right size."""
LEFT, RIGHT, TOP, BOTTOM = 44, 14, 12, 14
MOST_DOTS = 14
STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000)
LINES = 5


@dataclass(frozen=True)
class Spark:
    """A small chart without text: its points in SVG notation, and where the last one is."""

    points: str
    x: float
    y: float

    @property
    def x_text(self) -> str:
        return str(self.x)

    @property
    def y_text(self) -> str:
        return str(self.y)


def spark(numbers: Sequence[int]) -> Spark | None:
    """None for a single number: there is nothing to draw."""
    if len(numbers) < 2:
        return None
    low, high = min(numbers), max(numbers)
    wide = (SPARK_WIDTH - 2 * SPARK_EDGE) / (len(numbers) - 1)
    tall = SPARK_HEIGHT - 2 * SPARK_EDGE
    spread = high - low or 1
    places = [
        (round(SPARK_EDGE + at * wide, 1), round(SPARK_EDGE + tall * (high - number) / spread, 1))
        for at, number in enumerate(numbers)
    ]
    return Spark(_points(places), *places[-1])


@dataclass(frozen=True)
class Line:
    """A horizontal line that marks a rating."""

    y: float
    points: int


@dataclass(frozen=True)
class Dot:
    """One game on the curve; `at` is its index in the given numbers."""

    x: float
    y: float
    at: int


@dataclass(frozen=True)
class Chart:
    lines: tuple[Line, ...]
    curves: tuple[str, ...]
    dots: tuple[Dot, ...]
    width: int
    height: int

    @property
    def left(self) -> int:
        return LEFT

    @property
    def right(self) -> int:
        return self.width - RIGHT


@dataclass(frozen=True)
class Frame:
    """Where numbers are in a chart of some size."""

    width: int
    height: int
    low: int
    high: int

    def y(self, number: float) -> float:
        return round(TOP + (self.height - TOP - BOTTOM) * (self.high - number) / (self.high - self.low), 1)

    def places(self, numbers: Sequence[float]) -> list[tuple[float, float]]:
        step = (self.width - LEFT - RIGHT) / max(len(numbers) - 1, 1)
        return [(round(LEFT + at * step, 1), self.y(number)) for at, number in enumerate(numbers)]


def chart(numbers: Sequence[float], *others: Sequence[float], size: tuple[int, int] = WIDE) -> Chart:
    """A chart of ratings in points, game by game, beginning with the rating before the first. Others are lines only."""
    every = [number for curve in (numbers, *others) for number in curve]
    low, high, step = _around(min(every), max(every))
    frame = Frame(*size, low, high)
    lines = tuple(Line(frame.y(value), value) for value in range(low, high + 1, step))
    places = frame.places(numbers)
    curves = [_points(places), *(_points(frame.places(curve)) for curve in others)]
    # The line begins with the rating before the first game, which is no game itself.
    dots = tuple(Dot(*places[at], at) for at in chosen(len(places)) if at > 0)
    return Chart(lines, tuple(curves), dots, *size)


def chosen(count: int) -> list[int]:
    """Which of so many points get a mark: all of them, or as many as can be distinguished, always with the last."""
    if count <= MOST_DOTS:
        return list(range(count))
    return sorted({round(at * (count - 1) / (MOST_DOTS - 1)) for at in range(MOST_DOTS)})


def _around(low: float, high: float) -> tuple[int, int, int]:
    """Round numbers around the curve, and the step between the lines."""
    spread = max(high - low, 20)
    step = next(step for step in (*STEPS, 10**9) if spread / step <= LINES)
    bottom, top = int(low // step) * step, -int(-high // step) * step
    return bottom, max(top, bottom + step), step


def _points(places: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in places)

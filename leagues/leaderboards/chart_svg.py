"""Rating charts as SVG: where the line and its marks are. Pure geometry."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

SPARK_WIDTH, SPARK_HEIGHT, SPARK_EDGE = 96, 28, 3
WIDE, NARROW = (720, 220), (340, 150)
"""About the size at which a chart is shown, so that its text has the right size."""
LEFT, RIGHT, TOP, BOTTOM = 44, 14, 12, 14
MOST_DOTS = 14
STEPS = (
    1,
    2,
    5,
    10,
    20,
    25,
    50,
    100,
    200,
    250,
    500,
    1000,
    2000,
    5000,
    10_000,
    20_000,
    50_000,
    100_000,
    200_000,
    500_000,
)
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


@dataclass(frozen=True)
class Column:
    """One bar of a distribution; `at` is its index in the given numbers."""

    x: float
    y: float
    width: float
    height: float
    at: int


@dataclass(frozen=True)
class Tick:
    """A mark under a chart: where it is, and the number or the day it stands for."""

    x: float
    value: int = 0
    day: date | None = None


@dataclass(frozen=True)
class Columns:
    columns: tuple[Column, ...]
    ticks: tuple[Tick, ...]
    lines: tuple[Line, ...]
    width: int
    height: int

    @property
    def left(self) -> int:
        return LEFT

    @property
    def right(self) -> int:
        return self.width - RIGHT

    @property
    def foot(self) -> int:
        """Where the text under the chart stands."""
        return self.height - 6


FOOT = 14
"""More room at the bottom of a chart whose marks have text."""


def columns(first: int, step: int, counts: Sequence[int], size: tuple[int, int] = WIDE) -> Columns:
    """How many are from `first` points on, in steps; beginning at zero, so that bars compare."""
    width, height = size
    low, high, between = _around(0, max(counts, default=1), least=4)
    frame = Frame(width, height - FOOT, low, high)
    wide = (width - LEFT - RIGHT) / max(len(counts), 1)
    bars = tuple(
        Column(
            round(LEFT + at * wide + wide * 0.08, 1),
            frame.y(count),
            round(wide * 0.84, 1),
            round(frame.y(0) - frame.y(count), 1),
            at,
        )
        for at, count in enumerate(counts)
    )
    every = next(many for many in (1, 2, 4, 8, 16, 32, 10**6) if len(counts) / many <= 8)
    ticks = tuple(Tick(round(LEFT + at * wide, 1), first + at * step) for at in range(0, len(counts) + 1, every))
    lines = tuple(Line(frame.y(value), value) for value in range(low, high + 1, between))
    return Columns(bars, ticks, lines, width, height)


@dataclass(frozen=True)
class Days:
    """A line of days from left to right."""

    first: date
    last: date
    width: int

    def x(self, day: date) -> float:
        length = max((self.last - self.first).days, 1)
        return round(LEFT + (self.width - LEFT - RIGHT) * (day - self.first).days / length, 1)

    @property
    def ticks(self) -> tuple[Tick, ...]:
        length = (self.last - self.first).days
        marks = min(4, length)
        days = [self.first + timedelta(days=round(at * length / marks)) for at in range(marks)] if marks else []
        return tuple(Tick(self.x(day), day=day) for day in (*days, self.last))


@dataclass(frozen=True)
class TimeChart:
    """Curves over days. One of a single day is a dot."""

    lines: tuple[Line, ...]
    curves: tuple[str, ...]
    ends: tuple[Spark | None, ...]
    ticks: tuple[Tick, ...]
    width: int
    height: int

    @property
    def left(self) -> int:
        return LEFT

    @property
    def right(self) -> int:
        return self.width - RIGHT

    @property
    def foot(self) -> int:
        return self.height - 6


def over_time(curves: Sequence[Sequence[tuple[date, float]]], size: tuple[int, int] = WIDE) -> TimeChart | None:
    """Numbers by day, each curve in the order of its days; None without any."""
    every = [point for curve in curves for point in curve]
    if not every:
        return None
    low, high, step = _around(min(number for _day, number in every), max(number for _day, number in every))
    width, height = size
    frame = Frame(width, height - FOOT, low, high)
    days = Days(min(day for day, _number in every), max(day for day, _number in every), width)
    lines = tuple(Line(frame.y(value), value) for value in range(low, high + 1, step))
    places = [[(days.x(day), frame.y(number)) for day, number in curve] for curve in curves]
    ends = tuple(Spark("", *curve[-1]) if curve else None for curve in places)
    return TimeChart(lines, tuple(_points(curve) for curve in places), ends, days.ticks, width, height)


@dataclass(frozen=True)
class Span:
    x: float
    width: float


@dataclass(frozen=True)
class Lane:
    """The spans of one leader, under each other with those of the others; `at` is its index."""

    y: float
    spans: tuple[Span, ...]
    at: int


@dataclass(frozen=True)
class Lanes:
    lanes: tuple[Lane, ...]
    ticks: tuple[Tick, ...]
    width: int
    height: int
    lane_height: int

    @property
    def foot(self) -> int:
        return self.height - 6


def lanes(spans: Sequence[Sequence[tuple[date, date]]], width: int = WIDE[0], lane_height: int = 34) -> Lanes | None:
    """From which day to which, one lane for each leader."""
    every = [span for lane in spans for span in lane]
    if not every:
        return None
    days = Days(min(first for first, _last in every), max(last for _first, last in every) + timedelta(days=1), width)
    drawn = []
    for at, lane in enumerate(spans):
        bars = [(days.x(first), days.x(last + timedelta(days=1))) for first, last in lane]
        drawn.append(Lane(TOP + at * lane_height, tuple(Span(x, round(max(end - x, 2), 1)) for x, end in bars), at))
    return Lanes(tuple(drawn), days.ticks, width, TOP + lane_height * len(spans) + BOTTOM + FOOT, lane_height)


def chosen(count: int) -> list[int]:
    """Which of so many points get a mark: all of them, or as many as can be distinguished, always with the last."""
    if count <= MOST_DOTS:
        return list(range(count))
    return sorted({round(at * (count - 1) / (MOST_DOTS - 1)) for at in range(MOST_DOTS)})


def _around(low: float, high: float, least: int = 20) -> tuple[int, int, int]:
    """Round numbers around the curve, and the step between the lines."""
    spread = max(high - low, least)
    step = next(step for step in (*STEPS, 10**9) if spread / step <= LINES)
    bottom, top = int(low // step) * step, -int(-high // step) * step
    return bottom, max(top, bottom + step), step


def _points(places: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in places)

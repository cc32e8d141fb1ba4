"""Places over the rounds as SVG: where the lines are. Pure geometry."""

from collections.abc import Sequence
from dataclasses import dataclass

LEFT, RIGHT, TOP, BOTTOM = 34, 150, 14, 26
STEP, ROW = 84, 22
NARROWEST = 260


@dataclass(frozen=True)
class Curve:
    """One entrant: a line for each unbroken run of rounds, and where its name stands."""

    name: str
    pieces: tuple[str, ...]
    last_x: float
    last_y: float
    label_y: float
    rank: int
    """From 1 for those on the podium, 0 for the others."""
    words: str


@dataclass(frozen=True)
class Tick:
    at: float
    text: str


@dataclass(frozen=True)
class PlaceChart:
    width: int
    height: int
    curves: tuple[Curve, ...]
    rounds: tuple[Tick, ...]
    places: tuple[Tick, ...]

    @property
    def left(self) -> int:
        return LEFT

    @property
    def right(self) -> int:
        return self.width - RIGHT

    @property
    def bottom(self) -> int:
        return self.height - 8

    @property
    def label_x(self) -> int:
        return self.right + 12


Line = tuple[str, Sequence[int | None], int]
"""Name, place after each round, and final place."""


def layout(rounds: Sequence[int], lines: Sequence[Line], podium: int) -> PlaceChart:
    """A row for each place. Those who share a place share its point; every name has a row of its own."""
    width = LEFT + max(NARROWEST, STEP * (len(rounds) - 1)) + RIGHT
    size = max(len(lines), max((place for _name, places, _final in lines for place in places if place), default=1))
    height = TOP + ROW * (size - 1) + BOTTOM
    step = (width - LEFT - RIGHT) / max(1, len(rounds) - 1)

    def x(at: int) -> float:
        return round(LEFT + at * step, 1)

    def y(place: int) -> float:
        return TOP + ROW * (place - 1)

    curves = []
    # Names in the order of the last round, so that no two lie on each other.
    ordered = sorted(range(len(lines)), key=lambda at: (_last(lines[at][1]), lines[at][2], at))
    row_of = {at: row for row, at in enumerate(ordered, 1)}
    for at, (name, places, final) in enumerate(lines):
        known = [(index, place) for index, place in enumerate(places) if place is not None]
        if not known:
            continue
        rank = final if final <= podium else 0
        pieces = tuple(" ".join(f"{x(i):g},{y(place):g}" for i, place in piece) for piece in _pieces(known))
        last, place = known[-1]
        words = ", ".join(str(each) if each else "–" for each in places)
        curves.append(Curve(name, pieces, x(last), y(place), y(row_of[at]), rank, words))
    # The podium is drawn last, on top of the others.
    curves.sort(key=lambda curve: (curve.rank != 0, -curve.rank))
    return PlaceChart(
        width,
        height,
        tuple(curves),
        tuple(Tick(x(at), str(number)) for at, number in enumerate(rounds)),
        tuple(Tick(y(place), str(place)) for place in range(1, size + 1)),
    )


def _last(places: Sequence[int | None]) -> int:
    return next((place for place in reversed(places) if place is not None), len(places) + 1)


def _pieces(known: Sequence[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    """Runs of rounds without a gap."""
    pieces: list[list[tuple[int, int]]] = []
    for index, place in known:
        if pieces and pieces[-1][-1][0] == index - 1:
            pieces[-1].append((index, place))
        else:
            pieces.append([(index, place)])
    return pieces

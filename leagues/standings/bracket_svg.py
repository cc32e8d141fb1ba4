"""The layout of a bracket: positions of boxes and lines, without names and colours.

Rounds are columns with a heading, and a match is between the two it comes from. A phone shows one column at a time and
needs no layout.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from leagues.formats.bracket import Bracket, Match, MatchState

SIDES = ("winners", "losers", "final", "third")
BOX_HEIGHT = 48


@dataclass(frozen=True)
class Box:
    match: Match
    x: int
    y: int

    @property
    def middle(self) -> int:
        return self.y + BOX_HEIGHT // 2


@dataclass(frozen=True)
class BracketLayout:
    """One side of a bracket. Lines are SVG paths from a match to the one its winner goes on to."""

    side: str
    width: int
    height: int
    box_width: int
    boxes: tuple[Box, ...]
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Layout:
    box_width: int
    column: int
    row: int
    # For the headings of the columns.
    top: int


WIDE = Layout(box_width=208, column=240, row=72, top=46)


def layout_bracket(bracket: Bracket, layout: Layout) -> list[BracketLayout]:
    """The layout of every side that has matches."""
    shown = []
    for side in SIDES:
        matches = [m for m in bracket.matches if m.side == side and m.state is not MatchState.UNNEEDED]
        if matches:
            shown.append(_drawn(side, matches, layout))
    return shown


def _drawn(side: str, matches: Sequence[Match], layout: Layout) -> BracketLayout:
    here = {match.id: match for match in matches}
    feeds = {m.id: [str(s.of) for s in m.sources if s.kind == "winner" and s.of in here] for m in matches}
    fed = {source for sources in feeds.values() for source in sources}
    heights: dict[str, int] = {}
    taken = [0]
    for match in matches:
        if match.id not in fed:
            _place(match.id, feeds, heights, taken, layout)
    first = min(match.round for match in matches)
    columns = {match.id: (match.round - first) * layout.column + 1 for match in matches}
    boxes = {match.id: Box(match, columns[match.id], heights[match.id] + layout.top) for match in matches}
    lines = [_line(boxes[source], boxes[id], layout) for id, sources in feeds.items() for source in sources]
    return BracketLayout(
        side,
        max(box.x for box in boxes.values()) + layout.box_width + 1,
        max(box.y for box in boxes.values()) + BOX_HEIGHT + 1,
        layout.box_width,
        tuple(boxes.values()),
        tuple(lines),
    )


def _place(id: str, feeds: dict[str, list[str]], heights: dict[str, int], taken: list[int], layout: Layout) -> None:
    """Set heights from the top, in tree order: what feeds it, then the match in the middle of that."""
    for source in feeds[id]:
        _place(source, feeds, heights, taken, layout)
    if not feeds[id]:
        heights[id] = taken[0]
        taken[0] += layout.row
    else:
        fed_from = [heights[source] for source in feeds[id]]
        heights[id] = sum(fed_from) // len(fed_from)


def _line(before: Box, after: Box, layout: Layout) -> str:
    x = before.x + layout.box_width
    bend = x + (after.x - x) // 2
    return f"M{x} {before.middle}H{bend}V{after.middle}H{after.x}"

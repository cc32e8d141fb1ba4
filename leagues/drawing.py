"""A bracket as a drawing: where every box and line goes. Knows nothing of names, colours or pages.

Two layouts of one tree. Wide: rounds are columns, a match stands between the two it comes from. Narrow, for a phone:
every match has a line of its own between the two it comes from, and rounds are told by how far it is moved in.
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
class Drawing:
    """One side of a bracket. Lines are SVG paths from a match to the one its winner goes on to."""

    side: str
    width: int
    height: int
    box_width: int
    boxes: tuple[Box, ...]
    lines: tuple[str, ...]
    narrow: bool


@dataclass(frozen=True)
class Layout:
    box_width: int
    column: int
    row: int
    narrow: bool


WIDE = Layout(box_width=190, column=226, row=60, narrow=False)
NARROW = Layout(box_width=270, column=14, row=56, narrow=True)


def drawings(bracket: Bracket, layout: Layout) -> list[Drawing]:
    """Every side that has matches, as far as they will be played."""
    shown = []
    for side in SIDES:
        matches = [m for m in bracket.matches if m.side == side and m.state is not MatchState.UNNEEDED]
        if matches:
            shown.append(_drawn(side, matches, layout))
    return shown


def _drawn(side: str, matches: Sequence[Match], layout: Layout) -> Drawing:
    here = {match.id: match for match in matches}
    feeds = {m.id: [str(s.of) for s in m.sources if s.kind == "winner" and s.of in here] for m in matches}
    fed = {source for sources in feeds.values() for source in sources}
    heights: dict[str, int] = {}
    taken = [0]
    for match in matches:
        if match.id not in fed:
            _place(match.id, feeds, heights, taken, layout)
    first = min(match.round for match in matches)
    boxes = {
        match.id: Box(match, (match.round - first) * layout.column + 1, heights[match.id] + 1) for match in matches
    }
    lines = [_line(boxes[source], boxes[id], layout) for id, sources in feeds.items() for source in sources]
    return Drawing(
        side,
        max(box.x for box in boxes.values()) + layout.box_width + 1,
        max(box.y for box in boxes.values()) + BOX_HEIGHT + 1,
        layout.box_width,
        tuple(boxes.values()),
        tuple(lines),
        layout.narrow,
    )


def _place(id: str, feeds: dict[str, list[str]], heights: dict[str, int], taken: list[int], layout: Layout) -> None:
    """Heights from the top, the tree in order: what feeds it from above, then (narrow) the match, then the rest."""
    above, below = (feeds[id][:1], feeds[id][1:]) if len(feeds[id]) > 1 else (feeds[id], [])
    for source in above:
        _place(source, feeds, heights, taken, layout)
    if layout.narrow or not feeds[id]:
        heights[id] = taken[0]
        taken[0] += layout.row
    for source in below:
        _place(source, feeds, heights, taken, layout)
    if id not in heights:
        fed_from = [heights[source] for source in feeds[id]]
        heights[id] = sum(fed_from) // len(fed_from)


def _line(before: Box, after: Box, layout: Layout) -> str:
    if layout.narrow:
        # Down (or up) along the left edge of the box it leads to.
        end = after.y if before.y < after.y else after.y + BOX_HEIGHT
        start = before.y + BOX_HEIGHT if before.y < after.y else before.y
        return f"M{after.x + 7} {start}V{end}"
    x = before.x + layout.box_width
    bend = x + (after.x - x) // 2
    return f"M{x} {before.middle}H{bend}V{after.middle}H{after.x}"

"""The final order of every division if the season ended now, and who is promoted and relegated. Reads only."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.db.models import QuerySet
from django.utils.translation import gettext

from leagues.core import format_catalogue
from leagues.formats import order_rules
from leagues.formats import promotion as format
from leagues.formats.reasons import Reason
from leagues.formats.standings import Row
from leagues.models import Division, Entrant, Season, Stage, Starter
from leagues.standings import ranking

Placed = tuple[int, int, int, int]
"""Division, place, entrant and score."""


@dataclass(frozen=True)
class MovementLine:
    """The place and movement of an entrant; `new` is None for one who leaves."""

    entrant: Entrant
    division: Division
    place: int
    row: Row
    new: int | None
    reason: Reason


@dataclass(frozen=True)
class SeasonClosePreview:
    """What closing would write. `missing` says what is still open, in words."""

    lines: tuple[MovementLine, ...]
    missing: tuple[str, ...]

    @property
    def order(self) -> list[Placed]:
        return [(line.division.pk, line.place, line.entrant.pk, line.row.score) for line in self.lines]


def preview(*, season: Season) -> SeasonClosePreview:
    """The final order of every division and all movements, without writing. Closing writes exactly this."""
    divisions = list(Division.objects.filter(season=season).select_related("season__league__club"))
    missing = [words_ for division in divisions for words_ in _open_in(division)]
    rows = {division.pk: final_order(division) for division in divisions}
    entrants = Entrant.objects.named().filter(season=season).in_bulk()
    moves = {move.entrant: move for move in _movements(divisions, rows, entrants)}
    lines = [
        MovementLine(entrants[row.entrant], division, row.place, row, moves[row.entrant].new, moves[row.entrant].reason)
        for division in divisions
        for row in rows[division.pk]
    ]
    return SeasonClosePreview(tuple(lines), tuple(missing))


def _open_in(division: Division) -> list[str]:
    running = Stage.objects.filter(division=division).exclude(status=Stage.Status.FINISHED)
    if not running.exists():
        return []
    return [gettext("“%(division)s” is not over.") % {"division": division.name}]


def final_order(division: Division) -> list[Row]:
    """The order of the last stage, followed by those eliminated in earlier ones, last stage first.

    Those who share a place in their last stage share it here.
    """
    rows: list[Row] = []
    seen: set[int] = set()
    for stage in _begun(division):
        fresh = [row for row in ranking.ranking(stage) if row.entrant not in seen]
        above = len(rows)
        rows += [
            replace(row, place=above + row.place) for row in order_rules.placed(fresh, key=lambda row: (row.place,))
        ]
        seen |= {row.entrant for row in fresh}
    return rows


def _begun(division: Division) -> QuerySet[Stage]:
    """The last one first."""
    stages = Stage.objects.filter(division=division).exclude(status=Stage.Status.PLANNED)
    return stages.select_related("division__season__league__club").order_by("-position")


def has_points(division: Division) -> bool:
    """Whether points stand behind the final order: the last stage has some, and everybody played in it."""
    last = _begun(division).first()
    if last is None or not format_catalogue.format_of(last).scores:
        return False
    played = Starter.objects.filter(stage__division=division).values("entrant").distinct().count()
    return played == Starter.objects.filter(stage=last).count()


def points_by_entrant(division: Division) -> dict[int, int]:
    """The points behind the final order by entrant; none where it has no points."""
    last = _begun(division).first() if has_points(division) else None
    return {row.entrant: row.score for row in ranking.ranking(last)} if last else {}


def _movements(
    divisions: Sequence[Division], rows: dict[int, list[Row]], entrants: dict[int, Entrant]
) -> tuple[format.Move, ...]:
    finished = [
        format.Finished(
            row.entrant,
            division.level,
            division.number,
            row.place,
            len(rows[division.pk]),
            row.score,
            # Points a game are compared: where only the best rounds count, so many games brought them.
            min(row.played, division.season.best_rounds or row.played),
            up=division.up,
            down=division.down,
            line=line,
        )
        for division in divisions
        for line, row in enumerate(rows[division.pk], 1)
    ]
    if not finished:
        return ()
    leaving = frozenset(each.entrant for each in finished if entrants[each.entrant].is_withdrawn)
    return format.close(finished, leaving=leaving, rooms=_rooms(divisions, rows, leaving)).moves


def _rooms(divisions: Sequence[Division], rows: dict[int, list[Row]], leaving: frozenset[int]) -> list[tuple[int, ...]]:
    """Every level keeps its size, from the highest; the lowest takes all others."""
    sizes: dict[int, int] = defaultdict(int)
    for division in divisions:
        sizes[division.level] += len(rows[division.pk])
    left = sum(sizes.values()) - len(leaving)
    rooms: list[tuple[int, ...]] = []
    for level in range(1, max(sizes) + 1):
        room = min(sizes[level], left)
        rooms.append((room,))
        left -= room
    return rooms

"""Stored standings: a snapshot when a round is closed, and a new version after a correction."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from leagues.formats import reasons
from leagues.formats.standings import Row
from leagues.models import Round, Stage, StandingsSnapshot
from leagues.standings import ranking


def snapshot_round(*, round: Round) -> bool:
    """Store the standings after a round, one for each group, in the caller's transaction.

    True if any differ from those stored before.
    """
    stage, changed = round.stage, False
    tie_breaks = stage.division.season.tie_breaks
    for group in ranking.groups_of(stage) or [0]:
        rows = [row_to_json(row) for row in ranking.ranking(stage, group=group or None, upto=round.number)]
        last = latest(stage, round.number, group)
        if last is not None and last.rows == rows and last.tie_breaks == tie_breaks:
            continue
        StandingsSnapshot.objects.create(
            stage=stage,
            number=round.number,
            group=group,
            version=last.version + 1 if last else 1,
            tie_breaks=tie_breaks,
            rows=rows,
        )
        changed = True
    return changed


def refresh_snapshots_from(*, stage: Stage, number: int) -> None:
    """The same for this round and every closed one after it, after a correction. The stage must be locked."""
    for each in Round.objects.filter(stage=stage, number__gte=number, status=Round.Status.CLOSED).order_by("number"):
        snapshot_round(round=each)


def latest(stage: Stage, number: int, group: int = 0) -> StandingsSnapshot | None:
    return StandingsSnapshot.objects.filter(stage=stage, number=number, group=group).order_by("-version").first()


def stored_rows(stage: Stage, number: int, group: int = 0) -> tuple[Row, ...]:
    """The stored standings after a round; empty if there are none."""
    kept = latest(stage, number, group)
    return tuple(row_from_json(row) for row in kept.rows) if kept else ()


def places_gained(now: Sequence[Row], before: Sequence[Row]) -> dict[int, int]:
    """How many places each entrant has gained since then; new entrants are left out."""
    old = {row.entrant: row.place for row in before}
    return {row.entrant: old[row.entrant] - row.place for row in now if row.entrant in old}


def row_to_json(row: Row) -> dict[str, Any]:
    return {
        "place": row.place,
        "entrant": row.entrant,
        "score": row.score,
        "played": row.played,
        "values": [None if value is None else [value.numerator, value.denominator] for value in row.values],
        "shared": row.shared,
        "reason": reasons.to_json(row.reason),
    }


def row_from_json(row: dict[str, Any]) -> Row:
    values = tuple(None if value is None else Fraction(*value) for value in row["values"])
    return Row(
        row["place"],
        row["entrant"],
        row["score"],
        row["played"],
        values,
        row["shared"],
        reasons.from_json(row["reason"]),
    )

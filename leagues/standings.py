"""Standings as they were: a snapshot at the close of each round, another version after a correction."""

from typing import Any

from leagues import ranking
from leagues.formats.reasons import told
from leagues.formats.standings import Row
from leagues.models import Round, StandingsSnapshot


def snapshot(*, round: Round) -> None:
    """Keep the standings after a round, one for each group, inside the caller's transaction; unchanged ones once."""
    stage = round.stage
    tie_breaks = stage.division.season.tie_breaks
    for group in ranking.groups_of(stage) or [0]:
        rows = [as_json(row) for row in ranking.ranking(stage, group=group or None, upto=round.number)]
        kept = StandingsSnapshot.objects.filter(stage=stage, number=round.number, group=group)
        last = kept.order_by("-version").first()
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


def as_json(row: Row) -> dict[str, Any]:
    return {
        "place": row.place,
        "entrant": row.entrant,
        "score": row.score,
        "played": row.played,
        "values": [None if value is None else [value.numerator, value.denominator] for value in row.values],
        "shared": row.shared,
        "reason": told(row.reason),
    }

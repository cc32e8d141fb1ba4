"""Standings as they were: a snapshot at the close of each round, another version after a correction."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from leagues import news, ranking
from leagues.formats.reasons import heard, told
from leagues.formats.standings import Row
from leagues.models import Round, Stage, StandingsSnapshot


def snapshot(*, round: Round) -> None:
    """Keep the standings after a round, one for each group, inside the caller's transaction; unchanged ones once."""
    stage = round.stage
    tie_breaks = stage.division.season.tie_breaks
    for group in ranking.groups_of(stage) or [0]:
        rows = [as_json(row) for row in ranking.ranking(stage, group=group or None, upto=round.number)]
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
        news.tell_standings(stage)


def snapshot_from(*, stage: Stage, number: int) -> None:
    """The same for this round and every closed one after it: what a correction brings about."""
    for each in Round.objects.filter(stage=stage, number__gte=number, status=Round.Status.CLOSED).order_by("number"):
        snapshot(round=each)


def latest(stage: Stage, number: int, group: int = 0) -> StandingsSnapshot | None:
    return StandingsSnapshot.objects.filter(stage=stage, number=number, group=group).order_by("-version").first()


def kept(stage: Stage, number: int, group: int = 0) -> tuple[Row, ...]:
    """The standings as they were kept after a round; nothing where none were."""
    found = latest(stage, number, group)
    return tuple(from_json(row) for row in found.rows) if found else ()


def climbed(now: Sequence[Row], before: Sequence[Row]) -> dict[int, int]:
    """How many places each entrant has gained since; whoever is new is left out."""
    old = {row.entrant: row.place for row in before}
    return {row.entrant: old[row.entrant] - row.place for row in now if row.entrant in old}


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


def from_json(row: dict[str, Any]) -> Row:
    values = tuple(None if value is None else Fraction(*value) for value in row["values"])
    return Row(row["place"], row["entrant"], row["score"], row["played"], values, row["shared"], heard(row["reason"]))

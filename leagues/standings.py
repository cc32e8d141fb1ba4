"""Standings as they are shown: kept for every closed round, so that a later correction changes no old page unseen."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from django.db.models import Max

from leagues.formats.reasons import heard, told
from leagues.formats.standings import Row
from leagues.models import Round, Stage, Starter, StandingsSnapshot
from leagues.ranking import ranking


def groups_of(stage: Stage) -> list[int | None]:
    """The stage's groups in order; a stage without any is one group called None."""
    found = Starter.objects.filter(stage=stage).order_by("group").values_list("group", flat=True).distinct()
    return list(found) or [None]


def snapshot(*, round: Round) -> None:
    """Inside the caller's transaction: keep the order after this round, once more only if it has changed."""
    stage = round.stage
    for group in groups_of(stage):
        rows = [told_row(row) for row in ranking(stage, group=group, upto=round.number)]
        before = latest(stage, round.number, group)
        if before is not None and before.rows == rows:
            continue
        StandingsSnapshot.objects.create(
            stage=stage,
            number=round.number,
            group=group or 0,
            version=before.version + 1 if before else 1,
            tie_breaks=stage.division.season.tie_breaks,
            rows=rows,
        )


def snapshot_from(*, stage: Stage, number: int) -> None:
    """The same for this round and every closed one after it: what a correction brings about."""
    for each in Round.objects.filter(stage=stage, number__gte=number, status=Round.Status.CLOSED).order_by("number"):
        snapshot(round=each)


def latest(stage: Stage, number: int, group: int | None = None) -> StandingsSnapshot | None:
    kept = StandingsSnapshot.objects.filter(stage=stage, number=number, group=group or 0)
    return kept.order_by("-version").first()


def last_closed(stage: Stage) -> int:
    """The number of the last closed round; 0 before there is one."""
    found = Round.objects.filter(stage=stage, status=Round.Status.CLOSED).aggregate(last=Max("number"))["last"]
    return found or 0


def kept(stage: Stage, number: int, group: int | None = None) -> tuple[Row, ...]:
    """The standings as they were kept after a round; nothing where none were."""
    found = latest(stage, number, group)
    return tuple(heard_row(row) for row in found.rows) if found else ()


def climbed(now: Sequence[Row], before: Sequence[Row]) -> dict[int, int]:
    """How many places each entrant has gained since; new ones are left out."""
    old = {row.entrant: row.place for row in before}
    return {row.entrant: old[row.entrant] - row.place for row in now if row.entrant in old}


def told_row(row: Row) -> dict[str, Any]:
    """A row as JSON: exact, fractions as pairs."""
    values = [None if value is None else [value.numerator, value.denominator] for value in row.values]
    return {
        "place": row.place,
        "entrant": row.entrant,
        "score": row.score,
        "played": row.played,
        "values": values,
        "shared": row.shared,
        "reason": told(row.reason),
    }


def heard_row(row: dict[str, Any]) -> Row:
    values = tuple(None if value is None else Fraction(*value) for value in row["values"])
    return Row(
        row["place"], row["entrant"], row["score"], row["played"], values, row["shared"], heard(row["reason"])
    )

"""Odds brought up to date: as often as one likes, by whom one likes, with the same outcome."""

from datetime import datetime, timedelta
from typing import Any

import structlog
from django.db import transaction
from django.db.models import Count, Max, Min
from django.utils import timezone

from accounts.closing import PutDown
from accounts.models import AuditEntry
from leagues import live
from leagues.models import Division, Odds, OddsAfter, Round, Season
from leagues.odds import apart, reading
from leagues.odds.simulation import RUNS
from leagues.odds.values import NoOdds, Rest
from leagues.odds.values import Odds as Found
from leagues.ratings import read, settling

SECONDS = 20.0
"""Of processor time for one division: a large Swiss is played fewer times rather than for minutes."""
LOST_AFTER = timedelta(minutes=1)
HELD_FOR = timedelta(minutes=5)
SOON = "soon"

log = structlog.get_logger("gauntlet.odds")


def refresh(*, season_id: int, runs: int = RUNS, seconds: float = SECONDS) -> int:
    """Compute what has changed in a running season; how many divisions had."""
    season = Season.objects.select_related("league__club").filter(pk=season_id).first()
    if season is None or not season.is_running or not season.odds:
        return 0
    # Whatever is written down from here on asks for another look.
    entries = _entries().filter(object_id=str(season.pk)).count()
    pool = read.pool_of(season.league.game)
    if pool is not None:
        settling.settle(pool_id=pool.pk)
    changed = 0
    for division in Division.objects.filter(season=season).order_by("level", "number"):
        division.season = season
        changed += _refresh(division, entries, runs, seconds)
    if changed:
        live.changed(season)
    return changed


def _refresh(division: Division, entries: int, runs: int, seconds: float) -> bool:
    """Whether there is news. A position that cannot be computed says so, and is tried again when the log has grown."""
    try:
        return _compute(division, entries, runs, seconds)
    except PutDown:
        raise
    except Exception:
        log.exception("odds could not be computed", division=division.pk)
        return _write(division, entries, basis="", why_not="failed")


def _compute(division: Division, entries: int, runs: int, seconds: float) -> bool:
    try:
        rest = reading.rest_of(division)
        basis = reading.fingerprint(rest)
    except NoOdds as none:
        return _write(division, entries, basis="", why_not=none.code)
    if not _claimed(division, entries, basis):
        return False
    try:
        found = apart.odds(rest, seed=_seed(basis), runs=runs, seconds=seconds)
    except NoOdds as none:
        return _write(division, entries, basis=basis, why_not=none.code)
    except PutDown:
        Odds.objects.filter(division=division, claim=basis).update(claim="", claimed_at=None)
        raise
    remember(division, rest, found)
    rows = [
        {
            "entrant": row.entrant,
            "title": round(row.title, 6),
            "up": round(row.promotion, 6),
            "down": round(row.relegation, 6),
            "expected": round(row.expected, 4),
            "places": [round(each, 6) for each in row.places],
        }
        for row in found.rows
    ]
    return _write(
        division, entries, basis=basis, seed=_seed(basis), runs=found.runs, exact=found.exact, rows=rows, why_not=""
    )


def _seed(basis: str) -> str:
    """Another position, other luck; the same position, the same numbers, on whatever machine."""
    return basis[:16]


@transaction.atomic
def _claimed(division: Division, entries: int, basis: str) -> bool:
    """Whether this position is ours to compute: neither known already nor in somebody else's hands."""
    Odds.objects.get_or_create(division=division, defaults={"why_not": SOON})
    row = Odds.objects.select_for_update(no_key=True).get(division=division)
    now = timezone.now()
    if row.basis == basis:
        Odds.objects.filter(pk=row.pk).update(entries=max(entries, row.entries))
        return False
    if row.claim == basis and row.claimed_at and row.claimed_at > now - HELD_FOR:
        return False
    Odds.objects.filter(pk=row.pk).update(claim=basis, claimed_at=now)
    return True


@transaction.atomic
def _write(division: Division, entries: int, **fields: Any) -> bool:
    """Whether that is news. What was computed from an earlier log does not take the place of a later one's."""
    Odds.objects.get_or_create(division=division, defaults={"why_not": SOON})
    row = Odds.objects.select_for_update(no_key=True).get(division=division)
    if row.entries > entries:
        return False
    blank = {"seed": "", "runs": 0, "exact": False, "rows": [], "why_not": "", "claim": "", "claimed_at": None}
    news = (row.basis, row.why_not) != (fields["basis"], fields["why_not"])
    Odds.objects.filter(pk=row.pk).update(**blank | fields, entries=entries, made_at=timezone.now())
    return news


def remember(division: Division, rest: Rest, found: Found) -> None:
    """For the chart: the chance of the title with so many rounds closed."""
    stage = division.stages.get(status="running", seed=rest.stage.rules.seed)
    closed = Round.objects.filter(stage=stage, status=Round.Status.CLOSED).count()
    titles = {str(row.entrant): round(row.title, 6) for row in found.rows}
    OddsAfter.objects.update_or_create(
        stage=stage, number=closed, defaults={"titles": titles, "made_at": timezone.now()}
    )


def out_of_date(*, now: datetime | None = None) -> list[int]:
    """Running seasons whose log has grown since their odds were made, and whose task must have been lost."""
    running = Season.objects.filter(status=Season.Status.RUNNING, odds=True)
    seen = dict(running.annotate(seen=Min("divisions__odds__entries")).values_list("pk", "seen"))
    rows = _entries().filter(object_id__in=[str(pk) for pk in seen])
    late = (now or timezone.now()) - LOST_AFTER
    grown = rows.values_list("object_id").annotate(Count("pk"), Max("at")).order_by()
    return [int(pk) for pk, count, last in grown if count != seen[int(pk)] and last < late]


def _entries() -> Any:
    return AuditEntry.objects.filter(object_type=Season._meta.label_lower)

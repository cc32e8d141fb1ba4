"""Updates the stored odds of a season. Any number of tasks may run it: the result is the same."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import structlog
from django.db import transaction
from django.db.models import Count, Max, Min, Q
from django.utils import timezone

from accounts.infra.on_commit import after_commit
from accounts.infra.shutdown import ShutdownRequested
from accounts.models import AuditEntry
from leagues.core import odds_request, realtime
from leagues.models import Division, Odds, OddsAfter, Round, Season
from leagues.odds import inputs, subprocess_runner
from leagues.odds.simulation.monte_carlo import RUNS
from leagues.odds.simulation.values import NOTHING, Counts, NoOdds, RemainingSeason
from leagues.odds.simulation.values import Odds as ComputedOdds
from leagues.ratings import pending, queries

FIRST = 2.0
"""Seconds of processor time for the first results."""
STINT = 20.0
"""Seconds of each further task, so that other tasks get their turn in between."""
MOST = 600.0
"""Seconds in all for one position: a very large field gets fewer runs."""
LOST_AFTER = timedelta(minutes=1)
HELD_FOR = timedelta(minutes=1)
HOLD_EVERY = timedelta(seconds=10)
SOON = "soon"
RESULT = ("basis", "knows", "seed", "runs", "exact", "rows", "counts", "growing", "seconds", "why_not")

log = structlog.get_logger("gauntlet.odds")


def refresh(*, season_id: int, runs: int = RUNS, most: float = MOST) -> int:
    """Compute the odds of divisions that have changed, or add runs to unfinished ones; returns how many changed.

    If more runs are needed, another task is sent.
    """
    season = Season.objects.select_related("league__club").filter(pk=season_id).first()
    if season is None or not season.is_running or not season.odds:
        return 0
    # Counted first: later log entries make the odds out of date again.
    entries = _entries(season.pk).count()
    pool = queries.pool_of(season.league.game)
    if pool is not None:
        pending.apply_pending_results(pool_id=pool.pk)
    divisions = list(Division.objects.filter(season=season).order_by("level", "number"))
    for division in divisions:
        division.season = season
    changed = sum(_refresh(division, entries, runs, most) for division in divisions)
    growing = {odds.division_id: odds for odds in Odds.objects.filter(division__in=divisions, growing=True)}
    if growing and not changed:
        # The division with the fewest runs, so that all advance evenly.
        least = min(growing.values(), key=lambda odds: (odds.runs, odds.pk)).division_id
        division = next(each for each in divisions if each.pk == least)
        changed = int(_refresh(division, entries, runs, most, further=True))
        growing = dict(Odds.objects.filter(division__in=divisions, growing=True).in_bulk(field_name="division_id"))
    if changed:
        realtime.broadcast_season_changed(season)
        if growing:
            after_commit(odds_request.send, season.pk)
    return changed


def _refresh(division: Division, entries: int, runs: int, most: float, *, further: bool = False) -> bool:
    """Whether the odds changed. A failure is stored, and computed again when the log has grown."""
    try:
        return _compute(division, entries, runs, most, further=further)
    except ShutdownRequested:
        raise
    except subprocess_runner.Cancelled:
        # The change that made it out of date has sent a task of its own.
        return False
    except Exception:
        log.exception("odds could not be computed", division=division.pk)
        return _write(division, entries, basis="", why_not="failed")


def _compute(division: Division, entries: int, runs: int, most: float, *, further: bool) -> bool:
    closed = _closed(division)
    try:
        rest = inputs.load_remaining_season(division)
        basis = inputs.fingerprint(rest)
    except NoOdds as none:
        return _write(division, entries, basis="", why_not=none.code)
    begun = _claimed(division, entries, basis, further=further)
    if begun is None:
        return False
    so_far, spent = begun
    try:
        computed = subprocess_runner.run_in_subprocess(
            rest,
            seed=_seed(basis),
            runs=runs,
            seconds=min(STINT, most - spent) if so_far.runs else FIRST,
            so_far=so_far,
            stop=_watch(division, entries, basis),
        )
    except NoOdds as none:
        return _write(division, entries, basis=basis, why_not=none.code)
    except (subprocess_runner.Cancelled, ShutdownRequested):
        Odds.objects.filter(division=division, claim=basis).update(claim="", claimed_at=None)
        raise
    spent += computed.seconds
    rows = [
        {
            "entrant": row.entrant,
            "title": round(row.title, 6),
            "up": round(row.promotion, 6),
            "down": round(row.relegation, 6),
            "expected": round(row.expected, 4),
            "places": [round(each, 6) for each in row.places],
        }
        for row in computed.rows
    ]
    growing = not computed.exact and computed.runs < runs and spent < most
    if not _write(
        division,
        entries,
        basis=basis,
        knows=inputs.knowledge(rest),
        seed=_seed(basis),
        runs=computed.runs,
        exact=computed.exact,
        rows=rows,
        counts=computed.counts.spans if growing else [],
        growing=growing,
        seconds=spent,
    ):
        return False
    if _closed(division) == closed:
        # A round closed meanwhile is not included, so these odds must not be charted as those after it.
        store_for_chart(division, rest, computed)
    return True


def _seed(basis: str) -> str:
    """The seed of a position: the same position gives the same numbers on every machine."""
    return basis[:16]


@transaction.atomic
def _claimed(division: Division, entries: int, basis: str, *, further: bool) -> tuple[Counts, float] | None:
    """Claim a position: the counts to continue from and the seconds spent so far; None if there is nothing to do.

    That is so if the odds are up to date, or if another task is computing them.
    """
    Odds.objects.get_or_create(division=division, defaults={"why_not": SOON})
    row = Odds.objects.select_for_update(no_key=True).get(division=division)
    now = timezone.now()
    if row.basis == basis:
        Odds.objects.filter(pk=row.pk).update(entries=max(entries, row.entries))
        if not (further and row.growing):
            return None
    held = Odds.objects.exclude(claim="").filter(claimed_at__gt=now - HELD_FOR)
    # Only one at a time on the whole site, so that workers stay free for bot moves; the sweep finds the others.
    if held.exclude(pk=row.pk).exists() or held.filter(pk=row.pk, claim=basis).exists():
        return None
    Odds.objects.filter(pk=row.pk).update(claim=basis, claimed_at=now)
    if row.basis != basis:
        return NOTHING, 0.0
    return Counts(row.runs, tuple((who, first, last, times) for who, first, last, times in row.counts)), row.seconds


def _watch(division: Division, entries: int, basis: str) -> Callable[[], bool]:
    """A check whether the position has changed meanwhile. It is called every second and renews the claim."""
    seen, held = entries, timezone.now()

    def gone() -> bool:
        nonlocal seen, held
        if timezone.now() > held + HOLD_EVERY:
            held = timezone.now()
            if not Odds.objects.filter(division=division, claim=basis).update(claimed_at=held):
                return True
        grown = _entries(division.season_id).count()
        if grown == seen:
            return False
        seen = grown
        try:
            return inputs.fingerprint(inputs.load_remaining_season(Division.objects.get(pk=division.pk))) != basis
        except NoOdds:
            return True

    return gone


@transaction.atomic
def _write(division: Division, entries: int, **fields: Any) -> bool:
    """Store the odds; returns whether they differ. Odds from an older log do not replace newer ones."""
    Odds.objects.get_or_create(division=division, defaults={"why_not": SOON})
    row = Odds.objects.select_for_update(no_key=True).get(division=division)
    new = {field.name: field.get_default() for field in Odds._meta.fields if field.name in RESULT} | fields
    if new["runs"] and row.claim != new["basis"]:
        # Another task has claimed another position, or finished this one.
        return False
    if row.basis == new["basis"] and row.runs > new["runs"] > 0:
        # A task that took over the expired claim is ahead in the same series of runs.
        return False
    if row.basis != new["basis"] and row.entries > entries:
        return False
    news = (row.basis, row.why_not, row.runs) != (new["basis"], new["why_not"], new["runs"])
    Odds.objects.filter(pk=row.pk).update(
        **new, claim="", claimed_at=None, entries=max(row.entries, entries), made_at=timezone.now()
    )
    return news


def store_for_chart(division: Division, rest: RemainingSeason, computed: ComputedOdds) -> None:
    """Store the title chances after the rounds closed so far, for the chart."""
    stage = division.stages.get(status="running", seed=rest.stage.rules.seed)
    closed = Round.objects.filter(stage=stage, status=Round.Status.CLOSED).count()
    titles = {str(row.entrant): round(row.title, 6) for row in computed.rows}
    OddsAfter.objects.update_or_create(
        stage=stage, number=closed, defaults={"titles": titles, "made_at": timezone.now()}
    )


def _closed(division: Division) -> int:
    return Round.objects.filter(stage__division=division, status=Round.Status.CLOSED).count()


def out_of_date(*, now: datetime | None = None) -> list[int]:
    """Running seasons whose odds are out of date or unfinished, and that no task is working on."""
    running = Season.objects.filter(status=Season.Status.RUNNING, odds=True)
    seen = dict(running.annotate(seen=Min("divisions__odds__entries")).values_list("pk", "seen"))
    rows = AuditEntry.objects.filter(object_type=Season._meta.label_lower, object_id__in=[str(pk) for pk in seen])
    late = (now or timezone.now()) - LOST_AFTER
    grown = rows.values_list("object_id").annotate(Count("pk"), Max("at")).order_by()
    behind = {int(pk) for pk, count, last in grown if count != seen[int(pk)] and last < late}
    left = Odds.objects.filter(Q(claimed_at=None) | Q(claimed_at__lt=late), growing=True, made_at__lt=late)
    return sorted(behind | set(left.filter(division__season__in=seen).values_list("division__season", flat=True)))


def is_behind(odds: Odds, season: Season) -> bool:
    """Whether the season's log has grown since these odds were computed."""
    return bool(_entries(season.pk).count() > odds.entries)


def _entries(season_id: int) -> Any:
    return AuditEntry.objects.filter(object_type=Season._meta.label_lower, object_id=str(season_id))

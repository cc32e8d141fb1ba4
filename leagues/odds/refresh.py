"""Odds brought up to date: as often as one likes, by whom one likes, with the same outcome."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import structlog
from django.db import transaction
from django.db.models import Count, Max, Min, Q
from django.utils import timezone

from accounts.closing import PutDown
from accounts.effects import after_commit
from accounts.models import AuditEntry
from leagues import live
from leagues.models import Division, Odds, OddsAfter, Round, Season
from leagues.odds import apart, queue, reading
from leagues.odds.simulation import RUNS
from leagues.odds.values import NOTHING, Counts, NoOdds, Rest
from leagues.odds.values import Odds as Found
from leagues.ratings import read, settling

FIRST = 2.0
"""Seconds of processor time until there is something to show."""
STINT = 20.0
"""For one task after that: whatever else waits in the queue has its turn in between."""
MOST = 600.0
"""For one position in all: a giant field is played fewer times rather than for hours."""
LOST_AFTER = timedelta(minutes=1)
HELD_FOR = timedelta(minutes=1)
HOLD_EVERY = timedelta(seconds=10)
SOON = "soon"
RESULT = ("basis", "knows", "seed", "runs", "exact", "rows", "counts", "growing", "seconds", "why_not")

log = structlog.get_logger("gauntlet.odds")


def refresh(*, season_id: int, runs: int = RUNS, most: float = MOST) -> int:
    """Compute what has changed in a running season, or go on with what is not done; how many divisions have news.

    What is left then is for another task, which is sent.
    """
    season = Season.objects.select_related("league__club").filter(pk=season_id).first()
    if season is None or not season.is_running or not season.odds:
        return 0
    # Whatever is written down from here on asks for another look.
    entries = _entries(season.pk).count()
    pool = read.pool_of(season.league.game)
    if pool is not None:
        settling.settle(pool_id=pool.pk)
    divisions = list(Division.objects.filter(season=season).order_by("level", "number"))
    for division in divisions:
        division.season = season
    changed = sum(_refresh(division, entries, runs, most) for division in divisions)
    growing = {odds.division_id: odds for odds in Odds.objects.filter(division__in=divisions, growing=True)}
    if growing and not changed:
        # The one that knows least, so that all come along together.
        least = min(growing.values(), key=lambda odds: (odds.runs, odds.pk)).division_id
        division = next(each for each in divisions if each.pk == least)
        changed = int(_refresh(division, entries, runs, most, further=True))
        growing = dict(Odds.objects.filter(division__in=divisions, growing=True).in_bulk(field_name="division_id"))
    if changed:
        live.changed(season)
        if growing:
            after_commit(queue.send, season.pk)
    return changed


def _refresh(division: Division, entries: int, runs: int, most: float, *, further: bool = False) -> bool:
    """Whether there is news. A position that cannot be computed says so, and is tried again when the log has grown."""
    try:
        return _compute(division, entries, runs, most, further=further)
    except PutDown:
        raise
    except apart.Stopped:
        # Whatever made it out of date has asked for a task of its own.
        return False
    except Exception:
        log.exception("odds could not be computed", division=division.pk)
        return _write(division, entries, basis="", why_not="failed")


def _compute(division: Division, entries: int, runs: int, most: float, *, further: bool) -> bool:
    closed = _closed(division)
    try:
        rest = reading.rest_of(division)
        basis = reading.fingerprint(rest)
    except NoOdds as none:
        return _write(division, entries, basis="", why_not=none.code)
    begun = _claimed(division, entries, basis, further=further)
    if begun is None:
        return False
    so_far, spent = begun
    try:
        found = apart.odds(
            rest,
            seed=_seed(basis),
            runs=runs,
            seconds=min(STINT, most - spent) if so_far.runs else FIRST,
            so_far=so_far,
            stop=_watch(division, entries, basis),
        )
    except NoOdds as none:
        return _write(division, entries, basis=basis, why_not=none.code)
    except (apart.Stopped, PutDown):
        Odds.objects.filter(division=division, claim=basis).update(claim="", claimed_at=None)
        raise
    spent += found.seconds
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
    growing = not found.exact and found.runs < runs and spent < most
    if not _write(
        division,
        entries,
        basis=basis,
        knows=reading.knowledge(rest),
        seed=_seed(basis),
        runs=found.runs,
        exact=found.exact,
        rows=rows,
        counts=found.counts.spans if growing else [],
        growing=growing,
        seconds=spent,
    ):
        return False
    if _closed(division) == closed:
        # Otherwise they would stand in the chart as those after a round that they know nothing of.
        remember(division, rest, found)
    return True


def _seed(basis: str) -> str:
    """Another position, other luck; the same position, the same numbers, on whatever machine."""
    return basis[:16]


@transaction.atomic
def _claimed(division: Division, entries: int, basis: str, *, further: bool) -> tuple[Counts, float] | None:
    """Where to go on from, and the seconds spent on it; None if this position is not ours to compute.

    It is not if it is known already, for the time being or for good, or in somebody else's hands.
    """
    Odds.objects.get_or_create(division=division, defaults={"why_not": SOON})
    row = Odds.objects.select_for_update(no_key=True).get(division=division)
    now = timezone.now()
    if row.basis == basis:
        Odds.objects.filter(pk=row.pk).update(entries=max(entries, row.entries))
        if not (further and row.growing):
            return None
    held = Odds.objects.exclude(claim="").filter(claimed_at__gt=now - HELD_FOR)
    # One in the whole house at a time, so that no worker is missing where moves wait; the sweep comes back to the rest.
    if held.exclude(pk=row.pk).exists() or held.filter(pk=row.pk, claim=basis).exists():
        return None
    Odds.objects.filter(pk=row.pk).update(claim=basis, claimed_at=now)
    if row.basis != basis:
        return NOTHING, 0.0
    return Counts(row.runs, tuple((who, first, last, times) for who, first, last, times in row.counts)), row.seconds


def _watch(division: Division, entries: int, basis: str) -> Callable[[], bool]:
    """Asked every second while it is computed: whether the position is another one by now. Keeps the claim alive."""
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
            return reading.fingerprint(reading.rest_of(Division.objects.get(pk=division.pk))) != basis
        except NoOdds:
            return True

    return gone


@transaction.atomic
def _write(division: Division, entries: int, **fields: Any) -> bool:
    """Whether that is news. What was computed from an earlier log does not take the place of a later one's."""
    Odds.objects.get_or_create(division=division, defaults={"why_not": SOON})
    row = Odds.objects.select_for_update(no_key=True).get(division=division)
    new = {field.name: field.get_default() for field in Odds._meta.fields if field.name in RESULT} | fields
    if new["runs"] and row.claim != new["basis"]:
        # Somebody is at another position by now, or has done this one.
        return False
    if row.basis == new["basis"] and row.runs > new["runs"] > 0:
        # Whoever took over a claim that was not kept alive is ahead: it is the same series of runs.
        return False
    if row.basis != new["basis"] and row.entries > entries:
        return False
    news = (row.basis, row.why_not, row.runs) != (new["basis"], new["why_not"], new["runs"])
    Odds.objects.filter(pk=row.pk).update(
        **new, claim="", claimed_at=None, entries=max(row.entries, entries), made_at=timezone.now()
    )
    return news


def remember(division: Division, rest: Rest, found: Found) -> None:
    """For the chart: the chance of the title with so many rounds closed."""
    stage = division.stages.get(status="running", seed=rest.stage.rules.seed)
    closed = Round.objects.filter(stage=stage, status=Round.Status.CLOSED).count()
    titles = {str(row.entrant): round(row.title, 6) for row in found.rows}
    OddsAfter.objects.update_or_create(
        stage=stage, number=closed, defaults={"titles": titles, "made_at": timezone.now()}
    )


def _closed(division: Division) -> int:
    return Round.objects.filter(stage__division=division, status=Round.Status.CLOSED).count()


def out_of_date(*, now: datetime | None = None) -> list[int]:
    """Running seasons whose log has grown since their odds were made, or with runs to come, and no task at it."""
    running = Season.objects.filter(status=Season.Status.RUNNING, odds=True)
    seen = dict(running.annotate(seen=Min("divisions__odds__entries")).values_list("pk", "seen"))
    rows = AuditEntry.objects.filter(object_type=Season._meta.label_lower, object_id__in=[str(pk) for pk in seen])
    late = (now or timezone.now()) - LOST_AFTER
    grown = rows.values_list("object_id").annotate(Count("pk"), Max("at")).order_by()
    behind = {int(pk) for pk, count, last in grown if count != seen[int(pk)] and last < late}
    left = Odds.objects.filter(Q(claimed_at=None) | Q(claimed_at__lt=late), growing=True, made_at__lt=late)
    return sorted(behind | set(left.filter(division__season__in=seen).values_list("division__season", flat=True)))


def is_behind(odds: Odds, season: Season) -> bool:
    """Whether the season's log has grown since these odds looked at it."""
    return bool(_entries(season.pk).count() > odds.entries)


def _entries(season_id: int) -> Any:
    return AuditEntry.objects.filter(object_type=Season._meta.label_lower, object_id=str(season_id))

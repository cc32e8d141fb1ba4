"""Applies pending results: the only place where ratings are written.

A new result, a correction and a whole rebuild differ only in where they start. One transaction at a time updates a
pool, under the lock of its row; results may be recorded meanwhile and wait for the next one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

import structlog
from django.db.models import Q

from accounts.infra import db
from accounts.infra.batches import BATCH, batches
from leagues.elo.result_types import METHOD
from leagues.models import RatedResult, RatingPool
from leagues.ratings.recompute import PoolRecompute, Report

UNSETTLED = Q(counts=True, folded=False) | Q(counts=False, folded=True)

log = structlog.get_logger("gauntlet.ratings")


def pools_with_pending_results() -> list[int]:
    """Pools with results to apply, and those computed by an earlier method."""
    owed = RatedResult.objects.filter(UNSETTLED).order_by().values("pool_id")
    pools = RatingPool.objects.filter(~Q(method=METHOD) | Q(pk__in=owed))
    return list(pools.order_by("pk").values_list("pk", flat=True))


def apply_pending_results(*, pool_id: int) -> Report | None:
    """Apply all pending results of a pool; None if there are none. Safe to run twice or concurrently."""
    if not RatingPool.objects.filter(pk=pool_id).exists():
        return None
    return db.repeat_when_locked(lambda: _apply(pool_id))


def _apply(pool_id: int) -> Report | None:
    pool = _lock_pool(pool_id)
    # A correction of several results locks them in its own order: it may wait for us, we never wait for it.
    with db.give_way():
        return _apply_locked(pool)


def _apply_locked(pool: RatingPool) -> Report | None:
    owed = list(RatedResult.objects.filter(UNSETTLED, pool=pool).order_by("finished_at", "source"))
    if not owed and pool.method == METHOD:
        return None
    since = place(owed)
    sources = [result.source for result in owed]
    return PoolRecompute(pool, since=since if pool.method == METHOD else None, sources=sources).run()


def place(owed: Sequence[RatedResult]) -> datetime | None:
    """Set the time at which the results of changed batches count; returns the first moment to recompute from.

    A batch counts when the first of its results ended, so a new first result moves all of them.
    """
    in_doubt = [result.counts_at for result in owed if result.counts_at]
    begins: dict[str, datetime] = {}
    known: list[RatedResult] = []
    for some in batches({result.batch for result in owed if result.batch}):
        known += RatedResult.objects.filter(Q(counts=True) | Q(folded=True), batch__in=some)
    for result in known:
        if result.counts:
            begins[result.batch] = min(result.finished_at, begins.get(result.batch, result.finished_at))
        if result.folded and result.counts_at:
            in_doubt.append(result.counts_at)
    moved = [result for result in known if result.counts and result.counts_at != begins[result.batch]]
    for result in moved:
        result.counts_at = begins[result.batch]
    RatedResult.objects.bulk_update(moved, ["counts_at"], batch_size=BATCH)
    return min([*in_doubt, *begins.values()], default=None)


@dataclass(frozen=True)
class Checked:
    """A pool that was rebuilt; `report` says what was wrong."""

    pool: RatingPool
    report: Report


def rebuild(*, pool_id: int, progress: Callable[[int], None] | None = None) -> Checked:
    """Recompute a pool from its first result, and correct every number that differs."""
    return db.repeat_when_locked(lambda: _rebuild(pool_id, progress))


def _rebuild(pool_id: int, progress: Callable[[int], None] | None) -> Checked:
    pool = _lock_pool(pool_id)
    with db.give_way():
        place(list(RatedResult.objects.filter(pool=pool).exclude(batch="")))
        return Checked(pool, PoolRecompute(pool, since=None, sources=[], progress=progress).run())


def check_all() -> list[Checked]:
    """Rebuild every pool. A difference is corrected and logged, because it means that something went wrong."""
    checked = []
    for pool_id in RatingPool.objects.order_by("pk").values_list("pk", flat=True):
        apply_pending_results(pool_id=pool_id)
        rebuilt = rebuild(pool_id=pool_id)
        if rebuilt.report.differs:
            log.error("ratings differed from their results", pool=str(rebuilt.pool), **vars(rebuilt.report))
        checked.append(rebuilt)
    return checked


def _lock_pool(pool_id: int) -> RatingPool:
    # Not a lock on the key, so that a new result can refer to the pool without waiting.
    return RatingPool.objects.select_for_update(no_key=True).get(pk=pool_id)

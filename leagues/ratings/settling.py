"""Folding what is owed: the only place where ratings are written.

One way for all: a new result, a correction and a whole rebuild differ only in where they begin. A pool is folded by
one transaction at a time, under the lock of its row; facts may be added meanwhile and wait for the next.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

import structlog
from django.db import transaction
from django.db.models import Q

from leagues.models import RatedResult, RatingPool
from leagues.ratings.batches import BATCH, batches
from leagues.ratings.folding import Folding, Report
from leagues.ratings.kinds import METHOD

UNSETTLED = Q(counts=True, folded=False) | Q(counts=False, folded=True)

log = structlog.get_logger("gauntlet.ratings")


def unsettled_pools() -> list[int]:
    """Those with results to fold, and those that were folded by an earlier method."""
    owed = RatedResult.objects.filter(UNSETTLED).order_by().values("pool_id")
    pools = RatingPool.objects.filter(~Q(method=METHOD) | Q(pk__in=owed))
    return list(pools.order_by("pk").values_list("pk", flat=True))


@transaction.atomic
def settle(*, pool_id: int) -> Report | None:
    """Fold all that is owed in a pool; None when nothing is. Safe to run twice, or at once."""
    if not RatingPool.objects.filter(pk=pool_id).exists():
        return None
    pool = _hold(pool_id)
    owed = list(RatedResult.objects.filter(UNSETTLED, pool=pool).order_by("finished_at", "source"))
    if not owed and pool.method == METHOD:
        return None
    since = place(owed)
    sources = [result.source for result in owed]
    return Folding(pool, since=since if pool.method == METHOD else None, sources=sources).run()


def place(owed: Sequence[RatedResult]) -> datetime | None:
    """Give every result of a batch that has changed its place in the order; the first moment that is in doubt.

    A batch counts when the first of its results ended. Another first one moves all of them.
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
    """A pool folded again from its first result; `report` says what was other than it should have been."""

    pool: RatingPool
    report: Report


@transaction.atomic
def rebuild(*, pool_id: int, progress: Callable[[int], None] | None = None) -> Checked:
    """Fold a pool from its very first result, and put right whatever is other than it should be."""
    pool = _hold(pool_id)
    place(list(RatedResult.objects.filter(pool=pool).exclude(batch="")))
    return Checked(pool, Folding(pool, since=None, sources=[], progress=progress).run())


def check_all() -> list[Checked]:
    """Rebuild every pool; a difference is put right and logged, because it means that something went wrong."""
    checked = []
    for pool_id in RatingPool.objects.order_by("pk").values_list("pk", flat=True):
        settle(pool_id=pool_id)
        found = rebuild(pool_id=pool_id)
        if found.report.differs:
            log.error("ratings differed from their results", pool=str(found.pool), **vars(found.report))
        checked.append(found)
    return checked


def _hold(pool_id: int) -> RatingPool:
    # Not a lock on the key: a result that arrives meanwhile refers to the pool without waiting.
    return RatingPool.objects.select_for_update(no_key=True).get(pk=pool_id)

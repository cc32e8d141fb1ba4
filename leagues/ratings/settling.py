"""Folding what is owed: the only place where ratings are written.

One way for all: a new result, a correction and a whole rebuild differ only in where they begin. A pool is folded by
one transaction at a time, under the lock of its row; facts may be added meanwhile and wait for the next.
"""

from collections.abc import Callable
from dataclasses import dataclass

import structlog
from django.db import transaction
from django.db.models import Q

from leagues.models import RatedResult, RatingPool
from leagues.ratings.folding import Folding, Report

UNSETTLED = Q(counts=True, folded=False) | Q(counts=False, folded=True)

log = structlog.get_logger("gauntlet.ratings")


def unsettled_pools() -> list[int]:
    return list(RatedResult.objects.filter(UNSETTLED).order_by().values_list("pool_id", flat=True).distinct())


@transaction.atomic
def settle(*, pool_id: int) -> Report | None:
    """Fold all that is owed in a pool; None when nothing is. Safe to run twice, or at once."""
    if not RatingPool.objects.filter(pk=pool_id).exists():
        return None
    pool = _hold(pool_id)
    owed = list(RatedResult.objects.filter(UNSETTLED, pool=pool).order_by("finished_at", "source"))
    if not owed:
        return None
    return Folding(pool, since=owed[0].finished_at, sources=[result.source for result in owed]).run()


@dataclass(frozen=True)
class Checked:
    """A pool folded again from its first result; `report` says what was other than it should have been."""

    pool: RatingPool
    report: Report


@transaction.atomic
def rebuild(*, pool_id: int, progress: Callable[[int], None] | None = None) -> Checked:
    """Fold a pool from its very first result, and put right whatever is other than it should be."""
    pool = _hold(pool_id)
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

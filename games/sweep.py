"""The periodic sweep: lost bot turns and expired clocks."""

from datetime import timedelta

import structlog
from django.db.models import F, Q
from django.utils import timezone

from accounts.infra import metrics
from games.models import Match
from games.play import clocks, dispatch, fair_share
from games.tables import exhibition

# A new task is sent if a bot has not moved after this time.
STALE_AFTER = timedelta(seconds=2)
RETRY_INTERVAL = timedelta(seconds=3)
SWEEP_BATCH = 500

log = structlog.get_logger("gauntlet.sweep")


def sweep() -> int:
    """Restart lost bot turns and expire clocks; returns how many of both. Two sweeps at once do no harm."""
    return revive_bots() + expire_clocks()


def revive_bots() -> int:
    now = timezone.now()
    unclaimed = Match.objects.filter(Q(bot_held=None) | Q(bot_held__lte=now), status=Match.Status.PLAYING)
    lost = fair_share.awake(unclaimed.filter(pace=0, bot_due__lte=now - STALE_AFTER), now - fair_share.AWAKE_FOR)
    paced = exhibition.being_watched(unclaimed.filter(pace__gt=0, bot_due__lte=now), now)
    revived = 0
    for match in [*lost.order_by("bot_due")[:SWEEP_BATCH], *paced.order_by("bot_due")[:SWEEP_BATCH]]:
        # Wait before the next try: the sweep must not flood a queue that is behind.
        claimed = Match.objects.filter(pk=match.pk, ply=match.ply, bot_due=match.bot_due).update(
            bot_due=now + RETRY_INTERVAL if match.pace else now
        )
        if claimed:
            dispatch.enqueue_bot_turn(match.pk)
            revived += 1
            if not match.pace:
                metrics.REVIVED.inc()
    return revived


def expire_clocks() -> int:
    due = Match.objects.filter(status=Match.Status.PLAYING, deadline__lte=timezone.now() - clocks.GRACE)
    fallen = 0
    for match_id in due.order_by("deadline").values_list("pk", flat=True)[:SWEEP_BATCH]:
        try:
            if clocks.expire_clock(match_id=match_id):
                fallen += 1
                metrics.FALLEN.inc()
        except Exception:
            # One broken match must not block the others.
            log.exception("a clock did not fall", match=match_id)
            Match.objects.filter(pk=match_id).update(deadline=F("deadline") + timedelta(hours=1))
    return fallen

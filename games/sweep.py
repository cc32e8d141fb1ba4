"""What nobody may forget: bots that owe an answer, and clocks that have fallen."""

from datetime import timedelta

import structlog
from django.db.models import F, Q
from django.utils import timezone

from accounts import meters
from games import clocks, exhibition, queue
from games.models import Match

# A task that was sent has this long to answer before another is sent.
LOST_AFTER = timedelta(seconds=2)
NOT_AGAIN_FOR = timedelta(seconds=3)
A_SWEEP = 500

log = structlog.get_logger("gauntlet.sweep")


def sweep() -> int:
    """Revive lost bot turns and let fallen clocks fall; how many of both. Two sweeps at once do no harm."""
    return revive_bots() + fell_clocks()


def revive_bots() -> int:
    now = timezone.now()
    owed = Match.objects.filter(Q(bot_held=None) | Q(bot_held__lte=now), status=Match.Status.PLAYING)
    lost = owed.filter(pace=0, bot_due__lte=now - LOST_AFTER)
    paced = exhibition.being_watched(owed.filter(pace__gt=0, bot_due__lte=now), now)
    revived = 0
    for match in [*lost.order_by("bot_due")[:A_SWEEP], *paced.order_by("bot_due")[:A_SWEEP]]:
        # Not again at once: a queue that has fallen behind must not grow by every sweep.
        claimed = Match.objects.filter(pk=match.pk, ply=match.ply, bot_due=match.bot_due).update(
            bot_due=now + NOT_AGAIN_FOR
        )
        if claimed:
            queue.send(match.pk)
            revived += 1
            if not match.pace:
                meters.REVIVED.inc()
    return revived


def fell_clocks() -> int:
    due = Match.objects.filter(status=Match.Status.PLAYING, deadline__lte=timezone.now() - clocks.GRACE)
    fallen = 0
    for match_id in due.order_by("deadline").values_list("pk", flat=True)[:A_SWEEP]:
        try:
            if clocks.fall(match_id=match_id):
                fallen += 1
                meters.FALLEN.inc()
        except Exception:
            # One poisonous match must not keep the others' clocks from falling.
            log.exception("a clock did not fall", match=match_id)
            Match.objects.filter(pk=match_id).update(deadline=F("deadline") + timedelta(hours=1))
    return fallen

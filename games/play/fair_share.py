"""Who is served next when more bots are to move than can think at once.

A task only says that some bot has to move. Which one is decided when a worker is free: tables with people before
exhibitions, and among them the person whose bots have thought least in the last minutes. So somebody with forty tables
waits for their own tables, and everybody else hardly notices.

A table that nobody looks at sleeps: its bots think on as soon as somebody opens it.
"""

import time
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from django.core.cache import cache
from django.db.models import Count, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from accounts.infra.best_effort_cache import ignore_errors
from accounts.infra.errors import Refused
from accounts.infra.prepared_query import PreparedRows
from accounts.models import User
from games import presence
from games.models import Match
from games.play import dispatch

MOST_RUNNING = 6
"""So many tables with bots, touched in the last day, one person may have under way as their host."""
TOUCHED = timedelta(days=1)
MINUTES = 10
# Minutes that are counted together: each is one more number to look up for every table that waits.
COUNTED_TOGETHER = 2
MOST_SECONDS = 600
"""So long the bots of one person may think in ten minutes: as long as one core has."""
AWAKE_FOR = timedelta(minutes=3)
LOOK_INTERVAL = 20
CANDIDATES = 200


class Candidate(NamedTuple):
    """All of a table that the order depends on."""

    pk: int
    key: str
    players: int
    host_id: int | None
    pace: int
    bot_due: datetime
    host__trial_seen_at: datetime | None = None
    # How many people play there.
    people: int = 1


# -- how much one person may have


def check_running(person: User) -> None:
    """Refuse another table with bots while enough of this person's are under way."""
    running = Match.objects.filter(host=person, status=Match.Status.PLAYING, pace=0, seats__bot_level__gt="")
    if running.filter(turn_since__gt=timezone.now() - TOUCHED).distinct().count() >= MOST_RUNNING:
        raise Refused(
            gettext("You have %(count)s tables with bots under way. Play one to its end, or resign it, and start anew.")
            % {"count": MOST_RUNNING}
        )


def charge(match: Match, seconds: float) -> None:
    """Count the time that a bot has thought for whoever opened the table."""
    key = _key(payer_of(match), _period())
    thousandths = max(1, round(seconds * 1000))
    with ignore_errors():
        try:
            cache.incr(key, thousandths)
        except ValueError:  # the first in this period, or the first two at once
            cache.add(key, 0, (MINUTES + COUNTED_TOGETHER) * 60)
            cache.incr(key, thousandths)


def seconds_used(payers: Iterable[str]) -> dict[str, float]:
    """How long the bots of each have thought in the last minutes."""
    now = _period()
    keys = {_key(payer, now - ago): payer for payer in set(payers) for ago in range(MINUTES // COUNTED_TOGETHER)}
    used = dict.fromkeys(keys.values(), 0.0)
    with ignore_errors():
        for key, thousandths in cache.get_many(keys).items():
            used[keys[key]] += thousandths / 1000
    return used


def payer_of(match: Match | Candidate) -> str:
    """Whose time it is: the host's. A table of a league has no host, and its time of its own."""
    return f"person-{match.host_id}" if match.host_id else f"table-{match.pk}"


def _key(payer: str, period: int) -> str:
    return f"thinking-{payer}-{period}"


def _period() -> int:
    return int(time.time() // (60 * COUNTED_TOGETHER))


# -- who is next


def next_matches(sender: int) -> list[int]:
    """The tables to serve, in order: those whose bots are due, and the one that sent the task."""
    now = timezone.now()
    rows = DUE.fetch(sender=sender, now=now, lately=now - AWAKE_FOR)
    return [match.pk for match in in_fair_order([Candidate(*row) for row in rows])]


def _due(sender: int, now: datetime, lately: datetime) -> QuerySet[Match, Any]:
    free = Q(bot_held=None) | Q(bot_held__lte=now)
    # The sweep sends a task a little before the time that it writes: the sender is due in any case.
    due = Match.objects.filter(free, Q(bot_due__lte=now) | Q(pk=sender, bot_due__isnull=False))
    rows = awake(due.filter(status=Match.Status.PLAYING), lately).order_by("bot_due")
    # The rest of a row, above all what the table shows, is not loaded for every candidate.
    return rows.values_list(*Candidate._fields)[:CANDIDATES]


DUE = PreparedRows(_due, sender=-(2**53), now=datetime(1970, 1, 1, tzinfo=UTC), lately=datetime(1970, 1, 2, tzinfo=UTC))


def in_fair_order(matches: Sequence[Candidate]) -> list[Candidate]:
    """These tables, whose bots are to move, in the order in which they are served; those over their limit are not."""
    used = seconds_used(payer_of(match) for match in matches)
    served = [match for match in matches if used[payer_of(match)] < MOST_SECONDS]
    seated = [(match.key, match.players) for match in served if match.people] if len(served) > 1 else []
    looked_at = presence.tables_looked_at(seated) if seated else set()
    return sorted(served, key=lambda match: (_rank(match, looked_at), used[payer_of(match)], match.bot_due, match.pk))


def _rank(match: Candidate, looked_at: set[str]) -> int:
    """Tables that somebody with an account sits at and looks at, other tables, exhibitions."""
    if match.pace:
        return 2
    if match.host__trial_seen_at is not None:
        return 1
    return 0 if match.key in looked_at else 1


# -- tables that sleep


def awake(matches: QuerySet[Match], lately: datetime) -> QuerySet[Match]:
    """Without the tables that sleep: opened by somebody, without a clock, and nobody was waiting for bots lately."""
    people = Count("seats", filter=Q(seats__user__isnull=False, seats__bot_level="", seats__left=""))
    return matches.annotate(people=people).filter(
        Q(host=None, pace=0)
        | ~Q(clock=Match.Clock.NONE)
        | Q(watched_at__gt=lately)
        | Q(people__gte=2)
        # One person has just moved, and the bots answer.
        | Q(people=1, turn_since__gt=lately)
    )


def look_at(match: Match) -> None:
    """Somebody looks at this table: it stays awake, and wakes if it slept."""
    if match.pace or not match.is_playing:
        return
    first = True
    with ignore_errors():
        first = cache.add(f"look-{match.pk}", 1, LOOK_INTERVAL)
    if not first:
        return
    now = timezone.now()
    slept = match.bot_due is not None and not awake(Match.objects.filter(pk=match.pk), now - AWAKE_FOR).exists()
    Match.objects.filter(pk=match.pk).update(watched_at=now)
    if slept:
        dispatch.enqueue_bot_turn(match.pk)

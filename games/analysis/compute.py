"""Computes the analysis of a match in a process of its own, below play, and keeps it. Any number of tasks may try."""

from datetime import timedelta
from typing import Any

import structlog
from django.core.cache import cache
from django.db.models import F, Q
from django.utils import timezone

from accounts.infra import shutdown
from accounts.infra.best_effort_cache import ignore_errors
from engine.analysis import VERSION
from games import fairness
from games.analysis import program, request
from games.models import Analysis, Match
from games.realtime import broadcast

HELD_FOR = timedelta(minutes=2)
LOST_AFTER = timedelta(minutes=3)
SEND_AGAIN = 60
MAX_ATTEMPTS = 3
FAILED = "failed"
CALLED_OFF = "called-off"

log = structlog.get_logger("gauntlet.analysis")


def analyse(*, match_id: int) -> bool:
    """Compute what was asked for, unless it is there, or another worker is at it; whether it was computed here."""
    now = timezone.now()
    free = Q(held=None) | Q(held__lte=now)
    waiting = Analysis.objects.filter(free, match_id=match_id, state=Analysis.State.WAITING)
    if not waiting.update(held=now + HELD_FOR, attempts=F("attempts") + 1):
        return False
    analysis = Analysis.objects.select_related("match__card_file").get(match_id=match_id)
    match = analysis.match
    try:
        answer = _answer(analysis)
    except shutdown.ShutdownRequested:
        Analysis.objects.filter(pk=analysis.pk).update(held=None, attempts=F("attempts") - 1)
        raise
    except Exception:
        log.exception("a match could not be analysed", match=match.key)
        answer = {"refused": FAILED} if analysis.attempts >= MAX_ATTEMPTS else {}
    if answer:
        _keep(analysis, answer)
    broadcast.broadcast_analysis(match, state=Analysis.objects.get(pk=analysis.pk).state)
    return bool(answer)


def _answer(analysis: Analysis) -> dict[str, Any]:
    match = analysis.match
    if analysis.attempts > MAX_ATTEMPTS:  # the workers that tried were stopped without a word
        return {"refused": FAILED}
    if not match.is_current:
        return {"refused": "rules"}
    if match.is_called_off:
        return {"refused": CALLED_OFF}
    ended = match.cause != Match.Cause.PLAYED
    question = {"document": fairness.transcript_of(match), "ended": ended}
    return program.run(question, lambda done, total: _publish_progress(analysis, done, total))


def _publish_progress(analysis: Analysis, done: int, total: int) -> None:
    """Write how far it is, and let open pages know."""
    held = timezone.now() + HELD_FOR
    Analysis.objects.filter(pk=analysis.pk).update(done=done, total=total, held=held)
    broadcast.broadcast_analysis(analysis.match, state=Analysis.State.WAITING, done=done, total=total)


def _keep(analysis: Analysis, answer: dict[str, Any]) -> None:
    report = answer.get("report")
    changes: dict[str, Any] = {"state": Analysis.State.REFUSED, "why_not": answer.get("refused", "")}
    if report is not None:
        changes = {"state": Analysis.State.DONE, "report": report, "seed": report["seed"], "budget": report["budget"]}
    Analysis.objects.filter(pk=analysis.pk).update(
        **changes, version=VERSION, computed_at=timezone.now(), held=None, done=F("total")
    )


def send_lost() -> None:
    """Send the tasks of analyses that wait for too long: their tasks, or the workers that had them, were lost."""
    now = timezone.now()
    lost = Q(held=None, asked_at__lte=now - LOST_AFTER) | Q(held__lte=now)
    for match_id in Analysis.objects.filter(lost, state=Analysis.State.WAITING).values_list("match_id", flat=True)[:5]:
        first = False
        with ignore_errors():
            first = cache.add(f"analysis-sent-{match_id}", 1, SEND_AGAIN)
        if first:
            request.send(match_id)

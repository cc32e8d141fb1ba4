"""Matches of people who play without an account: gone with them after a week of rest."""

import structlog
from django.db import transaction
from django.utils import timezone

from accounts import trials
from accounts.models import User
from games import engine_match
from games.models import Match

log = structlog.get_logger("gauntlet.trials")


def erase_resting() -> int:
    """Erase trial accounts, with their matches, that nobody has come back to for a week; returns how many."""
    now = timezone.now()
    erased = 0
    for person_id in trials.resting(now=now):
        try:
            with transaction.atomic():
                person = User.objects.select_for_update().get(pk=person_id)
                own = Match.objects.filter(seats__user=person)
                if not person.is_trial or own.filter(turn_since__gt=now - trials.RESTS_FOR).exists():
                    # Kept meanwhile; or played on in a page that has stayed open.
                    continue
                _delete_matches(list(own.values_list("pk", flat=True)))
                trials.erase(person=person)
                erased += 1
        except Exception:
            # One broken account must not keep the others.
            log.exception("a trial account was not erased", person=person_id)
    return erased


def _delete_matches(ids: list[int]) -> None:
    """Nobody but the visitor and bots sat there, and nothing was rated."""
    Match.objects.filter(pk__in=ids).update(rematch_of=None)
    Match.objects.filter(pk__in=ids).delete()
    for match_id in ids:
        engine_match.forget(match_id)

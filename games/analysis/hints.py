"""Hints in matches against bots, on request: a move that the Expert bot would play from the same seat.

A worker computes it like a bot's move, from what the seat can know. Whoever takes a hint in a rated match says first
that the match shall not be rated any more.
"""

from datetime import timedelta

import structlog
from celery import current_app
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.infra.errors import Refused
from accounts.infra.on_commit import after_commit
from accounts.models import User
from games import access, fairness, take_back
from games.access import Permission
from games.analysis import program
from games.models import Hint, Match, Seat
from games.realtime import broadcast
from games.tables.seating import lock_match

HINT = "games.tasks.hint"
QUEUE = "bots"
"""A person waits for it as for a bot's move: never behind analyses."""
AN_HOUR = 20
"""So many hints one person may ask for in an hour."""
LOST_AFTER = timedelta(seconds=45)
"""A hint that waits longer is asked for again: its task, or the worker that had it, was lost."""

UNRATED = audit.declare_action(
    "games.hinted", _("%(actor)s asked for a hint in %(game)s, and the match is not rated any more")
)

log = structlog.get_logger("gauntlet.hints")


def may_ask(person: User, match: Match, seats: list[Seat]) -> bool:
    """At a running table of one person and the site's bots; never in a league or on a deal that other tables share."""
    seat = access.seat_of(person, match)
    if seat is None or not seat.is_played_by_person or person.is_bot:
        return False
    return match.is_playing and match.is_current and take_back.is_against_bots(match, seat.index, seats)


@transaction.atomic
def ask(*, person: User, match: Match, unrated: bool = False) -> Hint:
    """Ask for a hint at the present decision; one that is there or under way is returned as it is.

    `unrated`: the person has said that the match shall not be rated any more. Without it a rated match gives none.
    """
    match = lock_match(match)
    access.require(person, Permission.PLAY, match)
    seats = list(Seat.objects.filter(match=match).select_related("user").order_by("index"))
    if not may_ask(person, match, seats):
        raise Refused(gettext("Hints are for matches against the site’s bots, outside of leagues."))
    seat = access.seat_of(person, match)
    assert seat is not None
    if match.to_act != seat.index:
        raise Refused(gettext("It is not your turn."))
    found = Hint.objects.filter(match=match, ply=match.ply, seat=seat.index).first()
    if found is not None and not _is_lost(found):
        return found
    if match.rated and not unrated:
        raise Refused(gettext("This match is rated. Confirm first that it is no longer rated."))
    _check_limit(person)
    if match.rated:
        # The count of seat changes makes a move that is being written at this moment read the row again.
        Match.objects.filter(pk=match.pk).update(rated=False, seat_changes=F("seat_changes") + 1)
        audit.record(UNRATED, actor=person, on=match, club=match.club, game=match.stored_title)
        broadcast.broadcast_table(match)
    if found is not None:
        found.delete()
    hint = Hint.objects.create(match=match, ply=match.ply, seat=seat.index, person=person)
    after_commit(_send, hint.pk)
    return hint


def _is_lost(hint: Hint) -> bool:
    late = hint.state == Hint.State.WAITING and hint.asked_at < timezone.now() - LOST_AFTER
    return late or hint.state == Hint.State.FAILED


def _check_limit(person: User) -> None:
    lately = Hint.objects.filter(person=person, asked_at__gt=timezone.now() - timedelta(hours=1))
    if lately.count() >= AN_HOUR:
        raise Refused(
            gettext("You have asked for %(count)s hints in the last hour. Try the next moves on your own.")
            % {"count": AN_HOUR}
        )


def latest(*, person: User, match: Match) -> Hint | None:
    """The hint for the present decision of this person's seat."""
    access.require(person, Permission.PLAY, match)
    seat = access.seat_of(person, match)
    return Hint.objects.filter(match=match, ply=match.ply, seat=seat.index).first() if seat else None


def _send(hint_id: int) -> None:
    current_app.send_task(HINT, [hint_id], queue=QUEUE, ignore_result=True, retry=False)


def compute(*, hint_id: int) -> bool:
    """Think about a hint that waits, if its match is still there; whether one was written. Safe to run twice."""
    hint = Hint.objects.select_related("match__card_file").filter(pk=hint_id, state=Hint.State.WAITING).first()
    if hint is None or hint.match.ply != hint.ply or not hint.match.is_playing or not hint.match.is_current:
        return False
    try:
        question = {"document": fairness.transcript_of(hint.match), "seat": hint.seat, "seed": f"hint {hint.pk}"}
        move = program.run(question).get("hint", "")
    except RuntimeError:
        log.exception("there is no hint", match=hint.match.key, ply=hint.ply)
        move = ""
    state = Hint.State.DONE if move else Hint.State.FAILED
    written = Hint.objects.filter(pk=hint.pk, state=Hint.State.WAITING).update(state=state, move=move)
    broadcast.broadcast_hint(hint.match, seat=hint.seat, ply=hint.ply, state=state)
    return bool(written)

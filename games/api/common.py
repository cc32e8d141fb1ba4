"""What the operations about tables share."""

from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _

from accounts.access import Actor
from accounts.rest import Problem
from games import access, referee
from games.access import Permission
from games.live import frames
from games.models import Match


def match_or_404(person: Actor, key: str) -> Match:
    """The table, with its people; one that may not be seen is not there."""
    match = Match.objects.with_people().filter(key=key).first()
    if match is None or not access.may(person, Permission.SEE, match):
        raise Http404
    return match


def record_or_refusal(person: Actor, key: str) -> Match:
    """A match whose record is open; before its end nobody may read it, whoever they are."""
    match = match_or_404(person, key)
    if not match.is_finished:
        raise Problem("refused", _("The record is open once the match is over."))
    access.require(person, Permission.READ_RECORD, match)
    return match


def state_of(person: Actor, key: str, after: int | None = None) -> dict[str, Any]:
    """The same view and events as the frame that this person's page gets."""
    match = match_or_404(person, key)
    mine = None if match.is_open else access.seat_of(person, match)
    seat = mine.index if mine else None
    around = {**frames.surroundings(match, list(match.seats.all())), "seat": seat}
    if match.started_at is None or not match.is_current:
        return {"key": key, "v": match.ply, "since": match.ply, "view": None, "events": [], "undone": [], **around}
    played = referee.at(match)
    since = played.ply if after is None else min(after, played.ply)
    told = frames.match_state(match, played, seat, since, around)
    if not match.is_playing:
        # Resigned or out of time: the rules would go on, the match does not.
        told["view"] = {**told["view"], "to_act": None, "legal": [], "can_undo": False}
    return told

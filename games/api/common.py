"""Helpers for API operations on tables."""

from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _

from accounts.access import Actor
from accounts.infra.rest import Problem
from games import access, engine_match
from games.access import Permission
from games.models import Match
from games.realtime import frames


def match_or_404(person: Actor, key: str) -> Match:
    """The table, with its players; 404 if the person may not see it."""
    match = Match.objects.with_people().filter(key=key).first()
    if match is None or not access.may(person, Permission.SEE, match):
        raise Http404
    return match


def record_or_refusal(person: Actor, key: str) -> Match:
    """A finished match whose record this person may read; nobody may before the end."""
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
    seats = list(match.seats.all())
    if match.started_at is None or not match.is_current:
        around = {**frames.surroundings(match, seats), "seat": seat}
        return {"key": key, "v": match.ply, "since": match.ply, "view": None, "events": [], "undone": [], **around}
    played = engine_match.load(match)
    around = {**frames.surroundings(match, seats, played), "seat": seat}
    since = played.ply if after is None else min(after, played.ply)
    state = frames.match_state(match, played, seat, since, around, seats)
    if not match.is_playing:
        # Resigned or out of time: by the rules it could go on, but the match is over.
        state["view"] = {**state["view"], "to_act": None, "legal": [], "can_undo": False}
    return state

"""The season's log: every action of an organiser as a sentence, with the data to undo it."""

from typing import Any

from accounts import audit
from accounts.models import AuditEntry, User
from leagues.models import Season, Undoable

Undo = tuple[str, dict[str, Any]]
"""The kind of undo in `leagues.seasons.undo`, and its data."""


def record_action(
    action: str,
    *,
    actor: User | None,
    season: Season,
    person: User | None = None,
    undo: Undo | None = None,
    **params: Any,
) -> AuditEntry:
    """Write a log entry in the caller's transaction; with `undo` the action can be undone."""
    entry = audit.record(action, actor=actor, on=season, club=season.league.club, person=person, **params)
    if undo is not None:
        kind, data = undo
        Undoable.objects.create(season=season, entry=entry, kind=kind, data=data)
    return entry

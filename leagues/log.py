"""The season's log: every action of an organiser in readable words, and with it what taking it back needs."""

from typing import Any

from accounts import audit
from accounts.models import AuditEntry, User
from leagues import live
from leagues.models import Season, Undoable
from leagues.odds import queue


def note(
    action: str,
    *,
    actor: User | None,
    season: Season,
    person: User | None = None,
    undo: tuple[str, dict[str, Any]] | None = None,
    **params: Any,
) -> AuditEntry:
    """Write it down inside the verb's transaction; open pages of the season follow after commit.

    `undo` names a reversal of `leagues.undo` and gives what it needs.
    """
    entry = audit.record(action, actor=actor, on=season, club=season.league.club, person=person, **params)
    if undo is not None:
        kind, data = undo
        Undoable.objects.create(season=season, entry=entry, kind=kind, data=data)
    live.changed(season)
    queue.ask(season)
    return entry

"""What follows every logged action of a season: open pages reload, and the odds are computed again."""

from typing import Any

from accounts.models import AuditEntry, User
from leagues.core import odds_request, realtime, season_log
from leagues.core.season_log import Undo
from leagues.models import Season


def log_and_refresh(
    action: str,
    *,
    actor: User | None,
    season: Season,
    person: User | None = None,
    undo: Undo | None = None,
    **params: Any,
) -> AuditEntry:
    """Write the log entry in the caller's transaction; pages and odds are updated after commit."""
    entry = season_log.record_action(action, actor=actor, season=season, person=person, undo=undo, **params)
    realtime.broadcast_season_changed(season)
    odds_request.request_odds(season)
    return entry

"""Queues the webhook events of leagues. Their contents are in `leagues.webhook_events`."""

from accounts.webhooks import events
from leagues.models import Announcement, Round, Stage

ROUND_PAIRED = "round.paired"
STANDINGS_CHANGED = "standings.changed"
ANNOUNCED = "announcement.made"


def emit_round_paired(round_: Round) -> None:
    """Call this in the transaction that publishes a round."""
    events.emit(ROUND_PAIRED, club_id=round_.stage.division.season.league.club_id, subject=round_.pk)


def emit_standings_changed(stage: Stage) -> None:
    """Call this in the transaction that changes a result."""
    events.emit(STANDINGS_CHANGED, club_id=stage.division.season.league.club_id, subject=stage.pk)


def emit_announced(announcement: Announcement) -> None:
    """Call this in the transaction that writes an announcement."""
    events.emit(ANNOUNCED, club_id=announcement.club_id, subject=announcement.pk)

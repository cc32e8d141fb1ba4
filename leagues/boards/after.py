"""After a match: what it has done to its players' ratings."""

from dataclasses import dataclass
from typing import Any

from games.models import Match
from leagues.models import PickUp, RatedResult, RatingChange


@dataclass(frozen=True)
class Moved:
    """One seat's change; `at_table` is what its bot was called there, where it is rated under another name."""

    change: RatingChange
    at_table: str


def told(match: Match) -> dict[str, Any]:
    """For the panel on the table's page: the changes, or whether they are still to come."""
    if not match.rated or not match.is_finished or match.is_called_off:
        return {"match": match, "changes": [], "is_pending": False}
    changes = RatingChange.objects.standing().filter(result__match=match).select_related("pool", "user")
    names = {seat.index: seat.name for seat in match.seats.select_related("user") if seat.is_bot}
    found = [_moved(change, names.get(change.seat, "")) for change in changes.order_by("seat")]
    return {"match": match, "changes": found, "is_pending": not found and _is_pending(match)}


def _moved(change: RatingChange, name: str) -> Moved:
    return Moved(change, name if change.user.is_bot and name != change.user.name else "")


def _is_pending(match: Match) -> bool:
    if not PickUp.objects.filter(match=match, done_at__isnull=False).exists():
        return True
    return RatedResult.objects.filter(match=match, counts=True, folded=False).exists()

"""After a match: what it has done to its players' ratings."""

from typing import Any

from games.models import Match
from leagues.models import PickUp, RatedResult, RatingChange


def told(match: Match) -> dict[str, Any]:
    """For the panel on the table's page: the changes, or whether they are still to come."""
    if not match.rated or not match.is_finished:
        return {"match": match, "changes": [], "is_pending": False}
    changes = RatingChange.objects.standing().filter(result__match=match).select_related("pool", "user")
    found = list(changes.order_by("seat"))
    return {"match": match, "changes": found, "is_pending": not found and _is_pending(match)}


def _is_pending(match: Match) -> bool:
    if not PickUp.objects.filter(match=match, done_at__isnull=False).exists():
        return True
    return RatedResult.objects.filter(match=match, counts=True, folded=False).exists()

"""What a finished match changed in its players' ratings."""

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games.models import Match
from leagues.leaderboards.change_breakdown import ChangeBreakdown, change_breakdown
from leagues.models import PickUp, RatedResult, RatingChange


@dataclass(frozen=True)
class Moved:
    """One seat's change with its sum. `at_table` is the bot's name at the table, if it is rated under another name."""

    change: RatingChange
    at_table: str
    breakdown: ChangeBreakdown
    is_mine: bool


def match_rating_panel(match: Match, reader: User | AnonymousUser) -> dict[str, Any]:
    """Context of the panel on the table's page: the changes with their sums, or whether they are still to come."""
    if not match.rated or not match.is_finished or match.is_called_off:
        return {"match": match, "changes": [], "is_pending": False}
    standing = RatingChange.objects.standing().filter(result__match=match).select_related("pool", "user", "result")
    changes = list(standing.order_by("seat"))
    names = {seat.index: seat.name for seat in match.seats.select_related("user") if seat.is_bot}
    rows = [
        Moved(
            change,
            _name_at_table(change, names.get(change.seat, "")),
            change_breakdown(change, [each for each in changes if each.result_id == change.result_id]),
            change.user_id == reader.pk,
        )
        for change in changes
    ]
    return {"match": match, "changes": rows, "is_pending": not rows and _is_pending(match)}


def _name_at_table(change: RatingChange, name: str) -> str:
    return name if change.user.is_bot and name != change.user.name else ""


def _is_pending(match: Match) -> bool:
    if not PickUp.objects.filter(match=match, done_at__isnull=False).exists():
        return True
    return RatedResult.objects.filter(match=match, counts=True, folded=False).exists()

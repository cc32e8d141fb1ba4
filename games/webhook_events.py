"""Webhook events about a club's tables, with public data only."""

from django.utils.translation import gettext_lazy as _

from accounts.webhooks import events
from accounts.webhooks.events import EventPayload
from games.models import Match, Seat
from games.presentation import result_text

GOLD = 0xB88700


def describe_finished(match_id: int) -> EventPayload | None:
    match = Match.objects.filter(pk=match_id, status=Match.Status.FINISHED).first()
    if match is None or not is_public(match):
        return None
    seats = list(Seat.objects.filter(match=match).select_related("user").order_by("index"))
    shared = result_text.share(match, seats)
    data = {
        "key": match.key,
        "game": match.game,
        "rated": match.rated,
        "cause": match.cause,
        "finished_at": match.finished_at.isoformat() if match.finished_at else None,
        "seats": [
            {
                "index": seat.index,
                "name": seat.name,
                "handle": seat.user.handle if seat.user and not seat.user.deleted_at else "",
                "bot": seat.is_bot or seat.is_own_bot,
                "rank": seat.rank,
                "score": seat.score,
                "won": seat.won,
                "left": seat.left,
            }
            for seat in seats
        ],
    }
    return EventPayload(data, shared.title, [shared.description], match.get_absolute_url())


FINISHED = events.declare_event("match.finished", _("A match has ended"), describe=describe_finished, colour=GOLD)


def is_public(match: Match) -> bool:
    """Whether anyone may see the match: no table by link or of a private club, and no deal that others still play."""
    hidden = match.club is not None and match.club.is_private
    return match.visibility == Match.Visibility.ANYONE and not match.sealed and not hidden


def emit_match_finished(match: Match) -> None:
    """Inside the transaction that ends the match."""
    if is_public(match):
        events.emit(FINISHED, club_id=match.club_id, subject=match.pk)

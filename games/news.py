"""What a club's webhooks are told about its tables: only what a visitor sees as well."""

from django.utils.translation import gettext_lazy as _

from accounts import webhooks
from accounts.webhooks import Story
from games import results
from games.models import Match, Seat

GOLD = 0xB88700


def describe_finished(match_id: int) -> Story | None:
    match = Match.objects.filter(pk=match_id, status=Match.Status.FINISHED).first()
    if match is None or not is_public(match):
        return None
    seats = list(Seat.objects.filter(match=match).select_related("user").order_by("index"))
    shared = results.share(match, seats)
    told = {
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
    return Story(told, shared.title, [shared.description], match.get_absolute_url())


FINISHED = webhooks.event("match.finished", _("A match has ended"), describe=describe_finished, colour=GOLD)


def is_public(match: Match) -> bool:
    """A table by link, or one whose deal is still played elsewhere, is nobody's news."""
    return match.visibility == Match.Visibility.ANYONE and not match.sealed


def tell_finished(match: Match) -> None:
    """Inside the transaction that ends the match."""
    if is_public(match):
        webhooks.emit(FINISHED, club_id=match.club_id, subject=match.pk)

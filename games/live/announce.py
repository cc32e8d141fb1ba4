"""After commit: what changed goes out to every audience. It may be lost; pages find the gap and ask."""

from collections.abc import Iterable

import engine
from accounts.effects import after_commit
from accounts.live.publish import frame, publish, publish_all, recheck
from games.live import frames, groups
from games.models import ChatLine, Match, Seat


def moved(match: Match, seats: list[Seat], played: engine.Match) -> None:
    """One frame an audience, each made from that seat's view alone."""
    after_commit(_send_move, match, seats, played)


def _send_move(match: Match, seats: list[Seat], played: engine.Match) -> None:
    around = frames.surroundings(match, seats)
    publish_all(
        (groups.audience(match, seat), frames.match_frame(match, played, seat, played.ply - 1, around))
        for seat in [None, *(seat.index for seat in seats if not seat.is_bot)]  # no screen shows a bot's view
    )


def table_changed(match: Match) -> None:
    """Somebody sat down, left or came back; the lists that show the table follow."""
    after_commit(_send_table, match.pk)
    listing_changed(match)


def _send_table(match_id: int) -> None:
    match = Match.objects.get(pk=match_id)
    _to_everyone(match, frames.table_frame(match, _seats(match)))


def seats_drawn(match: Match) -> None:
    """Everyone's audience may be another one now: their pages are asked to listen anew."""

    def send() -> None:
        for seat in groups.audiences(match):
            recheck(groups.audience(match, seat))
        _to_everyone(match, frame("started", key=match.key))

    after_commit(send)
    listing_changed(match)


def listing_changed(match: Match) -> None:
    after_commit(_send_listing, match.pk)


def _send_listing(match_id: int) -> None:
    match = Match.objects.select_related("club").get(pk=match_id)
    if match.visibility == Match.Visibility.ANYONE:
        publish(groups.LOBBY, frame("lobby"))
    if match.club:
        publish(f"club.{match.club.slug}", frame("matches"))
    seats = _seats(match)
    for seat in seats:
        if seat.user_id:
            publish(groups.person(seat.user_id), frame("matches"))
    _send_turns(seats)


def turn_passed(seats: Iterable[Seat]) -> None:
    """The decision went from one of these seats to another: their people's open pages count anew."""
    after_commit(_send_turns, list(seats))


def _send_turns(seats: list[Seat]) -> None:
    for seat in seats:
        if seat.is_played_by_person:
            publish(f"user.{seat.user_id}", frame("turns"))


def said(match: Match, line: ChatLine, to_players: bool) -> None:
    after_commit(_send_line, match, line, to_players)


def _send_line(match: Match, line: ChatLine, to_players: bool) -> None:
    text = frames.line_frame(match, line)
    publish_all((groups.audience(match, seat), text) for seat in (groups.audiences(match) if to_players else [None]))


def present(match: Match, seat: int, here: bool) -> None:
    _to_everyone(match, frames.presence_frame(match, seat, here))


def _to_everyone(match: Match, text: str) -> None:
    publish_all((groups.audience(match, seat), text) for seat in groups.audiences(match))


def _seats(match: Match) -> list[Seat]:
    return list(Seat.objects.filter(match=match).select_related("user").order_by("index"))

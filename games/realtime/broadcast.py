"""Send changes to every audience after commit. A frame may be lost; pages notice the gap and ask again."""

import engine
from accounts.infra.on_commit import after_commit
from accounts.infra.realtime.publish import frame, publish, publish_all, recheck
from games.models import ChatLine, Match, Seat
from games.realtime import frames, groups


def broadcast_moves(match: Match, seats: list[Seat], played: engine.Match, since: int, passed: list[Seat]) -> None:
    """What happened after ply `since`: one frame for each audience, made from that seat's view alone.

    The turn has passed between the players of `passed`: their open pages update the number of turns.
    """
    after_commit(_send_moves, match, seats, played, since, passed)


def _send_moves(match: Match, seats: list[Seat], played: engine.Match, since: int, passed: list[Seat]) -> None:
    # Pages are told by a frame of its own when somebody comes or goes; to ask at every move costs as much as a query.
    around = frames.surroundings(match, seats, played, with_presence=False)
    shown = [None, *(seat.index for seat in seats if not seat.is_bot)]  # no screen shows a bot's view
    moves = [
        (
            groups.audience(match, seat),
            # What everyone may see was made for the row already.
            frames.match_frame(match, played, seat, since, around, seats, match.snapshot if seat is None else None),
        )
        for seat in shown
    ]
    # All at once: each call wakes the loop that sends.
    publish_all(moves + _turn_frames(passed))


def broadcast_help(match: Match, seats: list[Seat], played: engine.Match) -> None:
    """An act waits for answers, somebody passed or asked for help: the same frame for everyone."""
    after_commit(_send_help, match, seats, played)


def _send_help(match: Match, seats: list[Seat], played: engine.Match) -> None:
    _to_everyone(match, frames.help_frame(match, seats, played))


def broadcast_table(match: Match) -> None:
    """A player sat down, left or came back; lists that show the table are updated too."""
    after_commit(_send_table, match.pk)
    broadcast_listing(match)


def _send_table(match_id: int) -> None:
    match = Match.objects.get(pk=match_id)
    _to_everyone(match, frames.table_frame(match, _seats(match)))


def recheck_audiences(match: Match) -> None:
    """Everyone's audience may have changed: their pages subscribe again."""

    def send() -> None:
        for seat in groups.audiences(match):
            recheck(groups.audience(match, seat))
        _to_everyone(match, frame("started", key=match.key))

    after_commit(send)
    broadcast_listing(match)


def broadcast_listing(match: Match) -> None:
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
    publish_all(_turn_frames(seats))


def _turn_frames(seats: list[Seat]) -> list[tuple[str, str]]:
    """Open pages of these players update the number of turns."""
    return [(f"user.{seat.user_id}", frame("turns")) for seat in seats if seat.is_played_by_person]


def broadcast_chat_line(match: Match, line: ChatLine, to_players: bool) -> None:
    after_commit(_send_line, match, line, to_players)


def _send_line(match: Match, line: ChatLine, to_players: bool) -> None:
    text = frames.line_frame(match, line)
    publish_all((groups.audience(match, seat), text) for seat in (groups.audiences(match) if to_players else [None]))


def broadcast_analysis(match: Match, *, state: str, done: int = 0, total: int = 0) -> None:
    """How far the analysis of a finished match is; what it says is read from the page or the API."""
    _to_everyone(match, frame("analysis", key=match.key, state=state, done=done, total=total))


def broadcast_hint(match: Match, *, seat: int, ply: int, state: str) -> None:
    """A hint is there, for this seat alone; what it says is read from the page or the API."""
    publish(groups.audience(match, seat), frame("hint", key=match.key, v=ply, state=state))


def broadcast_presence(match: Match, seat: int, here: bool) -> None:
    _to_everyone(match, frames.presence_frame(match, seat, here))


def _to_everyone(match: Match, text: str) -> None:
    publish_all((groups.audience(match, seat), text) for seat in groups.audiences(match))


def _seats(match: Match) -> list[Seat]:
    return list(Seat.objects.filter(match=match).select_related("user").order_by("index"))

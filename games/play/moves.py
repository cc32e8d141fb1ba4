"""Playing a move: the only writer of a match's record, for people and bots alike."""

from contextlib import nullcontext
from copy import copy
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import engine
from accounts.infra.errors import Refused
from accounts.infra.plain_sql import update_and_insert
from accounts.models import User
from accounts.notifications.registry import declare_kind
from accounts.notifications.service import notify, resolve
from engine.kernel import BACK, UNDO
from games import access, coach, engine_match, help_state
from games.access import Permission
from games.errors import Illegal, Stale
from games.models import Match, Move, Seat
from games.play import clocks, dispatch, finish, pace
from games.realtime import broadcast
from games.take_back import decision_to_return_to
from games.user_bots import events

MAX_MOVE_LENGTH = 80
# How long others have to answer before an act that ends their chance to help.
ANSWER_TIME = timedelta(seconds=8)

MOVE_COLUMNS = ("match", "ply", "seat", "notation", "digest", "by", "at", "spent")

YOUR_TURN_KIND = declare_kind(
    "games.your-turn", _("It is your turn at a table of %(game)s."), _("It is your turn in a match by correspondence")
)


@dataclass(frozen=True)
class Played:
    """An accepted move: the match after it. A move that waits for the answers of others leaves the match at its ply."""

    match: Match
    seats: list[Seat]
    ply: int
    over: bool
    waits: bool = False


def play_as(*, person: User, match: Match, ply: int, move: str) -> Played:
    """A person plays for their own seat. An act that ends others' chance to help waits for their answers."""
    access.require(person, Permission.PLAY, match)
    seat = access.seat_of(person, match)
    assert seat is not None
    if not seat.is_played_by_person:
        raise Refused(gettext("A bot is keeping your seat. Take it back first."))
    if match.to_act == seat.index and match.deadline and timezone.now() > match.deadline + clocks.GRACE:
        clocks.expire_clock(match_id=match.pk)
        raise Refused(gettext("Your time is up."))
    if match.is_tutorial and match.ply == ply:
        coach.check(match, normalized(move))
    return play_move(match=match, ply=ply, seat=seat.index, move=move, by=Move.By.PERSON, asks_others=True)


def normalized(move: str) -> str:
    return " ".join(move[:MAX_MOVE_LENGTH].lower().split())


def is_repeated(person: User, match: Match, ply: int, move: str) -> bool:
    """Whether this person has already played this move at this ply: the answer was lost, and it is sent again."""
    seat = access.seat_of(person, match)
    if seat is None or match.ply <= ply:
        return False
    own = Move.objects.filter(match=match, ply=ply, seat=seat.index, by=Move.By.PERSON)
    notation = normalized(move)
    return any(
        said == notation or (notation == UNDO and is_take_back(said)) for said in own.values_list("notation", flat=True)
    )


def play_move(
    *, match: Match, ply: int, seat: int, move: str, by: str, asks_others: bool = False, spent: int = 0
) -> Played:
    """Play one move at a ply. It counts once, however often it is sent.

    Raises `Stale` if the match is at another ply, `Illegal` if the rules refuse the move; then nothing has changed.
    With `asks_others` an act that ends others' chance to help waits for their answers. `spent` are milliseconds that
    the player thought before the act waited.
    """
    if match.ply != ply or not match.is_playing:
        raise Stale(match.ply)
    played = engine_match.load(match)
    turn, before, notation = help_state.turn_of(played), played.to_act, normalized(move)
    try:
        if notation == UNDO:
            take_back(match, played, seat)
        else:
            if asks_others and seat == before and played.closes(notation):
                seats = seats_of(match)
                waiting = _answers_awaited(match, seats, played)
                if waiting:
                    return hold_act(match, seats, played, notation, by, waiting)
            played.play(notation, seat)
    except engine.IllegalAction as error:
        raise Illegal(error.reason, [played.notation(action, seat) for action in played.legal(seat)]) from error
    return commit(match=match, seats=_loaded_seats(match), played=played, by=by, turn=turn, before=before, spent=spent)


def commit(
    *,
    match: Match,
    played: engine.Match,
    by: str,
    turn: list[int],
    before: int | None,
    spent: int = 0,
    seats: list[Seat] | None = None,
    claim: timedelta | None = None,
) -> Played:
    """Write what was played since the match's ply: one transaction and one frame for each audience.

    `turn` and `before` are the turn and the seat to act before it; `seats` are those of the match, loaded with it or
    after it. With `claim` the caller goes on to play for the bots for so long, and no task is sent.
    """
    try:
        try:
            match, seats = _write(match, seats, played, by, turn, before, spent, claim, timezone.now())
        except Stale:
            again = Match.objects.get(pk=match.pk)
            if not again.is_playing or again.ply != match.ply or again.seat_changes == match.seat_changes:
                raise
            # Somebody left or came back since the seats were loaded; the move itself still counts.
            match, seats = _write(again, None, played, by, turn, before, spent, claim, timezone.now())
    except IntegrityError:
        # Two transactions may both pass the update below; the unique ply lets only one commit.
        raise Stale(match.ply + 1) from None
    engine_match.cache(match.pk, played)
    return Played(match, seats, match.ply, match.is_finished)


def _write(
    match: Match,
    seats: list[Seat] | None,
    played: engine.Match,
    by: str,
    turn: list[int],
    before: int | None,
    spent: int,
    claim: timedelta | None,
    now: datetime,
) -> tuple[Match, list[Seat]]:
    since = match.ply
    seats = seats_of(match) if seats is None else seats
    bots_to_move = any(played.legal(seat.index) for seat in seats if seat.bot_level)
    # A bot's new turn waits, and a person's clock, until what happened can have been seen. No bot answers a person at
    # once, within a turn neither.
    waits_for_eyes = help_state.turn_of(played) != turn or by == Move.By.PERSON
    seen = waits_for_eyes and played.to_act is not None
    pause = pace.pause_after(match, seats, played, since) if seen else timedelta(0)
    shown = pause if by != Move.By.PERSON else timedelta(0)
    waits = pause if played.to_act is not None and seats[played.to_act].bot_level else timedelta(0)
    clock = clocks.charge(
        match=match, seats=seats, to_act=played.to_act, further=played.leads_further, now=now, shown=shown
    )
    after = {
        "ply": played.ply,
        "to_act": played.to_act,
        "snapshot": played.view(None),
        "turn_since": now + shown,
        "deadline": clock.deadline,
        "bot_due": dispatch.due_at(match, now, waits) if bots_to_move else None,
        "bot_held": now + claim if bots_to_move and claim else None,
        "attempts": 1 if bots_to_move and claim else 0,
    }
    if "window" in match.responses:
        after["responses"] = help_state.without_window(match.responses)
    rows = [
        (match.pk, since + number, entry.seat, entry.move, entry.digest, by, now, 0)
        for number, entry in enumerate(played.entries[since:])
    ]
    if rows[0][MOVE_COLUMNS.index("seat")] == before:
        rows[0] = (*rows[0][:-1], clock.spent + spent)
    # Compare and set: of all who try this ply, one changes the row. No lock is held while a bot thinks.
    here = {"id": match.pk, "ply": since, "status": Match.Status.PLAYING, "seat_changes": match.seat_changes}
    # Most moves are a transaction by themselves; what else is to be written goes into one with the move.
    correspondence, own_bots = match.clock == Match.Clock.DAYS, any(seat.is_own_bot for seat in seats)
    is_alone = not (clock.banks or correspondence or own_bots or played.outcome)
    with nullcontext() if is_alone else transaction.atomic():
        if not update_and_insert(Match, here, after, Move, MOVE_COLUMNS, rows):
            raise Stale(since + 1)
        for index, bank in clock.banks.items():
            seats[index].bank_left = bank
            seats[index].save(update_fields=["bank_left"])
        match = copy(match)  # the caller's object must not change if the transaction fails
        for name, value in after.items():
            setattr(match, name, value)
        if played.outcome is not None:
            finish.finish_match(match=match, seats=seats, outcome=played.outcome, now=now)
            broadcast.broadcast_listing(match)
        elif bots_to_move and not claim:
            dispatch.send_after_commit(match, now)
        passed = {before, match.to_act} if match.to_act != before else set()
        if passed:
            _notify_turn(match, seats, before)
        events.append_turn(match, seats)
        broadcast.broadcast_moves(match, seats, played, since, [seats[index] for index in passed if index is not None])
    return match, seats


def _loaded_seats(match: Match) -> list[Seat] | None:
    """The seats that were loaded together with the match."""
    loaded = getattr(match, "_prefetched_objects_cache", {}).get("seats")
    return None if loaded is None else list(loaded)


def seats_of(match: Match) -> list[Seat]:
    return list(Seat.objects.filter(match=match).select_related("user").order_by("index"))


# -- taking back


def is_take_back(notation: str) -> bool:
    return notation == UNDO or notation.startswith(BACK)


def take_back(match: Match, played: engine.Match, seat: int) -> None:
    """Take back the last answer of the own turn; at a casual table of bots, go back to one's own last decision."""
    ply = None if played.can_undo(seat) else decision_to_return_to(match, played, seat, seats_of(match))
    if ply is None:
        played.undo(seat)
    else:
        played.go_back(seat, ply)


# -- an act that waits


def _answers_awaited(match: Match, seats: list[Seat], played: engine.Match) -> list[int]:
    """Whose answers an act of the player on turn waits for: people who can help, and bots not asked at this ply yet."""
    if match.clock == Match.Clock.DAYS:
        return []
    bots = [index for index in played.helpers() if seats[index].bot_level] if match.bot_due else []
    return [*bots, *help_state.people_to_ask(match, seats, played)]


def hold_act(match: Match, seats: list[Seat], played: engine.Match, act: str, by: str, waiting: list[int]) -> Played:
    """Write down an act that waits for the answers of these seats. The clock of the player on turn stands meanwhile."""
    now = timezone.now()
    held = help_state.window_of(match)
    if held is not None and held["act"] == act:
        return Played(match, seats, match.ply, False, waits=True)
    until = now + ANSWER_TIME
    clock = clocks.charge(match=match, seats=seats, to_act=played.to_act, further=False, now=now)
    window = {
        "ply": match.ply,
        "seat": played.to_act,
        "act": act,
        "by": by,
        "waiting": waiting,
        "until": until.isoformat(),
        "total": int(ANSWER_TIME.total_seconds() * 1000),
        "held": False,
        "spent": clock.spent + (held["spent"] if held else 0),
    }
    asks_bots = any(seats[index].bot_level for index in waiting)
    after = {
        "responses": {**match.responses, "window": window},
        "turn_since": None,
        "deadline": None,
        "bot_due": now if asks_bots else until,
        "bot_held": None,
        "attempts": 0,
    }
    with transaction.atomic():
        if not Match.objects.filter(pk=match.pk, ply=match.ply, status=Match.Status.PLAYING).update(**after):
            raise Stale(match.ply + 1)
        for index, bank in clock.banks.items():
            seats[index].bank_left = bank
            seats[index].save(update_fields=["bank_left"])
        match = copy(match)
        for name, value in after.items():
            setattr(match, name, value)
        dispatch.send_after_commit(match, now)
        broadcast.broadcast_help(match, seats, played)
    return Played(match, seats, match.ply, False, waits=True)


def play_waiting_act(match: Match) -> Played | None:
    """Play the act that waited; None if there is none any more, or the table has moved on."""
    window = help_state.window_of(match)
    if window is None:
        return None
    try:
        return play_move(
            match=match,
            ply=window["ply"],
            seat=window["seat"],
            move=window["act"],
            by=window["by"],
            spent=window["spent"],
        )
    except (Stale, Illegal):
        return None


def _notify_turn(match: Match, seats: list[Seat], before: int | None) -> None:
    """By correspondence, notify the player once a turn; the notice counts as read once they have moved."""
    if match.clock != Match.Clock.DAYS:
        return
    path = match.get_absolute_url()
    if before is not None and (done := seats[before].user) is not None:
        resolve(done, YOUR_TURN_KIND, path=path)
    seat = seats[match.to_act] if match.to_act is not None else None
    if seat is not None and seat.is_played_by_person and seat.user is not None:
        notify([seat.user], YOUR_TURN_KIND, path=path, game=match.stored_title)

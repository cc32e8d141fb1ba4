"""Events for users' bots: numbered rows, written in the transaction of what happened, serialized when sent."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.db.models import F
from django.utils import timezone

from accounts.infra.on_commit import after_commit
from accounts.infra.realtime.publish import frame, publish
from games import engine_match
from games.models import BotChallenge, BotEvent, BotFault, Match, OwnBot, Seat
from games.realtime import frames

KEPT_FOR = timedelta(days=7)
# A stream that has not reported for this long counts as closed.
STALE_AFTER = timedelta(seconds=60)
BATCH_SIZE = 20

Kind = BotEvent.Kind
EventData = dict[str, Any]


def group(bot_id: int) -> str:
    """The realtime group that wakes a bot's streams."""
    return f"bot.{bot_id}"


def append(bot_id: int, kind: str, match: Match, challenge: BotChallenge | None = None) -> BotEvent:
    """Append an event for a bot, inside the transaction of what happened."""
    # The update locks the bot's row until commit: numbers become visible in order and without gaps.
    OwnBot.objects.filter(pk=bot_id).update(seq=F("seq") + 1)
    seq = OwnBot.objects.values_list("seq", flat=True).get(pk=bot_id)
    event = BotEvent.objects.create(bot_id=bot_id, seq=seq, kind=kind, match=match, challenge=challenge, ply=match.ply)
    after_commit(publish, group(bot_id), frame("bot", seq=seq))
    return event


def _bots_of(seats: Iterable[Seat]) -> dict[int, int]:
    """The users' bots in these seats, by seat. Always in the same order, to avoid deadlocks."""
    accounts = {seat.user_id: seat.index for seat in seats if seat.is_own_bot}
    if not accounts:
        return {}
    bots = OwnBot.objects.filter(user__in=accounts).order_by("pk").values_list("user_id", "pk")
    return {accounts[user]: bot for user, bot in bots}


def append_turn(match: Match, seats: list[Seat]) -> None:
    """If the player to act is a user's bot, append its turn."""
    if match.to_act is None or not match.is_playing:
        return
    for bot in _bots_of([seats[match.to_act]]).values():
        append(bot, Kind.TURN, match)


def append_match_over(match: Match, seats: Iterable[Seat]) -> None:
    for bot in _bots_of(seats).values():
        append(bot, Kind.OVER, match)


def append_timeout(match: Match, seat: Seat, now_over: bool) -> None:
    """A bot's time ran out: record the fault (a crash if the bot was not connected) and append an event."""
    if seat.user is None or not seat.user.is_bot:
        return
    bot = OwnBot.objects.filter(user=seat.user).first()
    if bot is None:
        return
    fault = BotFault.Kind.TIMEOUT if is_listening(bot) else BotFault.Kind.CRASH
    record_fault(bot, match, fault)
    if not now_over:
        append(bot.pk, Kind.SEAT_LOST, match)


def record_fault(bot: OwnBot, match: Match, kind: str, detail: str = "") -> None:
    # Create the row first, then count: two at once are both counted.
    BotFault.objects.get_or_create(bot=bot, match=match, ply=match.ply, kind=kind, defaults={"count": 0})
    here = BotFault.objects.filter(bot=bot, match=match, ply=match.ply, kind=kind)
    here.update(count=F("count") + 1, detail=detail[:200])


def is_listening(bot: OwnBot) -> bool:
    return bool(bot.stream) and bot.heard_at is not None and bot.heard_at > timezone.now() - STALE_AFTER


def after(bot: OwnBot, since: int | None) -> list[EventData]:
    """The next events after one that was seen. Where there is no telling what was missed: how everything stands now."""
    if since is None or since > bot.seq or since < bot.kept_from - 1:
        return [full_state(bot)]
    events = BotEvent.objects.filter(bot=bot, seq__gt=since).select_related("match", "challenge__by")
    return [_serialize_event(bot, event) for event in events.order_by("seq")[:BATCH_SIZE]]


def full_state(bot: OwnBot) -> EventData:
    """Everything that waits for an answer. What happens while it is being read is sent again after it."""
    return {"kind": "reset", "seq": bot.seq, **state(bot)}


def state(bot: OwnBot) -> EventData:
    asked = BotChallenge.objects.filter(bot=bot, status=BotChallenge.Status.OPEN).select_related("match", "by")
    playing = Match.objects.filter(
        status=Match.Status.PLAYING, seats__user=bot.user_id, seats__bot_level="", seats__index=F("to_act")
    )
    return {
        "challenges": [serialize_challenge(each) for each in asked.order_by("at")],
        "turns": [serialize_turn(bot, match) for match in playing.order_by("turn_since") if match.is_current],
    }


def _serialize_event(bot: OwnBot, event: BotEvent) -> EventData:
    head: EventData = {"kind": event.kind, "seq": event.seq, "at": event.at.isoformat()}
    match event.kind:
        case Kind.CHALLENGE if event.challenge:
            return head | serialize_challenge(event.challenge)
        case Kind.CANCELLED if event.challenge:
            return head | {"id": event.challenge_id, "match": event.match.key, "status": event.challenge.status}
        case Kind.TURN if event.match.is_playing and event.match.ply == event.ply and event.match.is_current:
            return head | serialize_turn(bot, event.match)
        case Kind.TURN:
            # No longer the bot's turn: nothing to do, but no number may be skipped.
            return head | {"match": event.match.key, "ply": event.ply, "past": True}
        case Kind.OVER:
            return head | _serialize_end(bot, event.match)
        case _:
            return head | {"match": event.match.key, "ply": event.ply}


def serialize_challenge(challenge: BotChallenge) -> EventData:
    match = challenge.match
    return {
        "id": challenge.pk,
        "status": challenge.status,
        "by": challenge.by.handle,
        "match": match.key,
        "game": match.game,
        "players": match.players,
        "options": match.options,
        "card_file": match.card_file.digest if match.card_file else None,
        "rated": match.rated,
        "clock": {"kind": match.clock, "bank": match.bank, "increment": match.increment, "days": match.days},
        "expires_at": challenge.expires_at.isoformat(),
    }


def serialize_turn(bot: OwnBot, match: Match) -> EventData:
    current = engine_match.load(match)
    seat = match.to_act if match.to_act is not None else 0
    view = current.view(seat)
    return {
        "match": match.key,
        "game": match.game,
        "ply": match.ply,
        "seat": seat,
        "view": view,
        "legal": view["legal"],
        "deadline": match.deadline.isoformat() if match.deadline else None,
    }


def _serialize_end(bot: OwnBot, match: Match) -> EventData:
    seats = list(Seat.objects.filter(match=match).order_by("index"))
    own = next((seat for seat in seats if seat.user_id == bot.user_id), None)
    data: EventData = {
        "match": match.key,
        "game": match.game,
        "ply": match.ply,
        "outcome": frames.serialize_result(match, seats),
    }
    if own is not None:
        data |= {"seat": own.index, "rank": own.rank, "won": own.won, "left": own.left}
    return data


def delete_old() -> int:
    """Delete events older than a week. A bot that comes back later gets the full state."""
    old = BotEvent.objects.filter(at__lt=timezone.now() - KEPT_FOR)
    gone = 0
    for bot_id in list(old.values_list("bot", flat=True).distinct().order_by("bot")):
        last = old.filter(bot=bot_id).order_by("-seq").values_list("seq", flat=True).first() or 0
        # Move the mark before deleting: a reader in between gets the full state and misses nothing.
        OwnBot.objects.filter(pk=bot_id, kept_from__lte=last).update(kept_from=last + 1)
        gone += BotEvent.objects.filter(bot=bot_id, seq__lte=last).delete()[0]
    return gone

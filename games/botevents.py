"""What bots that people bring are told: numbered rows, written with what they tell of, put into words when sent."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.db.models import F
from django.utils import timezone

from accounts.effects import after_commit
from accounts.live.publish import frame, publish
from games import referee
from games.live import frames
from games.models import BotChallenge, BotEvent, BotFault, Match, OwnBot, Seat

KEPT_FOR = timedelta(days=7)
# A stream that has said nothing for so long is not there.
SILENT_AFTER = timedelta(seconds=60)
A_BATCH = 20

Kind = BotEvent.Kind
Told = dict[str, Any]


def group(bot_id: int) -> str:
    """Where a bot's streams wait to be woken."""
    return f"bot.{bot_id}"


def append(bot_id: int, kind: str, match: Match, challenge: BotChallenge | None = None) -> BotEvent:
    """Tell a bot something, inside the transaction that makes it true."""
    # The update holds the bot's row until commit: numbers become visible in their order, and without holes.
    OwnBot.objects.filter(pk=bot_id).update(seq=F("seq") + 1)
    seq = OwnBot.objects.values_list("seq", flat=True).get(pk=bot_id)
    event = BotEvent.objects.create(bot_id=bot_id, seq=seq, kind=kind, match=match, challenge=challenge, ply=match.ply)
    after_commit(publish, group(bot_id), frame("bot", seq=seq))
    return event


def _bots_of(seats: Iterable[Seat]) -> dict[int, int]:
    """The bots that people brought to these seats, by seat; in one order, so that two matches never wait crosswise."""
    accounts = {seat.user_id: seat.index for seat in seats if seat.is_own_bot}
    if not accounts:
        return {}
    bots = OwnBot.objects.filter(user__in=accounts).order_by("pk").values_list("user_id", "pk")
    return {accounts[user]: bot for user, bot in bots}


def tell_turn(match: Match, seats: list[Seat]) -> None:
    """Whoever the match waits for is told, if it is somebody's bot."""
    if match.to_act is None or not match.is_playing:
        return
    for bot in _bots_of([seats[match.to_act]]).values():
        append(bot, Kind.TURN, match)


def tell_over(match: Match, seats: Iterable[Seat]) -> None:
    for bot in _bots_of(seats).values():
        append(bot, Kind.OVER, match)


def tell_fallen(match: Match, seat: Seat, now_over: bool) -> None:
    """A bot's time ran out: recorded, and told. Whether it was there makes it a timeout or a crash."""
    if seat.user is None or not seat.user.is_bot:
        return
    bot = OwnBot.objects.filter(user=seat.user).first()
    if bot is None:
        return
    fault = BotFault.Kind.TIMEOUT if is_listening(bot) else BotFault.Kind.CRASH
    note_fault(bot, match, fault)
    if not now_over:
        append(bot.pk, Kind.SEAT_LOST, match)


def note_fault(bot: OwnBot, match: Match, kind: str, detail: str = "") -> None:
    # The row first, then the count: of two at once neither is forgotten.
    BotFault.objects.get_or_create(bot=bot, match=match, ply=match.ply, kind=kind, defaults={"count": 0})
    here = BotFault.objects.filter(bot=bot, match=match, ply=match.ply, kind=kind)
    here.update(count=F("count") + 1, detail=detail[:200])


def is_listening(bot: OwnBot) -> bool:
    return bool(bot.stream) and bot.heard_at is not None and bot.heard_at > timezone.now() - SILENT_AFTER


def after(bot: OwnBot, since: int | None) -> list[Told]:
    """The next events after one that was seen. Where there is no telling what was missed: how everything stands now."""
    if since is None or since > bot.seq or since < bot.kept_from - 1:
        return [reset(bot)]
    events = BotEvent.objects.filter(bot=bot, seq__gt=since).select_related("match", "challenge__by")
    return [_told(bot, event) for event in events.order_by("seq")[:A_BATCH]]


def reset(bot: OwnBot) -> Told:
    """Everything that waits for an answer. What happens while it is being read is told again after it."""
    return {"kind": "reset", "seq": bot.seq, **state(bot)}


def state(bot: OwnBot) -> Told:
    asked = BotChallenge.objects.filter(bot=bot, status=BotChallenge.Status.OPEN).select_related("match", "by")
    playing = Match.objects.filter(
        status=Match.Status.PLAYING, seats__user=bot.user_id, seats__bot_level="", seats__index=F("to_act")
    )
    return {
        "challenges": [challenge_told(each) for each in asked.order_by("at")],
        "turns": [turn_told(bot, match) for match in playing.order_by("turn_since") if match.is_current],
    }


def _told(bot: OwnBot, event: BotEvent) -> Told:
    head: Told = {"kind": event.kind, "seq": event.seq, "at": event.at.isoformat()}
    match event.kind:
        case Kind.CHALLENGE if event.challenge:
            return head | challenge_told(event.challenge)
        case Kind.CANCELLED if event.challenge:
            return head | {"id": event.challenge_id, "match": event.match.key, "status": event.challenge.status}
        case Kind.TURN if event.match.is_playing and event.match.ply == event.ply and event.match.is_current:
            return head | turn_told(bot, event.match)
        case Kind.TURN:
            # Answered since, or decided otherwise: nothing to do, but no number is left out.
            return head | {"match": event.match.key, "ply": event.ply, "past": True}
        case Kind.OVER:
            return head | _over_told(bot, event.match)
        case _:
            return head | {"match": event.match.key, "ply": event.ply}


def challenge_told(challenge: BotChallenge) -> Told:
    match = challenge.match
    return {
        "id": challenge.pk,
        "status": challenge.status,
        "by": challenge.by.handle,
        "match": match.key,
        "game": match.game,
        "players": match.players,
        "options": match.options,
        "rated": match.rated,
        "clock": {"kind": match.clock, "bank": match.bank, "increment": match.increment, "days": match.days},
        "expires_at": challenge.expires_at.isoformat(),
    }


def turn_told(bot: OwnBot, match: Match) -> Told:
    current = referee.at(match)
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


def _over_told(bot: OwnBot, match: Match) -> Told:
    seats = list(Seat.objects.filter(match=match).order_by("index"))
    own = next((seat for seat in seats if seat.user_id == bot.user_id), None)
    told: Told = {"match": match.key, "game": match.game, "ply": match.ply, "outcome": frames.result_told(match, seats)}
    if own is not None:
        told |= {"seat": own.index, "rank": own.rank, "won": own.won, "left": own.left}
    return told


def clear_out() -> int:
    """Events are kept for a week; a bot that comes back later begins with how everything stands."""
    old = BotEvent.objects.filter(at__lt=timezone.now() - KEPT_FOR)
    gone = 0
    for bot_id in list(old.values_list("bot", flat=True).distinct().order_by("bot")):
        last = old.filter(bot=bot_id).order_by("-seq").values_list("seq", flat=True).first() or 0
        # First the mark, then the rows: a reader between the two starts over, and misses nothing.
        OwnBot.objects.filter(pk=bot_id, kept_from__lte=last).update(kept_from=last + 1)
        gone += BotEvent.objects.filter(bot=bot_id, seq__lte=last).delete()[0]
    return gone

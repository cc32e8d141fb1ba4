"""Challenges: a host asks a user's bot to a table. It answers in time, or the challenge expires."""

from datetime import timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext

from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from accounts.models import User
from games import access
from games.access import Permission
from games.models import BotChallenge, BotEvent, Match, OwnBot, Seat
from games.realtime import broadcast
from games.tables import seating
from games.user_bots import events, service

TIME_TO_ANSWER = timedelta(seconds=60)
MAX_OPEN = 20
MAX_MATCHES = 30
SWEEP_BATCH = 200

Status = BotChallenge.Status


@transaction.atomic
def challenge(*, person: User, match: Match, bot: OwnBot) -> BotChallenge:
    """The host asks a bot to a free seat of the table."""
    match = lock_match(match)
    access.require(person, Permission.HOST, match)
    bot = OwnBot.objects.select_related("user", "owner").get(pk=bot.pk)
    if not match.is_open or not Seat.objects.filter(match=match, user=None, bot_level="").exists():
        raise Refused(gettext("There is no free place at this table."))
    if service.bot_of_account(bot.user) is None or not service.accepts(bot, person, match.game):
        raise Refused(gettext("This bot does not take your challenge."))
    if Seat.objects.filter(match=match, user=bot.user).exists():
        raise Refused(gettext("This bot is already sitting at this table."))
    _not_too_busy(bot)
    try:
        with transaction.atomic():
            made = BotChallenge.objects.create(
                bot=bot, match=match, by=person, expires_at=timezone.now() + TIME_TO_ANSWER
            )
    except IntegrityError:
        raise Refused(gettext("This bot has been asked already.")) from None
    events.append(bot.pk, BotEvent.Kind.CHALLENGE, match, made)
    broadcast.broadcast_table(match)
    return made


def _not_too_busy(bot: OwnBot) -> None:
    waiting = BotChallenge.objects.filter(bot=bot, status=Status.OPEN).count()
    playing = Match.objects.filter(seats__user=bot.user_id, seats__left="", status=Match.Status.PLAYING).count()
    if waiting >= MAX_OPEN or playing >= MAX_MATCHES:
        raise Refused(gettext("This bot plays as many games as it can: try again later."))


@transaction.atomic
def accept(*, bot: OwnBot, challenge: BotChallenge) -> Match:
    """The bot takes the seat. Accepting twice changes nothing."""
    match, challenge = _own(bot, challenge)
    if challenge.status == Status.ACCEPTED:
        return match
    _must_be_open(challenge)
    free = Seat.objects.filter(match=match, user=None, bot_level="").order_by("index").first()
    if not match.is_open or free is None:
        _answer(challenge, Status.CANCELLED)
        return match
    seating.seat_person(match=match, person=bot.user, index=free.index)
    _answer(challenge, Status.ACCEPTED)
    return match


@transaction.atomic
def decline(*, bot: OwnBot, challenge: BotChallenge, reason: str = "") -> BotChallenge:
    match, challenge = _own(bot, challenge)
    if challenge.status == Status.DECLINED:
        return challenge
    _must_be_open(challenge)
    challenge.reason = " ".join(reason.split())[:120]
    _answer(challenge, Status.DECLINED)
    broadcast.broadcast_table(match)
    return challenge


@transaction.atomic
def cancel(*, person: User, challenge: BotChallenge) -> None:
    """The host withdraws the challenge."""
    match = lock_match(challenge.match)
    access.require(person, Permission.HOST, match)
    _end(match, BotChallenge.objects.get(pk=challenge.pk), Status.CANCELLED)


def lapse() -> int:
    """End challenges that were not answered in time or whose table is no longer open; returns how many."""
    late = BotChallenge.objects.filter(status=Status.OPEN, expires_at__lte=timezone.now())
    gone = BotChallenge.objects.filter(status=Status.OPEN).exclude(match__status=Match.Status.OPEN)
    ended = 0
    for each in (late | gone).select_related("match").order_by("expires_at")[:SWEEP_BATCH]:
        with transaction.atomic():
            match = lock_match(each.match)
            ended += _end(match, BotChallenge.objects.get(pk=each.pk), Status.EXPIRED)
    return ended


def _end(match: Match, challenge: BotChallenge, status: str) -> bool:
    if challenge.status != Status.OPEN:
        return False
    _answer(challenge, status)
    events.append(challenge.bot_id, BotEvent.Kind.CANCELLED, match, challenge)
    broadcast.broadcast_table(match)
    return True


def _own(bot: OwnBot, challenge: BotChallenge) -> tuple[Match, BotChallenge]:
    """Lock the table and read the challenge again; only the bot that was challenged may."""
    match = lock_match(challenge.match)
    found = BotChallenge.objects.select_related("match", "by").get(pk=challenge.pk)
    if found.bot_id != bot.pk:
        raise NotAllowed(Permission.PLAY)
    return match, found


def _must_be_open(challenge: BotChallenge) -> None:
    if challenge.status != Status.OPEN or challenge.expires_at <= timezone.now():
        raise Refused(gettext("This challenge is over."))


def _answer(challenge: BotChallenge, status: str) -> None:
    challenge.status, challenge.answered_at = Status(status), timezone.now()
    challenge.save(update_fields=["status", "answered_at", "reason"])


def lock_match(match: Match) -> Match:
    """Always lock the table before the bot, to avoid deadlocks."""
    return Match.objects.select_for_update().get(pk=match.pk)

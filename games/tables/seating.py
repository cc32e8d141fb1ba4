"""Places at an open table: taken, left, filled with bots, and what one wishes for."""

from django.db import IntegrityError, transaction
from django.utils.translation import gettext

import engine
from accounts import follows
from accounts.infra.errors import Refused
from accounts.models import User
from engine.bots import LEVELS
from games import access, fairness
from games.access import Permission
from games.models import Match, Seat
from games.realtime import broadcast


@transaction.atomic
def sit(*, person: User, match: Match, wish: str = "", index: int | None = None) -> Seat:
    """Take a free place; `wish` names the role one would like when the seats are drawn."""
    match = lock_match(match)
    access.require(person, Permission.SIT, match)
    if match.host is not None and follows.is_blocked(person, match.host):
        raise Refused(gettext("You cannot sit down at this table."))
    seat = _free_place(match, index)
    seat.user = person
    seat.wish = _known_role(match, wish)
    try:
        with transaction.atomic():
            seat.save(update_fields=["user", "wish"])
    except IntegrityError:
        raise Refused(gettext("You are already sitting at this table.")) from None
    broadcast.broadcast_table(match)
    return seat


@transaction.atomic
def stand_up(*, person: User, match: Match) -> None:
    match = lock_match(match)
    access.require(person, Permission.STAND_UP, match)
    Seat.objects.filter(match=match, user=person).update(user=None, wish="", word="")
    broadcast.broadcast_table(match)


@transaction.atomic
def choose_role(*, person: User, match: Match, wish: str) -> None:
    """Wish for a role, or with "" leave it to the draw."""
    match = lock_match(match)
    access.require(person, Permission.STAND_UP, match)
    Seat.objects.filter(match=match, user=person).update(wish=_known_role(match, wish))
    broadcast.broadcast_table(match)


@transaction.atomic
def add_word(*, person: User, match: Match, word: str) -> None:
    """Mix a word of one's own into the seed: the site has committed to its part and cannot answer it."""
    match = lock_match(match)
    access.require(person, Permission.STAND_UP, match)
    if not match.takes_words:
        raise Refused(gettext("Several tables play this deal: no words can be mixed into its shuffle."))
    Seat.objects.filter(match=match, user=person).update(word=fairness.normalize_word(word))
    broadcast.broadcast_table(match)


@transaction.atomic
def fill_with_bot(*, person: User, match: Match, level: str, index: int | None = None, wish: str = "") -> Seat:
    match = lock_match(match)
    access.require(person, Permission.HOST, match)
    return seat_bot(match=match, level=level, index=index, wish=wish)


@transaction.atomic
def fill_with_bots(*, person: User, match: Match, level: str) -> int:
    """Put a bot of this level into every free place; returns how many."""
    match = lock_match(match)
    access.require(person, Permission.HOST, match)
    free = Seat.objects.filter(match=match, user=None, bot_level="").count()
    if not match.is_open or not free:
        raise Refused(gettext("There is no free place at this table."))
    for _place in range(free):
        seat_bot(match=match, level=level)
    return free


def seat_bot(*, match: Match, level: str, index: int | None = None, wish: str = "", bot: User | None = None) -> Seat:
    """Put a bot into a free place, inside the caller's transaction; `bot` is its account where it has one."""
    if level not in LEVELS:
        raise Refused(gettext("There is no such bot."))
    seat = _free_place(match, index)
    seat.user, seat.bot_level, seat.wish = bot, level, _known_role(match, wish)
    seat.save(update_fields=["user", "bot_level", "wish"])
    broadcast.broadcast_table(match)
    return seat


def seat_person(*, match: Match, person: User, index: int) -> Seat:
    """Put somebody into the place that was drawn for them elsewhere, inside the caller's transaction."""
    seat = _free_place(match, index)
    seat.user = person
    seat.save(update_fields=["user"])
    broadcast.broadcast_table(match)
    return seat


@transaction.atomic
def clear_place(*, person: User, match: Match, index: int) -> None:
    """The host sends a bot or a guest away from a place."""
    match = lock_match(match)
    access.require(person, Permission.HOST, match)
    Seat.objects.filter(match=match, index=index).update(user=None, bot_level="", wish="", word="")
    broadcast.broadcast_table(match)


def lock_match(match: Match) -> Match:
    """Read the table again and lock its row, so that places are taken one by one."""
    return Match.objects.select_for_update().get(pk=match.pk)


def _free_place(match: Match, index: int | None) -> Seat:
    free = Seat.objects.filter(match=match, user=None, bot_level="").order_by("index")
    seat = (free if index is None else free.filter(index=index)).first()
    if not match.is_open or seat is None:
        raise Refused(gettext("This place is taken."))
    return seat


def _known_role(match: Match, wish: str) -> str:
    return wish if wish in engine.game(match.game).roles(match.players) else ""

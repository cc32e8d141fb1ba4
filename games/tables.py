"""Tables: opening one, taking places, and starting the match."""

from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import engine
from accounts import audit, notices
from accounts.errors import Refused
from accounts.models import Club, Membership, User
from engine.bots import LEVELS
from engine.errors import brief
from engine.rng import stream
from games import access, botevents, clocks, ending, fairness, options, queue, rated, referee
from games.access import Permission
from games.errors import OptionRefused
from games.live import announce
from games.models import Match, OwnBot, Seat

OPENED = audit.action("games.opened", _("%(actor)s opened a table of %(game)s"))
STARTED = audit.action("games.started", _("A match of %(game)s began"))
CALLED_OFF = audit.action("games.called-off", _("%(actor)s called off a table of %(game)s"))
RESIGNED = audit.action("games.resigned", _("%(actor)s resigned a match of %(game)s"))

TOLD_STARTED = notices.kind("games.started", _("Your match of %(game)s has begun."), _("A match of yours begins"))
TOLD_REMATCH = notices.kind(
    "games.rematch", _("%(actor)s offers you a rematch of %(game)s."), _("Somebody offers a rematch")
)

MOST_OPEN_TABLES = 10


@dataclass(frozen=True)
class Clock:
    """How long players may think, and what happens to whoever thinks longer."""

    kind: str = Match.Clock.NONE
    bank: int = 0
    increment: int = 0
    days: int = 0
    on_timeout: str = Match.OnTimeout.BOT


@dataclass(frozen=True)
class Setting:
    """What is played, by how many, and who may join."""

    game: str
    players: int
    options: dict[str, Any] = field(default_factory=dict)
    visibility: str = Match.Visibility.ANYONE
    club: Club | None = None
    clock: Clock = Clock()
    rated: bool = False
    draws_seats: bool = True
    sealed: bool = False


@transaction.atomic
def open_table(
    *, host: User | None, setting: Setting, secret: str = "", pace: int = 0, rematch_of: Match | None = None
) -> Match:
    """Lay a table. A `secret` given from outside makes the same deal at several tables, and then takes no words."""
    if host is not None:
        _check_host(host, setting)
    game = _game(setting)
    mine = secret or fairness.new_secret()
    match = Match(
        game=game.name,
        players=setting.players,
        options=setting.options,
        rules_version=game.rules_version,
        host=host,
        club=setting.club,
        visibility=setting.visibility,
        rated=setting.rated,
        draws_seats=setting.draws_seats,
        clock=setting.clock.kind,
        bank=setting.clock.bank,
        increment=setting.clock.increment,
        days=setting.clock.days,
        on_timeout=setting.clock.on_timeout,
        secret=mine,
        commitment=fairness.commitment(mine),
        takes_words=not secret,
        sealed=setting.sealed,
        pace=pace,
        rematch_of=rematch_of,
    )
    match.full_clean(exclude=["key", "snapshot", "options", "grade"])
    match.save()
    Seat.objects.bulk_create([Seat(match=match, index=index) for index in range(setting.players)])
    if host is not None:
        audit.record(OPENED, actor=host, on=match, club=match.club, game=match.title)
    announce.listing_changed(match)
    return match


def _check_host(host: User, setting: Setting) -> None:
    access.require(host, Permission.OPEN_TABLE)
    if setting.club is not None and not Membership.objects.filter(club=setting.club, user=host).exists():
        raise Refused(gettext("You can open a table for a club that you are a member of."))
    if Match.objects.filter(host=host, status=Match.Status.OPEN).count() >= MOST_OPEN_TABLES:
        raise Refused(gettext("You have many open tables already. Call one off, or start it."))


def _game(setting: Setting) -> engine.Game:
    """The game, once its rules accept the number of players and the options."""
    try:
        game = engine.game(setting.game)
        game.start(setting.players, "a trial deal", setting.options)
    except engine.OptionError as error:
        named = {"option": brief(options.label_of(setting.game, error.field))}
        raise OptionRefused(error.field, gettext("%(option)s: this is not possible at this table.") % named) from error
    except engine.EngineError as error:
        raise Refused(gettext("There is no such game: %(game)s.") % {"game": brief(setting.game)}) from error
    if setting.rated and not rated.is_ratable(game.name, setting.options):
        raise Refused(gettext("A rated table is played by the usual rules. Leave the options alone, or play casually."))
    return game


@transaction.atomic
def sit(*, person: User, match: Match, wish: str = "", index: int | None = None) -> Seat:
    """Take a free place; `wish` names the role one would like when the seats are drawn."""
    match = _hold(match)
    access.require(person, Permission.SIT, match)
    seat = _free_place(match, index)
    seat.user = person
    seat.wish = _known_role(match, wish)
    try:
        with transaction.atomic():
            seat.save(update_fields=["user", "wish"])
    except IntegrityError:
        raise Refused(gettext("You are already sitting at this table.")) from None
    announce.table_changed(match)
    return seat


@transaction.atomic
def stand_up(*, person: User, match: Match) -> None:
    match = _hold(match)
    access.require(person, Permission.STAND_UP, match)
    Seat.objects.filter(match=match, user=person).update(user=None, wish="", word="")
    announce.table_changed(match)


@transaction.atomic
def choose_role(*, person: User, match: Match, wish: str) -> None:
    """Wish for a role, or with "" leave it to the draw."""
    match = _hold(match)
    access.require(person, Permission.STAND_UP, match)
    Seat.objects.filter(match=match, user=person).update(wish=_known_role(match, wish))
    announce.table_changed(match)


@transaction.atomic
def add_word(*, person: User, match: Match, word: str) -> None:
    """Mix a word of one's own into the seed: the house has committed to its part and cannot answer it."""
    match = _hold(match)
    access.require(person, Permission.STAND_UP, match)
    if not match.takes_words:
        raise Refused(gettext("This deal is shared by several tables: it takes no words."))
    Seat.objects.filter(match=match, user=person).update(word=fairness.tidy(word))
    announce.table_changed(match)


@transaction.atomic
def fill_with_bot(*, person: User, match: Match, level: str, index: int | None = None, wish: str = "") -> Seat:
    match = _hold(match)
    access.require(person, Permission.HOST, match)
    return seat_bot(match=match, level=level, index=index, wish=wish)


def seat_bot(*, match: Match, level: str, index: int | None = None, wish: str = "", bot: User | None = None) -> Seat:
    """Put a bot into a free place, inside the caller's transaction; `bot` is its account where it has one."""
    if level not in LEVELS:
        raise Refused(gettext("There is no such bot."))
    seat = _free_place(match, index)
    seat.user, seat.bot_level, seat.wish = bot, level, _known_role(match, wish)
    seat.save(update_fields=["user", "bot_level", "wish"])
    announce.table_changed(match)
    return seat


def seat_person(*, match: Match, person: User, index: int) -> Seat:
    """Put somebody into the place that was drawn for them elsewhere, inside the caller's transaction."""
    seat = _free_place(match, index)
    seat.user = person
    seat.save(update_fields=["user"])
    announce.table_changed(match)
    return seat


@transaction.atomic
def clear_place(*, person: User, match: Match, index: int) -> None:
    """The host sends a bot or a guest away from a place."""
    match = _hold(match)
    access.require(person, Permission.HOST, match)
    Seat.objects.filter(match=match, index=index).update(user=None, bot_level="", wish="", word="")
    announce.table_changed(match)


@transaction.atomic
def start(*, person: User, match: Match) -> Match:
    match = _hold(match)
    access.require(person, Permission.HOST, match)
    return begin(match=match, actor=person)


def begin(*, match: Match, actor: User | None) -> Match:
    """Deal, inside the caller's transaction; every place must be taken."""
    if not match.is_open:
        raise Refused(gettext("This match has already begun."))
    seats = list(Seat.objects.filter(match=match).select_related("user").order_by("index"))
    if not all(seat.is_taken for seat in seats):
        raise Refused(gettext("There are free places: wait for players, or fill them with bots."))
    if match.draws_seats:
        seats = _draw_seats(match, seats)
    if match.clock == Match.Clock.LIVE:
        Seat.objects.filter(match=match).update(bank_left=match.bank * 1000)
        for seat in seats:
            seat.bank_left = match.bank * 1000
    played = referee.dealt(match)
    now = timezone.now()
    match.status = Match.Status.PLAYING
    match.started_at = match.turn_since = match.watched_at = now
    match.to_act = played.to_act
    match.snapshot = played.view(None)
    match.deadline = clocks.fresh_deadline(match, seats[played.to_act or 0], now)
    if any(played.legal(seat.index) for seat in seats if seat.bot_level):
        # Written with the deal itself: a match whose first task is lost is found by the sweeper.
        match.bot_due = queue.due_at(match, now)
        queue.send_after_commit(match)
    match.save()
    botevents.tell_turn(match, seats)
    if actor is not None:
        audit.record(STARTED, actor=actor, on=match, club=match.club, game=match.title)
    others = [seat.user for seat in seats if seat.user and seat.user != actor]
    notices.tell(others, TOLD_STARTED, path=match.get_absolute_url(), game=match.title)
    announce.seats_drawn(match)
    return match


def _draw_seats(match: Match, seats: list[Seat]) -> list[Seat]:
    """Lots for the seats, from the same seed as the deal: first those who wish for a role, while it lasts."""
    roles = engine.game(match.game).roles(match.players)
    rng = stream(fairness.seed_of(match), "seats")
    lots = sorted(range(len(seats)), key=lambda _place: rng.below(1 << 30))
    free = list(range(match.players))
    drawn: dict[int, Seat] = {}
    for wishing in (True, False):
        for lot in lots:
            seat = seats[lot]
            wanted = [index for index in free if roles[index] == seat.wish]
            if seat in drawn.values() or (wishing and not wanted):
                continue
            index = wanted[0] if wishing else free[0]
            free.remove(index)
            drawn[index] = seat
    # Out of the way first: no two rows may hold one index, not even for a moment.
    for index, seat in drawn.items():
        Seat.objects.filter(pk=seat.pk).update(index=index + match.players)
    for index, seat in drawn.items():
        Seat.objects.filter(pk=seat.pk).update(index=index)
        seat.index = index
    return [drawn[index] for index in sorted(drawn)]


@transaction.atomic
def call_off(*, person: User, match: Match) -> None:
    """Abort before the first move: nothing was played, nothing is counted."""
    match = _hold(match)
    access.require(person, Permission.HOST, match)
    abort(match=match)
    audit.record(CALLED_OFF, actor=person, on=match, club=match.club, game=match.title)


def abort(*, match: Match) -> None:
    """Take the table away, inside the caller's transaction and with its row locked."""
    if match.ply:
        raise Refused(gettext("A move has been made: this match can be resigned, not called off."))
    match.status, match.finished_at = Match.Status.ABORTED, timezone.now()
    match.bot_due = match.deadline = match.to_act = None
    match.save()
    announce.table_changed(match)


@transaction.atomic
def resign(*, person: User, match: Match) -> bool:
    """Leave a running match for good; whether it goes on without."""
    match = _hold(match)
    access.require(person, Permission.RESIGN, match)
    seat = Seat.objects.select_related("user").get(match=match, user=person)
    if seat.left in (Seat.Left.RESIGNED, Seat.Left.TIMEOUT):
        raise Refused(gettext("You have already left this match."))
    ending.leave(match=match, seat=seat, left=Seat.Left.RESIGNED)
    audit.record(RESIGNED, actor=person, on=match, club=match.club, person=person, game=match.title)
    announce.table_changed(match)
    return match.is_playing


@transaction.atomic
def come_back(*, person: User, match: Match) -> None:
    """Take one's seat back from the bot that kept it."""
    match = _hold(match)
    access.require(person, Permission.COME_BACK, match)
    seat = Seat.objects.select_related("user").get(match=match, user=person)
    if seat.left != Seat.Left.AWAY:
        raise Refused(gettext("There is no seat kept for you here."))
    seat.left = seat.bot_level = ""
    # An empty bank would fall again at once: a short while to find one's bearings.
    if seat.bank_left is not None:
        seat.bank_left = max(seat.bank_left, match.increment * 1000, 30_000)
    seat.save(update_fields=["left", "bot_level", "bank_left"])
    if match.to_act == seat.index:
        match.turn_since = timezone.now()
        match.bot_due, match.deadline = None, clocks.fresh_deadline(match, seat, match.turn_since)
        match.save(update_fields=["turn_since", "bot_due", "deadline"])
        botevents.tell_turn(match, list(Seat.objects.filter(match=match).select_related("user").order_by("index")))
    announce.table_changed(match)


@transaction.atomic
def rematch(*, person: User, match: Match) -> Match:
    """Offer a rematch, or accept the one on offer: the same table again, begun when all people are back."""
    match = _hold(match)
    access.require(person, Permission.REMATCH, match)
    again = Match.objects.filter(rematch_of=match).first() or _lay_again(match, person)
    again = _hold(again)
    if not again.is_open or access.seat_of(person, again):
        return again
    sit(person=person, match=again)
    if all(seat.is_taken for seat in Seat.objects.filter(match=again)):
        return begin(match=again, actor=person)
    return again


def _lay_again(match: Match, person: User) -> Match:
    clock = Clock(match.clock, match.bank, match.increment, match.days, match.on_timeout)
    setting = Setting(
        match.game, match.players, match.options, match.visibility, match.club, clock, match.rated, match.draws_seats
    )
    again = open_table(host=person, setting=setting, rematch_of=match)
    before = list(match.seats.select_related("user"))
    for seat in before:
        if seat.is_bot:
            seat_bot(match=again, level=seat.bot_level, bot=seat.user)
    _ask_bots_again(again, before, person)
    others = [seat.user for seat in before if seat.user and not seat.is_bot and seat.user != person]
    notices.tell(others, TOLD_REMATCH, path=again.get_absolute_url(), actor=person, game=match.title)
    announce.table_changed(match)
    return again


def _ask_bots_again(again: Match, before: list[Seat], person: User) -> None:
    """Bots that people brought are asked as people are; one that does not come leaves its place free."""
    from games import challenges  # built on tables

    for bot in OwnBot.objects.filter(user__in=[seat.user_id for seat in before if seat.is_own_bot]).order_by("pk"):
        with suppress(Refused):
            challenges.challenge(person=person, match=again, bot=bot)


@transaction.atomic
def play_now(*, person: User, game: str, players: int, level: str, rated: bool = False) -> Match:
    """A match against bots, begun at once."""
    match = open_table(host=person, setting=Setting(game, players, rated=rated))
    sit(person=person, match=match)
    for _place in range(players - 1):
        seat_bot(match=match, level=level)
    return begin(match=_hold(match), actor=person)


def _hold(match: Match) -> Match:
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

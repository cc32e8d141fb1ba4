"""Opening a table: what is played there, by whom and against which clock; a quick match against bots; a rematch."""

from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from django.db import transaction
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import engine
from accounts import audit
from accounts.infra.errors import Refused
from accounts.models import Club, Membership, User
from accounts.notifications.registry import declare_kind
from accounts.notifications.service import notify
from engine.bots import neighbour
from engine.errors import brief
from games import access, card_files, engine_match, fairness
from games.access import Permission
from games.catalogue import option_labels, ratability
from games.errors import OptionRefused
from games.models import CardFile, Match, OwnBot, Seat
from games.models.match import with_cards
from games.play import fair_share
from games.realtime import broadcast
from games.tables.seating import lock_match, seat_bot, sit
from games.tables.start import deal
from games.user_bots import challenges

OPENED = audit.declare_action("games.opened", _("%(actor)s opened a table of %(game)s"))
REMATCH_KIND = declare_kind(
    "games.rematch", _("%(actor)s offers you a rematch of %(game)s."), _("Somebody offers a rematch")
)

MAX_OPEN_TABLES = 10


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
    tempo: str = Match.Tempo.NORMAL
    card_file: CardFile | None = None


@transaction.atomic
def open_table(
    *, host: User | None, setting: Setting, secret: str = "", pace: int = 0, rematch_of: Match | None = None
) -> Match:
    """Open a table. A `secret` given from outside makes the same deal at several tables, and then takes no words."""
    if host is not None:
        _check_host(host, setting)
    if setting.card_file is not None:
        _check_cards(host, setting, setting.card_file)
    game = rules_of(setting)
    mine = secret or fairness.new_secret()
    match = Match(
        game=game.name,
        players=setting.players,
        options=setting.options,
        rules_version=game.rules_version,
        card_file=setting.card_file,
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
        tempo=setting.tempo,
        pace=pace,
        rematch_of=rematch_of,
    )
    match.full_clean(exclude=["key", "snapshot", "options", "grade"])
    match.save()
    Seat.objects.bulk_create([Seat(match=match, index=index) for index in range(setting.players)])
    if host is not None:
        audit.record(OPENED, actor=host, on=match, club=match.club, game=match.stored_title)
    broadcast.broadcast_listing(match)
    return match


def _check_host(host: User, setting: Setting) -> None:
    access.require(host, Permission.OPEN_TABLE)
    if setting.club is not None and not Membership.objects.filter(club=setting.club, user=host).exists():
        raise Refused(gettext("You can open a table for a club that you are a member of."))
    if host.is_trial and (setting.rated or setting.club or setting.visibility != Match.Visibility.LINK):
        raise Refused(gettext("Without an account you play unrated, against bots. Keep your name to play with people."))
    check_open_tables(host)


def check_open_tables(host: User) -> None:
    """Refuse another table while enough of this person's wait for players."""
    if Match.objects.filter(host=host, status=Match.Status.OPEN).count() >= MAX_OPEN_TABLES:
        raise Refused(gettext("You have many open tables already. Call one off, or start it."))


def _check_cards(host: User | None, setting: Setting, card_file: CardFile) -> None:
    """A club's cards are for tables of the club. Only a league may rate them: its season names them for everybody."""
    card_files.choose(card_file=card_file, club=setting.club, game=setting.game, may_be_withdrawn=host is None)
    if setting.rated and host is not None:
        raise Refused(gettext("A table with a club’s own cards is not rated, except in a league. Play casually."))


def rules_of(setting: Setting) -> engine.Game:
    """The game, once its rules accept the number of players and the options."""
    try:
        game = engine.game(setting.game)
        game.start(
            setting.players, "a trial deal", with_cards(setting.game, setting.options, setting.card_file)
        )  # fmt: skip
    except engine.OptionError as error:
        named = {"option": brief(option_labels.label_of(setting.game, error.field))}
        raise OptionRefused(error.field, gettext("%(option)s: this is not possible at this table.") % named) from error
    except engine.EngineError as error:
        raise Refused(gettext("There is no such game: %(game)s.") % {"game": brief(setting.game)}) from error
    if setting.rated and not ratability.is_ratable(game.name, setting.options):
        raise Refused(gettext("A rated table is played by the usual rules. Leave the options alone, or play casually."))
    return game


@transaction.atomic
def rematch(*, person: User, match: Match, step: int = 0) -> Match:
    """Offer a rematch, or accept the one on offer: the same table again, begun when all people are back.

    Alone with the site's bots one may have them a step up the ladder, or a step down.
    """
    match = lock_match(match)
    access.require(person, Permission.REMATCH, match)
    levels = rematch_levels(match, list(match.seats.all()), step)
    if step and not levels:
        raise Refused(gettext("There is no such bot."))
    again = Match.objects.filter(rematch_of=match).first() or _open_rematch_table(match, person, levels)
    again = lock_match(again)
    if not again.is_open or access.seat_of(person, again):
        return again
    sit(person=person, match=again)
    if all(seat.is_taken for seat in Seat.objects.filter(match=again)):
        return deal(match=again, actor=person)
    return again


def rematch_levels(match: Match, seats: list[Seat], step: int) -> dict[int, str]:
    """The levels of the bots so many steps up or down, by seat; nothing where that is not for one person to choose,
    or where a bot has no such neighbour on the ladder."""
    people = [seat for seat in seats if not seat.is_bot]
    if len(people) != 1 or people[0].is_own_bot or not step:
        return {}
    bots = {seat.index: neighbour(seat.bot_level, step) for seat in seats if seat.is_bot}
    return bots if all(bots.values()) else {}


def _open_rematch_table(match: Match, person: User, levels: dict[int, str]) -> Match:
    clock = Clock(match.clock, match.bank, match.increment, match.days, match.on_timeout)
    rated = match.rated and match.card_file is None
    setting = Setting(
        match.game, match.players, match.options, match.visibility, match.club, clock, rated, match.draws_seats,
        tempo=match.tempo, card_file=match.card_file,
    )  # fmt: skip
    again = open_table(host=person, setting=setting, rematch_of=match)
    before = list(match.seats.select_related("user"))
    for seat in before:
        if seat.is_bot:
            seat_bot(match=again, level=levels.get(seat.index, seat.bot_level), bot=seat.user)
    _ask_bots_again(again, before, person)
    others = [seat.user for seat in before if seat.user and not seat.is_bot and seat.user != person]
    notify(others, REMATCH_KIND, path=again.get_absolute_url(), actor=person, game=match.stored_title)
    broadcast.broadcast_table(match)
    return again


def _ask_bots_again(again: Match, before: list[Seat], person: User) -> None:
    """Bots that people brought are asked as people are; one that does not come leaves its place free."""
    for bot in OwnBot.objects.filter(user__in=[seat.user_id for seat in before if seat.is_own_bot]).order_by("pk"):
        with suppress(Refused):
            challenges.challenge(person=person, match=again, bot=bot)


@transaction.atomic
def play_now(
    *,
    person: User,
    game: str,
    players: int,
    level: str,
    rated: bool = False,
    tempo: str = Match.Tempo.NORMAL,
    role: str = "",
    difficulty: str = "",
) -> Match:
    """A match against bots, begun at once, in the role one would like and at one of the game's difficulties.

    Who plays without an account plays unrated at a table in no list, and moves first: they are here to try it.
    """
    fair_share.check_running(person)
    setting = Setting(game, players, difficulty_option(game, difficulty), rated=rated, tempo=tempo)
    if person.is_trial:
        setting = replace(setting, visibility=Match.Visibility.LINK, draws_seats=False)
    match = open_table(host=person, setting=setting)
    if role and role not in engine.game(game).roles(players):
        raise Refused(gettext("There is no such role at this table."))
    sit(person=person, match=match, wish=role, index=_seat_to_begin(match, role) if person.is_trial else None)
    for _place in range(players - 1):
        seat_bot(match=match, level=level)
    return deal(match=lock_match(match), actor=person)


def difficulty_option(game: str, difficulty: str) -> dict[str, str]:
    known = difficulties(game)
    if difficulty and difficulty not in known:
        raise Refused(gettext("There is no such difficulty in this game."))
    return {engine.game(game).scenario_option: difficulty} if difficulty else {}


def difficulties(game: str) -> list[str]:
    """The difficulties of a game in which all play together; nothing for the others."""
    options = engine.game(game).options if game in engine.GAMES else ()
    return [
        str(each) for option in options if option.name == engine.game(game).scenario_option for each in option.choices
    ]


def _seat_to_begin(match: Match, role: str) -> int:
    """The seat that acts first in this deal, or the first of a role."""
    roles = engine.game(match.game).roles(match.players)
    first = engine_match.load_initial(match).to_act or 0
    return first if not role or roles[first] == role else roles.index(role)

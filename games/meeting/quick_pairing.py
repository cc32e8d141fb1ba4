"""Quick pairing: say what you like to play, and get a table with people of about your strength.

Who has waited longer accepts a larger difference. After a while bots fill the table of those who want them.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

import structlog
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

import engine
from accounts import follows
from accounts.infra.errors import Refused
from accounts.infra.on_commit import after_commit
from accounts.infra.realtime.publish import frame, publish
from accounts.models import User
from engine.bots import LEVELS
from games import access
from games.access import Permission
from games.catalogue.spec import spec
from games.meeting import strength
from games.meeting.clock_presets import CLOCKS, clock_of, is_by_correspondence
from games.models import Match, PairingWish
from games.models.meeting import ClockPreset
from games.play import fair_share
from games.tables import seating, setup, start
from games.tables.exhibition import usual_players
from games.tables.setup import Setting

# Points of rating between two people who are paired at once, and how much more for every second of waiting.
FIRST_DIFFERENCE, DIFFERENCE_PER_SECOND = 150, 5
BOTS_AFTER = timedelta(seconds=30)
# A wish ends so long after the last sign of life of its page; by correspondence nobody has to wait at the page.
LASTS, LASTS_BY_CORRESPONDENCE = timedelta(seconds=60), timedelta(days=3)
MOST_AT_ONCE = 500

log = structlog.get_logger("gauntlet.pairing")


@transaction.atomic
def seek(
    *,
    person: User,
    games: Sequence[str],
    players: int = 0,
    clock: str = ClockPreset.LIVE_10,
    rated: bool = True,
    level: str = "",
) -> PairingWish:
    """Look for a table; a new wish takes the place of the one before. The table may be there at once."""
    access.require(person, Permission.CHALLENGE)
    if person.is_bot:
        raise Refused(gettext("This works between people who have an account here."))
    chosen = _known_games(games, players)
    if clock not in CLOCKS:
        raise Refused(gettext("There is no such clock."))
    if level and level not in LEVELS:
        raise Refused(gettext("There is no such bot."))
    setup.check_open_tables(person)
    if level:
        fair_share.check_running(person)
    now = timezone.now()
    terms = {"games": chosen, "players": players, "clock": clock, "rated": rated, "level": level}
    known = PairingWish.objects.filter(user=person, match=None, expires_at__gt=now, **terms).first()
    # The same wish again is a sign of life: who waits keeps their place.
    at = known.at if known else now
    PairingWish.objects.update_or_create(
        user=person, defaults={**terms, "at": at, "match": None, "expires_at": now + _lasting(clock)}
    )
    pair_waiting()
    return PairingWish.objects.select_related("match").get(user=person)


@transaction.atomic
def stay(*, person: User) -> PairingWish | None:
    """The page still waits; its wish, or None if there is none any more."""
    access.require(person, Permission.CHALLENGE)
    wish = wish_of(person)
    if wish is not None and wish.match is None:
        until = timezone.now() + _lasting(wish.clock)
        PairingWish.objects.filter(pk=wish.pk, match=None).update(expires_at=until)
        pair_waiting()
        wish = wish_of(person)
    return wish


@transaction.atomic
def leave(*, person: User) -> None:
    """Look for a table no more."""
    access.require(person, Permission.CHALLENGE)
    PairingWish.objects.filter(user=person).delete()


def wish_of(person: User) -> PairingWish | None:
    rows = PairingWish.objects.filter(user=person, expires_at__gt=timezone.now())
    return rows.select_related("match").first()


def count_waiting() -> int:
    return PairingWish.objects.filter(match=None, expires_at__gt=timezone.now()).count()


def pair_waiting() -> int:
    """Seat whoever fits together; returns how many tables began. The sweep calls it too."""
    # Most of the time nobody waits: then nothing is locked.
    return _pair() if PairingWish.objects.exists() else 0


@transaction.atomic
def _pair() -> int:
    now = timezone.now()
    PairingWish.objects.filter(expires_at__lte=now).delete()
    # Locked in one order, so that of two who pair at the same time the second waits, and finds the rest.
    rows = PairingWish.objects.select_for_update(of=("self",)).select_related("user")
    rows = rows.filter(match=None, user__is_active=True)
    waiting = list(rows.order_by("pk")[:MOST_AT_ONCE])
    waiting.sort(key=lambda wish: (wish.at, wish.pk))
    blocked = follows.blocked_pairs([wish.user_id for wish in waiting])
    ratings = _ratings(waiting)
    begun = 0
    while waiting:
        first, *rest = waiting
        found = _find_table(first, rest, blocked, ratings, now)
        if found is None:
            waiting = rest
            continue
        game, size, group = found
        begun += _begin(first, game, size, group)
        waiting = [wish for wish in rest if wish not in group]
    return begun


Found = tuple[str, int, list[PairingWish]]


def _find_table(
    first: PairingWish,
    rest: list[PairingWish],
    blocked: set[frozenset[int]],
    ratings: dict[str, dict[int, int]],
    now: datetime,
) -> Found | None:
    """A game, a size and the people for it: first people alone, then with bots where the wait was long."""
    for game in first.games:
        for size in _sizes(first, game):
            fitting = [wish for wish in rest if _fits(first, wish, game, size)]
            group = _choose(first, fitting, size, blocked, ratings[game], now)
            if len(group) == size:
                return game, size, group
    if first.level and now - first.at >= BOTS_AFTER:
        game = first.games[0]
        size = first.players or usual_players(game)
        fitting = [wish for wish in rest if wish.level and _fits(first, wish, game, size)]
        return game, size, _choose(first, fitting, size, blocked, ratings[game], now)
    return None


def _fits(first: PairingWish, other: PairingWish, game: str, size: int) -> bool:
    """Whether the other would like this table too."""
    same = (other.clock, other.rated) == (first.clock, first.rated)
    return same and game in other.games and other.players in (0, size)


def _choose(
    first: PairingWish,
    fitting: list[PairingWish],
    size: int,
    blocked: set[frozenset[int]],
    ratings: dict[int, int],
    now: datetime,
) -> list[PairingWish]:
    """The nearest in strength who may meet everybody chosen before, at most `size` with the first."""
    group = [first]
    for wish in sorted(fitting, key=lambda each: abs(ratings[each.user_id] - ratings[first.user_id])):
        if len(group) < size and all(_may_meet(wish, each, blocked, ratings, now) for each in group):
            group.append(wish)
    return group


def _may_meet(
    one: PairingWish, other: PairingWish, blocked: set[frozenset[int]], ratings: dict[int, int], now: datetime
) -> bool:
    if frozenset((one.user_id, other.user_id)) in blocked:
        return False
    waited = (now - min(one.at, other.at)).total_seconds()
    most = FIRST_DIFFERENCE + DIFFERENCE_PER_SECOND * max(0, waited)
    return abs(ratings[one.user_id] - ratings[other.user_id]) <= most


def _begin(first: PairingWish, game: str, size: int, group: list[PairingWish]) -> bool:
    try:
        with transaction.atomic():
            options = setup.difficulty_option(game, spec(game).first_difficulty)
            clock = clock_of(first.clock)
            setting = Setting(game, size, options, Match.Visibility.ANYONE, clock=clock, rated=first.rated)
            match = setup.open_table(host=first.user, setting=setting)
            for index, wish in enumerate(group):
                seating.seat_person(match=match, person=wish.user, index=index)
            for _place in range(size - len(group)):
                seating.seat_bot(match=match, level=first.level)
            match = start.deal(match=seating.lock_match(match), actor=None)
    except Refused as refused:
        # Their wish cannot be fulfilled, for example because they have opened many tables meanwhile.
        log.info("a wish was dropped", person=first.user_id, reason=refused.message)
        PairingWish.objects.filter(pk=first.pk).delete()
        _refresh(first.user_id)
        return False
    PairingWish.objects.filter(pk__in=[wish.pk for wish in group]).update(
        match=match, expires_at=timezone.now() + LASTS
    )
    for wish in group:
        _refresh(wish.user_id)
    return True


def _known_games(games: Sequence[str], players: int) -> list[str]:
    """The games that were chosen, in the site's order."""
    if not games or set(games) - set(engine.GAMES):
        raise Refused(gettext("Choose at least one game."))
    chosen = [name for name in engine.GAMES if name in games]
    fitting = [name for name in chosen if not players or players in engine.game(name).players]
    if not fitting:
        raise Refused(gettext("None of these games is for so many players."))
    return fitting


def _sizes(wish: PairingWish, game: str) -> list[int]:
    return [wish.players] if wish.players else list(engine.game(game).players)


def _lasting(clock: str) -> timedelta:
    return LASTS_BY_CORRESPONDENCE if is_by_correspondence(clock) else LASTS


def _ratings(waiting: Iterable[PairingWish]) -> dict[str, dict[int, int]]:
    people: dict[str, list[int]] = {}
    for wish in waiting:
        for game in wish.games:
            people.setdefault(game, []).append(wish.user_id)
    return {game: strength.ratings(game, ids) for game, ids in people.items()}


def _refresh(person: int) -> None:
    after_commit(publish, f"user.{person}", frame("pairing"))

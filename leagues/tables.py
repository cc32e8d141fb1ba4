"""Tables of a round: where they are, who is there, and the live match that opens when all are."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import engine
from accounts import audit, notices
from accounts.errors import Refused
from accounts.models import User
from games import tables as live_tables
from games.models import Match
from games.tables import Clock, Setting
from leagues import log, news
from leagues.access import Permission, require
from leagues.models import Entrant, Pairing, PairingSeat, Presence, Round, Season, TeamMember
from leagues.scheduling import placing
from leagues.scoresheet import hold

PLACED = {
    "online": audit.action("leagues.placed-online", _("%(actor)s put table %(table)s of round %(round)s online")),
    "club": audit.action("leagues.placed-club", _("%(actor)s put table %(table)s of round %(round)s at the club")),
}
# How long before the agreed time somebody may say that they are there.
EARLY = timedelta(minutes=30)

TOLD_OPEN = notices.kind(
    "leagues.table-open",
    _("Your table in %(season)s is ready: say that you are there."),
    _("Your online table is ready"),
    asks=True,
)


@transaction.atomic
def place(*, actor: User, pairing: Pairing, where: str) -> Pairing:
    """Move a table online or to the club, while it is still to be played."""
    pairing = hold(pairing)
    require(actor, Permission.ORGANISE, pairing)
    if where not in PLACED:
        raise Refused(gettext("A table is online or at the club."))
    if pairing.state != Pairing.State.SCHEDULED or pairing.match_id:
        raise Refused(gettext("This table is being played, or was."))
    if pairing.where == where:
        return pairing
    people = people_at(pairing)
    if where == Pairing.Where.CLUB and any(level or user.is_bot for user, level in people):
        raise Refused(gettext("A bot cannot come to the club."))
    if where == Pairing.Where.ONLINE and any(user.is_guest for user, _level in people):
        raise Refused(gettext("A guest has no account to play online with."))
    pairing.where = where
    pairing.save(update_fields=["where"])
    placing.release(pairing)
    season = pairing.round.stage.division.season
    log.note(
        PLACED[where],
        actor=actor,
        season=season,
        undo=("place", {"pairing": pairing.pk, "where": "club" if where == "online" else "online"}),
        table=pairing.number,
        round=pairing.round.number,
    )
    if pairing.round.is_published and where == Pairing.Where.ONLINE:
        open_when_ready(pairing)
    return pairing


def usual_place(season: Season, entrants: list[Entrant]) -> str:
    """Bots play online only; otherwise a season with both kinds of tables meets at the club."""
    if season.where == Season.Where.ONLINE:
        return Pairing.Where.ONLINE
    if season.where == Season.Where.BOTH and any(each.kind == Entrant.Kind.BOT for each in entrants):
        return Pairing.Where.ONLINE
    return Pairing.Where.CLUB


@transaction.atomic
def here(*, person: User, pairing: Pairing) -> Pairing:
    """Say that one is at the table. When everybody is, an online table opens and the match begins."""
    pairing = hold(pairing)
    require(person, Permission.SIT, pairing)
    if not pairing.round.is_published or pairing.state != Pairing.State.SCHEDULED:
        raise Refused(gettext("There is nothing to wait for at this table."))
    Presence.objects.update_or_create(pairing=pairing, user=person, defaults={"at": timezone.now()})
    notices.settle(person, TOLD_OPEN, path=pairing.get_absolute_url())
    open_when_ready(pairing)
    log.live.changed(pairing.round.stage.division.season)
    return pairing


def open_when_ready(pairing: Pairing) -> Match | None:
    """Open the live table of a held pairing if nobody is missing: bots and correspondence wait for nobody."""
    if pairing.where != Pairing.Where.ONLINE or pairing.match_id or pairing.state != Pairing.State.SCHEDULED:
        return None
    season = pairing.round.stage.division.season
    here_now = there(pairing, timezone.now())
    waited_for = [
        user for user, level in people_at(pairing) if not level and not user.is_bot and user.pk not in here_now
    ]
    if waited_for and season.clock != Match.Clock.DAYS:
        return None
    return _open(pairing, season)


def there(pairing: Pairing, now: datetime) -> set[int]:
    """Who has said that they are there; of an agreed time only what was said shortly before it, or after, counts."""
    said = Presence.objects.filter(pairing=pairing)
    if pairing.starts_at is not None:
        said = said.filter(at__gte=min(now, pairing.starts_at) - EARLY)
    return set(said.values_list("user", flat=True))


def _open(pairing: Pairing, season: Season) -> Match:
    people = people_at(pairing)
    setting = Setting(
        game=season.league.game,
        players=len(people),
        options=season.options,
        visibility=Match.Visibility.LINK if pairing.deal else Match.Visibility.ANYONE,
        club=season.league.club,
        clock=Clock(season.clock, season.bank, season.increment, season.days, season.on_timeout),
        rated=season.rated,
        draws_seats=False,
        sealed=bool(pairing.deal),
    )
    match = live_tables.open_table(host=None, setting=setting, secret=pairing.deal)
    for index, (user, level) in enumerate(people):
        if level:
            live_tables.seat_bot(match=match, level=level, index=index, bot=user if user.is_bot else None)
        else:
            live_tables.seat_person(match=match, person=user, index=index)
    live_tables.begin(match=match, actor=None)
    pairing.match, pairing.state = match, Pairing.State.PLAYING
    pairing.save(update_fields=["match", "state"])
    return match


def people_at(pairing: Pairing) -> list[tuple[User, str]]:
    """Who takes which seat of the game, in order, with the level of those who are bots; a team brings its members.

    A stand-in keeps the seat of somebody who left after the draw.
    """
    seats = PairingSeat.objects.filter(pairing=pairing).select_related("entrant__user").order_by("index")
    found: list[tuple[User, str]] = []
    for seat in seats:
        entrant = seat.entrant
        if entrant.kind == Entrant.Kind.TEAM:
            members = TeamMember.objects.filter(entrant=entrant).select_related("user").order_by("position")
            found += [(member.user, member.bot_level) for member in members]
        elif entrant.user is not None:
            found.append((entrant.user, STAND_IN if seat.absent else entrant.bot_level))
    return found


STAND_IN = "regular"


def seat(pairing: Pairing, entrants: Sequence[Entrant]) -> None:
    """Seats in this order, with the roles that the game gives them."""
    roles = role_names(pairing.round.stage.division.season.league.game, len(entrants))
    PairingSeat.objects.bulk_create(
        PairingSeat(pairing=pairing, round=pairing.round, entrant=entrant, index=index, role=roles[index])
        for index, entrant in enumerate(entrants)
    )


def role_names(game: str, seats: int) -> tuple[str, ...]:
    """The role of each seat; games in which all seats are alike name none."""
    known = engine.game(game)
    roles = known.roles(seats) if seats in known.players else ()
    return roles if len(set(roles)) > 1 else ("",) * seats


def publish_tables(round_: Round) -> None:
    """Inside the transaction that publishes a round: tables that wait for nobody begin, others call their players."""
    season = round_.stage.division.season
    news.tell_paired(round_)
    for pairing in Pairing.objects.filter(round=round_, where=Pairing.Where.ONLINE, state=Pairing.State.SCHEDULED):
        if open_when_ready(hold(pairing)) is None:
            people = [user for user, level in people_at(pairing) if not level]
            notices.tell(people, TOLD_OPEN, path=pairing.get_absolute_url(), season=season.full_name)

"""Tables of a round: online or at the club, who is present, and the match that starts when all are."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import engine
from accounts import audit
from accounts.infra.errors import Refused
from accounts.models import User
from accounts.notifications.registry import declare_kind
from accounts.notifications.service import notify, resolve
from games.models import Match
from games.tables import seating, setup, start
from games.tables.setup import Clock, Setting
from leagues.core import access, consent, realtime, season_effects, webhook_emit
from leagues.core.access import Permission, require
from leagues.models import Entrant, Pairing, PairingGame, PairingSeat, Presence, Round, Season, TeamMember
from leagues.placement import service as placement
from leagues.results import game_series, recording
from leagues.results.recording import lock_pairing

PLACED = {
    "online": audit.declare_action(
        "leagues.placed-online", _("%(actor)s put table %(table)s of round %(round)s online")
    ),
    "club": audit.declare_action(
        "leagues.placed-club", _("%(actor)s put table %(table)s of round %(round)s at the club")
    ),
}
# How long before the agreed time players may report that they are present.
EARLY = timedelta(minutes=30)

DRAWN_KIND = declare_kind(
    "leagues.drawn", _("Round %(round)s of %(season)s is drawn: see whom you play."), _("A round is published")
)
OPEN_KIND = declare_kind(
    "leagues.table-open",
    _("Your table in %(season)s is ready: say that you are there."),
    _("Your online table is ready"),
    asks=True,
)


@transaction.atomic
def set_location(*, actor: User, pairing: Pairing, where: str) -> Pairing:
    """Move a table online or to the club, while it is still to be played."""
    pairing = lock_pairing(pairing)
    require(actor, Permission.ORGANISE, pairing)
    if where not in PLACED:
        raise Refused(gettext("A table is online or at the club."))
    if pairing.state != Pairing.State.SCHEDULED or pairing.match_id:
        raise Refused(gettext("This table is being played or is over."))
    if pairing.where == where:
        return pairing
    people = people_at(pairing)
    if where == Pairing.Where.CLUB and any(level or user.is_bot for user, level in people):
        raise Refused(gettext("A bot cannot come to the club."))
    if where == Pairing.Where.ONLINE and any(user.is_guest for user, _level in people):
        raise Refused(gettext("A guest has no account to play online with."))
    pairing.where = where
    pairing.save(update_fields=["where"])
    placement.release(pairing)
    season = pairing.round.stage.division.season
    season_effects.log_and_refresh(
        PLACED[where],
        actor=actor,
        season=season,
        undo=("place", {"pairing": pairing.pk, "where": "club" if where == "online" else "online"}),
        table=pairing.table,
        round=pairing.round.number,
    )
    if pairing.round.is_published and where == Pairing.Where.ONLINE:
        open_when_ready(pairing)
    return pairing


def usual_place(season: Season, entrants: list[Entrant]) -> str:
    """Where a table is played by default: bots play online; else a season with both kinds plays at the club."""
    if season.where == Season.Where.ONLINE:
        return Pairing.Where.ONLINE
    if season.where == Season.Where.BOTH and any(each.kind == Entrant.Kind.BOT for each in entrants):
        return Pairing.Where.ONLINE
    return Pairing.Where.CLUB


@transaction.atomic
def mark_present(*, person: User, pairing: Pairing) -> Pairing:
    """Mark a player as present. When everybody is, an online table opens and the match begins."""
    pairing = lock_pairing(pairing)
    require(person, Permission.SIT, pairing)
    if not pairing.round.is_published or pairing.state != Pairing.State.SCHEDULED:
        raise Refused(gettext("There is nothing to wait for at this table."))
    consent.agree(pairing.round.stage.division.season, person)
    Presence.objects.update_or_create(pairing=pairing, user=person, defaults={"at": timezone.now()})
    resolve(person, OPEN_KIND, path=pairing.get_absolute_url())
    open_when_ready(pairing)
    realtime.broadcast_season_changed(pairing.round.stage.division.season)
    return pairing


def open_when_ready(pairing: Pairing) -> Match | None:
    """Start the match of a locked pairing if everybody is present. Bots and correspondence games do not wait."""
    if pairing.where != Pairing.Where.ONLINE or pairing.match_id or pairing.state != Pairing.State.SCHEDULED:
        return None
    # A series that came with a file may be decided, and its result taken back.
    if game_series.length(pairing) > 1 and game_series.has_winner(pairing):
        return None
    season = pairing.round.stage.division.season
    here_now = present_users(pairing, timezone.now())
    waited_for = [
        user for user, level in people_at(pairing) if not level and not user.is_bot and user.pk not in here_now
    ]
    if waited_for and season.clock != Match.Clock.DAYS:
        return None
    return _open(pairing, season)


def present_users(pairing: Pairing, now: datetime) -> set[int]:
    """The players who are present; with an agreed time, only reports from shortly before it or later count."""
    reports = Presence.objects.filter(pairing=pairing)
    if pairing.starts_at is not None:
        reports = reports.filter(at__gte=min(now, pairing.starts_at) - EARLY)
    return set(reports.values_list("user", flat=True))


def _visibility(pairing: Pairing, season: Season) -> str:
    if pairing.deal:
        return Match.Visibility.LINK
    return Match.Visibility.CLUB if access.is_private(season) else Match.Visibility.ANYONE


def open_next_game(match: Match) -> None:
    """After a finished game of a series: the next one, unless that game decided it."""
    if pairing := Pairing.objects.filter(match=match).first():
        _go_on_with_series(pairing)


def follow_result(pairing: Pairing, actor: User | None) -> None:
    """A series whose result was taken back goes on, if its last game ended meanwhile."""
    if pairing.is_open and pairing.match_id:
        _go_on_with_series(pairing)


def _go_on_with_series(pairing: Pairing) -> None:
    known = Pairing.objects.filter(pk=pairing.pk).first()
    if known is None or game_series.length(known) == 1:
        return
    pairing = lock_pairing(known)
    waits = pairing.state in (Pairing.State.SCHEDULED, Pairing.State.PLAYING) and not pairing.round.is_closed
    played = PairingGame.objects.filter(pairing=pairing)
    if not waits or played.filter(ended_at=None).exists() or not game_series.is_undecided(pairing):
        return
    season = pairing.round.stage.division.season
    # Whoever has withdrawn meanwhile plays no other game.
    gone = PairingSeat.objects.filter(pairing=pairing, entrant__status=Entrant.Status.WITHDRAWN)
    if gone.update(absent=True):
        recording.record_forfeits(pairing, by=None)
    else:
        _open(pairing, season)
    realtime.broadcast_season_changed(season)


def _open(pairing: Pairing, season: Season) -> Match:
    people, last = people_at(pairing), PairingGame.objects.filter(pairing=pairing).order_by("number").last()
    game = PairingGame(pairing=pairing, number=last.number + 1 if last else 1)
    if game.is_exchanged:
        people.reverse()
    setting = Setting(
        game=season.league.game,
        players=len(people),
        options=season.options,
        visibility=_visibility(pairing, season),
        club=season.league.club,
        clock=Clock(season.clock, season.bank, season.increment, season.days, season.on_timeout),
        rated=season.rated,
        draws_seats=False,
        sealed=bool(pairing.deal),
        card_file=season.card_file,
    )
    before = _without_rematch(last.match) if last and last.match else None
    match = setup.open_table(host=None, setting=setting, secret=pairing.deal, rematch_of=before)
    for index, (user, level) in enumerate(people):
        if level:
            seating.seat_bot(match=match, level=level, index=index, bot=user if user.is_bot else None)
        else:
            seating.seat_person(match=match, person=user, index=index)
    start.deal(match=match, actor=None)
    pairing.match, pairing.state = match, Pairing.State.PLAYING
    pairing.save(update_fields=["match", "state"])
    if game_series.length(pairing) > 1:
        game.match = match
        game.save()
    return match


def _without_rematch(match: Match) -> Match | None:
    """The match, locked, unless its players have begun something else after it. Its page leads on to the next game."""
    match = Match.objects.select_for_update(of=("self",), no_key=True).get(pk=match.pk)
    return None if Match.objects.filter(rematch_of=match).exists() else match


def people_at(pairing: Pairing) -> list[tuple[User, str]]:
    """Who takes which seat of the game, in order, with the level of bots; a team takes one seat for each member.

    A stand-in takes the seat of somebody who left after the draw.
    """
    seats = PairingSeat.objects.filter(pairing=pairing).select_related("entrant__user").order_by("index")
    seated: list[tuple[User, str]] = []
    for seat in seats:
        entrant = seat.entrant
        if entrant.kind == Entrant.Kind.TEAM:
            members = TeamMember.objects.filter(entrant=entrant).select_related("user").order_by("position")
            seated += [(member.user, member.bot_level) for member in members]
        elif entrant.user is not None:
            seated.append((entrant.user, STAND_IN if seat.absent else entrant.bot_level))
    return seated


STAND_IN = "regular"


def seat(pairing: Pairing, entrants: Sequence[Entrant]) -> None:
    """Write the seats in this order, with the game's roles."""
    roles = role_names(pairing.round.stage.division.season.league.game, len(entrants))
    PairingSeat.objects.bulk_create(
        PairingSeat(pairing=pairing, round=pairing.round, entrant=entrant, index=index, role=roles[index])
        for index, entrant in enumerate(entrants)
    )


def role_names(game: str, seats: int) -> tuple[str, ...]:
    """The role of each seat; empty in games in which all seats are alike."""
    known = engine.game(game)
    roles = known.roles(seats) if seats in known.players else ()
    return roles if len(set(roles)) > 1 else ("",) * seats


def publish_tables(round_: Round) -> None:
    """Start the tables that wait for nobody, and notify the players of others. Called when a round is published."""
    webhook_emit.emit_round_paired(round_)
    for pairing in Pairing.objects.filter(round=round_, where=Pairing.Where.ONLINE, state=Pairing.State.SCHEDULED):
        publish_online(pairing, round_.stage.division.season)


def publish_online(pairing: Pairing, season: Season) -> None:
    """Start an online table if it waits for nobody, else notify its players."""
    if open_when_ready(lock_pairing(pairing)) is None:
        people = [user for user, level in people_at(pairing) if not level]
        notify(people, OPEN_KIND, path=pairing.get_absolute_url(), season=season.full_name)

"""Entries: who plays in a season, and their comings and goings."""

from collections.abc import Sequence
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import engine
from accounts import audit, notices, people
from accounts.errors import Refused
from accounts.models import Membership, User
from engine.bots import LEVELS
from games import ownbots
from games.models import OwnBot
from leagues import catalogue, locks, log, stages, strength
from leagues.access import Permission, require
from leagues.models import Division, Entrant, EntrantStep, Round, Season, Stage, TeamMember

ENTERED = audit.action("leagues.entered", _("%(actor)s entered"))
ADDED = audit.action("leagues.added", _("%(actor)s added %(entrant)s to %(division)s"))
QUEUED = audit.action("leagues.queued", _("%(entrant)s is on the waiting list of %(division)s"))
MOVED_UP = audit.action("leagues.moved-up", _("%(entrant)s has a place in %(division)s from the waiting list"))
MOVED = audit.action("leagues.moved", _("%(actor)s moved %(entrant)s to %(division)s"))
CHECKED_IN = audit.action("leagues.checked-in", _("%(actor)s checked %(entrant)s in"))
CHECKED_ALL_IN = audit.action("leagues.checked-all-in", _("%(actor)s checked all entries in (%(count)s)"))
CHECKED_OUT = audit.action("leagues.checked-out", _("%(actor)s took back the check-in of %(entrant)s"))

TOLD_ADDED = notices.kind(
    "leagues.added",
    _("%(actor)s entered you for %(season)s."),
    _("An organiser entered you for a season"),
    group=notices.Group.SEASONS,
)
TOLD_PLACE = notices.kind(
    "leagues.place",
    _("A place in %(season)s is yours: you were next on the waiting list."),
    _("A place on the waiting list became yours"),
    group=notices.Group.SEASONS,
)

BOT_NAMES = (
    "Wren", "Magpie", "Owl", "Heron", "Finch", "Jackdaw", "Lapwing", "Dipper", "Siskin", "Rook", "Plover", "Swift",
    "Curlew", "Nuthatch", "Osprey", "Kestrel",
)  # fmt: skip


@transaction.atomic
def register(*, person: User, season: Season, division: Division | None = None) -> Entrant:
    """Enter oneself, while the season is open for entries and its conditions are met."""
    season = locks.season(season)
    require(person, Permission.ENTER, season)
    if season.status != Season.Status.REGISTRATION:
        raise Refused(gettext("This season is not open for entries."))
    _check_conditions(person, season)
    division = division or _division_for(season)
    if division.season_id != season.pk:
        raise Refused(gettext("This division belongs to another season."))
    entrant = admit(division, kind=Entrant.Kind.PERSON, user=person)
    log.note(ENTERED, actor=person, season=season, person=person)
    return entrant


def _check_conditions(person: User, season: Season) -> None:
    if person.is_bot or person.is_guest:
        raise Refused(gettext("Only people with an account enter themselves."))
    if season.members_only and not Membership.objects.filter(club=season.league.club, user=person).exists():
        raise Refused(gettext("Only members of the club may enter this season."))
    if season.rating_from is None and season.rating_to is None:
        return
    rating = strength.of_people(season.league.game, {person.pk}).get(person.pk, strength.UNRATED)
    if season.rating_from is not None and rating < season.rating_from:
        raise Refused(gettext("This season is for ratings from %(least)s.") % {"least": season.rating_from})
    if season.rating_to is not None and rating > season.rating_to:
        raise Refused(gettext("This season is for ratings up to %(most)s.") % {"most": season.rating_to})


def _division_for(season: Season) -> Division:
    """Newcomers start at the bottom, in the league of that level that has the fewest."""
    divisions = list(Division.objects.filter(season=season).order_by("-level", "number"))
    if not divisions:
        raise Refused(gettext("This season has no division yet."))
    lowest = [each for each in divisions if each.level == divisions[0].level]
    return min(lowest, key=lambda each: (Entrant.objects.filter(division=each).count(), each.number))


@transaction.atomic
def add_person(*, actor: User, division: Division, person: User) -> Entrant:
    """Enter somebody who has an account; the season's conditions are the organiser's to waive."""
    season = _organised(actor, division)
    if person.is_bot or not person.is_active:
        raise Refused(gettext("Choose a person."))
    entrant = admit(division, kind=Entrant.Kind.PERSON, user=person)
    _note_added(actor, season, entrant)
    notices.tell([person], TOLD_ADDED, path=season.get_absolute_url(), actor=actor, season=season.full_name)
    return entrant


@transaction.atomic
def add_guest(*, actor: User, division: Division, name: str) -> Entrant:
    """Enter somebody without an account, who plays at the club."""
    season = _organised(actor, division)
    if season.where == Season.Where.ONLINE:
        raise Refused(gettext("A guest has no account to play online with."))
    guest = people.add_guest(club=season.league.club, name=name, actor=actor)
    entrant = admit(division, kind=Entrant.Kind.PERSON, user=guest)
    _note_added(actor, season, entrant)
    return entrant


@transaction.atomic
def add_bot(*, actor: User, division: Division, level: str, bot: User | None = None) -> Entrant:
    """Enter a bot: an account that is one, or a new one with the next name that is free here."""
    season = _organised(actor, division)
    if level not in LEVELS:
        raise Refused(gettext("There is no such bot."))
    if season.where == Season.Where.CLUB:
        raise Refused(gettext("A bot cannot come to the club."))
    if bot is not None and not bot.is_bot:
        raise Refused(gettext("Choose a bot."))
    entrant = admit(division, kind=Entrant.Kind.BOT, user=bot or _new_bot(season), bot_level=level)
    _note_added(actor, season, entrant)
    return entrant


@transaction.atomic
def add_own_bot(*, actor: User, division: Division, bot: OwnBot) -> Entrant:
    """Enter a bot that somebody brought, if it takes challenges from whoever enters it."""
    season = _organised(actor, division)
    if season.where == Season.Where.CLUB:
        raise Refused(gettext("A bot cannot come to the club."))
    if ownbots.of_account(bot.user) is None or not ownbots.accepts(bot, actor, season.league.game):
        raise Refused(gettext("This bot does not take your challenge."))
    entrant = admit(division, kind=Entrant.Kind.BOT, user=bot.user)
    _note_added(actor, season, entrant)
    return entrant


def _new_bot(season: Season) -> User:
    taken = set(User.objects.filter(entries__season=season, is_bot=True).values_list("display_name", flat=True))
    taken |= set(User.objects.filter(teams__season=season, is_bot=True).values_list("display_name", flat=True))
    number = 1
    while True:
        for name in BOT_NAMES:
            full = name if number == 1 else f"{name} {number}"
            if full not in taken:
                return people.make_bot(name=full)
        number += 1


@transaction.atomic
def add_team(
    *, actor: User, division: Division, name: str, members: Sequence[User], bots: Sequence[str] = ()
) -> Entrant:
    """Enter a team of people, filled up with bots of these levels."""
    season = _organised(actor, division)
    name = " ".join(name.split())
    if not name or len(name) > 60:
        raise Refused(gettext("A team has a name of 1 to 60 letters."))
    if not set(bots) <= set(LEVELS):
        raise Refused(gettext("There is no such bot."))
    if bots and season.where == Season.Where.CLUB:
        raise Refused(gettext("A bot cannot come to the club."))
    entrant = form_team(division, name, members, bots)
    _note_added(actor, season, entrant)
    return entrant


def form_team(division: Division, name: str, members: Sequence[User], bots: Sequence[str]) -> Entrant:
    """Inside the caller's transaction, which has asked who may."""
    season = division.season
    size = len(members) + len(bots)
    if size not in _table_sizes(season):
        raise Refused(gettext("A team of %(count)s does not fit at a table of this game.") % {"count": size})
    if Entrant.objects.filter(season=season, user__in=members).exists():
        raise Refused(gettext("Somebody in this team has entered alone already."))
    entrant = admit(division, kind=Entrant.Kind.TEAM, team=name)
    seats = [(member, "") for member in members] + [(_new_bot(season), level) for level in bots]
    try:
        with transaction.atomic():
            for position, (user, level) in enumerate(seats):
                TeamMember.objects.create(season=season, entrant=entrant, user=user, bot_level=level, position=position)
    except IntegrityError:
        raise Refused(gettext("Somebody is in this team twice, or in another one.")) from None
    return entrant


def _table_sizes(season: Season) -> range:
    return engine.game(season.league.game).players


def _organised(actor: User, division: Division) -> Season:
    season = locks.season(division.season)
    require(actor, Permission.ORGANISE, season)
    if season.is_closed:
        raise Refused(gettext("This season is closed."))
    return season


def _note_added(actor: User, season: Season, entrant: Entrant) -> None:
    log.note(
        ADDED,
        actor=actor,
        season=season,
        person=entrant.user,
        undo=("entry", {"entrant": entrant.pk}),
        entrant=entrant.name,
        division=entrant.division.name,
    )


def admit(division: Division, **who: Any) -> Entrant:
    """A place, or one on the waiting list; somebody who withdrew before the start takes the same row again.

    Inside the caller's transaction, which has asked who may.
    """
    season = locks.season(division.season)
    stage = Stage.objects.filter(division=division).order_by("position").first()
    if stage and catalogue.FORMATS[stage.format].teams != (who["kind"] == Entrant.Kind.TEAM):
        for_teams = gettext("This format is for teams, not for people alone.")
        for_people = gettext("This format is for people, not for teams.")
        raise Refused(for_people if who["kind"] == Entrant.Kind.TEAM else for_teams)
    user = who.get("user")
    if user is not None and TeamMember.objects.filter(season=season, user=user).exists():
        raise Refused(gettext("%(name)s is in a team of this season already.") % {"name": user.name})
    entrant = Entrant.objects.filter(season=season, user=user).first() if user else None
    if entrant is not None and not entrant.is_withdrawn:
        raise Refused(gettext("%(name)s has entered this season already.") % {"name": entrant.name})
    if entrant is not None and season.is_running:
        raise Refused(gettext("%(name)s has left this season, and can come back to it.") % {"name": entrant.name})
    entrant = entrant or Entrant(season=season, **who)
    entrant.division, entrant.entered_at, entrant.seed = division, timezone.now(), None
    entrant.status = free_status(division)
    try:
        with transaction.atomic():
            entrant.save()
    except IntegrityError:
        raise Refused(gettext("There is a team of this name in the season.")) from None
    if entrant.is_waiting:
        log.note(QUEUED, actor=None, season=season, entrant=entrant.name, division=division.name)
    elif season.is_running:
        take_in_late(entrant, stage)
    return entrant


def free_status(division: Division) -> str:
    if not is_full(division):
        return Entrant.Status.REGISTERED
    if not division.season.waiting_list:
        raise Refused(gettext("“%(division)s” is full.") % {"division": division.name})
    return Entrant.Status.WAITING


def is_full(division: Division) -> bool:
    return division.cap is not None and Entrant.objects.entered().filter(division=division).count() >= division.cap


def take_in_late(entrant: Entrant, stage: Stage | None) -> None:
    """While the season runs: in from the next round on, if the format can."""
    if stage is None or stage.status != Stage.Status.RUNNING:
        raise Refused(gettext("It is too late to enter."))
    stage = locks.stage(stage)
    number = Round.objects.filter(stage=stage).count() + 1
    stages.late(stage, entrant, number)
    if number > 1:
        EntrantStep.objects.create(stage=stage, entrant=entrant, round=number, step="enter")
    entrant.status = Entrant.Status.ACTIVE
    entrant.save(update_fields=["status"])


@transaction.atomic
def check_in(*, actor: User, entrant: Entrant) -> Entrant:
    """Say that somebody has come. Checked in twice, they are checked in once."""
    season, entrant = own_entry(actor, entrant)
    if entrant.status == Entrant.Status.CHECKED_IN:
        return entrant
    if not season.check_in or season.has_begun or entrant.status != Entrant.Status.REGISTERED:
        raise Refused(gettext("There is no check-in for this entry now."))
    entrant.status = Entrant.Status.CHECKED_IN
    entrant.save(update_fields=["status"])
    undo = ("check-in", {"entrant": entrant.pk})
    log.note(CHECKED_IN, actor=actor, season=season, person=entrant.user, undo=undo, entrant=entrant.name)
    return entrant


@transaction.atomic
def check_in_all(*, actor: User, season: Season) -> int:
    """Everybody who holds a place has come; how many that were who had not said so."""
    season = locks.season(season)
    require(actor, Permission.ORGANISE, season)
    if not season.check_in or season.has_begun:
        raise Refused(gettext("There is no check-in for this season now."))
    rows = Entrant.objects.filter(season=season, status=Entrant.Status.REGISTERED)
    absent = list(rows.values_list("pk", flat=True))
    if absent:
        rows.update(status=Entrant.Status.CHECKED_IN)
        undo = ("check-in-all", {"entrants": absent})
        log.note(CHECKED_ALL_IN, actor=actor, season=season, undo=undo, count=len(absent))
    return len(absent)


@transaction.atomic
def check_out(*, actor: User, entrant: Entrant) -> Entrant:
    season, entrant = own_entry(actor, entrant)
    if entrant.status != Entrant.Status.CHECKED_IN:
        return entrant
    entrant.status = Entrant.Status.REGISTERED
    entrant.save(update_fields=["status"])
    log.note(CHECKED_OUT, actor=actor, season=season, person=entrant.user, entrant=entrant.name)
    return entrant


@transaction.atomic
def move(*, actor: User, entrant: Entrant, division: Division) -> Entrant:
    """To another division of the same season, until it starts."""
    season = _organised(actor, division)
    entrant = Entrant.objects.get(pk=entrant.pk)
    if division.season_id != entrant.season_id:
        raise Refused(gettext("This division belongs to another season."))
    if season.has_begun:
        raise Refused(gettext("The season has started: its divisions are set."))
    if entrant.division_id == division.pk:
        return entrant
    before = entrant.division
    entrant.division, entrant.seed = division, None
    if not entrant.is_withdrawn:
        entrant.status = free_status(division)
    entrant.save(update_fields=["division", "seed", "status"])
    promote_waiting(before)
    log.note(
        MOVED,
        actor=actor,
        season=season,
        person=entrant.user,
        undo=("move", {"entrant": entrant.pk, "division": before.pk}),
        entrant=entrant.name,
        division=division.name,
    )
    return entrant


def promote_waiting(division: Division) -> None:
    """Places that became free go to those who wait, in the order they came; inside the caller's transaction."""
    season = division.season
    if season.has_begun:
        return
    while not is_full(division):
        first = Entrant.objects.filter(division=division, status=Entrant.Status.WAITING).order_by("entered_at").first()
        if first is None:
            return
        first.status = Entrant.Status.REGISTERED
        first.save(update_fields=["status"])
        log.note(MOVED_UP, actor=None, season=season, entrant=first.name, division=division.name)
        if first.user:
            notices.tell([first.user], TOLD_PLACE, path=season.get_absolute_url(), season=season.full_name)


def own_entry(actor: User, entrant: Entrant) -> tuple[Season, Entrant]:
    """The season held and the entry read again, for whoever may speak for it."""
    season = locks.season(entrant.season)
    entrant = Entrant.objects.select_related("user", "division", "season__league__club").get(pk=entrant.pk)
    require(actor, Permission.ENTRY, entrant)
    if season.is_closed:
        raise Refused(gettext("This season is closed."))
    return season, entrant

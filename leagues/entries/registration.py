"""Entries of a season: register, add, check in, move between divisions, and the waiting list."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import engine
from accounts import audit, people
from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from accounts.models import Membership, User
from accounts.notifications.registry import NotificationGroup, declare_kind
from accounts.notifications.service import notify
from engine.bots import LEVELS
from games.models import OwnBot
from games.user_bots import service as user_bots
from leagues.core import consent, format_catalogue, locks, season_effects
from leagues.core.access import Permission, may, plays_as, require
from leagues.core.text import join_names
from leagues.entries import questions, strength
from leagues.models import Division, Entrant, EntrantStep, EntryRequest, Round, Season, Stage, TeamMember
from leagues.rounds import stage_start

ENTERED = audit.declare_action("leagues.entered", _("%(actor)s entered"))
ADDED = audit.declare_action("leagues.added", _("%(actor)s added %(entrant)s to %(division)s"))
QUEUED = audit.declare_action("leagues.queued", _("%(entrant)s is on the waiting list of %(division)s"))
MOVED_UP = audit.declare_action("leagues.moved-up", _("%(entrant)s has a place in %(division)s from the waiting list"))
MOVED = audit.declare_action("leagues.moved", _("%(actor)s moved %(entrant)s to %(division)s"))
CHECKED_IN = audit.declare_action("leagues.checked-in", _("%(actor)s checked %(entrant)s in"))
CHECKED_ALL_IN = audit.declare_action("leagues.checked-all-in", _("%(actor)s checked all entries in (%(count)s)"))
CHECKED_OUT = audit.declare_action("leagues.checked-out", _("%(actor)s took back the check-in of %(entrant)s"))

ADDED_KIND = declare_kind(
    "leagues.added",
    _("%(actor)s entered you for %(season)s: do you play?"),
    _("An organiser entered you for a season"),
    group=NotificationGroup.SEASONS,
    asks=True,
)
PLACE_KIND = declare_kind(
    "leagues.place",
    _("A place in %(season)s is yours: you were next on the waiting list."),
    _("A place on the waiting list became yours"),
    group=NotificationGroup.SEASONS,
)

MOST_GUESTS = 64
"""How many guests can be added at once."""
BOT_NAMES = (
    "Wren", "Magpie", "Owl", "Heron", "Finch", "Jackdaw", "Lapwing", "Dipper", "Siskin", "Rook", "Plover", "Swift",
    "Curlew", "Nuthatch", "Osprey", "Kestrel",
)  # fmt: skip


@transaction.atomic
def register(
    *, person: User, season: Season, division: Division | None = None, answers: Mapping[str, Any] | None = None
) -> Entrant:
    """Enter oneself, while registration is open and the season's conditions are met."""
    season = locks.season(season)
    division = check_entry(person, season, division)
    if needs_approval(person, season):
        raise Refused(gettext("The organisers approve entries to this season: ask to enter."))
    checked = questions.check_answers(season.entry_questions, answers)
    entrant = admit_or_queue(division, kind=Entrant.Kind.PERSON, user=person)
    if season.entry_questions:
        _keep_answers(season, person, entrant, checked)
    consent.agree(season, person)
    season_effects.log_and_refresh(ENTERED, actor=person, season=season, person=person)
    return entrant


def check_entry(person: User, season: Season, division: Division | None) -> Division:
    """The division for somebody who wants to enter a locked season; refused if they may not."""
    require(person, Permission.ENTER, season)
    if season.status != Season.Status.REGISTRATION:
        raise Refused(gettext("This season is not open for entries."))
    _check_conditions(person, season)
    division = division or division_for(season)
    if division.season_id != season.pk:
        raise Refused(gettext("This division belongs to another season."))
    _check_free(division, Entrant.Kind.PERSON, person)
    if EntryRequest.objects.filter(season=season, user=person, state=EntryRequest.State.DECLINED).exists():
        raise Refused(gettext("The organisers have declined your entry."))
    return division


def can_enter_at_once(person: User, season: Season) -> bool:
    """Whether nothing is asked of who enters, there is no division to choose, and nothing speaks against it."""
    if season.approval or season.entry_questions or Division.objects.filter(season=season).count() != 1:
        return False
    try:
        check_entry(person, season, None)
    except (NotAllowed, Refused):
        return False
    return True


def needs_approval(person: User, season: Season) -> bool:
    """Whether an organiser has to approve the entry: not twice, and not their own."""
    if not season.approval or may(person, Permission.ORGANISE, season):
        return False
    approved = EntryRequest.State.APPROVED
    return not EntryRequest.objects.filter(season=season, user=person, state=approved).exists()


def _keep_answers(season: Season, person: User, entrant: Entrant, answers: Mapping[str, Any]) -> None:
    values = {"state": EntryRequest.State.APPROVED, "division": entrant.division, "answers": answers}
    EntryRequest.objects.update_or_create(season=season, user=person, defaults=values)


def _check_conditions(person: User, season: Season) -> None:
    if person.is_bot or person.is_guest:
        raise Refused(gettext("You need an account to enter a season."))
    if season.members_only and not Membership.objects.filter(club=season.league.club, user=person).exists():
        raise Refused(gettext("Only members of the club may enter this season."))
    if season.rating_from is None and season.rating_to is None:
        return
    rating = strength.of_people(season.league.game, {person.pk}).get(person.pk, strength.UNRATED)
    if season.rating_from is not None and rating < season.rating_from:
        raise Refused(gettext("This season is for ratings from %(least)s.") % {"least": season.rating_from})
    if season.rating_to is not None and rating > season.rating_to:
        raise Refused(gettext("This season is for ratings up to %(most)s.") % {"most": season.rating_to})


def division_for(season: Season) -> Division:
    """Newcomers start in the lowest level, in its division with the fewest entries."""
    divisions = list(Division.objects.filter(season=season).order_by("-level", "number"))
    if not divisions:
        raise Refused(gettext("This season has no division yet."))
    lowest = [each for each in divisions if each.level == divisions[0].level]
    return min(lowest, key=lambda each: (Entrant.objects.filter(division=each).count(), each.number))


@transaction.atomic
def add_person(*, actor: User, division: Division, person: User, follows: Entrant | None = None) -> Entrant:
    """Enter a member of the club, who is asked whether they play. Organisers may ignore the season's conditions.

    `follows` is an entry of the season before: who played then may be entered again without being a member.
    """
    season = _lock_organised_season(actor, division)
    if person.is_bot or not person.is_active:
        raise Refused(gettext("Choose a person."))
    _check_consent(season, [person], followed=follows is not None)
    asked = EntryRequest.objects.filter(season=season, user=person, state=EntryRequest.State.ASKED).exists()
    entrant = admit_or_queue(division, kind=Entrant.Kind.PERSON, user=person)
    _log_added(actor, season, entrant)
    if not asked:
        ask_to_play(actor, season, [person])
    return entrant


def _check_consent(season: Season, people: Sequence[User], *, followed: bool = False) -> None:
    """Nobody is entered into a club that they did not join, or again after they said no."""
    inside = set(Membership.objects.filter(club=season.league.club, user__in=people).values_list("user", flat=True))
    strangers = [person for person in people if person.pk not in inside and not (followed or person.is_guest)]
    if strangers:
        raise Refused(
            gettext(
                "%(names)s is not a member of the club. Send the club’s invitation, or the season’s link to sign up: "
                "nobody is entered without having joined."
            )
            % {"names": join_names(person.name for person in strangers)}
        )
    if away := consent.declined(season, people):
        raise Refused(
            gettext("%(names)s does not want to play this season. Only they can change that, by signing up.")
            % {"names": join_names(person.name for person in away)}
        )


def ask_to_play(actor: User | None, season: Season, people: Sequence[User]) -> None:
    """Ask the people whom an organiser entered whether they play."""
    asked = consent.ask(season, people, by=actor)
    notify(asked, ADDED_KIND, path=season.get_absolute_url(), actor=actor, season=season.full_name)


@transaction.atomic
def add_guest(*, actor: User, division: Division, name: str) -> Entrant:
    """Enter a person without an account, who plays at the club."""
    season = _lock_organised_season(actor, division)
    if season.where == Season.Where.ONLINE:
        raise Refused(gettext("A guest has no account to play online with."))
    guest = people.add_guest(club=season.league.club, name=name, actor=actor)
    entrant = admit_or_queue(division, kind=Entrant.Kind.PERSON, user=guest)
    _log_added(actor, season, entrant)
    return entrant


@transaction.atomic
def add_bot(*, actor: User, division: Division, level: str, bot: User | None = None) -> Entrant:
    """Enter a bot: an existing account, or a new one with the next free name."""
    season = _lock_organised_season(actor, division)
    if level not in LEVELS:
        raise Refused(gettext("There is no such bot."))
    if season.where == Season.Where.CLUB:
        raise Refused(gettext("A bot cannot come to the club."))
    if bot is not None and not bot.is_bot:
        raise Refused(gettext("Choose a bot."))
    entrant = admit_or_queue(division, kind=Entrant.Kind.BOT, user=bot or _new_bot(season), bot_level=level)
    _log_added(actor, season, entrant)
    return entrant


@transaction.atomic
def add_own_bot(*, actor: User, division: Division, bot: OwnBot) -> Entrant:
    """Enter somebody's own bot, if it accepts challenges from the actor."""
    season = _lock_organised_season(actor, division)
    if season.where == Season.Where.CLUB:
        raise Refused(gettext("A bot cannot come to the club."))
    if user_bots.bot_of_account(bot.user) is None or not user_bots.accepts(bot, actor, season.league.game):
        raise Refused(gettext("This bot does not take your challenge."))
    entrant = admit_or_queue(division, kind=Entrant.Kind.BOT, user=bot.user)
    _log_added(actor, season, entrant)
    return entrant


def _new_bot(season: Season) -> User:
    taken = set(User.objects.filter(entries__season=season, is_bot=True).values_list("display_name", flat=True))
    taken |= set(User.objects.filter(teams__season=season, is_bot=True).values_list("display_name", flat=True))
    number = 1
    while True:
        for name in BOT_NAMES:
            full = name if number == 1 else f"{name} {number}"
            if full not in taken:
                return people.create_bot_account(name=full)
        number += 1


@transaction.atomic
def add_team(
    *,
    actor: User,
    division: Division,
    name: str,
    members: Sequence[User],
    bots: Sequence[str] = (),
    follows: Entrant | None = None,
) -> Entrant:
    """Enter a team of members of the club, filled up with bots of these levels. `follows` is as for a person."""
    season = _lock_organised_season(actor, division)
    name = " ".join(name.split())
    if not name or len(name) > 60:
        raise Refused(gettext("A team has a name of 1 to 60 letters."))
    if not set(bots) <= set(LEVELS):
        raise Refused(gettext("There is no such bot."))
    if bots and season.where == Season.Where.CLUB:
        raise Refused(gettext("A bot cannot come to the club."))
    _check_consent(season, members, followed=follows is not None)
    entrant = form_team(division, name, members, bots)
    _log_added(actor, season, entrant)
    ask_to_play(actor, season, members)
    return entrant


def form_team(division: Division, name: str, members: Sequence[User], bots: Sequence[str]) -> Entrant:
    """Inside the caller's transaction, which has checked the permission."""
    season = division.season
    size = len(members) + len(bots)
    if size not in _table_sizes(season):
        raise Refused(gettext("A team of %(count)s does not fit at a table of this game.") % {"count": size})
    if Entrant.objects.filter(season=season, user__in=members).exists():
        raise Refused(gettext("Somebody in this team has entered alone already."))
    entrant = admit_or_queue(division, kind=Entrant.Kind.TEAM, team=name)
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


def _lock_organised_season(actor: User, division: Division) -> Season:
    season = locks.season(division.season)
    require(actor, Permission.ORGANISE, season)
    if season.is_closed:
        raise Refused(gettext("This season is closed."))
    return season


def _log_added(actor: User, season: Season, entrant: Entrant) -> None:
    season_effects.log_and_refresh(
        ADDED,
        actor=actor,
        season=season,
        person=entrant.user,
        undo=("entry", {"entrant": entrant.pk}),
        entrant=entrant.who,
        division=entrant.division.name,
    )


def admit_or_queue(division: Division, *, since: datetime | None = None, **who: Any) -> Entrant:
    """Give a place, or one on the waiting list. Somebody who withdrew before the start gets the same row again.

    The waiting list is in the order of `since`: when somebody entered, or asked to. Inside the caller's transaction,
    which has checked the permission.
    """
    season = locks.season(division.season)
    entrant = _check_free(division, who["kind"], who.get("user"))
    stage = _first_stage(division)
    entrant = entrant or Entrant(season=season, **who)
    entrant.division, entrant.entered_at, entrant.seed = division, since or timezone.now(), None
    entrant.status = free_status(division)
    try:
        with transaction.atomic():
            entrant.save()
    except IntegrityError:
        raise Refused(gettext("There is a team of this name in the season.")) from None
    if entrant.user_id:
        # Whoever is in does not ask any more.
        asked = EntryRequest.objects.filter(season=season, user=entrant.user_id, state=EntryRequest.State.ASKED)
        asked.update(state=EntryRequest.State.APPROVED, decided_at=timezone.now())
    if entrant.is_waiting:
        season_effects.log_and_refresh(QUEUED, actor=None, season=season, entrant=entrant.who, division=division.name)
    elif season.is_running:
        admit_late(entrant, stage)
    return entrant


def _check_free(division: Division, kind: str, user: User | None) -> Entrant | None:
    """Refuse who does not fit the format or is in the season already; the row of somebody who has withdrawn."""
    season, stage = division.season, _first_stage(division)
    if stage and format_catalogue.FORMATS[stage.format].teams != (kind == Entrant.Kind.TEAM):
        for_teams = gettext("This format is for teams, not for people alone.")
        for_people = gettext("This format is for people, not for teams.")
        raise Refused(for_people if kind == Entrant.Kind.TEAM else for_teams)
    if user is not None and TeamMember.objects.filter(season=season, user=user).exists():
        raise Refused(gettext("%(name)s is in a team of this season already.") % {"name": user.name})
    entrant = Entrant.objects.filter(season=season, user=user).first() if user else None
    if entrant is not None and not entrant.is_withdrawn:
        raise Refused(gettext("%(name)s has entered this season already.") % {"name": entrant.name})
    if entrant is not None and season.is_running:
        raise Refused(gettext("%(name)s has left this season, and can come back to it.") % {"name": entrant.name})
    return entrant


def _first_stage(division: Division) -> Stage | None:
    return Stage.objects.filter(division=division).order_by("position").first()


def free_status(division: Division) -> str:
    if not is_full(division):
        return Entrant.Status.REGISTERED
    if not division.season.waiting_list:
        raise Refused(gettext("“%(division)s” is full.") % {"division": division.name})
    return Entrant.Status.WAITING


def is_full(division: Division) -> bool:
    return division.cap is not None and Entrant.objects.entered().filter(division=division).count() >= division.cap


def admit_late(entrant: Entrant, stage: Stage | None) -> None:
    """Enter a running season from the next round on, if the format allows it."""
    if stage is None or stage.status != Stage.Status.RUNNING:
        raise Refused(gettext("It is too late to enter."))
    stage = locks.stage(stage)
    number = Round.objects.filter(stage=stage).count() + 1
    stage_start.add_late_starter(stage, entrant, number)
    if number > 1:
        EntrantStep.objects.create(stage=stage, entrant=entrant, round=number, step="enter")
    entrant.status = Entrant.Status.ACTIVE
    entrant.save(update_fields=["status"])


@transaction.atomic
def check_in(*, actor: User, entrant: Entrant) -> Entrant:
    """Check an entry in. A second check-in changes nothing."""
    season, entrant = locked_own_entry(actor, entrant)
    if plays_as(actor, entrant):
        consent.agree(season, actor)
    if entrant.status == Entrant.Status.CHECKED_IN:
        return entrant
    if not season.check_in or season.has_begun or entrant.status != Entrant.Status.REGISTERED:
        raise Refused(gettext("There is no check-in for this entry now."))
    entrant.status = Entrant.Status.CHECKED_IN
    entrant.save(update_fields=["status"])
    undo = ("check-in", {"entrant": entrant.pk})
    season_effects.log_and_refresh(
        CHECKED_IN, actor=actor, season=season, person=entrant.user, undo=undo, entrant=entrant.who
    )
    return entrant


@transaction.atomic
def check_in_all(*, actor: User, season: Season) -> int:
    """Check in everybody who has a place. Returns how many were not checked in before."""
    season = locks.season(season)
    require(actor, Permission.ORGANISE, season)
    if not season.check_in or season.has_begun:
        raise Refused(gettext("There is no check-in for this season now."))
    rows = Entrant.objects.filter(season=season, status=Entrant.Status.REGISTERED)
    absent = list(rows.values_list("pk", flat=True))
    if absent:
        rows.update(status=Entrant.Status.CHECKED_IN)
        undo = ("check-in-all", {"entrants": absent})
        season_effects.log_and_refresh(CHECKED_ALL_IN, actor=actor, season=season, undo=undo, count=len(absent))
    return len(absent)


@transaction.atomic
def check_out(*, actor: User, entrant: Entrant) -> Entrant:
    season, entrant = locked_own_entry(actor, entrant)
    if entrant.status != Entrant.Status.CHECKED_IN:
        return entrant
    entrant.status = Entrant.Status.REGISTERED
    entrant.save(update_fields=["status"])
    season_effects.log_and_refresh(CHECKED_OUT, actor=actor, season=season, person=entrant.user, entrant=entrant.who)
    return entrant


@transaction.atomic
def move(*, actor: User, entrant: Entrant, division: Division) -> Entrant:
    """Move an entry to another division of the same season, until it starts."""
    season = _lock_organised_season(actor, division)
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
    season_effects.log_and_refresh(
        MOVED,
        actor=actor,
        season=season,
        person=entrant.user,
        undo=("move", {"entrant": entrant.pk, "division": before.pk}),
        entrant=entrant.who,
        division=division.name,
    )
    return entrant


def promote_waiting(division: Division) -> None:
    """Give free places to the waiting list, in its order. Inside the caller's transaction."""
    season = division.season
    if season.has_begun:
        return
    while not is_full(division):
        queue = Entrant.objects.filter(division=division, status=Entrant.Status.WAITING)
        first = queue.order_by("entered_at", "pk").first()
        if first is None:
            return
        first.status = Entrant.Status.REGISTERED
        first.save(update_fields=["status"])
        season_effects.log_and_refresh(MOVED_UP, actor=None, season=season, entrant=first.who, division=division.name)
        people = [first.user] if first.user else [each.user for each in first.members.select_related("user")]
        notify(people, PLACE_KIND, path=season.get_absolute_url(), season=season.full_name)


def locked_own_entry(actor: User, entrant: Entrant) -> tuple[Season, Entrant]:
    """Lock the season and read the entry again, for an actor who may act for the entry."""
    season = locks.season(entrant.season)
    entrant = Entrant.objects.select_related("user", "division", "season__league__club").get(pk=entrant.pk)
    require(actor, Permission.ENTRY, entrant)
    if season.is_closed:
        raise Refused(gettext("This season is closed."))
    return season, entrant

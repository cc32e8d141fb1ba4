"""Who may do what in a competition: the only place that decides, like `accounts.access`."""

from enum import StrEnum, auto

from django.db import models
from django.db.models import Q
from django.http import Http404

from accounts.access import Actor, Relation, relation_to
from accounts.infra.permissions import NotAllowed, Policy
from accounts.models import Club, User
from leagues.models import (
    Challenge,
    ClubNight,
    Division,
    Entrant,
    League,
    Pairing,
    Round,
    Season,
    Series,
    Stage,
    Venue,
)


class Permission(StrEnum):
    SEE = auto()
    ORGANISE = auto()
    ENTER = auto()
    # Check in, withdraw, ask for a bye: with one's own entry.
    ENTRY = auto()
    # Report and answer results, say "I am here" at a table.
    SIT = auto()
    CHALLENGE = auto()
    # Answer whether one can come to the club's nights.
    COME = auto()
    # Who comes to the club's nights by name, and how to get in.
    SEE_COMERS = auto()


P = Permission

ORGANISERS = frozenset({Relation.ORGANISER, Relation.OWNER, Relation.STAFF})


def allowed(user: Actor, obj: models.Model) -> frozenset[Permission]:
    """All permissions of a person for an object, with at most three queries."""
    club, season = club_of(obj), season_of(obj)
    runs = relation_to(user, club) in ORGANISERS
    permissions = frozenset({P.SEE}) if runs or season is None or season.status != Season.Status.DRAFT else frozenset()
    if not runs and _hidden(obj):
        permissions = frozenset()
    if not runs and is_private(obj) and not _belongs(user, club):
        permissions = frozenset()
    if runs:
        permissions |= {P.ORGANISE, P.ENTRY, P.SEE_COMERS}
    person = user if isinstance(user, User) and user.is_active else None
    if person and P.SEE in permissions:
        permissions |= {P.ENTER} | _own(person, obj)
    return permissions & {P.SEE} if club.closed_at else permissions


def is_private(obj: models.Model) -> bool:
    """Whether only members of the club and players of its seasons may see the object."""
    season = season_of(obj)
    part = season.league if season else obj if isinstance(obj, League | Series | ClubNight) else None
    return club_of(obj).is_private or bool(part and part.is_private)


def _belongs(user: Actor, club: Club) -> bool:
    return isinstance(user, User) and user.is_active and may_attend(user, club)


def _hidden(obj: models.Model) -> bool:
    """Whether the object belongs to a round that is drawn but not published: only organisers may see it."""
    round_ = obj.round if isinstance(obj, Pairing) else obj
    return isinstance(round_, Round) and not round_.is_published


def _own(person: User, obj: models.Model) -> frozenset[Permission]:
    match obj:
        case Entrant() if plays_as(person, obj):
            return frozenset({P.ENTRY, P.CHALLENGE})
        case Pairing() if any(plays_as(person, seat.entrant) for seat in obj.seats.all()):
            return frozenset({P.SIT})
        case Challenge() if plays_as(person, obj.target):
            return frozenset({P.CHALLENGE})
        case Club() | ClubNight() if may_attend(person, club_of(obj)):
            return frozenset({P.COME, P.SEE_COMERS})
        case _:
            return frozenset()


def may_attend(person: User, club: Club) -> bool:
    """Whether somebody may come to the club's nights: members, and players of a season of the club."""
    return people_of(club).filter(pk=person.pk).exists()


def people_of(club: Club) -> models.QuerySet[User]:
    """Everybody who may come to the club's nights, guests and bots included."""
    going_on = Entrant.objects.filter(season__league__club=club).exclude(season__status=Season.Status.CLOSED)
    known = (
        Q(pk__in=club.memberships.values("user"))
        | Q(pk__in=going_on.exclude(user=None).values("user"))
        | Q(pk__in=going_on.exclude(members=None).values("members__user"))
    )
    return User.objects.filter(known, is_active=True)


def plays_as(person: User, entrant: Entrant) -> bool:
    if entrant.kind == Entrant.Kind.TEAM:
        return any(member.user_id == person.pk for member in entrant.members.all())
    return entrant.user_id == person.pk


def entrant_in(person: User, stage: Stage) -> Entrant:
    """The entry that a person plays a stage with. Without one they may not challenge or wait there (NotAllowed)."""
    active = Entrant.objects.filter(starters__stage=stage, status=Entrant.Status.ACTIVE).prefetch_related("members")
    own = next((each for each in active if plays_as(person, each)), None)
    if own is None:
        raise NotAllowed(P.CHALLENGE)
    return own


def season_of(obj: models.Model) -> Season | None:
    match obj:
        case Season():
            return obj
        case Division() | Entrant():
            return obj.season
        case Stage():
            return obj.division.season
        case Round() | Challenge():
            return obj.stage.division.season
        case Pairing():
            return obj.round.stage.division.season
        case _:
            return None


def club_of(obj: models.Model) -> Club:
    match obj:
        case Club():
            return obj
        case League() | Venue() | Series() | ClubNight():
            return obj.club
        case _:
            season = season_of(obj)
            if season is None:
                raise TypeError(f"{obj!r} is no part of a competition")
            return season.league.club


policy = Policy(allowed)
may = policy.may


def require(user: Actor, permission: Permission, obj: models.Model) -> None:
    """Refuse what is not allowed. What is private is not there for outsiders."""
    can = allowed(user, obj)
    if permission in can:
        return
    if P.SEE not in can and is_private(obj):
        raise Http404
    raise NotAllowed(permission)

"""Who may do what in a competition: the only place that decides, in the manner of `accounts.access`."""

from enum import StrEnum, auto

from django.db import models
from django.db.models import Q

from accounts.access import Actor, Standing, standing_of
from accounts.access import NotAllowed as NotAllowedInClubs
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
    # Report and answer results, say that one is there.
    SIT = auto()
    CHALLENGE = auto()
    # Say whether one can come to the club's nights.
    COME = auto()


class NotAllowed(NotAllowedInClubs):
    """The person may not do this in this competition."""


P = Permission

ORGANISERS = frozenset({Standing.ORGANISER, Standing.OWNER, Standing.STAFF})


def may(user: Actor, permission: Permission, obj: models.Model) -> bool:
    return permission in allowed(user, obj)


def require(user: Actor, permission: Permission, obj: models.Model) -> None:
    if not may(user, permission, obj):
        raise NotAllowed(permission)  # type: ignore[arg-type]


def allowed(user: Actor, obj: models.Model) -> frozenset[Permission]:
    """All that this person may do with this thing: three queries at most."""
    club, season = club_of(obj), season_of(obj)
    runs = standing_of(user, club) in ORGANISERS
    permissions = frozenset({P.SEE}) if runs or season is None or season.status != Season.Status.DRAFT else frozenset()
    if not runs and _hidden(obj):
        permissions = frozenset()
    if runs:
        permissions |= {P.ORGANISE, P.ENTRY}
    person = user if isinstance(user, User) and user.is_active else None
    if person and P.SEE in permissions:
        permissions |= {P.ENTER} | _own(person, obj)
    return permissions & {P.SEE} if club.closed_at else permissions


def _hidden(obj: models.Model) -> bool:
    """What is drawn is nobody's business before it is published."""
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
        case Club() | ClubNight() if belongs(person, club_of(obj)):
            return frozenset({P.COME})
        case _:
            return frozenset()


def belongs(person: User, club: Club) -> bool:
    """Whether the club's nights are any business of theirs: members, and whoever plays in a season of the club."""
    return people_of(club).filter(pk=person.pk).exists()


def people_of(club: Club) -> models.QuerySet[User]:
    """Everybody who may come to the club's nights: guests and bots among them."""
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
    """The entry that somebody plays a stage with; whoever has none may not challenge or wait there."""
    active = Entrant.objects.filter(starters__stage=stage, status=Entrant.Status.ACTIVE).prefetch_related("members")
    own = next((each for each in active if plays_as(person, each)), None)
    if own is None:
        raise NotAllowed(P.CHALLENGE)  # type: ignore[arg-type]
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

"""Who may do what. Every service function checks here, so pages, API and sockets follow the same rules."""

from enum import Enum, StrEnum, auto

from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.http import Http404

from accounts.infra.permissions import NotAllowed, Policy
from accounts.models import ApiToken, Club, Invite, JoinRequest, Membership, Notice, Role, SignInLink, User, Webhook

Actor = User | AnonymousUser


class Permission(StrEnum):
    SEE_CLUB = auto()
    CREATE_CLUB = auto()
    # Follow, block and write to others; who plays without an account may not.
    MEET_PEOPLE = auto()
    ASK_TO_JOIN = auto()
    ACCEPT_INVITE = auto()
    LEAVE_CLUB = auto()
    EDIT_CLUB = auto()
    DECIDE_REQUESTS = auto()
    INVITE = auto()
    ADD_GUEST = auto()
    GIVE_SIGN_IN_LINKS = auto()
    READ_LOG = auto()
    RUN_WEBHOOKS = auto()
    REMOVE_MEMBER = auto()
    CHANGE_ROLE = auto()
    HAND_OVER = auto()
    CLOSE_CLUB = auto()
    SEE_PROFILE = auto()
    EDIT_PROFILE = auto()
    DELETE_ACCOUNT = auto()
    READ_NOTICES = auto()
    WITHDRAW_REQUEST = auto()
    MANAGE_TOKENS = auto()
    # Of staff alone: people's accounts, the site's own pages, the whole log.
    RUN_SITE = auto()


class Relation(Enum):
    """How a person is related to the object they act on."""

    VISITOR = auto()
    STRANGER = auto()
    MEMBER = auto()
    ORGANISER = auto()
    OWNER = auto()
    STAFF = auto()
    SELF = auto()


P = Permission

_visitor = frozenset({P.SEE_CLUB, P.SEE_PROFILE})
_person = _visitor | {P.CREATE_CLUB, P.MEET_PEOPLE}
_stranger = _person | {P.ASK_TO_JOIN, P.ACCEPT_INVITE}
_member = _person | {P.LEAVE_CLUB, P.ACCEPT_INVITE}
_organiser = _member | {
    P.EDIT_CLUB,
    P.DECIDE_REQUESTS,
    P.INVITE,
    P.ADD_GUEST,
    P.GIVE_SIGN_IN_LINKS,
    P.READ_LOG,
    P.RUN_WEBHOOKS,
    P.REMOVE_MEMBER,
}
_owner = _organiser | {P.CHANGE_ROLE, P.HAND_OVER, P.CLOSE_CLUB}

MAY: dict[Relation, frozenset[Permission]] = {
    Relation.VISITOR: _visitor,
    Relation.STRANGER: _stranger,
    Relation.MEMBER: _member,
    Relation.ORGANISER: _organiser,
    Relation.OWNER: _owner,
    Relation.STAFF: _owner | _stranger | {P.RUN_SITE},
    Relation.SELF: _person | {P.EDIT_PROFILE, P.DELETE_ACCOUNT, P.READ_NOTICES, P.WITHDRAW_REQUEST, P.MANAGE_TOKENS},
}

# All that is still allowed in a closed club.
READING = frozenset({P.SEE_CLUB, P.READ_LOG})

# To them a private club does not exist, unless they have an invite.
OUTSIDE = frozenset({Relation.VISITOR, Relation.STRANGER})

# Allowed only towards members of a lower rank: never oneself, an equal or the owner.
TO_A_MEMBER = frozenset({P.REMOVE_MEMBER, P.CHANGE_ROLE, P.GIVE_SIGN_IN_LINKS})

_RANK = {
    Relation.MEMBER: 1,
    Relation.ORGANISER: 2,
    Relation.OWNER: 3,
    Relation.STAFF: 3,
}
_RELATION_OF_ROLE = {Role.OWNER: Relation.OWNER, Role.ORGANISER: Relation.ORGANISER, Role.MEMBER: Relation.MEMBER}


def allowed(user: Actor, obj: models.Model | None = None) -> frozenset[Permission]:
    """All permissions of this person on this object, with one query at most."""
    return allowed_for_relation(relation_to(user, obj), obj)


def allowed_for_relation(relation: Relation, obj: models.Model | None = None) -> frozenset[Permission]:
    """The same for a relation already known: no query for each row of a list."""
    permissions = MAY[relation]
    club = _club_of(obj)
    if club is not None and club.closed_at:
        permissions &= READING
    if club is not None and club.is_private and relation in OUTSIDE:
        permissions &= {P.ACCEPT_INVITE}
    if isinstance(obj, Membership) and _RANK.get(relation, 0) <= _RANK[_RELATION_OF_ROLE[Role(obj.role)]]:
        permissions -= TO_A_MEMBER
    return permissions


def relation_to(user: Actor, obj: models.Model | None) -> Relation:
    if not isinstance(user, User) or not user.is_active:
        return Relation.VISITOR
    if _is_own(user, obj):
        return Relation.SELF
    if user.is_staff:
        return Relation.STAFF
    club = _club_of(obj)
    if club is None:
        return Relation.STRANGER
    role = Membership.objects.filter(club=club, user=user).values_list("role", flat=True).first()
    return _RELATION_OF_ROLE[Role(role)] if role else Relation.STRANGER


def _is_own(user: User, obj: models.Model | None) -> bool:
    match obj:
        case User():
            return obj.pk == user.pk
        case Notice() | JoinRequest() | ApiToken():
            return obj.user_id == user.pk
        case _:
            return False


def _club_of(obj: models.Model | None) -> Club | None:
    match obj:
        case Club():
            return obj
        case Membership() | Invite() | JoinRequest() | SignInLink() | Webhook():
            return obj.club
        case _:
            return None


policy = Policy(allowed)
may = policy.may


def require(user: Actor, permission: Permission, obj: models.Model | None = None) -> None:
    """Refuse what is not allowed. What belongs to a private club is not there for outsiders."""
    relation = relation_to(user, obj)
    if permission in allowed_for_relation(relation, obj):
        return
    club = _club_of(obj)
    if club is not None and club.is_private and relation in OUTSIDE:
        raise Http404
    raise NotAllowed(permission)

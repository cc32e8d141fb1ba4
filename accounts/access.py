"""Who may do what: the only place that decides. Verbs ask here, so every way in is guarded alike."""

from enum import Enum, StrEnum, auto

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models import ApiToken, Club, Invite, JoinRequest, Membership, Notice, Role, User, Webhook

Actor = User | AnonymousUser


class Permission(StrEnum):
    SEE_CLUB = auto()
    FOUND_CLUB = auto()
    ASK_TO_JOIN = auto()
    ACCEPT_INVITE = auto()
    LEAVE_CLUB = auto()
    EDIT_CLUB = auto()
    DECIDE_REQUESTS = auto()
    INVITE = auto()
    ADD_GUEST = auto()
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
    HOLD_TOKENS = auto()


class Standing(Enum):
    """What a person is to the thing they act on."""

    VISITOR = auto()
    STRANGER = auto()
    MEMBER = auto()
    ORGANISER = auto()
    OWNER = auto()
    STAFF = auto()
    SELF = auto()


P = Permission

_visitor = frozenset({P.SEE_CLUB, P.SEE_PROFILE})
_person = _visitor | {P.FOUND_CLUB}
_stranger = _person | {P.ASK_TO_JOIN, P.ACCEPT_INVITE}
_member = _person | {P.LEAVE_CLUB, P.ACCEPT_INVITE}
_organiser = _member | {
    P.EDIT_CLUB,
    P.DECIDE_REQUESTS,
    P.INVITE,
    P.ADD_GUEST,
    P.READ_LOG,
    P.RUN_WEBHOOKS,
    P.REMOVE_MEMBER,
}
_owner = _organiser | {P.CHANGE_ROLE, P.HAND_OVER, P.CLOSE_CLUB}

MAY: dict[Standing, frozenset[Permission]] = {
    Standing.VISITOR: _visitor,
    Standing.STRANGER: _stranger,
    Standing.MEMBER: _member,
    Standing.ORGANISER: _organiser,
    Standing.OWNER: _owner,
    Standing.STAFF: _owner | _stranger,
    Standing.SELF: _person | {P.EDIT_PROFILE, P.DELETE_ACCOUNT, P.READ_NOTICES, P.WITHDRAW_REQUEST, P.HOLD_TOKENS},
}

# What is left to do with a club that has closed.
READING = frozenset({P.SEE_CLUB, P.READ_LOG})

# What is done to a member, and so never to oneself, to an equal or to the owner.
TO_A_MEMBER = frozenset({P.REMOVE_MEMBER, P.CHANGE_ROLE})

_RANK = {
    Standing.MEMBER: 1,
    Standing.ORGANISER: 2,
    Standing.OWNER: 3,
    Standing.STAFF: 3,
}
_STANDING = {Role.OWNER: Standing.OWNER, Role.ORGANISER: Standing.ORGANISER, Role.MEMBER: Standing.MEMBER}


class NotAllowed(PermissionDenied):
    """The person may not do this; every edge turns it into its own refusal (403 on the site)."""

    def __init__(self, permission: Permission) -> None:
        super().__init__(_("You are not allowed to do this."))
        self.permission = permission


def may(user: Actor, permission: Permission, obj: models.Model | None = None) -> bool:
    return permission in allowed(user, obj)


def require(user: Actor, permission: Permission, obj: models.Model | None = None) -> None:
    if not may(user, permission, obj):
        raise NotAllowed(permission)


def allowed(user: Actor, obj: models.Model | None = None) -> frozenset[Permission]:
    """All that this person may do to this thing: one query at most, for pages that ask many questions."""
    return allowed_as(standing_of(user, obj), obj)


def allowed_as(standing: Standing, obj: models.Model | None = None) -> frozenset[Permission]:
    """The same for a standing already known: a list of members costs no query each."""
    permissions = MAY[standing]
    club = _club_of(obj)
    if club is not None and club.closed_at:
        permissions &= READING
    if isinstance(obj, Membership) and _RANK.get(standing, 0) <= _RANK[_STANDING[Role(obj.role)]]:
        permissions -= TO_A_MEMBER
    return permissions


def standing_of(user: Actor, obj: models.Model | None) -> Standing:
    if not isinstance(user, User) or not user.is_active:
        return Standing.VISITOR
    if _is_own(user, obj):
        return Standing.SELF
    if user.is_staff:
        return Standing.STAFF
    club = _club_of(obj)
    if club is None:
        return Standing.STRANGER
    role = Membership.objects.filter(club=club, user=user).values_list("role", flat=True).first()
    return _STANDING[Role(role)] if role else Standing.STRANGER


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
        case Membership() | Invite() | JoinRequest() | Webhook():
            return obj.club
        case _:
            return None

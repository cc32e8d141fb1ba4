from accounts.infra.scopes import Scope
from accounts.models.acquaintance import Block, DirectMessage, Follow, MessageReport
from accounts.models.audit import AuditEntry, AuditErasure, AuditQuerySet
from accounts.models.club import (
    Admission,
    Club,
    ClubColour,
    ClubQuerySet,
    Invite,
    InviteQuerySet,
    JoinRequest,
    Membership,
    MembershipQuerySet,
    Role,
)
from accounts.models.login_address import LoginAddress
from accounts.models.notification import Digest, Mail, Notice, NoticeChoice, shortly
from accounts.models.picture import Emblem, Portrait
from accounts.models.push import PushAlert, PushDevice
from accounts.models.sign_in_link import SignInLink, SignInLinkQuerySet
from accounts.models.token import ApiToken
from accounts.models.user import (
    HANDLE_VALIDATORS,
    ChallengesFrom,
    Language,
    MessagesFrom,
    Theme,
    User,
    UserManager,
    validate_handle,
    validate_time_zone,
)
from accounts.models.webhook import Delivery, Webhook

__all__ = [
    "HANDLE_VALIDATORS",
    "Admission",
    "ApiToken",
    "AuditEntry",
    "AuditErasure",
    "AuditQuerySet",
    "Block",
    "ChallengesFrom",
    "Club",
    "ClubColour",
    "ClubQuerySet",
    "Delivery",
    "Digest",
    "DirectMessage",
    "Emblem",
    "Follow",
    "Invite",
    "InviteQuerySet",
    "JoinRequest",
    "Language",
    "LoginAddress",
    "Mail",
    "Membership",
    "MembershipQuerySet",
    "MessageReport",
    "MessagesFrom",
    "Notice",
    "NoticeChoice",
    "Portrait",
    "PushAlert",
    "PushDevice",
    "Role",
    "Scope",
    "SignInLink",
    "SignInLinkQuerySet",
    "Theme",
    "User",
    "UserManager",
    "Webhook",
    "shortly",
    "validate_handle",
    "validate_time_zone",
]

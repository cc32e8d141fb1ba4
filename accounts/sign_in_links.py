"""Members without an e-mail address: an organiser makes their account and hands them a link to sign in with.

A link is for one use, expires, and can be revoked; only its hash is stored. An organiser can make one only for an
account that their club made and looks after, until its owner adds an e-mail address or a password.
"""

import hashlib
import secrets
from dataclasses import dataclass, field
from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit, clubs, people
from accounts.access import Permission, require
from accounts.infra.errors import Refused
from accounts.models import Club, Membership, Role, SignInLink, User
from accounts.notifications.registry import NotificationGroup, declare_kind
from accounts.notifications.service import notify

MEMBER_ADDED = audit.declare_action("account.looked-after", _("%(actor)s made an account for %(person)s"))
MADE = audit.declare_action("link.made", _("%(actor)s made a sign-in link for %(person)s"))
REVOKED = audit.declare_action("link.revoked", _("%(actor)s revoked a sign-in link of %(person)s"))
USED = audit.declare_action("link.used", _("%(person)s signed in with a link"))

MADE_KIND = declare_kind(
    "link.made",
    _("%(actor)s made a sign-in link to your account."),
    _("Somebody made a sign-in link for you"),
    group=NotificationGroup.CLUBS,
)

MAX_LIFETIME = timedelta(days=30)
MAX_ACCOUNTS = 100


@dataclass(frozen=True)
class NewLink:
    link: SignInLink
    token: str = field(repr=False)  # shown once, not stored


@transaction.atomic
def add_member(*, actor: User, club: Club, name: str, lasting: timedelta = timedelta(days=7)) -> NewLink:
    """Make an account for somebody without an e-mail address, a member of the club, and a link for them."""
    club = clubs.lock_club(club)
    require(actor, Permission.GIVE_SIGN_IN_LINKS, club)
    if User.objects.filter(looked_after_by=club, deleted_at=None).count() >= MAX_ACCOUNTS:
        raise Refused(
            gettext("A club can look after %(most)s accounts: let some of these people add an e-mail address.")
            % {"most": MAX_ACCOUNTS}
        )
    person = people.create_looked_after_account(club=club, name=name, language=actor.language)
    membership = Membership.objects.create(club=club, user=person, role=Role.MEMBER)
    audit.record(MEMBER_ADDED, actor=actor, on=club, club=club, person=person)
    clubs.broadcast_club_changed(club)
    return make(actor=actor, membership=membership, lasting=lasting)


@transaction.atomic
def make(*, actor: User, membership: Membership, lasting: timedelta = timedelta(days=7)) -> NewLink:
    """A new link for a member. Earlier ones that were not used stop working."""
    clubs.lock_club(membership.club)
    membership = clubs.fresh_membership(membership)
    require(actor, Permission.GIVE_SIGN_IN_LINKS, membership)
    club, person = membership.club, membership.user
    if not timedelta() < lasting <= MAX_LIFETIME:
        raise Refused(gettext("A sign-in link can last from 1 to %(days)s days.") % {"days": MAX_LIFETIME.days})
    if not is_looked_after(membership):
        raise Refused(
            gettext(
                "%(person)s has a way to log in already. Sign-in links are only for accounts that the club made for "
                "members without an e-mail address."
            )
            % {"person": person.name}
        )
    now = timezone.now()
    SignInLink.objects.filter(club=club, user=person, used_at=None, revoked_at=None).update(revoked_at=now)
    token = secrets.token_urlsafe(32)
    link = SignInLink.objects.create(
        club=club, user=person, token_hash=_hash(token), made_by=actor, expires_at=now + lasting
    )
    audit.record(MADE, actor=actor, on=link, club=club, person=person)
    notify([person], MADE_KIND, path="/settings/", actor=actor, club=club)
    return NewLink(link=link, token=token)


def is_looked_after(membership: Membership) -> bool:
    """Whether the club made this account and its owner has no other way in."""
    person = membership.user
    return (
        person.looked_after_by_id == membership.club_id
        and membership.role == Role.MEMBER
        and person.is_active
        and not person.is_staff
        and not person.email
        and not person.has_usable_password()
    )


@transaction.atomic
def revoke(*, actor: User, link: SignInLink) -> None:
    require(actor, Permission.GIVE_SIGN_IN_LINKS, link)
    if not SignInLink.objects.filter(pk=link.pk, used_at=None, revoked_at=None).update(revoked_at=timezone.now()):
        raise Refused(gettext("This link has already been used or revoked."))
    audit.record(REVOKED, actor=actor, on=link, club=link.club, person=link.user)


def find(token: str) -> SignInLink | None:
    """The usable link with this token, if there is one."""
    link = SignInLink.objects.usable().select_related("club", "user", "made_by").filter(token_hash=_hash(token)).first()
    if link is None:
        return None
    membership = Membership.objects.filter(club=link.club, user=link.user).select_related("user").first()
    return link if membership and is_looked_after(membership) else None


@transaction.atomic
def use(*, token: str) -> User:
    """The person whom a link lets in. It then lets nobody in any more."""
    link = find(token)
    # Compare and set: of two who follow it at once, one gets in.
    if link is None or not SignInLink.objects.usable().filter(pk=link.pk).update(used_at=timezone.now()):
        raise Refused(gettext("This link has expired, was used or was revoked. Ask an organiser for a new one."))
    audit.record(USED, actor=link.user, on=link, club=link.club, person=link.user)
    return link.user


def _hash(token: str) -> str:
    # A random token of 256 bits needs no salt and no slow hash.
    return hashlib.sha256(token.encode()).hexdigest()

"""The two ways into a club: a request that an organiser answers, and an invite link."""

import hashlib
import secrets
from dataclasses import dataclass, field
from datetime import timedelta

from django.db import transaction
from django.db.models import F
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit, clubs
from accounts.access import Permission, require
from accounts.infra.errors import Refused
from accounts.models import Admission, Club, Invite, JoinRequest, Membership, Role, User
from accounts.notifications.registry import NotificationGroup, declare_kind
from accounts.notifications.service import notify

ASKED = audit.declare_action("request.made", _("%(actor)s asked to join"))
WITHDREW = audit.declare_action("request.withdrawn", _("%(actor)s withdrew the request to join"))
APPROVED = audit.declare_action("request.approved", _("%(actor)s let %(person)s in"))
DECLINED = audit.declare_action("request.declined", _("%(actor)s declined %(person)s’s request to join"))
INVITED = audit.declare_action("invite.made", _("%(actor)s made an invite link (uses: %(max_uses)s)"))
REVOKED = audit.declare_action("invite.revoked", _("%(actor)s revoked an invite link"))
ACCEPTED = audit.declare_action("invite.accepted", _("%(actor)s joined with an invite from %(person)s"))

ASKED_KIND = declare_kind(
    "request.made",
    _("%(actor)s asks to join %(club)s."),
    _("Somebody asks to join your club"),
    group=NotificationGroup.ORGANISING,
    asks=True,
)
APPROVED_KIND = declare_kind(
    "request.approved", _("Welcome! You are now a member of %(club)s."), _("You were let into a club")
)
DECLINED_KIND = declare_kind(
    "request.declined", _("%(club)s has declined your request to join."), _("A club declined your request")
)
ACCEPTED_KIND = declare_kind(
    "invite.accepted", _("%(actor)s joined %(club)s with your invite."), _("Somebody joined with your invite")
)

# Every request notifies all organisers, so a user may send only a few a day.
MAX_REQUESTS_PER_DAY = 3
MAX_INVITE_LIFETIME = timedelta(days=90)
MAX_USES = 500
# Of a link made on the page: enough to share it in a club's group chat.
USUAL_USES = 30

Status = JoinRequest.Status


@transaction.atomic
def request_to_join(*, person: User, club: Club, message: str = "") -> JoinRequest:
    club = clubs.lock_club(club)
    require(person, Permission.ASK_TO_JOIN, club)
    if Membership.objects.filter(club=club, user=person).exists():
        raise Refused(gettext("You are already a member of this club."))
    if club.admission != Admission.REQUEST or club.is_private:
        raise Refused(gettext("This club takes new members by invitation only."))
    mine = JoinRequest.objects.filter(club=club, user=person)
    if mine.filter(status=Status.PENDING).exists():
        raise Refused(gettext("You have already asked to join; an organiser will answer."))
    if mine.filter(asked_at__gt=timezone.now() - timedelta(days=1)).count() >= MAX_REQUESTS_PER_DAY:
        raise Refused(gettext("You have asked several times today; try again tomorrow."))
    request = JoinRequest(club=club, user=person, message=message)
    request.full_clean()
    request.save()
    audit.record(ASKED, actor=person, on=request, club=club, person=person)
    path = reverse("accounts:club-manage", args=[club.slug])
    notify(_organisers(club), ASKED_KIND, path=path, actor=person, club=club)
    clubs.broadcast_club_changed(club)
    return request


@transaction.atomic
def withdraw(*, person: User, request: JoinRequest) -> None:
    require(person, Permission.WITHDRAW_REQUEST, request)
    _decide(request, Status.WITHDRAWN, by=person)
    audit.record(WITHDREW, actor=person, on=request, club=request.club, person=person)


@transaction.atomic
def approve(*, actor: User, request: JoinRequest) -> None:
    club = clubs.lock_club(request.club)
    require(actor, Permission.DECIDE_REQUESTS, club)
    _decide(request, Status.APPROVED, by=actor)
    Membership.objects.get_or_create(club=club, user=request.user, defaults={"role": Role.MEMBER})
    audit.record(APPROVED, actor=actor, on=request, club=club, person=request.user)
    notify([request.user], APPROVED_KIND, path=club.get_absolute_url(), actor=actor, club=club)


@transaction.atomic
def decline(*, actor: User, request: JoinRequest) -> None:
    club = clubs.lock_club(request.club)
    require(actor, Permission.DECIDE_REQUESTS, club)
    _decide(request, Status.DECLINED, by=actor)
    audit.record(DECLINED, actor=actor, on=request, club=club, person=request.user)
    notify([request.user], DECLINED_KIND, path=club.get_absolute_url(), actor=actor, club=club)


def _decide(request: JoinRequest, status: str, *, by: User) -> None:
    # Compare and set: of two organisers who answer at once, the second gets an error.
    decided = JoinRequest.objects.filter(pk=request.pk, status=Status.PENDING).update(
        status=status, decided_at=timezone.now(), decided_by=by
    )
    if not decided:
        raise Refused(gettext("This request has already been answered."))
    clubs.broadcast_club_changed(request.club)


def _organisers(club: Club) -> list[User]:
    runners = Membership.objects.filter(club=club, role__in=[Role.OWNER, Role.ORGANISER])
    return [membership.user for membership in runners.select_related("user")]


@dataclass(frozen=True)
class NewInvite:
    invite: Invite
    token: str = field(repr=False)  # shown once, not stored


@transaction.atomic
def invite(*, actor: User, club: Club, max_uses: int = 1, lasting: timedelta = timedelta(days=7)) -> NewInvite:
    club = clubs.lock_club(club)
    require(actor, Permission.INVITE, club)
    if not 1 <= max_uses <= MAX_USES:
        raise Refused(gettext("An invite can be used from 1 to %(most)s times.") % {"most": MAX_USES})
    if not timedelta() < lasting <= MAX_INVITE_LIFETIME:
        raise Refused(gettext("An invite can last from 1 to %(days)s days.") % {"days": MAX_INVITE_LIFETIME.days})
    token = secrets.token_urlsafe(24)
    made = Invite.objects.create(
        club=club,
        token_hash=_hash(token),
        made_by=actor,
        expires_at=timezone.now() + lasting,
        max_uses=max_uses,
    )
    audit.record(INVITED, actor=actor, on=made, club=club, max_uses=max_uses)
    return NewInvite(invite=made, token=token)


@transaction.atomic
def revoke(*, actor: User, invite: Invite) -> None:
    require(actor, Permission.INVITE, invite)
    if not Invite.objects.filter(pk=invite.pk, revoked_at=None).update(revoked_at=timezone.now()):
        raise Refused(gettext("This invite has already been revoked."))
    audit.record(REVOKED, actor=actor, on=invite, club=invite.club)


def find(token: str) -> Invite | None:
    """The usable invite with this token, if there is one."""
    return Invite.objects.usable().select_related("club", "made_by").filter(token_hash=_hash(token)).first()


@transaction.atomic
def accept(*, person: User, token: str) -> Club:
    """Join with an invite link. It costs no use if the person is already a member."""
    invite = find(token)
    if invite is None:
        raise Refused(gettext("This invite has expired, was used up or was revoked. Ask for a new one."))
    require(person, Permission.ACCEPT_INVITE, invite)
    club = clubs.lock_club(invite.club)
    _, joined = Membership.objects.get_or_create(club=club, user=person, defaults={"role": Role.MEMBER})
    if not joined:
        return club
    # Compare and set: of two people who take the last use at once, one joins. The exception rolls back
    # the membership of the other.
    if not Invite.objects.usable().filter(pk=invite.pk).update(uses=F("uses") + 1):
        raise Refused(gettext("This invite has just been used up. Ask for a new one."))
    JoinRequest.objects.filter(club=club, user=person, status=Status.PENDING).update(
        status=Status.APPROVED, decided_at=timezone.now(), decided_by=invite.made_by
    )
    audit.record(ACCEPTED, actor=person, on=invite, club=club, person=invite.made_by)
    notify([invite.made_by], ACCEPTED_KIND, path=club.get_absolute_url(), actor=person, club=club)
    clubs.broadcast_club_changed(club)
    return club


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()

"""The two doors into a club: a request that an organiser answers, and an invite by link."""

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

from accounts import audit, clubs, notices
from accounts.access import Permission, require
from accounts.errors import Refused
from accounts.models import Admission, Club, Invite, JoinRequest, Membership, Role, User

ASKED = audit.action("request.made", _("%(actor)s asked to join"))
WITHDREW = audit.action("request.withdrawn", _("%(actor)s withdrew the request to join"))
APPROVED = audit.action("request.approved", _("%(actor)s let %(person)s in"))
DECLINED = audit.action("request.declined", _("%(actor)s declined %(person)s’s request to join"))
INVITED = audit.action("invite.made", _("%(actor)s made an invite link (uses: %(max_uses)s)"))
REVOKED = audit.action("invite.revoked", _("%(actor)s revoked an invite link"))
ACCEPTED = audit.action("invite.accepted", _("%(actor)s joined with an invite from %(person)s"))

TOLD_ASKED = notices.kind(
    "request.made",
    _("%(actor)s asks to join %(club)s."),
    _("Somebody asks to join your club"),
    group=notices.Group.ORGANISING,
    asks=True,
)
TOLD_APPROVED = notices.kind(
    "request.approved", _("Welcome! You are now a member of %(club)s."), _("You were let into a club")
)
TOLD_DECLINED = notices.kind(
    "request.declined", _("%(club)s has declined your request to join."), _("A club declined your request")
)
TOLD_ACCEPTED = notices.kind(
    "invite.accepted", _("%(actor)s joined %(club)s with your invite."), _("Somebody joined with your invite")
)

# Each request rings the organisers' bells: an eager stranger rings thrice a day at most.
ASKS_A_DAY = 3
LONGEST_INVITE = timedelta(days=90)
MOST_USES = 500

Status = JoinRequest.Status


@transaction.atomic
def ask(*, person: User, club: Club, message: str = "") -> JoinRequest:
    club = clubs.hold(club)
    require(person, Permission.ASK_TO_JOIN, club)
    if Membership.objects.filter(club=club, user=person).exists():
        raise Refused(gettext("You are already a member of this club."))
    if club.admission != Admission.REQUEST:
        raise Refused(gettext("This club takes new members by invitation only."))
    mine = JoinRequest.objects.filter(club=club, user=person)
    if mine.filter(status=Status.PENDING).exists():
        raise Refused(gettext("You have already asked to join; an organiser will answer."))
    if mine.filter(asked_at__gt=timezone.now() - timedelta(days=1)).count() >= ASKS_A_DAY:
        raise Refused(gettext("You have asked several times today; try again tomorrow."))
    request = JoinRequest(club=club, user=person, message=message)
    request.full_clean()
    request.save()
    audit.record(ASKED, actor=person, on=request, club=club, person=person)
    path = reverse("accounts:club-manage", args=[club.slug])
    notices.tell(_organisers(club), TOLD_ASKED, path=path, actor=person, club=club)
    clubs.refresh(club)
    return request


@transaction.atomic
def withdraw(*, person: User, request: JoinRequest) -> None:
    require(person, Permission.WITHDRAW_REQUEST, request)
    _decide(request, Status.WITHDRAWN, by=person)
    audit.record(WITHDREW, actor=person, on=request, club=request.club, person=person)


@transaction.atomic
def approve(*, actor: User, request: JoinRequest) -> None:
    club = clubs.hold(request.club)
    require(actor, Permission.DECIDE_REQUESTS, club)
    _decide(request, Status.APPROVED, by=actor)
    Membership.objects.get_or_create(club=club, user=request.user, defaults={"role": Role.MEMBER})
    audit.record(APPROVED, actor=actor, on=request, club=club, person=request.user)
    notices.tell([request.user], TOLD_APPROVED, path=club.get_absolute_url(), actor=actor, club=club)


@transaction.atomic
def decline(*, actor: User, request: JoinRequest) -> None:
    club = clubs.hold(request.club)
    require(actor, Permission.DECIDE_REQUESTS, club)
    _decide(request, Status.DECLINED, by=actor)
    audit.record(DECLINED, actor=actor, on=request, club=club, person=request.user)
    notices.tell([request.user], TOLD_DECLINED, path=club.get_absolute_url(), actor=actor, club=club)


def _decide(request: JoinRequest, status: str, *, by: User) -> None:
    # Compare and set: of two organisers who answer at once, the second is told so.
    decided = JoinRequest.objects.filter(pk=request.pk, status=Status.PENDING).update(
        status=status, decided_at=timezone.now(), decided_by=by
    )
    if not decided:
        raise Refused(gettext("This request has already been answered."))
    clubs.refresh(request.club)


def _organisers(club: Club) -> list[User]:
    runners = Membership.objects.filter(club=club, role__in=[Role.OWNER, Role.ORGANISER])
    return [membership.user for membership in runners.select_related("user")]


@dataclass(frozen=True)
class NewInvite:
    invite: Invite
    token: str = field(repr=False)  # shown once, kept nowhere


@transaction.atomic
def invite(*, actor: User, club: Club, max_uses: int = 1, lasting: timedelta = timedelta(days=7)) -> NewInvite:
    club = clubs.hold(club)
    require(actor, Permission.INVITE, club)
    if not 1 <= max_uses <= MOST_USES:
        raise Refused(gettext("An invite can be used from 1 to %(most)s times.") % {"most": MOST_USES})
    if not timedelta() < lasting <= LONGEST_INVITE:
        raise Refused(gettext("An invite can last from 1 to %(days)s days.") % {"days": LONGEST_INVITE.days})
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
    """The usable invite behind a link, if there is one."""
    return Invite.objects.usable().select_related("club", "made_by").filter(token_hash=_hash(token)).first()


@transaction.atomic
def accept(*, person: User, token: str) -> Club:
    """Join with a link. A member who follows one again uses nothing up."""
    invite = find(token)
    if invite is None:
        raise Refused(gettext("This invite has expired, was used up or was revoked. Ask for a new one."))
    require(person, Permission.ACCEPT_INVITE, invite)
    club = clubs.hold(invite.club)
    _, joined = Membership.objects.get_or_create(club=club, user=person, defaults={"role": Role.MEMBER})
    if not joined:
        return club
    # Compare and set: of two people who take the last use at once, one comes in. The refusal
    # rolls the other's membership back.
    if not Invite.objects.usable().filter(pk=invite.pk).update(uses=F("uses") + 1):
        raise Refused(gettext("This invite has just been used up. Ask for a new one."))
    JoinRequest.objects.filter(club=club, user=person, status=Status.PENDING).update(
        status=Status.APPROVED, decided_at=timezone.now(), decided_by=invite.made_by
    )
    audit.record(ACCEPTED, actor=person, on=invite, club=club, person=invite.made_by)
    notices.tell([invite.made_by], TOLD_ACCEPTED, path=club.get_absolute_url(), actor=person, club=club)
    clubs.refresh(club)
    return club


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
